//! Operations for vector math functions beyond [`FloatLanes`]: bits as integers, exact scaling, table lookups
//! ([`MathLanes`]), and `f32` lanes widened to `f64` ([`WideLanes`]).
//!
//! Every operation is exact or one correctly rounded IEEE operation, so a function made of them has the same bits on
//! every ISA.

use crate::lanes::{Element, FloatLanes, Lanes};

/// Vectors of floats whose bits are also integers of the same width.
pub trait MathLanes<C: Element>: FloatLanes<C> {
    /// The integer type of a lane: `i32` for `f32`, `i64` for `f64`.
    type Int: Copy;
    /// A vector of integers, with as many lanes as `V`.
    type I: Copy;

    /// The bits as integers. (Highway's `BitCast`.)
    fn to_bits(self, v: Self::V) -> Self::I;
    /// The floats with the given bits.
    fn with_bits(self, i: Self::I) -> Self::V;
    /// `i` in every lane.
    fn int(self, i: Self::Int) -> Self::I;
    /// `a + b`, wrapping.
    fn int_add(self, a: Self::I, b: Self::I) -> Self::I;
    /// `a - b`, wrapping.
    fn int_sub(self, a: Self::I, b: Self::I) -> Self::I;
    /// Bits set in both.
    fn int_and(self, a: Self::I, b: Self::I) -> Self::I;
    /// Bits set in one or both.
    fn int_or(self, a: Self::I, b: Self::I) -> Self::I;
    /// Bits set in exactly one.
    fn int_xor(self, a: Self::I, b: Self::I) -> Self::I;
    /// Shifts left by `n` bits. `n` is less than the lane width and a compile-time constant after inlining.
    fn shift_left(self, a: Self::I, n: u32) -> Self::I;
    /// Shifts right by `n` bits and fills with zeros. `n` is less than the lane width and a compile-time constant after
    /// inlining.
    fn shift_right(self, a: Self::I, n: u32) -> Self::I;
    /// `a == b`
    fn int_eq(self, a: Self::I, b: Self::I) -> Self::M;
    /// `a < b`, signed.
    fn int_lt(self, a: Self::I, b: Self::I) -> Self::M;
    /// `a` where the mask is set, else `b`.
    fn int_select(self, m: Self::M, a: Self::I, b: Self::I) -> Self::I;

    /// `c - a * b`, rounded once.
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a < b ? a : b`, as the x86 `min` instructions: `b` if an operand is NaN or both are zeros.
    fn least(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a > b ? a : b`, as the x86 `max` instructions: `b` if an operand is NaN or both are zeros.
    fn greatest(self, a: Self::V, b: Self::V) -> Self::V;
    /// `v`, with NaN lanes replaced by `by`.
    #[inline(always)]
    fn replace_nan(self, v: Self::V, by: Self::V) -> Self::V {
        self.select(self.ne(v, v), by, v)
    }
    /// Whether [`MathLanes::scale`] and [`MathLanes::scale_floor`] accept every `n`: a NaN `n` gives NaN, an infinite
    /// `n` gives infinity even if `v` is NaN, and an `n` beyond the exponent range gives zero or infinity.
    const SCALES_ALL: bool = false;
    /// `v * 2^n`, rounded once, for integers `n` for which `n / 2` is an exponent of `C` and `v * 2^(n / 2)` a normal
    /// number: for `v` between 1/4 and 4, `|n| <= 250` for `f32` and 2000 for `f64`. `ones` is a number whose last bit
    /// has the value 1 and whose lowest bits are twice the bias of `C`.
    #[inline(always)]
    fn scale(self, v: Self::V, n: Self::V, ones: Self::V) -> Self::V {
        // Two exponent fields whose sum is n plus twice the bias.
        let mantissa = if size_of::<C>() == 4 { 23 } else { 52 };
        let both = self.to_bits(self.add(n, ones));
        let first = self.shift_left(self.shift_right(both, 1), mantissa);
        let second = self.int_sub(self.shift_left(both, mantissa), first);
        self.mul(self.mul(v, self.with_bits(first)), self.with_bits(second))
    }
    /// `v * 2^floor(n)`, rounded once, as [`MathLanes::scale`], for numbers `n` with at most three fraction bits; +0 in
    /// lanes where `to_zero` is set. `ones` is a number whose last bit has the value 1/8 and whose lowest bits are 16
    /// times the bias of `C`.
    #[inline(always)]
    fn scale_floor(self, to_zero: Self::M, v: Self::V, n: Self::V, ones: Self::V) -> Self::V {
        let mantissa = if size_of::<C>() == 4 { 23 } else { 52 };
        let both = self.to_bits(self.add(n, ones));
        let first = self.shift_left(self.shift_right(both, 4), mantissa);
        let second = self.int_sub(self.shift_left(self.shift_right(both, 3), mantissa), first);
        self.select(to_zero, self.splat(C::ZERO), self.mul(self.mul(v, self.with_bits(first)), self.with_bits(second)))
    }
    /// Table lookup: entry `index % K` of a table of `K` entries, a power of two.
    fn lookup<const K: usize>(self, table: &[C; K], index: Self::I) -> Self::V;
    /// Looks up entry `index % 16` in each of `N` tables. `by_table` has the entries of each table, `by_index` the
    /// entries at each index. ISAs that permute read the former, ISAs that load lane by lane the latter.
    #[inline(always)]
    fn lookup_all<const N: usize>(
        self,
        by_table: &[[C; 16]; N],
        by_index: &[[C; N]; 16],
        index: Self::I,
    ) -> [Self::V; N] {
        let _ = by_index;
        let mut found = [self.splat(C::ZERO); N];
        let mut k = 0;
        while k < N {
            found[k] = self.lookup(&by_table[k], index);
            k += 1;
        }
        found
    }
}

