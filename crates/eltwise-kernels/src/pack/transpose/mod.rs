//! Packing and unpacking two loops if the outer one is contiguous in memory: a transposition in registers, block
//! by block. Blocks at the far borders are moved back to end with the loops.

mod block;

use core::marker::PhantomData;

use eltwise_simd::{Blocks128, Entry, FourBlocks128, Isa};

use super::Loop;
use block::{Block, Lined, Parted, Square};

/// A transposition, for one ISA.
#[derive(Clone, Debug)]
pub(super) struct Transpose {
    packing: Function,
    /// `None`: the loops are too short to be unpacked so.
    unpacking: Option<Function>,
    /// Whether what is packed next is prefetched.
    ahead: bool,
}

/// A function moves the element at `from + r * size + c * along` to `to + r * down + c * size`.
struct Job {
    to: *mut u8,
    from: *const u8,
    rows: usize,
    cols: usize,
    down: isize,
    along: isize,
    /// Whether the runs of the next blocks across are prefetched.
    ahead: bool,
}

/// A function that transposes a job, at some level.
type Function = unsafe fn(&Job);

/// The loops that a function is looked for.
#[derive(Clone, Copy)]
struct Loops {
    /// Bytes of an element.
    size: usize,
    rows: usize,
    cols: usize,
}

impl Loops {
    /// Whether a block of so many bytes down and across fits.
    fn hold(&self, down: usize, across: usize) -> bool {
        self.rows * self.size >= down && self.cols * self.size >= across
    }

    /// Whether all of it fits the L1 cache, in which touching lines again costs nothing.
    fn are_near(&self) -> bool {
        self.rows * self.cols * self.size <= NEAR
    }
}

impl Transpose {
    /// The transposition that packs two loops; `None` when they are none, or too short, or the level has none.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_variables, reason = "the levels of other architectures have none")
    )]
    pub(super) fn new(size: usize, loops: &[Loop], isa: Isa) -> Option<Transpose> {
        let [rows, cols] = loops else { return None };
        if rows.stride != size as isize || cols.stride.unsigned_abs() <= size || ![1, 2, 4, 8].contains(&size) {
            return None;
        }
        let packed = Loops { size, rows: rows.size, cols: cols.size };
        // The dense side's rows are along the nest's contiguous loop.
        let unpacked = Loops { size, rows: cols.size, cols: rows.size };
        let (packing, unpacking) = match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => functions::<eltwise_simd::x86_64::Avx2>(packed, unpacked),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 | Isa::Avx512Vbmi => functions_of_quarters::<eltwise_simd::x86_64::Avx512>(packed, unpacked),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512Fp16 => functions_of_quarters::<eltwise_simd::x86_64::Avx512Fp16>(packed, unpacked),
            _ => (None, None),
        };
        packing.map(|packing| Transpose { packing, unpacking, ahead: false })
    }

    /// This transpose, with prefetches for memory beyond the caches.
    pub(super) fn of_far_memory(self) -> Transpose {
        Transpose { ahead: true, ..self }
    }

    /// Packs.
    ///
    /// # Safety
    /// As [`super::Packing::pack`]; `loops` are the loops given to [`Transpose::new`].
    pub(super) unsafe fn pack(&self, size: usize, loops: &[Loop], to: *mut u8, from: *const u8) {
        if let [rows, cols] = loops {
            let (rows, cols, along) = (rows.size, cols.size, cols.stride);
            let job = Job { to, from, rows, cols, down: (cols * size) as isize, along, ahead: self.ahead };
            // SAFETY: the caller's contract.
            unsafe { (self.packing)(&job) };
        }
    }

    /// Unpacks; `false`: the loops are too short, and nothing is done.
    ///
    /// # Safety
    /// As [`super::Packing::unpack`]; `loops` are the loops given to [`Transpose::new`].
    pub(super) unsafe fn unpack(&self, size: usize, loops: &[Loop], to: *mut u8, from: *const u8) -> bool {
        let ([rows, cols], Some(unpacking)) = (loops, self.unpacking) else { return false };
        let along = (cols.size * size) as isize;
        let job = Job { to, from, rows: cols.size, cols: rows.size, down: cols.stride, along, ahead: false };
        // SAFETY: the caller's contract.
        unsafe { unpacking(&job) };
        true
    }
}

/// The function that moves elements of some size one way: of 8 bytes, or one of the smaller sizes.
macro_rules! by_size {
    ($l:ident, $size:expr, $way:ident, $block:ident, $($smaller:literal)*) => {
        Some(match $size {
            $($smaller => $l::entry::<$way<$block<$smaller>>, Job>(),)*
            _ => $l::entry::<$way<$block<8>>, Job>(),
        })
    };
}

