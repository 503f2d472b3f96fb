//! Running a schedule over memory: one task at a time, rows x columns inside kernels.

mod arranged;
pub(crate) mod cancel;
#[cfg(feature = "check")]
mod check;
pub(crate) mod cpu;
mod direct;
pub(crate) mod flat;
pub(crate) mod fold;
#[cfg(feature = "rayon")]
pub(crate) mod fork;
pub mod kernels;
pub(crate) mod memory;
pub(crate) mod observe;
pub(crate) mod options;
mod packings;
pub(crate) mod pages;
mod placement;
pub(crate) mod prefetch;
pub(crate) mod run;
mod share;
mod single;
pub(crate) mod stages;
mod steps;
mod stream;
pub(crate) mod team;
mod tiled;

use core::mem::MaybeUninit;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use eltwise_kernels::pack::Packing;
use eltwise_kernels::{Call, Kernel, Operand};
use eltwise_plan::Schedule;
use eltwise_plan::bind::Leaf;
use eltwise_plan::plan::{Slot, Strategy};
use eltwise_simd::control::DefaultControl;
use smallvec::SmallVec;

pub(crate) use arranged::Arranged;
pub(crate) use cancel::Cancel;
pub(crate) use packings::Packings;
use packings::Which;
pub(crate) use single::{LineCall, Single};
pub(crate) use stages::Stages;

use crate::executor::Executor;
use crate::status::Status;

/// The most tasks of a run.
const MOST_TASKS: usize = 1024;

/// The most operands in memory that a run keeps on its stack. A run of more allocates.
pub(crate) const STACK_LEAVES: usize = 256;

/// Calls `use_all` with an item for each operand: on the stack, unless they are more than [`STACK_LEAVES`].
#[inline(always)]
fn on_stack<T: Copy, R>(items: impl ExactSizeIterator<Item = T>, use_all: impl FnOnce(&mut [T]) -> R) -> R {
    let count = items.len();
    let mut few = [const { MaybeUninit::<T>::uninit() }; STACK_LEAVES];
    let mut many = Vec::new();
    let room = if count <= STACK_LEAVES {
        &mut few[..count]
    } else {
        many.resize_with(count, MaybeUninit::uninit);
        &mut many[..]
    };
    let mut written = 0;
    for (place, item) in room.iter_mut().zip(items) {
        place.write(item);
        written += 1;
    }
    // SAFETY: so many were just written; MaybeUninit<T> has the layout of T.
    use_all(unsafe { core::slice::from_raw_parts_mut(room.as_mut_ptr().cast::<T>(), written) })
}

/// A schedule with its kernels: all that a run needs but the memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) schedule: Schedule,
    pub(crate) kernels: SmallVec<[Kernel; 1]>,
    /// For each leaf of a tiled schedule, how it is packed, if it is.
    pub(crate) packings: SmallVec<[Option<Packings>; 0]>,
    /// The operand that the kernel puts in order, if it does.
    pub(crate) arranged: Option<Arranged>,
    /// Whether whole tiles of a tiled schedule run as rows of one call.
    pub(crate) tiles_join: bool,
    /// Whether the memory of the next tile is asked for ahead.
    pub(crate) prefetches: bool,
}

impl Program {
    /// How a leaf is packed, if it is.
    #[inline]
    fn packings(&self, leaf: usize) -> Option<&Packings> {
        self.packings.get(leaf)?.as_ref()
    }

    /// Runs on an executor, as one task or more, until `cancel` says otherwise; the run is expected to take `ns`
    /// nanoseconds. `place` gives element `[0, 0, ...]` of each leaf.
    ///
    /// # Safety
    /// As [`Run::new`], for the memory that `place` gives. An output that streams overlaps no input.
    pub(crate) unsafe fn run_over(
        &self,
        executor: &dyn Executor,
        tasks: usize,
        streams: bool,
        (cancel, ns): (Option<&Cancel>, usize),
        mut place: impl FnMut(&Leaf) -> *mut u8,
    ) -> Status {
        let leaves = &self.schedule.binding.leaves;
        on_stack(leaves.iter().map(&mut place), |pointers| {
            // SAFETY: the caller's contract.
            let run = unsafe { Run::new(self, pointers) };
            // SAFETY: an output that is no input overlaps none, as the caller says.
            let run = if streams { unsafe { run.streaming() } } else { run };
            run.cancelled_by(cancel, ns).parallel(executor, tasks)
        })
    }

    /// How a leaf is packed in a tile of a size, if it is.
    #[inline]
    fn packing(&self, leaf: usize, which: Which) -> Option<&Packing> {
        self.packings(leaf)?.get(which)
    }
}

/// One run: the memory of every leaf, and the conditions met so far.
pub(crate) struct Run<'a> {
    program: &'a Program,
    /// Element `[0, 0, ...]` of each leaf.
    pointers: &'a [*mut u8],
    /// Whether the output leaves by streaming stores.
    streams: bool,
    /// What stops the run, and the nanoseconds that it is expected to take.
    cancel: Option<(&'a Cancel, usize)>,
    flags: AtomicU32,
}

