//! floor, ceil, trunc, round, round_half_away of floats. Integers are unchanged (`forms.rs`).

use eltwise_simd::lanes::rounding;

use super::lane_functions;

lane_functions! {
    /// Down.
    Floor: UnaryOp(l: BasicFloatLanes, x) -> V => l.round_to_integral::<{ rounding::FLOOR }>(x);
    /// Up.
    Ceil: UnaryOp(l: BasicFloatLanes, x) -> V => l.round_to_integral::<{ rounding::CEIL }>(x);
    /// Toward zero.
    Trunc: UnaryOp(l: BasicFloatLanes, x) -> V => l.round_to_integral::<{ rounding::TRUNC }>(x);
    /// To the nearest, ties to even.
    Round: UnaryOp(l: BasicFloatLanes, x) -> V => l.round_to_integral::<{ rounding::NEAREST }>(x);
    /// To the nearest, ties away from zero: adds the largest number below 1/2, with the sign of `x`, and truncates. The
    /// sum with 1/2 itself could round up to the next integer.
    RoundHalfAway: UnaryOp(l: BasicFloatLanes<Float>, x) -> V => {
        l.round_to_integral::<{ rounding::TRUNC }>(l.add(x, l.copysign(l.splat(C::BELOW_HALF), x)))
    };
}
