//! [`Then`]: one lane function after another, with the intermediate result in registers.

use core::marker::PhantomData;

use eltwise_simd::storage::{RoundTrip, Stored};

use super::Lanewise;

/// `G` over the result of `F` and the operands that follow `F`'s: `g(f(a, b), c)`, with at most three operands.
///
/// `F`'s result is rounded to the stored type `S`, so that the bits equal the bits of two separate steps. Neither
/// function may report a condition.
pub struct Then<F, G, S>(PhantomData<(F, G, S)>);

impl<L, F, G, S> Lanewise<S::Compute, L> for Then<F, G, S>
where
    S: Stored,
    L: RoundTrip<S>,
    F: Lanewise<S::Compute, L>,
    G: Lanewise<S::Compute, L>,
{
    const ARITY: usize = {
        let arity = F::ARITY + G::ARITY - 1;
        assert!(arity <= 3, "a function takes up to three operands");
        assert!(F::CONDITION == 0 && G::CONDITION == 0, "a function that reports a condition is a step of its own");
        arity
    };
    const IS_LONG: bool = F::IS_LONG || G::IS_LONG;

    #[inline(always)]
    fn apply(l: L, a: L::V, b: L::V, c: L::V) -> L::V {
        let intermediate = l.round_trip(F::apply(l, a, b, c));
        let second = if const { F::ARITY == 1 } { b } else { c };
        G::apply(l, intermediate, second, c)
    }
}
