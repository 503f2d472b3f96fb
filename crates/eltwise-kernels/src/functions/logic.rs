//! logical_* over truth values, bitwise_* over bits.

use eltwise_simd::lanes::{Element, IntLanes, Lanes};

use super::{Same1, Same2, Test1, Test2};

/// Not 0; NaN is true.
#[inline(always)]
fn truth<C: Element, L: Lanes<C>>(l: L, a: L::V) -> L::M {
    l.ne(a, l.splat(C::ZERO))
}

#[inline(always)]
fn falsehood<C: Element, L: Lanes<C>>(l: L, a: L::V) -> L::M {
    l.eq(a, l.splat(C::ZERO))
}

/// Both are true.
pub struct LogicalAnd;
impl<C: Element, L: Lanes<C>> Test2<C, L> for LogicalAnd {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::M {
        l.mask_and(truth(l, a), truth(l, b))
    }
}

/// One or both are true.
pub struct LogicalOr;
impl<C: Element, L: Lanes<C>> Test2<C, L> for LogicalOr {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::M {
        l.mask_or(truth(l, a), truth(l, b))
    }
}

/// Exactly one is true.
pub struct LogicalXor;
impl<C: Element, L: Lanes<C>> Test2<C, L> for LogicalXor {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::M {
        l.mask_xor(truth(l, a), truth(l, b))
    }
}

/// x is false.
pub struct LogicalNot;
impl<C: Element, L: Lanes<C>> Test1<C, L> for LogicalNot {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::M {
        falsehood(l, a)
    }
}

/// x & y
pub struct BitwiseAnd;
impl<C: Element, L: IntLanes<C>> Same2<C, L> for BitwiseAnd {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.and(a, b)
    }
}

/// x | y
pub struct BitwiseOr;
impl<C: Element, L: IntLanes<C>> Same2<C, L> for BitwiseOr {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.or(a, b)
    }
}

/// x ^ y
pub struct BitwiseXor;
impl<C: Element, L: IntLanes<C>> Same2<C, L> for BitwiseXor {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.xor(a, b)
    }
}

/// Every bit turned.
pub struct BitwiseNot;
impl<C: Element, L: IntLanes<C>> Same1<C, L> for BitwiseNot {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.not(a)
    }
}
