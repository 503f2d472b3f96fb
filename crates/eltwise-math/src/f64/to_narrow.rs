//! Functions of `f64` whose results may be rounded again, to `f32`, `f16` or `bf16`.
//!
//! Rounding twice can differ from rounding once: if the `f64` result is the midpoint of two narrower floats, the second
//! rounding does not know on which side of it the exact value is. These functions avoid that in the manner of round to
//! odd (Boldo and Melquiond 2008, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to
//! odd"): a result that may be such a midpoint and is not exact is replaced by its neighbour toward the exact value, at
//! most 1 ULP away ([`Vector::plus_sticky`](crate::Vector::plus_sticky)). Rounding the result to a narrower dtype then
//! rounds the exact value.
//!
//! The functions of [`f64`](crate::f64) round to nearest instead, as `f64` users expect: cos(0) is 1, not its
//! neighbour. A function that is not in this module has no such results, or a few that its callers know
//! ([`correctly_rounded`](crate::correctly_rounded)).

use eltwise_simd::WideLanes;

use crate::vector::F64;

// One row per function: `module function(operands) implementation;`. The row `log log(x) log_to;` expands to
//
//     /// [`log`](super::log()), for a result that is rounded to a narrower dtype next.
//     #[inline(always)]
//     pub fn log<L: WideLanes>(x: F64<L>) -> F64<L> { super::log::log_to::<true, L>(x) }
macro_rules! functions {
    ($($module:ident $name:ident($($x:ident),*) $of:ident;)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), "()), for a result that is rounded to a narrower dtype next.")]
        #[inline(always)]
        pub fn $name<L: WideLanes>($($x: F64<L>),*) -> F64<L> {
            super::$module::$of::<true, L>($($x),*)
        }
    )*};
}

functions! {
    log log(x) log_to;
    log log10(x) log10_to;
    log log1p(x) log1p_to;
    logaddexp logaddexp(x, y) logaddexp_to;
    logaddexp logaddexp2(x, y) logaddexp2_to;
    trigonometric sin(x) sin_to;
    trigonometric cos(x) cos_to;
    inverse_trigonometric asin(x) asin_to;
    inverse_trigonometric acos(x) acos_to;
    inverse_trigonometric atan(x) atan_to;
    inverse_trigonometric atan2(y, x) atan2_to;
    hypot hypot(x, y) hypot_to;
    inverse_hyperbolic asinh(x) asinh_to;
    inverse_hyperbolic acosh(x) acosh_to;
    inverse_hyperbolic atanh(x) atanh_to;
    erf erfc(x) erfc_to;
    sigmoid sigmoid(x) sigmoid_to;
    silu silu(x) silu_to;
    gelu gelu(x) gelu_to;
    gelu_tanh gelu_tanh(x) gelu_tanh_to;
    elu elu(x, alpha) elu_to;
    elu selu(x) selu_to;
    elu celu(x, alpha) celu_to;
    softcap softcap(x, c) softcap_to;
}
