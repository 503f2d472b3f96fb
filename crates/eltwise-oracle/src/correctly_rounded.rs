//! Correctly rounded results: [`correctly_rounded`] tries the fast path, then 128-bit, then 256-bit significands.

use crate::bigfloat::BigFloat;
use crate::evaluate::{Evaluation, evaluate};
use crate::fast_path;
use crate::format::Format;
use crate::function::Function;
use crate::special_values::{special_value, unary_special_value};

/// The correctly rounded result of `f`, as bits of `format`.
///
/// `x` and `y` are bits of `format` too; `y` does not count for functions of one operand. A NaN result is the quiet NaN
/// with the sign bit clear.
pub fn correctly_rounded(format: Format, f: Function, x: u64, y: u64) -> u64 {
    // Verification calls unary f32 functions billions of times.
    if format == Format::F32
        && f.arity() == 1
        && let Some(bits) = ordinary_f32(f, f32::from_bits(x as u32))
    {
        return bits;
    }
    let (a, b) = (format.to_f64(x), format.to_f64(y));
    if let Some(v) = special_value(f, a, b) {
        return encode(format, v);
    }
    let finite = a.is_finite() && (f.arity() == 1 || b.is_finite());
    if finite
        && format == Format::F32
        && f.arity() == 2
        && let Some(v) = fast_path::core_math_f32(f, a as f32, b as f32)
    {
        return u64::from(v.to_bits());
    }
    if finite
        && format == Format::F64
        && let Some(v) = fast_path::core_math_f64(f, a, b)
    {
        return v.to_bits();
    }
    if finite && format != Format::F64 && f == Function::Atan2 && b > 0.0 && a.abs() < b * TINY {
        return format.from_f64(tiny_angle(a, b));
    }
    if finite && format != Format::F64 {
        let (v, error) = fast_path::with_error_bound(f, a, b);
        if error < 0.25 {
            let (low, high) = (format.from_f64(v * (1.0 - error)), format.from_f64(v * (1.0 + error)));
            if low == high && !v.is_nan() {
                return low;
            }
        }
    }
    round_high_precision(format, f, a, b)
}

/// The result at an argument that is not special, if CORE-MATH has the function for `f32`.
#[inline]
fn ordinary_f32(f: Function, x: f32) -> Option<u64> {
    if !x.is_finite() || unary_special_value(f, x.into()).is_some() {
        return None;
    }
    fast_path::core_math_f32(f, x, 0.0).map(|v| u64::from(v.to_bits()))
}

/// If `|y / x|` is below this, the angle differs from the quotient by a relative 2^-121 or less. For smaller quotients
/// not even 225 bits show the difference.
const TINY: f64 = 1.0 / (1u64 << 60) as f64;

/// An `f64` that rounds to a format narrower than `f64` as the exact angle of (x, y) does, for `|y| < TINY x`.
///
/// The angle is slightly nearer to 0 than `y / x`. The quotient rounded to `f64` is good enough, unless it can be
/// halfway between two numbers of the narrower format. Then the result is the next `f64` on the side of the exact
/// angle; if the quotient is exact, that side is toward 0.
fn tiny_angle(y: f64, x: f64) -> f64 {
    let quotient = y / x;
    let remainder = (-quotient).mul_add(x, y);
    let toward_zero = if remainder == 0.0 { true } else { (remainder > 0.0) != (quotient > 0.0) };
    match quotient.to_bits() {
        bits if bits << 36 != 0 || quotient == 0.0 => quotient,
        bits if toward_zero => f64::from_bits(bits - 1),
        bits => f64::from_bits(bits + 1),
    }
}

/// Rounds the value computed to 105 bits and, if those leave the rounding open, to 225.
fn round_high_precision(format: Format, f: Function, x: f64, y: f64) -> u64 {
    if let Evaluation::Approximate(value, bits) = evaluate::<2>(f, x, y)
        && let Some(r) = value.round(format, bits, false)
    {
        return r;
    }
    match evaluate::<4>(f, x, y) {
        Evaluation::Special(v) => encode(format, v),
        // A value that 225 bits do not separate from a tie is one: x^y, roots, and exponentials of integers can be
        // exact.
        Evaluation::Approximate(value, bits) => value.round(format, bits, true).unwrap_or(format.nan()),
    }
}

/// A special value as bits of `format`. Every format has each special value exactly.
pub(crate) fn encode(format: Format, v: f64) -> u64 {
    if v.is_nan() {
        return format.nan();
    }
    let sign = if v.is_sign_negative() { format.sign_bit() } else { 0 };
    if v == 0.0 {
        sign
    } else if v.is_infinite() {
        sign | format.infinity()
    } else {
        BigFloat::<2>::from_f64(v).round(format, 128, true).unwrap_or(format.nan())
    }
}

/// The correctly rounded `f32`.
pub fn correctly_rounded_f32(f: Function, x: f32, y: f32) -> f32 {
    f32::from_bits(correctly_rounded(Format::F32, f, x.to_bits().into(), y.to_bits().into()) as u32)
}

/// The correctly rounded `f64`.
pub fn correctly_rounded_f64(f: Function, x: f64, y: f64) -> f64 {
    f64::from_bits(correctly_rounded(Format::F64, f, x.to_bits(), y.to_bits()))
}

/// The correctly rounded `f16`, as bits. `x` and `y` are bits too.
pub fn correctly_rounded_f16(f: Function, x: u16, y: u16) -> u16 {
    correctly_rounded(Format::F16, f, x.into(), y.into()) as u16
}

/// The correctly rounded `bf16`, as bits. `x` and `y` are bits too.
pub fn correctly_rounded_bf16(f: Function, x: u16, y: u16) -> u16 {
    correctly_rounded(Format::BF16, f, x.into(), y.into()) as u16
}
