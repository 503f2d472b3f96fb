//! Vectors with operators: what the functions of this crate are written in.
//!
//! [`Vector`] is a vector of one level together with the level's token, so that formulas read as formulas. Every operation is one
//! IEEE operation or exact, as [`MathLanes`] promises; `a * b + c` is two operations, [`Vector::mul_add`] is one.

use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

use eltwise_simd::lanes::{Lanes, integral};
use eltwise_simd::{Element, MathLanes, WideLanes};

/// A vector of `C` at the level of `L`.
pub struct Vector<C: Element, L: MathLanes<C>> {
    lanes: L,
    v: <L as Lanes<C>>::V,
}

/// A truth value a lane of a [`Vector`].
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
    /// A vector of a level.
    #[inline(always)]
    pub fn new(lanes: L, v: <L as Lanes<C>>::V) -> Self {
        Vector { lanes, v }
    }
    /// The level's own vector.
    #[inline(always)]
    pub fn raw(self) -> <L as Lanes<C>>::V {
        self.v
    }
    /// The token.
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
    /// The nearest integer, halves to even.
    #[inline(always)]
    pub fn round(self) -> Self {
        Vector { v: self.lanes.integral::<{ integral::NEAREST }>(self.v), ..self }
    }
    /// The integer toward zero.
    #[inline(always)]
    pub fn trunc(self) -> Self {
        Vector { v: self.lanes.integral::<{ integral::TRUNC }>(self.v), ..self }
    }
    /// The integer below.
    #[inline(always)]
    pub fn floor(self) -> Self {
        Vector { v: self.lanes.integral::<{ integral::FLOOR }>(self.v), ..self }
    }
    /// `self` with the sign of `sign`.
    #[inline(always)]
    pub fn copysign(self, sign: Self) -> Self {
        Vector { v: self.lanes.copysign(self.v, sign.v), ..self }
    }
    /// `self < b ? self : b`: `b` where one is NaN.
    #[inline(always)]
    pub fn least(self, b: impl Into<Operand<C, L>>) -> Self {
        Vector { v: self.lanes.least(self.v, b.into().vector(self.lanes)), ..self }
    }
    /// `self > b ? self : b`: `b` where one is NaN.
    #[inline(always)]
    pub fn greatest(self, b: impl Into<Operand<C, L>>) -> Self {
        Vector { v: self.lanes.greatest(self.v, b.into().vector(self.lanes)), ..self }
    }
    /// `2^self` for integers that are exponents of normal numbers; any bits for others.
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
    /// `self`, or `by` where it is NaN.
    #[inline(always)]
    pub fn replace_nan(self, by: C) -> Self {
        Vector { v: self.lanes.replace_nan(self.v, Lanes::<C>::splat(self.lanes, by)), ..self }
    }
    /// Whether [`Vector::scale`] takes any numbers.
    pub const SCALES_ALL: bool = <L as MathLanes<C>>::SCALES_ALL;
    /// `self` where [`Vector::scale`] takes any numbers; else at most `limit`, and 0 where `dead` is set.
    #[inline(always)]
    pub fn cut_input(self, dead: Mask<C, L>, limit: C) -> Self {
        if <L as MathLanes<C>>::SCALES_ALL {
            self
        } else {
            dead.select(self.splat(C::ZERO), self.splat(limit).least(self))
        }
    }
    /// The bits.
    #[inline(always)]
    pub fn bits(self) -> Bits<C, L> {
        Bits { lanes: self.lanes, i: self.lanes.to_bits(self.v) }
    }
    /// `i` in every lane of a vector of bits.
    #[inline(always)]
    pub fn int(self, i: <L as MathLanes<C>>::Int) -> Bits<C, L> {
        Bits { lanes: self.lanes, i: self.lanes.int(i) }
    }
    /// `self` with its sign turned where `sign` has a sign bit.
    #[inline(always)]
    pub fn xor_sign(self, sign: Bits<C, L>) -> Self {
        (self.bits() ^ sign).float()
    }
    /// The entries of a table of `K` (a power of two) at the lower bits of `at`. 8 to 32 entries stay in registers on AVX-512.
    #[inline(always)]
    pub fn lookup<const K: usize>(table: &[C; K], at: Bits<C, L>) -> Self {
        Vector { lanes: at.lanes, v: at.lanes.lookup(table, at.i) }
    }
    /// The entries of each of `N` tables at the lower four bits of `at`; `columns` are the tables with an entry of each together.
    #[inline(always)]
    pub fn lookup_all<const N: usize>(tables: &[[C; 16]; N], columns: &[[C; N]; 16], at: Bits<C, L>) -> [Self; N] {
        let found = at.lanes.lookup_all(tables, columns, at.i);
        let mut all = [Vector { lanes: at.lanes, v: found[0] }; N];
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
    /// Whether `|self| < 2^-63`: one test of bits. Products of such numbers are what CPUs are slow at.
    #[inline(always)]
    pub fn is_tiny(self) -> Mask<f32, L>
    where
        L: MathLanes<f32, Int = i32>,
    {
        (self.bits() & self.int(0x6000_0000)).eq(self.int(0))
    }
    /// `self * 2^floor(n)`, rounded once, for multiples `n` of 1/8, `|n| <= 250`, and `self` between 1/4 and 4; +0 where `dead` is set.
    #[inline(always)]
    pub fn scale_floor(self, n: Self, dead: Mask<f32, L>) -> Self {
        Vector {
            v: self.lanes.scale_floor(dead.m, self.v, n.v, Lanes::<f32>::splat(self.lanes, 1_572_864.0 + 254.0)),
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
    /// Whether `|self| < 2^-511`: one test of bits. Products of such numbers are what CPUs are slow at.
    #[inline(always)]
    pub fn is_tiny(self) -> Mask<f64, L> {
        (self.bits() & self.int(0x6000_0000_0000_0000)).eq(self.int(0))
    }
    /// Whether the value has so few bits that it may lie halfway between two narrower floats.
    #[inline(always)]
    pub fn is_short(self) -> Mask<f64, L> {
        (self.bits() & self.int((1 << 28) - 1)).eq(self.int(0))
    }
    /// `rare`; if `NARROW`, also where this may be a tie of a narrower float.
    pub fn or_tie<const NARROW: bool>(self, rare: Mask<f64, L>) -> Mask<f64, L> {
        if NARROW { rare | self.is_short() } else { rare }
    }
    /// `self + low`, `|low| <= |self|`, rounded to the nearest; if `NARROW`, for a result that is rounded to a narrower float next, as
    /// [`plus_sticky`](Vector::plus_sticky).
    #[inline(always)]
    pub fn plus<const NARROW: bool>(self, low: Self) -> Self {
        if NARROW { self.plus_sticky(low) } else { self + low }
    }
    /// `self + low`, `|low| <= |self|`, rounded to the nearest; but a sum that is not exact and whose rounded value has so few bits that
    /// it may lie halfway between two narrower floats becomes the next number toward the exact sum (at most 1 ULP from it), so
    /// that rounding it again rounds the exact sum. For results that are no short numbers themselves.
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

impl<L: WideLanes> Bits<f64, L> {
    /// What [`Bits::whole`] makes of 2^52.
    pub const WHOLE: f64 = <L as WideLanes>::WHOLE;
    /// The values of integers that are multiples of 2^52, times `WHOLE` 2^-52: exact.
    #[inline(always)]
    pub fn whole(self) -> F64<L> {
        Vector { lanes: self.lanes, v: self.lanes.whole(self.i) }
    }
}

impl<L: WideLanes> Bits<f32, L> {
    /// The upper 16 bits, one place lower, and zeros below: one operation on x86.
    #[inline(always)]
    pub fn half_of_upper(self) -> Self {
        Bits { i: self.lanes.half_of_upper(self.i), ..self }
    }
}

impl<L: WideLanes> F32<L> {
    /// `e` with `2^e <= self < 2^(e + 1)` for positive normal numbers; any number for others.
    #[inline(always)]
    pub fn exponent(self) -> Self {
        Vector { v: self.lanes.exponent(self.v), ..self }
    }
    /// Whether a lane is not a positive normal number: a zero, subnormal, negative, infinite, NaN.
    #[inline(always)]
    pub fn is_irregular(self) -> Mask<f32, L> {
        Mask { lanes: self.lanes, m: self.lanes.irregular(self.v) }
    }
    /// The same values as two vectors of `f64`, the lower lanes first.
    #[inline(always)]
    pub fn widen(self) -> [F64<L>; 2] {
        let [low, high] = self.lanes.widen(self.v);
        [Vector::new(self.lanes, low), Vector::new(self.lanes, high)]
    }
    /// Two vectors of `f64`, rounded to the nearest, ties to even.
    #[inline(always)]
    pub fn narrow(wide: [F64<L>; 2]) -> Self {
        let lanes = wide[0].lanes;
        Vector::new(lanes, lanes.narrow([wide[0].v, wide[1].v]))
    }
}

impl<C: Element, L: MathLanes<C>> Mask<C, L> {
    /// `a` where set, else `b`.
    #[inline(always)]
    pub fn select(self, a: impl Into<Operand<C, L>>, b: impl Into<Operand<C, L>>) -> Vector<C, L> {
        let (a, b) = (a.into().vector(self.lanes), b.into().vector(self.lanes));
        Vector { lanes: self.lanes, v: Lanes::<C>::select(self.lanes, self.m, a, b) }
    }
    /// The bits of `a` where set, else of `b`.
    #[inline(always)]
    pub fn select_bits(self, a: Bits<C, L>, b: Bits<C, L>) -> Bits<C, L> {
        Bits { lanes: self.lanes, i: self.lanes.int_select(self.m, a.i, b.i) }
    }
    /// Whether a lane is set.
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

impl<C: Element, L: MathLanes<C>> Bits<C, L> {
    /// The floats with these bits.
    #[inline(always)]
    pub fn float(self) -> Vector<C, L> {
        Vector { lanes: self.lanes, v: self.lanes.with_bits(self.i) }
    }
    /// `i` in every lane.
    #[inline(always)]
    pub fn splat(self, i: <L as MathLanes<C>>::Int) -> Self {
        Bits { i: self.lanes.int(i), ..self }
    }
    /// `self == b`
    #[inline(always)]
    pub fn eq(self, b: Self) -> Mask<C, L> {
        Mask { lanes: self.lanes, m: self.lanes.int_eq(self.i, b.i) }
    }
    /// `self < b`, signed.
    #[inline(always)]
    pub fn lt(self, b: Self) -> Mask<C, L> {
        Mask { lanes: self.lanes, m: self.lanes.int_lt(self.i, b.i) }
    }
}

impl<C: Element, L: MathLanes<C, Int = i64>> Bits<C, L> {
    /// `first <= self < end`, of `0 <= first < end`: one comparison, of what wraps around.
    #[inline(always)]
    pub fn between(self, first: i64, end: i64) -> Mask<C, L> {
        (self - self.splat(first.wrapping_sub(i64::MIN))).lt(self.splat(i64::MIN + (end - first)))
    }
}

macro_rules! bits_operators {
    ($($trait:ident $method:ident $lanes:ident;)*) => {$(
        impl<C: Element, L: MathLanes<C>> $trait for Bits<C, L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, b: Self) -> Self {
                Bits { i: self.lanes.$lanes(self.i, b.i), ..self }
            }
        }
    )*};
}
bits_operators! {
    Add add int_add;
    Sub sub int_sub;
    BitAnd bitand int_and;
    BitOr bitor int_or;
    BitXor bitxor int_xor;
}

impl<C: Element, L: MathLanes<C>> Shl<u32> for Bits<C, L> {
    type Output = Self;
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        Bits { i: self.lanes.shift_left(self.i, n), ..self }
    }
}

/// Zeros come in above.
impl<C: Element, L: MathLanes<C>> Shr<u32> for Bits<C, L> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        Bits { i: self.lanes.shift_right(self.i, n), ..self }
    }
}

