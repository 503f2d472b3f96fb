//! Special values: C23 Annex F, and the limits of functions that are not in it. See [`special_value`].
//!
//! An infinite parameter (`alpha` of `celu`, `c` of `softcap`) leaves finite numbers unchanged. With a zero parameter
//! the result is the formula evaluated in IEEE arithmetic.

use crate::function::Function;

/// The result if an operand is a zero, an infinity, NaN, or outside the domain, and the result is one of the operands
/// or a number that every format has.
///
/// `None` if the value has to be computed. It is then finite and not zero, with two exceptions: a function can be zero
/// at an ordinary argument (`log` at 1), and [`Function::Atan`], [`Function::Atan2`] and [`Function::Selu`] have
/// irrational limits.
pub(crate) fn special_value(f: Function, x: f64, y: f64) -> Option<f64> {
    if f.arity() == 2 {
        return binary_special_value(f, x, y);
    }
    if x.is_nan() {
        return Some(f64::NAN);
    }
    unary_special_value(f, x)
}

/// [`special_value`] of a function of one operand that is not NaN.
#[inline]
pub(crate) fn unary_special_value(f: Function, x: f64) -> Option<f64> {
    use Function::*;
    const INF: f64 = f64::INFINITY;
    let limits = |low: f64, high: f64| {
        if x == -INF {
            Some(low)
        } else if x == INF {
            Some(high)
        } else {
            None
        }
    };
    let zero = || (x == 0.0).then_some(x);
    let outside = |is_outside: bool| is_outside.then_some(f64::NAN);
    match f {
        Exp | Exp2 | Exp10 => limits(0.0, INF),
        Expm1 => zero().or(limits(-1.0, INF)),
        Log | Log2 | Log10 => outside(x < 0.0).or((x == 0.0).then_some(-INF)).or(limits(-INF, INF)),
        Log1p => zero().or(outside(x < -1.0)).or((x == -1.0).then_some(-INF)).or(limits(-INF, INF)),
        Sin | Tan => zero().or(outside(x.is_infinite())),
        Cos => outside(x.is_infinite()),
        Asin => zero().or(outside(x.abs() > 1.0)),
        Acos => outside(x.abs() > 1.0),
        Atan | Selu => zero().or((f == Selu && x == INF).then_some(INF)),
        Sinh | Asinh | Cbrt => zero().or(limits(-INF, INF)),
        Cosh => limits(INF, INF),
        Tanh | Erf => zero().or(limits(-1.0, 1.0)),
        Acosh => outside(x < 1.0).or(limits(INF, INF)),
        Atanh => zero().or(outside(x.abs() > 1.0)).or((x.abs() == 1.0).then_some(x * INF)),
        Erfc => limits(2.0, 0.0),
        Sqrt => zero().or(outside(x < 0.0)).or(limits(INF, INF)),
        Rsqrt => (x == 0.0).then_some(1.0 / x).or(outside(x < 0.0)).or(limits(INF, 0.0)),
        Sigmoid => limits(0.0, 1.0),
        Logit => {
            let ends = if x == 0.0 { Some(-INF) } else { (x == 1.0).then_some(INF) };
            outside(!(0.0..=1.0).contains(&x)).or(ends)
        }
        Softplus => limits(0.0, INF),
        Gelu | GeluTanh | Silu | Mish => zero().or(limits(-0.0, INF)),
        LogSigmoid => limits(-INF, -0.0),
        Tanhshrink => zero().or(limits(-INF, INF)),
        Sinc => (x == 0.0).then_some(1.0).or((x.is_infinite() || x.trunc() == x).then_some(0.0)),
        Exprel => (x == 0.0).then_some(1.0).or(limits(0.0, INF)),
        Entr => (x == 0.0 || x == 1.0).then_some(0.0).or((x < 0.0 || x == INF).then_some(-INF)),
        LGamma if x == 1.0 || x == 2.0 => Some(0.0),
        LGamma => (x <= 0.0 && x.trunc() == x && x.is_finite()).then_some(INF).or(limits(-INF, INF)),
        Digamma if x == 0.0 => Some(-1.0 / x),
        Digamma => outside(x < 0.0 && (x.trunc() == x)).or(limits(f64::NAN, INF)),
        Erfinv => zero().or(outside(x.abs() > 1.0)).or((x.abs() == 1.0).then_some(x * INF)),
        Erfcinv => {
            let ends = if x == 0.0 { Some(INF) } else { (x == 2.0).then_some(-INF) };
            outside(!(0.0..=2.0).contains(&x)).or(ends).or((x == 1.0).then_some(0.0))
        }
        Erfcx => (x == 0.0).then_some(1.0).or(limits(INF, 0.0)),
        Ndtr => (x == 0.0).then_some(0.5).or(limits(0.0, 1.0)),
        Ndtri => {
            let ends = if x == 0.0 { Some(-INF) } else { (x == 1.0).then_some(INF) };
            outside(!(0.0..=1.0).contains(&x)).or(ends).or((x == 0.5).then_some(0.0))
        }
        LogNdtr => limits(-INF, -0.0),
        I0 => (x == 0.0).then_some(1.0).or(limits(INF, INF)),
        I0e => (x == 0.0).then_some(1.0).or(limits(0.0, 0.0)),
        I1 => zero().or(limits(-INF, INF)),
        I1e => zero().or(limits(-0.0, 0.0)),
        _ => None,
    }
}

