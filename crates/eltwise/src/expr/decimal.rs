//! [`Decimal`]: a decimal number from text that can be rounded once, directly to any float dtype.

use std::cmp::Ordering;

/// A number, as its nearest f64 and the side of that f64 on which the number is.
///
/// This is enough to round the number to a narrower dtype without double rounding: the f64 is on the same side of every
/// tie of that dtype as the number, or it is the tie, and then the side decides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decimal {
    /// The nearest f64; infinite if the number is beyond the range of f64.
    pub(super) nearest: f64,
    /// The order of the magnitudes of the number and of `nearest`. For a float it is also `Equal` if it decides no rounding.
    pub(super) side: Ordering,
    /// Whether the number is an integer, which promotes differently than a float.
    pub(super) is_integer: bool,
}

impl Decimal {
    /// An integer beyond 128 bits: its nearest f64, and the order of the magnitudes of the integer and of that f64. Only
    /// float dtypes can hold it.
    pub fn integer(nearest: f64, side: Ordering) -> Decimal {
        Decimal { nearest, side, is_integer: true }
    }

    pub(super) fn negative(self) -> Decimal {
        Decimal { nearest: -self.nearest, ..self }
    }
}

/// The fraction bits of an f64 below every tie of a narrower dtype: its 53 bits minus the 24 of f32 and one bit for ties.
const BELOW_TIES: u64 = (1 << 28) - 1;

/// Parses a decimal number without a sign. Finds the side only if it decides a rounding, and for integers, which
/// comparisons need exactly.
pub(super) fn read(text: &str, is_integer: bool) -> Decimal {
    let nearest: f64 = text.parse().unwrap_or(f64::NAN);
    let side = match nearest {
        f64::INFINITY => Ordering::Less,
        0.0 => Ordering::Equal,
        _ if !is_integer && nearest.to_bits() & BELOW_TIES != 0 => Ordering::Equal,
        _ => compare(text, nearest),
    };
    Decimal { nearest, side, is_integer }
}

/// The exact order of the number in `text` and a positive f64.
fn compare(text: &str, number: f64) -> Ordering {
    let lowest = number.to_bits().trailing_zeros().min(52) as i32 - 1075 + ((number.to_bits() >> 52).max(1) as i32);
    // 2^-n has n decimals.
    let exact = format!("{number:.*}", usize::try_from(-lowest).unwrap_or(0));
    let ((text, text_point), (exact, exact_point)) = (digits(text), digits(&exact));
    text_point.cmp(&exact_point).then_with(|| text.cmp(&exact))
}

/// The digits of a decimal number without leading and trailing zeros, and the position of the point relative to them.
fn digits(text: &str) -> (String, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let leading = all.len() - all.trim_start_matches('0').len();
    // An exponent that does not parse is that of a zero or an infinity, which are not compared.
    let exponent: i64 = exponent.parse().unwrap_or_default();
    let point = whole.len() as i64 - leading as i64 + exponent;
    (all.trim_matches('0').to_string(), point)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(text: &str) -> Ordering {
        read(text, false).side
    }

    #[test]
    fn the_side_is_exact_if_it_decides_a_rounding() {
        // All digits of 2^-149 * 3 / 2, a tie of f32.
        let tie = format!("{:.160}", 1.5 * f64::from(f32::from_bits(1)));
        assert_eq!(read("1e400", false).nearest, f64::INFINITY);
        for (text, expected) in [
            ("0.5", Ordering::Equal),
            ("1e3", Ordering::Equal),
            ("1.0000000", Ordering::Equal),
            ("00.50e-0", Ordering::Equal),
            ("5000000000000000000000000e-25", Ordering::Equal),
            ("0.50000000000000000000000000001", Ordering::Greater),
            ("0.49999999999999999999999999999", Ordering::Less),
            ("17.328679084777833", Ordering::Greater),
            ("1e23", Ordering::Equal), // decides nothing: the f64 has bits below every tie
            ("0e999999999999999999999", Ordering::Equal),
            (&tie, Ordering::Equal),
            (&format!("{tie}1"), Ordering::Greater),
            (&format!("{}9999", &tie[..tie.trim_end_matches('0').len() - 1]), Ordering::Greater),
            ("1e-400", Ordering::Equal),
        ] {
            assert_eq!(side(text), expected, "{text}");
        }
    }
}
