//! Executors for tests: [`ReverseOrder`], [`Threads`], and [`CountingExecutor`] around another one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use eltwise::Executor;

/// Runs tasks on the calling thread, the last first. The field is its width.
#[derive(Clone, Copy, Debug)]
pub struct ReverseOrder(pub usize);

impl Executor for ReverseOrder {
    fn width(&self) -> usize {
        self.0
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        (0..tasks).rev().for_each(f);
    }
}

/// Forwards to another executor and counts the calls with more than one task.
pub struct CountingExecutor<'e> {
    executor: &'e dyn Executor,
    parallel_calls: AtomicUsize,
}

impl<'e> CountingExecutor<'e> {
    /// Counts the calls of `executor`.
    pub fn new(executor: &'e dyn Executor) -> CountingExecutor<'e> {
        CountingExecutor { executor, parallel_calls: AtomicUsize::new(0) }
    }

    /// The number of calls with more than one task. A run makes one call, or one for each of its stages.
    pub fn parallel_calls(&self) -> usize {
        self.parallel_calls.load(Ordering::Relaxed)
    }
}

impl Executor for CountingExecutor<'_> {
    fn width(&self) -> usize {
        self.executor.width()
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        if tasks > 1 {
            self.parallel_calls.fetch_add(1, Ordering::Relaxed);
        }
        self.executor.parallel_for(tasks, f);
    }
    fn min_task_ns(&self) -> usize {
        self.executor.min_task_ns()
    }
}

/// Runs tasks on `width` new threads per call, and records the largest number of tasks.
#[derive(Debug, Default)]
pub struct Threads {
    width: usize,
    max_tasks: Mutex<usize>,
}

impl Threads {
    /// An executor with `width` threads.
    pub fn new(width: usize) -> Threads {
        Threads { width, max_tasks: Mutex::new(0) }
    }

    /// The largest number of tasks in one call.
    pub fn max_tasks(&self) -> usize {
        *self.max_tasks.lock().expect("a task panicked while it held the count")
    }
}

impl Executor for Threads {
    fn width(&self) -> usize {
        self.width
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        let mut max_tasks = self.max_tasks.lock().expect("a task panicked while it held the count");
        *max_tasks = tasks.max(*max_tasks);
        drop(max_tasks);
        std::thread::scope(|scope| {
            for first in 0..self.width {
                scope.spawn(move || (first..tasks).step_by(self.width.max(1)).for_each(f));
            }
        });
    }
}
