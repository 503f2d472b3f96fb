//! [`Summary`]: the median and the 10th and 90th percentile of the times of a case.

use serde::{Deserialize, Serialize};

/// The times of several rounds, in nanoseconds per run. The time of a round is its shortest sample, because disturbances only
/// make samples longer.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// The median of the rounds.
    pub(crate) median: f64,
    /// The 0.1 quantile of the rounds.
    pub(crate) low: f64,
    /// The 0.9 quantile of the rounds.
    pub(crate) high: f64,
    pub(crate) rounds: usize,
}

impl Summary {
    /// Summarises the times of rounds.
    pub(crate) fn of(mut rounds: Vec<f64>) -> Summary {
        rounds.sort_by(f64::total_cmp);
        let at = |q| quantile(&rounds, q);
        Summary { median: at(0.5), low: at(0.1), high: at(0.9), rounds: rounds.len() }
    }

    /// The spread: the distance between the quantiles, divided by the median.
    pub(crate) fn spread(&self) -> f64 {
        (self.high - self.low) / self.median
    }

    /// All times divided by `by`.
    pub(crate) fn divided(self, by: f64) -> Summary {
        Summary { median: self.median / by, low: self.low / by, high: self.high / by, ..self }
    }
}

/// A quantile of sorted values, with linear interpolation; NaN for no values.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = q * last as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated() {
        let s = Summary::of((0..=10).rev().map(f64::from).collect());
        assert_eq!((s.low, s.median, s.high, s.rounds), (1.0, 5.0, 9.0, 11));
        assert_eq!(s.spread(), 1.6);
        let two = Summary::of(vec![3.0, 1.0]);
        assert_eq!((two.median, two.low), (2.0, 1.2));
        assert!(Summary::of(Vec::new()).median.is_nan());
    }

    #[test]
    fn a_few_disturbed_rounds_do_not_change_the_median() {
        let quiet = Summary::of(vec![10.0; 11]);
        let disturbed = Summary::of([vec![10.0; 9], vec![100.0; 2]].concat());
        assert_eq!(quiet.median, disturbed.median);
        assert!(disturbed.spread() > 0.0 || disturbed.high == 10.0);
        assert_eq!(quiet.divided(2.0).median, 5.0);
    }
}
