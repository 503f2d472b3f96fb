//! Cancelling a run. [`Cancel`] is a flag that a run checks between batches of units.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use eltwise_plan::tuning::CANCEL_CHECK_NS;

use super::Run;
use crate::status::CANCELLED;

/// Asks runs to stop. Give it to a run with [`RunOptions`](crate::RunOptions). It is checked before the run, and by
/// each thread about every 20 µs.
///
/// ```
/// use eltwise::{Array, Cancel, DType, Program, RunOptions, Serial};
///
/// let x = Array::zeros(DType::F32, [1000])?;
/// let plan = Program::parse("x + 1", &[("x", DType::F32)])?.bind(&[x.layout()])?;
/// let mut out = Array::zeros(DType::F32, [1000])?;
/// let cancel = Cancel::new();
/// cancel.cancel();
/// let executor = RunOptions::new().cancel(&cancel).on(&Serial);
/// let status = plan.run_with(&executor, &[x.view()], &mut [out.view_mut()])?;
/// assert!(status.cancelled());
/// # Ok::<(), eltwise::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Cancel(AtomicBool);

impl Cancel {
    /// Not cancelled.
    pub const fn new() -> Cancel {
        Cancel(AtomicBool::new(false))
    }

    /// Asks the runs that were given this to stop. Their outputs are then only partly written.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether [`Cancel::cancel`] was called.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Runs units in batches until all are done or the run is cancelled. `ns` is the estimated time of all units of the run.
#[cold]
pub(super) fn units(run: &Run<'_>, cancel: &Cancel, mut units: Range<usize>, ns: usize) {
    let batches = (ns / CANCEL_CHECK_NS).max(1);
    let batch = run.plan.schedule.units().div_ceil(batches).max(1);
    while !units.is_empty() {
        if cancel.is_cancelled() {
            run.flags.fetch_or(CANCELLED, Ordering::Relaxed);
            return;
        }
        let end = units.start.saturating_add(batch).min(units.end);
        run.units(units.start..end);
        units.start = end;
    }
}
