//! divide: IEEE for floats, toward zero for integers.

use eltwise_simd::lanes::{Element, FloatLanes, Lanes};

use super::Same2;
use crate::abi::ZERO_DIVISION;

/// x / y. Integers: x / 0 is 0 and reported, MIN / -1 wraps to MIN.
pub struct Divide;

macro_rules! divide_floats {
    ($($t:ty)*) => {$(
        impl<L: FloatLanes<$t>> Same2<$t, L> for Divide {
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                l.div(a, b)
            }
        }
    )*};
}

divide_floats!(f32 f64);

/// The most lanes of any vector.
const MOST: usize = 64;

macro_rules! divide_ints {
    ($($t:ty)*) => {$(
        impl<L: Lanes<$t>> Same2<$t, L> for Divide {
            const CONDITION: u32 = ZERO_DIVISION;
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                let (mut x, mut y) = ([0 as $t; MOST], [0 as $t; MOST]);
                // SAFETY: the arrays have room for any vector's lanes.
                unsafe {
                    l.store(x.as_mut_ptr(), a);
                    l.store(y.as_mut_ptr(), b);
                }
                for i in 0..L::N {
                    x[i] = if y[i] == 0 { 0 } else { x[i].wrapping_div(y[i]) };
                }
                // SAFETY: as above.
                unsafe { l.load(x.as_ptr()) }
            }
            #[inline(always)]
            fn condition(l: L, _a: L::V, b: L::V) -> L::M {
                l.eq(b, l.splat(<$t>::ZERO))
            }
        }
    )*};
}

divide_ints!(i8 i16 i32 i64 u8 u16 u32 u64);