/// A vector, or one number for every lane.
pub enum Operand<C: Element, L: MathLanes<C>> {
    /// A vector.
    Lanes(Vector<C, L>),
    /// One number.
    Number(C),
}

impl<C: Element, L: MathLanes<C>> Operand<C, L> {
    #[inline(always)]
    fn vector(self, lanes: L) -> <L as Lanes<C>>::V {
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

impl<C: Element, L: MathLanes<C>> Neg for Vector<C, L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Vector { v: Lanes::<C>::neg(self.lanes, self.v), ..self }
    }
}

/// `c[0] + x (c[1] + x (c[2] + ...))`, each step one fused multiply-add.
#[inline(always)]
pub fn horner<C: Element, L: MathLanes<C>, const N: usize>(x: Vector<C, L>, c: &[C; N]) -> Vector<C, L> {
    let mut sum = x.splat(c[N - 1]);
    let mut k = N - 1;
    while k > 0 {
        k -= 1;
        let next = x.splat(c[k]);
        sum = sum.mul_add(x, next);
    }
    sum
}

/// As [`horner`], in two chains of half the length for the even and the odd powers.
#[inline(always)]
pub fn two_chains<C: Element, L: MathLanes<C>, const N: usize>(x: Vector<C, L>, c: &[C; N]) -> Vector<C, L> {
    let square = x * x;
    let (mut first, mut second) = (x.splat(c[N - 1]), x.splat(c[N - 2]));
    let mut k = N - 2;
    while k > 0 {
        k -= 1;
        (first, second) = (second, first.mul_add(square, x.splat(c[k])));
    }
    first.mul_add(x, second)
}
