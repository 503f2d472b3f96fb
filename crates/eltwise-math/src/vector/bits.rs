//! Integer operations on [`Bits`], the lanes of a vector as integers.

use core::ops::{Add, BitAnd, BitOr, BitXor, Shl, Shr, Sub};

use eltwise_simd::{Element, MathLanes, WideLanes};

use super::{Bits, F64, Mask, Vector};

impl<L: WideLanes> Bits<f64, L> {
    /// The value that [`Bits::whole`] returns for 2^52.
    pub const WHOLE: f64 = <L as WideLanes>::WHOLE;
    /// The signed integer in the upper 12 bits of each lane, times [`Bits::WHOLE`]; exact. The other 52 bits
    /// of the lane are zero.
    #[inline(always)]
    pub fn whole(self) -> F64<L> {
        Vector { lanes: self.lanes, v: self.lanes.whole(self.i) }
    }
}

impl<L: WideLanes> Bits<f32, L> {
    /// The upper 16 bits, shifted right by one; the lower 16 bits are zero. One operation on x86.
    #[inline(always)]
    pub fn half_of_upper(self) -> Self {
        Bits { i: self.lanes.half_of_upper(self.i), ..self }
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

macro_rules! between {
    ($($c:ident $int:ident;)*) => {$(
        impl<L: MathLanes<$c, Int = $int>> Bits<$c, L> {
            /// `first <= self < end`, for `0 <= first < end`. One comparison: the subtraction wraps values below `first`
            /// around.
            #[inline(always)]
            pub fn between(self, first: $int, end: $int) -> Mask<$c, L> {
                (self - self.splat(first.wrapping_sub($int::MIN))).lt(self.splat($int::MIN + (end - first)))
            }
        }
    )*};
}

between! {
    f32 i32;
    f64 i64;
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

/// Shifts in zeros.
impl<C: Element, L: MathLanes<C>> Shr<u32> for Bits<C, L> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        Bits { i: self.lanes.shift_right(self.i, n), ..self }
    }
}
