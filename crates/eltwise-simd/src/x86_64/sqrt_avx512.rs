//! Square roots on AVX-512 by multiplication, correctly rounded: for kernels of nothing else, which wait for the one unit that takes
//! roots (24 cycles a vector of `f64`, where this takes nine and a half).
//!
//! From an estimate `y` of 1/√x and `g`, x y rounded, one step (Goldschmidt 1964; with fused operations Markstein, "Computation of
//! elementary functions on the IBM RISC System/6000 processor", 1990),
//!
//! > √x = g + (x - g²) y S(r), where r = 1 - g y and S(r) = ((1 - r)^(-1/2) - 1) / r = 1/2 + 3/8 r + 5/16 r² + 35/128 r³ + ...
//!
//! and a sum rounded *down*, to `s`. With `t` the number after `s` and `u` the step between them, √x is rounded to `t` if √x > s + u/2, that is
//! x > s t + u²/4. Both x and s t are multiples of u²: that is x > s t, and a fused `s t - x` has the sign of the exact one (Tuckerman's
//! test; Cornea, Harrison and Tang, "Scientific Computing on Itanium-based Systems", 2002, chapter 7). Two numbers have no root in the middle.
//!
//! # Why it is correctly rounded whatever the estimate
//!
//! The test chooses between `s` and `t`, which is right if √x is not below s - u/4 (below a power of two, numbers are denser) and not above
//! t + u/2. The sum before it was rounded is from `s` on and below `t`: it is enough that it is less than u/4 from √x. The estimate's relative
//! error is below 2^-14 (Intel 64 and IA-32 Architectures Software Developer's Manual, VRSQRT14; nothing else of it is used), so
//! |r| < 2^-13 (1 + 2^-13), |x - g²| y = √x |r| but for 2^-13 of it, and u > 2^-24 √x or 2^-53 √x:
//!
//! | | S(r) is taken as | the error of S, times √x r | rounding of x - g², products and S | u/4 is more than |
//! |---|---|---|---|---|
//! | `f32` | 1/2 | 3/8 r² = 2^-27.4 √x | 2^-36 √x | 2^-26 √x |
//! | `f64` | three terms, the second with 3/4 2^-26 of the fourth's factor | 1/4 35/128 r⁴ = 2^-55.8 √x | 2^-64 √x | 2^-55 √x |
//!
//! (`r³ - 3/4 R² r` is at most R³/4 for |r| <= R.) What rounding `g` did is in x - g². No operation underflows from [`LEAST_F32`] and
//! [`LEAST_F64`] on: results are multiples of u², which are normal numbers. So the bits are those of the instruction, on CPUs of any maker;
//! vectors with a lane of another kind go to it.

use core::arch::x86_64::*;

/// The bits of 2^-72. A root has a step of 2^-59, and its square is a normal number.
const LEAST_F32: i32 = (127 - 72) << 23;
/// The bits of 2^-900, see [`LEAST_F32`].
const LEAST_F64: i64 = (1023 - 900) << 52;
/// Rounding down.
const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;

/// √x, correctly rounded; nothing where a lane is no positive number of usual size.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(super) unsafe fn sqrt_ps(x: __m512) -> Option<__m512> {
    // SAFETY: the caller's contract.
    unsafe {
        let above = _mm512_sub_epi32(_mm512_castps_si512(x), _mm512_set1_epi32(LEAST_F32));
        if _mm512_cmpge_epu32_mask(above, _mm512_set1_epi32((255 << 23) - LEAST_F32)) != 0 {
            return None;
        }
        let y = _mm512_rsqrt14_ps(x);
        let g = _mm512_mul_ps(x, y);
        let d = _mm512_fnmadd_ps(g, g, x);
        let s = _mm512_fmadd_round_ps::<DOWN>(d, _mm512_mul_ps(y, _mm512_set1_ps(0.5)), g);
        let bits = _mm512_castps_si512(s);
        let t = _mm512_castsi512_ps(_mm512_add_epi32(bits, _mm512_set1_epi32(1)));
        let below = _mm512_castps_si512(_mm512_fmsub_ps(s, t, x));
        Some(_mm512_castsi512_ps(_mm512_sub_epi32(bits, _mm512_srai_epi32::<31>(below))))
    }
}

