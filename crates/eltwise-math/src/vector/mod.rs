//! Vectors with operators, so that the math functions read like formulas.
//!
//! [`Vector`] pairs the registers of one ISA with its token. [`Mask`] is the result of a comparison, [`Bits`] the same
//! lanes as integers. Every operation is exact or one correctly rounded IEEE operation, as [`MathLanes`] promises:
//! `a * b + c` rounds twice, [`Vector::mul_add`] once.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the three types and the methods of [`Vector`] |
//! | `mask.rs` | selection and logic on [`Mask`] |
//! | `bits.rs` | integer operations on [`Bits`] |
//! | `operators.rs` | [`Operand`], the `+ - * /` of [`Vector`], numbers as operands |

use core::ops::Neg;

use eltwise_simd::lanes::{Lanes, rounding};
use eltwise_simd::{Element, MathLanes, WideLanes};

mod bits;
mod mask;
mod operators;

pub use operators::Operand;

/// A vector of `C` at the level of `L`.
pub struct Vector<C: Element, L: MathLanes<C>> {
    lanes: L,
    v: <L as Lanes<C>>::V,
}

/// One truth value per lane of a [`Vector`].
pub struct Mask<C: Element, L: MathLanes<C>> {
    lanes: L,
    m: <L as Lanes<C>>::M,
}

/// The bits of a [`Vector`], as integers of the width of `C`.
pub struct Bits<C: Element, L: MathLanes<C>> {
    lanes: L,
    i: <L as MathLanes<C>>::I,
}

/// A vector of `f32`.
pub type F32<L> = Vector<f32, L>;

/// A vector of `f64`.
pub type F64<L> = Vector<f64, L>;

macro_rules! copies {
    ($($t:ident)*) => {$(
        impl<C: Element, L: MathLanes<C>> Clone for $t<C, L> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<C: Element, L: MathLanes<C>> Copy for $t<C, L> {}
    )*};
}

copies!(Vector Mask Bits);

