//! T, ... -> T: a lane function over one to three operands, four vectors per block.
//!
//! The result and the first operand may be stored as other types with the same compute type. That is how `f16`, `bf16`
//! and `f32` are cast to each other, and how a cast is fused into the operator before or after it.

use core::marker::PhantomData;

use eltwise_simd::lanes::Lanes;
use eltwise_simd::storage::{Load, Store, Stored};

use crate::abi::INPUTS;
use crate::functions::Lanewise;
use crate::rows::{Body, prefers_small_code};

/// The body of lane function `F` over elements stored as `S`, with the result stored as `D` and the first operand as
/// `A`.
pub struct Map<F, S, D = S, A = S>(PhantomData<(F, S, D, A)>);

impl<L, F, S, D, A> Body<L> for Map<F, S, D, A>
where
    S: Stored,
    D: Stored<Compute = S::Compute>,
    A: Stored<Compute = S::Compute>,
    L: Load<S> + Store<D> + Load<A>,
    F: Lanewise<S::Compute, L>,
{
    const ARITY: usize = F::ARITY;
    const IN_BYTES: [usize; INPUTS] = [size_of::<A>(), size_of::<S>(), size_of::<S>(), size_of::<S>()];
    const OUT_BYTES: usize = size_of::<D>();
    const BLOCK: usize = 4 * <L as Lanes<S::Compute>>::N;
    const IS_LONG: bool = F::IS_LONG;
    /// The lanes that met the condition.
    type State = <L as Lanes<S::Compute>>::M;

    #[inline(always)]
    fn start(l: L) -> Self::State {
        let one = l.splat(<S::Compute as eltwise_simd::Element>::ONE);
        l.lt(one, one)
    }

    #[inline(always)]
    fn flags(l: L, met: Self::State) -> u32 {
        if const { F::CONDITION != 0 } && l.any(met) { F::CONDITION } else { 0 }
    }

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], met: &mut Self::State) {
        // SAFETY: every pointer is valid for four vectors. All loads come before the first store: an input may be
        // the output. (`vectors` loads each vector before it stores it, and such an input has elements of the
        // output's size.)
        unsafe {
            if const { prefers_small_code::<L>() } {
                vectors::<L, F, S, D, A>(l, out, ins, Self::BLOCK, met);
                return;
            }
            // The elements may be permuted if all operands are, in the same way.
            let permuted =
                const { <L as Load<A>>::PERMUTED4 && <L as Load<S>>::PERMUTED4 && <L as Store<D>>::PERMUTED4 };
            let a = load4::<L, A>(l, ins[0], permuted);
            let b = if const { F::ARITY > 1 } { load4::<L, S>(l, ins[1], permuted) } else { a };
            let c = if const { F::ARITY > 2 } { load4::<L, S>(l, ins[2], permuted) } else { a };
            if const { F::CONDITION != 0 } {
                let met01 = l.mask_or(F::condition(l, a[0], b[0]), F::condition(l, a[1], b[1]));
                let met23 = l.mask_or(F::condition(l, a[2], b[2]), F::condition(l, a[3], b[3]));
                *met = l.mask_or(*met, l.mask_or(met01, met23));
            }
            let (r0, r1) = (F::apply(l, a[0], b[0], c[0]), F::apply(l, a[1], b[1], c[1]));
            let (r2, r3) = (F::apply(l, a[2], b[2], c[2]), F::apply(l, a[3], b[3], c[3]));
            let (out, results) = (out.cast::<D>(), [r0, r1, r2, r3]);
            if permuted {
                l.store4_permuted(out, results);
            } else {
                l.store4(out, results);
            }
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], count: usize, met: &mut Self::State) {
        let (a, b, c, to) = (ins[0].cast::<A>(), ins[1].cast::<S>(), ins[2].cast::<S>(), out.cast::<D>());
        // SAFETY: every pointer is valid for `count` elements; lanes past them are padded with ones and not stored.
        unsafe {
            let offset = vectors::<L, F, S, D, A>(l, out, ins, count, met);
            let remaining = count - offset;
            if remaining > 0 {
                let x = Load::<A>::load_stored_n(l, a.add(offset), remaining);
                let y = if const { F::ARITY > 1 } { Load::<S>::load_stored_n(l, b.add(offset), remaining) } else { x };
                let z = if const { F::ARITY > 2 } { Load::<S>::load_stored_n(l, c.add(offset), remaining) } else { x };
                if const { F::CONDITION != 0 } {
                    *met = l.mask_or(*met, F::condition(l, x, y));
                }
                Store::<D>::store_stored_n(l, to.add(offset), remaining, F::apply(l, x, y, z));
            }
        }
    }
}

/// Computes the whole vectors among `count` elements, one by one. Returns the number of elements computed.
///
/// # Safety
/// Every pointer is valid for `count` elements.
#[inline(always)]
unsafe fn vectors<L, F, S, D, A>(
    l: L,
    out: *mut u8,
    ins: [*const u8; INPUTS],
    count: usize,
    met: &mut <L as Lanes<S::Compute>>::M,
) -> usize
where
    S: Stored,
    D: Stored<Compute = S::Compute>,
    A: Stored<Compute = S::Compute>,
    L: Load<S> + Store<D> + Load<A>,
    F: Lanewise<S::Compute, L>,
{
    let (a, b, c, out) = (ins[0].cast::<A>(), ins[1].cast::<S>(), ins[2].cast::<S>(), out.cast::<D>());
    let n = <L as Lanes<S::Compute>>::N;
    let mut offset = 0;
    while offset + n <= count {
        // SAFETY: every pointer is valid for the vector at `offset`.
        unsafe {
            let x = Load::<A>::load_stored(l, a.add(offset));
            let y = if const { F::ARITY > 1 } { Load::<S>::load_stored(l, b.add(offset)) } else { x };
            let z = if const { F::ARITY > 2 } { Load::<S>::load_stored(l, c.add(offset)) } else { x };
            if const { F::CONDITION != 0 } {
                *met = l.mask_or(*met, F::condition(l, x, y));
            }
            Store::<D>::store_stored(l, out.add(offset), F::apply(l, x, y, z));
        }
        offset += n;
    }
    offset
}

/// Loads four vectors, `permuted` or in the order of memory.
///
/// # Safety
/// `p` is valid for reading four vectors.
#[inline(always)]
unsafe fn load4<L: Load<S>, S: Stored>(l: L, p: *const u8, permuted: bool) -> [L::V; 4] {
    // SAFETY: the caller's contract.
    unsafe { if permuted { l.load4_permuted(p.cast()) } else { l.load4(p.cast()) } }
}
