//! floor_divide, remainder and fmod of floats, exact over the full range.
//!
//! While `|a / b|` is below 2^p (`p` the bits of the fraction), its nearest integer `q` is the whole quotient or one
//! more, and `a - q b` fits a float: one fused multiplication gives it exactly, one addition moves it between 0 and
//! `|b|`. Larger quotients are integers themselves, but a rounding away from their floor: a branch mends that, and another one
//! computes what they leave ([`huge_quotient`](super::huge_quotient)).

use eltwise_simd::{Lanes, MathLanes, WideLanes};

use super::huge_quotient::{Format, with_huge};
use super::{FloorDivide, Fmod, Remainder, Same2};

/// The ends of a format.
trait Ends: Format {
    /// 2^(p + 1): the last bit of larger numbers counts more than ones.
    const EVEN: Self;
    /// The largest number.
    const LARGEST: Self;
    const INFINITY: Self;
    const NAN: Self;
    /// The bits of the infinity.
    const EXPONENT: Self::Int;
}

macro_rules! ends {
    ($($t:ident $int:ident;)*) => {$(
        impl Ends for $t {
            const EVEN: $t = 2.0 * Self::WHOLE;
            const LARGEST: $t = <$t>::MAX;
            const INFINITY: $t = <$t>::INFINITY;
            const NAN: $t = <$t>::NAN;
            const EXPONENT: $int = <$t>::INFINITY.to_bits() as $int;
        }
    )*};
}

ends! {
    f32 i32;
    f64 i64;
}

/// A division of magnitudes.
struct Divided<V, M> {
    x: V,
    y: V,
    /// Rounded.
    quotient: V,
    /// The integer next to it.
    nearest: V,
    /// Where that is one more than the whole quotient.
    over: M,
    /// What the whole quotient leaves, unless it is huge.
    rest: V,
}

#[inline(always)]
fn divided<C: Ends, L: MathLanes<C, Int = C::Int>>(l: L, a: L::V, b: L::V) -> Divided<L::V, L::M> {
    let (x, y) = (l.abs(a), l.abs(b));
    let whole = l.splat(C::WHOLE);
    let quotient = l.div(x, y);
    let nearest = l.sub(l.add(quotient, whole), whole);
    // An infinite divisor leaves x. NaN is left by NaN, by zero, and of infinities.
    let rest = l.fnma(nearest, l.least(l.splat(C::LARGEST), y), x);
    let over = l.lt(rest, l.splat(C::ZERO));
    Divided { x, y, quotient, nearest, over, rest: l.select(over, l.add(rest, y), rest) }
}

/// Where a number divided by a number has a huge quotient.
#[inline(always)]
fn is_huge<C: Ends, L: MathLanes<C, Int = C::Int>>(l: L, d: &Divided<L::V, L::M>) -> L::M {
    l.mask_and(l.le(l.splat(C::WHOLE), d.quotient), l.eq(d.rest, d.rest))
}

