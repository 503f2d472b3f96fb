//! floor, ceil, trunc, round, round_half_away, of floats; integers stay as they are (see the table).

use eltwise_simd::lanes::{Element, FloatLanes, integral};

use super::Same1;

macro_rules! by_mode {
    ($($name:ident $mode:ident $doc:literal;)*) => {$(
        #[doc = $doc]
        pub struct $name;
        impl<C: Element, L: FloatLanes<C>> Same1<C, L> for $name {
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
    ($($t:ty)*) => {$(
        impl<L: FloatLanes<$t>> Same1<$t, L> for RoundHalfAway {
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::V {
                let below_half = l.splat(0.5 - <$t>::EPSILON / 4.0);
                l.integral::<{ integral::TRUNC }>(l.add(a, l.copysign(below_half, a)))
            }
        }
    )*};
}
half_away!(f32 f64);
