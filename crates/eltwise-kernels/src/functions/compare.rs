//! The comparisons: a NaN equals nothing and is ordered with nothing.

use eltwise_simd::lanes::{Element, Lanes};

use super::Test2;

macro_rules! comparisons {
    ($($name:ident $doc:literal $l:ident $a:ident $b:ident => $test:expr;)*) => {$(
        #[doc = $doc]
        pub struct $name;
        impl<C: Element, L: Lanes<C>> Test2<C, L> for $name {
            #[inline(always)]
            fn lanes($l: L, $a: L::V, $b: L::V) -> L::M {
                $test
            }
        }
    )*};
}

comparisons! {
    Equal "x == y" l a b => l.eq(a, b);
    NotEqual "x != y" l a b => l.ne(a, b);
    Less "x < y" l a b => l.lt(a, b);
    LessEqual "x <= y" l a b => l.le(a, b);
    Greater "x > y" l a b => l.lt(b, a);
    GreaterEqual "x >= y" l a b => l.le(b, a);
}
