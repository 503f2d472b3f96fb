//! Lane functions of the operators: what each computes on vectors, once for every dtype and ISA, but where 16-bit floats have
//! a form of their own.
//!
//! | module | operators |
//! |---|---|
//! | [`arithmetic`] | add ... multiply, extremes, differences, negative, abs, sign, square, reciprocal, sqrt, clamp, fma, lerp |
//! | [`activations`] | relu, relu6, hard_swish, hard_sigmoid, softsign, prelu, thresholded_relu, shrink, heaviside |
//! | [`division`] | divide, floor_divide, trunc_divide, remainder, fmod of integers; divide of floats |
//! | [`float_remainder`] | floor_divide, remainder, fmod of floats |
//! | [`huge_quotient`] | what huge quotients of floats leave |
//! | [`power`] | pow of integers |
//! | [`saturating`] | saturating_* |
//! | [`divisors`] | gcd, lcm |
//! | [`rounding`] | floor, ceil, trunc, round, round_half_away |
//! | [`classify`] | isnan, isinf, isposinf, isneginf, isfinite, signbit, copysign |
//! | [`exponents`] | scalb, logb, fraction |
//! | [`compare`] | equal ... greater_equal |
//! | [`logic`] | logical_*, bitwise_* |
//! | [`bits`] | shift_*, popcount, leading_zeros, trailing_zeros |
//! | [`next`] | nextafter |
//! | [`halves`] | abs, negative, copysign, maximum, minimum, clamp, relu of 16-bit floats |
//! | [`then`] | one after another: [`Then`] |
//! | [`math`] | everything bounded in ULP: exp, log, sin ... gelu, pow of floats |
//!
//! A function implements one of [`Same1`], [`Same2`], [`Same3`], [`Test1`], [`Test2`] for the compute types it takes;
//! an adapter ([`Unary`] ... ) makes it a [`Lanewise`] function or a [`LanewiseTest`] that the bodies run.

use core::marker::PhantomData;

use eltwise_simd::lanes::{Element, Lanes};

pub mod activations;
pub mod arithmetic;
pub mod bits;
pub mod classify;
pub mod compare;
pub mod division;
pub mod divisors;
pub mod each;
pub mod exponents;
pub mod float_remainder;
pub mod halves;
pub mod huge_quotient;
pub mod logic;
pub mod math;
pub mod next;
pub mod power;
pub mod rounding;
pub mod saturating;
pub mod then;

pub use activations::*;
pub use arithmetic::*;
pub use bits::*;
pub use classify::*;
pub use compare::*;
pub use division::*;
pub use divisors::*;
pub use exponents::*;
pub use logic::*;
pub use math::*;
pub use next::*;
pub use power::*;
pub use rounding::*;
pub use saturating::*;
pub use then::Then;

/// A function of one operand.
pub trait Same1<C: Element, L: Lanes<C>> {
    /// Whether integers have the same result, bit for bit, with a sign and without: they share a kernel then.
    const SIGNLESS: bool = false;
    /// On vectors.
    fn lanes(l: L, a: L::V) -> L::V;
}

/// A function of two operands.
pub trait Same2<C: Element, L: Lanes<C>> {
    /// Whether integers have the same result, bit for bit, with a sign and without: they share a kernel then.
    const SIGNLESS: bool = false;
    /// The data condition it reports, a bit of [`Call::flags`](crate::abi::Call::flags), or 0.
    const CONDITION: u32 = 0;
    /// On vectors.
    fn lanes(l: L, a: L::V, b: L::V) -> L::V;
    /// The lanes that meet the condition.
    #[inline(always)]
    fn condition(l: L, a: L::V, _b: L::V) -> L::M {
        l.lt(a, a)
    }
}

/// A function of three operands.
pub trait Same3<C: Element, L: Lanes<C>> {
    /// Whether integers have the same result, bit for bit, with a sign and without: they share a kernel then.
    const SIGNLESS: bool = false;
    /// On vectors.
    fn lanes(l: L, a: L::V, b: L::V, c: L::V) -> L::V;
}

