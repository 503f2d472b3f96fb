//! Medians and quantiles.

use serde::{Deserialize, Serialize};

/// What rounds of a measurement say, in nanoseconds a run. Each round gives one time: the shortest of its samples, for what
/// else the machine does only adds to a sample.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// The median of the rounds.
    pub(crate) median: f64,
    /// A tenth of the rounds took less.
    pub(crate) low: f64,
    /// A tenth of the rounds took more.
    pub(crate) high: f64,
    /// Rounds.
    pub(crate) rounds: usize,
}

impl Summary {
    /// Summarises the times of rounds.
    pub(crate) fn of(mut rounds: Vec<f64>) -> Summary {
        rounds.sort_by(f64::total_cmp);
        let at = |q| quantile(&rounds, q);
        Summary { median: at(0.5), low: at(0.1), high: at(0.9), rounds: rounds.len() }
    }

    /// The printed spread: from the low to the high quantile, in parts of the median.
    pub(crate) fn spread(&self) -> f64 {
        (self.high - self.low) / self.median
    }

    /// All times divided by a number.
    pub(crate) fn divided(self, by: f64) -> Summary {
        Summary { median: self.median / by, low: self.low / by, high: self.high / by, ..self }
    }
}

/// A quantile of sorted values, between two of them linearly; NaN of none.
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
    fn quantiles_lie_between_values() {
        let s = Summary::of((0..=10).rev().map(f64::from).collect());
        assert_eq!((s.low, s.median, s.high, s.rounds), (1.0, 5.0, 9.0, 11));
        assert_eq!(s.spread(), 1.6);
        let two = Summary::of(vec![3.0, 1.0]);
        assert_eq!((two.median, two.low), (2.0, 1.2));
        assert!(Summary::of(Vec::new()).median.is_nan());
    }

    #[test]
    fn disturbed_rounds_do_not_move_the_median() {
        let quiet = Summary::of(vec![10.0; 11]);
        let disturbed = Summary::of([vec![10.0; 9], vec![100.0; 2]].concat());
        assert_eq!(quiet.median, disturbed.median);
        assert!(disturbed.spread() > 0.0 || disturbed.high == 10.0);
        assert_eq!(quiet.divided(2.0).median, 5.0);
    }
}
