//! Watching runs: what was run, what it was expected to take and what it took.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use eltwise_plan::plan::Strategy;
use eltwise_plan::program::Node;

use crate::plan::Plan;
use crate::status::Status;

/// A run that ended. Displayed, it is the line that `ELTWISE_TRACE=1` prints.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RunReport<'a> {
    /// What was run.
    pub plan: &'a Plan,
    /// The tasks that it was cut into: 1 on the calling thread.
    pub tasks: usize,
    /// Whether the output was written by streaming stores.
    pub streamed: bool,
    /// Data conditions, and whether it was cancelled.
    pub status: Status,
    /// From the first to the last task, with the executor's time. [`Cost::ns`](crate::Cost) of the plan is what was
    /// expected, on one thread.
    pub elapsed: Duration,
}

/// Is told of runs: of all in the process by [`set_observer`], or of one by [`RunOptions`](crate::RunOptions).
///
/// A run tells on the thread that called it, after its last task. Runs over [tasks](Plan::tasks_over) that the caller
/// runs, and of single kernels, tell nobody.
pub trait Observer: Send + Sync {
    /// A run ended.
    fn ran(&self, report: &RunReport<'_>);
}

/// Prints a line per run to standard error: what `ELTWISE_TRACE=1` sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trace;

impl Observer for Trace {
    fn ran(&self, report: &RunReport<'_>) {
        use std::io::Write;
        // A closed stream is no reason to end the program.
        let _ = writeln!(std::io::stderr(), "eltwise: {report}");
    }
}

/// The observer of all runs. Read only where [`STATE`] says that there is one.
static OBSERVER: RwLock<Option<Arc<dyn Observer>>> = RwLock::new(None);

/// Whether there is an observer: one load tells a run that nobody watches.
static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const NOBODY: u8 = 1;
const SOMEBODY: u8 = 2;

/// Sets what is told of every run of this process, in place of what was set before or by `ELTWISE_TRACE`; `None` for
/// nothing. Gives back what was set before.
pub fn set_observer(observer: Option<Arc<dyn Observer>>) -> Option<Arc<dyn Observer>> {
    is_watched_at_first();
    let mut current = OBSERVER.write().unwrap_or_else(PoisonError::into_inner);
    STATE.store(if observer.is_some() { SOMEBODY } else { NOBODY }, Ordering::Relaxed);
    core::mem::replace(&mut *current, observer)
}

/// Whether all runs are watched.
#[inline]
pub(super) fn is_watched() -> bool {
    match STATE.load(Ordering::Relaxed) {
        NOBODY => false,
        UNKNOWN => is_watched_at_first(),
        _ => true,
    }
}

/// Whether an environment variable is a switch turned on: set, not empty and not `0`.
pub(super) fn is_asked_for(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
}

/// Reads `ELTWISE_TRACE`, once, and says when a build without check mode is asked for it.
#[cold]
fn is_watched_at_first() -> bool {
    static READ: OnceLock<()> = OnceLock::new();
    READ.get_or_init(|| {
        if cfg!(not(feature = "check")) && is_asked_for("ELTWISE_CHECK") {
            use std::io::Write;
            let why = "ELTWISE_CHECK is set, but this build has no check mode: nothing is compared (feature `check`)";
            // A closed stream is no reason to end the program.
            let _ = writeln!(std::io::stderr(), "eltwise: {why}");
        }
        let wanted = is_asked_for("ELTWISE_TRACE");
        if wanted {
            *OBSERVER.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(Trace));
        }
        STATE.store(if wanted { SOMEBODY } else { NOBODY }, Ordering::Relaxed);
    });
    STATE.load(Ordering::Relaxed) == SOMEBODY
}

/// A run while it is timed.
pub(super) struct Watch<'a> {
    own: Option<&'a dyn Observer>,
    since: Instant,
}

impl<'a> Watch<'a> {
    #[cold]
    pub(super) fn start(own: Option<&'a dyn Observer>) -> Watch<'a> {
        Watch { own, since: Instant::now() }
    }

    /// Tells the run's own observer and that of all runs.
    #[cold]
    pub(super) fn end(self, plan: &Plan, tasks: usize, streamed: bool, status: Status) {
        let report = RunReport { plan, tasks, streamed, status, elapsed: self.since.elapsed() };
        if let Some(own) = self.own {
            own.ran(&report);
        }
        // No lock is held while it is told: it may run plans, or set another observer.
        let observer = OBSERVER.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(observer) = observer {
            observer.ran(&report);
        }
    }
}

impl fmt::Display for RunReport<'_> {
    /// `add gelu  f32[8, 64], f32[64] -> f32[8, 64]  avx512 tiled, 2 tasks  predicted 41.0 us, took 43.2 us`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = &*self.plan.0;
        let mut between = "";
        for value in bound.program.values() {
            if let Node::Step { op, .. } | Node::Exact { op, .. } = &value.node {
                write!(f, "{between}{op}")?;
                between = " ";
            }
        }
        between = "  ";
        for input in &bound.inputs {
            write!(f, "{between}{input}")?;
            between = ", ";
        }
        between = " -> ";
        for output in &bound.outputs {
            write!(f, "{between}{output}")?;
            between = ", ";
        }
        write!(f, "  {} {}", self.plan.isa(), strategy(self.plan))?;
        if self.tasks > 1 {
            write!(f, ", {} tasks", self.tasks)?;
        }
        if self.streamed {
            f.write_str(", streamed")?;
        }
        let predicted = self.plan.cost().ns as f64 / 1e3;
        write!(f, "  predicted {predicted:.1} us, took {:.1} us", self.elapsed.as_nanos() as f64 / 1e3)?;
        if self.status.cancelled() {
            f.write_str(", cancelled")?;
        }
        Ok(())
    }
}

fn strategy(plan: &Plan) -> &'static str {
    if plan.0.single.is_some() {
        return "direct";
    }
    match plan.whole().map(|whole| whole.schedule.strategy) {
        Ok(Strategy::Direct) => "direct",
        Ok(Strategy::Tiled) => "tiled",
        _ => "empty",
    }
}