/// A test of one operand.
pub trait Test1<C: Element, L: Lanes<C>> {
    /// Whether integers have the same result, bit for bit, with a sign and without: they share a kernel then.
    const SIGNLESS: bool = false;
    /// On vectors.
    fn lanes(l: L, a: L::V) -> L::M;
}

/// A test of two operands.
pub trait Test2<C: Element, L: Lanes<C>> {
    /// Whether integers have the same result, bit for bit, with a sign and without: they share a kernel then.
    const SIGNLESS: bool = false;
    /// On vectors.
    fn lanes(l: L, a: L::V, b: L::V) -> L::M;
}

/// A function of up to three operands, as [`Map`](crate::body::map::Map) runs it; operands past `ARITY` are ignored.
pub trait Lanewise<C: Element, L: Lanes<C>> {
    /// How many operands count.
    const ARITY: usize;
    /// See [`Same2::CONDITION`].
    const CONDITION: u32 = 0;
    /// See [`Same2::SIGNLESS`].
    const SIGNLESS: bool = false;
    /// On vectors.
    fn apply(l: L, a: L::V, b: L::V, c: L::V) -> L::V;
    /// See [`Same2::condition`].
    #[inline(always)]
    fn condition(l: L, a: L::V, _b: L::V) -> L::M {
        l.lt(a, a)
    }
}

/// A test of up to two operands, as [`Test`](crate::body::test::Test) runs it.
pub trait LanewiseTest<C: Element, L: Lanes<C>> {
    /// How many operands count.
    const ARITY: usize;
    /// See [`Test2::SIGNLESS`].
    const SIGNLESS: bool = false;
    /// On vectors.
    fn test(l: L, a: L::V, b: L::V) -> L::M;
}

/// Adapts functions and tests of one operand.
pub struct Unary<F>(PhantomData<F>);
/// Adapts functions and tests of two operands.
pub struct Binary<F>(PhantomData<F>);
/// Adapts functions of three operands.
pub struct Ternary<F>(PhantomData<F>);

impl<C: Element, L: Lanes<C>, F: Same1<C, L>> Lanewise<C, L> for Unary<F> {
    const ARITY: usize = 1;
    const SIGNLESS: bool = F::SIGNLESS;
    #[inline(always)]
    fn apply(l: L, a: L::V, _b: L::V, _c: L::V) -> L::V {
        F::lanes(l, a)
    }
}

impl<C: Element, L: Lanes<C>, F: Same2<C, L>> Lanewise<C, L> for Binary<F> {
    const ARITY: usize = 2;
    const CONDITION: u32 = F::CONDITION;
    const SIGNLESS: bool = F::SIGNLESS;
    #[inline(always)]
    fn apply(l: L, a: L::V, b: L::V, _c: L::V) -> L::V {
        F::lanes(l, a, b)
    }
    #[inline(always)]
    fn condition(l: L, a: L::V, b: L::V) -> L::M {
        F::condition(l, a, b)
    }
}

impl<C: Element, L: Lanes<C>, F: Same3<C, L>> Lanewise<C, L> for Ternary<F> {
    const ARITY: usize = 3;
    const SIGNLESS: bool = F::SIGNLESS;
    #[inline(always)]
    fn apply(l: L, a: L::V, b: L::V, c: L::V) -> L::V {
        F::lanes(l, a, b, c)
    }
}

impl<C: Element, L: Lanes<C>, F: Test1<C, L>> LanewiseTest<C, L> for Unary<F> {
    const ARITY: usize = 1;
    const SIGNLESS: bool = F::SIGNLESS;
    #[inline(always)]
    fn test(l: L, a: L::V, _b: L::V) -> L::M {
        F::lanes(l, a)
    }
}

impl<C: Element, L: Lanes<C>, F: Test2<C, L>> LanewiseTest<C, L> for Binary<F> {
    const ARITY: usize = 2;
    const SIGNLESS: bool = F::SIGNLESS;
    #[inline(always)]
    fn test(l: L, a: L::V, b: L::V) -> L::M {
        F::lanes(l, a, b)
    }
}
