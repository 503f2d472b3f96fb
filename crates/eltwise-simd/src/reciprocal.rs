//! Quotients of many integers by one, without dividing: a product with a reciprocal that is made once.
//!
//! For a divisor `d` of `N` bits and `l` the smallest integer with `d <= 2^l`, take
//! `magic = floor(2^N (2^l - d) / d) + 1`. Then `2^N + magic` is `2^(N+l) / d`, too large by at most `2^l / d`, and for every
//! `n < 2^N` the floor of `n (2^N + magic) / 2^(N+l)` is that of `n / d` (Granlund and Montgomery, "Division by invariant
//! integers using multiplication", 1994, figure 4.1). The sum `n + high` may take `N + 1` bits: half of `n - high` is added
//! to `high` instead.
//!
//! Signed numbers are divided by their magnitudes. Rounding down, a quotient below zero is `!((m - 1) / d)` of the dividend's
//! magnitude `m`.

use crate::quotient::{Integer, QuotientLanes};

/// The reciprocal of an integer's magnitude, see the [module](self). That of 0 makes every quotient 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reciprocal<C> {
    magic: C,
    near: u32,
    far: u32,
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
                    return Reciprocal { magic: 0, near: 0, far: $t::BITS };
                }
                let l = $t::BITS - (d - 1).leading_zeros();
                let above = ((1 as $wide) << l) - $wide::from(d);
                let magic = ((above << $t::BITS) / $wide::from(d)) as $unsigned + 1;
                Reciprocal { magic: magic as $t, near: l.min(1), far: l.saturating_sub(1) }
            }
        }
    )*};
}

invertible! {
    i8 u8 u16 i8::unsigned_abs; i16 u16 u32 i16::unsigned_abs; i32 u32 u64 i32::unsigned_abs; i64 u64 u128 i64::unsigned_abs;
    u8 u8 u16 u8::from; u16 u16 u32 u16::from; u32 u32 u64 u32::from; u64 u64 u128 u64::from;
}

/// A divisor of many vectors.
#[derive(Clone, Copy, Debug)]
pub struct Divisor<V> {
    magic: V,
    near: u32,
    far: u32,
    /// -1 for a divisor below zero, else 0.
    sign: V,
    /// `sign`; the smallest number for 0, which no lane is less than.
    bound: V,
    /// What the lanes have of their own for this divisor.
    fraction: V,
}

impl<V: Copy> Divisor<V> {
    /// Prepares to divide by `d`. Quotients by 0 are 0.
    #[inline(always)]
    pub fn new<C: Invertible, L: QuotientLanes<C, V = V>>(l: L, d: C) -> Divisor<V> {
        let Reciprocal { magic, near, far } = d.reciprocal();
        let sign = l.splat(if d < C::ZERO { C::MINUS_ONE } else { C::ZERO });
        let bound = if d == C::ZERO { l.splat(C::MIN) } else { sign };
        Divisor { magic: l.splat(magic), near, far, sign, bound, fraction: l.fraction(d) }
    }

    /// See [`QuotientLanes::fraction`].
    #[inline(always)]
    pub fn fraction(&self) -> V {
        self.fraction
    }

    /// `a / d` toward zero, wrapping.
    #[inline(always)]
    pub fn toward_zero<C: Invertible, L: QuotientLanes<C, V = V>>(&self, l: L, a: V) -> V {
        if let Some(quotient) = l.quotient_by::<false>(a, self.fraction) {
            return quotient;
        }
        if C::MIN == C::ZERO {
            return self.of_magnitudes(l, a);
        }
        let quotient = self.of_magnitudes(l, l.abs(a));
        l.select(l.lt(l.xor(a, self.sign), l.splat(C::ZERO)), l.neg(quotient), quotient)
    }

    /// `a / d` rounded down, wrapping.
    #[inline(always)]
    pub fn down<C: Invertible, L: QuotientLanes<C, V = V>>(&self, l: L, a: V) -> V {
        if let Some(quotient) = l.quotient_by::<true>(a, self.fraction) {
            return quotient;
        }
        if C::MIN == C::ZERO {
            return self.of_magnitudes(l, a);
        }
        // The dividend with the divisor's sign taken away, and whether it is below zero: MIN / -1 is not.
        let turned = l.xor(a, self.sign);
        let below = l.select(l.lt(turned, self.bound), l.splat(C::MINUS_ONE), l.splat(C::ZERO));
        let magnitude = l.xor(l.sub(turned, self.sign), below);
        l.xor(self.of_magnitudes(l, magnitude), below)
    }

    /// The quotient of lanes read as unsigned numbers and the divisor's magnitude.
    #[inline(always)]
    fn of_magnitudes<C: Invertible, L: QuotientLanes<C, V = V>>(&self, l: L, n: V) -> V {
        let high = l.mul_high(n, self.magic);
        l.shift_down(l.add(high, l.shift_down(l.sub(n, high), self.near)), self.far)
    }
}
