//! Functions of `f64` whose results are rounded to a narrower float next.
//!
//! A result may lie so near to halfway between two narrower floats that it rounds to that half; rounding it again would lose on which
//! side the exact value lies. Here such a result is the next number toward the exact value instead, at most 1 ULP from it (round to odd;
//! Boldo and Melquiond 2008, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd"). That would be wrong
//! for the results of `f64` themselves: cos 0 would not be 1.
//!
//! The functions that are not here have no such results, or single ones that their callers know.

use eltwise_simd::WideLanes;

use super::{activation, error, inverse, inverse_hyperbolic, logarithm, power, sums, trigonometric};
use crate::vector::F64;

// One row a function: `module function(operands) implementation;`.
macro_rules! functions {
    ($($module:ident $name:ident($($x:ident),*) $of:ident;)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), "), for a result that is rounded to a narrower float next.")]
        #[inline(always)]
        pub fn $name<L: WideLanes>($($x: F64<L>),*) -> F64<L> {
            $module::$of::<true, L>($($x),*)
        }
    )*};
}

functions! {
    logarithm log(x) log_to;
    logarithm log10(x) log10_to;
    logarithm log1p(x) log1p_to;
    sums logaddexp(x, y) logaddexp_to;
    sums logaddexp2(x, y) logaddexp2_to;
    trigonometric sin(x) sin_to;
    trigonometric cos(x) cos_to;
    inverse asin(x) asin_to;
    inverse acos(x) acos_to;
    inverse atan(x) atan_to;
    inverse atan2(y, x) atan2_to;
    power hypot(x, y) hypot_to;
    inverse_hyperbolic asinh(x) asinh_to;
    inverse_hyperbolic acosh(x) acosh_to;
    inverse_hyperbolic atanh(x) atanh_to;
    error erfc(x) erfc_to;
    activation sigmoid(x) sigmoid_to;
    activation silu(x) silu_to;
    activation gelu(x) gelu_to;
    activation gelu_tanh(x) gelu_tanh_to;
    activation elu(x, alpha) elu_to;
    activation selu(x) selu_to;
    activation celu(x, alpha) celu_to;
    activation softcap(x, c) softcap_to;
}
