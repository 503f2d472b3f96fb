//! T, ... -> T for long lane functions: one vector per block, so that a kernel has two copies of the function (block
//! and tail) instead of six. The CPU overlaps neighbouring vectors by itself.

use core::marker::PhantomData;

use eltwise_simd::lanes::{Element, Lanes};
use eltwise_simd::storage::{Storage, Stored};

use crate::abi::INPUTS;
use crate::functions::Lanewise;
use crate::rows::Body;

/// The body of lane function `F`, of one or two operands, over elements of `C`.
pub struct MapLong<F, C>(PhantomData<(F, C)>);

impl<L, F, C> Body<L> for MapLong<F, C>
where
    C: Element + Stored<Compute = C>,
    L: Storage<C>,
    F: Lanewise<C, L>,
{
    const ARITY: usize = F::ARITY;
    const IN_BYTES: [usize; INPUTS] = [size_of::<C>(); INPUTS];
    const OUT_BYTES: usize = size_of::<C>();
    const BLOCK: usize = <L as Lanes<C>>::N;
    const IS_LONG: bool = true;
    type State = ();

    #[inline(always)]
    fn start(_: L) {}

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], (): &mut ()) {
        // SAFETY: every pointer is valid for a vector.
        unsafe {
            let a = Lanes::<C>::load(l, ins[0].cast());
            let b = if const { F::ARITY > 1 } { Lanes::<C>::load(l, ins[1].cast()) } else { a };
            Lanes::<C>::store(l, out.cast(), F::apply(l, a, b, a));
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], n: usize, (): &mut ()) {
        // SAFETY: every pointer is valid for `n` elements; the other lanes are ones and are not stored.
        unsafe {
            let a = Lanes::<C>::load_n(l, ins[0].cast(), n);
            let b = if const { F::ARITY > 1 } { Lanes::<C>::load_n(l, ins[1].cast(), n) } else { a };
            Lanes::<C>::store_n(l, out.cast(), n, F::apply(l, a, b, a));
        }
    }
}
