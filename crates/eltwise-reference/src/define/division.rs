//! Quotients and remainders. Those of floats come from long division, bit after bit, of the exact values.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use std::ops::Div as _;

use eltwise_plan::DType;

use super::domain::same2;
use super::real::Real;
use crate::value::Value;

pub(super) fn Divide(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, y| x.checked_div(y).unwrap_or(0), f32::div, f64::div)
}

pub(super) fn TruncDivide(args: &[Value], target: Option<DType>) -> Value {
    // The catalogue gives it no floats.
    Divide(args, target)
}

pub(super) fn FloorDivide(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, y| floor(x, y).unwrap_or(0), floor_divide, floor_divide)
}

pub(super) fn Remainder(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, y| floor(x, y).map_or(0, |q| x - q * y), remainder, remainder)
}

/// With the divisor's sign moved to the dividend, the Euclidean quotient is the floor.
fn floor(x: i128, y: i128) -> Option<i128> {
    if y < 0 { (-x).checked_div_euclid(-y) } else { x.checked_div_euclid(y) }
}

pub(super) fn Fmod(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, y| x.checked_rem(y).unwrap_or(0), fmod, fmod)
}

/// `|x| / |y|` for finite x and y that is not 0: the binary digits of the whole quotient, the first one first, and the
/// rest as `m * 2^e`.
fn long_division<F: Real>(x: F, y: F) -> (Vec<bool>, (u64, i32)) {
    let ((a, ea), (b, eb)) = (x.parts(), y.parts());
    if ea + 64 < eb {
        return (vec![], (a, ea)); // a < 2^53 is below b * 2^(eb - ea)
    }
    // Units of 2^e on both sides; then the dividend's last digits, which are zeros, one by one.
    let e = ea.min(eb);
    let (a, b) = (u128::from(a), u128::from(b) << (eb - e));
    let mut digits: Vec<bool> = (0..64).rev().map(|i| (a / b) >> i & 1 == 1).collect();
    let mut rest = a % b;
    for _ in 0..ea - e {
        rest *= 2;
        digits.push(rest >= b);
        rest %= b;
    }
    (digits, (rest as u64, e))
}

/// A whole number, rounded to nearest even.
fn rounded<F: Real>(digits: &[bool]) -> F {
    let digits = &digits[digits.iter().position(|&d| d).unwrap_or(digits.len())..];
    let (kept, dropped) = digits.split_at(digits.len().min(F::PRECISION));
    let m = kept.iter().fold(0u64, |m, &d| 2 * m + u64::from(d));
    let half = dropped.first() == Some(&true);
    let more = dropped.iter().skip(1).any(|&d| d);
    let up = half && (more || m % 2 == 1);
    // Rounding up may carry into one more bit, then the last one is 0 and the sum is exact.
    F::from_parts(m + u64::from(up), dropped.len() as i32)
}

/// A whole number and one.
fn increment(digits: &mut Vec<bool>) {
    for digit in digits.iter_mut().rev() {
        *digit = !*digit;
        if *digit {
            return;
        }
    }
    digits.insert(0, true);
}

/// The floor of the exact quotient, rounded once. x // 0 is x / 0, inf // y is NaN, and a zero has the quotient's sign.
fn floor_divide<F: Real>(x: F, y: F) -> F {
    let quotient = x / y;
    let zero = F::from_parts(0, 0);
    if x.nan() || y.nan() || y == zero {
        return quotient;
    }
    if !x.finite() {
        return F::NAN;
    }
    let below = x.negative() != y.negative();
    if !y.finite() {
        // The quotient is a zero, or nearer to it than any number.
        return if below && x != zero { -F::from_parts(1, 0) } else { quotient };
    }
    let (mut digits, (rest, _)) = long_division(x, y);
    if below && rest != 0 {
        increment(&mut digits);
    }
    rounded::<F>(&digits).signed_as(quotient)
}

/// x less the multiple of y toward zero, exactly, with the sign of x.
fn fmod<F: Real>(x: F, y: F) -> F {
    if x.nan() || y.nan() || y == F::from_parts(0, 0) || !x.finite() {
        return F::NAN;
    }
    if !y.finite() {
        return x;
    }
    let (_, (rest, e)) = long_division(x, y);
    F::from_parts(rest, e).signed_as(x)
}

/// fmod moved into the sign of y; a zero has the sign of y.
fn remainder<F: Real>(x: F, y: F) -> F {
    let rest = fmod(x, y);
    if rest.nan() {
        rest
    } else if rest == F::from_parts(0, 0) {
        rest.signed_as(y)
    } else if rest.negative() != y.negative() {
        rest + y
    } else {
        rest
    }
}
