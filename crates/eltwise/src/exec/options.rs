//! What a run may be given besides its memory.

use core::fmt;

use super::cancel::Cancel;
use super::observe::Observer;
use crate::executor::Executor;

/// What a run does besides computing. It goes with the executor: [`RunOptions::on`] gives one that has them.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct RunOptions<'a> {
    /// Stops the run when it is cancelled.
    pub cancel: Option<&'a Cancel>,
    /// Is told of the run when it ends, before the observer of the process.
    pub observer: Option<&'a dyn Observer>,
}

impl<'a> RunOptions<'a> {
    /// None.
    pub fn new() -> RunOptions<'a> {
        RunOptions::default()
    }

    /// Stops runs when `cancel` is cancelled: [`Status::cancelled`](crate::Status::cancelled) tells.
    pub fn cancel(mut self, cancel: &'a Cancel) -> RunOptions<'a> {
        self.cancel = Some(cancel);
        self
    }

    /// Tells `observer` of runs.
    pub fn observer(mut self, observer: &'a dyn Observer) -> RunOptions<'a> {
        self.observer = Some(observer);
        self
    }

    /// An executor that runs what `executor` runs, with these options; an option that is not set is that of `executor`.
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
    fn least_task(&self) -> usize {
        self.executor.least_task()
    }
    fn options(&self) -> Option<&RunOptions<'_>> {
        Some(&self.options)
    }
}
