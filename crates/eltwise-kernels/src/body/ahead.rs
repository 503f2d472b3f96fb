//! T, T -> T: a long lane function of a short one's result, a block of the short one ahead.
//!
//! The sums of a block (say) go to the stack before the first of them is read back. A vector at a time, the short function lengthens the
//! chain of dependent instructions of each vector, and a CPU keeps but two or three such chains in flight: on Zen 4, `gelu(x + y)` takes 1.2
//! times as long as `gelu(x)` on AVX2 so, and 1.06 times this way; 1.06 and 1.03 on AVX-512.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use eltwise_simd::lanes::{Element, Lanes};
use eltwise_simd::storage::{Storage, Stored};

use crate::abi::INPUTS;
use crate::functions::Lanewise;
use crate::rows::Body;

/// The body of `G`, of one operand, over the results of `F`, of two, over elements of `C`.
pub struct Ahead<F, G, C>(PhantomData<(F, G, C)>);

/// Bytes of a block: as many as the row loop takes.
const BYTES: usize = 512;

/// The results of `F`.
#[repr(align(64))]
struct Results(#[allow(dead_code, reason = "written and read through pointers")] [u8; BYTES]);

impl<L, F, G, C> Body<L> for Ahead<F, G, C>
where
    C: Element + Stored<Compute = C>,
    L: Storage<C>,
    F: Lanewise<C, L>,
    G: Lanewise<C, L>,
{
    const ARITY: usize = {
        assert!(F::ARITY == 2 && G::ARITY == 1, "a function of one operand over one of two");
        assert!(F::CONDITION == 0 && G::CONDITION == 0, "a function that reports a condition is a step of its own");
        2
    };
    const IN_BYTES: [usize; INPUTS] = [size_of::<C>(); INPUTS];
    const OUT_BYTES: usize = size_of::<C>();
    const BLOCK: usize = BYTES / size_of::<C>();
    type Note = ();

    #[inline(always)]
    fn note(_l: L) {}

    #[inline(always)]
    fn flags(_l: L, (): ()) -> u32 {
        0
    }

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], (): &mut ()) {
        let (a, b, out) = (ins[0].cast::<C>(), ins[1].cast::<C>(), out.cast::<C>());
        let mut results = MaybeUninit::<Results>::uninit();
        let first = results.as_mut_ptr().cast::<C>();
        let lanes = <L as Lanes<C>>::N;
        // SAFETY: a block is valid behind every pointer, and `results` has room for one. All of the inputs is read before the output is
        // written: an input may be the output.
        unsafe {
            for at in (0..Self::BLOCK).step_by(lanes) {
                let (x, y) = (Lanes::<C>::load(l, a.add(at)), Lanes::<C>::load(l, b.add(at)));
                Lanes::<C>::store(l, first.add(at), F::apply(l, x, y, x));
            }
            // The compiler is not told that these are the same, or it would join the loops.
            let first = core::hint::black_box(first);
            for at in (0..Self::BLOCK).step_by(lanes) {
                let x = Lanes::<C>::load(l, first.add(at));
                Lanes::<C>::store(l, out.add(at), G::apply(l, x, x, x));
            }
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], n: usize, (): &mut ()) {
        let (a, b, out) = (ins[0].cast::<C>(), ins[1].cast::<C>(), out.cast::<C>());
        let mut results = MaybeUninit::<Results>::uninit();
        let first = results.as_mut_ptr().cast::<C>();
        let lanes = <L as Lanes<C>>::N;
        // SAFETY: `n` elements, fewer than a block, are valid behind every pointer, and `results` has room for a block, which is whole
        // vectors; lanes past the `n` are ones and not stored to the output.
        unsafe {
            for at in (0..n).step_by(lanes) {
                let count = lanes.min(n - at);
                let (x, y) = (Lanes::<C>::load_first(l, a.add(at), count), Lanes::<C>::load_first(l, b.add(at), count));
                Lanes::<C>::store(l, first.add(at), F::apply(l, x, y, x));
            }
            let first = core::hint::black_box(first);
            for at in (0..n).step_by(lanes) {
                let x = Lanes::<C>::load(l, first.add(at));
                Lanes::<C>::store_first(l, out.add(at), lanes.min(n - at), G::apply(l, x, x, x));
            }
        }
    }
}
