//! T / d -> T: a division whose second operand is one element a row. It is prepared once for the rows that share it.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use eltwise_simd::Stored;
use eltwise_simd::quotient::QuotientLanes;
use eltwise_simd::reciprocal::Invertible;

use crate::abi::{Call, INPUTS};
use crate::functions::ByDivisor;
use crate::rows::Body;

/// The body of division `F` over elements of `C`.
pub struct Divided<F, C>(PhantomData<(F, C)>);

/// A divisor, and whether one of those so far met the condition.
#[derive(Clone, Copy)]
pub struct Note<P: Copy> {
    divisor: MaybeUninit<P>,
    met: bool,
}

impl<L, F, C> Body<L> for Divided<F, C>
where
    C: Invertible + Stored<Compute = C>,
    L: QuotientLanes<C>,
    F: ByDivisor<C, L>,
{
    const ARITY: usize = 1;
    const IN_BYTES: [usize; INPUTS] = [size_of::<C>(); INPUTS];
    const OUT_BYTES: usize = size_of::<C>();
    const BLOCK: usize = 4 * L::N;
    type Note = Note<F::Prepared>;

    #[inline(always)]
    fn note(_: L) -> Self::Note {
        Note { divisor: MaybeUninit::uninit(), met: false }
    }

    #[inline(always)]
    fn flags(_: L, note: Self::Note) -> u32 {
        if note.met { F::CONDITION } else { 0 }
    }

    #[inline(always)]
    unsafe fn row(l: L, call: &Call, row: usize, note: &mut Self::Note) {
        let operand = &call.ins[1];
        if row == 0 || operand.row != 0 {
            let at = operand.ptr.wrapping_offset((row as isize).wrapping_mul(operand.row));
            // SAFETY: the operand has an element in this row; it needs no alignment.
            let d = unsafe { at.cast::<C>().read_unaligned() };
            note.met |= d == C::ZERO;
            note.divisor = MaybeUninit::new(F::prepare(l, d));
        }
    }

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], note: &mut Self::Note) {
        let (a, out) = (ins[0].cast::<C>(), out.cast::<C>());
        // SAFETY: four vectors are valid behind both pointers, and the row has prepared its divisor. All loads come before
        // the first store: the input may be the output.
        unsafe {
            let d = in_memory::<C, _>(&note.divisor).assume_init_ref();
            let (a0, a1) = (l.load(a), l.load(a.add(L::N)));
            let (a2, a3) = (l.load(a.add(2 * L::N)), l.load(a.add(3 * L::N)));
            let (r0, r1) = (F::by(l, a0, d), F::by(l, a1, d));
            let (r2, r3) = (F::by(l, a2, d), F::by(l, a3, d));
            l.store(out, r0);
            l.store(out.add(L::N), r1);
            l.store(out.add(2 * L::N), r2);
            l.store(out.add(3 * L::N), r3);
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], count: usize, note: &mut Self::Note) {
        let (a, out) = (ins[0].cast::<C>(), out.cast::<C>());
        let mut at = 0;
        // SAFETY: `count` elements are valid behind both pointers, and the row has prepared its divisor.
        unsafe {
            let d = in_memory::<C, _>(&note.divisor).assume_init_ref();
            while at + L::N <= count {
                l.store(out.add(at), F::by(l, l.load(a.add(at)), d));
                at += L::N;
            }
            let rest = count - at;
            if rest > 0 {
                l.store_first(out.add(at), rest, F::by(l, l.load_first(a.add(at), rest), d));
            }
        }
    }
}

/// The same; where elements have up to 16 bits, the compiler knows nothing of it and reads it where it lies: of a divisor that it knows not
/// to change it makes products of widened lanes, four times as many instructions as `vpmulhuw`.
#[inline(always)]
fn in_memory<C, T>(x: &T) -> &T {
    if size_of::<C>() <= 2 { core::hint::black_box(x) } else { x }
}
