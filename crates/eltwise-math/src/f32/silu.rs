//! silu of `f32`: the quotient of `logistic.rs` with `x` as numerator.

use eltwise_simd::WideLanes;

use super::logistic::{UNIT, exp_divisor, quotient, rare_result};
use crate::vector::F32;

/// `x sigmoid(x)`.
///
/// At most 0.9427 ULP (all 2^32 inputs). silu(±0) = ±0, silu(-inf) = -0, silu(+inf) = +inf.
#[inline(always)]
pub fn silu<L: WideLanes>(x: F32<L>) -> F32<L> {
    let live = !x.lt(-109.0);
    let near = live.select(x.splat(20.0).least(x), -0.0);
    let tiny = x.is_tiny();
    if (tiny | (live & !x.ge(-91.5))).any() {
        return x.gt(20.0).select(x, rare_result(x, silu_quotient(tiny.select(1.0, near)), tiny));
    }
    x.gt(20.0).select(x, silu_quotient(near) * UNIT)
}

/// `x sigmoid(x) / UNIT`
#[inline(always)]
fn silu_quotient<L: WideLanes>(x: F32<L>) -> F32<L> {
    // 2^-36 as in sigmoid.
    quotient(x, exp_divisor(x.splat(f32::from_bits(0x2d80_0000)) - x))
}
