//! Tables, the worst cases and JSON: [`Report`].

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::peers::Peer;
use super::timing::Outcome;
use crate::report::duration;

/// The share of cases at most this factor is printed.
const NEAR: f64 = 1.3;
/// The number of cases above this multiple of a peer's time is printed.
const SLOWER: f64 = 1.05;

/// Percentiles of some values.
#[derive(Clone, Debug)]
pub struct Distribution(Vec<f64>);

impl Distribution {
    /// The distribution of values.
    pub fn new(values: impl IntoIterator<Item = f64>) -> Distribution {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Distribution(values)
    }

    /// The percentile, between two values by linear interpolation; NaN without values.
    pub fn percentile(&self, percent: f64) -> f64 {
        let Some(last) = self.0.len().checked_sub(1) else { return f64::NAN };
        let at = percent / 100.0 * last as f64;
        let (low, high) = (self.0[at.floor() as usize], self.0[at.ceil() as usize]);
        low + (high - low) * at.fract()
    }

    /// Median, 90th and 99th percentile, and the largest value.
    fn four(&self) -> [f64; 4] {
        [50.0, 90.0, 99.0, 100.0].map(|percent| self.percentile(percent))
    }

    /// The share of values of at most `limit`, in percent.
    fn within(&self, limit: f64) -> f64 {
        100.0 * self.0.iter().filter(|&&value| value <= limit).count() as f64 / self.0.len() as f64
    }
}

/// A table: the first column is text, the rest are numbers.
struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(ToString::to_string).collect(), rows: vec![] }
    }

    fn text(&self) -> String {
        let all = || [&self.head].into_iter().chain(&self.rows);
        let width = |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let mut line = format!("{:1$}", row[0], widths[0]);
            row.iter().zip(&widths).skip(1).for_each(|(cell, width)| line += &format!("  {cell:>width$}"));
            line + "\n"
        };
        all().map(line).collect()
    }

    fn markdown(&self) -> String {
        let line = |row: &Vec<String>| format!("| {} |\n", row.join(" | "));
        let rule = format!("|---|{}\n", "--:|".repeat(self.head.len() - 1));
        line(&self.head) + &rule + &self.rows.iter().map(line).collect::<String>()
    }
}

/// The results of all cases, and of the peers.
pub struct Report {
    /// A line that names the operation, the sizes and the machine.
    pub title: String,
    /// The cases.
    pub outcomes: Vec<Outcome>,
    /// The peers, each with a time for each case.
    pub peers: Vec<Peer>,
}

impl Report {
    /// The factors of the runs.
    pub fn run_factors(&self) -> Distribution {
        Distribution::new(self.outcomes.iter().map(Outcome::run_factor))
    }

    /// Title and tables as text.
    pub fn text(&self) -> String {
        let tables: Vec<String> = self.tables().iter().map(Table::text).collect();
        format!("{}\n\n{}", self.title, tables.join("\n"))
    }

