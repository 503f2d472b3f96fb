//! Remainders of floats whose quotient is huge: at least 2^p, for `p` fraction bits. Look here for [`Format`], the
//! constants of a float format, and for the out-of-line half of [`float_remainder`](super::float_remainder).
//!
//! # Method
//!
//! Let `x = m 2^e` and `y = n 2^f`, with integers `m` and `n` of `p + 1` bits. The remainder is
//! `(m 2^(e - f) mod n) 2^f`. The power of two is computed modulo `n` by repeated squaring, which takes three squarings
//! for `f32` and four for `f64`, for every quotient.
//!
//! Residues are integers of either sign, at most about `n / 2` in magnitude. A product of two residues is `h + t`: `h`
//! is rounded, and `t` is the exact error from a fused multiply-add. Its residue is `(h - q n) + t`, where `q` is the
//! integer nearest to `h (1 / n)`; a fused multiply-add with a number whose last bit has the value 1 rounds to that
//! integer. For products up to about `n^2 / 4`, the error of the reciprocal moves `q` by less than 1/4, and `t` is less
//! than `n / 4`. So `h - q n` is at most `3 n / 4`, the sum is less than `n`, and both are exact. The smaller one of
//! `|sum|` and `n - |sum|` is squared next, because squares do not depend on the sign.

use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Rem;

use eltwise_simd::lanes::{Element, Lanes};
use eltwise_simd::{Entry, Isa, MathLanes};

use super::per_element::{PerElement2, apply2};

/// A float format with `p` fraction bits.
pub trait Format: Element + Rem<Output = Self> {
    /// The signed integer of the same size.
    type Int: Copy;
    /// `p`
    const FRACTION: u32;
    /// The exponent field of 1.
    const BIAS: i64;
    /// The exponent field of infinity, in place.
    const EXPONENT: Self::Int;
    /// 2^p. Quotients from here on are huge.
    const WHOLE: Self;
    /// 2^(p + 1). The last bit of larger numbers has a value above 1.
    const EVEN: Self;
    /// 3 * 2^(p - 1). Its last bit has the value 1, as has that of its sums with numbers of magnitude up to 2^(p - 1).
    const ONES: Self;
    /// The smallest normal number.
    const NORMAL: Self;
    /// The largest finite number.
    const LARGEST: Self;
    /// Infinity.
    const INFINITY: Self;
    /// The quiet NaN.
    const NAN: Self;
    /// How often the power of two is squared.
    const SQUARINGS: u32;
    /// A part of the first exponent that is multiplied in separately: the whole power is too large for one reduction.
    const STEP: u32;
    /// 2^STEP
    const STEP_POWER: Self;

    /// Converts an integer, keeping the low bits.
    fn int(i: i64) -> Self::Int;
}

macro_rules! formats {
    ($(
        $t:ident $int:ident, fraction $fraction:literal, bias $bias:literal, squarings $squarings:literal,
        step $step:literal;
    )*) => {$(
        impl Format for $t {
            type Int = $int;
            const FRACTION: u32 = $fraction;
            const BIAS: i64 = $bias;
            const EXPONENT: $int = <$t>::INFINITY.to_bits() as $int;
            const WHOLE: $t = (1u64 << $fraction) as $t;
            const EVEN: $t = (2u64 << $fraction) as $t;
            const ONES: $t = (3u64 << ($fraction - 1)) as $t;
            const NORMAL: $t = <$t>::MIN_POSITIVE;
            const LARGEST: $t = <$t>::MAX;
            const INFINITY: $t = <$t>::INFINITY;
            const NAN: $t = <$t>::NAN;
            const SQUARINGS: u32 = $squarings;
            const STEP: u32 = $step;
            const STEP_POWER: $t = (1u64 << $step) as $t;
            #[inline(always)]
            fn int(i: i64) -> $int {
                i as $int
            }
        }
    )*};
}

formats! {
    f32 i32, fraction 23, bias 127, squarings 3, step 0;
    f64 i64, fraction 52, bias 1023, squarings 4, step 25;
}

