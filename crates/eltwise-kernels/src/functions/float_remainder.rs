//! floor_divide, remainder and fmod of floats, exact over the full range.
//!
//! Let `p` be the number of fraction bits. While `|a / b|` is below 2^p, the nearest integer `q` is the truncated
//! quotient or one more, and `a - q b` fits a float: one fused multiply-add computes it exactly, and one addition moves
//! it between 0 and `|b|`. Larger quotients are integers themselves, but may be one rounding away from their floor.
//! That case, and the remainders of such divisions, are computed out of line
//! ([`huge_remainder`](super::huge_remainder)).

use core::cell::Cell;

use eltwise_simd::MathLanes;

use super::huge_remainder::{Division, Format, HugeQuotient, HugeRemainder, replace_huge};
use super::{BinaryOp, FloorDivide, Fmod, Remainder};

/// A division of magnitudes.
struct Quotient<V, M> {
    x: V,
    y: V,
    /// `x / y`, rounded.
    quotient: V,
    /// The integer nearest to `quotient`.
    nearest: V,
    /// The lanes in which `nearest` is one more than the truncated quotient.
    over: M,
    /// The remainder of the truncated quotient, unless that is huge.
    rest: V,
}

#[inline(always)]
fn divide<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, a: L::V, b: L::V) -> Quotient<L::V, L::M> {
    let (x, y) = (l.abs(a), l.abs(b));
    let whole = l.splat(C::WHOLE);
    let quotient = l.div(x, y);
    let nearest = l.sub(l.add(quotient, whole), whole);
    // The remainder by an infinity is x. It is NaN if an operand is NaN, y is zero or x is an infinity.
    let rest = l.fnma(nearest, l.least(l.splat(C::LARGEST), y), x);
    let over = l.lt(rest, l.splat(C::ZERO));
    Quotient { x, y, quotient, nearest, over, rest: l.select(over, l.add(rest, y), rest) }
}

/// The lanes in which a finite quotient of numbers is huge.
#[inline(always)]
fn is_huge<C: Format, L: MathLanes<C, Int = C::Int>>(l: L, d: &Quotient<L::V, L::M>) -> L::M {
    l.mask_and(l.le(l.splat(C::WHOLE), d.quotient), l.eq(d.rest, d.rest))
}

/// `F` in the lanes `huge`, and `ordinary` in the others.
#[inline(always)]
fn with_huge<F: HugeQuotient<C, L>, C: Format, L: MathLanes<C, Int = C::Int>>(
    l: L,
    d: &Quotient<L::V, L::M>,
    huge: L::M,
    signs_differ: L::M,
    ordinary: L::V,
) -> L::V {
    if !l.any(huge) {
        return ordinary;
    }
    let Quotient { x, y, quotient, .. } = *d;
    let division = Division { x, y, quotient, huge, signs_differ, ordinary, result: Cell::new(ordinary) };
    replace_huge::<F, C, L>(l, &division);
    division.result.get()
}

/// The floor of the exact quotient, rounded once. In lanes with `signs_differ`, the ceiling.
struct HugeFloor;

impl<C: Format, L: MathLanes<C, Int = C::Int>> HugeQuotient<C, L> for HugeFloor {
    /// The rounded quotient is an integer, and it is the result or next to the result. It is wrong if it was rounded up
    /// from above a boundary that the floor does not pass: an integer while all integers are floats, and above them the
    /// midpoint to an even neighbour. The boundary is half of the last bit's value, but at least 1, below the rounded
    /// quotient, and less than 1 below the exact one. `x - quotient y` is exact, and so is its sum with that half
    /// times y if the sum is less than y. The ceiling is the mirror image.
    #[inline(always)]
    fn lanes(l: L, d: &Division<L::V, L::M>) -> L::V {
        let rest = l.fnma(d.quotient, d.y, d.x);
        let rest = l.select(d.signs_differ, l.neg(rest), rest);
        let bits = l.to_bits(d.quotient);
        let exponent = l.int_and(bits, l.int(C::EXPONENT));
        let places = l.int(C::int(i64::from(C::FRACTION + 1) << C::FRACTION));
        let half = l.greatest(l.with_bits(l.int_sub(exponent, places)), l.splat(C::ONE));
        let beyond = l.lt(l.fma(half, d.y, rest), d.y);
        let (one, minus_one) = (l.int(C::int(1)), l.int(C::int(-1)));
        let odd = l.mask_or(l.int_eq(l.int_and(bits, one), one), l.lt(d.quotient, l.splat(C::EVEN)));
        let neighbour = l.with_bits(l.int_add(bits, l.int_select(d.signs_differ, one, minus_one)));
        let floor = l.select(l.mask_and(beyond, odd), neighbour, d.quotient);
        // A zero divisor has an infinite quotient, also of an infinity. An infinity by any other divisor is NaN.
        let undefined = l.mask_and(l.eq(d.x, l.splat(C::INFINITY)), l.lt(l.splat(C::ZERO), d.y));
        l.select(undefined, l.splat(C::NAN), floor)
    }
}

impl<C: Format, L: MathLanes<C, Int = C::Int>> BinaryOp<C, L> for Fmod {
    const IS_LONG: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        let d = divide::<C, L>(l, a, b);
        let none = l.lt(d.y, d.y);
        l.copysign(with_huge::<HugeRemainder, C, L>(l, &d, is_huge::<C, L>(l, &d), none, d.rest), a)
    }
}

impl<C: Format, L: MathLanes<C, Int = C::Int>> BinaryOp<C, L> for Remainder {
    const IS_LONG: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        let d = divide::<C, L>(l, a, b);
        let zero = l.splat(C::ZERO);
        let signs_differ = l.mask_xor(l.lt(a, zero), l.lt(b, zero));
        // |b| - rest is what fmod(a, b) + b rounds to, up to the sign; a zero takes its sign below.
        let complement = l.mask_and(signs_differ, l.lt(zero, d.rest));
        let rest = l.select(complement, l.sub(d.y, d.rest), d.rest);
        l.copysign(with_huge::<HugeRemainder, C, L>(l, &d, is_huge::<C, L>(l, &d), signs_differ, rest), b)
    }
}

impl<C: Format, L: MathLanes<C, Int = C::Int>> BinaryOp<C, L> for FloorDivide {
    const IS_LONG: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        let d = divide::<C, L>(l, a, b);
        let (zero, one) = (l.splat(C::ZERO), l.splat(C::ONE));
        let truncated = l.select(d.over, l.sub(d.nearest, one), d.nearest);
        let signs_differ = l.mask_xor(l.lt(a, zero), l.lt(b, zero));
        let below = l.mask_and(signs_differ, l.lt(zero, d.rest));
        let size = l.select(below, l.add(truncated, one), truncated);
        let size = with_huge::<HugeFloor, C, L>(l, &d, l.le(l.splat(C::WHOLE), d.quotient), signs_differ, size);
        // The sign of the quotient is that of a times that of b, also for zeros.
        l.copysign(size, l.mul(l.copysign(one, a), l.copysign(one, b)))
    }
}
