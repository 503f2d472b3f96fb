//! The trait [`Executor`], the options of a run that come with an executor ([`RunOptions`]), and how many tasks an
//! executor is given (`tasks_on`).

use core::fmt;

use eltwise_plan::cost::Cost;
use eltwise_plan::tuning::TASK_NS;

use crate::debug::observe::Observer;
use crate::exec::Cancel;

#[cfg(feature = "rayon")]
use super::fork::is_without_pool;

/// Runs tasks. Implement it for your own thread pool, or use [`Serial`], [`Rayon`](crate::Rayon) or
/// [`Team`](crate::Team).
pub trait Executor: Sync {
    /// The number of tasks that can run at the same time.
    fn width(&self) -> usize;
    /// Calls `f` once for every number below `tasks`, on any threads, and returns when all calls have returned. (A
    /// second call with the same number does nothing. Numbers that are left out run on the calling thread afterwards.)
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync));
    /// The least nanoseconds of work that are worth a task: a few times what it takes another thread to begin. Called
    /// once for each run (for each stage of a run, if it has several) before [`Executor::width`], but not for runs of
    /// less than 10 us. So an executor can track how often there is work to share, as [`Team`](crate::Team) does.
    #[inline]
    fn min_task_ns(&self) -> usize {
        TASK_NS
    }
    /// The options of runs on this executor, by default none. See [`RunOptions::on`].
    #[inline]
    fn options(&self) -> Option<&RunOptions<'_>> {
        None
    }
}

/// How many tasks an executor is given for a run of `units` units. If a run is too small for any executor, the
/// executor's width is not read, because reading it may start a thread pool.
#[inline]
pub(crate) fn tasks_on(executor: &dyn Executor, cost: &Cost, units: impl FnOnce() -> usize) -> usize {
    if cost.is_inline() {
        return 1;
    }
    let mut tasks = cost.ns / executor.min_task_ns().max(1);
    if tasks > cost.tasks {
        tasks = tasks.min(units());
    }
    match tasks.max(cost.tasks) {
        0 | 1 => 1,
        tasks => executor.width().min(tasks).max(1),
    }
}

/// Runs tasks on the calling thread, one after the other.
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

/// Runs tasks on the rayon pool that the calling thread belongs to. If it belongs to none: on the calling thread and
/// rayon's global pool.
///
/// If a process forks (`fork` of the C library) after its first use of this, the child's runs stay on the calling
/// thread, because the parent's pool has no threads in the child. In the child, `pool.install(..)` uses a new pool.
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
            // The calling thread works too: it is awake, and takes the tasks that the pool's threads have not begun.
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

/// Options of a run. They come with the executor: [`RunOptions::on`] adds them to one.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct RunOptions<'a> {
    /// Stops the run when it is cancelled.
    pub cancel: Option<&'a Cancel>,
    /// Gets a report when the run ends, before the observer of the process does.
    pub observer: Option<&'a dyn Observer>,
}

impl<'a> RunOptions<'a> {
    /// No options.
    pub fn new() -> RunOptions<'a> {
        RunOptions::default()
    }

    /// Stops runs when `cancel` is cancelled; [`Status::cancelled`](crate::Status::cancelled) is then set.
    pub fn cancel(mut self, cancel: &'a Cancel) -> RunOptions<'a> {
        self.cancel = Some(cancel);
        self
    }

    /// Reports runs to `observer`.
    pub fn observer(mut self, observer: &'a dyn Observer) -> RunOptions<'a> {
        self.observer = Some(observer);
        self
    }

    /// `executor` with these options. Options that are not set are taken from `executor`.
    pub fn on(self, executor: &'a dyn Executor) -> WithOptions<'a> {
        let inner = executor.options().copied().unwrap_or_default();
        let options = RunOptions { cancel: self.cancel.or(inner.cancel), observer: self.observer.or(inner.observer) };
        WithOptions { executor, options }
    }
}

impl fmt::Debug for RunOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunOptions").field("cancel", &self.cancel).field("observer", &self.observer.is_some()).finish()
    }
}

/// An executor with options for its runs. See [`RunOptions::on`].
#[derive(Clone, Copy)]
pub struct WithOptions<'a> {
    executor: &'a dyn Executor,
    options: RunOptions<'a>,
}

impl fmt::Debug for WithOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithOptions").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Executor for WithOptions<'_> {
    fn width(&self) -> usize {
        self.executor.width()
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        self.executor.parallel_for(tasks, f);
    }
    fn min_task_ns(&self) -> usize {
        self.executor.min_task_ns()
    }
    fn options(&self) -> Option<&RunOptions<'_>> {
        Some(&self.options)
    }
}
