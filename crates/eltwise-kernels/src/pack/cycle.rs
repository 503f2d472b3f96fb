//! Packing by cycles: dense vectors of which each is one window of memory, or two, put in order.
//!
//! A cycle is the fewest whole steps of a loop, with all loops inside, that fill whole vectors. All cycles of the loop
//! have the same offsets of windows and the same orders, which are made with the plan. Stretched elements
//! (`a a a b b b`), rows of a few elements that repeat, and rows that lie a little apart are packed so, by full stores
//! that never overlap.

use core::marker::PhantomData;

use eltwise_simd::{Arrange, Entry, Isa};

use smallvec::SmallVec;

use super::outer::{MOST_OUTER, Outer};
use super::{Loop, is_close};

/// The cycles of a nest, for one ISA.
#[derive(Clone, Debug)]
pub(super) struct Cycles {
    kernel: Kernel,
    /// Bytes from a cycle's first element to the windows of each of its vectors.
    offsets: Box<[[usize; 2]]>,
    /// Their orders.
    orders: Box<[Line]>,
    /// The largest offset.
    last: usize,
    /// Bytes from a cycle's first element to the next one's.
    advance: usize,
    /// Bytes that the cut loop packs.
    row: usize,
    /// How many of the loops are outside the cut one.
    outer: usize,
    /// Bytes from a run's first element to the end of its last, or of the nest's.
    reach: usize,
    /// Whether `reach` is that of the nest.
    reaches_all: bool,
}

/// An order, where no load of it crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line(#[allow(dead_code, reason = "read through pointers")] [u8; 64]);

/// What a kernel packs; the pointers to the cycles and to the loops are valid while it runs.
struct Job {
    cycles: *const Cycles,
    outer: *const [Loop],
    to: *mut u8,
    end: *mut u8,
    from: *const u8,
    past: *const u8,
}

type Kernel = unsafe fn(&Job);

/// What an ISA has for elements of a size.
struct Level {
    kernel: Kernel,
    /// The same for vectors of two windows, where the ISA has them.
    pairs: Option<Kernel>,
    bytes: usize,
    order: fn(&[u8]) -> Option<[u8; 64]>,
}

/// The most vectors of a cycle.
const MOST: usize = 64;
/// The fewest vectors that a cycle is made of where there are as many: shorter ones are joined.
const FEWEST: usize = 16;
/// What beginning a run of the cut loop costs, in vectors.
const RUN_COST: usize = 8;

/// The level of elements of `size` bytes at `isa`; `None`: it arranges nothing.
fn level(size: usize, isa: Isa) -> Option<Level> {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => Some(match size {
            1 => in_units::<eltwise_simd::x86_64::Avx2, 1>(),
            2 => in_units::<eltwise_simd::x86_64::Avx2, 2>(),
            _ => in_units::<eltwise_simd::x86_64::Avx2, 4>(),
        }),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Fp16 => match size {
            1 if isa == Isa::Avx512 => None,
            1 => Some(in_units::<eltwise_simd::x86_64::Avx512Fp16, 1>()),
            2 => Some(in_units::<eltwise_simd::x86_64::Avx512, 2>()),
            _ => Some(in_units::<eltwise_simd::x86_64::Avx512, 4>()),
        },
        _ => {
            let _ = size;
            None
        }
    }
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
fn in_units<L: Arrange<U>, const U: usize>() -> Level {
    let pairs = if L::PAIRS { Some(L::entry::<Pack<U, true>, Job>()) } else { None };
    Level { kernel: L::entry::<Pack<U, false>, Job>(), pairs, bytes: L::BYTES, order: L::order }
}

