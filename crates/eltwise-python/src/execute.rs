//! Executes plans ([`execute`]): every planned call ends here. Long runs can be interrupted, and report their progress.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use eltwise::{Cancel, Error, Executor, Plan, RunOptions, Status};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::errors::CallError;
use crate::programs::OperandMemory;
use crate::threads::Threads;

/// A run over the memory of arrays that the caller keeps alive.
struct RawRun<'a> {
    plan: &'a Plan,
    inputs: SmallVec<[*const u8; 4]>,
    outputs: &'a [*mut u8],
    threads: Threads,
}

// SAFETY: the pointers are to memory of arrays that the caller holds references to, on whichever thread the run is.
unsafe impl Send for RawRun<'_> {}

impl RawRun<'_> {
    fn run(&self) -> Result<Status, Error> {
        self.run_on(&self.threads)
    }

    fn run_on(&self, executor: &impl Executor) -> Result<Status, Error> {
        // SAFETY: the pointers are to live arrays with the shapes and strides that the plan was bound to. Other Python
        // threads may write the elements during the run, as during any operation of NumPy; the result is then
        // unspecified.
        unsafe { self.plan.run_at(executor, &self.inputs, self.outputs) }
    }

    /// Runs on another thread, while this one waits, without the GIL, and handles signals from time to time. An exception of a
    /// signal handler, such as `KeyboardInterrupt`, stops the run; outputs are then partly written.
    fn run_interruptibly(self, progress: Progress<'_>) -> Result<Status, CallError> {
        let (cancel, (done, finished)) = (Cancel::new(), mpsc::channel());
        let mut watch = Watch { progress, total_ns: self.plan.cost().ns, begin: Instant::now(), has_reported: false };
        std::thread::scope(|scope| {
            let cancel = &cancel;
            scope.spawn(move || {
                let run = self;
                let status = run.run_on(&RunOptions::new().cancel(cancel).on(&run.threads));
                // The receiver lives until the result arrives.
                let _ = done.send(status);
            });
            let mut interrupt = None;
            loop {
                match finished.recv_timeout(SIGNAL_CHECK) {
                    Ok(status) => match interrupt {
                        Some(error) => return Err(CallError::Raised(error)),
                        None => {
                            let status = status?;
                            watch.end().map_err(CallError::Raised)?;
                            return Ok(status);
                        }
                    },
                    Err(RecvTimeoutError::Timeout) if interrupt.is_none() => {
                        if let Err(error) = watch.poll(cancel.done_ns()) {
                            cancel.cancel();
                            interrupt = Some(error);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    // The run panicked: the scope passes the panic on.
                    Err(RecvTimeoutError::Disconnected) => return Ok(Status::default()),
                }
            }
        })
    }
}

/// A function of the caller that gets the share of a run that is done, from 0 to 1.
pub(crate) type Progress<'a> = Option<&'a Py<PyAny>>;

/// Watches over a long run, from the calling thread and without the GIL.
struct Watch<'a> {
    progress: Progress<'a>,
    /// The estimated time of the whole run.
    total_ns: usize,
    begin: Instant,
    /// Whether the function was called.
    has_reported: bool,
}

impl Watch<'_> {
    /// Handles signals, and reports the progress of a run that takes longer than a second.
    fn poll(&mut self, done_ns: usize) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            let Some(progress) = self.progress.filter(|_| self.begin.elapsed() > PROGRESS_AFTER) else { return Ok(()) };
            self.has_reported = true;
            // An estimate reaches 1 when the run ends, not before.
            let share = (done_ns as f64 / self.total_ns.max(1) as f64).min(0.999);
            progress.call1(py, (share,)).map(drop)
        })
    }

    /// Reports that the run is done.
    fn end(&self) -> PyResult<()> {
        let Some(progress) = self.progress.filter(|_| self.has_reported) else { return Ok(()) };
        Python::attach(|py| progress.call1(py, (1.0,)).map(drop))
    }
}

/// The time from which the progress of a run is reported.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);
/// The expected time from which on a run can be interrupted, and the time between two checks for signals.
const INTERRUPTIBLE_NS: usize = 100_000_000;
const SIGNAL_CHECK: Duration = Duration::from_millis(50);

/// Runs a plan. A run that is inline uses the calling thread and keeps the GIL: it ends within microseconds. Other
/// runs use the package's threads and release the GIL. A run that is expected to take more than 0.1 s, or that has a function for
/// its progress, handles signals.
///
/// # Errors
/// An output that overlaps an operand, unless the plan allows it; nothing is written then. An exception of a signal handler.
pub(crate) fn execute(
    py: Python<'_>,
    plan: &Plan,
    operands: &[OperandMemory<'_>],
    outputs: &[*mut u8],
    progress: Progress<'_>,
) -> Result<Status, CallError> {
    let inputs: SmallVec<[*const u8; 4]> = operands.iter().map(|operand| operand.ptr.cast_const()).collect();
    // Check before the GIL is released: after an overlap the caller reads the fields of the arrays again.
    plan.check_at(&inputs, outputs)?;
    let is_inline = plan.cost().is_inline();
    let threads = if is_inline { Threads::Caller } else { Threads::for_run() };
    let run = RawRun { plan, inputs, outputs, threads };
    match plan.cost().ns {
        _ if is_inline => Ok(run.run()?),
        ns if ns >= INTERRUPTIBLE_NS || progress.is_some() => py.detach(move || run.run_interruptibly(progress)),
        _ => Ok(py.detach(move || run.run())?),
    }
}
