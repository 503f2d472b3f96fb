//! floor, ceil, trunc, round, round_half_away, of floats; integers stay as they are (see the table).

use eltwise_simd::lanes::{BasicFloatLanes, Element, integral};
use half::f16;

use super::Same1;

macro_rules! by_mode {
    ($($name:ident $mode:ident $doc:literal;)*) => {$(
        #[doc = $doc]
        pub struct $name;
        impl<C: Element, L: BasicFloatLanes<C>> Same1<C, L> for $name {
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::V {
                l.integral::<{ integral::$mode }>(a)
            }
        }
    )*};
}

by_mode! {
    Floor FLOOR "Down.";
    Ceil CEIL "Up.";
    Trunc TRUNC "Toward zero.";
    Round NEAREST "To the nearest, halves to even.";
}

/// To the nearest, halves away from zero: toward zero, of x moved away from it by the number below 1/2. With 1/2
/// itself the sum could round up to the next integer.
pub struct RoundHalfAway;

macro_rules! half_away {
    ($($t:ty: $below_half:expr;)*) => {$(
        impl<L: BasicFloatLanes<$t>> Same1<$t, L> for RoundHalfAway {
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::V {
                let below_half = l.splat($below_half);
                l.integral::<{ integral::TRUNC }>(l.add(a, l.copysign(below_half, a)))
            }
        }
    )*};
}
half_away! {
    f16: f16::from_bits(0x37ff);
    f32: 0.5 - f32::EPSILON / 4.0;
    f64: 0.5 - f64::EPSILON / 4.0;
}
