//! [`Element`]: the Rust types that views and arrays hold, each with its [`DType`].

use eltwise_core::DType;
use half::{bf16, f16};

/// A Rust type that is an element of a [`DType`]: the integers of 8 to 64 bits, `f32`, `f64`, `half::f16`,
/// `half::bf16`, `bool`, and byte arrays for the opaque dtypes.
///
/// Sealed: the engine relies on the memory layout of these types.
pub trait Element: bytemuck::NoUninit + sealed::Sealed + Send + Sync {
    /// The dtype of this type.
    const DTYPE: DType;
}

/// An [`Element`] for which every bit pattern is a value: all but `bool`. Writable slices need it.
pub trait PlainElement: Element + bytemuck::AnyBitPattern {}

impl<T: Element + bytemuck::AnyBitPattern> PlainElement for T {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($t:ty => $d:ident;)*) => {$(
        impl sealed::Sealed for $t {}
        impl Element for $t {
            const DTYPE: DType = DType::$d;
        }
    )*};
}

elements! {
    i8 => I8; i16 => I16; i32 => I32; i64 => I64;
    u8 => U8; u16 => U16; u32 => U32; u64 => U64;
    f16 => F16; bf16 => BF16; f32 => F32; f64 => F64; bool => Bool;
    [u8; 1] => Opaque1; [u8; 2] => Opaque2; [u8; 4] => Opaque4; [u8; 8] => Opaque8; [u8; 16] => Opaque16;
}