impl<C: Element, L: MathLanes<C>> Vector<C, L> {
    /// Wraps the registers of an ISA.
    #[inline(always)]
    pub fn new(lanes: L, v: <L as Lanes<C>>::V) -> Self {
        Vector { lanes, v }
    }
    /// The registers.
    #[inline(always)]
    pub fn raw(self) -> <L as Lanes<C>>::V {
        self.v
    }
    /// The ISA token.
    #[inline(always)]
    pub fn lanes(self) -> L {
        self.lanes
    }
    /// `c` in every lane.
    #[inline(always)]
    pub fn splat(self, c: C) -> Self {
        Vector { v: Lanes::<C>::splat(self.lanes, c), ..self }
    }
    /// `self * b + c`, rounded once.
    #[inline(always)]
    pub fn mul_add(self, b: impl Into<Operand<C, L>>, c: impl Into<Operand<C, L>>) -> Self {
        let (b, c) = (b.into().vector(self.lanes), c.into().vector(self.lanes));
        Vector { v: self.lanes.fma(self.v, b, c), ..self }
    }
    /// `c - self * b`, rounded once.
    #[inline(always)]
    pub fn neg_mul_add(self, b: impl Into<Operand<C, L>>, c: impl Into<Operand<C, L>>) -> Self {
        let (b, c) = (b.into().vector(self.lanes), c.into().vector(self.lanes));
        Vector { v: self.lanes.fnma(self.v, b, c), ..self }
    }
    /// `self * b - c`, rounded once.
    #[inline(always)]
    pub fn mul_sub(self, b: impl Into<Operand<C, L>>, c: impl Into<Operand<C, L>>) -> Self {
        let (b, c) = (b.into().vector(self.lanes), c.into().vector(self.lanes));
        Vector { v: self.lanes.fma(self.v, b, Lanes::<C>::neg(self.lanes, c)), ..self }
    }
    /// The absolute value.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Vector { v: Lanes::<C>::abs(self.lanes, self.v), ..self }
    }
    /// The square root, correctly rounded.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Vector { v: self.lanes.sqrt(self.v), ..self }
    }
    /// The nearest integer, ties to even.
    #[inline(always)]
    pub fn round(self) -> Self {
        Vector { v: self.lanes.round_to_integral::<{ rounding::NEAREST }>(self.v), ..self }
    }
    /// The integer part: rounds toward zero.
    #[inline(always)]
    pub fn trunc(self) -> Self {
        Vector { v: self.lanes.round_to_integral::<{ rounding::TRUNC }>(self.v), ..self }
    }
    /// The largest integer that is not greater.
    #[inline(always)]
    pub fn floor(self) -> Self {
        Vector { v: self.lanes.round_to_integral::<{ rounding::FLOOR }>(self.v), ..self }
    }
    /// `self` with the sign of `sign`.
    #[inline(always)]
    pub fn copysign(self, sign: Self) -> Self {
        Vector { v: self.lanes.copysign(self.v, sign.v), ..self }
    }
    /// `self < b ? self : b`: `b` if either is NaN.
    #[inline(always)]
    pub fn least(self, b: impl Into<Operand<C, L>>) -> Self {
        Vector { v: self.lanes.least(self.v, b.into().vector(self.lanes)), ..self }
    }
    /// `self > b ? self : b`: `b` if either is NaN.
    #[inline(always)]
    pub fn greatest(self, b: impl Into<Operand<C, L>>) -> Self {
        Vector { v: self.lanes.greatest(self.v, b.into().vector(self.lanes)), ..self }
    }
    /// `2^self`, for integers that are exponents of normal numbers; unspecified for other values.
    #[inline(always)]
    pub fn power_of_two(self) -> Self {
        Vector { v: self.lanes.power_of_two(self.v), ..self }
    }
    /// `self < b`
    #[inline(always)]
    pub fn lt(self, b: impl Into<Operand<C, L>>) -> Mask<C, L> {
        Mask { lanes: self.lanes, m: self.lanes.lt(self.v, b.into().vector(self.lanes)) }
    }
    /// `self <= b`
    #[inline(always)]
    pub fn le(self, b: impl Into<Operand<C, L>>) -> Mask<C, L> {
        Mask { lanes: self.lanes, m: self.lanes.le(self.v, b.into().vector(self.lanes)) }
    }
    /// `self > b`
    #[inline(always)]
    pub fn gt(self, b: impl Into<Operand<C, L>>) -> Mask<C, L> {
        Mask { lanes: self.lanes, m: self.lanes.lt(b.into().vector(self.lanes), self.v) }
    }
    /// `self >= b`
    #[inline(always)]
    pub fn ge(self, b: impl Into<Operand<C, L>>) -> Mask<C, L> {
        Mask { lanes: self.lanes, m: self.lanes.le(b.into().vector(self.lanes), self.v) }
    }
    /// `self == b`
    #[inline(always)]
    pub fn eq(self, b: impl Into<Operand<C, L>>) -> Mask<C, L> {
        Mask { lanes: self.lanes, m: Lanes::<C>::eq(self.lanes, self.v, b.into().vector(self.lanes)) }
    }
    /// `self != b`
    #[inline(always)]
    pub fn ne(self, b: impl Into<Operand<C, L>>) -> Mask<C, L> {
        Mask { lanes: self.lanes, m: Lanes::<C>::ne(self.lanes, self.v, b.into().vector(self.lanes)) }
    }
    /// Whether a lane is NaN.
    #[inline(always)]
    pub fn is_nan(self) -> Mask<C, L> {
        self.ne(self)
    }
    /// `self`, with NaN lanes replaced by `by`.
    #[inline(always)]
    pub fn replace_nan(self, by: C) -> Self {
        Vector { v: self.lanes.replace_nan(self.v, Lanes::<C>::splat(self.lanes, by)), ..self }
    }
    /// Whether [`Vector::scale`] accepts every `n` (see [`MathLanes::SCALES_ALL`]).
    pub const SCALES_ALL: bool = <L as MathLanes<C>>::SCALES_ALL;
    /// Bounds the input of a function that ends in [`Vector::scale`]: at most `limit`, and 0 where `to_zero` is set.
    /// Returns `self` unchanged if [`Vector::SCALES_ALL`].
    #[inline(always)]
    pub fn cut_input(self, to_zero: Mask<C, L>, limit: C) -> Self {
        if <L as MathLanes<C>>::SCALES_ALL {
            self
        } else {
            to_zero.select(self.splat(C::ZERO), self.splat(limit).least(self))
        }
    }
    /// The bits as integers.
    #[inline(always)]
    pub fn bits(self) -> Bits<C, L> {
        Bits { lanes: self.lanes, i: self.lanes.to_bits(self.v) }
    }
    /// The integer `i` in every lane.
    #[inline(always)]
    pub fn int(self, i: <L as MathLanes<C>>::Int) -> Bits<C, L> {
        Bits { lanes: self.lanes, i: self.lanes.int(i) }
    }
    /// `self`, negated in lanes where `sign` has its sign bit set.
    #[inline(always)]
    pub fn xor_sign(self, sign: Bits<C, L>) -> Self {
        (self.bits() ^ sign).float()
    }
    /// Table lookup: entry `index % K`, for `K` a power of two. On AVX-512, 8 to 32 entries are permutes of registers.
    #[inline(always)]
    pub fn lookup<const K: usize>(table: &[C; K], index: Bits<C, L>) -> Self {
        Vector { lanes: index.lanes, v: index.lanes.lookup(table, index.i) }
    }
    /// Looks up entry `index % 16` in each of `N` tables. `by_index` is the transpose of `by_table`.
    #[inline(always)]
    pub fn lookup_all<const N: usize>(
        by_table: &[[C; 16]; N],
        by_index: &[[C; N]; 16],
        index: Bits<C, L>,
    ) -> [Self; N] {
        let found = index.lanes.lookup_all(by_table, by_index, index.i);
        let mut all = [Vector { lanes: index.lanes, v: found[0] }; N];
        let mut k = 1;
        while k < N {
            all[k].v = found[k];
            k += 1;
        }
        all
    }
}

