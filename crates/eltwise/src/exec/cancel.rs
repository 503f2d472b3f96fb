//! Cancelling a run, and its progress. [`Cancel`] is a flag that a run checks between batches of units, and a count of the
//! work that is done.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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
pub struct Cancel {
    is_cancelled: AtomicBool,
    done_ns: AtomicUsize,
}

impl Cancel {
    /// Not cancelled.
    pub const fn new() -> Cancel {
        Cancel { is_cancelled: AtomicBool::new(false), done_ns: AtomicUsize::new(0) }
    }

    /// Asks the runs that were given this to stop. Their outputs are then only partly written.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
    }

    /// Whether [`Cancel::cancel`] was called.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    /// The work that is done, in estimated nanoseconds on one thread. Divide it by the estimate of a whole run,
    /// [`Cost::ns`](crate::Cost), for the share that is done. Runs of a few microseconds are not counted; all other runs that were
    /// given this add up. The count wraps around.
    pub fn done_ns(&self) -> usize {
        self.done_ns.load(Ordering::Relaxed)
    }
}

/// Runs units in batches until all are done or the run is cancelled. `ns` is the estimated time of all units of the run.
#[cold]
pub(super) fn units(run: &Run<'_>, cancel: &Cancel, mut units: Range<usize>, ns: usize) {
    let batches = (ns / CANCEL_CHECK_NS).max(1);
    let all = run.plan.schedule.units();
    let batch = all.div_ceil(batches).max(1);
    while !units.is_empty() {
        if cancel.is_cancelled() {
            run.flags.fetch_or(CANCELLED, Ordering::Relaxed);
            return;
        }
        let end = units.start.saturating_add(batch).min(units.end);
        run.units(units.start..end);
        let done = (end - units.start) as u128 * ns as u128 / all.max(1) as u128;
        cancel.done_ns.fetch_add(done as usize, Ordering::Relaxed);
        units.start = end;
    }
}
