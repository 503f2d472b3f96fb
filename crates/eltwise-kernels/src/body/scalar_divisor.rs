//! T / d -> T: an integer division whose second operand is one element per row. The divisor is prepared once for all
//! rows that share it.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use eltwise_simd::Stored;
use eltwise_simd::divisor::Invertible;
use eltwise_simd::int_div::IntDivLanes;

use crate::abi::{Call, INPUTS};
use crate::functions::ByDivisor;
use crate::rows::{Body, row_start};

/// The body of division `F` over elements of `C`.
pub struct ScalarDivisor<F, C>(PhantomData<(F, C)>);

/// The prepared divisor, and whether a divisor met the condition so far.
#[derive(Clone, Copy)]
pub struct State<P: Copy> {
    divisor: MaybeUninit<P>,
    met: bool,
}

impl<L, F, C> Body<L> for ScalarDivisor<F, C>
where
    C: Invertible + Stored<Compute = C>,
    L: IntDivLanes<C>,
    F: ByDivisor<C, L>,
{
    const ARITY: usize = 1;
    const IN_BYTES: [usize; INPUTS] = [size_of::<C>(); INPUTS];
    const OUT_BYTES: usize = size_of::<C>();
    const BLOCK: usize = 4 * L::N;
    type State = State<F::Prepared>;

    #[inline(always)]
    fn start(_: L) -> Self::State {
        State { divisor: MaybeUninit::uninit(), met: false }
    }

    #[inline(always)]
    fn flags(_: L, state: Self::State) -> u32 {
        if state.met { F::CONDITION } else { 0 }
    }

    #[inline(always)]
    unsafe fn start_row(l: L, call: &Call, row: usize, state: &mut Self::State) {
        let operand = &call.ins[1];
        if row == 0 || operand.row != 0 {
            // SAFETY: the operand has an element in this row; the read needs no alignment.
            let d = unsafe { row_start(operand, row).cast::<C>().read_unaligned() };
            state.met |= d == C::ZERO;
            state.divisor = MaybeUninit::new(F::prepare(l, d));
        }
    }

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], state: &mut Self::State) {
        let (a, out) = (ins[0].cast::<C>(), out.cast::<C>());
        // SAFETY: both pointers are valid for four vectors, and `start_row` has prepared the divisor. All loads come
        // before the first store: the input may be the output.
        unsafe {
            let d = in_memory::<C, _>(&state.divisor).assume_init_ref();
            let (a0, a1) = (l.load(a), l.load(a.add(L::N)));
            let (a2, a3) = (l.load(a.add(2 * L::N)), l.load(a.add(3 * L::N)));
            let (r0, r1) = (F::divide(l, a0, d), F::divide(l, a1, d));
            let (r2, r3) = (F::divide(l, a2, d), F::divide(l, a3, d));
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
        // SAFETY: both pointers are valid for `count` elements, and `start_row` has prepared the divisor.
        unsafe {
            let d = in_memory::<C, _>(&state.divisor).assume_init_ref();
            while offset + L::N <= count {
                l.store(out.add(offset), F::divide(l, l.load(a.add(offset)), d));
                offset += L::N;
            }
            let remaining = count - offset;
            if remaining > 0 {
                l.store_n(out.add(offset), remaining, F::divide(l, l.load_n(a.add(offset), remaining), d));
            }
        }
    }
}

/// `x`, read from memory if elements have up to 16 bits. The black box hides that the divisor is loop-invariant: the
/// compiler would otherwise multiply in widened lanes, with four times as many instructions as `vpmulhuw`.
#[inline(always)]
fn in_memory<C, T>(x: &T) -> &T {
    if size_of::<C>() <= 2 { core::hint::black_box(x) } else { x }
}
