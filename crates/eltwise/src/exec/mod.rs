//! Executes plans over memory. The planner decided everything; the code here follows the schedule.
//!
//! Look here for the code between a task and its kernel calls. [`ExecPlan`] is a schedule with its kernels, [`Run`] is
//! one run of it over memory. A run has units (rows or tiles), and a task is a range of units: `direct.rs` runs rows,
//! `tiled.rs` runs tiles. A run that is one kernel call is a [`SingleKernel`] and has no units.

pub(crate) mod cancel;
mod chains;
pub(crate) mod dense;
mod direct;
mod hoisted;
mod non_temporal;
mod prefetch;
mod regions;
pub(crate) mod scratch;
mod select;
mod single;
mod sources;
mod tiled;

use core::mem::MaybeUninit;
use core::ops::Range;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use eltwise_kernels::layout::UnitKernel;
use eltwise_kernels::{Call, Kernel, Operand};
use eltwise_plan::Schedule;
use eltwise_plan::bind::{BoundOperand, Place};
use eltwise_plan::strategy::{Slot, Strategy};
use eltwise_simd::fp_env::DefaultFpEnv;
use smallvec::SmallVec;

pub use cancel::Cancel;
pub(crate) use hoisted::{HoistedStages, Layouts, STACK_SCRATCH, Stage};
pub(crate) use select::{KernelChoice, kernel_isa, kernel_of, target_of};
pub(crate) use single::SingleKernel;

use crate::status::Status;
use regions::TileRegion;

/// Calls a function once for every number below a limit, on any threads: [`Executor::parallel_for`](crate::Executor).
pub(crate) type ParallelFor<'a> = &'a dyn Fn(usize, &(dyn Fn(usize) + Sync));

/// The largest number of tasks of a run, which tracks the tasks that ran in a bitmap on its stack.
const MAX_TASKS: usize = 1024;

/// The largest number of operands in memory whose state a run keeps on its stack. A run with more allocates.
pub(crate) const STACK_OPERANDS: usize = 256;

/// Calls `use_all` with the items: on the stack, unless they are more than [`STACK_OPERANDS`].
#[inline(always)]
fn on_stack<T: Copy, R>(items: impl ExactSizeIterator<Item = T>, use_all: impl FnOnce(&mut [T]) -> R) -> R {
    // A `SmallVec` would take 40 instructions more, an eighth of a small run.
    let count = items.len();
    let mut stack = [const { MaybeUninit::<T>::uninit() }; STACK_OPERANDS];
    let mut heap = Vec::new();
    let room = if count <= STACK_OPERANDS {
        &mut stack[..count]
    } else {
        heap.resize_with(count, MaybeUninit::uninit);
        &mut heap[..]
    };
    let mut written = 0;
    for (slot, item) in room.iter_mut().zip(items) {
        slot.write(item);
        written += 1;
    }
    // SAFETY: the first `written` items were just written; MaybeUninit<T> has the layout of T.
    use_all(unsafe { core::slice::from_raw_parts_mut(room.as_mut_ptr().cast::<T>(), written) })
}

/// A schedule with its kernels: everything that a run needs except the memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExecPlan {
    pub(crate) schedule: Schedule,
    kernels: SmallVec<[Kernel; 1]>,
    /// The unit kernel, if tiles have units.
    unit_kernel: Option<UnitKernel>,
    /// The [spans](Schedule::span) of the operands of a tiled schedule.
    spans: SmallVec<[Option<(isize, isize)>; 4]>,
    /// The tiles of a tiled schedule.
    regions: SmallVec<[TileRegion; 0]>,
    /// Whether the last step of a tile prefetches the next tile.
    prefetches: bool,
}

impl ExecPlan {
    /// The steps of each chain of the first tile.
    pub(crate) fn chains(&self) -> impl Iterator<Item = Range<usize>> {
        self.regions.first().into_iter().flat_map(|region| &region.chains).map(|chain| chain.steps.clone())
    }

    /// Runs as `tasks` tasks that `parallel_for` calls. `cancel` has the flag that stops the run, and the nanoseconds
    /// that the run is estimated to take. `place` gives the address of element `[0, 0, ...]` of each operand.
    ///
    /// # Safety
    /// As [`Run::new`], for the memory that `place` gives. The output of a non-temporal run overlaps no input, not even
    /// exactly.
    pub(crate) unsafe fn run_tasks(
        &self,
        tasks: usize,
        parallel_for: ParallelFor<'_>,
        non_temporal: bool,
        cancel: Option<(&Cancel, usize)>,
        place: impl FnMut(&BoundOperand) -> *mut u8,
    ) -> Status {
        on_stack(self.schedule.binding.operands.iter().map(place), |pointers| {
            // SAFETY: the caller's contract.
            let run = Run { non_temporal, cancel, ..unsafe { Run::new(self, pointers) } };
            run.parallel(tasks, parallel_for)
        })
    }
}

