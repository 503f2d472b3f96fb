//! T, T -> T with one element per row as the second operand: it is prepared once for all rows that share it.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use eltwise_simd::lanes::Element;
use eltwise_simd::storage::{Storage, Stored};

use crate::abi::{Call, INPUTS};
use crate::functions::ByScalar;
use crate::rows::{Body, row_start};

/// The body of lane function `F` over elements of `C`.
pub struct ScalarOperand<F, C>(PhantomData<(F, C)>);

/// The prepared operand, and whether an operand met the condition so far.
#[derive(Clone, Copy)]
pub struct State<P: Copy> {
    operand: MaybeUninit<P>,
    is_prepared: bool,
    met: bool,
}

impl<L, F, C> Body<L> for ScalarOperand<F, C>
where
    C: Element + Stored<Compute = C>,
    L: Storage<C>,
    F: ByScalar<C, L>,
{
    const ARITY: usize = 1;
    const IN_BYTES: [usize; INPUTS] = [size_of::<C>(); INPUTS];
    const OUT_BYTES: usize = size_of::<C>();
    const BLOCK: usize = F::VECTORS * L::N;
    // A division by a prepared divisor is a product.
    const IS_LONG: bool = F::CONDITION == 0;
    type State = State<F::Prepared>;

    #[inline(always)]
    fn start(_: L) -> Self::State {
        State { operand: MaybeUninit::uninit(), is_prepared: false, met: false }
    }

    #[inline(always)]
    fn flags(_: L, state: Self::State) -> u32 {
        if state.met { F::CONDITION } else { 0 }
    }

    #[inline(always)]
    unsafe fn start_row(l: L, call: &Call, row: usize, state: &mut Self::State) {
        let operand = &call.ins[1];
        if !state.is_prepared || operand.row != 0 {
            // SAFETY: the operand has an element in this row; the read needs no alignment.
            let b = unsafe { row_start(operand, row).cast::<C>().read_unaligned() };
            if const { F::CONDITION != 0 } {
                state.met |= l.any(F::condition(l, l.splat(b), l.splat(b)));
            }
            state.operand = MaybeUninit::new(F::prepare(l, b));
            state.is_prepared = true;
        }
    }

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], state: &mut Self::State) {
        const { assert!(F::VECTORS == 2 || F::VECTORS == 4) };
        let (a, out) = (ins[0].cast::<C>(), out.cast::<C>());
        // SAFETY: both pointers are valid for a block, and `start_row` has prepared the operand. All loads come before the
        // first store: the input may be the output.
        unsafe {
            let b = in_memory::<C, _>(&state.operand).assume_init_ref();
            let (a0, a1) = (l.load(a), l.load(a.add(L::N)));
            if const { F::VECTORS == 2 } {
                let [r0, r1] = F::by(l, [a0, a1], b);
                l.store(out, r0);
                l.store(out.add(L::N), r1);
                return;
            }
            let (a2, a3) = (l.load(a.add(2 * L::N)), l.load(a.add(3 * L::N)));
            let [r0, r1, r2, r3] = F::by(l, [a0, a1, a2, a3], b);
            l.store(out, r0);
            l.store(out.add(L::N), r1);
            l.store(out.add(2 * L::N), r2);
            l.store(out.add(3 * L::N), r3);
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], count: usize, state: &mut Self::State) {
        let (a, out) = (ins[0].cast::<C>(), out.cast::<C>());
        let mut offset = 0;
        // SAFETY: both pointers are valid for `count` elements, and `start_row` has prepared the operand.
        unsafe {
            let b = in_memory::<C, _>(&state.operand).assume_init_ref();
            while offset + L::N <= count {
                let [r] = F::by(l, [l.load(a.add(offset))], b);
                l.store(out.add(offset), r);
                offset += L::N;
            }
            let remaining = count - offset;
            if remaining > 0 {
                let [r] = F::by(l, [l.load_n(a.add(offset), remaining)], b);
                l.store_n(out.add(offset), remaining, r);
            }
        }
    }
}

/// `x`, read from memory if elements have up to 16 bits. The black box hides that a divisor is loop-invariant: the
/// compiler would otherwise multiply in widened lanes, with four times as many instructions as `vpmulhuw`.
#[inline(always)]
fn in_memory<C, T>(x: &T) -> &T {
    if size_of::<C>() <= 2 { core::hint::black_box(x) } else { x }
}