/// A vector of `f32` as two vectors of `f64`, the lower half of the lanes first.
pub trait WideLanes: MathLanes<f32, Int = i32> + MathLanes<f64, Int = i64> {
    /// Converts to `f64`, exactly.
    fn widen(self, v: <Self as Lanes<f32>>::V) -> [<Self as Lanes<f64>>::V; 2];
    /// Converts to `f32`, rounded to nearest even.
    fn narrow(self, v: [<Self as Lanes<f64>>::V; 2]) -> <Self as Lanes<f32>>::V;
    /// The exponent `e`, with `2^e <= v < 2^(e + 1)`, of positive normal numbers; unspecified for other values.
    #[inline(always)]
    fn exponent(self, v: <Self as Lanes<f32>>::V) -> <Self as Lanes<f32>>::V {
        let one = (1 << 23) as f32;
        let upper = MathLanes::<f32>::shift_right(self, MathLanes::<f32>::to_bits(self, v), 23);
        let joined = MathLanes::<f32>::int_or(self, upper, MathLanes::<f32>::int(self, one.to_bits() as i32));
        Lanes::<f32>::sub(self, MathLanes::<f32>::with_bits(self, joined), Lanes::<f32>::splat(self, one + 127.0))
    }
    /// Whether a lane is not a positive normal number, but zero, subnormal, negative, infinite or NaN.
    #[inline(always)]
    fn irregular(self, v: <Self as Lanes<f32>>::V) -> <Self as Lanes<f32>>::M {
        // One signed comparison finds bits below the smallest normal number and above the largest: adding 2^31 makes
        // the range contiguous.
        let bits = MathLanes::<f32>::to_bits(self, v);
        let moved = MathLanes::<f32>::int_add(self, bits, MathLanes::<f32>::int(self, 0x7f80_0000));
        let most = MathLanes::<f32>::int(self, 0x7f00_0000 - i32::MAX - 2);
        MathLanes::<f32>::int_lt(self, most, moved)
    }
    /// The upper 16 bits of each 32-bit integer, shifted right by one; the lower 16 bits are zero.
    #[inline(always)]
    fn half_of_upper(self, i: <Self as MathLanes<f32>>::I) -> <Self as MathLanes<f32>>::I {
        let mask = MathLanes::<f32>::int(self, -1 << 16);
        MathLanes::<f32>::int_and(self, MathLanes::<f32>::shift_right(self, i, 1), mask)
    }
    /// The value that [`WideLanes::whole`] returns for 2^52.
    const WHOLE: f64 = 1.0;
    /// The signed integer in the upper 12 bits of each lane, times [`WideLanes::WHOLE`]; exact. The other 52
    /// bits of the lane are zero.
    #[inline(always)]
    fn whole(self, i: <Self as MathLanes<f64>>::I) -> <Self as Lanes<f64>>::V {
        let one = (1u64 << 52) as f64;
        let upper = MathLanes::<f64>::int_xor(self, i, MathLanes::<f64>::int(self, i64::MIN));
        let upper = MathLanes::<f64>::shift_right(self, upper, 52);
        let joined = MathLanes::<f64>::int_or(self, upper, MathLanes::<f64>::int(self, one.to_bits() as i64));
        Lanes::<f64>::sub(self, MathLanes::<f64>::with_bits(self, joined), Lanes::<f64>::splat(self, one + 2048.0))
    }
}

/// Chooses the token for long functions of floats.
pub trait HasMathToken: WideLanes {
    /// The token itself, or one with fewer lanes.
    type MathToken: WideLanes;
}
