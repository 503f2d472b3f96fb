//! Threads belong to the caller: what runs the tasks of a plan.

use eltwise_plan::cost::{Cost, TASK};

#[cfg(feature = "rayon")]
use crate::exec::fork::is_without_pool;
use crate::exec::options::RunOptions;

/// Runs tasks. Implement it over your own pool, or use [`Serial`] or [`Rayon`](crate::Rayon).
pub trait Executor: Sync {
    /// How many tasks can run at a time.
    fn width(&self) -> usize;
    /// Calls `f` once for every number below `tasks`, on any threads, and returns when all calls have returned. (A second
    /// call with the same number does nothing; numbers that are left out run on the calling thread afterwards.)
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync));
    /// Nanoseconds of work that are worth a task of their own: some times what it takes to have another thread begin. Asked before the
    /// width, and of no run of less than 10 us: once for each (of a program in two stages for each stage), so that an executor can note
    /// how often there is work to share, as [`Team`](crate::Team) does.
    #[inline]
    fn least_task(&self) -> usize {
        TASK
    }
    /// What runs on this executor do besides computing: nothing. See [`RunOptions::on`].
    #[inline]
    fn options(&self) -> Option<&RunOptions<'_>> {
        None
    }
}

/// Nanoseconds of a run that no executor is asked to share.
pub(crate) const SMALL: usize = 10_000;

/// How many tasks an executor is given of a run of `units`. One that is not asked for its width starts no threads for it.
#[inline]
pub(crate) fn tasks_on(executor: &dyn Executor, cost: &Cost, units: impl FnOnce() -> usize) -> usize {
    if cost.tasks == 1 && cost.ns < SMALL {
        return 1;
    }
    let mut most = cost.ns / executor.least_task().max(1);
    if most > cost.tasks {
        most = most.min(units());
    }
    match most.max(cost.tasks) {
        0 | 1 => 1,
        most => executor.width().min(most).max(1),
    }
}

/// Runs tasks one after the other on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Executor for Serial {
    fn width(&self) -> usize {
        1
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(f);
    }
}

/// Runs tasks on the rayon pool that the calling thread belongs to, else on the calling thread and rayon's global pool.
///
/// After a `fork` (of the C library) that followed a first use of this, the child's calls run on their own thread: the
/// parent's pool has no threads there. `pool.install(..)` gives the child one of its own.
#[cfg(feature = "rayon")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Rayon;

#[cfg(feature = "rayon")]
impl Executor for Rayon {
    fn width(&self) -> usize {
        if is_without_pool() { 1 } else { rayon::current_num_threads() }
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        use core::sync::atomic::{AtomicUsize, Ordering};
        use rayon::iter::{IntoParallelIterator, ParallelIterator};
        if tasks <= 1 || is_without_pool() {
            (0..tasks).for_each(f);
        } else if rayon::current_thread_index().is_some() {
            (0..tasks).into_par_iter().for_each(f);
        } else {
            // A thread outside the pool works too: it is awake, and what the pool's threads have not begun is left to it.
            let next = AtomicUsize::new(0);
            let work = || {
                let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < tasks);
                core::iter::from_fn(take).for_each(f);
            };
            rayon::in_place_scope(|scope| {
                (1..tasks.min(rayon::current_num_threads() + 1)).for_each(|_| scope.spawn(|_| work()));
                work();
            });
        }
    }
}
