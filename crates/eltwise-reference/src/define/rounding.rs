//! Rounding to integers, which leaves integers as they are; and the neighbour of a float.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_plan::DType;

use super::domain::same1;
use super::real::Real;
use crate::value::Value;

pub(super) fn Floor(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, |x| x.integral()[0], |x| x.integral()[0])
}

pub(super) fn Ceil(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, |x| x.integral()[1], |x| x.integral()[1])
}

pub(super) fn Trunc(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, |x| x.integral()[2], |x| x.integral()[2])
}

pub(super) fn Round(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, |x| nearest(x, even), |x| nearest(x, even))
}

pub(super) fn RoundHalfAway(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, |x| nearest(x, away), |x| nearest(x, away))
}

/// One step among the numbers of the dtype, which lie in the order of their bits without the sign.
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

/// The integer that is nearer to x, of the two next to it; between two as near ones `tie` chooses.
fn nearest<F: Real>(x: F, tie: fn(F, F) -> F) -> F {
    let [below, above, _] = x.integral();
    if x.nan() || below == above {
        // A number without a fraction, an infinity, a NaN.
        return x;
    }
    // Both differences are exact: a fraction has few bits.
    let (down, up) = (x - below, above - x);
    if down < up {
        // The sign stays: 0.3 goes to +0.0.
        below
    } else if up < down {
        above
    } else {
        tie(below, above)
    }
}

fn even<F: Real>(below: F, above: F) -> F {
    let half = below / F::from(2.0);
    if half == half.integral()[0] { below } else { above }
}

fn away<F: Real>(below: F, above: F) -> F {
    if below < F::from(0.0) { below } else { above }
}
