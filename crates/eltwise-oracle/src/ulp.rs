//! Errors of results in units in the last place: [`ulp_error`].

use crate::bigfloat::BigFloat;
use crate::evaluate::{Evaluation, evaluate};
use crate::fast_path;
use crate::format::Format;
use crate::function::Function;
use crate::special_values::special_value;

/// The distance of `got` from the exact value of `f(x, y)` in ULP. All bits are of `format`; `y` does not count for
/// functions of one operand.
///
/// One ULP is the distance between the numbers of the format around the exact value; among the subnormal numbers it is
/// the smallest subnormal.
///
/// * Overflow: if the exact value is at or beyond the overflow threshold, infinity has an error of 0. Below the
///   threshold, infinity counts as 2^(`max_exponent` + 1), the number that would follow the largest finite one.
/// * NaN: the error is 0 if both the result and the exact value are NaN, infinite if only one is.
/// * The error is infinite if a pole is missed or a zero has the wrong sign.
pub fn ulp_error(format: Format, got: u64, f: Function, x: u64, y: u64) -> f64 {
    let (a, b, g) = (format.to_f64(x), format.to_f64(y), format.to_f64(got));
    if let Some(v) = special_value(f, a, b) {
        return error_of_special(format, g, v);
    }
    let finite = a.is_finite() && (f.arity() == 1 || b.is_finite());
    if finite && format.width() < 64 {
        let (v, error) = fast_path::with_error_bound(f, a, b);
        // The bound needs a value far from overflow and underflow of f64. 2^-40 of the value is 2^-16 ULP of an f32.
        if error < 1e-12 && v.abs() > 1e-280 && v.abs() < 2f64.powi(format.max_exponent) && g.is_finite() {
            return error_of_f64(format, g, v);
        }
    }
    let exact = match evaluate::<2>(f, a, b) {
        Evaluation::Approximate(_, bits) if bits < format.precision + 24 => evaluate::<4>(f, a, b),
        Evaluation::Approximate(w, bits) => Evaluation::Approximate(w.resize(), bits),
        Evaluation::Special(v) => Evaluation::Special(v),
    };
    match exact {
        Evaluation::Special(v) => error_of_special(format, g, v),
        Evaluation::Approximate(w, _) => error_of_bigfloat(format, g, w),
    }
}

/// The error of `got`, given a special exact value.
fn error_of_special(format: Format, got: f64, v: f64) -> f64 {
    if got.is_nan() || v.is_nan() {
        return if got.is_nan() && v.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == v {
        return if v == 0.0 && got.is_sign_negative() != v.is_sign_negative() { f64::INFINITY } else { 0.0 };
    }
    if v.is_infinite() || got.is_infinite() || v == 0.0 {
        return f64::INFINITY;
    }
    error_of_bigfloat(format, got, BigFloat::from_f64(v))
}

/// The error of a finite `got`, given the exact value as an `f64` with a negligible error.
fn error_of_f64(format: Format, got: f64, v: f64) -> f64 {
    if got.is_nan() || (got == 0.0 && got.is_sign_negative() != v.is_sign_negative()) {
        return f64::INFINITY;
    }
    let e = (v.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let quantum = crate::format::exp2(e.max(format.min_exponent) - (format.precision - 1));
    (got - v).abs() / quantum
}

/// The error of `got`, given the exact value to more than 24 bits beyond the format's precision.
fn error_of_bigfloat(format: Format, got: f64, exact: BigFloat<4>) -> f64 {
    if exact.is_zero() {
        return error_of_special(format, got, 0.0);
    }
    if got.is_nan() || (got == 0.0 && got.is_sign_negative() != exact.is_negative()) {
        return f64::INFINITY;
    }
    let one = BigFloat::<4>::from_f64(1.0);
    let largest = one.scale(format.max_exponent + 1) - one.scale(format.max_exponent - format.precision);
    let overflows = !(exact.abs() - largest).is_negative();
    let got = if got.is_infinite() {
        if got.is_sign_negative() != exact.is_negative() {
            return f64::INFINITY;
        }
        if overflows {
            return 0.0;
        }
        one.scale(format.max_exponent + 1).with_sign(exact.is_negative())
    } else {
        BigFloat::from_f64(got)
    };
    let e = (exact.exponent() - 1).clamp(format.min_exponent, format.max_exponent);
    (got - exact).abs().scale(format.precision - 1 - e).to_f64()
}

/// [`ulp_error`] for `f32`.
pub fn ulp_error_f32(got: f32, f: Function, x: f32, y: f32) -> f64 {
    ulp_error(Format::F32, got.to_bits().into(), f, x.to_bits().into(), y.to_bits().into())
}

/// [`ulp_error`] for `f64`.
pub fn ulp_error_f64(got: f64, f: Function, x: f64, y: f64) -> f64 {
    ulp_error(Format::F64, got.to_bits(), f, x.to_bits(), y.to_bits())
}