    /// Title and tables as Markdown.
    pub fn markdown(&self) -> String {
        let tables: Vec<String> = self.tables().iter().map(Table::markdown).collect();
        format!("{}:\n\n{}", self.title, tables.join("\n"))
    }

    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![self.factors(), self.binding()];
        if !self.peers.is_empty() {
            tables.push(self.comparison());
        }
        tables
    }

    /// Factors of all cases, by dtype in the order of the cases, and by techniques, the most common first.
    fn factors(&self) -> Table {
        let mut by_dtype: Vec<(String, Vec<&Outcome>)> = vec![];
        let mut by_techniques: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
        for outcome in &self.outcomes {
            let dtype = outcome.dtype.to_string();
            match by_dtype.iter_mut().find(|group| group.0 == dtype) {
                Some(group) => group.1.push(outcome),
                None => by_dtype.push((dtype, vec![outcome])),
            }
            by_techniques.entry(&outcome.techniques).or_default().push(outcome);
        }
        let mut by_techniques: Vec<(String, Vec<&Outcome>)> =
            by_techniques.into_iter().map(|(name, group)| (name.to_string(), group)).collect();
        by_techniques.sort_by_key(|(_, group)| core::cmp::Reverse(group.len()));
        let all = ("all".to_string(), self.outcomes.iter().collect());
        let mut table = Table::new(&[
            "factor",
            "cases",
            "run: median",
            "90 %",
            "99 %",
            "worst",
            "within 1.3",
            "plan + run: median",
            "90 %",
            "99 %",
            "worst",
            "within 1.3",
        ]);
        for (name, group) in [all].into_iter().chain(by_dtype).chain(by_techniques) {
            let mut row = vec![name, group.len().to_string()];
            for factor in [Outcome::run_factor, Outcome::call_factor] {
                let factors = Distribution::new(group.iter().map(|outcome| factor(outcome)));
                row.extend(factors.four().map(|value| format!("{value:.2}")));
                row.push(format!("{:.0} %", factors.within(NEAR)));
            }
            table.rows.push(row);
        }
        table
    }

    fn binding(&self) -> Table {
        let mut table = Table::new(&["", "median", "90 %", "99 %", "worst"]);
        let times = Distribution::new(self.outcomes.iter().map(|o| o.times.bind * 1e6));
        let cells = times.four().map(|value| format!("{value:.2}"));
        table.rows.push(["bind, us".to_string()].into_iter().chain(cells).collect());
        table
    }

    /// Binding and running over the time of each peer.
    fn comparison(&self) -> Table {
        let mut table = Table::new(&["plan + run, over the time of", "cases", "geometric mean", "above 1.05", "worst"]);
        for peer in &self.peers {
            let both = self.outcomes.iter().zip(&peer.seconds);
            let ratios = Distribution::new(both.filter_map(|(o, seconds)| Some(o.times.call / (*seconds)?)));
            let count = ratios.0.len();
            let mean = (ratios.0.iter().map(|r| r.ln()).sum::<f64>() / count as f64).exp();
            let slower = ratios.0.iter().filter(|&&r| r > SLOWER).count();
            let figures = [count.to_string(), format!("{mean:.2}"), slower.to_string()];
            let worst = format!("{:.2}", ratios.percentile(100.0));
            table.rows.push([peer.name.clone()].into_iter().chain(figures).chain([worst]).collect());
        }
        table
    }

    /// The `count` cases with the largest factors of runs, each with its plan's strategy.
    pub fn worst(&self, count: usize) -> String {
        let mut order: Vec<usize> = (0..self.outcomes.len()).collect();
        order.sort_by(|&a, &b| self.outcomes[b].run_factor().total_cmp(&self.outcomes[a].run_factor()));
        let mut text = String::new();
        for at in order.into_iter().take(count) {
            let outcome = &self.outcomes[at];
            let (run, call) = (outcome.run_factor(), outcome.call_factor());
            text += &format!("{run:.2}, plan + run {call:.2}, {}", duration(outcome.times.run));
            for peer in &self.peers {
                let seconds = peer.seconds[at].map_or_else(|| "-".to_string(), duration);
                text += &format!(", {} {seconds}", peer.name);
            }
            text += &format!("; case {}\n    {}; {}\n", outcome.title, outcome.strategy, outcome.techniques);
        }
        text
    }

    /// Every figure of every case.
    pub fn json(&self) -> Vec<Value> {
        let row = |(at, outcome): (usize, &Outcome)| {
            let times = outcome.times;
            let peers: BTreeMap<&str, Option<f64>> =
                self.peers.iter().map(|peer| (&peer.name[..], peer.seconds[at])).collect();
            json!({
                "survey": self.title,
                "index": outcome.index,
                "dtype": outcome.dtype.name(),
                "case": outcome.title,
                "techniques": outcome.techniques,
                "strategy": outcome.strategy,
                "run_seconds": times.run,
                "call_seconds": times.call,
                "bind_seconds": times.bind,
                "base_run_seconds": times.base_run,
                "base_call_seconds": times.base_call,
                "run_factor": outcome.run_factor(),
                "call_factor": outcome.call_factor(),
                "peers": peers,
            })
        };
        self.outcomes.iter().enumerate().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::timing::CaseTimes;
    use eltwise::DType;

    fn report() -> Report {
        let outcome = |index: usize| Outcome {
            index,
            dtype: if index.is_multiple_of(2) { DType::F32 } else { DType::U8 },
            title: format!("{index} a + b"),
            techniques: if index < 3 { "DirectRow" } else { "TiledStep + PackedEach" }.into(),
            strategy: "direct".into(),
            times: CaseTimes { run: index as f64 + 1.0, call: 10.0, bind: 2e-6, base_run: 1.0, base_call: 5.0 },
        };
        let peer = Peer { name: "NumPy".into(), seconds: vec![Some(5.0), Some(20.0), None, Some(10.0), Some(10.0)] };
        Report { title: "binary".into(), outcomes: (0..5).map(outcome).collect(), peers: vec![peer] }
    }

    #[test]
    fn percentiles_interpolate() {
        let values = Distribution::new([4.0, 1.0, 2.0, 3.0]);
        assert_eq!(values.four(), [2.5, 3.7, 3.9699999999999998, 4.0]);
        assert_eq!(values.within(2.0), 50.0);
        assert!(Distribution::new([]).percentile(50.0).is_nan());
    }

    #[test]
    fn tables_have_all_groups_and_peers() {
        let markdown = report().markdown();
        for row in [
            "| all | 5 | 3.00 | 4.60 | 4.96 | 5.00 | 20 % | 2.00 |",
            "| u8 | 2 | 3.00 |",
            "| DirectRow | 3 | 2.00 |",
            "| TiledStep + PackedEach | 2 | 4.50 |",
            "| bind, us | 2.00 | 2.00 | 2.00 | 2.00 |",
            "| NumPy | 4 | 1.00 | 1 | 2.00 |",
        ] {
            assert!(markdown.contains(row), "{row} is not in\n{markdown}");
        }
        let text = report().text();
        let widths: Vec<usize> = text.lines().skip(2).take(6).map(str::len).collect();
        assert!(widths.iter().all(|&w| w == widths[0]), "{text}");
    }

    #[test]
    fn the_worst_cases_are_first() {
        let text = report().worst(2);
        let starts: Vec<&str> = text.lines().filter(|line| !line.starts_with(' ')).map(|line| &line[..4]).collect();
        assert_eq!(starts, ["5.00", "4.00"]);
        assert_eq!(report().json()[4]["run_factor"], 5.0);
        assert_eq!(report().json()[0]["peers"]["NumPy"], 5.0);
    }
}
