//! The kernels of `cast`, for each pair of dtypes.

use eltwise_plan::DType;
use eltwise_simd::lanes::Level;
#[cfg(feature = "wide-int")]
use eltwise_simd::wide::{IntegerSource, Wide};
use eltwise_simd::{Bool, Load, Stored, Truncated};
#[cfg(feature = "half")]
use half::{bf16, f16};

use crate::abi::Kernel;
#[cfg(all(feature = "small-int", feature = "wide-int"))]
use crate::body::convert::LowByte;
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
        #[cfg(any(feature = "small-int", feature = "wide-int"))]
        _ if from.is_integer() && to.is_integer() => between_integers::<L>(from, to),
        DType::Bool => from_bool::<L>(to),
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
        DType::F64 => from_f64::<L>(to),
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

/// The integer dtype of the same size without a sign; others as they are.
fn without_sign(dtype: DType) -> DType {
    match dtype {
        DType::I8 => DType::U8,
        DType::I16 => DType::U16,
        DType::I32 => DType::U32,
        DType::I64 => DType::U64,
        _ => dtype,
    }
}

/// Between integers of different sizes: the lower bits, or the bits with the sign of what they came from above them.
#[cfg(any(feature = "small-int", feature = "wide-int"))]
fn between_integers<L: Level>(from: DType, to: DType) -> Option<Kernel> {
    let narrower = to.size() < from.size();
    match (if narrower { without_sign(from) } else { from }, without_sign(to)) {
        #[cfg(feature = "small-int")]
        (DType::U16, DType::U8) => rows::<L, Convert<u16, u8>>(),
        #[cfg(feature = "small-int")]
        (DType::U32, DType::U8) => rows::<L, Convert<u32, u8>>(),
        #[cfg(feature = "small-int")]
        (DType::U32, DType::U16) => rows::<L, Convert<u32, u16>>(),
        #[cfg(all(feature = "small-int", feature = "wide-int"))]
        (DType::U64, DType::U8) => rows::<L, Convert<u64, LowByte>>(),
        #[cfg(all(feature = "small-int", feature = "wide-int"))]
        (DType::U64, DType::U16) => rows::<L, Convert<u64, u16>>(),
        #[cfg(feature = "wide-int")]
        (DType::U64, DType::U32) => rows::<L, Convert<u64, u32>>(),
        #[cfg(feature = "small-int")]
        (DType::I8, DType::U16) => rows::<L, Convert<i8, u16>>(),
        #[cfg(feature = "small-int")]
        (DType::U8, DType::U16) => rows::<L, Convert<u8, u16>>(),
        #[cfg(feature = "small-int")]
        (DType::I8, DType::U32) => rows::<L, Convert<i8, u32>>(),
        #[cfg(feature = "small-int")]
        (DType::U8, DType::U32) => rows::<L, Convert<u8, u32>>(),
        #[cfg(feature = "small-int")]
        (DType::I16, DType::U32) => rows::<L, Convert<i16, u32>>(),
        #[cfg(feature = "small-int")]
        (DType::U16, DType::U32) => rows::<L, Convert<u16, u32>>(),
        #[cfg(all(feature = "small-int", feature = "wide-int"))]
        (DType::I8, DType::U64) => rows::<L, Convert<i8, u64>>(),
        #[cfg(all(feature = "small-int", feature = "wide-int"))]
        (DType::U8, DType::U64) => rows::<L, Convert<u8, u64>>(),
        #[cfg(all(feature = "small-int", feature = "wide-int"))]
        (DType::I16, DType::U64) => rows::<L, Convert<i16, u64>>(),
        #[cfg(all(feature = "small-int", feature = "wide-int"))]
        (DType::U16, DType::U64) => rows::<L, Convert<u16, u64>>(),
        #[cfg(feature = "wide-int")]
        (DType::I32, DType::U64) => rows::<L, Convert<i32, u64>>(),
        #[cfg(feature = "wide-int")]
        (DType::U32, DType::U64) => rows::<L, Convert<u32, u64>>(),
        _ => None,
    }
}

/// From integers of 64 bits to what is none.
#[cfg(feature = "wide-int")]
fn from_wide<L: Level + IntegerSource<I>, I>(to: DType) -> Option<Kernel>
where
    I: Wide + Source<L>,
    I::Wide: To<f32>,
{
    match to {
        DType::Bool => rows::<L, Convert<u64, Bool>>(),
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

/// From integers of up to 32 bits to what is none; `U` has the size of `I` and no sign.
fn from_integer<L: Level, I: Source<L>, U: Source<L>>(to: DType) -> Option<Kernel>
where
    I::Wide: To<Odd> + To<f32> + To<f64>,
    U::Wide: To<Truth>,
{
    match to {
        DType::Bool => rows::<L, Convert<U, Bool>>(),
        #[cfg(feature = "half")]
        DType::F16 => rows::<L, Convert<I, f16>>(),
        #[cfg(feature = "half")]
        DType::BF16 => rows::<L, Convert<I, bf16>>(),
        DType::F32 => rows::<L, Convert<I, f32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L, Convert<I, f64>>(),
        _ => None,
    }
}

/// From truth values: 0 or 1, which has no sign.
fn from_bool<L: Level>(to: DType) -> Option<Kernel> {
    match without_sign(to) {
        DType::Bool => rows::<L, Convert<Bool, Bool>>(),
        #[cfg(feature = "small-int")]
        DType::U8 => rows::<L, Convert<Bool, u8>>(),
        #[cfg(feature = "small-int")]
        DType::U16 => rows::<L, Convert<Bool, u16>>(),
        DType::U32 => rows::<L, Convert<Bool, u32>>(),
        #[cfg(feature = "wide-int")]
        DType::U64 => rows::<L, Convert<Bool, u64>>(),
        #[cfg(feature = "half")]
        DType::F16 => rows::<L, Convert<Bool, f16>>(),
        #[cfg(feature = "half")]
        DType::BF16 => rows::<L, Convert<Bool, bf16>>(),
        DType::F32 => rows::<L, Convert<Bool, f32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L, Convert<Bool, f64>>(),
        _ => None,
    }
}

/// From `f64`, element by element.
#[cfg(feature = "f64")]
fn from_f64<L: Level>(to: DType) -> Option<Kernel> {
    match to {
        DType::Bool => rows::<L, Convert<f64, Bool>>(),
        #[cfg(feature = "small-int")]
        DType::I8 => rows::<L, Convert<f64, i8>>(),
        #[cfg(feature = "small-int")]
        DType::I16 => rows::<L, Convert<f64, i16>>(),
        DType::I32 => rows::<L, Convert<f64, i32>>(),
        #[cfg(feature = "wide-int")]
        DType::I64 => rows::<L, Convert<f64, i64>>(),
        #[cfg(feature = "small-int")]
        DType::U8 => rows::<L, Convert<f64, u8>>(),
        #[cfg(feature = "small-int")]
        DType::U16 => rows::<L, Convert<f64, u16>>(),
        DType::U32 => rows::<L, Convert<f64, u32>>(),
        #[cfg(feature = "wide-int")]
        DType::U64 => rows::<L, Convert<f64, u64>>(),
        #[cfg(feature = "half")]
        DType::F16 => rows::<L, Convert<f64, f16>>(),
        #[cfg(feature = "half")]
        DType::BF16 => rows::<L, Convert<f64, bf16>>(),
        DType::F32 => rows::<L, Convert<f64, f32>>(),
        DType::F64 => rows::<L, Convert<f64, f64>>(),
        _ => None,
    }
}
