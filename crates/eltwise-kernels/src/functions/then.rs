//! One function after another, without a way through memory between them.

use core::marker::PhantomData;

use eltwise_simd::storage::{Rounds, Stored};

use super::Lanewise;

/// `G` over the result of `F` and the operands behind `F`'s: `g(f(a, b), c)`. Over elements stored as `S`, to which `F`'s
/// result is rounded, so that the bits are those of two steps. Up to three operands; conditions are not reported.
pub struct Then<F, G, S>(PhantomData<(F, G, S)>);

impl<L, F, G, S> Lanewise<S::Compute, L> for Then<F, G, S>
where
    S: Stored,
    L: Rounds<S>,
    F: Lanewise<S::Compute, L>,
    G: Lanewise<S::Compute, L>,
{
    const ARITY: usize = {
        let arity = F::ARITY + G::ARITY - 1;
        assert!(arity <= 3, "a function takes up to three operands");
        assert!(F::CONDITION == 0 && G::CONDITION == 0, "a function that reports a condition is a step of its own");
        arity
    };

    #[inline(always)]
    fn apply(l: L, a: L::V, b: L::V, c: L::V) -> L::V {
        let first = l.rounded(F::apply(l, a, b, c));
        // The operands behind F's.
        let next = if const { F::ARITY == 1 } { b } else { c };
        G::apply(l, first, next, c)
    }
}
