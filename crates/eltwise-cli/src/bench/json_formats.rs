//! JSON output: [`text`] writes a run in this tool's format or in a benchmark tracker's.

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use super::record::{CaseResult, Record};
use super::saved_runs;

/// A JSON format.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Format {
    /// All data of the run, in the format of saved runs
    #[default]
    Eltwise,
    /// `customSmallerIsBetter` of github-action-benchmark
    GithubActionBenchmark,
    /// Bencher Metric Format
    Bencher,
}

/// A run in a JSON format.
pub(crate) fn text(record: &Record, format: Format) -> String {
    let value = match format {
        Format::Eltwise => return saved_runs::text(record),
        Format::GithubActionBenchmark => record.cases.iter().map(action).collect(),
        Format::Bencher => Value::Object(record.cases.iter().map(bencher).collect::<Map<_, _>>()),
    };
    format!("{value:#}\n")
}

/// An entry for github-action-benchmark, with half the spread as its range.
fn action(case: &CaseResult) -> Value {
    let range = 50.0 * case.time.spread();
    let percent = case.fraction().map_or(String::new(), |f| format!(", {:.0} % of the limit", 100.0 * f));
    json!({
        "name": case.name, "unit": "ns", "value": case.time.median, "range": format!("± {range:.1}%"),
        "extra": format!("{}, {} elements{percent}", case.expression, case.elements),
    })
}

/// An entry for Bencher, with the measure `latency` in nanoseconds.
fn bencher(case: &CaseResult) -> (String, Value) {
    let time = &case.time;
    let latency = json!({ "value": time.median, "lower_value": time.low, "upper_value": time.high });
    (case.name.clone(), json!({ "latency": latency }))
}
