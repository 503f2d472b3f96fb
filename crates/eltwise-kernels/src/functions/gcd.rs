//! gcd, lcm, written for one element ([`per_element`](super::per_element)).

use super::per_element::{PerElement2, element_function};

/// The greatest common divisor of the magnitudes; `gcd(x, 0) = |x|`.
pub struct Gcd;
/// The least common multiple of the magnitudes, wrapping; `lcm(x, 0) = 0`.
pub struct Lcm;

macro_rules! divisors {
    ($($t:ident $unsigned:ident $magnitude:expr;)*) => {$(
        element_function!(PerElement2 Gcd(x, y: $t) => {
            // Stein's binary algorithm: subtract odd numbers, whose difference is even, until they are equal.
            let (mut a, mut b): ($unsigned, $unsigned) = ($magnitude(x), $magnitude(y));
            if a == 0 || b == 0 {
                return (a | b) as $t;
            }
            let twos = (a | b).trailing_zeros();
            a >>= a.trailing_zeros();
            while b != 0 {
                b >>= b.trailing_zeros();
                (a, b) = (a.min(b), a.abs_diff(b));
            }
            (a << twos) as $t
        });
        element_function!(PerElement2 Lcm(x, y: $t) => {
            let divisor = <Gcd as PerElement2<$t>>::apply(x, y) as $unsigned;
            if divisor == 0 { 0 } else { ($magnitude(x) / divisor).wrapping_mul($magnitude(y)) as $t }
        });
    )*};
}

divisors! {
    i8 u8 i8::unsigned_abs; i16 u16 i16::unsigned_abs; i32 u32 i32::unsigned_abs; i64 u64 i64::unsigned_abs;
    u8 u8 u8::from; u16 u16 u16::from; u32 u32 u32::from; u64 u64 u64::from;
}
