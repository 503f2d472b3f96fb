//! Rounding to integers (an integer stays unchanged), and the neighbour of a float.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;

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
