//! `+ - * /` on [`Vector`]. An operand is a vector or a number for every lane ([`Operand`]).

use core::ops::{Add, Div, Mul, Sub};

use eltwise_simd::lanes::Lanes;
use eltwise_simd::{Element, MathLanes};

use super::Vector;

/// A vector, or one number for every lane.
pub enum Operand<C: Element, L: MathLanes<C>> {
    /// A vector.
    Lanes(Vector<C, L>),
    /// One number.
    Number(C),
}

impl<C: Element, L: MathLanes<C>> Operand<C, L> {
    #[inline(always)]
    pub(super) fn vector(self, lanes: L) -> <L as Lanes<C>>::V {
        match self {
            Operand::Lanes(vector) => vector.v,
            Operand::Number(c) => Lanes::<C>::splat(lanes, c),
        }
    }
}

impl<C: Element, L: MathLanes<C>> From<Vector<C, L>> for Operand<C, L> {
    #[inline(always)]
    fn from(v: Vector<C, L>) -> Self {
        Operand::Lanes(v)
    }
}

macro_rules! numbers {
    ($($c:ident)*) => {$(
        impl<L: MathLanes<$c>> From<$c> for Operand<$c, L> {
            #[inline(always)]
            fn from(c: $c) -> Self {
                Operand::Number(c)
            }
        }
    )*};
}

numbers!(f32 f64);

macro_rules! operators {
    ($($trait:ident $method:ident [$($of:ident)::*];)*) => {$(
        impl<C: Element, L: MathLanes<C>, B: Into<Operand<C, L>>> $trait<B> for Vector<C, L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: B) -> Self {
                let b = b.into().vector(self.lanes);
                Vector { v: $($of)::*::<C>::$method(self.lanes, self.v, b), ..self }
            }
        }
    )*};
}

operators! {
    Add add [Lanes];
    Sub sub [Lanes];
    Mul mul [Lanes];
    Div div [eltwise_simd::BasicFloatLanes];
}
