//! Lane functions: what each operator computes on vectors, written once for all dtypes and ISAs.
//!
//! Look here for the arithmetic of an operator. A lane function implements one of [`UnaryOp`], [`BinaryOp`],
//! [`TernaryOp`], [`UnaryPredicate`] and [`BinaryPredicate`] for the compute types that it supports. The adapters
//! [`Unary`], [`Binary`] and [`Ternary`] turn it into a [`Lanewise`] function or a [`LanewisePredicate`], which the
//! loop bodies of [`body`](crate::body) run.
//!
//! | module | operators |
//! |---|---|
//! | [`arithmetic`] | add ... multiply, extremes, differences, signs, square, reciprocal, sqrt, clamp, fma, lerp |
//! | [`activations`] | relu, relu6, hard_swish, hard_sigmoid, softsign, prelu, thresholded_relu, shrink, hardshrink, heaviside |
//! | [`angles`] | deg2rad, rad2deg |
//! | [`division`] | divide, floor_divide, trunc_divide, remainder, fmod of integers; divide of floats |
//! | [`float_remainder`] | floor_divide, remainder, fmod of floats |
//! | [`huge_remainder`] | the same, for huge quotients |
//! | [`int_pow`] | pow of integers |
//! | [`saturating`] | saturating_add, saturating_subtract, saturating_multiply |
//! | [`gcd`] | gcd, lcm |
//! | [`rounding`] | floor, ceil, trunc, round, round_half_away |
//! | [`classify`] | isnan, isinf, isposinf, isneginf, isfinite, signbit, copysign |
//! | [`exponents`] | scalb, logb, fraction |
//! | [`compare`] | equal, not_equal, less, less_equal, greater, greater_equal |
//! | [`logic`] | logical and bitwise operators |
//! | [`bits`] | shift_left, shift_right, popcount, leading_zeros, trailing_zeros |
//! | [`nextafter`] | nextafter |
//! | [`half_bits`] | abs, negative, copysign, maximum, minimum, clamp, relu on the bits of 16-bit floats |
//! | [`math`] | every operator bounded in ULP: exp, log, sin, gelu, pow of floats and the rest |
//! | [`then`] | [`Then`]: one lane function after another |
//! | [`per_element`] | lane functions written for one element |
//! | `forms` | operators whose lane function differs between integers, floats and 16-bit floats |

use core::marker::PhantomData;

use eltwise_simd::lanes::{Element, Lanes};
use half::f16;

pub mod activations;
pub mod angles;
pub mod arithmetic;
pub mod bits;
pub mod classify;
pub mod compare;
pub mod division;
pub mod exponents;
pub mod float_remainder;
pub(crate) mod forms;
pub mod gcd;
pub mod half_bits;
pub mod huge_remainder;
pub mod int_pow;
pub mod logic;
pub mod math;
pub mod nextafter;
pub mod per_element;
pub mod rounding;
pub mod saturating;
pub mod then;

pub use activations::*;
pub use angles::*;
pub use arithmetic::*;
pub use bits::*;
pub use classify::*;
pub use compare::*;
pub use division::*;
pub use exponents::*;
pub use gcd::*;
pub use int_pow::*;
pub use logic::*;
pub use math::*;
pub use nextafter::*;
pub use rounding::*;
pub use saturating::*;
pub use then::Then;

/// A float compute type, with the constants that lane functions need.
pub trait Float: Element {
    /// Positive infinity.
    const INFINITY: Self;
    /// Negative infinity.
    const NEG_INFINITY: Self;
    /// 3
    const THREE: Self;
    /// 6
    const SIX: Self;
    /// The largest number below 1/2.
    const BELOW_HALF: Self;
}

macro_rules! floats {
    ($($t:ty, $three:expr, $six:expr, $below_half:expr;)*) => {$(
        impl Float for $t {
            const INFINITY: $t = <$t>::INFINITY;
            const NEG_INFINITY: $t = <$t>::NEG_INFINITY;
            const THREE: $t = $three;
            const SIX: $t = $six;
            const BELOW_HALF: $t = $below_half;
        }
    )*};
}

floats! {
    f16, f16::from_f32_const(3.0), f16::from_f32_const(6.0), f16::from_bits(0x37ff);
    f32, 3.0, 6.0, 0.5 - f32::EPSILON / 4.0;
    f64, 3.0, 6.0, 0.5 - f64::EPSILON / 4.0;
}

