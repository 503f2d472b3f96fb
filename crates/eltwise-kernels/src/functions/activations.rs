//! relu, relu6, hard_swish, hard_sigmoid, softsign, prelu, thresholded_relu, shrink, hardshrink, heaviside.
//!
//! `leaky_relu` uses `Prelu` and `hard_tanh` uses `Clamp` (`forms.rs`). The formulas are ONNX's, or PyTorch's if
//! ONNX has no such operator; `heaviside` is NumPy's.

use super::lane_functions;

lane_functions! {
    /// `maximum(x, +0)`
    Relu: UnaryOp(l: Lanes, x) -> V => l.maximum(x, l.splat(C::ZERO));
    /// `minimum(maximum(x, +0), 6)`
    Relu6: UnaryOp(l: BasicFloatLanes<Float>, x) -> V => {
        l.minimum(l.maximum(x, l.splat(C::ZERO)), l.splat(C::SIX))
    };
    /// `x * (clamp(x + 3, 0, 6) / 6)`
    HardSwish: UnaryOp(l: FloatLanes<Float>, x) -> V => {
        let six = l.splat(C::SIX);
        let gate = l.minimum(l.maximum(l.add(x, l.splat(C::THREE)), l.splat(C::ZERO)), six);
        l.mul(x, l.div(gate, six))
    };
    /// `x / (1 + |x|)`
    Softsign: UnaryOp(l: FloatLanes, x) -> V => l.div(x, l.add(l.splat(C::ONE), l.abs(x)));
    /// `slope * x` if `x < 0`, else `x`
    Prelu: BinaryOp(l: BasicFloatLanes, x, slope) -> V => l.select(l.lt(x, l.splat(C::ZERO)), l.mul(slope, x), x);
    /// `clamp(fma(alpha, x, beta), 0, 1)`
    HardSigmoid: TernaryOp(l: FloatLanes, x, alpha, beta) -> V => {
        l.minimum(l.maximum(l.fma(alpha, x, beta), l.splat(C::ZERO)), l.splat(C::ONE))
    };
    /// `x` if `x > alpha`, else +0
    ThresholdedRelu: BinaryOp(l: BasicFloatLanes, x, alpha) -> V => l.select(l.lt(alpha, x), x, l.splat(C::ZERO));
    /// `x + bias` if `x < -lambd`, `x - bias` if `x > lambd`, else +0
    Shrink: TernaryOp(l: BasicFloatLanes, x, lambd, bias) -> V => {
        let above = l.select(l.lt(lambd, x), l.sub(x, bias), l.splat(C::ZERO));
        l.select(l.lt(x, l.neg(lambd)), l.add(x, bias), above)
    };
    /// +0 if `|x| <= lambd`, else `x`; a NaN unchanged
    HardShrink: BinaryOp(l: BasicFloatLanes, x, lambd) -> V => l.select(l.le(l.abs(x), lambd), l.splat(C::ZERO), x);
    /// 0 if `x < 0`, `h` if `x` is zero, 1 if `x > 0`; a NaN unchanged
    Heaviside: BinaryOp(l: BasicFloatLanes, x, h) -> V => {
        let zero = l.splat(C::ZERO);
        let not_negative = l.select(l.lt(zero, x), l.splat(C::ONE), l.select(l.eq(x, zero), h, x));
        l.select(l.lt(x, zero), zero, not_negative)
    };
}
