//! Quotients of integers, rounded toward zero or down.
//!
//! No instruction set here divides vectors of integers. The x86-64 levels do it in floating point, in ways that are
//! exact for every pair of operands (their files say why); elsewhere a loop divides lane after lane. Many quotients by one
//! divisor are products, on every level: [`reciprocal`](crate::reciprocal).

use crate::lanes::{Element, IntLanes};

/// An integer that a lane is divided as.
pub trait Integer: Element {
    /// `self / y` toward zero, wrapping; 0 when `y` is 0.
    fn quotient_toward_zero(self, y: Self) -> Self;
    /// `self / y` rounded down, wrapping; 0 when `y` is 0.
    fn quotient_down(self, y: Self) -> Self;
    /// The upper half of the product of both, read as unsigned numbers.
    fn product_high(self, y: Self) -> Self;
    /// Read as an unsigned number, with its bits `count` places lower; 0 when there are no more.
    fn shifted_down(self, count: u32) -> Self;
}

macro_rules! integers {
    ($($t:ident $unsigned:ident $wide:ident;)*) => {$(
        impl Integer for $t {
            #[inline(always)]
            fn quotient_toward_zero(self, y: $t) -> $t {
                if y == 0 { 0 } else { self.wrapping_div(y) }
            }
            #[inline(always)]
            #[allow(unused_comparisons, reason = "the row stands for signed and unsigned integers")]
            fn quotient_down(self, y: $t) -> $t {
                let quotient = self.quotient_toward_zero(y);
                let rest = self.wrapping_sub(quotient.wrapping_mul(y));
                if y != 0 && rest != 0 && (rest < 0) != (y < 0) { quotient.wrapping_sub(1) } else { quotient }
            }
            #[inline(always)]
            fn product_high(self, y: $t) -> $t {
                ((self as $unsigned as $wide * y as $unsigned as $wide) >> $t::BITS) as $t
            }
            #[inline(always)]
            fn shifted_down(self, count: u32) -> $t {
                if count < $t::BITS { (self as $unsigned >> count) as $t } else { 0 }
            }
        }
    )*};
}

integers! {
    i8 u8 u16; i16 u16 u32; i32 u32 u64; i64 u64 u128;
    u8 u8 u16; u16 u16 u32; u32 u32 u64; u64 u64 u128;
}

/// `2^16 / d`, rounded up: bytes are divided with it. That of 1 wraps to 0, and that of 0 is 1.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn byte_fraction(d: u8) -> u16 {
    if d == 0 { 1 } else { (u16::MAX / u16::from(d)).wrapping_add(1) }
}

/// The most lanes of any vector.
const MOST: usize = 64;

/// Vectors of integers that are divided. MIN / -1 is MIN; where the divisor is 0 the quotient is *any* value.
pub trait QuotientLanes<C: Integer>: IntLanes<C> {
    /// `a / b` toward zero.
    #[inline(always)]
    fn quotient_toward_zero(self, a: Self::V, b: Self::V) -> Self::V {
        lane_after_lane::<C, Self, false>(self, a, b)
    }
    /// `a / b` rounded down.
    #[inline(always)]
    fn quotient_down(self, a: Self::V, b: Self::V) -> Self::V {
        lane_after_lane::<C, Self, true>(self, a, b)
    }
    /// What [`quotient_by`](QuotientLanes::quotient_by) and [`remainder_by`](QuotientLanes::remainder_by) take for a divisor.
    #[inline(always)]
    fn fraction(self, d: C) -> Self::V {
        self.splat(d)
    }
    /// The quotients by the divisor of `fraction`, where they cost less than products with its [`Reciprocal`]. Those by 0 are 0.
    ///
    /// [`Reciprocal`]: crate::reciprocal::Reciprocal
    #[inline(always)]
    fn quotient_by<const DOWN: bool>(self, _a: Self::V, _fraction: Self::V) -> Option<Self::V> {
        None
    }
    /// The remainders of a division by `d`, which is not 0, where they cost less than quotients do; `fraction` is that of `d`.
    #[inline(always)]
    fn remainder_by(self, _a: Self::V, _d: Self::V, _fraction: Self::V) -> Option<Self::V> {
        None
    }
    /// The upper half of `a * b`, of lanes read as unsigned numbers.
    #[inline(always)]
    fn mul_high(self, a: Self::V, b: Self::V) -> Self::V {
        let (mut x, mut y) = ([C::ZERO; MOST], [C::ZERO; MOST]);
        // SAFETY: the arrays have room for any vector's lanes.
        unsafe {
            self.store(x.as_mut_ptr(), a);
            self.store(y.as_mut_ptr(), b);
        }
        for i in 0..Self::N {
            x[i] = x[i].product_high(y[i]);
        }
        // SAFETY: as above.
        unsafe { self.load(x.as_ptr()) }
    }
    /// Lanes read as unsigned numbers, with their bits `count` places lower; 0 when there are no more.
    #[inline(always)]
    fn shift_down(self, a: Self::V, count: u32) -> Self::V {
        let mut x = [C::ZERO; MOST];
        // SAFETY: the array has room for any vector's lanes.
        unsafe { self.store(x.as_mut_ptr(), a) };
        for x in x.iter_mut().take(Self::N) {
            *x = x.shifted_down(count);
        }
        // SAFETY: as above.
        unsafe { self.load(x.as_ptr()) }
    }
}

/// Divides each lane by itself; `DOWN` tells how to round.
#[inline(always)]
pub(crate) fn lane_after_lane<C: Integer, L: IntLanes<C>, const DOWN: bool>(l: L, a: L::V, b: L::V) -> L::V {
    let (mut x, mut y) = ([C::ZERO; MOST], [C::ZERO; MOST]);
    // SAFETY: the arrays have room for any vector's lanes.
    unsafe {
        l.store(x.as_mut_ptr(), a);
        l.store(y.as_mut_ptr(), b);
    }
    for i in 0..L::N {
        x[i] = if DOWN { x[i].quotient_down(y[i]) } else { x[i].quotient_toward_zero(y[i]) };
    }
    // SAFETY: as above.
    unsafe { l.load(x.as_ptr()) }
}

macro_rules! plain {
    ($($t:ty)*) => {$(
        impl QuotientLanes<$t> for crate::scalar::Scalar {}
        #[cfg(target_arch = "aarch64")]
        impl QuotientLanes<$t> for crate::aarch64::Neon {}
        #[cfg(target_arch = "aarch64")]
        impl QuotientLanes<$t> for crate::aarch64::NeonFp16 {}
    )*};
}

plain!(i8 i16 i32 i64 u8 u16 u32 u64);
