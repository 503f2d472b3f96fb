//! Polynomials: Horner's rule and schemes with shorter dependency chains.
//!
//! Each scheme fixes the order of its fused multiply-adds, and with it the bits of the functions that use it.

use eltwise_simd::{Element, MathLanes};

use crate::vector::Vector;

/// Horner's rule: `c[0] + x (c[1] + x (c[2] + ...))`, one fused multiply-add per step.
#[inline(always)]
pub(crate) fn horner<C: Element, L: MathLanes<C>, const N: usize>(x: Vector<C, L>, c: &[C; N]) -> Vector<C, L> {
    let mut sum = x.splat(c[N - 1]);
    let mut k = N - 1;
    while k > 0 {
        k -= 1;
        let next = x.splat(c[k]);
        sum = sum.mul_add(x, next);
    }
    sum
}

/// Second-order Horner: the even and the odd powers in two chains of half the length, each a [`horner`] in `x^2`.
#[inline(always)]
pub(crate) fn second_order_horner<C: Element, L: MathLanes<C>, const N: usize>(
    x: Vector<C, L>,
    c: &[C; N],
) -> Vector<C, L> {
    let square = x * x;
    let (mut first, mut second) = (x.splat(c[N - 1]), x.splat(c[N - 2]));
    let mut k = N - 2;
    while k > 0 {
        k -= 1;
        (first, second) = (second, first.mul_add(square, x.splat(c[k])));
    }
    first.mul_add(x, second)
}

/// A polynomial of degree 4 in pairs of terms (Estrin 1960): a chain of 3 operations, where Horner's rule has 4.
/// `square` is `r * r`.
#[inline(always)]
pub(crate) fn quartic<C: Element, L: MathLanes<C>>(
    r: Vector<C, L>,
    square: Vector<C, L>,
    [a, b, c, d, e]: [C; 5],
) -> Vector<C, L> {
    let low = r.mul_add(r.splat(b), r.splat(a));
    let high = r.mul_add(r.splat(d), r.splat(c));
    square.mul_add(square.mul_add(r.splat(e), high), low)
}
