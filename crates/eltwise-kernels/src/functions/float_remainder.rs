//! floor_divide, remainder and fmod of floats, exact over the full range.
//!
//! While `|a / b|` is below 2^p (`p` the bits of the fraction), its nearest integer `q` is the whole quotient or one
//! more, and `a - q b` fits a float: one fused multiplication gives it exactly, one addition moves it between 0 and
//! `|b|`. Other lanes (larger quotients, infinities, NaN, divisors that are 0) are computed one by one.

use eltwise_simd::lanes::{Element, FloatLanes};

use super::{FloorDivide, Fmod, Remainder, Same2};

/// The most lanes of a vector of floats.
const MOST: usize = 16;

/// A float that lanes are divided as, one by one.
trait Whole: Element + core::ops::Rem<Output = Self> {
    /// 2^p: quotients below it are left to the vectors.
    const LIMIT: Self;
    /// The largest number.
    const LARGEST: Self;
    /// Whether the vectors leave the lane alone.
    fn is_rare(self, y: Self) -> bool;
    /// The floor of the exact quotient, rounded once, for a rare lane.
    fn floor_divide(self, y: Self) -> Self;
    /// fmod moved into the sign of `y`.
    fn remainder(self, y: Self) -> Self;
}

macro_rules! wholes {
    ($($t:ty, $fraction:literal, $bias:literal, $step:literal;)*) => {$(
        impl Whole for $t {
            const LIMIT: $t = (1u64 << $fraction) as $t;
            const LARGEST: $t = <$t>::MAX;
            fn is_rare(self, y: $t) -> bool {
                !((self / y).abs() < Self::LIMIT && y.abs() <= <$t>::MAX)
            }
            fn floor_divide(self, y: $t) -> $t {
                if y == 0.0 || self.is_nan() || y.is_nan() {
                    return self / y;
                }
                let below = self.is_sign_negative() != y.is_sign_negative();
                if self.is_infinite() {
                    return <$t>::NAN;
                }
                if y.is_infinite() {
                    return if below && self != 0.0 { -1.0 } else { self / y };
                }
                let parts = |x: $t| {
                    let (field, fraction) = (x.abs().to_bits() >> $fraction, x.to_bits() & ((1 << $fraction) - 1));
                    let hidden = if field == 0 { 0 } else { 1 << $fraction };
                    (u128::from(fraction | hidden), field.max(1) as i32 - $bias)
                };
                let ((a, ea), (b, eb)) = (parts(self), parts(y));
                let (whole, power) = whole_quotient(a, b, (ea - eb).max(0) as u32, below);
                // Rounded here, the scale is exact.
                let (mut size, mut power) = (whole as $t, power);
                while power > 0 && size < <$t>::INFINITY {
                    let step = power.min($step);
                    size *= (1u128 << step) as $t;
                    power -= step;
                }
                if below { -size } else { size }
            }
            fn remainder(self, y: $t) -> $t {
                let rest = self % y;
                if rest == 0.0 {
                    (0.0 as $t).copysign(y)
                } else if (rest < 0.0) != (y < 0.0) {
                    rest + y
                } else {
                    rest
                }
            }
        }
    )*};
}

wholes! {
    f32, 23, 150, 100;
    f64, 52, 1075, 120;
}

/// `a * 2^shift / b` rounded down (up when asked), as `m * 2^e`: exact, or with a last bit for all that is below and
/// far more bits than a float has. `a` and `b` have at most 53 bits; `a` has as many as `b` can have when `shift > 0`.
fn whole_quotient(a: u128, b: u128, shift: u32, up: bool) -> (u128, u32) {
    let first = shift.min(75);
    let (mut high, rest) = ((a << first) / b, (a << first) % b);
    let left = shift - first;
    // Past 70 bits only whether there is a rest counts: then it is between 1 and 2^left - 2.
    let next = left.min(70);
    let (mut low, rest) = ((rest << next) / b, (rest << next) % b);
    if up && rest != 0 {
        low += 1;
    }
    high += low >> next;
    low &= (1 << next) - 1;
    (high | u128::from(low != 0), left)
}

