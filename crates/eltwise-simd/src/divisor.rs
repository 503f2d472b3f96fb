//! Division of many vectors by one integer ([`Divisor`]), as a multiplication by a reciprocal that is computed once.
//!
//! For a divisor `d` of `N` bits and `l` the smallest integer with `d <= 2^l`, take
//! `magic = floor(2^N (2^l - d) / d) + 1`. Then `2^N + magic` is `2^(N+l) / d`, too large by at most `2^l / d`, and for every
//! `n < 2^N` the floor of `n (2^N + magic) / 2^(N+l)` is that of `n / d` (Granlund and Montgomery, "Division by invariant
//! integers using multiplication", 1994, figure 4.1). The sum `n + high` may take `N + 1` bits: half of `n - high` is added
//! to `high` instead.
//!
//! Signed numbers are divided as magnitudes. Rounding down, a negative quotient is `!((m - 1) / d)` for the magnitude
//! `m` of the dividend.

use crate::int_div::{IntDivLanes, Integer};

/// The reciprocal of an integer's magnitude; see the [module](self). The reciprocal of 0 makes every quotient 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reciprocal<C> {
    magic: C,
    shift_1: u32,
    shift_2: u32,
}

/// An integer that has a reciprocal.
pub trait Invertible: Integer {
    /// -1.
    const MINUS_ONE: Self;
    /// The smallest number.
    const MIN: Self;
    /// The reciprocal of the magnitude.
    fn reciprocal(self) -> Reciprocal<Self>;
}

macro_rules! invertible {
    ($($t:ident $unsigned:ident $wide:ident $magnitude:expr;)*) => {$(
        impl Invertible for $t {
            const MINUS_ONE: $t = !0;
            const MIN: $t = $t::MIN;
            #[inline(always)]
            fn reciprocal(self) -> Reciprocal<$t> {
                let d: $unsigned = $magnitude(self);
                if d == 0 {
                    return Reciprocal { magic: 0, shift_1: 0, shift_2: $t::BITS };
                }
                let l = $t::BITS - (d - 1).leading_zeros();
                let numerator = ((1 as $wide) << l) - $wide::from(d);
                let magic = ((numerator << $t::BITS) / $wide::from(d)) as $unsigned + 1;
                Reciprocal { magic: magic as $t, shift_1: l.min(1), shift_2: l.saturating_sub(1) }
            }
        }
    )*};
}

invertible! {
    i8 u8 u16 i8::unsigned_abs; i16 u16 u32 i16::unsigned_abs; i32 u32 u64 i32::unsigned_abs; i64 u64 u128 i64::unsigned_abs;
    u8 u8 u16 u8::from; u16 u16 u32 u16::from; u32 u32 u64 u32::from; u64 u64 u128 u64::from;
}

/// A divisor, prepared for many vectors.
#[derive(Clone, Copy, Debug)]
pub struct Divisor<V> {
    magic: V,
    shift_1: u32,
    shift_2: u32,
    /// -1 for a negative divisor, else 0.
    sign: V,
    /// `sign`; or `MIN` if the divisor is 0, so that no lane is less.
    bound: V,
    /// The ISA's preparation, see [`IntDivLanes::fraction`].
    fraction: V,
}

impl<V: Copy> Divisor<V> {
    /// Prepares to divide by `d`. Quotients by 0 are 0.
    #[inline(always)]
    pub fn new<C: Invertible, L: IntDivLanes<C, V = V>>(l: L, d: C) -> Divisor<V> {
        let Reciprocal { magic, shift_1, shift_2 } = d.reciprocal();
        let sign = l.splat(if d < C::ZERO { C::MINUS_ONE } else { C::ZERO });
        let bound = if d == C::ZERO { l.splat(C::MIN) } else { sign };
        Divisor { magic: l.splat(magic), shift_1, shift_2, sign, bound, fraction: l.fraction(d) }
    }

    /// See [`IntDivLanes::fraction`].
    #[inline(always)]
    pub fn fraction(&self) -> V {
        self.fraction
    }

    /// `a / d` toward zero, wrapping.
    #[inline(always)]
    pub fn div_trunc<C: Invertible, L: IntDivLanes<C, V = V>>(&self, l: L, a: V) -> V {
        if let Some(quotient) = l.div_by_fraction::<false>(a, self.fraction) {
            return quotient;
        }
        if C::MIN == C::ZERO {
            return self.div_magnitudes(l, a);
        }
        let quotient = self.div_magnitudes(l, l.abs(a));
        l.select(l.lt(l.xor(a, self.sign), l.splat(C::ZERO)), l.neg(quotient), quotient)
    }

    /// `a / d` rounded down, wrapping.
    #[inline(always)]
    pub fn div_floor<C: Invertible, L: IntDivLanes<C, V = V>>(&self, l: L, a: V) -> V {
        if let Some(quotient) = l.div_by_fraction::<true>(a, self.fraction) {
            return quotient;
        }
        if C::MIN == C::ZERO {
            return self.div_magnitudes(l, a);
        }
        // The sign of the divisor is moved to the dividend; `negative` marks negative results. MIN / -1 is not negative.
        let signed = l.xor(a, self.sign);
        let negative = l.select(l.lt(signed, self.bound), l.splat(C::MINUS_ONE), l.splat(C::ZERO));
        let magnitude = l.xor(l.sub(signed, self.sign), negative);
        l.xor(self.div_magnitudes(l, magnitude), negative)
    }

    /// Divides lanes, read as unsigned, by the magnitude of the divisor.
    #[inline(always)]
    fn div_magnitudes<C: Invertible, L: IntDivLanes<C, V = V>>(&self, l: L, n: V) -> V {
        let high = l.mul_high(n, self.magic);
        l.shift_right_logical(l.add(high, l.shift_right_logical(l.sub(n, high), self.shift_1)), self.shift_2)
    }
}
