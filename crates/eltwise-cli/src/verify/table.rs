//! What was found, as lines of text.

use eltwise_oracle::Format;

use super::inputs::Point;
use super::job::Job;
use super::outcome::{Failure, Outcome};

/// The names of the columns of [`row`].
pub(crate) fn header() -> String {
    format!(
        "{:<12} {:<5} {:<6} {:>12} {:>10} {:>13} {:<6} at",
        "function", "dtype", "tier", "inputs", "ULP", "misrounded", ""
    )
}

/// A line of a job.
pub(crate) fn row(job: &Job, outcome: &Outcome) -> String {
    let verdict = if outcome.passes() { "ok" } else { "FAILED" };
    let at = outcome.worst.map_or(String::new(), |w| operands(job, w.point));
    format!(
        "{:<12} {:<5} {:<6} {:>12} {:>10} {:>13} {verdict:<6} {at}",
        job.function.name(),
        job.dtype.name(),
        job.tier,
        outcome.inputs,
        ulp(outcome),
        outcome.misrounded
    )
    .trim_end()
    .to_string()
}

/// The largest error, with three digits that are not rounded down.
pub(crate) fn ulp(outcome: &Outcome) -> String {
    match outcome.worst {
        None => "0.5".into(),
        Some(w) if w.ulp < 1e6 => format!("{:.4}", (w.ulp * 1e4).ceil() / 1e4),
        Some(w) => format!("{:.0e}", w.ulp),
    }
}

/// Operands of a job as numbers that parse back.
pub(crate) fn operands(job: &Job, point: Point) -> String {
    let number = |bits| number(job.format(), bits);
    match job.function.arity() {
        1 => number(point[0]),
        _ => format!("{}, {}", number(point[0]), number(point[1])),
    }
}

/// A number with its bits.
fn number(format: Format, bits: u64) -> String {
    let value = format.to_f64(bits);
    let digits = format.width() as usize / 4;
    let text = match format.width() {
        32 => format!("{:e}", value as f32),
        _ => format!("{value:e}"),
    };
    format!("{text} (0x{bits:0digits$x})")
}

/// A line of a failure.
pub(crate) fn failure(job: &Job, f: &Failure) -> String {
    let (got, expected) = (number(job.format(), f.got), number(job.format(), f.expected));
    let differs = if f.differs { format!(", other than {}", job.kernels[0].isa) } else { String::new() };
    let at = operands(job, f.point);
    format!("  {}: {}({at}) = {got}, correctly rounded {expected}: {:.4} ULP{differs}", f.isa, job.function, f.ulp)
}