/// Replaces the rare lanes.
#[cold]
#[inline(never)]
fn replace_rare<C: Whole>(x: &[C; MOST], y: &[C; MOST], out: &mut [C; MOST], lane: fn(C, C) -> C) {
    for i in 0..MOST {
        if x[i].is_rare(y[i]) {
            out[i] = lane(x[i], y[i]);
        }
    }
}

/// `result` with its rare lanes replaced.
#[inline(always)]
fn with_rare<C: Whole, L: FloatLanes<C>>(l: L, a: L::V, b: L::V, result: L::V, lane: fn(C, C) -> C) -> L::V {
    let (mut x, mut y, mut out) = ([C::ONE; MOST], [C::ONE; MOST], [C::ONE; MOST]);
    // SAFETY: the arrays have room for any vector's lanes.
    unsafe {
        l.store(x.as_mut_ptr(), a);
        l.store(y.as_mut_ptr(), b);
        l.store(out.as_mut_ptr(), result);
        replace_rare(&x, &y, &mut out, lane);
        l.load(out.as_ptr())
    }
}

/// Of the magnitudes: the whole quotient, the rest, and the lanes where both are right.
#[inline(always)]
fn divided<C: Whole, L: FloatLanes<C>>(l: L, a: L::V, b: L::V) -> (L::V, L::V, L::M) {
    let (x, y) = (l.abs(a), l.abs(b));
    let limit = l.splat(C::LIMIT);
    let quotient = l.div(x, y);
    let common = l.mask_and(l.lt(quotient, limit), l.le(y, l.splat(C::LARGEST)));
    let nearest = l.sub(l.add(quotient, limit), limit);
    let rest = l.fma(l.neg(nearest), y, x);
    let over = l.lt(rest, l.splat(C::ZERO));
    (l.select(over, l.sub(nearest, l.splat(C::ONE)), nearest), l.select(over, l.add(rest, y), rest), common)
}

macro_rules! floats {
    ($($t:ty)*) => {$(
        impl<L: FloatLanes<$t>> Same2<$t, L> for Fmod {
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                let (_, rest, common) = divided(l, a, b);
                let result = l.copysign(rest, a);
                let rare = l.mask_not(common);
                if l.any(rare) { with_rare(l, a, b, result, |x: $t, y| x % y) } else { result }
            }
        }
        impl<L: FloatLanes<$t>> Same2<$t, L> for Remainder {
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                let (_, rest, common) = divided(l, a, b);
                let zero = l.splat(0.0);
                // b - rest is what fmod(a, b) + b rounds to, up to the sign; a zero takes the sign below.
                let other = l.mask_and(l.mask_xor(l.lt(a, zero), l.lt(b, zero)), l.lt(zero, rest));
                let result = l.copysign(l.select(other, l.sub(l.abs(b), rest), rest), b);
                let rare = l.mask_not(common);
                if l.any(rare) { with_rare(l, a, b, result, <$t as Whole>::remainder) } else { result }
            }
        }
        impl<L: FloatLanes<$t>> Same2<$t, L> for FloorDivide {
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                let (whole, rest, common) = divided(l, a, b);
                let zero = l.splat(0.0);
                let below = l.mask_and(l.mask_xor(l.lt(a, zero), l.lt(b, zero)), l.lt(zero, rest));
                let size = l.select(below, l.add(whole, l.splat(1.0)), whole);
                // The sign of the quotient: that of a, turned by b's.
                let result = l.copysign(size, l.mul(l.copysign(l.splat(1.0), a), l.copysign(l.splat(1.0), b)));
                let rare = l.mask_not(common);
                if l.any(rare) { with_rare(l, a, b, result, <$t as Whole>::floor_divide) } else { result }
            }
        }
    )*};
}

floats!(f32 f64);
