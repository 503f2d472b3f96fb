//! Rounding to integers (an integer stays unchanged), and the neighbour of a float.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;
use eltwise_oracle::{Function, correctly_rounded_f64};

use super::compute_type::unary;
use super::float::Float;
use crate::value::Value;

pub(super) fn Floor(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, |x| x.floor(), |x| x.floor())
}

pub(super) fn Ceil(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, |x| x.ceil(), |x| x.ceil())
}

pub(super) fn Trunc(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, |x| x.trunc(), |x| x.trunc())
}

pub(super) fn Round(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, |x| round_to_nearest(x, even), |x| round_to_nearest(x, even))
}

pub(super) fn RoundHalfAway(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, |x| round_to_nearest(x, away_from_zero), |x| round_to_nearest(x, away_from_zero))
}

/// `x` to `n` decimal places. Integers are unchanged for n >= 0, else computed in `f64`, and saturate.
pub(super) fn RoundDecimals(args: &[Value], _: Option<DType>) -> Value {
    let (x, n) = (args[0], args[1].to_i128());
    let power = correctly_rounded_f64(Function::Exp10, n.unsigned_abs() as f64, 0.0);
    match x.dtype.compute() {
        DType::F32 => Value::from_f32(x.dtype, to_places(x.to_f32(), n, power as f32)),
        DType::F64 => Value::from_f64(x.dtype, to_places(x.to_f64(), n, power)),
        _ if n >= 0 => x,
        _ => Value::from_i128(x.dtype, saturated(to_places(x.to_i128() as f64, n, power), x.dtype)),
    }
}

/// `x` to `n` decimal places, `power` = 10^|n|.
fn to_places<F: Float>(x: F, n: i128, power: F) -> F {
    if !x.is_finite() {
        return x;
    }
    if n >= 0 {
        let product = x * power;
        return if product.is_finite() { round_to_nearest(product, even) / power } else { x };
    }
    let whole = round_to_nearest(x / power, even);
    // The power may be infinite.
    if whole == F::ZERO { whole } else { whole * power }
}

/// `x` as an integer of the dtype, or the nearest end of its range.
fn saturated(x: f64, dtype: DType) -> i128 {
    let range = dtype.integer_range();
    (x as i128).clamp(*range.start(), *range.end())
}

/// The next number of the dtype from `x` toward `y`. Magnitudes of floats are ordered like their bits.
pub(super) fn NextAfter(args: &[Value], _: Option<DType>) -> Value {
    let (x, y) = (args[0], args[1]);
    let (from, toward) = (x.to_f64(), y.to_f64());
    if from.is_nan() || toward.is_nan() {
        return Value::from_f64(x.dtype, f64::NAN);
    }
    if from == toward {
        return y;
    }
    let sign = 1 << (8 * x.dtype.size() - 1);
    if from == 0.0 {
        return Value::new(x.dtype, (y.bits & sign) | 1);
    }
    let outward = (from < toward) == (from > 0.0);
    Value::new(x.dtype, if outward { x.bits + 1 } else { x.bits - 1 })
}

/// The distance to the next number away from zero, exact in the dtype.
pub(super) fn Spacing(args: &[Value], _: Option<DType>) -> Value {
    let x = args[0];
    let size = x.to_f64().abs();
    if x.is_nan() || size.is_infinite() {
        return Value::from_f64(x.dtype, f64::NAN);
    }
    let limit = if x.to_f64() < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    let next = NextAfter(&[Value::from_f64(x.dtype, size.copysign(limit)), Value::from_f64(x.dtype, limit)], None);
    Value::from_f64(x.dtype, next.to_f64() - x.to_f64())
}

/// The integer nearest to `x`. `tie` chooses between the two integers next to a tie, given in ascending order.
fn round_to_nearest<F: Float>(x: F, tie: fn(F, F) -> F) -> F {
    let (below, above) = (x.floor(), x.ceil());
    if x.is_nan() || below == above {
        // An integer, an infinity or a NaN.
        return x;
    }
    // Both differences are exact: a fraction has few significant bits.
    let (down, up) = (x - below, above - x);
    if down < up {
        below
    } else if up < down {
        above
    } else {
        tie(below, above)
    }
}

fn even<F: Float>(below: F, above: F) -> F {
    let half = below / F::from(2.0);
    if half == half.floor() { below } else { above }
}

fn away_from_zero<F: Float>(below: F, above: F) -> F {
    if below < F::from(0.0) { below } else { above }
}
