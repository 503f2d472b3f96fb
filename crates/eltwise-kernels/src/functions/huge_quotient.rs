//! What a division of floats leaves where the quotient is huge, 2^p and more (`p` the bits of the fraction). Of `x = m 2^e`
//! by `y = n 2^f`, for integers `m` and `n` of `p + 1` bits, it is `(m 2^(e - f) mod n) 2^f`. The power of two is made modulo `n` by
//! squaring: the time is that of three squares for `f32` and of four for `f64`, whatever the quotient.
//!
//! Numbers modulo `n` are integers of either sign, at most about half of `n`. A product `h + l` of two (`h` rounded, `l` exact by a
//! fused multiplication) less `q n` is `(h - q n) + l`, where `q` is the integer next to `h (1 / n)`: the fused multiplication that adds a
//! number whose last bit counts ones rounds it. With a product of at most about `n^2 / 4`, the error of the reciprocal moves `q` by
//! less than 1/4, and `l` is less than `n / 4`: `h - q n` is at most 3/4 of `n`, the sum less than `n`, and both are exact. Of the sum's
//! size and its difference from `n` the smaller one is squared next, for squares do not ask for the sign.

use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Rem;

use eltwise_simd::lanes::{Element, Lanes};
use eltwise_simd::{Entry, Isa, MathLanes};

use super::each::{Each2, each2};

/// A float whose fraction has `p` bits.
pub trait Format: Element + Rem<Output = Self> {
    /// The integer of as many bits.
    type Int: Copy;
    /// p
    const FRACTION: u32;
    /// The exponent field of 1.
    const BIAS: i64;
    /// 2^p: quotients from it on are huge.
    const WHOLE: Self;
    /// 3 * 2^(p - 1): its last bit counts ones, and that of its sums with numbers of either sign up to 2^(p - 1).
    const ONES: Self;
    /// The smallest normal number.
    const NORMAL: Self;
    /// How often a power of two is squared.
    const SQUARINGS: u32;
    /// The exponent by which it is raised in a step of its own before: the first one would be too large for one reduction.
    const STEP: u32;
    /// 2^STEP
    const STEP_POWER: Self;

    /// An integer.
    fn int(i: i64) -> Self::Int;
}

macro_rules! formats {
    ($($t:ident $int:ident, fraction $fraction:literal, bias $bias:literal, squarings $squarings:literal, step $step:literal;)*) => {$(
        impl Format for $t {
            type Int = $int;
            const FRACTION: u32 = $fraction;
            const BIAS: i64 = $bias;
            const WHOLE: $t = (1u64 << $fraction) as $t;
            const ONES: $t = (3u64 << ($fraction - 1)) as $t;
            const NORMAL: $t = <$t>::MIN_POSITIVE;
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

/// A division of magnitudes, some with huge quotients. Aligned, so that a vector is read as it was written.
#[repr(align(64))]
pub struct Division<V, M> {
    /// The dividends.
    pub x: V,
    /// The divisors.
    pub y: V,
    /// `x / y`, rounded.
    pub quotient: V,
    /// Where the quotient is huge.
    pub huge: M,
    /// Where the signs of the operands differ.
    pub differ: M,
    /// The result of other lanes.
    pub others: V,
    /// The result, once it is there.
    pub result: Cell<V>,
}

/// A result of divisions with huge quotients.
pub trait Hugely<C: Element, L: Lanes<C>> {
    /// The result where the quotient is huge; any number in other lanes.
    fn lanes(l: L, d: &Division<L::V, L::M>) -> L::V;
}

/// Makes the result: by a call, so that kernels hold the code once. It is longer than all else in them.
#[cold]
#[inline(never)]
pub fn replace_huge<F: Hugely<C, L>, C: Element, L: Lanes<C>>(_: L, division: &Division<L::V, L::M>) {
    // SAFETY: the token proves the level; the entry asks for nothing else.
    unsafe { L::entry::<Replace<F, C>, Division<L::V, L::M>>()(division) };
}

/// The code behind [`replace_huge`].
struct Replace<F, C>(PhantomData<(F, C)>);

impl<F: Hugely<C, L>, C: Element, L: Lanes<C>> Entry<L, Division<L::V, L::M>> for Replace<F, C> {
    #[inline(always)]
    unsafe fn run(l: L, d: &Division<L::V, L::M>) {
        d.result.set(l.select(d.huge, F::lanes(l, d), d.others));
    }
}

/// Numbers modulo `n`.
struct Modulo<C: Format, L: MathLanes<C>> {
    l: L,
    n: L::V,
    inverse: L::V,
}

impl<C: Format, L: MathLanes<C, Int = C::Int>> Modulo<C, L> {
    /// `h` less a multiple of `n` next to it.
    #[inline(always)]
    fn reduced(&self, h: L::V, ones: C) -> L::V {
        let l = self.l;
        let ones = l.splat(ones);
        l.fnma(l.sub(l.fma(h, self.inverse, ones), ones), self.n, h)
    }

    /// `a` times a power of two, reduced.
    #[inline(always)]
    fn raised(&self, a: L::V, power: L::V) -> L::V {
        self.reduced(self.l.mul(a, power), C::ONES)
    }

    /// `a b`, less than n; `ones` is [`Format::ONES`], or [`Format::WHOLE`] for squares, which may then be somewhat larger.
    #[inline(always)]
    fn product(&self, a: L::V, b: L::V, ones: C) -> L::V {
        let l = self.l;
        let h = l.mul(a, b);
        l.sub(self.reduced(h, ones), l.fnma(a, b, h))
    }
}

#[inline(always)]
fn int<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, i: i64) -> L::I {
    l.int(C::int(i))
}

/// The exponent field of a number without a sign.
#[inline(always)]
fn field<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, v: L::V) -> L::I {
    l.shift_right(l.to_bits(v), C::FRACTION)
}

/// The integer of p + 1 bits that a normal number is times a power of two.
#[inline(always)]
fn integer<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, v: L::V) -> L::V {
    let fraction = l.int_and(l.to_bits(v), int::<C, L>(l, (1 << C::FRACTION) - 1));
    l.with_bits(l.int_or(fraction, l.to_bits(l.splat(C::WHOLE))))
}

/// 2^e
#[inline(always)]
fn power<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, e: L::I) -> L::V {
    l.with_bits(l.shift_left(l.int_add(e, int::<C, L>(l, C::BIAS)), C::FRACTION))
}