impl<L: MathLanes<f32>> F32<L> {
    /// `self * 2^n`, rounded once, for integers `|n| <= 250` and `self` between 1/4 and 4.
    #[inline(always)]
    pub fn scale(self, n: Self) -> Self {
        Vector { v: self.lanes.scale(self.v, n.v, Lanes::<f32>::splat(self.lanes, 12_582_912.0 + 254.0)), ..self }
    }
}

impl<L: MathLanes<f32>> F32<L> {
    /// Whether `|self| < 2^-63`, by one test of bits. Products of two such numbers may be subnormal, which is slow.
    #[inline(always)]
    pub fn is_tiny(self) -> Mask<f32, L>
    where
        L: MathLanes<f32, Int = i32>,
    {
        (self.bits() & self.int(0x6000_0000)).eq(self.int(0))
    }
    /// `self * 2^floor(n)`, rounded once, for multiples `n` of 1/8 with `|n| <= 250` and `self` between 1/4 and 4; +0
    /// where `to_zero` is set.
    #[inline(always)]
    pub fn scale_floor(self, n: Self, to_zero: Mask<f32, L>) -> Self {
        Vector {
            v: self.lanes.scale_floor(to_zero.m, self.v, n.v, Lanes::<f32>::splat(self.lanes, 1_572_864.0 + 254.0)),
            ..self
        }
    }
}

