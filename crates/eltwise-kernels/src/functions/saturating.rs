//! saturating_add, saturating_subtract, saturating_multiply, written for one element
//! ([`per_element`](super::per_element)).

use super::per_element::element_function;

/// `x + y`, clamped to the range of the dtype.
pub struct SaturatingAdd;
/// `x - y`, clamped to the range of the dtype.
pub struct SaturatingSubtract;
/// `x * y`, clamped to the range of the dtype.
pub struct SaturatingMultiply;

macro_rules! saturating {
    ($($t:ident $wide:ident;)*) => {$(
        element_function!(PerElement2 SaturatingAdd(x, y: $t) => x.saturating_add(y));
        element_function!(PerElement2 SaturatingSubtract(x, y: $t) => x.saturating_sub(y));
        element_function!(PerElement2 SaturatingMultiply(x, y: $t) => {
            // By the exact product: no vector instruction detects an overflow.
            (x as $wide * y as $wide).clamp($t::MIN as $wide, $t::MAX as $wide) as $t
        });
    )*};
}

saturating! {
    i8 i16; i16 i32; i32 i64; i64 i128;
    u8 u16; u16 u32; u32 u64; u64 u128;
}
