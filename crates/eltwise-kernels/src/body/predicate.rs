//! T, ... -> bool: four masks per block, packed to bytes of 0 and 1.

use core::marker::PhantomData;

use eltwise_simd::lanes::{Lanes, copy_elements};
use eltwise_simd::storage::{Load, Stored};

use crate::abi::INPUTS;
use crate::functions::LanewisePredicate;
use crate::rows::Body;

/// The body of predicate `F` over elements stored as `S`.
pub struct Predicate<F, S>(PhantomData<(F, S)>);

/// The largest number of lanes of four vectors.
const MAX_LANES: usize = 256;

impl<L, F, S> Body<L> for Predicate<F, S>
where
    S: Stored,
    L: Load<S>,
    F: LanewisePredicate<S::Compute, L>,
{
    const ARITY: usize = F::ARITY;
    const IN_BYTES: [usize; INPUTS] = [size_of::<S>(); INPUTS];
    const OUT_BYTES: usize = 1;
    const BLOCK: usize = 4 * <L as Lanes<S::Compute>>::N;
    type State = ();

    #[inline(always)]
    fn start(_: L) {}

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], (): &mut ()) {
        // SAFETY: every pointer is valid for four vectors; all loads come before the store.
        unsafe {
            let x = l.load4(ins[0].cast::<S>());
            let y = if const { F::ARITY > 1 } { l.load4(ins[1].cast::<S>()) } else { x };
            let m0 = F::test(l, x[0], y[0]);
            let m1 = F::test(l, x[1], y[1]);
            let m2 = F::test(l, x[2], y[2]);
            let m3 = F::test(l, x[3], y[3]);
            l.store_bools4(out, [m0, m1, m2, m3]);
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], count: usize, (): &mut ()) {
        let n = <L as Lanes<S::Compute>>::N;
        let (a, b) = (ins[0].cast::<S>(), ins[1].cast::<S>());
        let mut bytes = [0u8; MAX_LANES];
        // SAFETY: `mask_at` loads no element past `count`; the array has room for four masks.
        unsafe {
            let m0 = mask_at::<L, F, S>(l, a, b, 0, count);
            let m1 = mask_at::<L, F, S>(l, a, b, n, count);
            let m2 = mask_at::<L, F, S>(l, a, b, 2 * n, count);
            let m3 = mask_at::<L, F, S>(l, a, b, 3 * n, count);
            l.store_bools4(bytes.as_mut_ptr(), [m0, m1, m2, m3]);
            copy_elements(bytes.as_ptr(), out, count);
        }
    }
}

/// The mask of the vector that starts at element `offset`. It loads only elements before `count`, possibly none.
///
/// # Safety
/// `a` and `b` are valid for reading `count` elements.
#[inline(always)]
unsafe fn mask_at<L, F, S>(l: L, a: *const S, b: *const S, offset: usize, count: usize) -> <L as Lanes<S::Compute>>::M
where
    S: Stored,
    L: Load<S>,
    F: LanewisePredicate<S::Compute, L>,
{
    let n = count.saturating_sub(offset).min(<L as Lanes<S::Compute>>::N);
    // SAFETY: the `n` elements from `offset` on are before `count`.
    unsafe {
        let x = l.load_stored_n(a.wrapping_add(offset), n);
        let y = if const { F::ARITY > 1 } { l.load_stored_n(b.wrapping_add(offset), n) } else { x };
        F::test(l, x, y)
    }
}
