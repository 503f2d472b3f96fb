//! The session's threads as an executor: [`SessionPool`].

use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::thread::available_parallelism;

use eltwise::Executor;
use ort_sys::OrtKernelContext;

use crate::api::Api;

/// The CPUs of the process. The runtime does not tell how many threads a session has; tasks beyond them wait for their turn.
static CPUS: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, Into::into));

/// The threads of the session in whose node a call runs.
pub(crate) struct SessionPool {
    api: Api,
    context: *const OrtKernelContext,
}

// SAFETY: the runtime's function may be called from any thread during the call of the node.
unsafe impl Sync for SessionPool {}

impl SessionPool {
    /// The threads of a call.
    pub(crate) fn new(api: Api, context: *const OrtKernelContext) -> SessionPool {
        SessionPool { api, context }
    }
}

/// The tasks of a run.
struct Run<'a> {
    task: &'a (dyn Fn(usize) + Sync),
    has_panicked: AtomicBool,
}

/// Runs a task. A panic must not unwind into the runtime.
///
/// # Safety
/// `run` points to a [`Run`].
unsafe extern "C" fn run_task(run: *mut c_void, task: usize) {
    // SAFETY: the caller's contract.
    let run = unsafe { &*run.cast::<Run<'_>>() };
    if catch_unwind(AssertUnwindSafe(|| (run.task)(task))).is_err() {
        run.has_panicked.store(true, Ordering::Relaxed);
    }
}

impl Executor for SessionPool {
    fn width(&self) -> usize {
        *CPUS
    }

    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        let run = Run { task: f, has_panicked: AtomicBool::new(false) };
        let data = (&raw const run).cast_mut().cast();
        // SAFETY: the context is valid during the call of the node. The function returns after the last task, so that `run` lives.
        let status = unsafe { (self.api.ort.KernelContext_ParallelFor)(self.context, run_task, tasks, tasks, data) };
        // Tasks that did not run are run by the caller.
        let _ = self.api.check(status);
        assert!(!run.has_panicked.load(Ordering::Relaxed), "a task panicked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_task_is_noted_and_does_not_leave_it() {
        let run = Run { task: &|task| assert_ne!(task, 1, "a task that fails"), has_panicked: AtomicBool::new(false) };
        for (task, has_panicked) in [(0, false), (1, true), (2, true)] {
            // SAFETY: the pointer is to a `Run`.
            unsafe { run_task((&raw const run).cast_mut().cast(), task) };
            assert_eq!(run.has_panicked.load(Ordering::Relaxed), has_panicked);
        }
    }
}