impl Cycles {
    /// The cycles of a nest that is coalesced; `None` when it has none, or they are too long for it.
    pub(super) fn new(size: usize, loops: &[Loop], isa: Isa) -> Option<Cycles> {
        let level = level(size, isa)?;
        if loops.iter().any(|l| l.stride < 0) {
            return None;
        }
        // The loop to cut is the one whose runs take the fewest vectors in all.
        let lanes = level.bytes / size;
        let total: usize = loops.iter().map(|l| l.size).product();
        let mut best: Option<(usize, Cycles)> = None;
        let mut count = 1usize;
        for (outer, cut) in loops.iter().enumerate().rev().take(3) {
            let run = count * cut.size;
            let cost = (total / run).saturating_mul(run.div_ceil(lanes) + RUN_COST);
            if outer <= MOST_OUTER
                && best.as_ref().is_none_or(|(least, _)| cost < *least)
                && let Some(cycles) = Cycles::cut(size, loops, outer, count, &level)
            {
                best = Some((cost, cycles));
            }
            if run > MOST * lanes {
                break;
            }
            count = run;
        }
        // Short runs are better served by blocks.
        best.filter(|(cost, _)| *cost <= 3 * total.div_ceil(lanes) + RUN_COST).map(|(_, cycles)| cycles)
    }

    /// The cycles of loop `outer`, inside of which are `count` elements.
    fn cut(size: usize, loops: &[Loop], outer: usize, count: usize, level: &Level) -> Option<Cycles> {
        let (cut, inside) = (loops[outer], &loops[outer + 1..]);
        let close = |loops: &[Loop]| {
            let (sizes, strides): (SmallVec<[usize; 4]>, SmallVec<[isize; 4]>) =
                loops.iter().map(|l| (l.size, l.stride)).unzip();
            is_close(size, &sizes, &strides)
        };
        let lanes = level.bytes / size;
        let mut steps = lanes / gcd(lanes, count);
        while steps * count < FEWEST * lanes && 8 * steps <= cut.size {
            steps *= 2;
        }
        let vectors = steps * count / lanes;
        if vectors > MOST || 2 * steps > cut.size || !close(&loops[outer..]) {
            return None;
        }
        // The places of the elements in order: those inside of a step, again for every step.
        let mut inner: SmallVec<[usize; 64]> = SmallVec::from_slice(&[0]);
        for l in inside.iter().rev() {
            let before = inner.len();
            for i in 1..l.size {
                (0..before).for_each(|at| inner.push(inner[at] + i * l.stride as usize));
            }
        }
        let mut places = (0..steps).flat_map(|step| inner.iter().map(move |at| at + step * cut.stride as usize));
        let (mut offsets, mut orders) = (Box::from(vec![[0; 2]; vectors]), Vec::with_capacity(vectors));
        let mut kernel = level.kernel;
        for windows in <[_]>::iter_mut(&mut offsets) {
            let mut elements = [0usize; 64];
            let elements = &mut elements[..lanes];
            elements.iter_mut().zip(&mut places).for_each(|(into, at)| *into = at);
            let low = elements.iter().copied().min().unwrap_or(0);
            // The second window begins with the lowest element that the first does not reach.
            let fits = |at: usize, low: usize| at - low + size <= level.bytes;
            let rest = elements.iter().copied().filter(|&at| !fits(at, low)).min();
            if rest.is_some() {
                kernel = level.pairs?;
            }
            let second = rest.unwrap_or(low);
            let mut bytes = [0u8; 64];
            for (into, &at) in bytes.chunks_exact_mut(size).zip(&*elements) {
                let place = match (fits(at, low), at.checked_sub(second)) {
                    (true, _) => at - low,
                    (false, Some(more)) if more + size <= level.bytes => level.bytes + more,
                    _ => return None,
                };
                into.iter_mut().zip(place..).for_each(|(into, at)| *into = at as u8);
            }
            *windows = [low, second];
            orders.push(Line((level.order)(&bytes[..level.bytes])?));
        }
        let reaches_all = close(loops);
        let reached = if reaches_all { loops } else { &loops[outer..] };
        Some(Cycles {
            kernel,
            last: offsets.iter().flatten().copied().max().unwrap_or(0),
            offsets,
            orders: orders.into(),
            advance: steps * cut.stride as usize,
            row: count * cut.size * size,
            outer,
            reach: reached.iter().map(|l| (l.size - 1) * l.stride as usize).sum::<usize>() + size,
            reaches_all,
        })
    }

