//! Rust types as elements.

use eltwise_plan::DType;
use half::{bf16, f16};

/// A Rust type that is an element of some [`DType`].
///
/// Sealed: the engine knows the layouts of these types.
pub trait Element: bytemuck::NoUninit + sealed::Sealed + Send + Sync {
    /// Its dtype.
    const DTYPE: DType;
}

/// An [`Element`] of which every bit pattern is a value: all but `bool`. Only these can be written to as slices.
pub trait PlainElement: Element + bytemuck::AnyBitPattern {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($t:ty => $d:ident;)*) => {$(
        impl sealed::Sealed for $t {}
        impl Element for $t {
            const DTYPE: DType = DType::$d;
        }
        impl PlainElement for $t {}
    )*};
}

elements! {
    i8 => I8; i16 => I16; i32 => I32; i64 => I64;
    u8 => U8; u16 => U16; u32 => U32; u64 => U64;
    f16 => F16; bf16 => BF16; f32 => F32; f64 => F64;
    [u8; 1] => Opaque1; [u8; 2] => Opaque2; [u8; 4] => Opaque4; [u8; 8] => Opaque8; [u8; 16] => Opaque16;
}

impl sealed::Sealed for bool {}
impl Element for bool {
    const DTYPE: DType = DType::Bool;
}