/// A division of magnitudes in which some lanes have huge quotients. It is aligned so that a vector is loaded the way
/// it was stored.
#[repr(align(64))]
pub struct Division<V, M> {
    /// The dividends.
    pub x: V,
    /// The divisors.
    pub y: V,
    /// `x / y`, rounded.
    pub quotient: V,
    /// The lanes with huge quotients.
    pub huge: M,
    /// The lanes in which the signs of the operands differ.
    pub signs_differ: M,
    /// The results of the other lanes.
    pub ordinary: V,
    /// The result, written by [`replace_huge`].
    pub result: Cell<V>,
}

/// A result of divisions with huge quotients.
pub trait HugeQuotient<C: Element, L: Lanes<C>> {
    /// The result in lanes with huge quotients; unspecified in other lanes.
    fn lanes(l: L, d: &Division<L::V, L::M>) -> L::V;
}

/// Writes the result of a division. It is a call, so that a kernel holds this code once: it is longer than all the
/// rest.
#[cold]
#[inline(never)]
pub fn replace_huge<F: HugeQuotient<C, L>, C: Element, L: Lanes<C>>(_: L, division: &Division<L::V, L::M>) {
    // SAFETY: the token proves that the CPU has the ISA; the entry has no other requirement.
    unsafe { L::entry::<Replace<F, C>, Division<L::V, L::M>>()(division) };
}

/// The entry that [`replace_huge`] calls.
struct Replace<F, C>(PhantomData<(F, C)>);

impl<F: HugeQuotient<C, L>, C: Element, L: Lanes<C>> Entry<L, Division<L::V, L::M>> for Replace<F, C> {
    #[inline(always)]
    unsafe fn run(l: L, d: &Division<L::V, L::M>) {
        d.result.set(l.select(d.huge, F::lanes(l, d), d.ordinary));
    }
}

/// Arithmetic modulo `n`.
struct Modulo<C: Format, L: MathLanes<C>> {
    l: L,
    n: L::V,
    /// `1 / n`, rounded.
    inverse: L::V,
}

impl<C: Format, L: MathLanes<C, Int = C::Int>> Modulo<C, L> {
    /// `h` minus the nearest multiple of `n`.
    #[inline(always)]
    fn reduce(&self, h: L::V, ones: C) -> L::V {
        let l = self.l;
        let ones = l.splat(ones);
        l.fnma(l.sub(l.fma(h, self.inverse, ones), ones), self.n, h)
    }

    /// `a` times a power of two, reduced.
    #[inline(always)]
    fn scale(&self, a: L::V, power: L::V) -> L::V {
        self.reduce(self.l.mul(a, power), C::ONES)
    }

    /// `a b` reduced to less than `n` in magnitude. `ones` is [`Format::ONES`], or for squares [`Format::WHOLE`], which
    /// allows somewhat larger products.
    #[inline(always)]
    fn product(&self, a: L::V, b: L::V, ones: C) -> L::V {
        let l = self.l;
        let h = l.mul(a, b);
        l.sub(self.reduce(h, ones), l.fnma(a, b, h))
    }
}

#[inline(always)]
fn int<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, i: i64) -> L::I {
    l.int(C::int(i))
}

/// The exponent field of a non-negative number.
#[inline(always)]
fn exponent_field<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, v: L::V) -> L::I {
    l.shift_right(l.to_bits(v), C::FRACTION)
}

/// The significand of a normal number as an integer of p + 1 bits.
#[inline(always)]
fn significand<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, v: L::V) -> L::V {
    let fraction = l.int_and(l.to_bits(v), int::<C, L>(l, (1 << C::FRACTION) - 1));
    l.with_bits(l.int_or(fraction, l.to_bits(l.splat(C::WHOLE))))
}

/// 2^e
#[inline(always)]
fn power<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, e: L::I) -> L::V {
    l.with_bits(l.shift_left(l.int_add(e, int::<C, L>(l, C::BIAS)), C::FRACTION))
}

/// `x mod y`; in lanes with `signs_differ`, `y` minus that unless it is 0.
pub struct HugeRemainder;

impl<C: Format, L: MathLanes<C, Int = C::Int>> HugeQuotient<C, L> for HugeRemainder {
    #[inline(always)]
    fn lanes(l: L, d: &Division<L::V, L::M>) -> L::V {
        if matches!(L::ISA, Isa::Scalar) { remainder_by_element(l, d) } else { remainder::<C, L>(l, d) }
    }
}

