//! Packing by cycles: each dense vector is a permutation of one window of memory, or of two.
//!
//! The [orders](super::orders) are made with the plan. Stretched elements (`a a a b b b`), rows of a few elements that
//! repeat, and rows that are a little apart are packed so, by full stores that never overlap.

use core::marker::PhantomData;

use eltwise_simd::{Entry, Isa, Permute};

use smallvec::SmallVec;

use super::orders::{self, Line, Orders};
use super::outer::{MOST_OUTER, Outer};
use super::{Loop, is_close};

/// The cycles of a nest, for one ISA.
#[derive(Clone, Debug)]
pub(super) struct Cycles {
    kernel: Kernel,
    orders: Orders,
    /// Bytes that the cut loop packs.
    row: usize,
    /// How many of the loops are outside the cut one.
    outer: usize,
    /// Bytes from a run's first element to the end of its last, or of the nest's.
    reach: usize,
    /// Whether `reach` is that of the nest.
    reaches_all: bool,
}

/// The arguments of a kernel; the pointers to the cycles and to the loops are valid while it runs.
struct Job {
    cycles: *const Cycles,
    outer: *const [Loop],
    to: *mut u8,
    end: *mut u8,
    from: *const u8,
    past: *const u8,
}

type Kernel = unsafe fn(&Job);

/// The permutes of an ISA for elements of a size.
struct Level {
    kernel: Kernel,
    /// The kernel for vectors of two windows.
    pairs: Kernel,
    orders: orders::Level,
}

/// The cost of beginning a run of the cut loop, in vectors.
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
        Isa::Avx512 if size == 1 => None,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => match size {
            1 => Some(in_units::<eltwise_simd::x86_64::Avx512Vbmi, 1>()),
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
fn in_units<L: Permute<U>, const U: usize>() -> Level {
    let (kernel, pairs) = (L::entry::<Pack<U, false>, Job>(), L::entry::<Pack<U, true>, Job>());
    Level { kernel, pairs, orders: orders::Level::of::<L, U>() }
}

impl Cycles {
    /// The cycles of a nest that is coalesced; `None` when it has none, or they are too long for it.
    pub(super) fn new(size: usize, loops: &[Loop], isa: Isa) -> Option<Cycles> {
        let level = level(size, isa)?;
        if loops.iter().any(|l| l.stride < 0) {
            return None;
        }
        // The loop to cut is the one whose runs take the fewest vectors in all.
        let lanes = level.orders.bytes / size;
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
            if run > orders::MOST * lanes {
                break;
            }
            count = run;
        }
        // Short runs are better served by blocks.
        best.filter(|(cost, _)| *cost <= 3 * total.div_ceil(lanes) + RUN_COST).map(|(_, cycles)| cycles)
    }

    /// The cycles of loop `outer`, which has `count` elements inside.
    fn cut(size: usize, loops: &[Loop], outer: usize, count: usize, level: &Level) -> Option<Cycles> {
        let close = |loops: &[Loop]| {
            let (sizes, strides): (SmallVec<[usize; 4]>, SmallVec<[isize; 4]>) =
                loops.iter().map(|l| (l.size, l.stride)).unzip();
            is_close(size, &sizes, &strides)
        };
        if !close(&loops[outer..]) {
            return None;
        }
        let orders = Orders::new(size, &loops[outer..], level.orders)?;
        let row = count * loops[outer].size * size;
        // Runs of less than two cycles are not worth their orders.
        if 2 * orders.vectors() * level.orders.bytes > row {
            return None;
        }
        let reaches_all = close(loops);
        let reached = if reaches_all { loops } else { &loops[outer..] };
        Some(Cycles {
            kernel: if orders.pairs { level.pairs } else { level.kernel },
            orders,
            row,
            outer,
            reach: reached.iter().map(|l| (l.size - 1) * l.stride as usize).sum::<usize>() + size,
            reaches_all,
        })
    }

    /// Packs a nest of these cycles.
    ///
    /// # Safety
    /// As [`super::Packing::pack`]; `loops` are the loops that the cycles were made for; the CPU has their ISA.
    pub(super) unsafe fn pack(&self, loops: &[Loop], to: *mut u8, end: *mut u8, from: *const u8, past: *const u8) {
        let outer = loops.get(..self.outer).unwrap_or_default();
        // SAFETY: the caller's contract.
        unsafe { (self.kernel)(&Job { cycles: self, outer, to, end, from, past }) };
    }
}

/// The kernel for units of `U` bytes, of vectors of one window or two.
struct Pack<const U: usize, const PAIRS: bool>(PhantomData<[u8; U]>);

impl<L: Permute<U>, const U: usize, const PAIRS: bool> Entry<L, Job> for Pack<U, PAIRS> {
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
unsafe fn row<L: Permute<U>, const U: usize, const PAIRS: bool>(
    l: L,
    cycles: &Cycles,
    (to, end): (*mut u8, *mut u8),
    (from, past): (*const u8, usize),
) {
    let Cycles { orders, row, .. } = cycles;
    let bytes = L::BYTES * orders.vectors();
    let (mut to, mut from) = (to, from);
    let stop = to.wrapping_add(*row);
    while to < stop {
        let mut order = orders.lines.as_ptr().cast::<u8>();
        let whole = stop.addr() - to.addr() >= bytes && from.addr() + orders.last + L::BYTES <= past;
        for group in &orders.groups {
            let (a, b) = (from.wrapping_add(group.windows[0]), from.wrapping_add(group.windows[1]));
            // SAFETY: what is read ends before `past`; what is stored ends with the run, or before `end`; every vector
            // of the cycle has an order.
            unsafe {
                if whole {
                    let first = l.load_window(a);
                    let second = if PAIRS { l.load_window(b) } else { first };
                    let last = order.wrapping_add(group.vectors * size_of::<Line>());
                    while order < last {
                        l.store_window(to, arranged::<L, U, PAIRS>(l, [first, second], order));
                        (to, order) = (to.add(L::BYTES), order.add(size_of::<Line>()));
                    }
                    continue;
                }
                let first = l.load_window_n(a, L::BYTES.min(past.saturating_sub(a.addr())));
                let second =
                    if PAIRS { l.load_window_n(b, L::BYTES.min(past.saturating_sub(b.addr()))) } else { first };
                for _ in 0..group.vectors {
                    if to >= stop {
                        return;
                    }
                    let v = arranged::<L, U, PAIRS>(l, [first, second], order);
                    if end.addr() - to.addr() >= L::BYTES {
                        l.store_window(to, v);
                    } else {
                        let mut vector = [0u8; 64];
                        l.store_window(vector.as_mut_ptr(), v);
                        core::ptr::copy_nonoverlapping(vector.as_ptr(), to, L::BYTES.min(stop.addr() - to.addr()));
                    }
                    (to, order) = (to.wrapping_add(L::BYTES), order.add(size_of::<Line>()));
                }
            }
        }
        from = from.wrapping_offset(orders.advance);
    }
}

/// # Safety
/// As [`Permute::permute`].
#[inline(always)]
unsafe fn arranged<L: Permute<U>, const U: usize, const PAIRS: bool>(
    l: L,
    windows: [L::Vector; 2],
    order: *const u8,
) -> L::Vector {
    // SAFETY: the caller's contract.
    unsafe { if PAIRS { l.permute2(windows, order) } else { l.permute(windows[0], order) } }
}
