//! Operators of integers: powers, saturating arithmetic, shifts, bit counts, common divisors. Powers of floats are in
//! `math`.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;

use crate::value::Value;

pub(super) fn Pow(args: &[Value], _: Option<DType>) -> Value {
    if args[0].dtype.is_float() {
        return super::math::float_power(args);
    }
    let (x, y) = (args[0].to_i128(), args[1].to_i128());
    let power = if y >= 0 {
        power(x, y)
    } else {
        // 1 / x^-y rounded toward zero; 0 for x = 0.
        match x {
            1 => 1,
            -1 => power(x, -y),
            _ => 0,
        }
    };
    Value::from_i128(args[0].dtype, power)
}

/// The low 128 bits of `x^y`. Wrapping products suffice: the low bits of a product depend on the low bits of its
/// factors only.
fn power(x: i128, y: i128) -> i128 {
    if y == 0 {
        return 1;
    }
    let root = power(x, y / 2);
    let even = root.wrapping_mul(root);
    if y % 2 == 0 { even } else { even.wrapping_mul(x) }
}

pub(super) fn SaturatingAdd(args: &[Value], _: Option<DType>) -> Value {
    saturated(args[0].dtype, args[0].to_i128() + args[1].to_i128())
}

pub(super) fn SaturatingSubtract(args: &[Value], _: Option<DType>) -> Value {
    saturated(args[0].dtype, args[0].to_i128() - args[1].to_i128())
}

pub(super) fn SaturatingMultiply(args: &[Value], _: Option<DType>) -> Value {
    // Only a product of two u64 can overflow i128, and then it is too large for u64 as well.
    saturated(args[0].dtype, args[0].to_i128().saturating_mul(args[1].to_i128()))
}

pub(super) fn ShiftLeft(args: &[Value], _: Option<DType>) -> Value {
    let (dtype, bits) = (args[0].dtype, args[0].bits);
    Value::new(dtype, shift_amount(args[1]).map_or(0, |places| bits << places))
}

pub(super) fn ShiftRight(args: &[Value], _: Option<DType>) -> Value {
    let x = args[0].to_i128();
    Value::from_i128(args[0].dtype, x >> shift_amount(args[1]).unwrap_or(127))
}

pub(super) fn Popcount(args: &[Value], _: Option<DType>) -> Value {
    count(args[0].dtype, args[0].bits.count_ones())
}

pub(super) fn BitwiseCount(args: &[Value], _: Option<DType>) -> Value {
    Value::from_i128(DType::U8, args[0].to_i128().unsigned_abs().count_ones().into())
}

pub(super) fn LeadingZeros(args: &[Value], _: Option<DType>) -> Value {
    count(args[0].dtype, args[0].bits.leading_zeros() - (128 - width(args[0].dtype)))
}

pub(super) fn TrailingZeros(args: &[Value], _: Option<DType>) -> Value {
    count(args[0].dtype, args[0].bits.trailing_zeros().min(width(args[0].dtype)))
}

pub(super) fn Gcd(args: &[Value], _: Option<DType>) -> Value {
    Value::new(args[0].dtype, gcd(args))
}

pub(super) fn Lcm(args: &[Value], _: Option<DType>) -> Value {
    let (x, y) = (args[0].to_i128().unsigned_abs(), args[1].to_i128().unsigned_abs());
    Value::new(args[0].dtype, if x == 0 || y == 0 { 0 } else { x / gcd(args) * y })
}

/// Euclid's algorithm.
fn gcd(args: &[Value]) -> u128 {
    let (mut x, mut y) = (args[0].to_i128().unsigned_abs(), args[1].to_i128().unsigned_abs());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    x
}

/// The integer of the dtype that is nearest to `x`.
fn saturated(dtype: DType, x: i128) -> Value {
    let (low, high) = match dtype.is_signed_integer() {
        true => (-1 << (width(dtype) - 1), (1 << (width(dtype) - 1)) - 1),
        false => (0, (1 << width(dtype)) - 1),
    };
    Value::from_i128(dtype, x.clamp(low, high))
}

/// The number of places to shift; `None` if it is negative or shifts out every bit.
fn shift_amount(places: Value) -> Option<u32> {
    u32::try_from(places.to_i128()).ok().filter(|&n| n < width(places.dtype))
}

fn count(dtype: DType, n: u32) -> Value {
    Value::from_i128(dtype, n.into())
}

fn width(dtype: DType) -> u32 {
    8 * dtype.size() as u32
}
