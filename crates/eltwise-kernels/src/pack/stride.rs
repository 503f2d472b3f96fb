//! Packing rows with a stride of two, three or four elements, or a negative one.
//!
//! A part of 16 dense bytes comes from one to four adjacent windows of 16 bytes: each gives the bytes that it
//! has, and zeros. The parts of a vector are loaded side by side. One order serves the whole row, and one kernel every
//! size of elements. Elements three apart, as the channels of pixels are, come from whole vectors where that is faster: 3 loads and a shuffle
//! for 16 of `f32`, where parts take 12 and 3 (on Zen 4 0.7 of the time; for 8 bytes as long).

use core::marker::PhantomData;

use eltwise_simd::{Blocks128, Entry, Isa};

use super::Loop;
use super::copy_loops::line;
use super::outer::{MOST_OUTER, Outer};

/// The rows of a nest, for one ISA.
#[derive(Clone, Debug)]
pub(super) struct Strided {
    kernel: Function,
    size: usize,
    /// For each window, the byte of it for each byte of a part; 128: none.
    orders: [[u8; 16]; MOST_WINDOWS],
    /// Bytes from a part's first element to its first window.
    low: isize,
    /// The innermost loop.
    row: Loop,
    /// Vectors of a row that read nothing beyond its last element, and their elements.
    vectors: usize,
    lanes: usize,
}

/// The arguments of a kernel; the pointers to the rows and to the loops are valid while it runs.
struct Job {
    rows: *const Strided,
    outer: *const [Loop],
    to: *mut u8,
    from: *const u8,
}

/// The largest number of windows of a part, which is the largest stride in elements.
const MOST_WINDOWS: usize = 4;

type Function = unsafe fn(&Job);

/// The kernel at `isa` for parts of `windows` windows, or for elements of `third` bytes with a stride of three, and the
/// parts of its vectors; `None` if it has none.
fn level(windows: usize, third: Option<usize>, isa: Isa) -> Option<(Function, usize)> {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => Some(of::<eltwise_simd::x86_64::Avx2>(windows, third)),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Vbmi => Some(of::<eltwise_simd::x86_64::Avx512>(windows, third)),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512Fp16 => Some(of::<eltwise_simd::x86_64::Avx512Fp16>(windows, third)),
        _ => {
            let _ = (windows, third);
            None
        }
    }
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level has parts"))]
fn of<L: Blocks128>(windows: usize, third: Option<usize>) -> (Function, usize) {
    let kernel = match (windows, third.filter(|&size| L::has_load_every_third(size))) {
        (_, Some(2)) => L::entry::<Kernel<Thirds<2>>, Job>(),
        (_, Some(_)) => L::entry::<Kernel<Thirds<4>>, Job>(),
        (1, None) => L::entry::<Kernel<Windows<1>>, Job>(),
        (2, None) => L::entry::<Kernel<Windows<2>>, Job>(),
        (3, None) => L::entry::<Kernel<Windows<3>>, Job>(),
        _ => L::entry::<Kernel<Windows<4>>, Job>(),
    };
    (kernel, L::BLOCKS)
}

impl Strided {
    /// The rows of a nest; `None` when its innermost loop is none of these, or too short, or the level has no kernel.
    pub(super) fn new(size: usize, loops: &[Loop], isa: Isa) -> Option<Strided> {
        let &[ref outer @ .., row] = loops else { return None };
        let apart = row.stride.unsigned_abs() / size;
        let exact = row.stride.unsigned_abs() == apart * size;
        // Blocks reverse whole vectors, where one shuffle does.
        let turns = apart == 1 && row.stride < 0 && (size == 1 || isa.vector_bytes() < 64);
        let known = (2..=MOST_WINDOWS).contains(&apart) || turns;
        if !exact || !known || size > 8 || outer.len() > MOST_OUTER {
            return None;
        }
        let elements = 16 / size;
        let windows = ((elements - 1) * apart * size + size).div_ceil(16);
        let third = (row.stride == 3 * size as isize).then_some(size);
        let (kernel, parts) = level(windows, third, isa)?;
        // Backwards, the first element ends the last window.
        let low = if row.stride < 0 { size as isize - 16 * windows as isize } else { 0 };
        let mut orders = [[128u8; 16]; MOST_WINDOWS];
        for (byte, element) in (0..16).map(|byte| (byte, byte / size)) {
            let at = (element as isize * row.stride + (byte % size) as isize - low) as usize;
            orders[at / 16][byte] = (at % 16) as u8;
        }
        // Windows reach into the gap after their last element: there is another element after it, or no gap.
        let lanes = elements * parts;
        let vectors = (row.size - usize::from(apart > 1)) / lanes;
        (vectors > 0).then_some(Strided { kernel, size, orders, low, row, vectors, lanes })
    }

