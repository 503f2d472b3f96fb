//! The dtypes for which this build has kernels, and the macros that list them.

use eltwise_core::DType;

/// The cargo feature that enables the kernels of a dtype, and whether this build has it; `None` if no feature does.
fn feature(dtype: DType) -> Option<(&'static str, bool)> {
    match dtype {
        DType::F64 => Some(("f64", cfg!(feature = "f64"))),
        DType::F16 | DType::BF16 => Some(("half", cfg!(feature = "half"))),
        DType::I8 | DType::I16 | DType::U8 | DType::U16 => Some(("small-int", cfg!(feature = "small-int"))),
        DType::I64 | DType::U64 => Some(("wide-int", cfg!(feature = "wide-int"))),
        _ => None,
    }
}

/// The cargo feature that enables the kernels of a dtype, if it needs one.
pub fn feature_of(dtype: DType) -> Option<&'static str> {
    feature(dtype).map(|(name, _)| name)
}

/// Whether this build has the kernels of a dtype.
pub fn is_built(dtype: DType) -> bool {
    feature(dtype).is_none_or(|(_, is_enabled)| is_enabled)
}

/// A kernel for each integer dtype of this build. `int_kernel!(dtype, signed, C => rows::<L, Map<F, C>>())` expands to
///
/// ```ignore
/// match dtype {
///     DType::I32 if signed => { type C = i32; rows::<L, Map<F, C>>() }
///     DType::U32 | DType::I32 => { type C = u32; rows::<L, Map<F, C>>() }
///     // ... and the same for the other sizes, each with its feature ...
///     _ => None,
/// }
/// ```
///
/// If `signed` is the constant `false`, signed dtypes use the kernels of unsigned ones.
macro_rules! int_kernel {
    ($dtype:expr, $signed:expr, $c:ident => $kernel:expr) => {
        match $dtype {
            #[cfg(feature = "small-int")]
            DType::I8 if $signed => {
                type $c = i8;
                $kernel
            }
            #[cfg(feature = "small-int")]
            DType::I16 if $signed => {
                type $c = i16;
                $kernel
            }
            DType::I32 if $signed => {
                type $c = i32;
                $kernel
            }
            #[cfg(feature = "wide-int")]
            DType::I64 if $signed => {
                type $c = i64;
                $kernel
            }
            #[cfg(feature = "small-int")]
            DType::U8 | DType::I8 => {
                type $c = u8;
                $kernel
            }
            #[cfg(feature = "small-int")]
            DType::U16 | DType::I16 => {
                type $c = u16;
                $kernel
            }
            DType::U32 | DType::I32 => {
                type $c = u32;
                $kernel
            }
            #[cfg(feature = "wide-int")]
            DType::U64 | DType::I64 => {
                type $c = u64;
                $kernel
            }
            _ => None,
        }
    };
}
pub(crate) use int_kernel;

/// A kernel for each float dtype of this build, like [`int_kernel!`]: `f16`, `bf16`, `f32` and `f64`.
macro_rules! float_kernel {
    ($dtype:expr, $c:ident => $kernel:expr) => {
        match $dtype {
            #[cfg(feature = "half")]
            DType::F16 => {
                type $c = ::half::f16;
                $kernel
            }
            #[cfg(feature = "half")]
            DType::BF16 => {
                type $c = ::half::bf16;
                $kernel
            }
            DType::F32 => {
                type $c = f32;
                $kernel
            }
            #[cfg(feature = "f64")]
            DType::F64 => {
                type $c = f64;
                $kernel
            }
            _ => None,
        }
    };
}
pub(crate) use float_kernel;