/// Lane functions that are one expression, a row each: the name, the trait, the lanes (and a bound of the compute type
/// `C` other than [`Element`]), the operands, the result (vector `V` or mask `M`), and the expression. The row
///
/// ```ignore
/// /// `x + y`
/// Add: BinaryOp(l: Lanes, x, y) -> V, SIGN_AGNOSTIC => l.add(x, y);
/// ```
///
/// expands to
///
/// ```ignore
/// /// `x + y`
/// pub struct Add;
/// impl<C: Element, L: Lanes<C>> BinaryOp<C, L> for Add {
///     const SIGN_AGNOSTIC: bool = true;
///     #[inline(always)]
///     fn lanes(l: L, x: L::V, y: L::V) -> L::V {
///         l.add(x, y)
///     }
/// }
/// ```
macro_rules! lane_functions {
    ($(
        $(#[$doc:meta])*
        $name:ident: $trait:ident($l:ident: $lanes:ident $(<$bound:ident>)?, $($x:ident),+) -> $result:ident
            $(, $flag:ident)? => $value:expr;
    )*) => {$(
        $(#[$doc])*
        pub struct $name;
        impl<C: eltwise_simd::Element $(+ $crate::functions::$bound)?, L: eltwise_simd::lanes::$lanes<C>>
            $crate::functions::$trait<C, L> for $name
        {
            $(const $flag: bool = true;)?
            #[inline(always)]
            fn lanes($l: L, $($x: L::V),+) -> L::$result {
                $value
            }
        }
    )*};
}
use lane_functions;

/// A lane function of one operand.
pub trait UnaryOp<C: Element, L: Lanes<C>> {
    /// Whether signed and unsigned integers give the same bits, so that one kernel covers both.
    const SIGN_AGNOSTIC: bool = false;
    /// Whether it is a chain of many dependent operations: a division of integers, an exponential. Rows of such functions
    /// run backwards where loads would wait for stores.
    const IS_LONG: bool = false;
    /// Computes a vector of results.
    fn lanes(l: L, a: L::V) -> L::V;
}

/// A lane function of two operands.
pub trait BinaryOp<C: Element, L: Lanes<C>> {
    /// See [`UnaryOp::SIGN_AGNOSTIC`].
    const SIGN_AGNOSTIC: bool = false;
    /// The data condition that the function reports, a bit of [`Call::flags`](crate::abi::Call::flags), or 0.
    const CONDITION: u32 = 0;
    /// See [`UnaryOp::IS_LONG`]. Functions that report a condition divide or loop.
    const IS_LONG: bool = Self::CONDITION != 0;
    /// Computes a vector of results.
    fn lanes(l: L, a: L::V, b: L::V) -> L::V;
    /// The lanes that meet the condition.
    #[inline(always)]
    fn condition(l: L, a: L::V, _b: L::V) -> L::M {
        l.lt(a, a)
    }
}

/// A lane function of many vectors and one second operand, which is prepared once: a division by one divisor, a power by one
/// exponent. The results equal those of [`BinaryOp::lanes`].
pub trait ByScalar<C: Element, L: Lanes<C>>: BinaryOp<C, L> {
    /// The number of vectors in a block: 2 or 4.
    const VECTORS: usize;
    /// What is computed from the operand: a divisor and its inverse, for example.
    type Prepared: Copy;
    /// Prepares an operand.
    fn prepare(l: L, b: C) -> Self::Prepared;
    /// Computes `K` vectors of results.
    fn by<const K: usize>(l: L, a: [L::V; K], prepared: &Self::Prepared) -> [L::V; K];
}

/// A lane function of three operands.
pub trait TernaryOp<C: Element, L: Lanes<C>> {
    /// See [`UnaryOp::SIGN_AGNOSTIC`].
    const SIGN_AGNOSTIC: bool = false;
    /// See [`UnaryOp::IS_LONG`].
    const IS_LONG: bool = false;
    /// Computes a vector of results.
    fn lanes(l: L, a: L::V, b: L::V, c: L::V) -> L::V;
}

/// A predicate of one operand.
pub trait UnaryPredicate<C: Element, L: Lanes<C>> {
    /// See [`UnaryOp::SIGN_AGNOSTIC`].
    const SIGN_AGNOSTIC: bool = false;
    /// Computes a mask.
    fn lanes(l: L, a: L::V) -> L::M;
}

/// A predicate of two operands.
pub trait BinaryPredicate<C: Element, L: Lanes<C>> {
    /// See [`UnaryOp::SIGN_AGNOSTIC`].
    const SIGN_AGNOSTIC: bool = false;
    /// Computes a mask.
    fn lanes(l: L, a: L::V, b: L::V) -> L::M;
}

/// A lane function of one to three operands, as [`Map`](crate::body::map::Map) runs it.
pub trait Lanewise<C: Element, L: Lanes<C>> {
    /// The number of operands. Operands past it are ignored.
    const ARITY: usize;
    /// See [`BinaryOp::CONDITION`].
    const CONDITION: u32 = 0;
    /// See [`UnaryOp::SIGN_AGNOSTIC`].
    const SIGN_AGNOSTIC: bool = false;
    /// See [`UnaryOp::IS_LONG`].
    const IS_LONG: bool = false;
    /// Computes a vector of results.
    fn apply(l: L, a: L::V, b: L::V, c: L::V) -> L::V;
    /// See [`BinaryOp::condition`].
    #[inline(always)]
    fn condition(l: L, a: L::V, _b: L::V) -> L::M {
        l.lt(a, a)
    }
}

/// A predicate of one or two operands, as [`Predicate`](crate::body::predicate::Predicate) runs it.
pub trait LanewisePredicate<C: Element, L: Lanes<C>> {
    /// The number of operands. Operands past it are ignored.
    const ARITY: usize;
    /// See [`UnaryOp::SIGN_AGNOSTIC`].
    const SIGN_AGNOSTIC: bool = false;
    /// Computes a mask.
    fn test(l: L, a: L::V, b: L::V) -> L::M;
}

/// Adapts a [`UnaryOp`] or a [`UnaryPredicate`].
pub struct Unary<F>(PhantomData<F>);
/// Adapts a [`BinaryOp`] or a [`BinaryPredicate`].
pub struct Binary<F>(PhantomData<F>);
/// Adapts a [`TernaryOp`].
pub struct Ternary<F>(PhantomData<F>);

impl<C: Element, L: Lanes<C>, F: UnaryOp<C, L>> Lanewise<C, L> for Unary<F> {
    const ARITY: usize = 1;
    const SIGN_AGNOSTIC: bool = F::SIGN_AGNOSTIC;
    const IS_LONG: bool = F::IS_LONG;
    #[inline(always)]
    fn apply(l: L, a: L::V, _b: L::V, _c: L::V) -> L::V {
        F::lanes(l, a)
    }
}

impl<C: Element, L: Lanes<C>, F: BinaryOp<C, L>> Lanewise<C, L> for Binary<F> {
    const ARITY: usize = 2;
    const CONDITION: u32 = F::CONDITION;
    const SIGN_AGNOSTIC: bool = F::SIGN_AGNOSTIC;
    const IS_LONG: bool = F::IS_LONG;
    #[inline(always)]
    fn apply(l: L, a: L::V, b: L::V, _c: L::V) -> L::V {
        F::lanes(l, a, b)
    }
    #[inline(always)]
    fn condition(l: L, a: L::V, b: L::V) -> L::M {
        F::condition(l, a, b)
    }
}

impl<C: Element, L: Lanes<C>, F: TernaryOp<C, L>> Lanewise<C, L> for Ternary<F> {
    const ARITY: usize = 3;
    const SIGN_AGNOSTIC: bool = F::SIGN_AGNOSTIC;
    const IS_LONG: bool = F::IS_LONG;
    #[inline(always)]
    fn apply(l: L, a: L::V, b: L::V, c: L::V) -> L::V {
        F::lanes(l, a, b, c)
    }
}

impl<C: Element, L: Lanes<C>, F: UnaryPredicate<C, L>> LanewisePredicate<C, L> for Unary<F> {
    const ARITY: usize = 1;
    const SIGN_AGNOSTIC: bool = F::SIGN_AGNOSTIC;
    #[inline(always)]
    fn test(l: L, a: L::V, _b: L::V) -> L::M {
        F::lanes(l, a)
    }
}

impl<C: Element, L: Lanes<C>, F: BinaryPredicate<C, L>> LanewisePredicate<C, L> for Binary<F> {
    const ARITY: usize = 2;
    const SIGN_AGNOSTIC: bool = F::SIGN_AGNOSTIC;
    #[inline(always)]
    fn test(l: L, a: L::V, b: L::V) -> L::M {
        F::lanes(l, a, b)
    }
}
