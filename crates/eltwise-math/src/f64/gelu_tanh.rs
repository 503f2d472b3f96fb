//! gelu_tanh of `f64`, the approximation of gelu with tanh: `x / (1 + e^-2u)` by `logistic.rs`, `2 u` as a sum of two
//! floats.

use eltwise_simd::WideLanes;

use super::constants::TINY;
use super::double_double::two_product;
use super::exp::clamp;
use super::logistic::{FAR, Quotient, limits, logistic};
use crate::vector::F64;

/// `2 sqrt(2 / pi)`: a multiple of 2^-47, and the remainder.
const TANH_FIRST: [f64; 2] = [f64::from_bits(0x3ff9_8845_33d4_3660), f64::from_bits(0xbcee_e5e0_6987_5fe9)];

/// `2 sqrt(2 / pi) 0.044715` as a sum of two floats.
const TANH_THIRD: [f64; 2] = [f64::from_bits(0x3fb2_444f_2a4d_8b4b), f64::from_bits(0xbc26_c843_a29d_1c70)];

/// gelu with tanh: `x (1 + tanh u) / 2 = x / (1 + e^-2u)`, `u = sqrt(2 / pi) (x + 0.044715 x^3)` with the exact root
/// and decimal (Hendrycks and Gimpel 2016). At most 0.67 ULP (0.79 if the result is subnormal: down to x = -21.55).
///
/// gelu_tanh(±0) = ±0, gelu_tanh(-inf) = -0, gelu_tanh(inf) = inf.
#[inline(always)]
pub fn gelu_tanh<L: WideLanes>(x: F64<L>) -> F64<L> {
    gelu_tanh_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn gelu_tanh_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(19.0))).any() {
        let t = a.lt(TINY).select(1.0, clamp(x, -22.0, 19.0));
        let (w, low) = twice_u(t);
        let quotient = Quotient { factor: Some(t), w, low: Some(low), far: Some(w.lt(FAR)) };
        return limits(x, logistic::<NARROW, L>(quotient), 19.0);
    }
    let (w, low) = twice_u(x);
    logistic::<NARROW, L>(Quotient { factor: Some(x), w, low: Some(low), far: None })
}

/// `2 u` as a sum of two floats; the second is up to 2 ULP of the first.
#[inline(always)]
fn twice_u<L: WideLanes>(t: F64<L>) -> (F64<L>, F64<L>) {
    let square = two_product(t, t);
    let inner = square.hi.mul_add(TANH_THIRD[0], t.splat(TANH_FIRST[0]));
    // The difference is exact, because TANH_FIRST is short.
    let lost = square.hi.mul_add(TANH_THIRD[0], t.splat(TANH_FIRST[0]) - inner);
    let rest = square.lo.mul_add(TANH_THIRD[0], square.hi.mul_add(TANH_THIRD[1], t.splat(TANH_FIRST[1])));
    let w = t * inner;
    (w, t.mul_add(lost + rest, t.mul_sub(inner, w)))
}
