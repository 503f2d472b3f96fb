//! Math functions of single numbers, for folding constants. They return the same bits as the kernels.

use eltwise_math::Vector;
use eltwise_simd::OneLane;

/// `x^y` with an error of at most 0.57 ULP: the bits of [`Op::Pow`](eltwise_core::Op::Pow) over `f64`, on every ISA.
pub fn pow(x: f64, y: f64) -> f64 {
    let lane = |x| Vector::<f64, OneLane>::new(OneLane, [x]);
    let [power] = eltwise_math::f64::pow(lane(x), lane(y)).replace_nan(f64::NAN).raw();
    power
}
