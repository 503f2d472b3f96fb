//! Packing two loops of which the outer one is contiguous in memory: a transposition in registers.
//!
//! A block is `P` steps of the outer loop (16 bytes of memory) by `P` steps of the inner one for every part of a vector,
//! `P` elements being 16 bytes. Its vectors are loaded part by part, each from another step of the inner loop, and
//! transposed within parts by log2 P rounds of interleaving vector `i` with vector `i + P / 2`. Blocks at the far borders
//! are moved back to end with the loops.

use eltwise_simd::{Entry, Isa, Parts};

use super::Loop;

/// A transposition, for one ISA.
#[derive(Clone, Debug)]
pub(super) struct Transpose {
    kernel: Function,
}

/// What a kernel packs: `to[r][c] = from[r * size + c * along]`, both counted in elements but for `along`, in bytes.
struct Job {
    to: *mut u8,
    from: *const u8,
    rows: usize,
    cols: usize,
    along: isize,
}

/// The kernel for elements of `SIZE` bytes.
struct Kernel<const SIZE: usize>;

impl Transpose {
    /// The transposition that packs two loops; `None` when they are none, or too short, or the level has none.
    pub(super) fn new(size: usize, loops: &[Loop], isa: Isa) -> Option<Transpose> {
        let [rows, cols] = loops else { return None };
        let is_far = cols.stride.unsigned_abs() > size;
        let (kernel, parts) = level(size, isa)?;
        let fits = rows.size * size >= 16 && cols.size * size >= 16 * parts;
        (rows.stride == size as isize && is_far && fits).then_some(Transpose { kernel })
    }

    /// Packs.
    ///
    /// # Safety
    /// As [`super::Packing::pack`]; `loops` are those of [`Transpose::new`].
    pub(super) unsafe fn pack(&self, loops: &[Loop], to: *mut u8, from: *const u8) {
        if let [rows, cols] = loops {
            let job = Job { to, from, rows: rows.size, cols: cols.size, along: cols.stride };
            // SAFETY: the caller's contract.
            unsafe { (self.kernel)(&job) };
        }
    }
}

/// A function that transposes a job, at some level.
type Function = unsafe fn(&Job);

/// The kernel for elements of `size` bytes at `isa`, and the parts of its vectors; `None`: there is none.
fn level(size: usize, isa: Isa) -> Option<(Function, usize)> {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => of::<eltwise_simd::x86_64::Avx2>(size),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => of::<eltwise_simd::x86_64::Avx512>(size),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512Fp16 => of::<eltwise_simd::x86_64::Avx512Fp16>(size),
        _ => {
            let _ = size;
            None
        }
    }
}

/// The same of one level.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level transposes"))]
fn of<L: Parts>(size: usize) -> Option<(Function, usize)> {
    let kernel = match size {
        1 => L::entry::<Kernel<1>, Job>(),
        2 => L::entry::<Kernel<2>, Job>(),
        4 => L::entry::<Kernel<4>, Job>(),
        8 => L::entry::<Kernel<8>, Job>(),
        _ => return None,
    };
    Some((kernel, L::PARTS))
}

impl<L: Parts, const SIZE: usize> Entry<L, Job> for Kernel<SIZE> {
    #[inline(always)]
    unsafe fn run(l: L, job: &Job) {
        let high = 16 / SIZE;
        let wide = high * L::PARTS;
        let pitch = job.cols * SIZE;
        let mut col = 0;
        loop {
            let from = job.from.wrapping_offset(col as isize * job.along);
            let next = from.wrapping_offset(wide as isize * job.along);
            let mut row = 0;
            loop {
                if (row * SIZE).is_multiple_of(64) {
                    for i in 0..wide as isize {
                        l.prefetch(next.wrapping_add(row * SIZE).wrapping_offset(i * job.along));
                    }
                }
                let to = job.to.wrapping_add(row * pitch + col * SIZE);
                // SAFETY: the block lies within the loops: `row + high <= rows`, `col + wide <= cols`.
                unsafe { block::<L, SIZE>(l, to, pitch, from.wrapping_add(row * SIZE), job.along) };
                if row + high == job.rows {
                    break;
                }
                row = (row + high).min(job.rows - high);
            }
            if col + wide == job.cols {
                return;
            }
            col = (col + wide).min(job.cols - wide);
        }
    }
}

/// One block: 16 bytes of memory down, a vector across.
///
/// # Safety
/// 16 bytes are readable at each of the block's steps along; a vector is writable in each of its rows.
#[inline(always)]
unsafe fn block<L: Parts, const SIZE: usize>(l: L, to: *mut u8, pitch: usize, from: *const u8, along: isize) {
    let far = (16 / SIZE) as isize * along;
    macro_rules! load {
        ($($i:literal)*) => { [$(l.load_parts(from.wrapping_offset($i * along), far)),*] };
    }
    macro_rules! store {
        ($v:ident $($i:literal)*) => { $(l.store_parts(to.wrapping_add($i * pitch), $v[$i]);)* };
    }
    // SAFETY: the caller's contract.
    unsafe {
        match SIZE {
            1 => {
                let v = load!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
                let v = round_16::<L>(l, round_16::<L>(l, round_16::<L>(l, round_16::<L>(l, v))));
                store!(v 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            }
            2 => {
                let v = round_8::<L>(l, round_8::<L>(l, round_8::<L>(l, load!(0 1 2 3 4 5 6 7))));
                store!(v 0 1 2 3 4 5 6 7);
            }
            4 => {
                let v = round_4::<L>(l, round_4::<L>(l, load!(0 1 2 3)));
                store!(v 0 1 2 3);
            }
            _ => {
                let v: [L::Parted; 2] = load!(0 1);
                let v = [l.low::<8>(v[0], v[1]), l.high::<8>(v[0], v[1])];
                store!(v 0 1);
            }
        }
    }
}

/// A round of the transposition of 4 x 4 elements of 4 bytes.
#[inline(always)]
fn round_4<L: Parts>(l: L, v: [L::Parted; 4]) -> [L::Parted; 4] {
    [l.low::<4>(v[0], v[2]), l.high::<4>(v[0], v[2]), l.low::<4>(v[1], v[3]), l.high::<4>(v[1], v[3])]
}

/// A round of the transposition of 8 x 8 elements of 2 bytes.
#[inline(always)]
fn round_8<L: Parts>(l: L, v: [L::Parted; 8]) -> [L::Parted; 8] {
    macro_rules! pairs {
        ($($a:literal $b:literal),*) => { [$(l.low::<2>(v[$a], v[$b]), l.high::<2>(v[$a], v[$b])),*] };
    }
    pairs!(0 4, 1 5, 2 6, 3 7)
}

/// A round of the transposition of 16 x 16 bytes.
#[inline(always)]
fn round_16<L: Parts>(l: L, v: [L::Parted; 16]) -> [L::Parted; 16] {
    macro_rules! pairs {
        ($($a:literal $b:literal),*) => { [$(l.low::<1>(v[$a], v[$b]), l.high::<1>(v[$a], v[$b])),*] };
    }
    pairs!(0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15)
}
