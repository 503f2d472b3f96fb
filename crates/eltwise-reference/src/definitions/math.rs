//! The math operators: the correctly rounded results of `eltwise-oracle`.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;
use eltwise_oracle::{Format, Function, correctly_rounded, evaluate_double_double};

use super::arithmetic::{Clamp, Subtract};
use super::float::Float;
use crate::value::Value;

/// Makes the definition of each operator whose name is also a [`Function`]:
///
/// ```text
/// pub(super) fn Exp(args: &[Value], _: Option<DType>) -> Value {
///     rounded(Function::Exp, args)
/// }
/// ```
macro_rules! functions {
    ($($name:ident)*) => {$(
        pub(super) fn $name(args: &[Value], _: Option<DType>) -> Value {
            rounded(Function::$name, args)
        }
    )*};
}

functions! {
    Rsqrt Cbrt Hypot Exp Exp2 Exp10 Expm1 Log Log2 Log10 Log1p LogAddExp LogAddExp2 Sin Cos Tan Asin
    Acos Atan Atan2 Sinh Cosh Tanh Asinh Acosh Atanh Erf Erfc Sigmoid Logit Softplus Silu Gelu
    GeluTanh Mish Elu Celu Selu Softcap Swish LogSigmoid Tanhshrink Sinc Exprel Entr XLogY XLog1pY
    PowConstant Erfinv Erfcinv Erfcx Ndtr Ndtri LogNdtr LGamma Digamma I0 I0e I1 I1e
}

/// `pow` of floats; `integers` has that of integers.
pub(super) fn float_power(args: &[Value]) -> Value {
    rounded(Function::Pow, args)
}

/// `float_power`: the power in `f64`.
pub(super) fn FloatPower(args: &[Value], _: Option<DType>) -> Value {
    let wide = [args[0], args[1]].map(|x| Value::from_number(DType::F64, x.number()));
    rounded(Function::Pow, &wide)
}

/// `logit` of x between eps and 1 - eps, which is rounded.
pub(super) fn ClampedLogit(args: &[Value], _: Option<DType>) -> Value {
    let (x, eps) = (args[0], args[1]);
    let largest = Subtract(&[Value::from_f64(x.dtype, 1.0), eps], None);
    rounded(Function::Logit, &[Clamp(&[x, eps, largest], None)])
}

/// softplus(beta x) / beta, in twice the digits of `f64`.
pub(super) fn ParametricSoftplus(args: &[Value], _: Option<DType>) -> Value {
    let [x, beta, threshold] = [0, 1, 2].map(|k| args[k].to_f64());
    let product = beta * x;
    if product > threshold {
        return args[0];
    }
    let lost = if product.is_finite() { beta.fma(x, -product) } else { 0.0 };
    let far = product < -40.0 && product.is_finite();
    let result = if far { far_softplus(product, lost, beta) } else { near_softplus(product, lost, beta) };
    Value::from_f64(args[0].dtype, result)
}

fn near_softplus(product: f64, lost: f64, beta: f64) -> f64 {
    let (high, low) = evaluate_double_double(Function::Softplus, product, 0.0);
    let quotient = high / beta;
    if !product.is_finite() || !quotient.is_finite() {
        return quotient;
    }
    // The rounding error of the product times the derivative of softplus.
    let (slope, _) = evaluate_double_double(Function::Sigmoid, product, 0.0);
    let rest = (-quotient).fma(beta, high) + (low + lost * slope);
    quotient + rest / beta
}

/// e^product / beta, as the quotient of a square root by beta, times the root.
fn far_softplus(product: f64, lost: f64, beta: f64) -> f64 {
    let (root, low) = evaluate_double_double(Function::Exp, product * 0.5, 0.0);
    let quotient = root / beta;
    let square = quotient * root;
    if square == 0.0 || !square.is_finite() {
        return square;
    }
    let rest = (-quotient).fma(beta, root) / beta / quotient + 2.0 * low / root + lost;
    square + (quotient.fma(root, -square) + square * rest)
}

/// gamma x, or elu(x, gamma alpha), with the products rounded to `f64`.
pub(super) fn ParametricSelu(args: &[Value], _: Option<DType>) -> Value {
    let [x, alpha, gamma] = [0, 1, 2].map(|k| args[k].to_f64());
    let (selu, _) = if x > 0.0 { (gamma * x, 0.0) } else { evaluate_double_double(Function::Elu, x, gamma * alpha) };
    Value::from_f64(args[0].dtype, selu)
}

/// The correctly rounded result of a function.
fn rounded(function: Function, args: &[Value]) -> Value {
    let dtype = args[0].dtype;
    let format = match dtype {
        DType::F16 => Format::F16,
        DType::BF16 => Format::BF16,
        DType::F32 => Format::F32,
        _ => Format::F64,
    };
    let bits = |k: usize| args.get(k).map_or(0, |x| x.bits as u64);
    Value::new(dtype, correctly_rounded(format, function, bits(0), bits(1)).into())
}
