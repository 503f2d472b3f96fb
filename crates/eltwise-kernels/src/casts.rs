//! The kernels of `cast`, for each pair of dtypes.

use eltwise_plan::DType;
use eltwise_simd::lanes::Level;
#[cfg(feature = "wide-int")]
use eltwise_simd::wide::{IntegerSource, Wide};
use eltwise_simd::{Bool, Load, Stored, Truncated};
#[cfg(feature = "half")]
use half::{bf16, f16};

use crate::abi::Kernel;
use crate::body::convert::{Convert, Odd, Source, To, Truth};
use crate::body::map::Map;
use crate::functions::{Identity, Unary};
use crate::table::{copy, is_built, rows};

/// A cast in registers: from how `S` is loaded to how `D` is stored.
type Cast<S, D> = Map<Unary<Identity>, S, D>;

pub(crate) fn cast<L: Level>(from: DType, to: DType) -> Option<Kernel> {
    match from {
        // Integers of one size have the same bits.
        _ if from.is_integer() && to.is_integer() && from.size() == to.size() => {
            if is_built(from) {
                copy::<L>(from.size())
            } else {
                None
            }
        }
        DType::Bool => from_any::<L, Bool>(to),
        #[cfg(feature = "small-int")]
        DType::I8 => from_any::<L, i8>(to),
        #[cfg(feature = "small-int")]
        DType::I16 => from_any::<L, i16>(to),
        DType::I32 => from_any::<L, i32>(to),
        #[cfg(feature = "wide-int")]
        DType::I64 => from_wide::<L, i64>(to),
        #[cfg(feature = "small-int")]
        DType::U8 => from_any::<L, u8>(to),
        #[cfg(feature = "small-int")]
        DType::U16 => from_any::<L, u16>(to),
        DType::U32 => from_any::<L, u32>(to),
        #[cfg(feature = "wide-int")]
        DType::U64 => from_wide::<L, u64>(to),
        #[cfg(feature = "half")]
        DType::F16 => from_f32::<L, f16>(to),
        #[cfg(feature = "half")]
        DType::BF16 => from_f32::<L, bf16>(to),
        DType::F32 => from_f32::<L, f32>(to),
        #[cfg(feature = "f64")]
        DType::F64 => from_any::<L, f64>(to),
        _ => None,
    }
}

/// From a type that is loaded as `f32`.
fn from_f32<L: Level + Load<S>, S>(to: DType) -> Option<Kernel>
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
        DType::I64 => rows::<L, Convert<S, i64>>(),
        #[cfg(feature = "small-int")]
        DType::U8 => rows::<L, Cast<S, Truncated<u8>>>(),
        #[cfg(feature = "small-int")]
        DType::U16 => rows::<L, Cast<S, Truncated<u16>>>(),
        DType::U32 => rows::<L, Convert<S, u32>>(),
        #[cfg(feature = "wide-int")]
        DType::U64 => rows::<L, Convert<S, u64>>(),
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

/// From integers of 64 bits; those to others of 64 bits are copies.
#[cfg(feature = "wide-int")]
fn from_wide<L: Level + IntegerSource<I>, I>(to: DType) -> Option<Kernel>
where
    I: Wide + Source<L>,
    I::Wide: To<Truth> + To<i8> + To<i16> + To<i32> + To<u8> + To<u16> + To<u32> + To<f32>,
{
    match to {
        DType::Bool => rows::<L, Convert<I, Bool>>(),
        #[cfg(feature = "small-int")]
        DType::I8 => rows::<L, Convert<I, i8>>(),
        #[cfg(feature = "small-int")]
        DType::I16 => rows::<L, Convert<I, i16>>(),
        DType::I32 => rows::<L, Convert<I, i32>>(),
        #[cfg(feature = "small-int")]
        DType::U8 => rows::<L, Convert<I, u8>>(),
        #[cfg(feature = "small-int")]
        DType::U16 => rows::<L, Convert<I, u16>>(),
        DType::U32 => rows::<L, Convert<I, u32>>(),
        #[cfg(feature = "half")]
        DType::F16 => rows::<L, Cast<eltwise_simd::ToOdd<I>, f16>>(),
        #[cfg(feature = "half")]
        DType::BF16 => rows::<L, Cast<eltwise_simd::ToOdd<I>, bf16>>(),
        DType::F32 => rows::<L, Convert<I, f32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L, Cast<eltwise_simd::Nearest<I>, f64>>(),
        _ => None,
    }
}

/// Element by element.
fn from_any<L: Level, S: Source<L>>(to: DType) -> Option<Kernel>
where
    S::Wide: AnyTarget,
{
    match to {
        DType::Bool => rows::<L, Convert<S, Bool>>(),
        #[cfg(feature = "small-int")]
        DType::I8 => rows::<L, Convert<S, i8>>(),
        #[cfg(feature = "small-int")]
        DType::I16 => rows::<L, Convert<S, i16>>(),
        DType::I32 => rows::<L, Convert<S, i32>>(),
        #[cfg(feature = "wide-int")]
        DType::I64 => rows::<L, Convert<S, i64>>(),
        #[cfg(feature = "small-int")]
        DType::U8 => rows::<L, Convert<S, u8>>(),
        #[cfg(feature = "small-int")]
        DType::U16 => rows::<L, Convert<S, u16>>(),
        DType::U32 => rows::<L, Convert<S, u32>>(),
        #[cfg(feature = "wide-int")]
        DType::U64 => rows::<L, Convert<S, u64>>(),
        #[cfg(feature = "half")]
        DType::F16 => rows::<L, Convert<S, f16>>(),
        #[cfg(feature = "half")]
        DType::BF16 => rows::<L, Convert<S, bf16>>(),
        DType::F32 => rows::<L, Convert<S, f32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L, Convert<S, f64>>(),
        _ => None,
    }
}

/// Converts to every dtype.
trait AnyTarget:
    To<Truth>
    + To<i8>
    + To<i16>
    + To<i32>
    + To<i64>
    + To<u8>
    + To<u16>
    + To<u32>
    + To<u64>
    + To<Odd>
    + To<f32>
    + To<f64>
    + Copy
{
}

impl<T> AnyTarget for T where
    T: To<Truth>
        + To<i8>
        + To<i16>
        + To<i32>
        + To<i64>
        + To<u8>
        + To<u16>
        + To<u32>
        + To<u64>
        + To<Odd>
        + To<f32>
        + To<f64>
        + Copy
{
}
