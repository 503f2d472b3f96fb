//! A bar for each case: how near it is to its limit, or how long a call takes.

use maud::{Markup, html};

use crate::bench::compare::{Against, Compared, Verdict};
use crate::bench::record::{By, Record, Timed};
use crate::bench::table;

use super::roofline;

/// Bars end here, in parts of the limit: a case may be a little faster than the loop that found the limit.
const END: f64 = 1.1;

/// A section for each group.
pub(super) fn sections(record: &Record, against: Option<&Against<'_>>) -> Markup {
    let rows = record.cases.iter().enumerate();
    let rows: Vec<(&Timed, Option<&Compared>)> =
        rows.map(|(k, case)| (case, against.and_then(|a| a.cases.get(k)))).collect();
    html! {
        h2 { "Cases" }
        p {
            "A bar is the time that the limit of the machine needs, in parts of the time taken: at the mark it is as fast as the "
            "machine goes. The pale end is the spread of the rounds. Beside it the limit: a level of the memory, or arithmetic. "
            "Where there is no limit, a bar is the time of a call."
        }
        @for group in rows.chunk_by(|a, b| a.0.group() == b.0.group()) {
            @if let Some((first, _)) = group.first() {
                section {
                    h3 { (first.group()) }
                    div.bars { @for (case, compared) in group { (row(case, *compared, longest(group))) } }
                }
            }
        }
    }
}

/// The longest time of a group.
fn longest(group: &[(&Timed, Option<&Compared>)]) -> f64 {
    group.iter().map(|(case, _)| case.time.high).fold(0.0, f64::max)
}

fn row(case: &Timed, compared: Option<&Compared>, longest: f64) -> Markup {
    let name = case.name.split_once('/').map_or(&case.name[..], |(_, rest)| rest);
    let time = &case.time;
    let spread = format!("{:.1}", 50.0 * time.spread());
    // From where to where the bar may end, of the slowest and the fastest tenth of rounds.
    let (low, high, note, class) = match (&case.limit, case.level) {
        (Some(limit), Some(level)) => {
            let of = |ns: f64| limit.ns / ns / END;
            let by = if limit.by == By::Memory { level.name() } else { "arithmetic" };
            let each = time.median / case.elements as f64;
            let note = format!("{:.0} % of {by}, {each:.3} ns/element", 100.0 * limit.ns / time.median);
            (of(time.high), of(time.low), note, roofline::class(level))
        }
        _ => (time.low / longest, time.high / longest, String::new(), "call"),
    };
    let percent = |part: f64| format!("{:.2}", 100.0 * part.clamp(0.0, 1.0));
    let title = format!("{}: {} ± {spread} %, {note}", case.expression, table::time(time.median));
    html! {
        div.row {
            span.what { (name) @if let Some(compared) = compared { (tag(case, compared)) } }
            svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=(title) {
                title { (title) }
                rect.track x="0" y="0" width="100" height="10" {}
                rect class=(format!("pale {class}")) x="0" y="0" width=(percent(high)) height="10" {}
                rect class=(format!("full {class}")) x="0" y="0" width=(percent(low)) height="10" {}
                @if case.limit.is_some() { line.limit x1=(percent(1.0 / END)) x2=(percent(1.0 / END)) y1="0" y2="10" {} }
            }
            span.figures { b { (table::time(time.median)) } " ± " (spread) " %" }
            span.note { (note) }
        }
    }
}

/// What the comparison says of a case.
fn tag(case: &Timed, compared: &Compared) -> Markup {
    let ratio = compared.before.map(|before| format!(" × {:.2}", case.time.median / before.median));
    let class = match compared.verdict {
        Verdict::Slower => "tag slower",
        Verdict::Faster => "tag faster",
        _ => "tag",
    };
    html! { span class=(class) { (compared.verdict.name()) (ratio.unwrap_or_default()) } }
}
