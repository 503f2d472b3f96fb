//! Kernels of `f16` that compute in `f16`, of the levels that have arithmetic on it: all that such a level has of its own.
//!
//! An operator is here if its lane function rounds once, or not at all: then the bits are those of `f32` and one rounding
//! (see [`native_half`](eltwise_simd::native_half)). `fma`, `squared_difference` or `softsign` round twice in `f16`, and
//! stay with the level below, as everything else does; so do quotients and roots where the level is slow at them, and what
//! only turns signs ([`halves`](crate::halves)).

use eltwise_plan::{DType, Op};
use eltwise_simd::{NativeHalf, NativeHalfLanes, Token};
use half::f16;

use crate::abi::Kernel;
use crate::body::map::Map;
use crate::body::test::Test;
use crate::functions::{self, Binary, Lanewise, LanewiseTest, Ternary, Unary};
use crate::table::rows;

/// The kernel of `op` on `f16`, if it is one of these.
pub(crate) fn kernel<L: Token + NativeHalfLanes>(op: Op, dtype: DType) -> Option<Kernel> {
    if dtype != DType::F16 {
        return None;
    }
    if matches!(op, Op::Divide | Op::Reciprocal | Op::Sqrt) && !L::FAST_QUOTIENTS {
        return None;
    }
    match op {
        Op::Add => map::<Binary<functions::Add>, L>(),
        Op::Subtract => map::<Binary<functions::Subtract>, L>(),
        Op::Multiply => map::<Binary<functions::Multiply>, L>(),
        Op::Divide => map::<Binary<functions::Divide>, L>(),
        Op::Maximum => map::<Binary<functions::Maximum>, L>(),
        Op::Minimum => map::<Binary<functions::Minimum>, L>(),
        Op::Fmax => map::<Binary<functions::Fmax>, L>(),
        Op::Fmin => map::<Binary<functions::Fmin>, L>(),
        Op::AbsDifference => map::<Binary<functions::AbsDifference>, L>(),
        Op::Prelu | Op::LeakyRelu => map::<Binary<functions::Prelu>, L>(),
        Op::ThresholdedRelu => map::<Binary<functions::ThresholdedRelu>, L>(),
        Op::Heaviside => map::<Binary<functions::Heaviside>, L>(),
        Op::Shrink => map::<Ternary<functions::Shrink>, L>(),
        Op::Clamp | Op::HardTanh => map::<Ternary<functions::Clamp>, L>(),
        Op::Sign => map::<Unary<functions::Sign>, L>(),
        Op::Square => map::<Unary<functions::Square>, L>(),
        Op::Reciprocal => map::<Unary<functions::Reciprocal>, L>(),
        Op::Sqrt => map::<Unary<functions::Sqrt>, L>(),
        Op::Floor => map::<Unary<functions::Floor>, L>(),
        Op::Ceil => map::<Unary<functions::Ceil>, L>(),
        Op::Trunc => map::<Unary<functions::Trunc>, L>(),
        Op::Round => map::<Unary<functions::Round>, L>(),
        Op::RoundHalfAway => map::<Unary<functions::RoundHalfAway>, L>(),
        Op::Relu => map::<Unary<functions::Relu>, L>(),
        Op::Relu6 => map::<Unary<functions::Relu6>, L>(),
        Op::Equal => test::<Binary<functions::Equal>, L>(),
        Op::NotEqual => test::<Binary<functions::NotEqual>, L>(),
        Op::Less => test::<Binary<functions::Less>, L>(),
        Op::LessEqual => test::<Binary<functions::LessEqual>, L>(),
        Op::Greater => test::<Binary<functions::Greater>, L>(),
        Op::GreaterEqual => test::<Binary<functions::GreaterEqual>, L>(),
        Op::LogicalAnd => test::<Binary<functions::LogicalAnd>, L>(),
        Op::LogicalOr => test::<Binary<functions::LogicalOr>, L>(),
        Op::LogicalXor => test::<Binary<functions::LogicalXor>, L>(),
        Op::LogicalNot => test::<Unary<functions::LogicalNot>, L>(),
        Op::IsNan => test::<Unary<functions::IsNan>, L>(),
        Op::IsInf => test::<Unary<functions::IsInf>, L>(),
        Op::IsPosInf => test::<Unary<functions::IsPosInf>, L>(),
        Op::IsNegInf => test::<Unary<functions::IsNegInf>, L>(),
        Op::IsFinite => test::<Unary<functions::IsFinite>, L>(),
        Op::SignBit => test::<Unary<functions::SignBit>, L>(),
        _ => None,
    }
}

fn map<F: Lanewise<f16, L>, L: Token + NativeHalfLanes>() -> Option<Kernel> {
    rows::<L, Map<F, NativeHalf>>()
}

fn test<F: LanewiseTest<f16, L>, L: Token + NativeHalfLanes>() -> Option<Kernel> {
    rows::<L, Test<F, NativeHalf>>()
}
