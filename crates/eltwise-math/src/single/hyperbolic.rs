//! sinh, cosh, tanh of `f32`.

use eltwise_simd::WideLanes;

use crate::single::exponential::reduce;
use crate::vector::{F32, F64, horner};

/// `(cosh(r) - 1) / r^2`
const COSH: [f64; 4] = [0.5, 1.0 / 24.0, 1.0 / 720.0, 1.0 / 40320.0];
/// `sinh(r) / r`
const SINH: [f64; 4] = [1.0, 1.0 / 6.0, 1.0 / 120.0, 1.0 / 5040.0];

/// `cosh(r), sinh(r), 2^(n-1) + 2^(-n-1), 2^(n-1) - 2^(-n-1)`
#[inline(always)]
fn parts<L: WideLanes>(x: F64<L>) -> (F64<L>, F64<L>, F64<L>, F64<L>) {
    let (r, n) = reduce(x);
    let half = x.splat(0.5).bits();
    let (up, down) = ((half + n).float(), (half - n).float());
    let square = r * r;
    let cosh = square.mul_add(horner(square, &COSH), 1.0);
    let sinh = r * horner(square, &SINH);
    (cosh, sinh, up + down, up - down)
}

#[inline(always)]
fn sinh_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (cosh, sinh, sum, difference) = parts(x);
    sinh.mul_add(sum, cosh * difference)
}

#[inline(always)]
fn cosh_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (cosh, sinh, sum, difference) = parts(x);
    cosh.mul_add(sum, sinh * difference)
}

/// sinh
#[inline(always)]
pub fn sinh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.splat(-90.0).greatest(x.splat(90.0).least(x)).widen();
    F32::narrow([sinh_wide(low), sinh_wide(high)]).copysign(x)
}

/// cosh
#[inline(always)]
pub fn cosh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.splat(-90.0).greatest(x.splat(90.0).least(x)).widen();
    F32::narrow([cosh_wide(low), cosh_wide(high)])
}