/// What `x` leaves of `y`, or, where `differ` is set and something is left, `y` less that.
pub struct Left;

impl<C: Format, L: MathLanes<C, Int = C::Int>> Hugely<C, L> for Left {
    #[inline(always)]
    fn lanes(l: L, d: &Division<L::V, L::M>) -> L::V {
        if matches!(L::ISA, Isa::Scalar) { left_by_one(l, d) } else { left::<C, L>(l, d) }
    }
}

impl<C: Format> Each2<C> for Left {
    #[inline(always)]
    fn each(x: C, y: C) -> C {
        x % y
    }
}

/// Lane by lane: where a fused multiplication is a call, a loop over the digits of the quotient is sooner done.
#[inline(always)]
fn left_by_one<C: Format, L: Lanes<C>>(l: L, d: &Division<L::V, L::M>) -> L::V {
    let rest = each2::<C, L, Left>(l, d.x, d.y);
    let other = l.mask_and(d.differ, l.lt(l.splat(C::ZERO), rest));
    l.select(other, l.sub(d.y, rest), rest)
}

/// In vectors, without arithmetic on subnormal numbers, which is slow.
#[inline(always)]
fn left<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, d: &Division<L::V, L::M>) -> L::V {
    let (p, bias) = (C::FRACTION, C::BIAS);
    let whole = l.splat(C::WHOLE);
    let whole_bits = l.to_bits(whole);
    // Where the quotient is huge, the dividend is normal.
    let (mut y, mut f) = (d.y, field::<C, L>(l, d.y));
    let subnormal = l.mask_and(d.huge, l.lt(y, l.splat(C::NORMAL)));
    if l.any(subnormal) {
        // In units of the smallest number.
        let units = l.sub(l.with_bits(l.int_or(l.to_bits(y), whole_bits)), whole);
        y = l.select(subnormal, units, y);
        let less = int::<C, L>(l, bias - 1 + i64::from(p));
        f = l.int_select(subnormal, l.int_sub(field::<C, L>(l, units), less), f);
    }
    let n = integer::<C, L>(l, y);
    let n = Modulo::<C, L> { l, n, inverse: l.div(l.splat(C::ONE), n) };
    // In other lanes a number of as many bits: their powers may be infinite or NaN, but not subnormal.
    let up = l.int_and(l.int_sub(field::<C, L>(l, d.x), f), int::<C, L>(l, 4 * bias + 3));

    // A power of two below 1 stays as it is until it is raised.
    let part = l.int_sub(l.shift_right(up, C::SQUARINGS), int::<C, L>(l, i64::from(C::STEP)));
    let mut t = n.reduced(power::<C, L>(l, part), C::WHOLE);
    if C::STEP > 0 {
        t = n.raised(t, l.splat(C::STEP_POWER));
    }
    let mut i = 1;
    while i < C::SQUARINGS {
        let size = l.abs(n.product(t, t, C::WHOLE));
        t = l.least(size, l.sub(n.n, size));
        i += 1;
    }
    let t = n.reduced(n.product(t, t, C::WHOLE), C::ONES);

    // The dividend takes the last bits of the power, and the sign of the result modulo n.
    let last = power::<C, L>(l, l.int_and(up, int::<C, L>(l, (1 << C::SQUARINGS) - 1)));
    let last = l.select(d.differ, l.neg(last), last);
    let m = n.reduced(n.raised(integer::<C, L>(l, d.x), last), C::ONES);

    // The result is made times 2^(f - 1): in units of the smallest number, where it may be subnormal.
    let most = int::<C, L>(l, i64::from(p));
    let above = l.int_sub(f, int::<C, L>(l, 1));
    let above = l.int_select(l.int_lt(above, most), above, most);
    let (raise, lower) = (power::<C, L>(l, above), power::<C, L>(l, l.int_sub(int::<C, L>(l, 0), above)));
    let raised = Modulo::<C, L> { l, n: l.mul(n.n, raise), inverse: l.mul(n.inverse, lower) };
    let rest = raised.product(t, l.mul(m, raise), C::ONES);
    let rest = l.select(l.lt(rest, l.splat(C::ZERO)), l.add(rest, raised.n), rest);
    let subnormal = l.int_sub(l.to_bits(l.add(rest, whole)), whole_bits);
    let exponent = l.int_sub(l.int_sub(f, above), int::<C, L>(l, bias + i64::from(p)));
    let normal = l.int_add(l.to_bits(rest), l.shift_left(exponent, p));
    l.with_bits(l.int_select(l.lt(rest, whole), subnormal, normal))
}
