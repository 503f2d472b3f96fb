//! Executors that run tasks in strange orders.

use std::sync::Mutex;

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
