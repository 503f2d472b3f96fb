//! Text lines and JSON of the results.

use std::path::Path;

use eltwise::{DType, Isa};
use serde_json::{Value, json};

use crate::bar::Verdict;
use crate::measure::Times;
use crate::size::Size;

/// The results of a pattern.
#[derive(Clone, Debug)]
pub struct Row {
    /// The ISA.
    pub isa: Isa,
    /// The dtype of the operands.
    pub dtype: DType,
    /// The size.
    pub size: Size,
    /// Family and name.
    pub title: String,
    /// The shapes of the operands.
    pub shapes: String,
    /// Bytes read and written.
    pub bytes: u64,
    /// The times; the baseline's is for the same number of bytes.
    pub times: Times,
    /// The bar.
    pub limit: Option<f64>,
}

impl Row {
    /// The factor compared with the bar.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.times.factor, self.limit)
    }

    /// The header of the columns of [`Row::line`].
    pub fn head() -> String {
        format!(
            "{:10} {:4} {:4}  {:38} {:>9} {:>7} {:>7} {:>6} {:>5}  {:10} operands",
            "ISA", "", "size", "pattern", "time", "GB/s", "base", "factor", "bar", "verdict"
        )
    }

    /// One line.
    pub fn line(&self) -> String {
        let rate = |seconds: f64| self.bytes as f64 / seconds / 1e9;
        let bar = self.limit.map_or_else(|| "-".to_string(), |limit| limit.to_string());
        format!(
            "{:10} {:4} {:4}  {:38} {:>9} {:7.1} {:7.1} {:6.2} {:>5}  {:10} {}",
            self.isa,
            self.dtype,
            self.size,
            self.title,
            duration(self.times.pattern),
            rate(self.times.pattern),
            rate(self.times.base),
            self.times.factor,
            bar,
            self.verdict(),
            self.shapes
        )
    }

    /// The results as JSON.
    pub fn json(&self) -> Value {
        json!({
            "isa": self.isa.name(),
            "dtype": self.dtype.name(),
            "size": self.size.to_string(),
            "pattern": self.title,
            "operands": self.shapes,
            "bytes": self.bytes,
            "seconds": self.times.pattern,
            "base_seconds": self.times.base,
            "factor": self.times.factor,
            "rounds": self.times.rounds,
            "bar": self.limit,
            "verdict": self.verdict().to_string(),
        })
    }
}

/// The results of an operator over special values.
#[derive(Clone, Debug)]
pub struct ValueRow {
    /// The ISA.
    pub isa: Isa,
    /// The dtype of the operands.
    pub dtype: DType,
    /// Operator and values.
    pub title: String,
    /// Elements of an operand.
    pub elements: usize,
    /// The largest allowed factor, if the operator has a bar.
    pub bar: Option<f64>,
    /// The times over special values, and over ordinary ones as the baseline.
    pub times: Times,
}

impl ValueRow {
    /// The header of the columns of [`ValueRow::line`].
    pub fn head() -> String {
        format!("{:10} {:4}  {:40} {:>9} {:>9} {:>6}", "ISA", "", "operator, values", "ns/elem", "ordinary", "factor")
    }

    /// One line.
    pub fn line(&self) -> String {
        let each = |seconds: f64| seconds * 1e9 / self.elements as f64;
        format!(
            "{:10} {:4}  {:40} {:9.3} {:9.3} {:6.2}",
            self.isa,
            self.dtype,
            self.title,
            each(self.times.pattern),
            each(self.times.base),
            self.times.factor,
        )
    }

    /// The results as JSON.
    pub fn json(&self) -> Value {
        json!({
            "isa": self.isa.name(),
            "dtype": self.dtype.name(),
            "case": self.title,
            "elements": self.elements,
            "seconds": self.times.pattern,
            "ordinary_seconds": self.times.base,
            "factor": self.times.factor,
            "bar": self.bar,
            "rounds": self.times.rounds,
        })
    }
}

/// Writes rows to a file as a JSON array.
///
/// # Errors
/// If the file cannot be written, with its path.
pub fn write_json(path: &Path, rows: Vec<Value>) -> Result<(), String> {
    std::fs::write(path, format!("{:#}\n", Value::from(rows))).map_err(|e| format!("{}: {e}", path.display()))
}

/// The rows over their bars, sorted by the ratio of factor to bar, largest first.
pub fn over(rows: &[Row]) -> Vec<&Row> {
    let excess = |row: &Row| row.times.factor / row.limit.unwrap_or(f64::INFINITY);
    let mut over: Vec<&Row> = rows.iter().filter(|row| matches!(row.verdict(), Verdict::Over(_))).collect();
    over.sort_by(|a, b| excess(b).total_cmp(&excess(a)));
    over
}

/// Seconds with three digits in ns, us or ms: `812 ns`, `34.1 us`, `5.21 ms`.
pub fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "us"),
        s => (s * 1e3, "ms"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(title: &str, pattern: f64, limit: Option<f64>) -> Row {
        Row {
            isa: Isa::Avx2,
            dtype: DType::F32,
            size: Size::L2,
            title: title.into(),
            shapes: "[8, 3] [3]".into(),
            bytes: 3_000_000,
            times: Times { pattern, base: 1e-3, factor: pattern / 1e-3, rounds: 3 },
            limit,
        }
    }

    #[test]
    fn lines_and_json_have_the_same_results() {
        let row = row("pixels C=3", 1.5e-3, Some(1.25));
        let line = row.line();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(
            words[..13],
            ["avx2", "f32", "l2", "pixels", "C=3", "1.50", "ms", "2.0", "3.0", "1.50", "1.25", "over", "1.25"]
        );
        let json = row.json();
        assert_eq!(json["factor"], 1.5);
        assert_eq!(json["verdict"], "over 1.25");
        assert_eq!(json["bar"], 1.25);
    }

    #[test]
    fn rows_over_their_bars_are_sorted_by_excess() {
        let rows = [
            row("a", 1.3e-3, Some(1.25)),
            row("b", 1.2e-3, Some(1.25)),
            row("c", 9e-3, None),
            row("d", 2.0e-3, Some(1.7)),
            row("e", 1.4e-3, Some(1.15)),
        ];
        let titles: Vec<&str> = over(&rows).iter().map(|r| r.title.as_str()).collect();
        assert_eq!(titles, ["e", "d", "a"]);
    }

    #[test]
    fn durations_have_three_digits() {
        let texts = [8.123e-7, 3.412e-5, 5.2149e-3, 0.25].map(duration);
        assert_eq!(texts, ["812 ns", "34.1 us", "5.21 ms", "250 ms"]);
    }
}
