//! Lane functions that are written for one element and run over the lanes of a vector in a loop.
//!
//! The compiler turns the short ones (saturation, shifts, counts) back into vector instructions. Functions with
//! loops of their own (gcd, lcm) stay scalar.

use core::mem::MaybeUninit;

use eltwise_simd::lanes::{Element, Lanes};

/// A function of one element.
pub trait PerElement1<C> {
    /// Computes one result.
    fn apply(x: C) -> C;
}

/// A function of two elements.
pub trait PerElement2<C> {
    /// Computes one result.
    fn apply(x: C, y: C) -> C;
}

/// The largest number of lanes of any vector.
const MAX_LANES: usize = 64;

/// `F` on every lane.
#[inline(always)]
pub fn apply1<C: Element, L: Lanes<C>, F: PerElement1<C>>(l: L, a: L::V) -> L::V {
    let mut x = [const { MaybeUninit::<C>::uninit() }; MAX_LANES];
    // SAFETY: the array has room for the lanes of any vector; the first N are written before they are read.
    unsafe {
        l.store(x.as_mut_ptr().cast(), a);
        for x in x.iter_mut().take(L::N) {
            *x = MaybeUninit::new(F::apply(x.assume_init()));
        }
        l.load(x.as_ptr().cast())
    }
}

/// `F` on every pair of lanes.
#[inline(always)]
pub fn apply2<C: Element, L: Lanes<C>, F: PerElement2<C>>(l: L, a: L::V, b: L::V) -> L::V {
    let mut x = [const { MaybeUninit::<C>::uninit() }; MAX_LANES];
    let mut y = [const { MaybeUninit::<C>::uninit() }; MAX_LANES];
    // SAFETY: the arrays have room for the lanes of any vector; the first N are written before they are read.
    unsafe {
        l.store(x.as_mut_ptr().cast(), a);
        l.store(y.as_mut_ptr().cast(), b);
        for i in 0..L::N {
            x[i] = MaybeUninit::new(F::apply(x[i].assume_init(), y[i].assume_init()));
        }
        l.load(x.as_ptr().cast())
    }
}

// A function of one element type. `element_function!(PerElement1 Popcount(x: i32) => x.count_ones() as i32)` expands to
//
//     impl PerElement1<i32> for Popcount {
//         #[inline(always)]
//         fn apply(x: i32) -> i32 {
//             x.count_ones() as i32
//         }
//     }
macro_rules! element_function {
    ($trait:ident $name:ident($($x:ident),+: $t:ty) => $value:expr) => {
        impl $crate::functions::per_element::$trait<$t> for $name {
            #[inline(always)]
            fn apply($($x: $t),+) -> $t {
                $value
            }
        }
    };
}
pub(super) use element_function;

// Lane functions by element. `BinaryOp(a, b) by apply2, PerElement2: ShiftLeft SIGN_AGNOSTIC;` expands to
//
//     impl<C: Element, L: Lanes<C>> BinaryOp<C, L> for ShiftLeft
//     where
//         ShiftLeft: PerElement2<C>,
//     {
//         const SIGN_AGNOSTIC: bool = true;
//         #[inline(always)]
//         fn lanes(l: L, a: L::V, b: L::V) -> L::V {
//             apply2::<C, L, ShiftLeft>(l, a, b)
//         }
//     }
macro_rules! by_element {
    ($trait:ident $operands:tt by $apply:ident, $per_element:ident: $($name:ident $($flag:ident)?;)*) => {
        $(by_element!(@function $trait $operands $apply $per_element $name $($flag)?);)*
    };
    (@function $trait:ident ($($x:ident),*) $apply:ident $per_element:ident $name:ident $($flag:ident)?) => {
        impl<C: Element, L: Lanes<C>> super::$trait<C, L> for super::$name
        where
            super::$name: $per_element<C>,
        {
            $(const $flag: bool = true;)?
            #[inline(always)]
            fn lanes(l: L, $($x: L::V),*) -> L::V {
                $apply::<C, L, super::$name>(l, $($x),*)
            }
        }
    };
}

by_element! {
    BinaryOp(a, b) by apply2, PerElement2:
    SaturatingAdd;
    SaturatingSubtract;
    SaturatingMultiply;
    ShiftLeft SIGN_AGNOSTIC;
    ShiftRight;
    Gcd;
    Lcm;
}

by_element! {
    UnaryOp(a) by apply1, PerElement1:
    Popcount SIGN_AGNOSTIC;
    LeadingZeros SIGN_AGNOSTIC;
    TrailingZeros SIGN_AGNOSTIC;
}
