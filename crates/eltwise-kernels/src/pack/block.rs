//! Packing by blocks: the innermost loops that fit a vector are one shuffle of one window of memory.
//!
//! A block is the innermost loops of a nest, whole, as far as they fit a vector, and an even part of the next loop
//! out. Every block of a nest has the same order, so one shuffle serves: stretched elements (`a a a b b b`), short
//! periods (`a b c a b c`), short rows, small strides, reversed rows. Blocks are stored whole, one after the other: what
//! a block stores too much, the next one overwrites. The last block of a loop is moved back to end with it.

use core::marker::PhantomData;

use eltwise_simd::{Entry, Isa, Shuffle};

use super::Loop;
use super::outer::{MOST_OUTER, Outer};

/// The blocks of a nest, for one ISA.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    kernel: Kernel,
    /// The unit of the window that each unit of a block comes from.
    units: [u8; 64],
    /// The units of the window that are read.
    need: u64,
    /// Bytes from a block's first element to its window.
    low: isize,
    /// Bytes of a window that are always readable.
    readable: usize,
    /// Whether the windows of the cut loop are contiguous: everything up to its end is readable.
    joined: bool,
    /// Bytes of a block.
    bytes: usize,
    /// Bytes that a store writes.
    stored: usize,
    /// The loop that blocks cut: its steps, its stride, its steps in a block.
    cut: Loop,
    part: usize,
    /// How many whole blocks the cut loop has.
    whole: usize,
    /// The bytes that the cut loop packs.
    row: usize,
    /// How many of the loops are outside the cut one.
    outer: usize,
}

/// The arguments of a kernel; the pointers to the blocks and to the loops are valid while it runs.
struct Job {
    blocks: *const Blocks,
    outer: *const [Loop],
    to: *mut u8,
    end: *mut u8,
    from: *const u8,
}

type Kernel = unsafe fn(&Job);

/// A kernel and the units of its windows and vectors.
struct Level {
    kernel: Kernel,
    unit: usize,
    window: usize,
    out: usize,
    masked: bool,
}

/// The kernel for elements of `size` bytes at `isa`; `None`: the level has no shuffles.
fn level(size: usize, isa: Isa) -> Option<Level> {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => Some(of::<eltwise_simd::x86_64::Avx2>(size)),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512Vbmi | Isa::Avx512Fp16 if size == 1 => Some(in_units::<eltwise_simd::x86_64::Avx512Vbmi, 1>()),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => Some(of::<eltwise_simd::x86_64::Avx512>(size)),
        _ => {
            let _ = size;
            None
        }
    }
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level has shuffles"))]
fn of<L: Shuffle<1> + Shuffle<2> + Shuffle<4>>(size: usize) -> Level {
    match size {
        1 => in_units::<L, 1>(),
        2 => in_units::<L, 2>(),
        _ => in_units::<L, 4>(),
    }
}

fn in_units<L: Shuffle<U>, const U: usize>() -> Level {
    Level { kernel: L::entry::<Pack<U>, Job>(), unit: U, window: L::WINDOW, out: L::OUT, masked: L::FAST_MASKED_LOAD }
}

impl Blocks {
    /// The blocks of a nest that is coalesced; `None` when they would be single elements.
    pub(super) fn new(size: usize, loops: &[Loop], isa: Isa) -> Option<Blocks> {
        let level = level(size, isa)?;
        let (unit, window) = (level.unit as isize, (level.window * level.unit) as isize);
        if loops.iter().any(|l| l.stride % unit != 0) {
            return None;
        }
        // The elements of the loops that are whole in a block, their offsets, and the lowest and the highest of these.
        let (mut count, mut low, mut high) = (1usize, 0isize, 0isize);
        let mut offsets = [0isize; 64];
        let (mut outer, mut cut, mut part) = (loops.len(), Loop { size: 1, stride: 0 }, 1);
        while let Some(&l) = loops[..outer].last() {
            outer -= 1;
            cut = l;
            let more = (window - (high - low) - size as isize).checked_div(l.stride.saturating_abs());
            let by_window = more.map_or(usize::MAX, |more| more as usize + 1);
            part = l.size.min(level.out * level.unit / size / count).min(by_window);
            let last = (part as isize - 1) * l.stride;
            (low, high) = (low + last.min(0), high + last.max(0));
            for i in count..count * part {
                offsets[i] = offsets[i % count] + (i / count) as isize * l.stride;
            }
            if part < l.size || outer == 0 {
                break;
            }
            count *= part;
        }
        let elements = count * part;
        if elements == 1 || outer > MOST_OUTER {
            return None;
        }
        let (mut units, mut need) = ([0u8; 64], 0u64);
        let each = size / level.unit;
        for (e, offset) in offsets[..elements].iter().enumerate() {
            for u in 0..each {
                let at = ((offset - low) / unit) as usize + u;
                units[e * each + u] = at as u8;
                need |= 1 << at;
            }
        }
        let reach = (high - low) as usize + size;
        // Whether every unit of a window up to its reach is needed, and windows of the cut loop join.
        let whole = need.trailing_ones() as usize * level.unit == reach;
        let joined = whole && cut.stride.checked_mul(part as isize) == Some(reach as isize);
        let hoisted = cut.stride == 0;
        if !level.masked && !hoisted && !joined && (!whole || reach < window as usize) {
            return None;
        }
        let bytes = elements * size;
        Some(Blocks {
            kernel: level.kernel,
            units,
            need,
            low,
            readable: if whole { reach } else { 0 },
            joined,
            bytes,
            stored: level.out * level.unit,
            cut,
            part,
            whole: cut.size / part,
            row: count * cut.size * size,
            outer,
        })
    }

