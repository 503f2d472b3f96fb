//! Packing and unpacking two loops of which the outer one is contiguous in memory: a transposition in registers.
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
    /// Whether the loops are long enough to be unpacked so.
    unpacks: bool,
}

/// What a kernel moves: the element at `from + r * size + c * along` to `to + r * down + c * size`.
struct Job {
    to: *mut u8,
    from: *const u8,
    rows: usize,
    cols: usize,
    down: isize,
    along: isize,
    /// Whether a row is finished before the next one: where the writes lie far apart, and not the reads.
    rows_first: bool,
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
        let unpacks = cols.size * size >= 16 && rows.size * size >= 16 * parts;
        (rows.stride == size as isize && is_far && fits).then_some(Transpose { kernel, unpacks })
    }

    /// Packs.
    ///
    /// # Safety
    /// As [`super::Packing::pack`]; `loops` are those of [`Transpose::new`].
    pub(super) unsafe fn pack(&self, size: usize, loops: &[Loop], to: *mut u8, from: *const u8) {
        if let [rows, cols] = loops {
            let (rows, cols, along) = (rows.size, cols.size, cols.stride);
            // SAFETY: the caller's contract.
            unsafe {
                (self.kernel)(&Job { to, from, rows, cols, down: (cols * size) as isize, along, rows_first: false });
            };
        }
    }

    /// Unpacks; `false`: the loops are too short, and nothing is done.
    ///
    /// # Safety
    /// As [`super::Packing::unpack`]; `loops` are those of [`Transpose::new`].
    pub(super) unsafe fn unpack(&self, size: usize, loops: &[Loop], to: *mut u8, from: *const u8) -> bool {
        let [rows, cols] = loops else { return false };
        if self.unpacks {
            // The dense side's rows lie along the nest's contiguous loop.
            let along = (cols.size * size) as isize;
            let job = Job { to, from, rows: cols.size, cols: rows.size, down: cols.stride, along, rows_first: true };
            // SAFETY: the caller's contract.
            unsafe { (self.kernel)(&job) };
        }
        self.unpacks
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
        // The next block of a loop, moved back to end with it.
        let next = |at: usize, step: usize, size: usize| (at + step < size).then(|| (at + step).min(size - step));
        let (mut row, mut col) = (0, 0);
        loop {
            let from = job.from.wrapping_offset(col as isize * job.along).wrapping_add(row * SIZE);
            if !job.rows_first && (row * SIZE).is_multiple_of(64) {
                for i in 0..wide as isize {
                    l.prefetch(from.wrapping_offset((wide as isize + i) * job.along));
                }
            }
            let to = job.to.wrapping_offset(row as isize * job.down).wrapping_add(col * SIZE);
            // SAFETY: the block lies within the loops: `row + high <= rows`, `col + wide <= cols`.
            unsafe { block::<L, SIZE>(l, to, job.down, from, job.along) };
            let (next_row, next_col) = (next(row, high, job.rows), next(col, wide, job.cols));
            (row, col) = match (job.rows_first, next_row, next_col) {
                (true, _, Some(col)) => (row, col),
                (true, Some(row), None) => (row, 0),
                (false, Some(row), _) => (row, col),
                (false, None, Some(col)) => (0, col),
                (_, None, None) => return,
            };
        }
    }
}

/// One block: 16 bytes of memory down, a vector across.
///
/// # Safety
/// 16 bytes are readable at each of the block's steps along; a vector is writable in each of its rows.
#[inline(always)]
unsafe fn block<L: Parts, const SIZE: usize>(l: L, to: *mut u8, down: isize, from: *const u8, along: isize) {
    let far = (16 / SIZE) as isize * along;
    macro_rules! load {
        ($($i:literal)*) => { [$(l.load_parts(from.wrapping_offset($i * along), far)),*] };
    }
    macro_rules! store {
        ($v:ident $($i:literal)*) => { $(l.store_parts(to.wrapping_offset($i * down), $v[$i]);)* };
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
