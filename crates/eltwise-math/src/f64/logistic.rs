//! `x / (1 + e^-w)` and `1 / (1 + e^-w)`, which sigmoid, silu and gelu_tanh share.
//!
//! 1. `z = e^-|w| = 2^j (1 + p)`, with the table and polynomial of `exp.rs`, as a sum of two floats.
//! 2. No cancellation: `z / (1 + z)` for w < 0, else `1 / (1 + z)`.
//! 3. The quotient is corrected by its remainder (Markstein 1990, "Computation of elementary functions on the IBM RISC
//!    System/6000 processor").
//! 4. Below -600, everything is computed 2^512 times larger and scaled last.
//!
//! Errors are the largest over some 500,000 inputs in the relevant ranges, measured with 220 bits (MPFR). They are
//! larger if the result is subnormal, because the sum of the two parts is rounded before it is scaled. Tables:
//! `tools/coefficients/f64_activation.py`.

use eltwise_simd::WideLanes;

use super::constants::{LN2, SIXTEENTHS, TINY};
use super::double_double::fast_two_sum;
use super::exp::{GROWTH, power};
use super::subnormal::{linear, scaled_down};
use crate::vector::{F64, Mask};

/// Below, `logistic` computes 2^512 times larger numbers.
pub(super) const FAR: f64 = -600.0;

/// Arguments are clamped to this: silu x = x and sigmoid x = 1 from 37 or so. A vector with all |x| up to here has no lane
/// below [`FAR`].
pub(super) const LARGE: f64 = -FAR;

/// The quotient `factor / (1 + e^-(w + low))`, which [`logistic`] computes.
pub(super) struct Quotient<L: WideLanes> {
    /// The numerator, not tiny; 1 for `None`.
    pub(super) factor: Option<F64<L>>,
    /// The exponent, from -1000 to 1000.
    pub(super) w: F64<L>,
    /// The lower part of the exponent; 0 for `None`.
    pub(super) low: Option<F64<L>>,
    /// The mask of the lanes in which w is below [`FAR`]. `None` if there are none; otherwise w is at most [`LARGE`].
    pub(super) far: Option<Mask<f64, L>>,
}

/// The value of a quotient. `NARROW`: see `to_narrow.rs`.
#[inline(always)]
pub(super) fn logistic<const NARROW: bool, L: WideLanes>(Quotient { factor, w, low, far }: Quotient<L>) -> F64<L> {
    // Below TINY, z is 1; products would be subnormal. `greatest` returns its second operand if one is NaN, so a NaN
    // stays. If there is a factor, neither it nor w is tiny.
    let (negative, size) = (w.lt(0.0), if factor.is_some() { w.abs() } else { w.splat(TINY).greatest(w.abs()) });
    let sixteenths = size.mul_add(-core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    let mut rest = j.neg_mul_add(LN2[0], -size);
    if let Some(low) = low {
        rest = rest + (-low).xor_sign(w.bits() & w.int(i64::MIN));
    }
    let r = j.neg_mul_add(LN2[1], rest);
    let [mut power, missing] = power(sixteenths.bits());
    if let Some(far) = far {
        power = (power.bits() + far.select_bits(w.int(512 << 52), w.int(0))).float();
    }
    // In pairs of terms: a short dependency chain, so that the CPU overlaps vectors.
    let square = r * r;
    let [a, b, c, d, e, f] = GROWTH;
    let upper = r.mul_add(f, r.splat(e)).mul_add(square, r.mul_add(d, r.splat(c)));
    let p = upper.mul_add(square, r.mul_add(b, r.splat(a))).mul_add(r, missing);
    let z = power.mul_add(p, power);
    let z_low = power.mul_add(p, power - z);
    let (numerator, numerator_low) = (negative.select(z, 1.0), negative.select(z_low, 0.0));
    let (above, above_low) = match factor {
        Some(factor) => {
            (factor * numerator, factor.mul_add(numerator_low, factor.mul_sub(numerator, factor * numerator)))
        }
        None => (numerator, numerator_low),
    };
    let (z, z_low) = match far {
        Some(far) => (far.select(0.0, z), far.select(0.0, z_low)),
        None => (z, z_low),
    };
    let below = fast_two_sum(w.splat(1.0), z);
    let inverse = w.splat(1.0) / below.hi;
    let q = above * inverse;
    let rest = q.neg_mul_add(below.hi, above) + q.neg_mul_add(below.lo + z_low, above_low);
    // For arguments with few bits, (1 + x / 2) / 2 and x / 2 (1 + x / 2) are close to midpoints of narrower floats.
    let near = q.plus::<NARROW>(rest * inverse);
    let result = match far {
        Some(far) => far.select(scaled_down::<512, L>(near.abs()), near),
        None => near,
    };
    match factor {
        Some(factor) => result.copysign(factor),
        None => result,
    }
}

/// `v`; x where that is above `most`; x / 2 where x is below `TINY` in magnitude.
#[inline(always)]
pub(super) fn limits<L: WideLanes>(x: F64<L>, v: F64<L>, most: f64) -> F64<L> {
    x.gt(most).select(x, x.abs().lt(TINY).select(linear(x, 0.5, 0.0), v))
}
