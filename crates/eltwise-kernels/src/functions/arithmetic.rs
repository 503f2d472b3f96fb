//! add, subtract, multiply, maximum, minimum, fmax, fmin, squared_difference, abs_difference, negative, abs, sign,
//! square, reciprocal, sqrt, clamp, fma, lerp.
//!
//! `positive`, and `fmax` and `fmin` of integers, use the functions of other operators (`forms.rs`).

use eltwise_simd::HalfLanes;

use super::{BinaryOp, lane_functions};

lane_functions! {
    /// `x + y`
    Add: BinaryOp(l: Lanes, x, y) -> V, SIGN_AGNOSTIC => l.add(x, y);
    /// `x - y`
    Subtract: BinaryOp(l: Lanes, x, y) -> V, SIGN_AGNOSTIC => l.sub(x, y);
    /// `x * y`
    Multiply: BinaryOp(l: Lanes, x, y) -> V, SIGN_AGNOSTIC => l.mul(x, y);
    /// IEEE 754-2019 `maximum`.
    Maximum: BinaryOp(l: Lanes, x, y) -> V => l.maximum(x, y);
    /// IEEE 754-2019 `minimum`.
    Minimum: BinaryOp(l: Lanes, x, y) -> V => l.minimum(x, y);
    /// IEEE 754-2019 `maximumNumber`.
    Fmax: BinaryOp(l: BasicFloatLanes, x, y) -> V => l.select(l.eq(x, x), l.select(l.eq(y, y), l.maximum(x, y), x), y);
    /// IEEE 754-2019 `minimumNumber`.
    Fmin: BinaryOp(l: BasicFloatLanes, x, y) -> V => l.select(l.eq(x, x), l.select(l.eq(y, y), l.minimum(x, y), x), y);
    /// `(x - y) * (x - y)`
    SquaredDifference: BinaryOp(l: Lanes, x, y) -> V, SIGN_AGNOSTIC => {
        let difference = l.sub(x, y);
        l.mul(difference, difference)
    };
    /// `maximum(x, y) - minimum(x, y)`, wrapping. For floats this is `|x - y|`: rounding does not depend on the sign.
    AbsDifference: BinaryOp(l: Lanes, x, y) -> V => l.sub(l.maximum(x, y), l.minimum(x, y));
    /// `-x`
    Negative: UnaryOp(l: Lanes, x) -> V, SIGN_AGNOSTIC => l.neg(x);
    /// `|x|`
    Abs: UnaryOp(l: Lanes, x) -> V => l.abs(x);
    /// 1, -1 or +0; a NaN unchanged.
    Sign: UnaryOp(l: Lanes, x) -> V => {
        let (zero, one) = (l.splat(C::ZERO), l.splat(C::ONE));
        // x + 0 turns -0 into +0 and keeps a NaN.
        l.select(l.lt(zero, x), one, l.select(l.lt(x, zero), l.neg(one), l.add(x, zero)))
    };
    /// `x * x`
    Square: UnaryOp(l: Lanes, x) -> V, SIGN_AGNOSTIC => l.mul(x, x);
    /// `1 / x`
    Reciprocal: UnaryOp(l: BasicFloatLanes, x) -> V => l.div(l.splat(C::ONE), x);
    /// The square root, correctly rounded.
    Sqrt: UnaryOp(l: BasicFloatLanes, x) -> V => l.sqrt_alone(x);
    /// `minimum(maximum(x, lo), hi)`
    Clamp: TernaryOp(l: Lanes, x, lo, hi) -> V => l.minimum(l.maximum(x, lo), hi);
    /// `x * y + z` of floats, rounded once.
    Fma: TernaryOp(l: FloatLanes, x, y, z) -> V => l.fma(x, y, z);
    /// `x * y + z` of integers, wrapping.
    MultiplyAdd: TernaryOp(l: Lanes, x, y, z) -> V, SIGN_AGNOSTIC => l.add(l.mul(x, y), z);
    /// `fma(t, y, fma(-t, x, x))`. It is exact at `t = 0` and `t = 1` if both ends are finite, except for the sign of
    /// zero. `fma(t, y - x, x)` is not, and `y - x` may overflow.
    Lerp: TernaryOp(l: FloatLanes, x, y, t) -> V => l.fma(t, y, l.fma(l.neg(t), x, x));
    /// `x`: `positive`, and casts between stored types of one compute type.
    Identity: UnaryOp(_l: Lanes, x) -> V, SIGN_AGNOSTIC => x;
}

/// `x + y` of `f16` in `f32`, for lanes that were just converted.
pub struct AddConverted;
impl<L: HalfLanes> BinaryOp<f32, L> for AddConverted {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V) -> L::V {
        l.add_converted(x, y)
    }
}

/// `x - y` of `f16` in `f32`, for lanes that were just converted.
pub struct SubtractConverted;
impl<L: HalfLanes> BinaryOp<f32, L> for SubtractConverted {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V) -> L::V {
        l.sub_converted(x, y)
    }
}
