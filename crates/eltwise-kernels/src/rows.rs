//! The loop over rows and columns, shared by every kernel that computes.
//!
//! A row is walked in blocks of [`Body::BLOCK`] elements, the rest as a tail of the same arithmetic on masked or
//! padded lanes. A splat operand becomes a block on the stack that the loop reads again and again (a step of 0), so one
//! kernel serves every pattern of splats. Rows of four blocks and more first peel a few elements so that the *output* is
//! aligned (that is what costs when it is not), unless its elements straddle the borders of vectors. At the portable level a tail is a
//! block on the stack.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use eltwise_simd::{Entry, Isa, Token};

use crate::abi::{Call, INPUTS, Operand};

/// The largest block of any body, in bytes of one operand.
const SPLAT_BYTES: usize = 512;

/// Whether kernels of the level are small before they are fast: the portable one, whose vectors are arrays that take several times as
/// many instructions (and seconds to compile) as vectors in registers do.
pub(crate) const fn small<L: Token>() -> bool {
    matches!(L::ISA, Isa::Scalar)
}

/// What a kernel does with a block of elements.
pub trait Body<L: Token> {
    /// The number of inputs.
    const ARITY: usize;
    /// Bytes of an element of each input.
    const IN_BYTES: [usize; INPUTS];
    /// Bytes of an element of the output.
    const OUT_BYTES: usize;
    /// The elements of a block.
    const BLOCK: usize;
    /// Whether the first operand, a byte, chooses between the second and the third. (Memory bounds a large `where`: a row under a condition of
    /// one element, 4 KiB of 12 MiB in all, takes 0.77 of the time when only what is chosen is read.)
    const CHOOSES: bool = false;
    /// What is remembered from block to block: data conditions.
    type Note: Copy;

    /// Nothing remembered.
    fn note(l: L) -> Self::Note;
    /// Prepares for the blocks of a row from an operand that they do not read.
    ///
    /// # Safety
    /// The call's operands are valid, and it has this row and a column.
    #[inline(always)]
    unsafe fn row(_l: L, _call: &Call, _row: usize, _note: &mut Self::Note) {}
    /// The bits of [`Call::flags`] that were met.
    fn flags(l: L, note: Self::Note) -> u32;
    /// Computes `BLOCK` elements.
    ///
    /// # Safety
    /// The pointers are valid for `BLOCK` elements of their sizes.
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], note: &mut Self::Note);
    /// Computes the first `n < BLOCK` elements of a block.
    ///
    /// # Safety
    /// The pointers are valid for `n` elements of their sizes.
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], n: usize, note: &mut Self::Note);
}

/// The kernel of a body: its entry into an ISA.
pub struct Rows<B>(PhantomData<B>);

/// The kernel of two bodies: `D` takes the calls whose second operand is a splat.
pub struct RowsByDivisor<B, D>(PhantomData<(B, D)>);

