//! The fast path: results of CORE-MATH, and compositions of its `f64` functions with a bound of the error.
//!
//! A call takes nanoseconds; the multi-word arithmetic that follows if the bound leaves the rounding open takes
//! microseconds. Arguments are finite and not special. Compositions ([`with_error_bound`]) take numbers of `f32` or a
//! narrower format and avoid cancellation. A bound counts 2^-53 for each rounding, times the condition number of the
//! steps that follow it, and is generous.

use core::f64::consts::{FRAC_1_SQRT_2, LN_2, PI};

use crate::function::Function;

/// log(2 pi).
const LOG_2_PI: f64 = 1.8378770664093456;

/// The result of CORE-MATH's `f32` function, correctly rounded; `None` if CORE-MATH does not have it.
pub(crate) fn core_math_f32(f: Function, x: f32, y: f32) -> Option<f32> {
    use Function::*;
    Some(match f {
        Exp => core_math::expf(x),
        Exp2 => core_math::exp2f(x),
        Exp10 => core_math::exp10f(x),
        Expm1 => core_math::expm1f(x),
        Log => core_math::logf(x),
        Log2 => core_math::log2f(x),
        Log10 => core_math::log10f(x),
        Log1p => core_math::log1pf(x),
        Sin => core_math::sinf(x),
        Cos => core_math::cosf(x),
        Tan => core_math::tanf(x),
        Asin => core_math::asinf(x),
        Acos => core_math::acosf(x),
        Atan => core_math::atanf(x),
        Sinh => core_math::sinhf(x),
        Cosh => core_math::coshf(x),
        Tanh => core_math::tanhf(x),
        Asinh => core_math::asinhf(x),
        Acosh => core_math::acoshf(x),
        Atanh => core_math::atanhf(x),
        Erf => core_math::erff(x),
        Erfc => core_math::erfcf(x),
        Sqrt => x.sqrt(),
        Cbrt => core_math::cbrtf(x),
        Rsqrt => core_math::rsqrtf(x),
        Pow | PowConstant => core_math::powf(x, y),
        Atan2 => core_math::atan2f(x, y),
        Hypot => core_math::hypotf(x, y),
        _ => return None,
    })
}

/// The result of CORE-MATH's `f64` function, correctly rounded; `None` if CORE-MATH does not have it.
pub(crate) fn core_math_f64(f: Function, x: f64, y: f64) -> Option<f64> {
    use Function::*;
    Some(match f {
        Exp => core_math::exp(x),
        Exp2 => core_math::exp2(x),
        Exp10 => core_math::exp10(x),
        Expm1 => core_math::expm1(x),
        Log => core_math::log(x),
        Log2 => core_math::log2(x),
        Log10 => core_math::log10(x),
        Log1p => core_math::log1p(x),
        Sin => core_math::sin(x),
        Cos => core_math::cos(x),
        Tan => core_math::tan(x),
        Asin => core_math::asin(x),
        Acos => core_math::acos(x),
        Atan => core_math::atan(x),
        Sinh => core_math::sinh(x),
        Cosh => core_math::cosh(x),
        Tanh => core_math::tanh(x),
        Asinh => core_math::asinh(x),
        Acosh => core_math::acosh(x),
        Atanh => core_math::atanh(x),
        Erf => core_math::erf(x),
        Erfc => core_math::erfc(x),
        Sqrt => x.sqrt(),
        Cbrt => core_math::cbrt(x),
        Rsqrt => core_math::rsqrt(x),
        Pow | PowConstant => core_math::pow(x, y),
        Atan2 => core_math::atan2(x, y),
        Hypot => core_math::hypot(x, y),
        _ => return None,
    })
}

/// 2^-n.
const fn exp2_minus(n: u64) -> f64 {
    f64::from_bits((1023 - n) << 52)
}

