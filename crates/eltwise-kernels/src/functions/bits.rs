//! shift_left, shift_right, popcount, leading_zeros, trailing_zeros, each on one element.

use super::each::{Each1, Each2};

/// x with its bits y places higher.
pub struct ShiftLeft;
/// x with its bits y places lower.
pub struct ShiftRight;
/// The bits set.
pub struct Popcount;
/// The zeros above the highest bit set.
pub struct LeadingZeros;
/// The zeros below the lowest bit set.
pub struct TrailingZeros;

macro_rules! bits {
    ($($t:ident $unsigned:ident;)*) => {$(
        impl Each2<$t> for ShiftLeft {
            #[inline(always)]
            fn each(x: $t, y: $t) -> $t {
                // A negative amount is a large one.
                let amount = y as $unsigned;
                if amount < $t::BITS as $unsigned { x << amount } else { 0 }
            }
        }
        impl Each1<$t> for Popcount {
            #[inline(always)]
            fn each(x: $t) -> $t {
                x.count_ones() as $t
            }
        }
        impl Each1<$t> for LeadingZeros {
            #[inline(always)]
            fn each(x: $t) -> $t {
                x.leading_zeros() as $t
            }
        }
        impl Each1<$t> for TrailingZeros {
            #[inline(always)]
            fn each(x: $t) -> $t {
                x.trailing_zeros() as $t
            }
        }
    )*};
}

bits! {
    i8 u8; i16 u16; i32 u32; i64 u64;
    u8 u8; u16 u16; u32 u32; u64 u64;
}

macro_rules! shift_right {
    ($($signed:ident $unsigned:ident;)*) => {$(
        impl Each2<$signed> for ShiftRight {
            #[inline(always)]
            fn each(x: $signed, y: $signed) -> $signed {
                // Past the width only the sign is left, as one place before it.
                x >> (y as $unsigned).min($unsigned::BITS as $unsigned - 1)
            }
        }
        impl Each2<$unsigned> for ShiftRight {
            #[inline(always)]
            fn each(x: $unsigned, y: $unsigned) -> $unsigned {
                if y < $unsigned::BITS as $unsigned { x >> y } else { 0 }
            }
        }
    )*};
}

shift_right! { i8 u8; i16 u16; i32 u32; i64 u64; }
