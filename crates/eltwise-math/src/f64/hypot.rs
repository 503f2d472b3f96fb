//! hypot of `f64`, without division, square root or estimate instruction.
//!
//! 1. The sum of the squares as a sum of two floats (Dekker 1971).
//! 2. `1 / sqrt(sum)` to 2^-21, as rsqrt in `roots.rs`, and `c = sum / sqrt(sum)`.
//! 3. One step with the exact residual `a^2 + b^2 - c^2`.
//! 4. Lengths whose squares overflow or underflow are scaled in a rare branch.
//!
//! Errors are the largest of 2^24 arguments in each relevant range and of 2^24 bit patterns. Results that differ
//! from the correctly rounded ones of core-math were measured with 220 bits.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::roots::inverse_root;
use super::subnormal::{scaled_down, scaled_up};
use crate::vector::F64;

/// √(x² + y²), at most 0.501 ULP (0.76 if the result is subnormal); symmetric bit for bit.
///
/// inf if one operand is infinite, even if the other is NaN. Every NaN result is `f64::NAN`.
#[inline(always)]
pub fn hypot<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    hypot_to::<false, L>(x, y)
}

#[inline(always)]
pub(super) fn hypot_to<const NARROW: bool, L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let (x, y) = (x.abs(), y.abs());
    // A NaN ends up in one of them.
    let (a, b) = (x.greatest(y), y.least(x));
    // From 2^-450 on, squares and their rounding errors are normal. Next to such a length, one below 2^-500 is
    // negligible.
    let least = f64::from_bits(573 << 52);
    let b = if !(!b.ge(least)).any() {
        b
    } else if !(!a.ge(least)).any() {
        at_least(b, -500)
    } else {
        return hypot_rare::<NARROW, L>(x, y);
    };
    let near = near_hypot(a, b);
    if NARROW && !(near.root.is_short() | near.root.is_nan()).any() {
        return near.root;
    }
    // If the sum of the squares is infinite, the root is NaN or infinite, which is short.
    if (!near.root.le(f64::MAX)).any() { hypot_rare::<NARROW, L>(x, y) } else { near.rounded::<NARROW>() }
}

/// [`hypot`] of two lengths of any size.
#[inline(always)]
fn hypot_rare<const NARROW: bool, L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let (a, b) = (x.greatest(y), y.least(x));
    let (small, large) = (a.lt(f64::from_bits(573 << 52)), a.ge(f64::from_bits(1523 << 52)));
    // 2^600 and 2^-600.
    let (up, down) = (f64::from_bits(1623 << 52), f64::from_bits(423 << 52));
    let factor = large.select(down, 1.0);
    let shorter = large.select(at_least(b, 300), at_least(b, -500));
    let near = near_hypot(
        small.select(scaled_up::<600, L>(a), a) * factor,
        small.select(scaled_up::<600, L>(b), shorter) * factor,
    );
    let r = near.rounded::<NARROW>();
    let r = small.select(scaled_down::<600, L>(r), r * large.select(up, 1.0));
    let r = (x.is_nan() | y.is_nan()).select(f64::NAN, r);
    (x.eq(f64::INFINITY) | y.eq(f64::INFINITY)).select(f64::INFINITY, r)
}

/// The larger of b and 2^exponent, which is negligible next to the other length and has a normal square. NaN remains
/// NaN.
#[inline(always)]
fn at_least<L: WideLanes>(b: F64<L>, exponent: i64) -> F64<L> {
    b.splat(f64::from_bits(((exponent + 1023) as u64) << 52)).greatest(b)
}

/// √(a² + b²), and the sum of the squares as a sum of two floats.
struct Hypot<L: WideLanes> {
    root: F64<L>,
    sum: F64<L>,
    low: F64<L>,
}

/// √(a² + b²) for a >= b >= 0, with a from 2^-450 on and b² normal or negligible, or both 0.
#[inline(always)]
fn near_hypot<L: WideLanes>(a: F64<L>, b: F64<L>) -> Hypot<L> {
    // The sum of the squares as a sum of two floats (Dekker's Fast2Sum with fused operations).
    let aa = a * a;
    let sum = b.mul_add(b, aa);
    let low = b.mul_sub(b, sum - aa) + a.mul_sub(a, aa);
    let [y, q] = inverse_root(sum);
    let (inverse, c) = (y * q, (sum * y) * q);
    // √(c² + rest) = c / √(1 - h).
    let h = c.neg_mul_add(inverse, 1.0);
    let rest = c.neg_mul_add(c, sum) + low;
    Hypot { root: (rest * inverse).mul_add(h.mul_add(0.375, a.splat(0.5)), c), sum, low }
}

impl<L: WideLanes> Hypot<L> {
    /// The root. With `NARROW`, if it may be the midpoint of two narrower floats and is not exact, its neighbour toward
    /// the exact value.
    #[inline(always)]
    fn rounded<const NARROW: bool>(self) -> F64<L> {
        let Hypot { root, sum, low } = self;
        let short = root.is_short();
        if NARROW && short.any() {
            // For `f32` operands, the residual of a root that is not exact is at least 2^-70 of the square.
            let rest = root.neg_mul_add(root, sum) + low;
            let next = (root.bits() + rest.lt(0.0).select_bits(root.int(-1), root.int(1))).float();
            return (short & rest.abs().gt(sum * two_to(-71))).select(next, root);
        }
        root
    }
}
