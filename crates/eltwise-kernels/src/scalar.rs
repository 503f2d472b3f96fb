//! Functions of single numbers, for constants that are folded. They return the bits of the kernels.

use eltwise_math::{Vector, double};
use eltwise_simd::OneLane;

/// `x^y`, at most 0.57 ULP, as [`Op::Pow`](eltwise_plan::Op::Pow) of `f64` on every ISA.
pub fn pow(x: f64, y: f64) -> f64 {
    let lane = |x| Vector::<f64, OneLane>::new(OneLane, [x]);
    let [power] = double::pow(lane(x), lane(y)).replace_nan(f64::NAN).raw();
    power
}
