//! Comparison of a run with a saved one. [`cases`] gives a verdict for each case.

use std::collections::HashMap;

use crate::report::count;

use super::case::PlannedCase;
use super::record::{CaseResult, Record};
use super::stats::Summary;

/// The verdict on a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The gap between the intervals of the two runs is at most the threshold.
    Same,
    /// The interval of this run is below the saved run's by more than the threshold.
    Faster,
    /// The interval of this run is above the saved run's by more than the threshold, also after division by the growth
    /// of the machine's limit.
    Slower,
    /// The saved run does not have the case.
    New,
    /// The case has other operands or threads in the saved run, for example because the caches differ.
    Differs,
}

impl Verdict {
    /// The text of the verdict.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Faster => "faster",
            Verdict::Slower => "SLOWER",
            Verdict::New => "new",
            Verdict::Differs => "not comparable",
        }
    }
}

/// The verdict on a case of this run, and its time in the saved run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaseComparison {
    pub(crate) verdict: Verdict,
    pub(crate) before: Option<Summary>,
}

/// A comparison with a saved run.
pub(crate) struct Comparison<'a> {
    /// The name of the saved run.
    pub(crate) name: &'a str,
    /// The threshold in percent.
    pub(crate) threshold: f64,
    /// One for each case of this run, in the same order.
    pub(crate) cases: &'a [CaseComparison],
    /// The differences of machine and build; see [`environment_differences`].
    pub(crate) warnings: Vec<String>,
}

impl Comparison<'_> {
    /// The number of cases with a verdict.
    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        self.cases.iter().filter(|c| c.verdict == verdict).count()
    }
}

/// The verdict on two measurements of a case. `threshold` is a fraction of the time.
pub(crate) fn verdict(before: &Summary, now: &Summary, threshold: f64) -> Verdict {
    if now.low > before.high * (1.0 + threshold) {
        Verdict::Slower
    } else if now.high * (1.0 + threshold) < before.low {
        Verdict::Faster
    } else {
        Verdict::Same
    }
}

/// The factor by which the machine's limit for a case grew since the saved run; at least 1. Other tenants of a host take memory
/// bandwidth for minutes, which is no regression.
fn limit_growth(before: &CaseResult, now: &CaseResult) -> f64 {
    match (&before.limit, &now.limit) {
        (Some(before), Some(now)) if before.by == now.by && before.ns > 0.0 => (now.ns / before.ns).max(1.0),
        _ => 1.0,
    }
}

/// The verdict on a case. It is slower only if it is so after division by [`limit_growth`] too.
fn verdict_within_limits(before: &CaseResult, now: &CaseResult, threshold: f64) -> Verdict {
    match verdict(&before.time, &now.time, threshold) {
        Verdict::Slower => verdict(&before.time, &now.time.divided(limit_growth(before, now)), threshold),
        other => other,
    }
}

/// The reason why no case can be compared with a saved run, or `None` if at least one can.
pub(crate) fn no_common_case(name: &str, saved: &Record, now: &[PlannedCase], threads: usize) -> Option<String> {
    let of = |planned: &PlannedCase| saved.cases.iter().find(|c| c.name == planned.case.name);
    let same = |planned: &&PlannedCase| {
        of(planned).is_some_and(|c| same_workload(c, planned.elements(), planned.threads(threads)))
    };
    if now.iter().any(|planned| same(&planned)) {
        return None;
    }
    let cases = count(now.len(), "case");
    Some(match now.iter().find(|planned| of(planned).is_some()) {
        Some(planned) => format!(
            "nothing to compare: the saved run {name:?} has other operands or threads for the selected cases, such as {}",
            planned.case.name
        ),
        None => format!("nothing to compare: the saved run {name:?} has none of the {cases} selected"),
    })
}

/// Whether a saved case has this number of elements and threads.
fn same_workload(saved: &CaseResult, elements: u64, threads: usize) -> bool {
    saved.elements == elements && saved.threads == threads
}