/// The functions that pack and unpack loops, if they are long enough.
///
/// Packing reads lines that may share a few sets of the first-level cache. Where a vector has more elements than a set has
/// lines, that is 16 and more, whole vectors are read.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level transposes"))]
fn functions<L: Blocks128>(packed: Loops, unpacked: Loops) -> (Option<Function>, Option<Function>) {
    let vector = 16 * L::BLOCKS;
    let packing = match packed.size {
        1 if packed.hold(vector, 16) && !packed.are_near() => Some(L::entry::<Pack<Lined<1>>, Job>()),
        2 if packed.hold(vector, 16) && !packed.are_near() => Some(L::entry::<Pack<Lined<2>>, Job>()),
        size if packed.hold(16, vector) => by_size!(L, size, Pack, Parted, 1 2 4),
        size if packed.hold(vector, 16) => by_size!(L, size, Pack, Lined, 1 2 4),
        _ => None,
    };
    let unpacking = match unpacked.size {
        size if unpacked.hold(16, vector) => by_size!(L, size, Unpack, Parted, 1 2 4),
        size if unpacked.hold(vector, 16) => by_size!(L, size, Unpack, Lined, 1 2 4),
        _ => None,
    };
    (packing, unpacking)
}

/// The functions that pack and unpack, for ISAs with vectors of four parts, where squares touch each line once.
/// Unpacking within the first-level cache only: beyond it, lines that are written one after the other leave faster.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level transposes"))]
fn functions_of_quarters<L: FourBlocks128>(packed: Loops, unpacked: Loops) -> (Option<Function>, Option<Function>) {
    let (packing, unpacking) = functions::<L>(packed, unpacked);
    let square = |loops: Loops| loops.size > 1 && loops.hold(64, 64);
    let packing = if square(packed) { by_size!(L, packed.size, Pack, Square, 2 4) } else { packing };
    if square(unpacked) && unpacked.are_near() {
        return (packing, by_size!(L, unpacked.size, Unpack, Square, 2 4));
    }
    (packing, unpacking)
}

/// Bytes of a plane that stays in the first-level cache with what it is packed from.
const NEAR: usize = 32 << 10;

/// Packing by some kind of block: down the rows first, which is along the memory that is read.
struct Pack<B>(PhantomData<B>);

/// Unpacking by some kind of block: a few rows, which are memory that is written, are finished before the next.
struct Unpack<B>(PhantomData<B>);

/// The next block of a loop, moved back to end with it.
#[inline(always)]
fn next(at: usize, step: usize, size: usize) -> Option<usize> {
    (at + step < size).then(|| (at + step).min(size - step))
}

impl<L: Blocks128, B: Block<L>> Entry<L, Job> for Pack<B> {
    #[inline(always)]
    unsafe fn run(l: L, job: &Job) {
        let lines = (job.rows * B::SIZE / LINE).max(1);
        let mut col = 0;
        loop {
            let first = job.from.wrapping_offset(col as isize * job.along);
            // One run after the other: what reads ahead in hardware follows a run, not many in turn.
            let mut run = first.wrapping_offset(B::COLS as isize * job.along);
            let mut line = 0;
            let mut row = 0;
            loop {
                for _ in 0..if job.ahead { (B::ROWS * B::COLS * B::SIZE / LINE).max(1) } else { 0 } {
                    l.prefetch_l2(run.wrapping_add(line * LINE));
                    line += 1;
                    if line == lines {
                        line = 0;
                        run = run.wrapping_offset(job.along);
                    }
                }
                let from = first.wrapping_add(row * B::SIZE);
                let to = job.to.wrapping_offset(row as isize * job.down).wrapping_add(col * B::SIZE);
                // SAFETY: the block is within the loops: `row + ROWS <= rows`, `col + COLS <= cols`.
                unsafe { B::run(l, to, job.down, from, job.along) };
                let Some(below) = next(row, B::ROWS, job.rows) else { break };
                row = below;
            }
            let Some(behind) = next(col, B::COLS, job.cols) else { return };
            col = behind;
        }
    }
}

impl<L: Blocks128, B: Block<L>> Entry<L, Job> for Unpack<B> {
    #[inline(always)]
    unsafe fn run(l: L, job: &Job) {
        let mut row = 0;
        loop {
            let to = job.to.wrapping_offset(row as isize * job.down);
            let from = job.from.wrapping_add(row * B::SIZE);
            let mut col = 0;
            loop {
                let from = from.wrapping_offset(col as isize * job.along);
                // SAFETY: the block is within the loops: `row + ROWS <= rows`, `col + COLS <= cols`.
                unsafe { B::run(l, to.wrapping_add(col * B::SIZE), job.down, from, job.along) };
                let Some(behind) = next(col, B::COLS, job.cols) else { break };
                col = behind;
            }
            let Some(below) = next(row, B::ROWS, job.rows) else { return };
            row = below;
        }
    }
}

/// Bytes of a cache line.
const LINE: usize = 64;
