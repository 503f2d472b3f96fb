//! Decimal text as a number that is rounded once, to whatever dtype it takes.

use std::cmp::Ordering;

/// A number, given by the nearest f64 and by the side of that f64 on which the number lies.
///
/// This is enough to round the number once to a narrower dtype. The f64 lies on the same side of every tie as the number, or
/// it is a tie; then the side decides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decimal {
    /// The nearest f64; infinite where the number is past f64.
    pub(super) nearest: f64,
    /// How the magnitude of the number compares with that of `nearest`; of a float, `Equal` also where that changes no rounding.
    pub(super) side: Ordering,
    /// Whether it is an integer, which for promotion is another kind than a float.
    pub(super) is_integer: bool,
}

impl Decimal {
    /// An integer past 128 bits, by the nearest f64. No dtype holds it but floats.
    pub fn integer(nearest: f64, side: Ordering) -> Decimal {
        Decimal { nearest, side, is_integer: true }
    }

    pub(super) fn negative(self) -> Decimal {
        Decimal { nearest: -self.nearest, ..self }
    }
}

/// The bits of an f64 that lie below every tie of a narrower dtype: 53 less the 24 of f32 and one for its ties.
const BELOW_TIES: u64 = (1 << 28) - 1;

/// Reads digits, without a sign. The side is only found where it decides a rounding, and for integers, which are compared.
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

/// How the number that a text says compares with a positive f64, exactly.
fn compare(text: &str, number: f64) -> Ordering {
    let lowest = number.to_bits().trailing_zeros().min(52) as i32 - 1075 + ((number.to_bits() >> 52).max(1) as i32);
    // A power of two below 1 has as many decimals as its exponent says.
    let exact = format!("{number:.*}", usize::try_from(-lowest).unwrap_or(0));
    let ((text, text_point), (exact, exact_point)) = (digits(text), digits(&exact));
    text_point.cmp(&exact_point).then_with(|| text.cmp(&exact))
}

/// The digits of a decimal text, without zeros at their ends, and the place of the point among them.
fn digits(text: &str) -> (String, i64) {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let leading = all.len() - all.trim_start_matches('0').len();
    // An exponent of so many digits belongs to a zero or an infinity, which are not compared.
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
    fn the_side_is_exact_where_it_decides() {
        // 2^-149 * 3 / 2, a tie of f32, to its last digit.
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
            ("1e23", Ordering::Equal), // does not decide: the f64 has bits below every tie
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