/// Compares each case of this run with the saved case of the same name.
pub(crate) fn cases(saved: &Record, now: &[CaseResult], threshold: f64) -> Vec<CaseComparison> {
    let saved: HashMap<&str, &CaseResult> = saved.cases.iter().map(|c| (&c.name[..], c)).collect();
    now.iter()
        .map(|case| match saved.get(&case.name[..]) {
            None => CaseComparison { verdict: Verdict::New, before: None },
            Some(before) => {
                let same = same_workload(before, case.elements, case.threads);
                let verdict = if same { verdict_within_limits(before, case, threshold) } else { Verdict::Differs };
                CaseComparison { verdict, before: Some(before.time) }
            }
        })
        .collect()
}

/// The names of saved cases that this run does not have.
pub(crate) fn missing_cases<'a>(saved: &'a Record, now: &[CaseResult]) -> Vec<&'a str> {
    let has = |name: &str| now.iter().any(|c| c.name == name);
    saved.cases.iter().map(|c| &c.name[..]).filter(|name| !has(name)).collect()
}

/// The differences of machine and build between two runs, one line each. They may explain a difference of times.
pub(crate) fn environment_differences(saved: &Record, now: &Record) -> Vec<String> {
    let (s, n) = (&saved.machine, &now.machine);
    let (b, m) = (&saved.build, &now.build);
    let quick = |quick| if quick { "--quick" } else { "in full" };
    [
        ("CPU", &s.cpu, &n.cpu),
        ("caches", &s.caches, &n.caches),
        ("ISA", &s.isa, &n.isa),
        ("threads", &s.threads.to_string(), &n.threads.to_string()),
        ("system", &s.os, &n.os),
        ("version", &b.eltwise, &m.eltwise),
        ("compiler", &b.rustc, &m.rustc),
        ("flags", &b.flags, &m.flags),
        ("profile", &b.profile, &m.profile),
        ("measured", &quick(saved.quick).to_string(), &quick(now.quick).to_string()),
    ]
    .into_iter()
    .filter(|(_, saved, now)| saved != now)
    .map(|(what, saved, now)| format!("{what}: saved {saved:?}, now {now:?}"))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::{Limit, LimitedBy};
    use super::*;

    fn times(low: f64, high: f64) -> Summary {
        Summary { median: (low + high) / 2.0, low, high, rounds: 9 }
    }

    #[test]
    fn a_slowdown_that_the_limit_explains_is_no_regression() {
        let timed = |low: f64, limit: Option<f64>| CaseResult {
            name: "operators/copy/f32/DRAM".into(),
            expression: "x".into(),
            threads: 1,
            elements: 1,
            bytes: 8,
            operations: None,
            level: None,
            time: times(low, low + 2.0),
            limit: limit.map(|ns| Limit { ns, by: LimitedBy::Memory }),
        };
        let before = timed(98.0, Some(80.0));
        for (now, expected) in [
            (timed(118.0, Some(80.0)), Verdict::Slower),
            // The limit grew by a factor of 1.2.
            (timed(118.0, Some(96.0)), Verdict::Same),
            (timed(150.0, Some(96.0)), Verdict::Slower),
            // A lower limit does not make a case slower, and a higher one does not make it faster.
            (timed(99.0, Some(60.0)), Verdict::Same),
            (timed(99.0, Some(200.0)), Verdict::Same),
            (timed(118.0, None), Verdict::Slower),
        ] {
            assert_eq!(verdict_within_limits(&before, &now, 0.05), expected, "{now:?}");
        }
    }

    #[test]
    fn overlapping_intervals_are_the_same() {
        let before = times(98.0, 102.0);
        for (now, expected) in [
            (times(98.0, 102.0), Verdict::Same),
            // A gap of less than 5 %.
            (times(103.0, 104.0), Verdict::Same),
            (times(107.2, 112.0), Verdict::Slower),
            // The medians differ a lot, but the intervals overlap.
            (times(100.0, 180.0), Verdict::Same),
            (times(60.0, 93.2), Verdict::Faster),
            (times(60.0, 94.0), Verdict::Same),
        ] {
            assert_eq!(verdict(&before, &now, 0.05), expected, "{now:?}");
        }
    }
}
