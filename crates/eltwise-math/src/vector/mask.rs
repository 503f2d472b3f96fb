//! Selection and logic on [`Mask`].

use core::ops::{BitAnd, BitOr, BitXor, Not};

use eltwise_simd::lanes::Lanes;
use eltwise_simd::{Element, MathLanes};

use super::{Bits, Mask, Operand, Vector};

impl<C: Element, L: MathLanes<C>> Mask<C, L> {
    /// `a` where the mask is set, else `b`.
    #[inline(always)]
    pub fn select(self, a: impl Into<Operand<C, L>>, b: impl Into<Operand<C, L>>) -> Vector<C, L> {
        let (a, b) = (a.into().vector(self.lanes), b.into().vector(self.lanes));
        Vector { lanes: self.lanes, v: Lanes::<C>::select(self.lanes, self.m, a, b) }
    }
    /// The integers of `a` where the mask is set, else of `b`.
    #[inline(always)]
    pub fn select_bits(self, a: Bits<C, L>, b: Bits<C, L>) -> Bits<C, L> {
        Bits { lanes: self.lanes, i: self.lanes.int_select(self.m, a.i, b.i) }
    }
    /// Whether any lane is set.
    #[inline(always)]
    pub fn any(self) -> bool {
        Lanes::<C>::any(self.lanes, self.m)
    }
}

impl<C: Element, L: MathLanes<C>> BitAnd for Mask<C, L> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, b: Self) -> Self {
        Mask { m: Lanes::<C>::mask_and(self.lanes, self.m, b.m), ..self }
    }
}

impl<C: Element, L: MathLanes<C>> BitOr for Mask<C, L> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, b: Self) -> Self {
        Mask { m: Lanes::<C>::mask_or(self.lanes, self.m, b.m), ..self }
    }
}

impl<C: Element, L: MathLanes<C>> BitXor for Mask<C, L> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, b: Self) -> Self {
        Mask { m: Lanes::<C>::mask_xor(self.lanes, self.m, b.m), ..self }
    }
}

impl<C: Element, L: MathLanes<C>> Not for Mask<C, L> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Mask { m: Lanes::<C>::mask_not(self.lanes, self.m), ..self }
    }
}
