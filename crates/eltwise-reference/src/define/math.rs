//! The math operators: the correctly rounded results of `eltwise-oracle`.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_oracle::{Format, Function, correct};
use eltwise_plan::DType;

use crate::value::Value;

/// One row an operator: its function.
macro_rules! functions {
    ($($name:ident $function:ident;)*) => {$(
        pub(super) fn $name(args: &[Value], _: Option<DType>) -> Value {
            rounded(Function::$function, args)
        }
    )*};
}

functions! {
    Rsqrt Rsqrt;
    Cbrt Cbrt;
    Hypot Hypot;
    Exp Exp;
    Exp2 Exp2;
    Exp10 Exp10;
    Expm1 Expm1;
    Log Log;
    Log2 Log2;
    Log10 Log10;
    Log1p Log1p;
    LogAddExp Logaddexp;
    LogAddExp2 Logaddexp2;
    Sin Sin;
    Cos Cos;
    Tan Tan;
    Asin Asin;
    Acos Acos;
    Atan Atan;
    Atan2 Atan2;
    Sinh Sinh;
    Cosh Cosh;
    Tanh Tanh;
    Asinh Asinh;
    Acosh Acosh;
    Atanh Atanh;
    Erf Erf;
    Erfc Erfc;
    Sigmoid Sigmoid;
    Logit Logit;
    Softplus Softplus;
    Silu Silu;
    Gelu Gelu;
    GeluTanh GeluTanh;
    Mish Mish;
    Elu Elu;
    Celu Celu;
    Selu Selu;
    Softcap Softcap;
}

/// Of floats; that of integers is in `integers`.
pub(super) fn power(args: &[Value]) -> Value {
    rounded(Function::Pow, args)
}

fn rounded(function: Function, args: &[Value]) -> Value {
    let dtype = args[0].dtype;
    let format = match dtype {
        DType::F16 => Format::F16,
        DType::BF16 => Format::BF16,
        DType::F32 => Format::F32,
        _ => Format::F64,
    };
    let bits = |k: usize| args.get(k).map_or(0, |x| x.bits as u64);
    Value::new(dtype, correct(format, function, bits(0), bits(1)).into())
}
