//! `where(cond, x, y)` by element size: it moves bits.

use core::marker::PhantomData;

use eltwise_simd::Token;
use eltwise_simd::lanes::{Element, Lanes, copy_elements};

use crate::abi::INPUTS;
use crate::rows::Body;

/// The body of `where` over elements of the size of the integer `C`.
pub struct Select<C>(PhantomData<C>);

impl<L: Lanes<C>, C: Element> Body<L> for Select<C> {
    const ARITY: usize = 3;
    const IN_BYTES: [usize; INPUTS] = [1, size_of::<C>(), size_of::<C>(), 0];
    const OUT_BYTES: usize = size_of::<C>();
    const BLOCK: usize = 4 * L::N;
    const IS_SELECT: bool = true;
    type State = ();

    #[inline(always)]
    fn start(_: L) {}

    #[inline(always)]
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], (): &mut ()) {
        let n = L::N;
        let (m, x, y, out) = (ins[0], ins[1].cast::<C>(), ins[2].cast::<C>(), out.cast::<C>());
        // SAFETY: every pointer is valid for four vectors; all loads come before the first store.
        unsafe {
            let r0 = l.select(l.load_bools(m), l.load(x), l.load(y));
            let r1 = l.select(l.load_bools(m.add(n)), l.load(x.add(n)), l.load(y.add(n)));
            let r2 = l.select(l.load_bools(m.add(2 * n)), l.load(x.add(2 * n)), l.load(y.add(2 * n)));
            let r3 = l.select(l.load_bools(m.add(3 * n)), l.load(x.add(3 * n)), l.load(y.add(3 * n)));
            l.store(out, r0);
            l.store(out.add(n), r1);
            l.store(out.add(2 * n), r2);
            l.store(out.add(3 * n), r3);
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], count: usize, (): &mut ()) {
        let (m, x, y, out) = (ins[0], ins[1].cast::<C>(), ins[2].cast::<C>(), out.cast::<C>());
        let mut offset = 0;
        // SAFETY: every pointer is valid for `count` elements.
        unsafe {
            while offset + L::N <= count {
                l.store(
                    out.add(offset),
                    l.select(l.load_bools(m.add(offset)), l.load(x.add(offset)), l.load(y.add(offset))),
                );
                offset += L::N;
            }
            let n = count - offset;
            if n > 0 {
                let mask = l.load_bools_n(m.add(offset), n);
                let selected = l.select(mask, l.load_n(x.add(offset), n), l.load_n(y.add(offset), n));
                l.store_n(out.add(offset), n, selected);
            }
        }
    }
}

/// The body of `where` over elements of 16 bytes.
pub struct Select16;

const BLOCK16: usize = 16;

impl<L: Token> Body<L> for Select16 {
    const ARITY: usize = 3;
    const IN_BYTES: [usize; INPUTS] = [1, 16, 16, 0];
    const OUT_BYTES: usize = 16;
    const BLOCK: usize = BLOCK16;
    const IS_SELECT: bool = true;
    type State = ();

    #[inline(always)]
    fn start(_: L) {}

    #[inline(always)]
    unsafe fn block(_: L, out: *mut u8, ins: [*const u8; INPUTS], (): &mut ()) {
        // SAFETY: every pointer is valid for a block.
        unsafe {
            let mask = ins[0].cast::<[u8; BLOCK16]>().read_unaligned();
            let x = ins[1].cast::<[[u64; 2]; BLOCK16]>().read_unaligned();
            let mut r = ins[2].cast::<[[u64; 2]; BLOCK16]>().read_unaligned();
            for i in 0..BLOCK16 {
                let keep = u64::from(mask[i] == 0).wrapping_neg();
                r[i] = [x[i][0] ^ ((x[i][0] ^ r[i][0]) & keep), x[i][1] ^ ((x[i][1] ^ r[i][1]) & keep)];
            }
            out.cast::<[[u64; 2]; BLOCK16]>().write_unaligned(r);
        }
    }

    #[inline(always)]
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], count: usize, state: &mut ()) {
        let mut mask = [0u8; BLOCK16];
        let (mut x, mut y) = ([0u128; BLOCK16], [0u128; BLOCK16]);
        // SAFETY: every pointer is valid for `count < BLOCK16` elements; the arrays are whole blocks.
        unsafe {
            copy_elements(ins[0], mask.as_mut_ptr(), count);
            copy_elements(ins[1].cast(), x.as_mut_ptr(), count);
            copy_elements(ins[2].cast(), y.as_mut_ptr(), count);
            let result = y.as_mut_ptr();
            Self::block(l, result.cast(), [mask.as_ptr(), x.as_ptr().cast(), result.cast(), core::ptr::null()], state);
            copy_elements(result.cast_const(), out.cast(), count);
        }
    }
}
