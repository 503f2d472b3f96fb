//! logical_and, logical_or, logical_xor, logical_not over truth values; bitwise_and, bitwise_or, bitwise_xor,
//! bitwise_not.

use eltwise_simd::lanes::{Element, Lanes};

use super::lane_functions;

/// Whether `x` is not 0. A NaN is true.
#[inline(always)]
fn truth<C: Element, L: Lanes<C>>(l: L, x: L::V) -> L::M {
    l.ne(x, l.splat(C::ZERO))
}

lane_functions! {
    /// Both are true.
    LogicalAnd: BinaryPredicate(l: Lanes, x, y) -> M, SIGN_AGNOSTIC => l.mask_and(truth(l, x), truth(l, y));
    /// At least one is true.
    LogicalOr: BinaryPredicate(l: Lanes, x, y) -> M, SIGN_AGNOSTIC => l.mask_or(truth(l, x), truth(l, y));
    /// Exactly one is true.
    LogicalXor: BinaryPredicate(l: Lanes, x, y) -> M, SIGN_AGNOSTIC => l.mask_xor(truth(l, x), truth(l, y));
    /// `x` is false.
    LogicalNot: UnaryPredicate(l: Lanes, x) -> M, SIGN_AGNOSTIC => l.eq(x, l.splat(C::ZERO));
    /// `x & y`
    BitwiseAnd: BinaryOp(l: IntLanes, x, y) -> V, SIGN_AGNOSTIC => l.and(x, y);
    /// `x | y`
    BitwiseOr: BinaryOp(l: IntLanes, x, y) -> V, SIGN_AGNOSTIC => l.or(x, y);
    /// `x ^ y`
    BitwiseXor: BinaryOp(l: IntLanes, x, y) -> V, SIGN_AGNOSTIC => l.xor(x, y);
    /// `!x`: every bit inverted.
    BitwiseNot: UnaryOp(l: IntLanes, x) -> V, SIGN_AGNOSTIC => l.not(x);
}
