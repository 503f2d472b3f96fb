//! The portable ISA: vectors are arrays of 16 bytes, which LLVM compiles for the baseline of the architecture. Two
//! tokens: [`Scalar`], and [`OneLane`] for long math functions.

mod math;

use crate::float_to_int::FloatToIntLanes;
use crate::half_bits;
use crate::int_div::IntDivLanes;
use crate::int8_to_float::Int8ToFloatLanes;
use crate::int64_to_float::Int64ToFloatLanes;
use crate::isa::Isa;
use crate::lanes::{BasicFloatLanes, Element, FloatLanes, IntLanes, Lanes, copy_elements, rounding};
use crate::storage::HalfLanes;
use crate::token::{Entry, Token};

/// The token of [`Isa::Scalar`].
#[derive(Clone, Copy, Debug)]
pub struct Scalar;

/// The token of [`Isa::Scalar`] for long functions of floats: its vectors have one lane. With arrays, the compiler
/// repeats the function once per lane; that was half of the code of all kernels, and more than half of their compile
/// time.
#[derive(Clone, Copy, Debug)]
pub struct OneLane;

macro_rules! token {
    ($($token:ident $enter:ident)*) => {$(
        impl Token for $token {
            const ISA: Isa = Isa::Scalar;
            fn entry<E: Entry<$token, A>, A>() -> unsafe fn(&A) {
                $enter::<E, A>
            }
        }

        /// # Safety
        /// `E::run`'s contract.
        unsafe fn $enter<E: Entry<$token, A>, A>(argument: &A) {
            // SAFETY: the caller's contract; the token needs no feature.
            unsafe { E::run($token, argument) };
        }
    )*};
}

token!(Scalar enter OneLane enter_one);

#[inline(always)]
fn map1<A: Copy, B: Copy + Default, const N: usize>(a: [A; N], f: impl Fn(A) -> B) -> [B; N] {
    let mut out = [B::default(); N];
    for i in 0..N {
        out[i] = f(a[i]);
    }
    out
}

#[inline(always)]
fn map2<A: Copy, B: Copy + Default, const N: usize>(a: [A; N], b: [A; N], f: impl Fn(A, A) -> B) -> [B; N] {
    let mut out = [B::default(); N];
    for i in 0..N {
        out[i] = f(a[i], b[i]);
    }
    out
}

macro_rules! scalar_lanes {
    ($($token:ident $t:ident $n:literal, $add:expr, $sub:expr, $mul:expr, $neg:expr, $abs:expr, $max:expr, $min:expr;)*) => {$(
        impl Lanes<$t> for $token {
            type V = [$t; $n];
            type M = [bool; $n];
            const N: usize = $n;

            #[inline(always)]
            unsafe fn load(self, p: *const $t) -> Self::V {
                // SAFETY: the caller's contract.
                unsafe { p.cast::<Self::V>().read_unaligned() }
            }
            #[inline(always)]
            unsafe fn store(self, p: *mut $t, v: Self::V) {
                // SAFETY: the caller's contract.
                unsafe { p.cast::<Self::V>().write_unaligned(v) };
            }
            #[inline(always)]
            unsafe fn load_n(self, p: *const $t, n: usize) -> Self::V {
                let mut v = self.splat(<$t>::ONE);
                // SAFETY: the caller's contract; `v` has N >= n lanes.
                unsafe { copy_elements(p, v.as_mut_ptr(), n) };
                v
            }
            #[inline(always)]
            unsafe fn store_n(self, p: *mut $t, n: usize, v: Self::V) {
                // SAFETY: the caller's contract; `v` has N >= n lanes.
                unsafe { copy_elements(v.as_ptr(), p, n) };
            }
            #[inline(always)]
            fn splat(self, c: $t) -> Self::V {
                [c; $n]
            }
            #[inline(always)]
            fn add(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, $add)
            }
            #[inline(always)]
            fn sub(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, $sub)
            }
            #[inline(always)]
            fn mul(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, $mul)
            }
            #[inline(always)]
            fn neg(self, a: Self::V) -> Self::V {
                map1(a, $neg)
            }
            #[inline(always)]
            fn abs(self, a: Self::V) -> Self::V {
                map1(a, $abs)
            }
            #[inline(always)]
            fn maximum(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, $max)
            }
            #[inline(always)]
            fn minimum(self, a: Self::V, b: Self::V) -> Self::V {
                map2(a, b, $min)
            }
            #[inline(always)]
            fn eq(self, a: Self::V, b: Self::V) -> Self::M {
                map2(a, b, |a, b| a == b)
            }
            #[inline(always)]
            fn lt(self, a: Self::V, b: Self::V) -> Self::M {
                map2(a, b, |a, b| a < b)
            }
            #[inline(always)]
            fn le(self, a: Self::V, b: Self::V) -> Self::M {
                map2(a, b, |a, b| a <= b)
            }
            #[inline(always)]
            fn select(self, m: Self::M, a: Self::V, b: Self::V) -> Self::V {
                let mut out = b;
                for i in 0..out.len() {
                    out[i] = if m[i] { a[i] } else { b[i] };
                }
                out
            }
            #[inline(always)]
            fn mask_and(self, a: Self::M, b: Self::M) -> Self::M {
                map2(a, b, |a, b| a & b)
            }
            #[inline(always)]
            fn mask_or(self, a: Self::M, b: Self::M) -> Self::M {
                map2(a, b, |a, b| a | b)
            }
            #[inline(always)]
            fn mask_xor(self, a: Self::M, b: Self::M) -> Self::M {
                map2(a, b, |a, b| a ^ b)
            }
            #[inline(always)]
            fn mask_not(self, a: Self::M) -> Self::M {
                map1(a, |a: bool| !a)
            }
            #[inline(always)]
            fn any(self, m: Self::M) -> bool {
                m.iter().fold(false, |any, &m| any | m)
            }
            #[inline(always)]
            unsafe fn load_bools(self, p: *const u8) -> Self::M {
                // SAFETY: the caller's contract.
                let bytes = unsafe { p.cast::<[u8; $n]>().read_unaligned() };
                map1(bytes, |b: u8| b != 0)
            }
            #[inline(always)]
            unsafe fn load_bools_n(self, p: *const u8, n: usize) -> Self::M {
                let mut bytes = [0u8; $n];
                // SAFETY: the caller's contract; the block has N >= n bytes.
                unsafe { copy_elements(p, bytes.as_mut_ptr(), n) };
                map1(bytes, |b: u8| b != 0)
            }
            #[inline(always)]
            unsafe fn store_bools4(self, p: *mut u8, m: [Self::M; 4]) {
                // SAFETY: the caller's contract; a bool is a byte of 0 or 1.
                unsafe { p.cast::<[Self::M; 4]>().write_unaligned(m) };
            }
        }
    )*};
}