fn binary_special_value(f: Function, x: f64, y: f64) -> Option<f64> {
    use Function::*;
    if matches!(f, Pow | PowConstant) {
        return pow(x, y);
    }
    if f == Hypot && (x.is_infinite() || y.is_infinite()) {
        return Some(f64::INFINITY);
    }
    if matches!(f, Elu | Celu) && x > 0.0 {
        return Some(x);
    }
    if x.is_nan() || y.is_nan() {
        return Some(f64::NAN);
    }
    let ordinary = |v: f64| v != 0.0 && v.is_finite();
    match f {
        Atan2 => {
            let (y, x) = (x, y);
            ((y == 0.0 && x.is_sign_positive()) || (y.is_finite() && x == f64::INFINITY)).then(|| 0f64.copysign(y))
        }
        Hypot => (x == 0.0 && y == 0.0).then_some(0.0),
        LogAddExp | LogAddExp2 => {
            // log(e^-inf + e^-0) is log 1, which is +0: adding +0 turns -0 into it.
            if x == f64::NEG_INFINITY || y == f64::INFINITY {
                Some(y + 0.0)
            } else if y == f64::NEG_INFINITY || x == f64::INFINITY {
                Some(x + 0.0)
            } else {
                None
            }
        }
        // If alpha is zero or infinite, only the sign of expm1 counts.
        Elu if !(ordinary(x) && ordinary(y)) => Some(if x == 0.0 { y * x } else { -y }),
        Celu if !(ordinary(x) && ordinary(y)) => {
            let t = x / y;
            Some(if t == 0.0 {
                x
            } else if t.is_nan() {
                t
            } else if y == 0.0 {
                -0.0
            } else {
                y * if t < 0.0 { -1.0 } else { t }
            })
        }
        Softcap if !(ordinary(x) && ordinary(y)) => {
            let t = x / y;
            Some(if t == 0.0 { x } else { y * if t.is_infinite() { 1f64.copysign(t) } else { t } })
        }
        XLogY | XLog1pY if x == 0.0 => Some(0.0),
        XLogY | XLog1pY => {
            // The argument of the logarithm at which it is zero, and the zero.
            let (start, one, zero) = if f == XLogY { (0.0, 1.0, 0.0) } else { (-1.0, 0.0, y) };
            if y < start {
                Some(f64::NAN)
            } else if y == start {
                Some(x * f64::NEG_INFINITY)
            } else if y == one {
                Some(x * zero)
            } else if y.is_infinite() || x.is_infinite() {
                Some(if y < one { -x } else { x } * f64::INFINITY)
            } else {
                None
            }
        }
        Swish if x == 0.0 && y.is_infinite() => Some(f64::NAN),
        Swish if x == 0.0 || (x.is_infinite() && y == 0.0) => Some(x),
        Swish if x.is_infinite() || y.is_infinite() => {
            Some(if x.is_sign_negative() == y.is_sign_negative() { x } else { 0f64.copysign(x) })
        }
        _ => None,
    }
}

/// Whether `y` is an odd integer. From 2^53 on, every number is even.
pub(crate) fn is_odd_integer(y: f64) -> bool {
    y.trunc() == y && y.abs() < 9007199254740992.0 && y % 2.0 != 0.0
}

fn pow(x: f64, y: f64) -> Option<f64> {
    const INF: f64 = f64::INFINITY;
    if y == 0.0 || x == 1.0 {
        return Some(1.0);
    }
    if x.is_nan() || y.is_nan() {
        return Some(f64::NAN);
    }
    if y.is_infinite() {
        let grows = (x.abs() > 1.0) == (y > 0.0);
        return Some(if x.abs() == 1.0 {
            1.0
        } else if grows {
            INF
        } else {
            0.0
        });
    }
    if x == 0.0 || x.is_infinite() {
        let magnitude = if (x == 0.0) == (y > 0.0) { 0.0 } else { INF };
        return Some(if is_odd_integer(y) && x.is_sign_negative() { -magnitude } else { magnitude });
    }
    (x < 0.0 && y.trunc() != y).then_some(f64::NAN)
}