impl<L: Token, B: Body<L>, D: Body<L>> Entry<L, Call> for RowsByDivisor<B, D> {
    #[inline(always)]
    unsafe fn run(l: L, call: &Call) {
        // SAFETY: the caller's contract.
        unsafe {
            if call.ins[1].splat {
                Rows::<D>::run(l, call);
            } else {
                Rows::<B>::run(l, call);
            }
        }
    }
}

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Splat(#[allow(dead_code, reason = "written and read through pointers")] [u8; SPLAT_BYTES]);

impl<L: Token, B: Body<L>> Entry<L, Call> for Rows<B> {
    #[inline(always)]
    unsafe fn run(l: L, call: &Call) {
        const {
            let mut k = 0;
            while k < B::ARITY {
                assert!(B::BLOCK * B::IN_BYTES[k] <= SPLAT_BYTES, "a splat block must fit");
                k += 1;
            }
            assert!(B::BLOCK * B::OUT_BYTES <= SPLAT_BYTES, "a block of the output must fit");
        }
        let mut splats = [MaybeUninit::<Splat>::uninit(); INPUTS];
        let mut note = B::note(l);
        let (mut call, mut row) = (call, 0);
        while row < call.rows {
            // Where the row's elements are read; bytes from an element to the next.
            let (mut ins, mut steps) = ([core::ptr::null::<u8>(); INPUTS], B::IN_BYTES);
            let mut k = 0;
            while k < B::ARITY {
                let operand = &call.ins[k];
                ins[k] = down(operand, row);
                if operand.splat {
                    let block = splats[k].as_mut_ptr().cast::<u8>();
                    if row == 0 || operand.row != 0 {
                        // SAFETY: the operand has an element in this row; the block has room, checked above.
                        unsafe { fill(block, ins[k], B::IN_BYTES[k], B::BLOCK) };
                    }
                    (ins[k], steps[k]) = (block, 0);
                }
                k += 1;
            }
            let out = down(&call.outs[0], row);
            if call.cols > 0 {
                // SAFETY: the operands are valid for this row, which has columns.
                unsafe {
                    if const { B::CHOOSES } && steps[0] == 0 {
                        // The row is one of the operands: that one stands for both, and the other is not read.
                        let (chosen, other) = if ins[0].read() != 0 { (1, 2) } else { (2, 1) };
                        (ins[other], steps[other]) = (ins[chosen], steps[chosen]);
                    }
                    B::row(l, call, row, &mut note);
                }
            }
            // SAFETY: the operands are valid for `cols` elements of this row; splats for a block.
            unsafe {
                if const { small::<L>() } {
                    columns_in_blocks::<L, B>(l, out, ins, steps, call.cols, &mut note);
                } else {
                    columns::<L, B>(l, out, ins, steps, call.cols, &mut note);
                }
            }
            row += 1;
            if row == call.rows {
                break;
            }
            // Most calls are one row. What leads to the next is read from the call again: the compiler, which would keep all of it in
            // registers and so on the stack from the first row on, is not told that it has not changed.
            call = core::hint::black_box(call);
        }
        let flags = B::flags(l, note);
        if flags != 0 {
            // SAFETY: `flags` points to an atomic.
            unsafe { &*call.flags }.fetch_or(flags, core::sync::atomic::Ordering::Relaxed);
        }
    }
}

/// Where a row of an operand begins.
#[inline(always)]
fn down(operand: &Operand, row: usize) -> *mut u8 {
    operand.ptr.wrapping_offset((row as isize).wrapping_mul(operand.row))
}

/// One row.
///
/// # Safety
/// `out` is valid for `cols` elements; each input for `cols` elements, or for a block when its step is 0.
#[inline(always)]
unsafe fn columns<L: Token, B: Body<L>>(
    l: L,
    mut out: *mut u8,
    mut ins: [*const u8; INPUTS],
    steps: [usize; INPUTS],
    cols: usize,
    note: &mut B::Note,
) {
    let mut left = cols;
    // The elements before the output's next vector border, when there are many and the border can be reached.
    let vector = L::ISA.vector_bytes();
    let over = out.addr() % vector;
    let mut part = 0;
    if left >= 4 * B::BLOCK && over != 0 && (vector - over).is_multiple_of(B::OUT_BYTES) {
        part = (vector - over) / B::OUT_BYTES;
        if part >= B::BLOCK {
            part = 0;
        }
    }
    loop {
        if part > 0 {
            // SAFETY: `part` elements are left, fewer than a block.
            unsafe { B::tail(l, out, ins, part, note) };
            left -= part;
            if left == 0 {
                return;
            }
            advance::<L, B>(&mut out, &mut ins, steps, part);
        }
        while left >= B::BLOCK {
            // SAFETY: a block is left.
            unsafe { B::block(l, out, ins, note) };
            left -= B::BLOCK;
            advance::<L, B>(&mut out, &mut ins, steps, B::BLOCK);
        }
        if left == 0 {
            return;
        }
        part = left;
    }
}

/// Moves operands along a row by so many elements.
#[inline(always)]
fn advance<L: Token, B: Body<L>>(
    out: &mut *mut u8,
    ins: &mut [*const u8; INPUTS],
    steps: [usize; INPUTS],
    elements: usize,
) {
    *out = out.wrapping_add(elements * B::OUT_BYTES);
    // One by one and asked in `const`: thousands of kernels hold this code, and a loop is unrolled in each of them.
    if const { B::ARITY > 0 } {
        ins[0] = ins[0].wrapping_add(elements * steps[0]);
    }
    if const { B::ARITY > 1 } {
        ins[1] = ins[1].wrapping_add(elements * steps[1]);
    }
    if const { B::ARITY > 2 } {
        ins[2] = ins[2].wrapping_add(elements * steps[2]);
    }
    if const { B::ARITY > 3 } {
        ins[3] = ins[3].wrapping_add(elements * steps[3]);
    }
}

/// One row, with the body once: the elements after the last block are a block on the stack, of which only they are stored. What fills
/// it up is the first of them, so that no condition is met that they do not meet.
///
/// # Safety
/// As of [`columns`].
#[inline(always)]
unsafe fn columns_in_blocks<L: Token, B: Body<L>>(
    l: L,
    mut out: *mut u8,
    mut ins: [*const u8; INPUTS],
    steps: [usize; INPUTS],
    cols: usize,
    note: &mut B::Note,
) {
    let mut room = [MaybeUninit::<Splat>::uninit(); INPUTS + 1];
    let mut left = cols;
    while left > 0 {
        let whole = left >= B::BLOCK;
        // SAFETY: each operand has `left` elements, at least one, or is a splat's block. Where they are fewer than a block, they are
        // copied from and to blocks of `room`, which have room, checked by `run`; the body writes the whole of its block.
        unsafe {
            let (mut to, mut from) = (out, ins);
            let mut k = 0;
            while k < B::ARITY {
                if !whole && steps[k] != 0 {
                    let block = room[k].as_mut_ptr().cast::<u8>();
                    fill(block, ins[k], B::IN_BYTES[k], B::BLOCK);
                    block.copy_from_nonoverlapping(ins[k], left * B::IN_BYTES[k]);
                    from[k] = block;
                }
                k += 1;
            }
            if !whole {
                to = room[INPUTS].as_mut_ptr().cast();
            }
            B::block(l, to, from, note);
            if !whole {
                out.copy_from_nonoverlapping(to, left * B::OUT_BYTES);
                return;
            }
        }
        left -= B::BLOCK;
        advance::<L, B>(&mut out, &mut ins, steps, B::BLOCK);
    }
}

/// Fills a block with `count` copies of an element of `size` bytes.
///
/// # Safety
/// `from` is readable for `size` bytes, `to` writable for `size * count`.
#[inline(always)]
unsafe fn fill(to: *mut u8, from: *const u8, size: usize, count: usize) {
    // SAFETY: the caller's contract; reads and writes need no alignment.
    unsafe {
        match size {
            1 => to.write_bytes(from.read(), count),
            2 => fill_with(to, from.cast::<u16>().read_unaligned(), count),
            4 => fill_with(to, from.cast::<u32>().read_unaligned(), count),
            8 => fill_with(to, from.cast::<u64>().read_unaligned(), count),
            _ => fill_with(to, from.cast::<u128>().read_unaligned(), count),
        }
    }
}

/// # Safety
/// `to` is writable for `count` values.
#[inline(always)]
unsafe fn fill_with<T: Copy>(to: *mut u8, value: T, count: usize) {
    for i in 0..count {
        // SAFETY: the caller's contract.
        unsafe { to.cast::<T>().add(i).write_unaligned(value) };
    }
}