macro_rules! scalar_ints {
    ($($t:ident $n:literal, $abs:expr;)*) => {
        scalar_lanes! {$(
            Scalar $t $n, |a: $t, b| a.wrapping_add(b), |a: $t, b| a.wrapping_sub(b), |a: $t, b| a.wrapping_mul(b),
            |a: $t| a.wrapping_neg(), $abs, |a: $t, b: $t| a.max(b), |a: $t, b: $t| a.min(b);
        )*}
        $(
            impl IntLanes<$t> for Scalar {
                #[inline(always)]
                fn and(self, a: Self::V, b: Self::V) -> Self::V {
                    map2(a, b, |a: $t, b| a & b)
                }
                #[inline(always)]
                fn or(self, a: Self::V, b: Self::V) -> Self::V {
                    map2(a, b, |a: $t, b| a | b)
                }
                #[inline(always)]
                fn xor(self, a: Self::V, b: Self::V) -> Self::V {
                    map2(a, b, |a: $t, b| a ^ b)
                }
                #[inline(always)]
                fn not(self, a: Self::V) -> Self::V {
                    map1(a, |a: $t| !a)
                }
            }
        )*
    };
}

scalar_ints! {
    i8 16, |a: i8| a.wrapping_abs(); i16 8, |a: i16| a.wrapping_abs();
    i32 4, |a: i32| a.wrapping_abs(); i64 2, |a: i64| a.wrapping_abs();
    u8 16, |a: u8| a; u16 8, |a: u16| a; u32 4, |a: u32| a; u64 2, |a: u64| a;
}

macro_rules! scalar_floats {
    ($($token:ident $t:ident $n:literal $bits:ident, $fma:expr;)*) => {
        scalar_lanes! {$(
            $token $t $n, |a: $t, b| a + b, |a: $t, b| a - b, |a: $t, b| a * b, |a: $t| -a, |a: $t| a.abs(),
            // Equal operands differ at most in the sign of a zero. A NaN compares unequal and is returned.
            |a: $t, b: $t| if a == b { <$t>::from_bits(a.to_bits() & b.to_bits()) } else if a > b || a != a { a } else { b },
            |a: $t, b: $t| if a == b { <$t>::from_bits(a.to_bits() | b.to_bits()) } else if a < b || a != a { a } else { b };
        )*}
        $(
            impl BasicFloatLanes<$t> for $token {
                #[inline(always)]
                fn div(self, a: Self::V, b: Self::V) -> Self::V {
                    map2(a, b, |a: $t, b| a / b)
                }
                #[inline(always)]
                fn sqrt(self, a: Self::V) -> Self::V {
                    map1(a, |a: $t| a.sqrt())
                }
                #[inline(always)]
                fn copysign(self, a: Self::V, b: Self::V) -> Self::V {
                    map2(a, b, |a: $t, b: $t| a.copysign(b))
                }
                #[inline(always)]
                fn round_to_integral<const MODE: i32>(self, a: Self::V) -> Self::V {
                    match MODE {
                        rounding::FLOOR => map1(a, |a: $t| a.floor()),
                        rounding::CEIL => map1(a, |a: $t| a.ceil()),
                        rounding::TRUNC => map1(a, |a: $t| a.trunc()),
                        _ => map1(a, |a: $t| a.round_ties_even()),
                    }
                }
            }
            impl FloatLanes<$t> for $token {
                #[inline(always)]
                fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
                    let mut out = c;
                    for i in 0..out.len() {
                        out[i] = $fma(a[i], b[i], c[i]);
                    }
                    out
                }
                #[inline(always)]
                fn power_of_two(self, n: Self::V) -> Self::V {
                    map1(n, |n: $t| {
                        let field = (n as i64).wrapping_add(i64::from(<$t>::MAX_EXP) - 1);
                        <$t>::from_bits((field as $bits) << (<$t>::MANTISSA_DIGITS - 1))
                    })
                }
                #[inline(always)]
                fn exponent_field(self, a: Self::V) -> Self::V {
                    map1(a, |a: $t| (a.to_bits() >> (<$t>::MANTISSA_DIGITS - 1)) as $t)
                }
            }
        )*
    };
}