impl<L: MathLanes<f64>> F64<L> {
    /// `self * 2^n`, rounded once, for integers `|n| <= 2000` and `self` between 1/4 and 4.
    #[inline(always)]
    pub fn scale(self, n: Self) -> Self {
        Vector {
            v: self.lanes.scale(self.v, n.v, Lanes::<f64>::splat(self.lanes, 6_755_399_441_055_744.0 + 2046.0)),
            ..self
        }
    }
}

impl<L: MathLanes<f64, Int = i64>> F64<L> {
    /// Whether `|self| < 2^-511`, by one test of bits. Products of two such numbers may be subnormal, which is slow.
    #[inline(always)]
    pub fn is_tiny(self) -> Mask<f64, L> {
        (self.bits() & self.int(0x6000_0000_0000_0000)).eq(self.int(0))
    }
    /// Whether the value may be the midpoint of two floats of a narrower dtype: the lowest 28 fraction bits are 0.
    #[inline(always)]
    pub fn is_short(self) -> Mask<f64, L> {
        (self.bits() & self.int((1 << 28) - 1)).eq(self.int(0))
    }
    /// `rare`, or with `NARROW` also the lanes that may be midpoints of two narrower floats.
    pub fn or_tie<const NARROW: bool>(self, rare: Mask<f64, L>) -> Mask<f64, L> {
        if NARROW { rare | self.is_short() } else { rare }
    }
    /// `self + low`, for `|low| <= |self|`: rounded to nearest, or with `NARROW` as
    /// [`plus_sticky`](Vector::plus_sticky), for a result that is rounded to a narrower dtype next.
    #[inline(always)]
    pub fn plus<const NARROW: bool>(self, low: Self) -> Self {
        if NARROW { self.plus_sticky(low) } else { self + low }
    }
    /// `self + low`, for `|low| <= |self|`, such that rounding the result to a narrower dtype rounds the exact sum.
    ///
    /// The sum is rounded to nearest. If the rounded sum may be the midpoint of two narrower floats
    /// ([`is_short`](Vector::is_short)) and is not exact, the result is its neighbour toward the exact sum, at most 1
    /// ULP from it (in the manner of round to odd; Boldo and Melquiond 2008). Only for functions whose exact results
    /// are not short.
    #[inline(always)]
    pub fn plus_sticky(self, low: Self) -> Self {
        let sum = self + low;
        let short = sum.is_short();
        if short.any() {
            let lost = (self - sum) + low;
            let inward = (lost.bits() ^ sum.bits()).lt(sum.int(0));
            let next = (sum.bits() + inward.select_bits(sum.int(-1), sum.int(1))).float();
            return (short & lost.abs().gt(0.0)).select(next, sum);
        }
        sum
    }
}

impl<L: WideLanes> F32<L> {
    /// The exponent `e`, with `2^e <= self < 2^(e + 1)`, of positive normal numbers; unspecified for other values.
    #[inline(always)]
    pub fn exponent(self) -> Self {
        Vector { v: self.lanes.exponent(self.v), ..self }
    }
    /// Whether a lane is not a positive normal number but zero, subnormal, negative, infinite or NaN.
    #[inline(always)]
    pub fn is_irregular(self) -> Mask<f32, L> {
        Mask { lanes: self.lanes, m: self.lanes.irregular(self.v) }
    }
    /// Converts to two vectors of `f64`, exactly; the lower half of the lanes first.
    #[inline(always)]
    pub fn widen(self) -> [F64<L>; 2] {
        let [low, high] = self.lanes.widen(self.v);
        [Vector::new(self.lanes, low), Vector::new(self.lanes, high)]
    }
    /// Converts two vectors of `f64` to `f32`, rounded to nearest even.
    #[inline(always)]
    pub fn narrow(wide: [F64<L>; 2]) -> Self {
        let lanes = wide[0].lanes;
        Vector::new(lanes, lanes.narrow([wide[0].v, wide[1].v]))
    }
}

impl<C: Element, L: MathLanes<C>> Neg for Vector<C, L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Vector { v: Lanes::<C>::neg(self.lanes, self.v), ..self }
    }
}
