//! Clocks and comparisons. [`compare`] times two pieces of code in turn.

use std::time::Instant;

/// Pairs of timed runs.
pub(crate) const PAIRS: usize = 31;

/// The largest ratio that counts as "not slower": two timings of the same code differ by up to 5 %.
pub(crate) const NOT_SLOWER: f64 = 1.05;

/// Times of our code and of its baseline.
#[derive(Clone, Copy)]
pub(crate) struct Comparison {
    /// Nanoseconds per call of our code.
    pub(crate) ours: f64,
    /// Nanoseconds per call of the baseline.
    pub(crate) baseline: f64,
    /// Ours over the baseline's. A median of ratios, so not always the ratio of the two fields above.
    pub(crate) ratio: f64,
}

pub(crate) fn verdict(ok: bool) -> &'static str {
    if ok { "ok" } else { "MISSED" }
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Nanoseconds per call, over `calls` calls.
pub(crate) fn time(calls: usize, mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        f();
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

/// Nanoseconds per call in each of [`PAIRS`] timings of `calls` calls.
pub(crate) fn times(calls: usize, mut f: impl FnMut()) -> Vec<f64> {
    (0..PAIRS).map(|_| time(calls, &mut f)).collect()
}

/// Medians over [`PAIRS`] interleaved pairs of timings. Each timing follows two untimed calls.
pub(crate) fn compare(calls: usize, mut ours: impl FnMut(), mut baseline: impl FnMut()) -> Comparison {
    compare_dyn(calls, &mut ours, &mut baseline)
}

fn compare_dyn(calls: usize, ours: &mut dyn FnMut(), baseline: &mut dyn FnMut()) -> Comparison {
    let (mut our_times, mut baseline_times, mut ratios) = (vec![], vec![], vec![]);
    for _ in 0..PAIRS {
        ours();
        ours();
        let our_time = time(calls, &mut *ours);
        baseline();
        baseline();
        let baseline_time = time(calls, &mut *baseline);
        our_times.push(our_time);
        baseline_times.push(baseline_time);
        ratios.push(our_time / baseline_time);
    }
    Comparison { ours: median(our_times), baseline: median(baseline_times), ratio: median(ratios) }
}
