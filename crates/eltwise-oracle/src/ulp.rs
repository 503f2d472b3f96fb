//! Errors in units of the last place.

use crate::exact::{Value, value};
use crate::fast;
use crate::function::Function;
use crate::special::special;
use crate::wide::{Format, Wide};

/// The distance of `got` from the exact value in ULP: in the distance of the numbers of the format around the exact value, which
/// does not fall below the smallest subnormal.
///
/// * From the overflow threshold on, infinity is right: 0. Below it, infinity counts as the number that the largest finite one would
///   be followed by.
/// * Two NaN are equal: 0. Where one is NaN, a pole is missed, or a zero has the wrong sign: infinity.
pub fn ulp_error(format: Format, got: u64, f: Function, x: u64, y: u64) -> f64 {
    let (a, b, g) = (format.to_f64(x), format.to_f64(y), format.to_f64(got));
    if let Some(v) = special(f, a, b) {
        return of_special(format, g, v);
    }
    let finite = a.is_finite() && (f.arity() == 1 || b.is_finite());
    if finite && format.width() < 64 {
        let (v, error) = fast::approximate(f, a, b);
        // Far from overflow and underflow of f64; 2^-40 of the value is 2^-16 ULP of an f32.
        if error < 1e-12 && v.abs() > 1e-280 && v.abs() < 2f64.powi(format.max) && g.is_finite() {
            return of_number(format, g, v);
        }
    }
    let exact = match value::<2>(f, a, b) {
        Value::Number(_, bits) if bits < format.precision + 24 => value::<4>(f, a, b),
        Value::Number(w, bits) => Value::Number(w.resize(), bits),
        Value::Special(v) => Value::Special(v),
    };
    match exact {
        Value::Special(v) => of_special(format, g, v),
        Value::Number(w, _) => of_wide(format, g, w),
    }
}

fn of_special(format: Format, got: f64, v: f64) -> f64 {
    if got.is_nan() || v.is_nan() {
        return if got.is_nan() && v.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == v {
        return if v == 0.0 && got.is_sign_negative() != v.is_sign_negative() { f64::INFINITY } else { 0.0 };
    }
    if v.is_infinite() || got.is_infinite() || v == 0.0 {
        return f64::INFINITY;
    }
    of_wide(format, got, Wide::from_f64(v))
}

/// By an `f64` that is as good as exact; `got` is finite.
fn of_number(format: Format, got: f64, v: f64) -> f64 {
    if got.is_nan() || (got == 0.0 && got.is_sign_negative() != v.is_sign_negative()) {
        return f64::INFINITY;
    }
    let e = (v.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let quantum = crate::wide::exp2(e.max(format.min) - (format.precision - 1));
    (got - v).abs() / quantum
}

fn of_wide(format: Format, got: f64, exact: Wide<4>) -> f64 {
    if exact.is_zero() {
        return of_special(format, got, 0.0);
    }
    if got.is_nan() || (got == 0.0 && got.is_sign_negative() != exact.is_negative()) {
        return f64::INFINITY;
    }
    let one = Wide::<4>::from_f64(1.0);
    let largest = one.scale(format.max + 1) - one.scale(format.max - format.precision);
    let overflows = !(exact.abs() - largest).is_negative();
    let got = if got.is_infinite() {
        if got.is_sign_negative() != exact.is_negative() {
            return f64::INFINITY;
        }
        if overflows {
            return 0.0;
        }
        one.scale(format.max + 1).signed(exact.is_negative())
    } else {
        Wide::from_f64(got)
    };
    let e = (exact.exponent() - 1).clamp(format.min, format.max);
    (got - exact).abs().scale(format.precision - 1 - e).to_f64()
}

/// [`ulp_error`] of an `f32`.
pub fn ulp_error_f32(got: f32, f: Function, x: f32, y: f32) -> f64 {
    ulp_error(Format::F32, got.to_bits().into(), f, x.to_bits().into(), y.to_bits().into())
}

/// [`ulp_error`] of an `f64`.
pub fn ulp_error_f64(got: f64, f: Function, x: f64, y: f64) -> f64 {
    ulp_error(Format::F64, got.to_bits(), f, x.to_bits(), y.to_bits())
}