    /// Whether the blocks of a run are many and the same, and fill most of a vector: one shuffle then serves the run.
    pub(super) fn repeats(&self) -> bool {
        self.cut.stride == 0 && self.whole >= 8 && 4 * self.bytes >= 3 * self.stored
    }

    /// How many loops are outside of the cut one.
    pub(super) fn outside(&self) -> usize {
        self.outer
    }

    /// Packs a nest of these blocks.
    ///
    /// # Safety
    /// As [`super::Packing::pack`]; `loops` are the loops that the blocks were made for; the CPU has their ISA.
    pub(super) unsafe fn pack(&self, loops: &[Loop], to: *mut u8, end: *mut u8, from: *const u8) {
        let outer = loops.get(..self.outer).unwrap_or_default();
        // SAFETY: the caller's contract.
        unsafe { (self.kernel)(&Job { blocks: self, outer, to, end, from }) };
    }
}

/// The kernel for units of `U` bytes.
struct Pack<const U: usize>(PhantomData<[u8; U]>);

impl<L: Shuffle<U>, const U: usize> Entry<L, Job> for Pack<U> {
    #[inline(always)]
    unsafe fn run(l: L, job: &Job) {
        // SAFETY: both are borrowed by the caller.
        let (blocks, outer) = unsafe { (&*job.blocks, &*job.outer) };
        let (order, need) = (l.indices(&blocks.units), l.load_mask(blocks.need));
        let (mut to, mut outer) = (job.to, Outer::new(outer, job.from.wrapping_offset(blocks.low)));
        while let Some(from) = outer.next() {
            // SAFETY: `from` is the window of the cut loop's first block, `to` where the loop is packed.
            unsafe { row::<L, U>(l, blocks, order, need, (to, job.end), from) };
            to = to.wrapping_add(blocks.row);
        }
    }
}

/// The blocks of one run of the cut loop.
///
/// # Safety
/// `from` is the window of the first block; `to` is writable up to `end`, which is not before the last block's end.
#[inline(always)]
unsafe fn row<L: Shuffle<U>, const U: usize>(
    l: L,
    blocks: &Blocks,
    order: L::Indices,
    need: L::LoadMask,
    (to, end): (*mut u8, *mut u8),
    from: *const u8,
) {
    let Loop { size, stride } = blocks.cut;
    let (part, step) = (blocks.part, blocks.bytes);
    let (whole, last) = (blocks.whole, size - part);
    let last_to = to.wrapping_add(blocks.row - step);
    if last_to.addr() + blocks.stored <= end.addr() {
        // SAFETY: every store ends at or before that of the last block.
        unsafe {
            if stride == 0 {
                let v = block::<L, U>(l, blocks, order, need, from, 0);
                for b in 0..whole {
                    l.store_units(to.add(b * step), v);
                }
                l.store_units(last_to, v);
            } else {
                for b in 0..whole {
                    l.store_units(to.add(b * step), block::<L, U>(l, blocks, order, need, from, b * part));
                }
                if whole * part != size {
                    l.store_units(last_to, block::<L, U>(l, blocks, order, need, from, last));
                }
            }
        }
        return;
    }
    for b in 0..=whole {
        let (at, i) = if b == whole { (last_to, last) } else { (to.wrapping_add(b * step), b * part) };
        let mut vector = [0u8; 64];
        // SAFETY: `vector` has room for any, and `to` for the bytes of a block.
        unsafe {
            l.store_units(vector.as_mut_ptr(), block::<L, U>(l, blocks, order, need, from, i));
            core::ptr::copy_nonoverlapping(vector.as_ptr(), at, step);
        }
    }
}

/// The block from step `i` of the cut loop on.
///
/// # Safety
/// `from` is the window of the first block; the loop has `part` steps from `i` on.
#[inline(always)]
unsafe fn block<L: Shuffle<U>, const U: usize>(
    l: L,
    blocks: &Blocks,
    order: L::Indices,
    need: L::LoadMask,
    from: *const u8,
    i: usize,
) -> L::Vector {
    let Loop { size, stride } = blocks.cut;
    let readable = if blocks.joined { (size - i) * stride as usize } else { blocks.readable };
    // SAFETY: the window's needed units are elements of the nest; where windows join, all bytes up to the loop's end are.
    let window = unsafe { l.load_window(from.wrapping_offset(i as isize * stride), need, readable) };
    l.shuffle(window, order)
}