/// √x, correctly rounded; nothing where a lane is no positive number of usual size.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(super) unsafe fn sqrt_pd(x: __m512d) -> Option<__m512d> {
    // SAFETY: the caller's contract.
    unsafe {
        let above = _mm512_sub_epi64(_mm512_castpd_si512(x), _mm512_set1_epi64(LEAST_F64));
        if _mm512_cmpge_epu64_mask(above, _mm512_set1_epi64((2047 << 52) - LEAST_F64)) != 0 {
            return None;
        }
        let y = _mm512_rsqrt14_pd(x);
        let g = _mm512_mul_pd(x, y);
        let r = _mm512_fnmadd_pd(g, y, _mm512_set1_pd(1.0));
        let d = _mm512_fnmadd_pd(g, g, x);
        // 35/128 3/4 2^-26
        let second = 0.375 + 0.205078125 / 67108864.0;
        let p = _mm512_fmadd_pd(r, _mm512_set1_pd(0.3125), _mm512_set1_pd(second));
        let p = _mm512_fmadd_pd(r, p, _mm512_set1_pd(0.5));
        let s = _mm512_fmadd_round_pd::<DOWN>(_mm512_mul_pd(d, y), p, g);
        let bits = _mm512_castpd_si512(s);
        let t = _mm512_castsi512_pd(_mm512_add_epi64(bits, _mm512_set1_epi64(1)));
        let below = _mm512_castpd_si512(_mm512_fmsub_pd(s, t, x));
        Some(_mm512_castsi512_pd(_mm512_sub_epi64(bits, _mm512_srai_epi64::<63>(below))))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use crate::lanes::{BasicFloatLanes, Lanes};
    use crate::x86_64::{Avx2, Avx512};
    use crate::{Entry, Isa, Token};

    /// Roots of all elements, in place; whole vectors.
    struct Roots;

    macro_rules! roots {
        ($($c:ident)*) => {$(
            impl<L: Token + BasicFloatLanes<$c>> Entry<L, RefCell<Vec<$c>>> for Roots {
                #[inline(always)]
                unsafe fn run(l: L, x: &RefCell<Vec<$c>>) {
                    for x in x.borrow_mut().chunks_exact_mut(<L as Lanes<$c>>::N) {
                        // SAFETY: a chunk is a vector.
                        unsafe {
                            let root = BasicFloatLanes::<$c>::sqrt_alone(l, Lanes::<$c>::load(l, x.as_ptr()));
                            l.store(x.as_mut_ptr(), root);
                        }
                    }
                }
            }
        )*};
    }
    roots!(f32 f64);

    macro_rules! all_are_right {
        ($c:ident $x:expr) => {{
            let mut x: Vec<$c> = $x;
            x.resize(x.len().next_multiple_of(16), 1.0);
            for (isa, entry) in [(Isa::Avx512, Avx512::entry::<Roots, _>()), (Isa::Avx2, Avx2::entry::<Roots, _>())] {
                if !isa.is_available() {
                    eprintln!("SKIPPED: this CPU has no {isa}");
                    continue;
                }
                let roots = RefCell::new(x.clone());
                // SAFETY: the level is available.
                unsafe { entry(&roots) };
                for (x, root) in x.iter().zip(roots.borrow().iter()) {
                    let right = x.sqrt();
                    let same = root.to_bits() == right.to_bits() || root.is_nan() && right.is_nan();
                    assert!(same, "{isa} {x:e}: {root:e}, not {right:e}");
                }
            }
        }};
    }

    const ENDS: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        -5e-324,
        2.3e-310,
        1.2e-38,
        1.4e-45,
        3e-41,
        3.4028234663852886e38,
    ];

    #[test]
    fn roots_of_f32_are_right() {
        // Every significand with an even and an odd exponent: the steps are the same with others.
        for high in 0..256 {
            all_are_right!(f32(0..1 << 16).map(|low| f32::from_bits((127 << 23) + (high << 16) + low)).collect());
        }
        all_are_right!(f32(0..1 << 20).map(|i| f32::from_bits(i * 4093)).collect());
        all_are_right!(f32 ENDS.iter().flat_map(|&x| [x as f32, 1.0, 1e-30, x as f32]).collect());
    }

    #[test]
    fn roots_of_f64_are_right() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^ state >> 31
        };
        all_are_right!(f64(0..1 << 20).map(|_| f64::from_bits(next())).collect());
        all_are_right!(f64(0..1 << 20).map(|_| f64::from_bits(next() >> 11 | 1023 << 52)).collect());
        all_are_right!(
            f64(0..1 << 16)
                .flat_map(
                    |i| [1, 2, 3, 4].map(|k| f64::from_bits((1021 + k) << 52) * (1.0 + f64::from(i) * f64::EPSILON))
                )
                .collect()
        );
        all_are_right!(f64 ENDS.iter().flat_map(|&x| [x, 1.0, 1e-280, x]).collect());
        all_are_right!(f64 hard_numbers());
    }

    /// Numbers whose roots are nearest to the middle between two numbers: `m² - a = 2^n X` for odd integers `m` of 54 bits, half the root,
    /// and small `a`. The square roots of `a` modulo 2^n are found bit by bit.
    fn hard_numbers() -> Vec<f64> {
        let mut found = Vec::new();
        for a in (-(1i64 << 12)..1 << 12).map(|j| 8 * j + 1) {
            for (n, exponent) in [(54, 1023), (55, 1024)] {
                let root = (3..n).fold(1u64, |r, bit| {
                    let wrong = r.wrapping_mul(r).wrapping_sub(a as u64) >> bit & 1;
                    r + (wrong << (bit - 1))
                });
                for m in [root, root.wrapping_neg()].into_iter().flat_map(|r| [r, r.wrapping_add(1 << (n - 1))]) {
                    let m = m & ((1 << n) - 1);
                    let x = (i128::from(m) * i128::from(m) - i128::from(a)) >> n;
                    if x >> 52 == 1 {
                        found.push(f64::from_bits((exponent << 52) + (x as u64 & ((1 << 52) - 1))));
                    }
                }
            }
        }
        assert!(found.len() > 4000);
        found
    }
}
