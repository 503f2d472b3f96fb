//! The kernels of `cast`, by source dtype, for each pair of dtypes.

use eltwise_core::DType;
use eltwise_simd::SimdToken;

#[cfg(feature = "half")]
use ::half::{bf16, f16};
#[cfg(feature = "wide-int")]
use eltwise_simd::int64_to_float::{Int64, Int64ToFloatLanes};
use eltwise_simd::{Bool, Load, Stored, Truncated};

use super::build::{float_kernel, int_kernel, is_built};
use super::copy;
use super::entry::rows;
use crate::abi::Kernel;
use crate::body::convert::{Convert, LowByte, Odd, Source, Target, To, Truth};
use crate::body::map::Map;
use crate::functions::{Identity, Unary};

/// A cast in registers: elements are loaded as `S` and stored as `D`.
type Cast<S, D> = Map<Unary<Identity>, S, D>;

pub(super) fn cast<L: SimdToken>(from: DType, to: DType) -> Option<Kernel> {
    match from {
        // Integers of one size have the same bits.
        _ if from.is_integer() && to.is_integer() && from.size() == to.size() => {
            if is_built(from) {
                copy::<L>(from.size())
            } else {
                None
            }
        }
        DType::Bool => by_conversion::<L, Bool, false>(to),
        #[cfg(feature = "small-int")]
        DType::I8 => from_integer::<L, i8, u8>(to),
        #[cfg(feature = "small-int")]
        DType::I16 => from_integer::<L, i16, u16>(to),
        DType::I32 => from_integer::<L, i32, u32>(to),
        #[cfg(feature = "wide-int")]
        DType::I64 => from_wide::<L, i64>(to),
        #[cfg(feature = "small-int")]
        DType::U8 => from_integer::<L, u8, u8>(to),
        #[cfg(feature = "small-int")]
        DType::U16 => from_integer::<L, u16, u16>(to),
        DType::U32 => from_integer::<L, u32, u32>(to),
        #[cfg(feature = "wide-int")]
        DType::U64 => from_wide::<L, u64>(to),
        #[cfg(feature = "half")]
        DType::F16 => from_f32::<L, f16>(to),
        #[cfg(feature = "half")]
        DType::BF16 => from_f32::<L, bf16>(to),
        DType::F32 => from_f32::<L, f32>(to),
        #[cfg(feature = "f64")]
        DType::F64 => by_conversion::<L, f64, true>(to),
        _ => None,
    }
}

/// From a type that is loaded as `f32`.
fn from_f32<L: SimdToken + Load<S>, S>(to: DType) -> Option<Kernel>
where
    S: Stored<Compute = f32> + Source<L, Wide = f32>,
{
    match to {
        DType::Bool => rows::<L, Convert<S, Bool>>(),
        #[cfg(feature = "small-int")]
        DType::I8 => rows::<L, Cast<S, Truncated<i8>>>(),
        #[cfg(feature = "small-int")]
        DType::I16 => rows::<L, Cast<S, Truncated<i16>>>(),
        DType::I32 => rows::<L, Cast<S, Truncated<i32>>>(),
        #[cfg(feature = "wide-int")]
        DType::I64 => rows::<L, Cast<S, Truncated<i64>>>(),
        #[cfg(feature = "small-int")]
        DType::U8 => rows::<L, Cast<S, Truncated<u8>>>(),
        #[cfg(feature = "small-int")]
        DType::U16 => rows::<L, Cast<S, Truncated<u16>>>(),
        DType::U32 => rows::<L, Convert<S, u32>>(),
        #[cfg(feature = "wide-int")]
        DType::U64 => rows::<L, Cast<S, Truncated<u64>>>(),
        #[cfg(feature = "half")]
        DType::F16 => rows::<L, Cast<S, f16>>(),
        #[cfg(feature = "half")]
        DType::BF16 => rows::<L, Cast<S, bf16>>(),
        DType::F32 => rows::<L, Cast<S, f32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L, Convert<S, f64>>(),
        _ => None,
    }
}

/// Conversions to every integer.
trait ToIntegers: To<i8> + To<i16> + To<i32> + To<i64> + To<u8> + To<u16> + To<u32> + To<u64> {}
impl<T: To<i8> + To<i16> + To<i32> + To<i64> + To<u8> + To<u16> + To<u32> + To<u64>> ToIntegers for T {}

/// From `I` to an integer `D` of a different size: the low bits, or the bits with the sign of the source above them. `U` is
/// the unsigned integer of the size of `I`, so that a signed and an unsigned source share the kernels of narrower
/// targets.
fn resized<L: SimdToken, I: Source<L>, U: Source<L>, D: Target<L>>() -> Option<Kernel>
where
    I::Wide: To<D::Narrow>,
    U::Wide: To<D::Narrow>,
{
    if const { size_of::<U>() == 8 && size_of::<D>() == 1 } {
        rows::<L, Convert<u64, LowByte>>()
    } else if const { size_of::<D>() < size_of::<U>() } {
        rows::<L, Convert<U, D>>()
    } else if const { size_of::<D>() > size_of::<U>() } {
        rows::<L, Convert<I, D>>()
    } else {
        None
    }
}

/// From 64-bit integers.
#[cfg(feature = "wide-int")]
fn from_wide<L: SimdToken + Int64ToFloatLanes<I>, I>(to: DType) -> Option<Kernel>
where
    I: Int64 + Source<L>,
    I::Wide: To<f32> + ToIntegers,
{
    match to {
        DType::Bool => rows::<L, Convert<u64, Bool>>(),
        _ if to.is_integer() => int_kernel!(to, const { false }, C => resized::<L, I, u64, C>()),
        #[cfg(feature = "half")]
        DType::F16 => rows::<L, Cast<eltwise_simd::Int64AsF32Odd<I>, f16>>(),
        #[cfg(feature = "half")]
        DType::BF16 => rows::<L, Cast<eltwise_simd::Int64AsF32Odd<I>, bf16>>(),
        DType::F32 => rows::<L, Convert<I, f32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L, Cast<eltwise_simd::Int64AsF64<I>, f64>>(),
        _ => None,
    }
}

/// From integers `I` of up to 32 bits; `U` is the unsigned integer of the same size.
fn from_integer<L: SimdToken, I: Source<L>, U: Source<L>>(to: DType) -> Option<Kernel>
where
    I::Wide: To<Odd> + To<f32> + To<f64> + ToIntegers,
    U::Wide: To<Truth> + ToIntegers,
{
    match to {
        DType::Bool => rows::<L, Convert<U, Bool>>(),
        _ if to.is_integer() => int_kernel!(to, const { false }, C => resized::<L, I, U, C>()),
        _ => float_kernel!(to, C => rows::<L, Convert<I, C>>()),
    }
}

/// From booleans, for which integers need no sign, and from `f64`.
fn by_conversion<L: SimdToken, S: Source<L>, const SIGNED: bool>(to: DType) -> Option<Kernel>
where
    S::Wide: To<Truth> + To<Odd> + To<f32> + To<f64> + ToIntegers,
{
    match to {
        DType::Bool => rows::<L, Convert<S, Bool>>(),
        _ if to.is_integer() => int_kernel!(to, const { SIGNED }, C => rows::<L, Convert<S, C>>()),
        _ => float_kernel!(to, C => rows::<L, Convert<S, C>>()),
    }
}