/// The floor of the exact quotient, rounded once, where the quotient is huge; its next integer up, where the signs differ.
///
/// Rounded, the quotient is an integer. It is not the result where the floor lies on or beyond the border to the number below, and the
/// quotient above: the floor is less by one in the last bit that counts ones, or it is halfway to an even neighbour. The border is
/// `half`, but at least 1, below: then less than 1 lies between it and the exact quotient. `x - quotient y` is exact, and so is its
/// sum with `half y` where it is less than y. The other way round with the next integer up.
#[inline(always)]
fn huge_floor<C: Ends, L: MathLanes<C, Int = C::Int>>(l: L, d: &Divided<L::V, L::M>, differ: L::M) -> L::V {
    let rest = l.fnma(d.quotient, d.y, d.x);
    let rest = l.select(differ, l.neg(rest), rest);
    let bits = l.to_bits(d.quotient);
    let exponent = l.int_and(bits, l.int(C::EXPONENT));
    let places = l.int(C::int(i64::from(C::FRACTION + 1) << C::FRACTION));
    let half = l.greatest(l.with_bits(l.int_sub(exponent, places)), l.splat(C::ONE));
    let beyond = l.lt(l.fma(half, d.y, rest), d.y);
    let (one, minus_one) = (l.int(C::int(1)), l.int(C::int(-1)));
    let odd = l.mask_or(l.int_eq(l.int_and(bits, one), one), l.lt(d.quotient, l.splat(C::EVEN)));
    let neighbour = l.with_bits(l.int_add(bits, l.int_select(differ, one, minus_one)));
    let floor = l.select(l.mask_and(beyond, odd), neighbour, d.quotient);
    // A zero divisor has an infinite quotient, of an infinity too; other divisors of an infinity have none.
    let none = l.mask_and(l.eq(d.x, l.splat(C::INFINITY)), l.lt(l.splat(C::ZERO), d.y));
    l.select(none, l.splat(C::NAN), floor)
}

#[inline(always)]
fn fmod<C: Ends, L: MathLanes<C, Int = C::Int>>(l: L, a: L::V, b: L::V) -> L::V {
    let d = divided::<C, L>(l, a, b);
    let huge = is_huge::<C, L>(l, &d);
    let none = l.lt(d.y, d.y);
    let rest = if l.any(huge) { with_huge::<C, L>(l, [d.x, d.y, d.rest], [huge, none]) } else { d.rest };
    l.copysign(rest, a)
}

#[inline(always)]
fn remainder<C: Ends, L: MathLanes<C, Int = C::Int>>(l: L, a: L::V, b: L::V) -> L::V {
    let d = divided::<C, L>(l, a, b);
    let zero = l.splat(C::ZERO);
    let differ = l.mask_xor(l.lt(a, zero), l.lt(b, zero));
    // b - rest is what fmod(a, b) + b rounds to, up to the sign; a zero takes the sign below.
    let other = l.mask_and(differ, l.lt(zero, d.rest));
    let rest = l.select(other, l.sub(d.y, d.rest), d.rest);
    let huge = is_huge::<C, L>(l, &d);
    let rest = if l.any(huge) { with_huge::<C, L>(l, [d.x, d.y, rest], [huge, differ]) } else { rest };
    l.copysign(rest, b)
}

#[inline(always)]
fn floor_divide<C: Ends, L: MathLanes<C, Int = C::Int>>(l: L, a: L::V, b: L::V) -> L::V {
    let d = divided::<C, L>(l, a, b);
    let (zero, one) = (l.splat(C::ZERO), l.splat(C::ONE));
    let whole = l.select(d.over, l.sub(d.nearest, one), d.nearest);
    let differ = l.mask_xor(l.lt(a, zero), l.lt(b, zero));
    let below = l.mask_and(differ, l.lt(zero, d.rest));
    let size = l.select(below, l.add(whole, one), whole);
    let huge = l.le(l.splat(C::WHOLE), d.quotient);
    let size = if l.any(huge) { l.select(huge, huge_floor::<C, L>(l, &d, differ), size) } else { size };
    // The sign of the quotient: that of a, turned by b's.
    l.copysign(size, l.mul(l.copysign(one, a), l.copysign(one, b)))
}

// One row an operator: its function, for both dtypes.
macro_rules! functions {
    ($($name:ident $function:ident, [$($t:ty)*];)*) => {$($(
        impl<L: WideLanes> Same2<$t, L> for $name {
            #[inline(always)]
            fn lanes(
                l: L,
                a: <L as Lanes<$t>>::V,
                b: <L as Lanes<$t>>::V,
            ) -> <L as Lanes<$t>>::V {
                $function::<$t, L>(l, a, b)
            }
        }
    )*)*};
}

functions! {
    Fmod fmod, [f32 f64];
    Remainder remainder, [f32 f64];
    FloorDivide floor_divide, [f32 f64];
}
