//! The math operators: the correctly rounded results of `eltwise-oracle`.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;
use eltwise_oracle::{Format, Function, correctly_rounded};

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
    GeluTanh Mish Elu Celu Selu Softcap
}

/// `pow` of floats; `integers` has that of integers.
pub(super) fn float_power(args: &[Value]) -> Value {
    rounded(Function::Pow, args)
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