/// The value in `f64`, and a bound of its relative error if it is a normal number. Operands are numbers of `f32` or of
/// a narrower format.
pub(crate) fn with_error_bound(f: Function, x: f64, y: f64) -> (f64, f64) {
    use Function::*;
    if let Some(v) = core_math_f64(f, x, y) {
        return (v, exp2_minus(52));
    }
    match f {
        Sigmoid => (sigmoid(x), exp2_minus(49)),
        Silu => (x * sigmoid(x), exp2_minus(49)),
        Softplus => (core_math::log1p(core_math::exp(-x.abs())) + x.max(0.0), exp2_minus(49)),
        // In [1/4, 3/4] both differences are exact; outside, the two logarithms do not cancel.
        Logit if (0.25..=0.75).contains(&x) => (core_math::log1p((2.0 * x - 1.0) / (1.0 - x)), exp2_minus(49)),
        Logit => (core_math::log(x) - core_math::log1p(-x), exp2_minus(49)),
        Selu => {
            const SCALE: f64 = 1.0507009873554804934193349852946;
            const ALPHA: f64 = 1.6732632423543772848170429916717;
            (if x > 0.0 { SCALE * x } else { SCALE * ALPHA * core_math::expm1(x) }, exp2_minus(49))
        }
        // The condition number of erfc is 2 z^2 = x^2, at most 2^9 before the product rounds to zero in every format.
        Gelu => (0.5 * x * core_math::erfc(-x * FRAC_1_SQRT_2), exp2_minus(42)),
        GeluTanh => {
            const TWICE_SQRT_TWO_OVER_PI: f64 = 1.595_769_121_605_730_7;
            let u = TWICE_SQRT_TWO_OVER_PI * x * (1.0 + 0.044715 * x * x);
            // The condition number of the sigmoid is |u|, bounded as for gelu.
            (x * sigmoid(u), exp2_minus(42))
        }
        Mish => {
            let e = core_math::exp(x.min(300.0));
            let n = e * (e + 2.0);
            (x * (n / (n + 2.0)), exp2_minus(49))
        }
        LogAddExp | LogAddExp2 => {
            let (high, distance) = (x.max(y), (x - y).abs());
            let rest = if f == LogAddExp {
                core_math::log1p(core_math::exp(-distance))
            } else {
                core_math::log1p(core_math::exp2(-distance)) / LN_2
            };
            let v = high + rest;
            (v, exp2_minus(48) * (high.abs() + rest) / v.abs())
        }
        Elu => (y * core_math::expm1(x), exp2_minus(50)),
        // The condition number of expm1 is its argument if that is positive: below 2^10.
        Celu => (y * core_math::expm1(x / y), exp2_minus(41)),
        LogSigmoid => (-(core_math::log1p(core_math::exp(-x.abs())) - x.min(0.0)), exp2_minus(49)),
        Tanhshrink => tanhshrink(x),
        Sinc => (sin_pi(x) / (PI * x), exp2_minus(49)),
        Exprel => (core_math::expm1(x) / x, exp2_minus(50)),
        Entr => (-x * core_math::log(x), exp2_minus(50)),
        XLogY => (x * core_math::log(y), exp2_minus(50)),
        XLog1pY => (x * core_math::log1p(y), exp2_minus(50)),
        // The product of two `f32` is exact.
        Swish => (x * sigmoid(x * y), exp2_minus(49)),
        // The condition number is bounded as for gelu.
        Ndtr => (0.5 * core_math::erfc(-x * FRAC_1_SQRT_2), exp2_minus(42)),
        Softcap => (y * core_math::tanh(x / y), exp2_minus(49)),
        LGamma | Digamma => {
            let (v, largest) = if x > 0.0 { gamma(f, x) } else { reflected_gamma(f, x) };
            (v, exp2_minus(47) * largest / v.abs())
        }
        Erfinv => inverse_erf(x, 1.0 - x.abs()),
        // 1 - x is exact where it counts, from 1/2 on.
        Erfcinv => inverse_erf(1.0 - x, x.min(2.0 - x)),
        Ndtri => {
            let (v, bound) = inverse_erf(1.0 - 2.0 * x, 2.0 * x.min(1.0 - x));
            (-(2f64.sqrt()) * v, bound)
        }
        // No fast path.
        Erfcx | LogNdtr | I0 | I0e | I1 | I1e => (0.0, 1.0),
        // CORE-MATH has the others.
        _ => unreachable!("{f} has neither a function of CORE-MATH nor a composition"),
    }
}

