//! shift_left, shift_right, popcount, leading_zeros, trailing_zeros, written for one element
//! ([`per_element`](super::per_element)).

use super::per_element::element_function;

/// `x << y`; 0 if `y` is negative or at least the number of bits.
pub struct ShiftLeft;
/// `x >> y`; 0, or -1 for negative `x`, if `y` is negative or at least the number of bits.
pub struct ShiftRight;
/// The number of bits that are set.
pub struct Popcount;
/// The number of zeros above the highest bit set.
pub struct LeadingZeros;
/// The number of zeros below the lowest bit set.
pub struct TrailingZeros;

macro_rules! bits {
    ($($t:ident $unsigned:ident;)*) => {$(
        element_function!(PerElement2 ShiftLeft(x, y: $t) => {
            // A negative amount is a large one.
            let amount = y as $unsigned;
            if amount < $t::BITS as $unsigned { x << amount } else { 0 }
        });
        element_function!(PerElement1 Popcount(x: $t) => x.count_ones() as $t);
        element_function!(PerElement1 LeadingZeros(x: $t) => x.leading_zeros() as $t);
        element_function!(PerElement1 TrailingZeros(x: $t) => x.trailing_zeros() as $t);
    )*};
}

bits! {
    i8 u8; i16 u16; i32 u32; i64 u64;
    u8 u8; u16 u16; u32 u32; u64 u64;
}

macro_rules! shift_right {
    ($($signed:ident $unsigned:ident;)*) => {$(
        element_function!(PerElement2 ShiftRight(x, y: $signed) => {
            // The largest amount that is defined leaves only the sign.
            x >> (y as $unsigned).min($unsigned::BITS as $unsigned - 1)
        });
        element_function!(PerElement2 ShiftRight(x, y: $unsigned) => {
            if y < $unsigned::BITS as $unsigned { x >> y } else { 0 }
        });
    )*};
}

shift_right! { i8 u8; i16 u16; i32 u32; i64 u64; }
