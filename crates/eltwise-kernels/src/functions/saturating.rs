//! saturating_add, saturating_subtract, saturating_multiply, each on one element.

use super::each::Each2;

/// x + y, kept in the range.
pub struct SaturatingAdd;
/// x - y, kept in the range.
pub struct SaturatingSubtract;
/// x * y, kept in the range.
pub struct SaturatingMultiply;

macro_rules! saturating {
    ($($t:ident $wide:ident;)*) => {$(
        impl Each2<$t> for SaturatingAdd {
            #[inline(always)]
            fn each(x: $t, y: $t) -> $t {
                x.saturating_add(y)
            }
        }
        impl Each2<$t> for SaturatingSubtract {
            #[inline(always)]
            fn each(x: $t, y: $t) -> $t {
                x.saturating_sub(y)
            }
        }
        impl Each2<$t> for SaturatingMultiply {
            #[inline(always)]
            fn each(x: $t, y: $t) -> $t {
                // The exact product, as vector instructions have it: they know no overflow.
                (x as $wide * y as $wide).clamp($t::MIN as $wide, $t::MAX as $wide) as $t
            }
        }
    )*};
}

saturating! {
    i8 i16; i16 i32; i32 i64; i64 i128;
    u8 u16; u16 u32; u32 u64; u64 u128;
}