    /// Packs a nest of these rows.
    ///
    /// # Safety
    /// As [`super::Packing::pack`]; `loops` are the loops given to [`Strided::new`]; the CPU has their ISA.
    pub(super) unsafe fn pack(&self, loops: &[Loop], to: *mut u8, from: *const u8) {
        let outer = &loops[..loops.len().saturating_sub(1)];
        // SAFETY: the caller's contract.
        unsafe { (self.kernel)(&Job { rows: self, outer, to, from }) };
    }
}

/// How a vector of a row is loaded.
trait Vectors<L: Blocks128> {
    /// Needed by all of them.
    type Ready: Copy;
    fn ready(l: L, rows: &Strided) -> Self::Ready;
    /// The vector whose parts begin at `at`, every `part` bytes.
    ///
    /// # Safety
    /// Every window of it is readable.
    unsafe fn load(l: L, at: *const u8, part: isize, ready: Self::Ready) -> L::Vector;
}

/// By parts of so many windows.
struct Windows<const WINDOWS: usize>;

impl<L: Blocks128, const WINDOWS: usize> Vectors<L> for Windows<WINDOWS> {
    type Ready = [L::Vector; MOST_WINDOWS];
    #[inline(always)]
    fn ready(l: L, rows: &Strided) -> Self::Ready {
        let [a, b, c, d] = &rows.orders;
        [l.splat_block(a), l.splat_block(b), l.splat_block(c), l.splat_block(d)]
    }
    #[inline(always)]
    unsafe fn load(l: L, at: *const u8, part: isize, orders: Self::Ready) -> L::Vector {
        // SAFETY: the caller's contract.
        unsafe {
            let mut v = l.table_lookup_bytes_or_0(l.gather_blocks(at, part), orders[0]);
            if WINDOWS > 1 {
                v = l.or(v, l.table_lookup_bytes_or_0(l.gather_blocks(at.wrapping_add(16), part), orders[1]));
            }
            if WINDOWS > 2 {
                v = l.or(v, l.table_lookup_bytes_or_0(l.gather_blocks(at.wrapping_add(32), part), orders[2]));
            }
            if WINDOWS > 3 {
                v = l.or(v, l.table_lookup_bytes_or_0(l.gather_blocks(at.wrapping_add(48), part), orders[3]));
            }
            v
        }
    }
}

/// Elements of so many bytes, three apart, by whole vectors: what their parts' windows have together.
struct Thirds<const SIZE: usize>;

impl<L: Blocks128, const SIZE: usize> Vectors<L> for Thirds<SIZE> {
    type Ready = ();
    #[inline(always)]
    fn ready(_l: L, _rows: &Strided) {}
    #[inline(always)]
    unsafe fn load(l: L, at: *const u8, _part: isize, _ready: ()) -> L::Vector {
        // SAFETY: the caller's contract; the level has such, see `of`.
        unsafe { l.load_every_third::<SIZE>(at) }
    }
}

/// The kernel for rows of such vectors.
struct Kernel<V>(PhantomData<V>);

impl<L: Blocks128, V: Vectors<L>> Entry<L, Job> for Kernel<V> {
    #[inline(always)]
    unsafe fn run(l: L, job: &Job) {
        // SAFETY: both are borrowed by the caller.
        let (rows, outer) = unsafe { (&*job.rows, &*job.outer) };
        let ready = V::ready(l, rows);
        let part = (16 / rows.size) as isize * rows.row.stride;
        let advance = part * L::BLOCKS as isize;
        let (mut to, mut outer) = (job.to, Outer::new(outer, job.from));
        while let Some(from) = outer.next() {
            let mut at = from.wrapping_offset(rows.low);
            let mut into = to;
            for _ in 0..rows.vectors {
                // SAFETY: every window has an element of the row, or is between two of them that are less than a page
                // apart; the vector is within the dense row.
                unsafe { l.store_blocks(into, V::load(l, at, part, ready)) };
                at = at.wrapping_offset(advance);
                into = into.wrapping_add(16 * L::BLOCKS);
            }
            let done = rows.vectors * rows.lanes;
            let (rest, tail) = (rows.row.size - done, from.wrapping_offset(done as isize * rows.row.stride));
            // SAFETY: the rest of the row.
            unsafe { line_of(rows.size, into, tail, rows.row.stride, rest) };
            to = to.wrapping_add(rows.row.size * rows.size);
        }
    }
}

/// Packs `n` elements of `size` bytes, `stride` bytes apart.
///
/// # Safety
/// `from` is readable at every element, `to` writable for all of them.
#[inline(always)]
unsafe fn line_of(size: usize, to: *mut u8, from: *const u8, stride: isize, n: usize) {
    let from = from.cast_mut();
    // SAFETY: the caller's contract.
    unsafe {
        match size {
            1 => line::<u8, true>(to, 1, from, stride, n),
            2 => line::<u16, true>(to, 2, from, stride, n),
            4 => line::<u32, true>(to, 4, from, stride, n),
            _ => line::<u64, true>(to, 8, from, stride, n),
        }
    }
}
