//! Clocks.

use std::time::Instant;

/// Pairs of timed runs.
pub(crate) const PAIRS: usize = 31;

/// What two timings of the same code differ by: "not slower" is a ratio up to this.
pub(crate) const SAME: f64 = 1.05;

pub(crate) fn verdict(ok: bool) -> &'static str {
    if ok { "ok" } else { "MISSED" }
}

pub(crate) fn median(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    x[x.len() / 2]
}

/// Nanoseconds a call: the time of `calls` calls.
pub(crate) fn time(calls: usize, mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        f();
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

/// Nanoseconds a call by each of [`PAIRS`] timings of so many calls.
pub(crate) fn times(calls: usize, mut f: impl FnMut()) -> Vec<f64> {
    (0..PAIRS).map(|_| time(calls, &mut f)).collect()
}

/// Medians of both, and of their ratio, over interleaved pairs after two untimed calls of each.
pub(crate) fn pairs(calls: usize, mut a: impl FnMut(), mut b: impl FnMut()) -> (f64, f64, f64) {
    interleaved(calls, &mut a, &mut b)
}

fn interleaved(calls: usize, a: &mut dyn FnMut(), b: &mut dyn FnMut()) -> (f64, f64, f64) {
    let (mut times_a, mut times_b, mut ratios) = (vec![], vec![], vec![]);
    for _ in 0..PAIRS {
        a();
        a();
        let x = time(calls, &mut *a);
        b();
        b();
        let y = time(calls, &mut *b);
        times_a.push(x);
        times_b.push(y);
        ratios.push(x / y);
    }
    (median(times_a), median(times_b), median(ratios))
}
