//! floor_divide, remainder and fmod of floats, exact over the full range.
//!
//! While `|a / b|` is below 2^p (`p` the bits of the fraction), its nearest integer `q` is the whole quotient or one
//! more, and `a - q b` fits a float: one fused multiplication gives it exactly, one addition moves it between 0 and
//! `|b|`. Larger quotients are integers themselves, but a rounding away from their floor: that, and what they leave, is computed
//! out of line ([`huge_quotient`](super::huge_quotient)).

use core::cell::Cell;

use eltwise_simd::{Lanes, MathLanes, WideLanes};

use super::huge_quotient::{Division, Format, Hugely, Left, replace_huge};
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

/// `others`, and `F` in the huge lanes.
#[inline(always)]
fn replaced<F: Hugely<C, L>, C: Ends, L: MathLanes<C, Int = C::Int>>(
    l: L,
    d: &Divided<L::V, L::M>,
    huge: L::M,
    differ: L::M,
    others: L::V,
) -> L::V {
    if !l.any(huge) {
        return others;
    }
    let Divided { x, y, quotient, .. } = *d;
    let division = Division { x, y, quotient, huge, differ, others, result: Cell::new(others) };
    replace_huge::<F, C, L>(l, &division);
    division.result.get()
}

/// The floor of the exact quotient, rounded once; where the signs of the operands differ, the next integer up.
struct Floor;

impl<C: Ends, L: MathLanes<C, Int = C::Int>> Hugely<C, L> for Floor {
    /// The quotient, rounded, is an integer, and the result or next to it. It is not the result where it was rounded up from above a
    /// border that the floor does not pass: an integer where integers are floats, and above them halfway to an even neighbour. The border
    /// lies half of what the last bit counts below, but at least 1, and less than 1 below the exact quotient. `x - quotient y`
    /// is exact, and so is its sum with that half times y, where it is less than y. With the next integer up it is the other way round.
    #[inline(always)]
    fn lanes(l: L, d: &Division<L::V, L::M>) -> L::V {
        let rest = l.fnma(d.quotient, d.y, d.x);
        let rest = l.select(d.differ, l.neg(rest), rest);
        let bits = l.to_bits(d.quotient);
        let exponent = l.int_and(bits, l.int(C::EXPONENT));
        let places = l.int(C::int(i64::from(C::FRACTION + 1) << C::FRACTION));
        let half = l.greatest(l.with_bits(l.int_sub(exponent, places)), l.splat(C::ONE));
        let beyond = l.lt(l.fma(half, d.y, rest), d.y);
        let (one, minus_one) = (l.int(C::int(1)), l.int(C::int(-1)));
        let odd = l.mask_or(l.int_eq(l.int_and(bits, one), one), l.lt(d.quotient, l.splat(C::EVEN)));
        let neighbour = l.with_bits(l.int_add(bits, l.int_select(d.differ, one, minus_one)));
        let floor = l.select(l.mask_and(beyond, odd), neighbour, d.quotient);
        // A zero divisor has an infinite quotient, of an infinity too; other divisors of an infinity have none.
        let none = l.mask_and(l.eq(d.x, l.splat(C::INFINITY)), l.lt(l.splat(C::ZERO), d.y));
        l.select(none, l.splat(C::NAN), floor)
    }
}

#[inline(always)]
fn fmod<C: Ends, L: MathLanes<C, Int = C::Int>>(l: L, a: L::V, b: L::V) -> L::V {
    let d = divided::<C, L>(l, a, b);
    let none = l.lt(d.y, d.y);
    l.copysign(replaced::<Left, C, L>(l, &d, is_huge::<C, L>(l, &d), none, d.rest), a)
}

#[inline(always)]
fn remainder<C: Ends, L: MathLanes<C, Int = C::Int>>(l: L, a: L::V, b: L::V) -> L::V {
    let d = divided::<C, L>(l, a, b);
    let zero = l.splat(C::ZERO);
    let differ = l.mask_xor(l.lt(a, zero), l.lt(b, zero));
    // b - rest is what fmod(a, b) + b rounds to, up to the sign; a zero takes the sign below.
    let other = l.mask_and(differ, l.lt(zero, d.rest));
    let rest = l.select(other, l.sub(d.y, d.rest), d.rest);
    l.copysign(replaced::<Left, C, L>(l, &d, is_huge::<C, L>(l, &d), differ, rest), b)
}

#[inline(always)]
fn floor_divide<C: Ends, L: MathLanes<C, Int = C::Int>>(l: L, a: L::V, b: L::V) -> L::V {
    let d = divided::<C, L>(l, a, b);
    let (zero, one) = (l.splat(C::ZERO), l.splat(C::ONE));
    let whole = l.select(d.over, l.sub(d.nearest, one), d.nearest);
    let differ = l.mask_xor(l.lt(a, zero), l.lt(b, zero));
    let below = l.mask_and(differ, l.lt(zero, d.rest));
    let size = l.select(below, l.add(whole, one), whole);
    let size = replaced::<Floor, C, L>(l, &d, l.le(l.splat(C::WHOLE), d.quotient), differ, size);
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