scalar_floats! {
    Scalar f32 4 u32, fma_f32;
    Scalar f64 2 u64, |a: f64, b: f64, c: f64| a.mul_add(b, c);
    OneLane f32 1 u32, fma_f32;
    OneLane f64 1 u64, |a: f64, b: f64, c: f64| a.mul_add(b, c);
}

/// `a * b + c`, rounded once, without a fused instruction. The product is exact in `f64`, and the sum is rounded to
/// odd, so the final conversion to `f32` rounds correctly (Boldo and Melquiond, 2008).
#[inline(always)]
fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    // The exact error of the sum (Knuth's two-sum). It is NaN if an operand is infinite; nothing is adjusted then.
    let other = sum - product;
    let error = (product - (sum - other)) + (c - other);
    let even = sum.to_bits() & 1 == 0;
    let outward = (error > 0.0) == (sum > 0.0);
    let neighbour = if outward { sum.to_bits().wrapping_add(1) } else { sum.to_bits().wrapping_sub(1) };
    let inexact = error.abs() > 0.0;
    f64::from_bits(if inexact && even { neighbour } else { sum.to_bits() }) as f32
}

impl HalfLanes for Scalar {
    type H = [u16; 4];
    #[inline(always)]
    unsafe fn load_halves(self, p: *const u16) -> [u16; 4] {
        // SAFETY: the caller's contract.
        unsafe { p.cast::<[u16; 4]>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn load_halves_n(self, p: *const u16, n: usize, fill: u16) -> [u16; 4] {
        let mut h = [fill; 4];
        // SAFETY: the caller's contract; the array has 4 >= n elements.
        unsafe { copy_elements(p, h.as_mut_ptr(), n) };
        h
    }
    #[inline(always)]
    unsafe fn store_halves(self, p: *mut u16, h: [u16; 4]) {
        // SAFETY: the caller's contract.
        unsafe { p.cast::<[u16; 4]>().write_unaligned(h) };
    }
    #[inline(always)]
    unsafe fn store_halves_n(self, p: *mut u16, n: usize, h: [u16; 4]) {
        // SAFETY: the caller's contract; the array has 4 >= n elements.
        unsafe { copy_elements(h.as_ptr(), p, n) };
    }
    #[inline(always)]
    fn widen_f16(self, h: [u16; 4]) -> Self::V {
        map1(h, half_bits::f16_to_f32)
    }
    #[inline(always)]
    fn narrow_f16(self, v: Self::V) -> [u16; 4] {
        map1(v, half_bits::f32_to_f16)
    }
    #[inline(always)]
    fn widen_bf16(self, h: [u16; 4]) -> Self::V {
        map1(h, half_bits::bf16_to_f32)
    }
    #[inline(always)]
    fn narrow_bf16(self, v: Self::V) -> [u16; 4] {
        map1(v, half_bits::f32_to_bf16)
    }
}

// Conversions and integer division use the default methods of the traits, which are portable loops.
macro_rules! portable {
    ($($trait:ident: $($t:ty)*;)*) => {$($(
        impl $trait<$t> for Scalar {}
    )*)*};
}

portable! {
    IntDivLanes: i8 i16 i32 i64 u8 u16 u32 u64;
    FloatToIntLanes: i8 i16 i32 i64 u8 u16 u64;
    Int64ToFloatLanes: i64 u64;
    Int8ToFloatLanes: i8 u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fma_rounds_once() {
        let mut state = 7u64;
        let mut next = || f32::from_bits((crate::test_random::next(&mut state) >> 32) as u32);
        for _ in 0..2_000_000 {
            let (a, b) = (next(), next());
            let near = -(f64::from(a) * f64::from(b)) as f32;
            for c in [next(), near, f32::from_bits(near.to_bits() ^ 1)] {
                let (got, want) = (fma_f32(a, b, c), a.mul_add(b, c));
                assert!(got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()), "{a:e} {b:e} {c:e}");
            }
        }
    }
}
