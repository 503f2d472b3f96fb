//! Quotients and remainders. Floor quotients and remainders of floats come from binary long division of the exact
//! values.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use std::ops::Div as _;

use eltwise_core::DType;

use super::compute_type::binary;
use super::float::Float;
use crate::value::Value;

pub(super) fn Divide(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, y| x.checked_div(y).unwrap_or(0), f32::div, f64::div)
}

pub(super) fn TruncDivide(args: &[Value], target: Option<DType>) -> Value {
    // The catalogue gives `trunc_divide` no floats.
    Divide(args, target)
}

pub(super) fn FloorDivide(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, y| floor(x, y).unwrap_or(0), floor_divide, floor_divide)
}

pub(super) fn Remainder(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, y| floor(x, y).map_or(0, |q| x - q * y), remainder, remainder)
}

/// The floor of the quotient; `None` for a zero divisor. For a positive divisor it is the Euclidean quotient.
fn floor(x: i128, y: i128) -> Option<i128> {
    if y < 0 { (-x).checked_div_euclid(-y) } else { x.checked_div_euclid(y) }
}

pub(super) fn Fmod(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, y| x.checked_rem(y).unwrap_or(0), fmod, fmod)
}

/// Divides `|x|` by `|y|`, both finite, `y` not 0. Returns the binary digits of the integer quotient, highest first,
/// and the remainder as `(m, e)`, which is `m * 2^e`.
fn long_division<F: Float>(x: F, y: F) -> (Vec<bool>, (u64, i32)) {
    let ((a, ea), (b, eb)) = (x.to_parts(), y.to_parts());
    if ea + 64 < eb {
        return (vec![], (a, ea)); // a < 2^53 is below b * 2^(eb - ea)
    }
    // Both in units of 2^e: divide the significands, then bring down the dividend's trailing zeros one by one.
    let e = ea.min(eb);
    let (a, b) = (u128::from(a), u128::from(b) << (eb - e));
    let mut digits: Vec<bool> = (0..64).rev().map(|i| (a / b) >> i & 1 == 1).collect();
    let mut remainder = a % b;
    for _ in 0..ea - e {
        remainder *= 2;
        digits.push(remainder >= b);
        remainder %= b;
    }
    (digits, (remainder as u64, e))
}

/// The integer with these binary digits, rounded to nearest even.
fn round_digits<F: Float>(digits: &[bool]) -> F {
    let digits = &digits[digits.iter().position(|&d| d).unwrap_or(digits.len())..];
    let (kept, dropped) = digits.split_at(digits.len().min(F::PRECISION));
    let m = kept.iter().fold(0u64, |m, &d| 2 * m + u64::from(d));
    let half = dropped.first() == Some(&true);
    let above_half = dropped.iter().skip(1).any(|&d| d);
    let up = half && (above_half || m % 2 == 1);
    // Rounding up may carry into one more bit; then the lowest bit is 0 and the sum is exact.
    F::from_parts(m + u64::from(up), dropped.len() as i32)
}

/// Adds 1 to the integer with these binary digits.
fn increment(digits: &mut Vec<bool>) {
    for digit in digits.iter_mut().rev() {
        *digit = !*digit;
        if *digit {
            return;
        }
    }
    digits.insert(0, true);
}

/// The floor of the exact quotient, rounded once. `x // 0` is `x / 0`, `inf // y` is NaN, and a zero has the quotient's
/// sign.
fn floor_divide<F: Float>(x: F, y: F) -> F {
    let quotient = x / y;
    if x.is_nan() || y.is_nan() || y == F::ZERO {
        return quotient;
    }
    if !x.is_finite() {
        return F::NAN;
    }
    let below = x.is_sign_negative() != y.is_sign_negative();
    if !y.is_finite() {
        // The exact quotient is 0, or nearer to 0 than any number.
        return if below && x != F::ZERO { -F::ONE } else { quotient };
    }
    let (mut digits, (remainder, _)) = long_division(x, y);
    if below && remainder != 0 {
        increment(&mut digits);
    }
    round_digits::<F>(&digits).copysign(quotient)
}

/// `x - y * trunc(x / y)`, exactly, with the sign of `x`.
fn fmod<F: Float>(x: F, y: F) -> F {
    if x.is_nan() || y.is_nan() || y == F::ZERO || !x.is_finite() {
        return F::NAN;
    }
    if !y.is_finite() {
        return x;
    }
    let (_, (m, e)) = long_division(x, y);
    F::from_parts(m, e).copysign(x)
}

/// `fmod(x, y)`, plus `y` if the signs differ. A zero has the sign of `y`.
fn remainder<F: Float>(x: F, y: F) -> F {
    let r = fmod(x, y);
    if r.is_nan() {
        r
    } else if r == F::ZERO {
        r.copysign(y)
    } else if r.is_sign_negative() != y.is_sign_negative() {
        r + y
    } else {
        r
    }
}
