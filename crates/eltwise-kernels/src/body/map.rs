//! T, ... -> T: a lane function over one to three operands, four vectors a block. The result may be stored as another
//! type of the same compute type, and the first operand be: that is how `f16`, `bf16` and `f32` are cast to each other, and casts are
//! folded into what follows them.

use core::marker::PhantomData;

use eltwise_simd::lanes::Lanes;
use eltwise_simd::storage::{Load, Store, Stored};

use crate::abi::INPUTS;
use crate::functions::Lanewise;
use crate::rows::{Body, small};

/// The body of lane function `F` over elements stored as `S`, its results stored as `D` and its first operand as `A`.
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
    type Note = <L as Lanes<S::Compute>>::M;

    #[inline(always)]
    fn note(l: L) -> Self::Note {
        let one = l.splat(<S::Compute as eltwise_simd::Element>::ONE);
        l.lt(one, one)
    }

    #[inline(always)]
    fn flags(l: L, note: Self::Note) -> u32 {
        if const { F::CONDITION != 0 } && l.any(note) { F::CONDITION } else { 0 }
    }

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], note: &mut Self::Note) {
        // SAFETY: four vectors are valid behind every pointer. All loads come before the first store: an input may be
        // the output. (One by one, it is read before it is written, and has elements of the output's size.)
        unsafe {
            if const { small::<L>() } {
                vectors::<L, F, S, D, A>(l, out, ins, Self::BLOCK, note);
                return;
            }
            let a = load::<L, S, D, A, A>(l, ins[0]);
            let b = if const { F::ARITY > 1 } { load::<L, S, D, A, S>(l, ins[1]) } else { a };
            let c = if const { F::ARITY > 2 } { load::<L, S, D, A, S>(l, ins[2]) } else { a };
            if const { F::CONDITION != 0 } {
                let met = l.mask_or(F::condition(l, a[0], b[0]), F::condition(l, a[1], b[1]));
                let more = l.mask_or(F::condition(l, a[2], b[2]), F::condition(l, a[3], b[3]));
                *note = l.mask_or(*note, l.mask_or(met, more));
            }
            let (r0, r1) = (F::apply(l, a[0], b[0], c[0]), F::apply(l, a[1], b[1], c[1]));
            let (r2, r3) = (F::apply(l, a[2], b[2], c[2]), F::apply(l, a[3], b[3], c[3]));
            let (out, results) = (out.cast::<D>(), [r0, r1, r2, r3]);
            if const { own_order::<L, S, D, A>() } {
                l.store_block(out, results);
            } else {
                l.store4(out, results);
            }
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], count: usize, note: &mut Self::Note) {
        let (a, b, c) = (ins[0].cast::<A>(), ins[1].cast::<S>(), ins[2].cast::<S>());
        let out = out.cast::<D>();
        // SAFETY: `count` elements are valid behind every pointer; lanes past them are padded with ones and not stored.
        unsafe {
            let at = vectors::<L, F, S, D, A>(l, out.cast(), ins, count, note);
            let rest = count - at;
            if rest > 0 {
                let x = Load::<A>::load_stored_first(l, a.add(at), rest);
                let y = if const { F::ARITY > 1 } { Load::<S>::load_stored_first(l, b.add(at), rest) } else { x };
                let z = if const { F::ARITY > 2 } { Load::<S>::load_stored_first(l, c.add(at), rest) } else { x };
                if const { F::CONDITION != 0 } {
                    *note = l.mask_or(*note, F::condition(l, x, y));
                }
                Store::<D>::store_stored_first(l, out.add(at), rest, F::apply(l, x, y, z));
            }
        }
    }
}

/// Computes the whole vectors among `count` elements, one by one: the elements that are done.
///
/// # Safety
/// `count` elements are valid behind every pointer.
#[inline(always)]
unsafe fn vectors<L, F, S, D, A>(
    l: L,
    out: *mut u8,
    ins: [*const u8; INPUTS],
    count: usize,
    note: &mut <L as Lanes<S::Compute>>::M,
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
    let mut at = 0;
    while at + n <= count {
        // SAFETY: the vector at `at` is valid behind every pointer.
        unsafe {
            let x = Load::<A>::load_stored(l, a.add(at));
            let y = if const { F::ARITY > 1 } { Load::<S>::load_stored(l, b.add(at)) } else { x };
            let z = if const { F::ARITY > 2 } { Load::<S>::load_stored(l, c.add(at)) } else { x };
            if const { F::CONDITION != 0 } {
                *note = l.mask_or(*note, F::condition(l, x, y));
            }
            Store::<D>::store_stored(l, out.add(at), F::apply(l, x, y, z));
        }
        at += n;
    }
    at
}

/// Whether the block has an order of its own: where all its operands are stored as one type that has one.
#[inline(always)]
const fn own_order<L, S, D, A>() -> bool
where
    S: Stored,
    D: Stored,
    A: Stored,
    L: Load<S> + Store<D> + Load<A>,
{
    <L as Load<A>>::OWN_ORDER && <L as Load<S>>::OWN_ORDER && <L as Store<D>>::OWN_ORDER
}

/// Four vectors stored as `X`, in the block's own order if it has one.
///
/// # Safety
/// `p` is valid for reading four vectors.
#[inline(always)]
unsafe fn load<L, S, D, A, X>(l: L, p: *const u8) -> [<L as Lanes<S::Compute>>::V; 4]
where
    S: Stored,
    D: Stored,
    A: Stored,
    X: Stored<Compute = S::Compute>,
    L: Load<S> + Store<D> + Load<A> + Load<X>,
{
    let p = p.cast::<X>();
    // SAFETY: the caller's contract.
    unsafe { if const { own_order::<L, S, D, A>() } { l.load_block(p) } else { l.load4(p) } }
}
