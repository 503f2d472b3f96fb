//! Bundles of lane traits, so that generic code has one bound: [`SimdToken`] for arithmetic kernels, [`PermuteToken`]
//! for kernels that also permute an operand.

use half::{bf16, f16};

use crate::float_to_int::FloatToIntLanes;
use crate::int_div::IntDivLanes;
use crate::int8_to_float::Int8ToFloatLanes;
use crate::int64_to_float::Int64ToFloatLanes;
use crate::lanes::FloatLanes;
use crate::math::HasMathToken;
use crate::storage::HalfLanes;
use crate::widen_narrow::WidenNarrow;

/// A token with the lanes and conversions of every element type. The kernel tables are generic over it.
pub trait SimdToken:
    IntDivLanes<i8>
    + IntDivLanes<i16>
    + IntDivLanes<i32>
    + IntDivLanes<i64>
    + IntDivLanes<u8>
    + IntDivLanes<u16>
    + IntDivLanes<u32>
    + IntDivLanes<u64>
    + FloatLanes<f32>
    + FloatLanes<f64>
    + HalfLanes
    + FloatToIntLanes<i8>
    + FloatToIntLanes<i16>
    + FloatToIntLanes<i32>
    + FloatToIntLanes<i64>
    + FloatToIntLanes<u8>
    + FloatToIntLanes<u16>
    + FloatToIntLanes<u64>
    + Int64ToFloatLanes<i64>
    + Int64ToFloatLanes<u64>
    + Int8ToFloatLanes<i8>
    + Int8ToFloatLanes<u8>
    + HasMathToken
{
}

impl<T> SimdToken for T where
    T: IntDivLanes<i8>
        + IntDivLanes<i16>
        + IntDivLanes<i32>
        + IntDivLanes<i64>
        + IntDivLanes<u8>
        + IntDivLanes<u16>
        + IntDivLanes<u32>
        + IntDivLanes<u64>
        + FloatLanes<f32>
        + FloatLanes<f64>
        + HalfLanes
        + FloatToIntLanes<i8>
        + FloatToIntLanes<i16>
        + FloatToIntLanes<i32>
        + FloatToIntLanes<i64>
        + FloatToIntLanes<u8>
        + FloatToIntLanes<u16>
        + FloatToIntLanes<u64>
        + Int64ToFloatLanes<i64>
        + Int64ToFloatLanes<u64>
        + Int8ToFloatLanes<i8>
        + Int8ToFloatLanes<u8>
        + HasMathToken
{
}

/// A [`SimdToken`] that can permute elements of 2, 4 and 8 bytes.
pub trait PermuteToken:
    SimdToken
    + WidenNarrow<f16, 2>
    + WidenNarrow<bf16, 2>
    + WidenNarrow<i16, 2>
    + WidenNarrow<u16, 2>
    + WidenNarrow<f32, 4>
    + WidenNarrow<i32, 4>
    + WidenNarrow<u32, 4>
    + WidenNarrow<f64, 4>
    + WidenNarrow<i64, 4>
    + WidenNarrow<u64, 4>
{
}

impl<T> PermuteToken for T where
    T: SimdToken
        + WidenNarrow<f16, 2>
        + WidenNarrow<bf16, 2>
        + WidenNarrow<i16, 2>
        + WidenNarrow<u16, 2>
        + WidenNarrow<f32, 4>
        + WidenNarrow<i32, 4>
        + WidenNarrow<u32, 4>
        + WidenNarrow<f64, 4>
        + WidenNarrow<i64, 4>
        + WidenNarrow<u64, 4>
{
}
