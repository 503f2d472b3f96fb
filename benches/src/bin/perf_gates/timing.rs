//! Timing: nanoseconds per call ([`ns_per_call`]), minima of many timings ([`min_ns_per_call`]), and [`compare`], which
//! times two pieces of code alternately.

use std::time::Instant;

/// Timings per figure. Odd, so that the median is one of them.
pub(crate) const SAMPLES: usize = 31;

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

/// Prints a time with its bound, and returns the number of missed bounds: 0 or 1.
pub(crate) fn judge_ns(gate: &str, what: &str, ns: f64, bound: f64) -> usize {
    let ok = ns <= bound;
    println!("{gate:11} {what:44} {ns:6.1} ns (bound {bound})  {}", verdict(ok));
    usize::from(!ok)
}

/// The median; of an even number of values, the upper one of the two in the middle.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Nanoseconds per call, over `calls` calls.
pub(crate) fn ns_per_call(calls: usize, mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        f();
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

/// Nanoseconds per call in each of [`SAMPLES`] timings of `calls` calls.
pub(crate) fn samples_ns_per_call(calls: usize, mut f: impl FnMut()) -> Vec<f64> {
    (0..SAMPLES).map(|_| ns_per_call(calls, &mut f)).collect()
}

/// The minimum of nanoseconds per call over `samples` timings of `calls` calls, which excludes most interruptions.
pub(crate) fn min_ns_per_call(samples: usize, calls: usize, mut f: impl FnMut()) -> f64 {
    (0..samples).map(|_| ns_per_call(calls, &mut f)).fold(f64::INFINITY, f64::min)
}

/// [`min_ns_per_call`] of several functions, which are timed in turn.
pub(crate) fn min_ns_in_turn<const N: usize>(
    samples: usize,
    calls: usize,
    mut functions: [&mut dyn FnMut(); N],
) -> [f64; N] {
    let mut minima = [f64::INFINITY; N];
    for _ in 0..samples {
        for (function, minimum) in functions.iter_mut().zip(&mut minima) {
            *minimum = minimum.min(ns_per_call(calls, &mut **function));
        }
    }
    minima
}

/// Medians over [`SAMPLES`] interleaved pairs of timings. Each timing follows two untimed calls, which warm caches and
/// branch predictors.
pub(crate) fn compare(calls: usize, mut ours: impl FnMut(), mut baseline: impl FnMut()) -> Comparison {
    compare_dyn(calls, &mut ours, &mut baseline)
}

/// One copy for all callers: the closures are called through pointers, so neither side is inlined into the loop.
fn compare_dyn(calls: usize, ours: &mut dyn FnMut(), baseline: &mut dyn FnMut()) -> Comparison {
    let (mut our_times, mut baseline_times, mut ratios) = (vec![], vec![], vec![]);
    for _ in 0..SAMPLES {
        ours();
        ours();
        let our_time = ns_per_call(calls, &mut *ours);
        baseline();
        baseline();
        let baseline_time = ns_per_call(calls, &mut *baseline);
        our_times.push(our_time);
        baseline_times.push(baseline_time);
        ratios.push(our_time / baseline_time);
    }
    Comparison { ours: median(our_times), baseline: median(baseline_times), ratio: median(ratios) }
}
