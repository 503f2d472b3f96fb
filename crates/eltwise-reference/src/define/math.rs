//! The math operators: elementary functions of `pxfm` (correctly rounded but for rare inputs) in `f64`, joined where they are
//! composed in forms that do not cancel, and rounded once to the dtype. `f16`, `bf16` and `f32` results are the correctly rounded ones
//! but where the exact value lies within about 2^-50 of the middle between two; `f64` ones are within 1 ULP, composed
//! ones within a few.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_plan::DType;
use pxfm::*;

use crate::value::Value;

/// One row an operator of one operand: its function of `f64`.
macro_rules! of_one {
    ($($name:ident $x:ident => $value:expr;)*) => {$(
        pub(super) fn $name(args: &[Value], _: Option<DType>) -> Value {
            let $x = args[0].to_f64();
            quiet(args[0].dtype, $value)
        }
    )*};
}

/// One row an operator of two operands.
macro_rules! of_two {
    ($($name:ident $x:ident $y:ident => $value:expr;)*) => {$(
        pub(super) fn $name(args: &[Value], _: Option<DType>) -> Value {
            let ($x, $y) = (args[0].to_f64(), args[1].to_f64());
            quiet(args[0].dtype, $value)
        }
    )*};
}

of_one! {
    Rsqrt x => if x == 0.0 { 1.0 / x } else { f_rsqrt(x) };
    Cbrt x => odd(x, f_cbrt(x));
    Exp x => f_exp(x);
    Exp2 x => f_exp2(x);
    Exp10 x => f_exp10(x);
    Expm1 x => odd(x, f_expm1(x));
    Log x => f_log(x);
    Log2 x => f_log2(x);
    Log10 x => f_log10(x);
    Log1p x => odd(x, f_log1p(x));
    Sin x => odd(x, f_sin(x));
    Cos x => f_cos(x);
    Tan x => odd(x, f_tan(x));
    Asin x => odd(x, f_asin(x));
    Acos x => f_acos(x);
    Atan x => odd(x, f_atan(x));
    Sinh x => odd(x, f_sinh(x));
    Cosh x => f_cosh(x);
    Tanh x => odd(x, f_tanh(x));
    Asinh x => odd(x, f_asinh(x));
    Acosh x => f_acosh(x);
    Atanh x => odd(x, f_atanh(x));
    Erf x => odd(x, f_erf(x));
    Erfc x => f_erfc(x);
    Sigmoid x => sigmoid(x);
    Logit x => logit(x);
    Softplus x => softplus(x);
    Silu x => odd(x, if x == f64::NEG_INFINITY { -0.0 } else if x < -700.0 { x * f_exp(x / 2.0) * f_exp(x / 2.0) } else { x * sigmoid(x) });
    Gelu x => odd(x, gelu(x));
    GeluTanh x => odd(x, gelu_tanh(x));
    Mish x => odd(x, mish(x));
    Selu x => odd(x, SELU_SCALE * if x > 0.0 { x } else { SELU_ALPHA * f_expm1(x) });
}

of_two! {
    Hypot x y => f_hypot(x, y);
    Atan2 y x => f_atan2(y, x);
    LogAddExp x y => log_add(x, y, f_exp, f_log1p);
    LogAddExp2 x y => log_add(x, y, f_exp2, |t| f_log1p(t) / std::f64::consts::LN_2);
    Elu x alpha => if x > 0.0 { x } else { alpha * odd(x, f_expm1(x)) };
    Celu x alpha => if x > 0.0 || (alpha.is_infinite() && x.is_finite()) { x } else { alpha * odd(x / alpha, f_expm1(x / alpha)) };
    Softcap x c => if c.is_infinite() && x.is_finite() { x } else { c * odd(x / c, f_tanh(x / c)) };
}

/// Floats; integers are in `integers`.
pub(super) fn power(args: &[Value]) -> Value {
    let (x, y) = (args[0].to_f64(), args[1].to_f64());
    // Also of NaN (IEEE 754-2019, 9.2.1).
    quiet(args[0].dtype, if x == 1.0 || y == 0.0 { 1.0 } else { f_pow(x, y) })
}

const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;

/// A function that leaves zeros as they are.
fn odd(x: f64, value: f64) -> f64 {
    if x == 0.0 { x } else { value }
}

/// A math function's NaN is the quiet one.
fn quiet(dtype: DType, x: f64) -> Value {
    Value::from_f64(dtype, if x.is_nan() { f64::NAN } else { x })
}

fn sigmoid(x: f64) -> f64 {
    if x < 0.0 { f_exp(x) / (1.0 + f_exp(x)) } else { 1.0 / (1.0 + f_exp(-x)) }
}

fn logit(x: f64) -> f64 {
    // Near 1/2 the quotient is near 1: its difference from 1 is exact.
    if (0.25..=0.75).contains(&x) { f_log1p((2.0 * x - 1.0) / (1.0 - x)) } else { f_log(x) - f_log1p(-x) }
}

fn softplus(x: f64) -> f64 {
    if x.is_nan() { x } else { x.max(0.0) + f_log1p(f_exp(-x.abs())) }
}

/// erfc of the unrounded quotient, to first order around the rounded one.
fn gelu(x: f64) -> f64 {
    if x == f64::NEG_INFINITY {
        return -0.0;
    }
    if x > 40.0 || x.is_nan() {
        return x;
    }
    const ROOT: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const REST: f64 = -4.833_646_656_726_457e-17;
    let z = -x * ROOT;
    let rest = (-x).mul_add(ROOT, -z) - x * REST;
    let slope = -std::f64::consts::FRAC_2_SQRT_PI * f_exp(-z * z);
    let near = f_erfc(z);
    if near == 0.0 || slope == 0.0 { 0.5 * x * near } else { 0.5 * x * (near + slope * rest) }
}

fn gelu_tanh(x: f64) -> f64 {
    if x == f64::NEG_INFINITY {
        return -0.0;
    }
    let inner = x * x * x * 0.044715 + x;
    let u = 1.595_769_121_605_731 * inner;
    if u < -700.0 { x * f_exp(u / 2.0) * f_exp(u / 2.0) } else { x * sigmoid(u) }
}

fn mish(x: f64) -> f64 {
    if x == f64::NEG_INFINITY {
        return -0.0;
    }
    if x > 40.0 || x.is_nan() {
        return x;
    }
    if x < -700.0 {
        return x * f_exp(x / 2.0) * f_exp(x / 2.0);
    }
    let e = f_exp(x);
    let n = e * (e + 2.0);
    x * (n / (n + 2.0))
}

fn log_add(x: f64, y: f64, exp: fn(f64) -> f64, log1p: fn(f64) -> f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    let (small, large) = if x < y { (x, y) } else { (y, x) };
    if small == large || large.is_infinite() {
        large + if large.is_infinite() { 0.0 } else { log1p(1.0) }
    } else {
        large + log1p(exp(small - large))
    }
}
