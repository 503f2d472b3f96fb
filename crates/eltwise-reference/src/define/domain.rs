//! From a formula to a definition: a formula is written once for each domain an operator computes in.
//!
//! | dtype | domain |
//! |---|---|
//! | integers, `bool` (0, 1) | `i128`, then the low bits of the result (wrapping) |
//! | `f16`, `bf16`, `f32` | `f32`, then one rounding to the dtype |
//! | `f64` | `f64` |

use eltwise_plan::DType;

use crate::value::Value;

/// `(T) -> T`
pub(super) fn same1(args: &[Value], int: fn(i128) -> i128, single: fn(f32) -> f32, double: fn(f64) -> f64) -> Value {
    let x = args[0];
    match x.dtype.compute() {
        DType::F32 => Value::from_f32(x.dtype, single(x.to_f32())),
        DType::F64 => Value::from_f64(x.dtype, double(x.to_f64())),
        _ => Value::from_i128(x.dtype, int(x.to_i128())),
    }
}

/// `(T, T) -> T`
pub(super) fn same2(
    args: &[Value],
    int: fn(i128, i128) -> i128,
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
) -> Value {
    let (x, y) = (args[0], args[1]);
    match x.dtype.compute() {
        DType::F32 => Value::from_f32(x.dtype, single(x.to_f32(), y.to_f32())),
        DType::F64 => Value::from_f64(x.dtype, double(x.to_f64(), y.to_f64())),
        _ => Value::from_i128(x.dtype, int(x.to_i128(), y.to_i128())),
    }
}

/// `(T, T, T) -> T`
pub(super) fn same3(
    args: &[Value],
    int: fn(i128, i128, i128) -> i128,
    single: fn(f32, f32, f32) -> f32,
    double: fn(f64, f64, f64) -> f64,
) -> Value {
    let (x, y, z) = (args[0], args[1], args[2]);
    match x.dtype.compute() {
        DType::F32 => Value::from_f32(x.dtype, single(x.to_f32(), y.to_f32(), z.to_f32())),
        DType::F64 => Value::from_f64(x.dtype, double(x.to_f64(), y.to_f64(), z.to_f64())),
        _ => Value::from_i128(x.dtype, int(x.to_i128(), y.to_i128(), z.to_i128())),
    }
}
