//! A bar for each case: its limit divided by its time. Cases without a limit have a bar proportional to their time.

use maud::{Markup, html};

use crate::bench::compare::{CaseComparison, Comparison, Verdict};
use crate::bench::record::{CaseResult, LimitedBy, Record};
use crate::bench::table;

use super::roofline;

/// The scale ends at 110 % of the limit, because a case may be a little faster than the loop that measured the limit.
const END: f64 = 1.1;

/// The bars, with a section for each group.
pub(super) fn sections(record: &Record, against: Option<&Comparison<'_>>) -> Markup {
    let rows = record.cases.iter().enumerate();
    let rows: Vec<(&CaseResult, Option<&CaseComparison>)> =
        rows.map(|(k, case)| (case, against.and_then(|a| a.cases.get(k)))).collect();
    html! {
        h2 { "Cases" }
        p {
            "Bar length = best possible time / measured time. At the mark a case is as fast as the machine allows. The lighter "
            "part spans the 10th to 90th percentile of the rounds; ± is half of that span, in percent of the median. The text "
            "on the right names the limit: a memory level or arithmetic. For cases without a limit, the length of a bar is "
            "proportional to the time."
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

/// The longest time in a group.
fn longest(group: &[(&CaseResult, Option<&CaseComparison>)]) -> f64 {
    group.iter().map(|(case, _)| case.time.high).fold(0.0, f64::max)
}

fn row(case: &CaseResult, compared: Option<&CaseComparison>, longest: f64) -> Markup {
    let name = case.name.split_once('/').map_or(&case.name[..], |(_, rest)| rest);
    let time = &case.time;
    let spread = format!("{:.1}", 50.0 * time.spread());
    // The lengths of the bar for the slow and the fast end of the interval.
    let (low, high, note, class) = match (&case.limit, case.level) {
        (Some(limit), Some(level)) => {
            let length = |ns: f64| limit.ns / ns / END;
            let by = if limit.by == LimitedBy::Memory { level.name() } else { "arithmetic" };
            let ns_per_element = time.median / case.elements as f64;
            let note = format!("{:.0} % of {by}, {ns_per_element:.3} ns/element", 100.0 * limit.ns / time.median);
            (length(time.high), length(time.low), note, roofline::class(level))
        }
        _ => (time.low / longest, time.high / longest, String::new(), "call"),
    };
    let percent = |part: f64| format!("{:.2}", 100.0 * part.clamp(0.0, 1.0));
    let mut title = format!("{}: {} ± {spread} %", case.expression, table::time(time.median));
    if !note.is_empty() {
        title.push_str(", ");
        title.push_str(&note);
    }
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

/// The verdict on a case, with the ratio of its time to that of the saved run.
fn tag(case: &CaseResult, compared: &CaseComparison) -> Markup {
    let ratio = compared.before.map(|before| format!(" ({:.2} × the time before)", case.time.median / before.median));
    let class = match compared.verdict {
        Verdict::Slower => "tag slower",
        Verdict::Faster => "tag faster",
        _ => "tag",
    };
    html! { span class=(class) { (compared.verdict.name()) (ratio.unwrap_or_default()) } }
}
