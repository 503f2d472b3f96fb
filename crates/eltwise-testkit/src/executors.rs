//! Executors that run tasks in strange orders.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use eltwise::Executor;

/// Runs tasks on the calling thread, last first.
#[derive(Clone, Copy, Debug)]
pub struct Backwards(pub usize);

impl Executor for Backwards {
    fn width(&self) -> usize {
        self.0
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        (0..tasks).rev().for_each(f);
    }
}

/// Runs as another executor does, and counts the runs that are several tasks.
pub struct Counted<'e> {
    executor: &'e dyn Executor,
    shared: AtomicUsize,
}

impl<'e> Counted<'e> {
    /// Around an executor.
    pub fn new(executor: &'e dyn Executor) -> Counted<'e> {
        Counted { executor, shared: AtomicUsize::new(0) }
    }

    /// How many calls had more than one task: runs, or stages of runs.
    pub fn shared(&self) -> usize {
        self.shared.load(Ordering::Relaxed)
    }
}

impl Executor for Counted<'_> {
    fn width(&self) -> usize {
        self.executor.width()
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        if tasks > 1 {
            self.shared.fetch_add(1, Ordering::Relaxed);
        }
        self.executor.parallel_for(tasks, f);
    }
    fn least_task(&self) -> usize {
        self.executor.least_task()
    }
}

/// Runs tasks on threads of its own, and counts them.
#[derive(Debug, Default)]
pub struct Threads {
    width: usize,
    most: Mutex<usize>,
}

impl Threads {
    /// As many threads.
    pub fn new(width: usize) -> Threads {
        Threads { width, most: Mutex::new(0) }
    }

    /// The most tasks that one run had.
    pub fn most(&self) -> usize {
        *self.most.lock().expect("no task panics")
    }
}

impl Executor for Threads {
    fn width(&self) -> usize {
        self.width
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        let mut most = self.most.lock().expect("no task panics");
        *most = tasks.max(*most);
        drop(most);
        std::thread::scope(|scope| {
            for first in 0..self.width {
                scope.spawn(move || (first..tasks).step_by(self.width.max(1)).for_each(f));
            }
        });
    }
}
