//! isnan, isinf, isposinf, isneginf, isfinite, signbit; and copysign.

use super::lane_functions;

lane_functions! {
    /// `x` is NaN.
    IsNan: UnaryPredicate(l: BasicFloatLanes, x) -> M => l.mask_not(l.eq(x, x));
    /// `x` is an infinity.
    IsInf: UnaryPredicate(l: BasicFloatLanes<Float>, x) -> M => l.eq(l.abs(x), l.splat(C::INFINITY));
    /// `x` is +infinity.
    IsPosInf: UnaryPredicate(l: BasicFloatLanes<Float>, x) -> M => l.eq(x, l.splat(C::INFINITY));
    /// `x` is -infinity.
    IsNegInf: UnaryPredicate(l: BasicFloatLanes<Float>, x) -> M => l.eq(x, l.splat(C::NEG_INFINITY));
    /// `x` is neither an infinity nor NaN.
    IsFinite: UnaryPredicate(l: BasicFloatLanes<Float>, x) -> M => l.lt(l.abs(x), l.splat(C::INFINITY));
    /// The sign bit of `x` is set, also of zeros and NaNs.
    SignBit: UnaryPredicate(l: BasicFloatLanes, x) -> M => l.lt(l.copysign(l.splat(C::ONE), x), l.splat(C::ZERO));
    /// `x` with the sign bit of `y`.
    Copysign: BinaryOp(l: BasicFloatLanes, x, y) -> V => l.copysign(x, y);
}