// SAFETY: tasks of one run write disjoint parts of the outputs, and read inputs that nothing writes but, in place, the
// task that reads them; the flags are atomic.
unsafe impl Sync for Run<'_> {}

impl<'a> Run<'a> {
    /// A run over memory.
    ///
    /// # Safety
    /// There is a pointer for every leaf, valid for its layout while the run lives: inputs for reading, outputs for
    /// writing. An output overlaps nothing but, exactly, an input walked as it is and read by no step after the
    /// output's own.
    pub(crate) unsafe fn new(program: &'a Program, pointers: &'a [*mut u8]) -> Run<'a> {
        Run { program, pointers, streams: false, cancel: None, flags: AtomicU32::new(0) }
    }

    /// The same run with streaming stores.
    ///
    /// # Safety
    /// The output overlaps no input.
    pub(crate) unsafe fn streaming(self) -> Run<'a> {
        Run { streams: true, ..self }
    }

    /// The same run, stopped when `cancel` says so; it is expected to take `ns` nanoseconds.
    pub(crate) fn cancelled_by(self, cancel: Option<&'a Cancel>, ns: usize) -> Run<'a> {
        Run { cancel: cancel.map(|cancel| (cancel, ns)), ..self }
    }

    /// Runs all units on the calling thread.
    #[inline]
    pub(crate) fn serial(&self) -> Status {
        self.units(0..self.program.schedule.units());
        self.status()
    }

    /// Runs all units as tasks of an executor.
    pub(crate) fn parallel(&self, executor: &dyn Executor, tasks: usize) -> Status {
        if tasks <= 1 {
            return self.serial();
        }
        // A task is taken once: an executor that calls one twice, or numbers that are none, reaches no element twice and none
        // outside. What it leaves out runs here.
        let tasks = tasks.min(MOST_TASKS);
        let taken = [const { AtomicU64::new(0) }; MOST_TASKS / 64];
        let run = |task: usize| {
            let bit = 1 << (task % 64);
            if task < tasks && taken[task / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0 {
                self.task(task, tasks);
            }
        };
        executor.parallel_for(tasks, &run);
        (0..tasks).for_each(run);
        self.status()
    }

    /// Runs task `task` of `tasks`: an even share of the units.
    pub(crate) fn task(&self, task: usize, tasks: usize) {
        let units = self.program.schedule.units();
        // In u128: a caller may ask for any number of tasks.
        let share = |t: usize| (units as u128 * t as u128 / tasks as u128) as usize;
        self.units(share(task)..share(task + 1));
    }

    pub(crate) fn status(&self) -> Status {
        Status::from_flags(self.flags.load(Ordering::Relaxed))
    }

    #[inline]
    fn units(&self, units: Range<usize>) {
        match self.cancel {
            None => self.all(units),
            Some((cancel, ns)) => cancel::units(self, cancel, units, ns),
        }
    }

    /// Runs units, whatever anybody asks.
    #[inline]
    fn all(&self, units: Range<usize>) {
        if units.is_empty() {
            return;
        }
        let _control = DefaultControl::new();
        let _fence = self.streams.then_some(stream::Fence);
        match self.program.schedule.strategy {
            Strategy::Direct => direct::run(self, units),
            Strategy::Tiled => tiled::run(self, units),
            _ => {}
        }
    }

    /// The operand of a step that is a constant: one element for all rows and columns.
    #[inline]
    fn constant(&self, index: usize) -> Operand {
        let bits: *const u128 = &raw const self.program.schedule.binding.constants[index].bits;
        Operand { ptr: bits.cast_mut().cast(), row: 0, splat: true }
    }

    /// A call without operands.
    #[inline]
    fn call(&self, rows: usize, cols: usize) -> Call {
        blank(rows, cols, &self.flags)
    }
}

/// A call without operands.
#[inline]
fn blank(rows: usize, cols: usize, flags: &AtomicU32) -> Call {
    Call {
        rows,
        cols,
        outs: [Operand::NONE; 2],
        ins: [Operand::NONE; 4],
        params: core::ptr::null(),
        flags: &raw const *flags,
    }
}

/// Splits a flat index over loops into the byte offset of a leaf.
#[inline]
fn offset_at(mut index: usize, sizes: &[usize], strides: &[isize]) -> isize {
    let mut offset = 0isize;
    for (&size, &stride) in sizes.iter().zip(strides).rev() {
        offset = offset.wrapping_add(((index % size) as isize).wrapping_mul(stride));
        index /= size;
    }
    offset
}

/// The leaf of a slot, if it is one.
#[inline]
fn leaf_of(slot: Slot) -> Option<usize> {
    match slot {
        Slot::Leaf(leaf) => Some(leaf),
        _ => None,
    }
}
