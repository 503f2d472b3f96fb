//! A run beside a saved one: a verdict for each case.

use std::collections::HashMap;

use crate::report::count;

use super::case::Bound;
use super::record::{Record, Timed};
use super::stats::Summary;

/// What a comparison says of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The intervals of both runs are less apart than the threshold.
    Same,
    /// This run's interval lies below the saved one's, by more than the threshold.
    Faster,
    /// This run's interval lies above the saved one's, by more than the threshold, and by more than the machine's own limit
    /// rose.
    Slower,
    /// The saved run has no such case.
    New,
    /// The saved run's case has other operands: it was measured with other caches, or with `--quick`.
    Differs,
}

impl Verdict {
    /// One word.
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

/// A case of this run beside that of the saved one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared {
    pub(crate) verdict: Verdict,
    pub(crate) before: Option<Summary>,
}

/// A comparison with a saved run.
pub(crate) struct Against<'a> {
    /// The saved run's name.
    pub(crate) name: &'a str,
    /// Percent by which intervals must be apart.
    pub(crate) threshold: f64,
    /// In the order of this run's cases.
    pub(crate) cases: &'a [Compared],
    /// What differs between the circumstances of both runs.
    pub(crate) warnings: Vec<String>,
}

impl Against<'_> {
    /// How many cases have a verdict.
    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        self.cases.iter().filter(|c| c.verdict == verdict).count()
    }
}

/// The verdict on two measurements of the same, for a threshold in parts of the time.
pub(crate) fn verdict(before: &Summary, now: &Summary, threshold: f64) -> Verdict {
    if now.low > before.high * (1.0 + threshold) {
        Verdict::Slower
    } else if now.high * (1.0 + threshold) < before.low {
        Verdict::Faster
    } else {
        Verdict::Same
    }
}

/// How many times longer the machine itself takes for a case than in the saved run, by the limits that both runs measured; at
/// least 1. Other tenants of a host take memory bandwidth for minutes, which is no regression.
fn slowed(before: &Timed, now: &Timed) -> f64 {
    match (&before.limit, &now.limit) {
        (Some(before), Some(now)) if before.by == now.by && before.ns > 0.0 => (now.ns / before.ns).max(1.0),
        _ => 1.0,
    }
}

/// The verdict on a case: slower where it is beside the limits of its own run, too.
fn judged(before: &Timed, now: &Timed, threshold: f64) -> Verdict {
    match verdict(&before.time, &now.time, threshold) {
        Verdict::Slower => verdict(&before.time, &now.time.divided(slowed(before, now)), threshold),
        other => other,
    }
}

/// Why nothing of a saved run can be compared with the cases of a measurement on so many threads; `None` when one can.
pub(crate) fn nothing_in_common(name: &str, saved: &Record, now: &[Bound], threads: usize) -> Option<String> {
    let of = |bound: &Bound| saved.cases.iter().find(|c| c.name == bound.case.name);
    let same = |bound: &&Bound| of(bound).is_some_and(|c| like(c, bound.elements(), bound.threads(threads)));
    if now.iter().any(|bound| same(&bound)) {
        return None;
    }
    let cases = count(now.len(), "case");
    Some(match now.iter().find(|bound| of(bound).is_some()) {
        Some(bound) => format!(
            "nothing to compare: all of the {cases} that the saved run {name:?} has too have other operands or threads there, such as {}",
            bound.case.name
        ),
        None => format!("nothing to compare: the saved run {name:?} has none of the {cases} asked for"),
    })
}

/// Whether a saved case is one of so many elements and threads.
fn like(saved: &Timed, elements: u64, threads: usize) -> bool {
    saved.elements == elements && saved.threads == threads
}

/// Compares each case of this run with the saved one of its name.
pub(crate) fn cases(saved: &Record, now: &[Timed], threshold: f64) -> Vec<Compared> {
    let saved: HashMap<&str, &Timed> = saved.cases.iter().map(|c| (&c.name[..], c)).collect();
    now.iter()
        .map(|case| match saved.get(&case.name[..]) {
            None => Compared { verdict: Verdict::New, before: None },
            Some(before) => {
                let same = like(before, case.elements, case.threads);
                let verdict = if same { judged(before, case, threshold) } else { Verdict::Differs };
                Compared { verdict, before: Some(before.time) }
            }
        })
        .collect()
}

/// Names of saved cases that this run has not.
pub(crate) fn gone<'a>(saved: &'a Record, now: &[Timed]) -> Vec<&'a str> {
    let has = |name: &str| now.iter().any(|c| c.name == name);
    saved.cases.iter().map(|c| &c.name[..]).filter(|name| !has(name)).collect()
}

/// What differs between the circumstances of two runs, a line each: times are then no measure of the program alone.
pub(crate) fn circumstances(saved: &Record, now: &Record) -> Vec<String> {
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
    use super::super::record::{By, Limit};
    use super::*;

    fn times(low: f64, high: f64) -> Summary {
        Summary { median: (low + high) / 2.0, low, high, rounds: 9 }
    }

    #[test]
    fn a_case_as_slow_as_its_limit_is_no_slower() {
        let timed = |low: f64, limit: Option<f64>| Timed {
            name: "operators/copy/f32/DRAM".into(),
            expression: "x".into(),
            threads: 1,
            elements: 1,
            bytes: 8,
            operations: None,
            level: None,
            time: times(low, low + 2.0),
            limit: limit.map(|ns| Limit { ns, by: By::Memory }),
        };
        let before = timed(98.0, Some(80.0));
        for (now, expected) in [
            (timed(118.0, Some(80.0)), Verdict::Slower),
            // The machine takes 1.2 times as long itself.
            (timed(118.0, Some(96.0)), Verdict::Same),
            (timed(150.0, Some(96.0)), Verdict::Slower),
            // A limit that was found lower accuses nobody, and one that rose makes nothing faster.
            (timed(99.0, Some(60.0)), Verdict::Same),
            (timed(99.0, Some(200.0)), Verdict::Same),
            (timed(118.0, None), Verdict::Slower),
        ] {
            assert_eq!(judged(&before, &now, 0.05), expected, "{now:?}");
        }
    }

    #[test]
    fn only_intervals_that_are_apart_differ() {
        let before = times(98.0, 102.0);
        for (now, expected) in [
            (times(98.0, 102.0), Verdict::Same),
            // Apart, but by less than 5 %.
            (times(103.0, 104.0), Verdict::Same),
            (times(107.2, 112.0), Verdict::Slower),
            // The median is far off, yet some rounds were as before.
            (times(100.0, 180.0), Verdict::Same),
            (times(60.0, 93.2), Verdict::Faster),
            (times(60.0, 94.0), Verdict::Same),
        ] {
            assert_eq!(verdict(&before, &now, 0.05), expected, "{now:?}");
        }
    }
}
