//! The forms of JSON that trackers of benchmarks read.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use super::record::{Record, Timed};
use super::store;

/// A form of JSON.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Format {
    /// All that is known of the run, as it is saved
    #[default]
    Eltwise,
    /// `customSmallerIsBetter` of github-action-benchmark
    GithubActionBenchmark,
    /// Bencher Metric Format
    Bencher,
}

/// A run in a form of JSON.
pub(crate) fn text(record: &Record, format: Format) -> String {
    let value = match format {
        Format::Eltwise => return store::text(record),
        Format::GithubActionBenchmark => record.cases.iter().map(action).collect(),
        Format::Bencher => Value::Object(record.cases.iter().map(bencher).collect::<Map<_, _>>()),
    };
    format!("{value:#}\n")
}

/// An entry of a list, with half the spread as its range.
fn action(case: &Timed) -> Value {
    let range = 50.0 * case.time.spread();
    let percent = case.fraction().map_or(String::new(), |f| format!(", {:.0} % of the limit", 100.0 * f));
    json!({
        "name": case.name, "unit": "ns", "value": case.time.median, "range": format!("± {range:.1}%"),
        "extra": format!("{}, {} elements{percent}", case.expression, case.elements),
    })
}

/// A benchmark with the measure `latency`, in nanoseconds.
fn bencher(case: &Timed) -> (String, Value) {
    let time = &case.time;
    let latency = json!({ "value": time.median, "lower_value": time.low, "upper_value": time.high });
    (case.name.clone(), json!({ "latency": latency }))
}
