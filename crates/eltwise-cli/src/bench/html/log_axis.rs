//! Logarithmic axes: [`LogAxis`] gives the positions of numbers and of labelled ticks.

/// An axis from `low` to `high`, drawn from the coordinate `from` to `to`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogAxis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl LogAxis {
    /// An axis that contains the positive numbers among `numbers`, with a margin at both ends.
    pub(super) fn around(numbers: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> LogAxis {
        let (low, high) = numbers
            .filter(|n| n.is_finite() && *n > 0.0)
            .fold((f64::INFINITY, 0.0f64), |(low, high), n| (low.min(n), high.max(n)));
        let (low, high) = if low <= high { (low / 1.6, high * 1.6) } else { (1.0, 10.0) };
        LogAxis { low, high, from, to }
    }

    /// The coordinate of a number.
    pub(super) fn at(&self, number: f64) -> f64 {
        let part = (number / self.low).ln() / (self.high / self.low).ln();
        self.from + part * (self.to - self.from)
    }

    /// The smallest and the largest number of the axis.
    pub(super) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The powers of ten on the axis, or the powers of two if it has fewer than three powers of ten.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let powers = |base: f64| -> Vec<f64> {
            let (first, last) =
                ((self.low.ln() / base.ln()).ceil() as i32, (self.high.ln() / base.ln()).floor() as i32);
            (first..=last).map(|k| base.powi(k)).collect()
        };
        let tens = powers(10.0);
        if tens.len() < 3 { powers(2.0) } else { tens }
    }
}

/// The label of a number, such as `0.125`, `4` or `1000`.
pub(super) fn label(number: f64) -> String {
    if number >= 1.0 {
        return format!("{number:.0}");
    }
    // Powers of two below an eighth are fractions, such as 1/16. Other powers of two and ten have few decimal digits.
    let inverse = (1.0 / number).round();
    if inverse >= 16.0 && (inverse.log2().fract() == 0.0) { format!("1/{inverse}") } else { format!("{number}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_monotonic_between_the_ends() {
        let axis = LogAxis::around([0.5, 200.0, 7.0].into_iter(), (100.0, 0.0));
        assert!(axis.at(0.5) < 100.0 && axis.at(0.5) > axis.at(7.0) && axis.at(200.0) > 0.0);
        let (low, high) = axis.ends();
        assert_eq!((axis.at(low).round(), axis.at(high).round()), (100.0, 0.0));
        assert_eq!(axis.ticks(), [1.0, 10.0, 100.0]);
        assert_eq!(LogAxis::around([1.0, 9.0].into_iter(), (0.0, 1.0)).ticks(), [1.0, 2.0, 4.0, 8.0]);
    }

    #[test]
    fn an_axis_without_numbers_is_finite() {
        let axis = LogAxis::around([f64::NAN, 0.0].into_iter(), (0.0, 1.0));
        assert!(axis.at(5.0).is_finite() && !axis.ticks().is_empty());
    }

    #[test]
    fn labels_are_short() {
        assert_eq!([0.125, 0.0625, 4.0, 1000.0, 0.1].map(label), ["0.125", "1/16", "4", "1000", "0.1"]);
    }
}
