//! Trait aliases for sets of lane traits, so that generic code has one bound: [`SimdToken`] for arithmetic kernels,
//! [`PermuteToken`] for kernels that also permute an operand.

use half::{bf16, f16};

use crate::float_to_int::FloatToIntLanes;
use crate::int_div::IntDivLanes;
use crate::int8_to_float::Int8ToFloatLanes;
use crate::int64_to_float::Int64ToFloatLanes;
use crate::lanes::FloatLanes;
use crate::math::HasMathToken;
use crate::storage::HalfLanes;
use crate::widen_narrow::WidenNarrow;

/// A trait that every type with these bounds implements, until Rust has trait aliases. `trait_alias!(A = B + C)` is
/// `pub trait A: B + C {}` and `impl<T: B + C> A for T {}`.
macro_rules! trait_alias {
    ($(#[$attribute:meta])* $name:ident = $($bounds:tt)+) => {
        $(#[$attribute])*
        pub trait $name: $($bounds)+ {}
        impl<T: $($bounds)+> $name for T {}
    };
}

trait_alias! {
    // No `FloatToIntLanes<u32>`: the kernels cast to `u32` with a scalar expression that LLVM vectorizes.
    /// A token with the lanes and conversions of every element type. The kernel tables are generic over it.
    SimdToken = IntDivLanes<i8>
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
}

trait_alias! {
    /// A [`SimdToken`] that can permute elements of 2, 4 and 8 bytes (8 bytes as pairs of 4).
    PermuteToken = SimdToken
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
}
