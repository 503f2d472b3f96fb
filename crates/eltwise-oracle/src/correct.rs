//! Correctly rounded results.

use crate::exact::{Value, value};
use crate::fast;
use crate::function::Function;
use crate::special::{special, special1};
use crate::wide::{Format, Wide};

/// The correctly rounded result as bits of `format`; operands are bits of it too. A NaN is the quiet one without a sign.
pub fn correct(format: Format, f: Function, x: u64, y: u64) -> u64 {
    // Most of what is asked, billions of times.
    if format == Format::F32
        && f.arity() == 1
        && let Some(bits) = ordinary(f, f32::from_bits(x as u32))
    {
        return bits;
    }
    let (a, b) = (format.to_f64(x), format.to_f64(y));
    if let Some(v) = special(f, a, b) {
        return encode(format, v);
    }
    let finite = a.is_finite() && (f.arity() == 1 || b.is_finite());
    if finite
        && format == Format::F32
        && f.arity() == 2
        && let Some(v) = fast::single(f, a as f32, b as f32)
    {
        return u64::from(v.to_bits());
    }
    if finite
        && format == Format::F64
        && let Some(v) = fast::double(f, a, b)
    {
        return v.to_bits();
    }
    if finite && format != Format::F64 && f == Function::Atan2 && b > 0.0 && a.abs() < b * TINY {
        return format.nearest(tiny_angle(a, b));
    }
    if finite && format != Format::F64 {
        let (v, error) = fast::approximate(f, a, b);
        if error < 0.25 {
            let (low, high) = (format.nearest(v * (1.0 - error)), format.nearest(v * (1.0 + error)));
            if low == high && !v.is_nan() {
                return low;
            }
        }
    }
    rounded(format, f, a, b)
}

/// The bits at an argument that is not special, by CORE-MATH's function of `f32` if there is one.
#[inline]
fn ordinary(f: Function, x: f32) -> Option<u64> {
    if !x.is_finite() || special1(f, x.into()).is_some() {
        return None;
    }
    fast::single(f, x, 0.0).map(|v| u64::from(v.to_bits()))
}

/// Below this quotient an angle is less than it by a part that no width of the oracle shows.
const TINY: f64 = 1.0 / (1u64 << 60) as f64;

/// The angle of (x, y), `|y| < TINY x`, as a number that rounds to a narrower format as the exact one does: y / x, and where that may lie
/// halfway between two numbers, the next one in the direction of the exact value, which is on the near side of an exact quotient.
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

/// By the exact value: first to 105 bits, and where those do not tell, to 225.
fn rounded(format: Format, f: Function, x: f64, y: f64) -> u64 {
    let by = |r: Option<u64>| r.unwrap_or(format.nan());
    if let Value::Number(w, bits) = value::<2>(f, x, y)
        && let Some(r) = w.round(format, bits, false)
    {
        return r;
    }
    match value::<4>(f, x, y) {
        Value::Special(v) => encode(format, v),
        // What 225 bits do not tell from a tie is one: x^y, roots and exponentials of integers have exact values.
        Value::Number(w, bits) => by(w.round(format, bits, true)),
    }
}

/// A special value in a format: each has it exactly.
pub(crate) fn encode(format: Format, v: f64) -> u64 {
    if v.is_nan() {
        return format.nan();
    }
    let sign = if v.is_sign_negative() { format.sign() } else { 0 };
    if v == 0.0 {
        sign
    } else if v.is_infinite() {
        sign | format.infinity()
    } else {
        Wide::<2>::from_f64(v).round(format, 128, true).unwrap_or(format.nan())
    }
}

/// The correctly rounded `f32`.
pub fn correct_f32(f: Function, x: f32, y: f32) -> f32 {
    f32::from_bits(correct(Format::F32, f, x.to_bits().into(), y.to_bits().into()) as u32)
}

/// The correctly rounded `f64`.
pub fn correct_f64(f: Function, x: f64, y: f64) -> f64 {
    f64::from_bits(correct(Format::F64, f, x.to_bits(), y.to_bits()))
}

/// The correctly rounded `f16`, as bits.
pub fn correct_f16(f: Function, x: u16, y: u16) -> u16 {
    correct(Format::F16, f, x.into(), y.into()) as u16
}

/// The correctly rounded `bf16`, as bits.
pub fn correct_bf16(f: Function, x: u16, y: u16) -> u16 {
    correct(Format::BF16, f, x.into(), y.into()) as u16
}
