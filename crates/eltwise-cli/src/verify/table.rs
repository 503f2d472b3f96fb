//! What was found, as lines of text.

use eltwise_oracle::Format;

use super::inputs::Point;
use super::outcome::{Failure, Outcome};
use super::verified::Verified;

/// The names of the columns of [`row`].
pub(crate) fn header() -> String {
    format!(
        "{:<12} {:<5} {:<6} {:>12} {:>10} {:>13} {:<6} at",
        "function", "dtype", "tier", "inputs", "ULP", "misrounded", ""
    )
}

/// A line of a function, dtype and tier.
pub(crate) fn row(v: &Verified) -> String {
    let outcome = &v.outcome;
    let verdict = if v.passes() { "ok" } else { "FAILED" };
    let at = outcome.worst.map_or(String::new(), |w| operands(v, w.point));
    format!(
        "{:<12} {:<5} {:<6} {:>12} {:>10} {:>13} {verdict:<6} {at}",
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

/// The largest error, with three digits that are not rounded down.
pub(crate) fn ulp(outcome: &Outcome) -> String {
    match outcome.worst {
        None => "0.5".into(),
        Some(w) if w.ulp < 1e6 => format!("{:.4}", (w.ulp * 1e4).ceil() / 1e4),
        Some(w) => format!("{:.0e}", w.ulp),
    }
}

/// Operands as numbers that parse back.
pub(crate) fn operands(v: &Verified, point: Point) -> String {
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

/// A line of a failure.
pub(crate) fn failure(v: &Verified, f: &Failure) -> String {
    let (got, expected) = (number(v.format(), f.got), number(v.format(), f.expected));
    let differs = if f.differs { format!(", other than {}", v.isas[0]) } else { String::new() };
    let at = operands(v, f.point);
    format!("  {}: {}({at}) = {got}, correctly rounded {expected}: {:.4} ULP{differs}", f.isa, v.function, f.ulp)
}

/// A line of what has not the shape of the function; none where everything has.
pub(crate) fn breaks(v: &Verified) -> Option<String> {
    let breaks = v.outcome.breaks;
    let first = number(v.format(), breaks.first?);
    let of = [
        (breaks.parity, "f(-x)"),
        (breaks.order, "the order of neighbours"),
        (breaks.range, "the interval of results"),
    ];
    let all: Vec<String> = of.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{what} at {n} inputs")).collect();
    Some(format!("  {}: {} breaks {}, first {first}", v.isas[0], v.function, all.join(", ")))
}