/// x - tanh x.
fn tanhshrink(x: f64) -> (f64, f64) {
    let square = x * x;
    if square > 1.0 / 64.0 {
        return (x - core_math::tanh(x), exp2_minus(50) / square.min(1.0));
    }
    // (x cosh x - sinh x) / cosh x, whose numerator is a sum of positive terms 2 k x^(2 k + 1) / (2 k + 1)!.
    let terms = [1.0 / 3.0, 1.0 / 30.0, 1.0 / 840.0, 1.0 / 45360.0, 1.0 / 3991680.0];
    let sum = terms.iter().rev().fold(0.0, |sum, term| sum * square + term);
    (x * square * sum / core_math::cosh(x), exp2_minus(48))
}

/// lgamma or digamma of x > 0, and the largest term: Stirling's series at 12 or more, which the recurrences reach.
fn gamma(f: Function, x: f64) -> (f64, f64) {
    let (mut z, mut product, mut sum) = (x, 1.0, 0.0);
    while z < 12.0 {
        product *= z;
        sum += 1.0 / z;
        z += 1.0;
    }
    let (log, inverse) = (core_math::log(z), 1.0 / z);
    let square = inverse * inverse;
    let series = |c: [f64; 7]| c.iter().rev().fold(0.0, |sum, c| sum * square + c);
    let (v, largest) = if f == Function::LGamma {
        let tail = series([
            1.0 / 12.0,
            -1.0 / 360.0,
            1.0 / 1260.0,
            -1.0 / 1680.0,
            1.0 / 1188.0,
            -691.0 / 360360.0,
            1.0 / 156.0,
        ]);
        let far = (z - 0.5) * (log - 1.0) + (LOG_2_PI - 1.0) * 0.5 + tail * inverse;
        let reached = core_math::log(product);
        (far - reached, far.max(reached.abs()))
    } else {
        let tail =
            series([1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0]);
        (log - 0.5 * inverse - tail * square - sum, log.max(sum))
    };
    (v, largest)
}

/// lgamma or digamma of x < 0, and the largest term.
fn reflected_gamma(f: Function, x: f64) -> (f64, f64) {
    let ((above, largest), term) = if f == Function::LGamma {
        (gamma(f, -x), core_math::log(PI / (x * sin_pi(x)).abs()))
    } else {
        (gamma(f, 1.0 - x), -PI * sin_pi(x + 0.5) / sin_pi(x))
    };
    let v = if f == Function::LGamma { term - above } else { term + above };
    (v, largest.max(term.abs()))
}

/// The z with `erf z = x`, given `rest = 1 - |x|` exactly or rounded once: Newton's method on erf or on log erfc.
fn inverse_erf(x: f64, rest: f64) -> (f64, f64) {
    let per_slope = PI.sqrt() / 2.0;
    if rest > 0.5 {
        let mut z = x * per_slope;
        for _ in 0..6 {
            z -= (core_math::erf(z) - x) * per_slope * core_math::exp(z * z);
        }
        return (z, exp2_minus(46));
    }
    let log = core_math::log(rest);
    let mut z = 0.9 * (-log).sqrt();
    for _ in 0..8 {
        let erfc = core_math::erfc(z);
        z += (core_math::log(erfc) - log) * erfc * per_slope * core_math::exp(z * z);
    }
    (z.copysign(x), exp2_minus(45))
}

/// sin(pi x), for `x` that are not integers. The argument of the sine or cosine is at most pi/4.
fn sin_pi(x: f64) -> f64 {
    // The distance from the nearest even number is exact, and so is that of its magnitude from 1 or 1/2.
    let even = x - 2.0 * (x / 2.0).round();
    let size = if even.abs() > 0.5 { 1.0 - even.abs() } else { even.abs() };
    let sine = if size > 0.25 { core_math::cos(PI * (0.5 - size)) } else { core_math::sin(PI * size) };
    sine.copysign(even)
}

fn sigmoid(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + core_math::exp(-x))
    } else {
        let e = core_math::exp(x);
        e / (1.0 + e)
    }
}