impl<C: Format> PerElement2<C> for HugeRemainder {
    #[inline(always)]
    fn apply(x: C, y: C) -> C {
        x % y
    }
}

/// Element by element: without a fused multiply-add instruction, a loop over the digits of the quotient is faster.
#[inline(always)]
fn remainder_by_element<C: Format, L: Lanes<C>>(l: L, d: &Division<L::V, L::M>) -> L::V {
    let rest = apply2::<C, L, HugeRemainder>(l, d.x, d.y);
    let complement = l.mask_and(d.signs_differ, l.lt(l.splat(C::ZERO), rest));
    l.select(complement, l.sub(d.y, rest), rest)
}

/// In vectors, without arithmetic on subnormal numbers, which is slow.
#[inline(always)]
fn remainder<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, d: &Division<L::V, L::M>) -> L::V {
    let (p, bias) = (C::FRACTION, C::BIAS);
    let whole = l.splat(C::WHOLE);
    let whole_bits = l.to_bits(whole);
    // The dividend of a huge quotient is normal; the divisor may be subnormal.
    let (mut y, mut f) = (d.y, exponent_field::<C, L>(l, d.y));
    let subnormal = l.mask_and(d.huge, l.lt(y, l.splat(C::NORMAL)));
    if l.any(subnormal) {
        // In units of the smallest number.
        let units = l.sub(l.with_bits(l.int_or(l.to_bits(y), whole_bits)), whole);
        y = l.select(subnormal, units, y);
        let offset = int::<C, L>(l, bias - 1 + i64::from(p));
        f = l.int_select(subnormal, l.int_sub(exponent_field::<C, L>(l, units), offset), f);
    }
    let n = significand::<C, L>(l, y);
    let n = Modulo::<C, L> { l, n, inverse: l.div(l.splat(C::ONE), n) };
    // In the other lanes this masks the exponent to as many bits: their powers may be infinite or NaN, but not
    // subnormal.
    let up = l.int_and(l.int_sub(exponent_field::<C, L>(l, d.x), f), int::<C, L>(l, 4 * bias + 3));

    // A power of two below 1 is its own residue until it is scaled.
    let first = l.int_sub(l.shift_right(up, C::SQUARINGS), int::<C, L>(l, i64::from(C::STEP)));
    let mut t = n.reduce(power::<C, L>(l, first), C::WHOLE);
    if C::STEP > 0 {
        t = n.scale(t, l.splat(C::STEP_POWER));
    }
    let mut i = 1;
    while i < C::SQUARINGS {
        let size = l.abs(n.product(t, t, C::WHOLE));
        t = l.least(size, l.sub(n.n, size));
        i += 1;
    }
    let t = n.reduce(n.product(t, t, C::WHOLE), C::ONES);

    // The dividend is scaled by the low bits of the exponent and takes the sign of the result modulo n.
    let last = power::<C, L>(l, l.int_and(up, int::<C, L>(l, (1 << C::SQUARINGS) - 1)));
    let last = l.select(d.signs_differ, l.neg(last), last);
    let m = n.reduce(n.scale(significand::<C, L>(l, d.x), last), C::ONES);

    // The result is scaled by 2^(f - 1), or less if it may be subnormal: then it is in units of the smallest number.
    let most = int::<C, L>(l, i64::from(p));
    let shift = l.int_sub(f, int::<C, L>(l, 1));
    let shift = l.int_select(l.int_lt(shift, most), shift, most);
    let (raise, lower) = (power::<C, L>(l, shift), power::<C, L>(l, l.int_sub(int::<C, L>(l, 0), shift)));
    let scaled = Modulo::<C, L> { l, n: l.mul(n.n, raise), inverse: l.mul(n.inverse, lower) };
    let rest = scaled.product(t, l.mul(m, raise), C::ONES);
    let rest = l.select(l.lt(rest, l.splat(C::ZERO)), l.add(rest, scaled.n), rest);
    let subnormal = l.int_sub(l.to_bits(l.add(rest, whole)), whole_bits);
    let exponent = l.int_sub(l.int_sub(f, shift), int::<C, L>(l, bias + i64::from(p)));
    let normal = l.int_add(l.to_bits(rest), l.shift_left(exponent, p));
    l.with_bits(l.int_select(l.lt(rest, whole), subnormal, normal))
}
