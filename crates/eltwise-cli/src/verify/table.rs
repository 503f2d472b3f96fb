//! Results as lines of text: [`header`], [`row`], [`failure`] and [`violations`].

use eltwise_oracle::Format;

use super::job::{Point, bound, error_bound};
use super::job_result::JobResult;
use super::outcome::{Failure, Outcome};

/// The header line for [`row`].
pub(crate) fn header() -> String {
    format!(
        "{:<12} {:<5} {:<7} {:>12} {:>10} {:>13} {:<6} largest at",
        "function", "dtype", "tier", "inputs", "ULP", "misrounded", "result"
    )
}

/// The row of a job's result.
pub(crate) fn row(v: &JobResult) -> String {
    let outcome = &v.outcome;
    let verdict = if v.passes() { "ok" } else { "FAILED" };
    let at = outcome.worst.map_or(String::new(), |w| operands(v, w.point));
    format!(
        "{:<12} {:<5} {:<7} {:>12} {:>10} {:>13} {verdict:<6} {at}",
        v.function.name(),
        v.dtype.name(),
        v.tier,
        outcome.inputs,
        ulp(outcome),
        outcome.misrounded
    )
    .trim_end()
    .to_string()
}

/// The largest error in ULP: rounded up to four decimal places below 1e6, one significant digit above, and `0.5` if every
/// result is correctly rounded.
pub(crate) fn ulp(outcome: &Outcome) -> String {
    match outcome.worst {
        None => "0.5".into(),
        Some(w) if w.ulp < 1e6 => format!("{:.4}", (w.ulp * 1e4).ceil() / 1e4),
        Some(w) => format!("{:.0e}", w.ulp),
    }
}

/// Operands as numbers with their bits.
pub(crate) fn operands(v: &JobResult, point: Point) -> String {
    let number = |bits| number(v.format(), bits);
    match v.function.arity() {
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

/// The line of a failure: the result, the expected one, and the bound that it exceeds.
pub(crate) fn failure(v: &JobResult, f: &Failure) -> String {
    let (got, expected) = (number(v.format(), f.got), number(v.format(), f.expected));
    let differs = if f.differs { format!(", differs from {}", v.isas[0]) } else { String::new() };
    let at = operands(v, f.point);
    let bound = match bound(error_bound(v.function, v.dtype), v.tier, v.dtype) {
        // Only the first kernel's result is wrong.
        _ if f.got == f.expected => String::new(),
        None => ", must be correctly rounded".into(),
        Some(bound) if f.ulp > bound => format!(", allowed {bound} ULP"),
        Some(_) if f.differs => String::new(),
        Some(_) => ", must be exact: the dtype can represent the exact value".into(),
    };
    format!("  {}: {}({at}) = {got}, correctly rounded {expected}: {:.4} ULP{bound}{differs}", f.isa, v.function, f.ulp)
}

/// The line about violations of function properties; `None` if there are none.
pub(crate) fn violations(v: &JobResult) -> Option<String> {
    let violations = v.outcome.violations;
    let first = number(v.format(), violations.first?);
    let counts = [(violations.parity, "parity"), (violations.order, "monotonicity"), (violations.range, "range")];
    let inputs = |n: u64| if n == 1 { "1 input".to_string() } else { format!("{n} inputs") };
    let list: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|&(n, what)| format!("{what} at {}", inputs(n))).collect();
    Some(format!("  {}: {} violates {}, first {first}", v.isas[0], v.function, list.join(", ")))
}