/// One run: the memory of every operand, and the data conditions met so far.
pub(crate) struct Run<'a> {
    plan: &'a ExecPlan,
    /// Element `[0, 0, ...]` of each operand.
    pointers: &'a [*mut u8],
    /// Whether the output is written with non-temporal stores. It then overlaps no input, not even exactly.
    non_temporal: bool,
    /// The flag that stops the run, and the nanoseconds that the run is estimated to take.
    cancel: Option<(&'a Cancel, usize)>,
    flags: AtomicU32,
}

// SAFETY: the tasks of a run write disjoint parts of the outputs. They use no byte of an input that another task writes; in place,
// only the task that reads an element writes it. Loads of whole vectors may also take, and ignore, bytes between the elements of
// an input, which are an output's if both interleave. The flags are atomic.
unsafe impl Sync for Run<'_> {}

impl<'a> Run<'a> {
    /// A run with regular stores that nothing cancels.
    ///
    /// # Safety
    /// There is a pointer for every operand, valid for its layout while the run lives: inputs for reading, outputs for
    /// writing. An output overlaps no other operand, except exactly an input with the output's strides that no step
    /// after the output's own step reads.
    pub(crate) unsafe fn new(plan: &'a ExecPlan, pointers: &'a [*mut u8]) -> Run<'a> {
        Run { plan, pointers, non_temporal: false, cancel: None, flags: AtomicU32::new(0) }
    }

    /// Runs all units as tasks.
    fn parallel(&self, tasks: usize, parallel_for: ParallelFor<'_>) -> Status {
        if tasks <= 1 {
            self.task(0, 1);
            return self.status();
        }
        // Each task runs once, and only tasks that exist: an executor that repeats a number or invents one does no
        // harm. Tasks that it leaves out run here.
        let tasks = tasks.min(MAX_TASKS);
        let started = [const { AtomicU64::new(0) }; MAX_TASKS / 64];
        let run = |task: usize| {
            let bit = 1 << (task % 64);
            if task < tasks && started[task / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0 {
                self.task(task, tasks);
            }
        };
        parallel_for(tasks, &run);
        (0..tasks).for_each(run);
        self.status()
    }

    /// Runs task `task` of `tasks`, an even share of the units.
    pub(crate) fn task(&self, task: usize, tasks: usize) {
        let units = self.plan.schedule.units();
        // In u128, because a caller may ask for any number of tasks.
        let share = |t: usize| (units as u128 * t as u128 / tasks as u128) as usize;
        let units = share(task)..share(task + 1);
        match self.cancel {
            None => self.units(units),
            Some((cancel, ns)) => cancel::units(self, cancel, units, ns),
        }
    }

    /// The data conditions that tasks have met so far.
    pub(crate) fn status(&self) -> Status {
        Status(self.flags.load(Ordering::Relaxed))
    }

    /// Runs a range of units.
    #[inline]
    fn units(&self, units: Range<usize>) {
        if units.is_empty() {
            return;
        }
        let _fp_env = DefaultFpEnv::new();
        let _fence = self.non_temporal.then_some(non_temporal::Fence);
        match self.plan.schedule.strategy {
            Strategy::Direct => direct::run(self, units),
            Strategy::Tiled => tiled::run(self, units),
            _ => {}
        }
    }

    /// A constant as an operand: one element for all rows and columns.
    #[inline]
    fn constant(&self, index: usize) -> Operand {
        let bits: *const u128 = &raw const self.plan.schedule.binding.constants[index].bits;
        Operand { ptr: bits.cast_mut().cast(), row: 0, splat: true }
    }
}

/// A call without operands.
#[inline]
fn blank(rows: usize, cols: usize, flags: &AtomicU32) -> Call {
    Call { rows, cols, out: Operand::NONE, ins: [Operand::NONE; 4], flags: &raw const *flags }
}

/// Bytes of an element of each operand of a call; 0 for an input that is a constant or is not prefetched.
#[derive(Clone, Copy, Debug)]
struct ElementSizes {
    out: usize,
    ins: [usize; 4],
}

impl ElementSizes {
    /// The element sizes of a step of a schedule.
    #[inline(always)]
    fn of_step(schedule: &Schedule, step: usize) -> ElementSizes {
        let binding = &schedule.binding;
        let bound = &binding.steps[step];
        let mut sizes = ElementSizes { out: bound.to.size(), ins: [0; 4] };
        for (into, &source) in sizes.ins.iter_mut().zip(&bound.args) {
            *into = match source {
                Place::Step(step) => binding.steps[step].to.size(),
                Place::Operand(operand) => binding.operands[operand].size,
                _ => 0,
            };
        }
        sizes
    }
}

/// The byte offset of an operand at iteration `index` of nested loops.
#[inline]
pub(crate) fn offset_at(mut index: usize, sizes: &[usize], strides: &[isize]) -> isize {
    let mut offset = 0isize;
    for (&size, &stride) in sizes.iter().zip(strides).rev() {
        offset = offset.wrapping_add(((index % size) as isize).wrapping_mul(stride));
        index /= size;
    }
    offset
}

/// The operand in a slot; `None` for registers and constants.
#[inline]
fn operand_of_slot(slot: Slot) -> Option<usize> {
    match slot {
        Slot::Operand(operand) => Some(operand),
        _ => None,
    }
}
