//! Cancelling a run: a flag that is looked at between pieces of work.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use super::Run;
use crate::status::CANCELLED;

/// Asks runs to stop. Give it to a run by [`RunOptions`](crate::RunOptions); it is looked at before a run and then about
/// every 20 µs of work of each thread.
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

    /// Asks the runs that were given this to stop. Their outputs are then written in part.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether runs are asked to stop.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Nanoseconds, as estimated, between two looks.
const PIECE: usize = 20_000;

/// Runs units piece by piece until all are done or the run is cancelled.
#[cold]
pub(super) fn units(run: &Run<'_>, cancel: &Cancel, mut units: Range<usize>, ns: usize) {
    let all = run.program.schedule.units();
    let pieces = (ns / PIECE).max(1);
    let piece = all.div_ceil(pieces).max(1);
    while !units.is_empty() {
        if cancel.is_cancelled() {
            run.flags.fetch_or(CANCELLED, Ordering::Relaxed);
            return;
        }
        let end = units.start.saturating_add(piece).min(units.end);
        run.all(units.start..end);
        units.start = end;
    }
}
