//! The fast path: results of CORE-MATH, and compositions of its `f64` functions with a bound of the error.
//!
//! A call takes nanoseconds; the multi-word arithmetic that follows if the bound leaves the rounding open takes
//! microseconds. Arguments are finite and not special. Compositions ([`with_error_bound`]) take numbers of `f32` or a
//! narrower format and avoid cancellation. A bound counts 2^-53 for each rounding, times the condition number of the
//! steps that follow it, and is generous.

use core::f64::consts::{FRAC_1_SQRT_2, LN_2};

use crate::function::Function;

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
        Pow => core_math::powf(x, y),
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
        Pow => core_math::pow(x, y),
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
        _ => (y * core_math::tanh(x / y), exp2_minus(49)),
    }
}

fn sigmoid(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + core_math::exp(-x))
    } else {
        let e = core_math::exp(x);
        e / (1.0 + e)
    }
}
