//! Functions that are written for one element and run over the lanes of a vector in a loop. Of the short ones the compiler
//! makes vector instructions again: saturation, shifts and counts. Those with loops of their own stay as they are.

use core::mem::MaybeUninit;

use eltwise_simd::lanes::{Element, Lanes};

/// A function of one element.
pub trait Each1<C> {
    /// On one element.
    fn each(x: C) -> C;
}

/// A function of two elements.
pub trait Each2<C> {
    /// On one pair of elements.
    fn each(x: C, y: C) -> C;
}

/// The most lanes of any vector.
const MOST: usize = 64;

/// `F` on every lane.
#[inline(always)]
pub fn each1<C: Element, L: Lanes<C>, F: Each1<C>>(l: L, a: L::V) -> L::V {
    let mut x = [const { MaybeUninit::<C>::uninit() }; MOST];
    // SAFETY: the array has room for any vector's lanes; the first N are written before they are read.
    unsafe {
        l.store(x.as_mut_ptr().cast(), a);
        for x in x.iter_mut().take(L::N) {
            *x = MaybeUninit::new(F::each(x.assume_init()));
        }
        l.load(x.as_ptr().cast())
    }
}

/// `F` on every pair of lanes.
#[inline(always)]
pub fn each2<C: Element, L: Lanes<C>, F: Each2<C>>(l: L, a: L::V, b: L::V) -> L::V {
    let mut x = [const { MaybeUninit::<C>::uninit() }; MOST];
    let mut y = [const { MaybeUninit::<C>::uninit() }; MOST];
    // SAFETY: the arrays have room for any vector's lanes; the first N are written before they are read.
    unsafe {
        l.store(x.as_mut_ptr().cast(), a);
        l.store(y.as_mut_ptr().cast(), b);
        for i in 0..L::N {
            x[i] = MaybeUninit::new(F::each(x[i].assume_init(), y[i].assume_init()));
        }
        l.load(x.as_ptr().cast())
    }
}

// One row a function, and whether integers need no sign for it.
macro_rules! by_element {
    ($($name:ident $(= $signless:literal)?)*) => {$(
        impl<C: Element, L: Lanes<C>> super::Same2<C, L> for super::$name
        where
            super::$name: Each2<C>,
        {
            $(const SIGNLESS: bool = $signless;)?
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                each2::<C, L, super::$name>(l, a, b)
            }
        }
    )*};
}
by_element!(SaturatingAdd SaturatingSubtract SaturatingMultiply ShiftLeft = true ShiftRight Gcd Lcm);

macro_rules! by_element_of_one {
    ($($name:ident $(= $signless:literal)?)*) => {$(
        impl<C: Element, L: Lanes<C>> super::Same1<C, L> for super::$name
        where
            super::$name: Each1<C>,
        {
            $(const SIGNLESS: bool = $signless;)?
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::V {
                each1::<C, L, super::$name>(l, a)
            }
        }
    )*};
}
by_element_of_one!(Popcount = true LeadingZeros = true TrailingZeros = true);
