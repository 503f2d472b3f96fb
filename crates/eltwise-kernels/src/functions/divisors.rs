//! gcd, lcm, each on one element.

use super::each::Each2;

/// The greatest common divisor.
pub struct Gcd;
/// The least common multiple.
pub struct Lcm;

macro_rules! divisors {
    ($($t:ident $unsigned:ident $magnitude:expr;)*) => {$(
        impl Each2<$t> for Gcd {
            #[inline(always)]
            fn each(x: $t, y: $t) -> $t {
                // Stein's: odd numbers, whose difference is even, until they are equal.
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
            }
        }
        impl Each2<$t> for Lcm {
            #[inline(always)]
            fn each(x: $t, y: $t) -> $t {
                let divisor = <Gcd as Each2<$t>>::each(x, y) as $unsigned;
                if divisor == 0 { 0 } else { ($magnitude(x) / divisor).wrapping_mul($magnitude(y)) as $t }
            }
        }
    )*};
}

divisors! {
    i8 u8 i8::unsigned_abs; i16 u16 i16::unsigned_abs; i32 u32 i32::unsigned_abs; i64 u64 i64::unsigned_abs;
    u8 u8 u8::from; u16 u16 u16::from; u32 u32 u32::from; u64 u64 u64::from;
}
