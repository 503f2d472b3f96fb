//! The comparisons: a NaN equals nothing and is ordered with nothing.

use eltwise_simd::lanes::{Element, Lanes};

use super::Test2;

// One row a comparison: whether the sign of integers does not matter, and the test.
macro_rules! comparisons {
    ($($name:ident $doc:literal $signless:literal $l:ident $a:ident $b:ident => $test:expr;)*) => {$(
        #[doc = $doc]
        pub struct $name;
        impl<C: Element, L: Lanes<C>> Test2<C, L> for $name {
            const SIGNLESS: bool = $signless;
            #[inline(always)]
            fn lanes($l: L, $a: L::V, $b: L::V) -> L::M {
                $test
            }
        }
    )*};
}

comparisons! {
    Equal "x == y" true l a b => l.eq(a, b);
    NotEqual "x != y" true l a b => l.ne(a, b);
    Less "x < y" false l a b => l.lt(a, b);
    LessEqual "x <= y" false l a b => l.le(a, b);
    Greater "x > y" false l a b => l.lt(b, a);
    GreaterEqual "x >= y" false l a b => l.le(b, a);
}
