//! Observing runs: an [`Observer`] gets a [`RunReport`] with the expected and the measured time of each run.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use eltwise_core::Layout;
use eltwise_plan::ir::program::Node;
use eltwise_plan::strategy::Strategy;

#[cfg(feature = "check")]
use super::switches::is_check_mode;
use super::switches::is_switched_on;
use crate::plan::Plan;
use crate::status::Status;

/// A run that ended. Displayed, it is the line that `ELTWISE_TRACE=1` prints after `eltwise: `.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RunReport<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The number of tasks: 1 if all work ran on the calling thread.
    pub tasks: usize,
    /// Whether the output was written with non-temporal stores.
    pub streamed: bool,
    /// Data conditions, and whether the run was cancelled.
    pub status: Status,
    /// The time of the whole run, the executor's overhead included. The expected time, on one thread, is
    /// [`Cost::ns`](crate::Cost) of the plan.
    pub elapsed: Duration,
}

/// Gets a report of each run: of all runs in the process by [`set_observer`], or of chosen runs by
/// [`RunOptions`](crate::RunOptions).
///
/// The thread that called the run reports it, after its last task. Runs over [tasks](Plan::tasks_over) that the caller
/// runs, and calls of single kernels, are not reported.
pub trait Observer: Send + Sync {
    /// Called after each run that started, also if it was cancelled. Runs that fail a check (wrong layouts, overlaps) are not
    /// reported. In check mode it is called before the results are compared.
    fn ran(&self, report: &RunReport<'_>);
}

/// Prints a line per run to standard error: what `ELTWISE_TRACE=1` sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trace;

impl Observer for Trace {
    fn ran(&self, report: &RunReport<'_>) {
        use std::io::Write;
        // Ignores errors: a closed stderr must not end the program.
        let _ = writeln!(std::io::stderr(), "eltwise: {report}");
    }
}

/// The observer of all runs. It is only read if [`STATE`] is not [`OFF`].
static OBSERVER: RwLock<Option<Arc<dyn Observer>>> = RwLock::new(None);

/// Whether any run of the process is observed or checked. If not, a run pays one relaxed load.
static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;

/// Sets the observer of every run of this process, or with `None` removes it. It replaces the observer that was set
/// before or by `ELTWISE_TRACE`. Returns the previous observer.
pub fn set_observer(observer: Option<Arc<dyn Observer>>) -> Option<Arc<dyn Observer>> {
    read_environment();
    let mut current = OBSERVER.write().unwrap_or_else(PoisonError::into_inner);
    STATE.store(state(observer.is_some()), Ordering::Relaxed);
    core::mem::replace(&mut *current, observer)
}

/// Whether all runs are observed, or compared by check mode. One load in the common case.
#[inline]
pub(crate) fn is_instrumented() -> bool {
    match STATE.load(Ordering::Relaxed) {
        OFF => false,
        UNKNOWN => read_environment(),
        _ => true,
    }
}

/// The value of [`STATE`] with an observer, or without.
fn state(has_observer: bool) -> u8 {
    #[cfg(feature = "check")]
    let has_observer = has_observer || is_check_mode();
    if has_observer { ON } else { OFF }
}

/// Reads `ELTWISE_TRACE` once, and warns if `ELTWISE_CHECK` is set but the build has no check mode.
#[cold]
fn read_environment() -> bool {
    static READ: OnceLock<()> = OnceLock::new();
    READ.get_or_init(|| {
        if cfg!(not(feature = "check")) && is_switched_on("ELTWISE_CHECK") {
            use std::io::Write;
            let why = "ELTWISE_CHECK is set, but this build has no check mode: nothing is compared (feature `check`)";
            // Ignores errors: a closed stderr must not end the program.
            let _ = writeln!(std::io::stderr(), "eltwise: {why}");
        }
        let traces = is_switched_on("ELTWISE_TRACE");
        if traces {
            *OBSERVER.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(Trace));
        }
        STATE.store(state(traces), Ordering::Relaxed);
    });
    STATE.load(Ordering::Relaxed) == ON
}

/// Reports a run to its observer and to that of all runs.
#[cold]
pub(crate) fn report(observer: Option<&dyn Observer>, report: &RunReport<'_>) {
    if let Some(observer) = observer {
        observer.ran(report);
    }
    // Holds no lock during the call: the observer may run plans, or set another observer.
    let observer = OBSERVER.read().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(observer) = observer {
        observer.ran(report);
    }
}

impl fmt::Display for RunReport<'_> {
    /// `add gelu  f32[86, 512], f32[512] -> f32[86, 512]  avx512vbmi direct  predicted 41.4 us on one thread, took 15.9 us`:
    /// operators, layouts, ISA and strategy, the number of tasks if there are several, the expected time on one thread, and the
    /// measured time on all threads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = &*self.plan.0;
        let ops = bound.program.values().iter().filter_map(|value| match &value.node {
            Node::Step { op, .. } => Some(op.to_string()),
            _ => None,
        });
        let ops = ops.collect::<Vec<_>>().join(" ");
        let list = |layouts: &[Layout]| layouts.iter().map(Layout::to_string).collect::<Vec<_>>().join(", ");
        let (inputs, outputs) = (list(&bound.inputs), list(&bound.outputs));
        write!(f, "{ops}  {inputs} -> {outputs}  {} {}", self.plan.isa(), strategy(self.plan))?;
        if self.tasks > 1 {
            write!(f, ", {} tasks", self.tasks)?;
        }
        if self.streamed {
            f.write_str(", non-temporal")?;
        }
        let predicted = self.plan.cost().ns as f64 / 1e3;
        write!(f, "  predicted {predicted:.1} us on one thread, took {:.1} us", self.elapsed.as_nanos() as f64 / 1e3)?;
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
    match plan.exec().map(|exec| exec.schedule.strategy) {
        Ok(Strategy::Direct) => "direct",
        Ok(Strategy::Tiled) => "tiled",
        _ => "empty",
    }
}
