//! Operators that chains have: [`is_link`]. A *chain* is steps that one kernel computes in registers.

use crate::dtype::DType;
use crate::op::Op;

/// The most operators of a chain.
pub const MAX_LINKS: usize = 16;

/// Calls `$callback!` with the operators that chains have, each with its adapter: `Unary`, `Binary` or `Ternary`.
///
/// They are the ones that take a few instructions. A longer one is a kernel of its own: its time hides that of loads and stores.
#[macro_export]
macro_rules! chain_operators {
    ($callback:ident) => {
        $callback! {
            (Unary Abs) (Unary Ceil) (Unary Floor) (Unary HardSwish) (Unary Negative) (Unary Reciprocal) (Unary Relu) (Unary Relu6) (Unary Round)
            (Unary Sqrt) (Unary Square) (Unary Trunc)
            (Binary AbsDifference) (Binary Add) (Binary Divide) (Binary LeakyRelu) (Binary Maximum) (Binary Minimum) (Binary Multiply)
            (Binary Prelu) (Binary SquaredDifference) (Binary Subtract)
            (Ternary Clamp) (Ternary Fma) (Ternary HardSigmoid)
        }
    };
}

macro_rules! list {
    ($(($adapter:ident $op:ident))*) => {
        const OPERATORS: &[Op] = &[$(Op::$op),*];
    };
}

chain_operators!(list);

/// Whether an operator over operands and results of a dtype can be part of a chain.
pub fn is_link(op: Op, dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64) && OPERATORS.contains(&op)
}
