//! From formulas to definitions: [`unary`], [`binary`], [`ternary`] and [`quaternary`] pick the formula of the dtype's compute type.
//!
//! | dtype | compute type |
//! |---|---|
//! | integers, `bool` (0 or 1) | `i128`; the low bits of the result are kept (wrapping) |
//! | `f16`, `bf16`, `f32` | `f32`; the result is rounded once more to the dtype |
//! | `f64` | `f64` |

use eltwise_core::DType;

use crate::value::Value;

/// `(T) -> T`
pub(super) fn unary(args: &[Value], int: fn(i128) -> i128, f32: fn(f32) -> f32, f64: fn(f64) -> f64) -> Value {
    let x = args[0];
    match x.dtype.compute() {
        DType::F32 => Value::from_f32(x.dtype, f32(x.to_f32())),
        DType::F64 => Value::from_f64(x.dtype, f64(x.to_f64())),
        _ => Value::from_i128(x.dtype, int(x.to_i128())),
    }
}

/// `(T, T) -> T`
pub(super) fn binary(
    args: &[Value],
    int: fn(i128, i128) -> i128,
    f32: fn(f32, f32) -> f32,
    f64: fn(f64, f64) -> f64,
) -> Value {
    let (x, y) = (args[0], args[1]);
    match x.dtype.compute() {
        DType::F32 => Value::from_f32(x.dtype, f32(x.to_f32(), y.to_f32())),
        DType::F64 => Value::from_f64(x.dtype, f64(x.to_f64(), y.to_f64())),
        _ => Value::from_i128(x.dtype, int(x.to_i128(), y.to_i128())),
    }
}

/// `(T, T, T) -> T`
pub(super) fn ternary(
    args: &[Value],
    int: fn(i128, i128, i128) -> i128,
    f32: fn(f32, f32, f32) -> f32,
    f64: fn(f64, f64, f64) -> f64,
) -> Value {
    let (x, y, z) = (args[0], args[1], args[2]);
    match x.dtype.compute() {
        DType::F32 => Value::from_f32(x.dtype, f32(x.to_f32(), y.to_f32(), z.to_f32())),
        DType::F64 => Value::from_f64(x.dtype, f64(x.to_f64(), y.to_f64(), z.to_f64())),
        _ => Value::from_i128(x.dtype, int(x.to_i128(), y.to_i128(), z.to_i128())),
    }
}

/// `(T, T, T, T) -> T`
pub(super) fn quaternary(
    args: &[Value],
    int: fn([i128; 4]) -> i128,
    f32: fn([f32; 4]) -> f32,
    f64: fn([f64; 4]) -> f64,
) -> Value {
    let dtype = args[0].dtype;
    match dtype.compute() {
        DType::F32 => Value::from_f32(dtype, f32([0, 1, 2, 3].map(|k| args[k].to_f32()))),
        DType::F64 => Value::from_f64(dtype, f64([0, 1, 2, 3].map(|k| args[k].to_f64()))),
        _ => Value::from_i128(dtype, int([0, 1, 2, 3].map(|k| args[k].to_i128()))),
    }
}
