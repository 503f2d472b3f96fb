//! [`Exponent`]: how a power by one exponent is computed.

/// The largest integer that makes a product.
pub(crate) const MAX_INTEGER: u32 = 64;

/// A class of exponents: how `pow_by` computes a power.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exponent {
    /// An integer from -64 to 64.
    Integer {
        /// The magnitude.
        size: u32,
        /// Whether the integer is negative.
        is_inverse: bool,
    },
    /// 1/2 or -1/2.
    Root {
        /// Whether it is -1/2.
        is_inverse: bool,
    },
    /// Any other number.
    Other,
}

impl Exponent {
    /// The class of an exponent.
    #[inline]
    pub fn of(y: f64) -> Exponent {
        let (size, is_inverse) = (if y < 0.0 { -y } else { y }, y < 0.0);
        if size == 0.5 {
            return Exponent::Root { is_inverse };
        }
        // The conversion saturates, and NaN becomes 0.
        let integer = size as u32;
        if integer <= MAX_INTEGER && f64::from(integer) == size {
            return Exponent::Integer { size: integer, is_inverse };
        }
        Exponent::Other
    }
}

/// `pow_by` of lanes with different exponents: of each class of exponents that some lane has, the power of all lanes. An
/// expression, because functions over lanes are not generic over the dtype.
macro_rules! for_each_exponent {
    ($c:ident: $x:ident, $y:ident) => {{
        let size = $y.abs();
        let is_product = size.trunc().eq(size) & size.le(crate::exponent::MAX_INTEGER as $c);
        let mut power = $x;
        if (!is_product).any() {
            let roots = [false, true].map(|is_inverse| Exponent::Root { is_inverse });
            let ([root], [inverse]) = (pow_by([$x], $y, roots[0]), pow_by([$x], $y, roots[1]));
            let [general] = pow_by([$x], $y, Exponent::Other);
            power = size.eq(0.5).select($y.lt(0.0).select(inverse, root), general);
        }
        let mut n = -(crate::exponent::MAX_INTEGER as i32);
        while n <= crate::exponent::MAX_INTEGER as i32 {
            let is_n = $y.eq(n as $c);
            if is_n.any() {
                let exponent = Exponent::Integer { size: n.unsigned_abs(), is_inverse: n < 0 };
                let [product] = pow_by([$x], $y, exponent);
                power = is_n.select(product, power);
            }
            n += 1;
        }
        power
    }};
}
pub(crate) use for_each_exponent;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_have_classes() {
        let integer = |size, is_inverse| Exponent::Integer { size, is_inverse };
        for (y, class) in [
            (0.0, integer(0, false)),
            (-0.0, integer(0, false)),
            (3.0, integer(3, false)),
            (-64.0, integer(64, true)),
            (0.5, Exponent::Root { is_inverse: false }),
            (-0.5, Exponent::Root { is_inverse: true }),
            (65.0, Exponent::Other),
            (2.5, Exponent::Other),
            (f64::INFINITY, Exponent::Other),
            (f64::NAN, Exponent::Other),
        ] {
            assert_eq!(Exponent::of(y), class, "{y}");
        }
    }
}
