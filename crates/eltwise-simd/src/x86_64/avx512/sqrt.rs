//! Correctly rounded square roots on AVX-512 by multiplication ([`sqrt_ps`], [`sqrt_pd`]), for kernels that compute
//! nothing else. They would wait for the only unit that computes roots: 24 cycles for a vector of `f64`, while this
//! takes nine and a half.
//!
//! With an estimate `y` of 1/√x, and `g` = x y rounded, there is one step (Goldschmidt 1964; with fused operations
//! Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990):
//!
//! > √x = g + (x - g²) y S(r), where r = 1 - g y and S(r) = ((1 - r)^(-1/2) - 1) / r = 1/2 + 3/8 r + 5/16 r² + 35/128 r³ + ...
//!
//! The sum is rounded *down*, to `s`. Let `t` be the number after `s`, and `u` the step between them. √x rounds to `t`
//! if √x > s + u/2, or x > s t + u²/4. Both x and s t are multiples of u², so that means x > s t, and a fused `s t - x`
//! has the exact sign (Tuckerman's test; Cornea, Harrison and Tang, "Scientific Computing on Itanium-based Systems",
//! 2002, chapter 7). No number has a root halfway between two numbers.
//!
//! # Proof of correct rounding for any estimate
//!
//! The test chooses between `s` and `t`. That is right if √x is not below s - u/4 (numbers are denser below a power of
//! two) and not above t + u/2. Before rounding, the sum is at least `s` and below `t`, so it is enough that it is less
//! than u/4 away from √x. The relative error of the estimate is below 2^-14 (Intel 64 and IA-32 Architectures Software
//! Developer's Manual, VRSQRT14; no other property is used), so |r| < 2^-13 (1 + 2^-13), |x - g²| y = √x |r| within a
//! factor of 1 ± 2^-13, and u > 2^-24 √x or 2^-53 √x:
//!
//! | | approximation of S(r) | error of S, times √x r | rounding errors of x - g², products and S | lower bound of u/4 |
//! |---|---|---|---|---|
//! | `f32` | 1/2 | 3/8 r² = 2^-27.4 √x | 2^-36 √x | 2^-26 √x |
//! | `f64` | three terms, the second plus 3/4 2^-26 times the fourth coefficient | 1/4 35/128 r⁴ = 2^-55.8 √x | 2^-64 √x | 2^-55 √x |
//!
//! (`r³ - 3/4 R² r` is at most R³/4 for |r| <= R.) The rounding error of `g` is contained in x - g². No operation
//! underflows for x of at least [`LEAST_F32`] and [`LEAST_F64`]: results are multiples of u², which are normal numbers.
//! So the bits equal the bits of the instruction, on CPUs of any vendor. A vector with any other lane uses the
//! instruction.

use core::arch::x86_64::*;

/// The bits of 2^-72. Roots from there on have steps of at least 2^-59, and the square of a step is a normal number.
const LEAST_F32: i32 = (127 - 72) << 23;
/// The bits of 2^-900, see [`LEAST_F32`].
const LEAST_F64: i64 = (1023 - 900) << 52;
/// Rounding down.
const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;

/// √x, correctly rounded; `None` if a lane is infinite, NaN, or less than the bound above.
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

/// √x, correctly rounded; `None` if a lane is infinite, NaN, or less than the bound above.
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

    /// Computes the roots of all elements in place; the length is a multiple of a vector's.
    struct Roots;

    macro_rules! roots {
        ($($c:ident)*) => {$(
            impl<L: Token + BasicFloatLanes<$c>> Entry<L, RefCell<Vec<$c>>> for Roots {
                #[inline(always)]
                unsafe fn run(l: L, x: &RefCell<Vec<$c>>) {
                    for x in x.borrow_mut().chunks_exact_mut(<L as Lanes<$c>>::N) {
                        // SAFETY: a chunk has as many elements as a vector.
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

    macro_rules! assert_correctly_rounded {
        ($c:ident $x:expr) => {{
            let mut x: Vec<$c> = $x;
            x.resize(x.len().next_multiple_of(16), 1.0);
            for (isa, entry) in [(Isa::Avx512, Avx512::entry::<Roots, _>()), (Isa::Avx2, Avx2::entry::<Roots, _>())] {
                if !isa.is_available() {
                    eprintln!("SKIPPED: this CPU has no {isa}");
                    continue;
                }
                let roots = RefCell::new(x.clone());
                // SAFETY: the ISA is available.
                unsafe { entry(&roots) };
                for (x, root) in x.iter().zip(roots.borrow().iter()) {
                    let expected = x.sqrt();
                    let same = root.to_bits() == expected.to_bits() || root.is_nan() && expected.is_nan();
                    assert!(same, "{isa} {x:e}: {root:e}, not {expected:e}");
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
    fn sqrt_f32_is_correctly_rounded() {
        // Every significand, with an even and an odd exponent; other exponents take the same steps.
        for high in 0..256 {
            assert_correctly_rounded!(
                f32(0..1 << 16).map(|low| f32::from_bits((127 << 23) + (high << 16) + low)).collect()
            );
        }
        assert_correctly_rounded!(f32(0..1 << 20).map(|i| f32::from_bits(i * 4093)).collect());
        assert_correctly_rounded!(f32 ENDS.iter().flat_map(|&x| [x as f32, 1.0, 1e-30, x as f32]).collect());
    }

    #[test]
    fn sqrt_f64_is_correctly_rounded() {
        let mut state = 1u64;
        let mut next = || {
            let bits = crate::test_random::next(&mut state);
            bits ^ bits >> 31
        };
        assert_correctly_rounded!(f64(0..1 << 20).map(|_| f64::from_bits(next())).collect());
        assert_correctly_rounded!(f64(0..1 << 20).map(|_| f64::from_bits(next() >> 11 | 1023 << 52)).collect());
        assert_correctly_rounded!(
            f64(0..1 << 16)
                .flat_map(
                    |i| [1, 2, 3, 4].map(|k| f64::from_bits((1021 + k) << 52) * (1.0 + f64::from(i) * f64::EPSILON))
                )
                .collect()
        );
        assert_correctly_rounded!(f64 ENDS.iter().flat_map(|&x| [x, 1.0, 1e-280, x]).collect());
        assert_correctly_rounded!(f64 numbers_near_midpoints());
    }

    /// Numbers whose roots are closest to a midpoint of two numbers: `m² - a = 2^n X` for odd integers `m` of 54 bits,
    /// which are half the root, and small `a`. The square roots of `a` modulo 2^n are found bit by bit.
    fn numbers_near_midpoints() -> Vec<f64> {
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