    /// Packs a nest of these cycles.
    ///
    /// # Safety
    /// As [`super::Packing::pack`]; `loops` are those that the cycles were made of; the CPU has their ISA.
    pub(super) unsafe fn pack(&self, loops: &[Loop], to: *mut u8, end: *mut u8, from: *const u8, past: *const u8) {
        let outer = loops.get(..self.outer).unwrap_or_default();
        // SAFETY: the caller's contract.
        unsafe { (self.kernel)(&Job { cycles: self, outer, to, end, from, past }) };
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The kernel for units of `U` bytes, of vectors of one window or two.
struct Pack<const U: usize, const PAIRS: bool>(PhantomData<[u8; U]>);

impl<L: Arrange<U>, const U: usize, const PAIRS: bool> Entry<L, Job> for Pack<U, PAIRS> {
    #[inline(always)]
    unsafe fn run(l: L, job: &Job) {
        // SAFETY: both are borrowed by the caller.
        let (cycles, outer) = unsafe { (&*job.cycles, &*job.outer) };
        let (mut to, mut outer) = (job.to, Outer::new(outer, job.from));
        while let Some(from) = outer.next() {
            let reached = if cycles.reaches_all { job.from } else { from }.wrapping_add(cycles.reach);
            let past = reached.addr().max(job.past.addr());
            // SAFETY: `from` is the first element of a run of the cut loop, `to` where it is packed.
            unsafe { row::<L, U, PAIRS>(l, cycles, (to, job.end), (from, past)) };
            to = to.wrapping_add(cycles.row);
        }
    }
}

/// One run of the cut loop.
///
/// # Safety
/// The run's elements begin at `from`; every byte up to the address `past` is on a page of an element of the nest. `to`
/// is writable up to `end`, which is not before the run's end.
#[inline(always)]
unsafe fn row<L: Arrange<U>, const U: usize, const PAIRS: bool>(
    l: L,
    cycles: &Cycles,
    (to, end): (*mut u8, *mut u8),
    (from, past): (*const u8, usize),
) {
    let bytes = L::BYTES * cycles.offsets.len();
    let (mut to, mut from) = (to, from);
    let stop = to.wrapping_add(cycles.row);
    while to < stop {
        let mut order = cycles.orders.as_ptr();
        let whole = stop.addr() - to.addr() >= bytes && from.addr() + cycles.last + L::BYTES <= past;
        if whole {
            for &[a, b] in &cycles.offsets {
                // SAFETY: all windows of the cycle end before `past`, all vectors before `stop`; each has an order.
                unsafe {
                    let first = l.whole(from.wrapping_add(a));
                    let second = if PAIRS { l.whole(from.wrapping_add(b)) } else { first };
                    l.store_whole(to, arranged::<L, U, PAIRS>(l, [first, second], order.cast()));
                    order = order.add(1);
                }
                to = to.wrapping_add(L::BYTES);
            }
        } else {
            for &[a, b] in &cycles.offsets {
                if to >= stop {
                    return;
                }
                let (a, b) = (from.wrapping_add(a), from.wrapping_add(b));
                // SAFETY: what is read ends before `past`; what is stored ends with the run, or before `end`.
                unsafe {
                    let first = l.first(a, L::BYTES.min(past.saturating_sub(a.addr())));
                    let second = if PAIRS { l.first(b, L::BYTES.min(past.saturating_sub(b.addr()))) } else { first };
                    let v = arranged::<L, U, PAIRS>(l, [first, second], order.cast());
                    if end.addr() - to.addr() >= L::BYTES {
                        l.store_whole(to, v);
                    } else {
                        let mut vector = [0u8; 64];
                        l.store_whole(vector.as_mut_ptr(), v);
                        core::ptr::copy_nonoverlapping(vector.as_ptr(), to, L::BYTES.min(stop.addr() - to.addr()));
                    }
                    order = order.add(1);
                }
                to = to.wrapping_add(L::BYTES);
            }
        }
        from = from.wrapping_add(cycles.advance);
    }
}

/// # Safety
/// As [`Arrange::arrange`].
#[inline(always)]
unsafe fn arranged<L: Arrange<U>, const U: usize, const PAIRS: bool>(
    l: L,
    windows: [L::Arranged; 2],
    order: *const u8,
) -> L::Arranged {
    // SAFETY: the caller's contract; kernels of pairs are those of ISAs that have them.
    unsafe { if PAIRS { l.arrange_pair(windows, order) } else { l.arrange(windows[0], order) } }
}
