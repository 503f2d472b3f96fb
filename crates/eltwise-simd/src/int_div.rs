//! Division of vectors of integers ([`IntDivLanes`]), rounded toward zero or down.
//!
//! None of the ISAs has an instruction for it. On x86-64, lanes are divided in floating point with methods that are
//! exact for every pair of operands (proofs are in `x86_64/*/int_div.rs` and `int64_div.rs`); elsewhere a loop divides
//! lane by lane. Division of many vectors by one divisor is a multiplication on every ISA: see
//! [`divisor`](crate::divisor).

use crate::lanes::{Element, IntLanes};

/// An integer type, with the scalar definitions of the operations on lanes.
pub trait Integer: Element {
    /// `self / y` toward zero, wrapping; 0 if `y` is 0.
    fn div_trunc(self, y: Self) -> Self;
    /// `self / y` rounded down, wrapping; 0 if `y` is 0.
    fn div_floor(self, y: Self) -> Self;
    /// The upper half of the product, of operands read as unsigned.
    fn mul_high(self, y: Self) -> Self;
    /// A logical shift right by `count` bits; 0 if `count` is the width or more.
    fn shift_right_logical(self, count: u32) -> Self;
}

macro_rules! integers {
    ($($t:ident $unsigned:ident $wide:ident;)*) => {$(
        impl Integer for $t {
            #[inline(always)]
            fn div_trunc(self, y: $t) -> $t {
                if y == 0 { 0 } else { self.wrapping_div(y) }
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "the row stands for signed and unsigned integers")]
            fn div_floor(self, y: $t) -> $t {
                let quotient = self.div_trunc(y);
                let remainder = self.wrapping_sub(quotient.wrapping_mul(y));
                if y != 0 && remainder != 0 && (remainder < 0) != (y < 0) { quotient.wrapping_sub(1) } else { quotient }
            }
            #[inline(always)]
            fn mul_high(self, y: $t) -> $t {
                ((self as $unsigned as $wide * y as $unsigned as $wide) >> $t::BITS) as $t
            }
            #[inline(always)]
            fn shift_right_logical(self, count: u32) -> $t {
                if count < $t::BITS { (self as $unsigned >> count) as $t } else { 0 }
            }
        }
    )*};
}

integers! {
    i8 u8 u16; i16 u16 u32; i32 u32 u64; i64 u64 u128;
    u8 u8 u16; u16 u16 u32; u32 u32 u64; u64 u64 u128;
}

/// `2^16 / d` rounded up, for divisions by a byte. The result is 0 (wrapped) for 1, and 1 for 0.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn fraction_of_u8(d: u8) -> u16 {
    if d == 0 { 1 } else { (u16::MAX / u16::from(d)).wrapping_add(1) }
}

/// The largest number of lanes of a vector.
const MAX_LANES: usize = 64;

/// Division of vectors of integers. `MIN / -1` is `MIN`; a quotient by 0 is *unspecified*.
pub trait IntDivLanes<C: Integer>: IntLanes<C> {
    /// `a / b` toward zero.
    #[inline(always)]
    fn div_trunc(self, a: Self::V, b: Self::V) -> Self::V {
        div_each_lane::<C, Self, false>(self, a, b)
    }
    /// `a / b` rounded down.
    #[inline(always)]
    fn div_floor(self, a: Self::V, b: Self::V) -> Self::V {
        div_each_lane::<C, Self, true>(self, a, b)
    }
    /// Prepares a divisor for [`div_by_fraction`](IntDivLanes::div_by_fraction) and
    /// [`rem_by_fraction`](IntDivLanes::rem_by_fraction).
    #[inline(always)]
    fn fraction(self, d: C) -> Self::V {
        self.splat(d)
    }
    /// The quotients by the divisor that `fraction` was prepared for, if that is cheaper than a product with its
    /// [`Reciprocal`]. Quotients by 0 are 0.
    ///
    /// [`Reciprocal`]: crate::divisor::Reciprocal
    #[inline(always)]
    fn div_by_fraction<const DOWN: bool>(self, _a: Self::V, _fraction: Self::V) -> Option<Self::V> {
        None
    }
    /// The remainders of a division by `d`, which is not 0, if that is cheaper than computing quotients; `fraction` was
    /// prepared for `d`.
    #[inline(always)]
    fn rem_by_fraction(self, _a: Self::V, _d: Self::V, _fraction: Self::V) -> Option<Self::V> {
        None
    }
    /// The upper half of `a * b`, of lanes read as unsigned. (Highway's `MulHigh`.)
    #[inline(always)]
    fn mul_high(self, a: Self::V, b: Self::V) -> Self::V {
        let (mut x, mut y) = ([C::ZERO; MAX_LANES], [C::ZERO; MAX_LANES]);
        // SAFETY: the arrays have room for any vector's lanes.
        unsafe {
            self.store(x.as_mut_ptr(), a);
            self.store(y.as_mut_ptr(), b);
        }
        for i in 0..Self::N {
            x[i] = x[i].mul_high(y[i]);
        }
        // SAFETY: the array has room for any vector's lanes.
        unsafe { self.load(x.as_ptr()) }
    }
    /// Shifts right by `count` bits and fills with zeros; 0 if `count` is the width or more.
    #[inline(always)]
    fn shift_right_logical(self, a: Self::V, count: u32) -> Self::V {
        let mut x = [C::ZERO; MAX_LANES];
        // SAFETY: the array has room for any vector's lanes.
        unsafe { self.store(x.as_mut_ptr(), a) };
        for x in x.iter_mut().take(Self::N) {
            *x = x.shift_right_logical(count);
        }
        // SAFETY: the array has room for any vector's lanes.
        unsafe { self.load(x.as_ptr()) }
    }
}

/// Divides lane by lane, in a loop; rounds down if `DOWN`, else toward zero.
#[inline(always)]
pub(crate) fn div_each_lane<C: Integer, L: IntLanes<C>, const DOWN: bool>(l: L, a: L::V, b: L::V) -> L::V {
    let (mut x, mut y) = ([C::ZERO; MAX_LANES], [C::ZERO; MAX_LANES]);
    // SAFETY: the arrays have room for any vector's lanes.
    unsafe {
        l.store(x.as_mut_ptr(), a);
        l.store(y.as_mut_ptr(), b);
    }
    for i in 0..L::N {
        x[i] = if DOWN { x[i].div_floor(y[i]) } else { x[i].div_trunc(y[i]) };
    }
    // SAFETY: the array has room for any vector's lanes.
    unsafe { l.load(x.as_ptr()) }
}
