//! The loop over rows and columns that every computing kernel shares. Look here for how blocks, tails and splat
//! operands work; [`Body`] is what a kernel adds, and [`Rows`] makes a kernel of it.
//!
//! A row is processed in blocks of [`Body::BLOCK`] elements, and then a tail with the same arithmetic on masked or
//! padded lanes. A splat operand is expanded to one block on the stack, which the loop reads again for every block (a
//! step of 0), so that one kernel handles every combination of splats. Rows of four blocks and more first peel a few
//! elements to align the *output*, because misaligned stores are the expensive ones; they do not if no element of the
//! output starts at a vector boundary. Long functions run from the last element to the first where loads would otherwise
//! wait for stores (`waits_for_stores`). On the scalar ISA, a tail is a padded block on the stack.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use eltwise_simd::{Entry, Isa, Token};

use crate::abi::{Call, INPUTS, Operand};

/// The largest block of any body, in bytes of one operand.
pub(crate) const MAX_BLOCK_BYTES: usize = 512;

/// Whether kernels of an ISA favour small code over speed. The scalar ISA does: its vectors are arrays, which need
/// several times as many instructions (and seconds to compile) as vectors in registers.
pub(crate) const fn prefers_small_code<L: Token>() -> bool {
    matches!(L::ISA, Isa::Scalar)
}

/// The loop body of a kernel: what it does with a block of elements.
pub trait Body<L: Token> {
    /// The number of inputs.
    const ARITY: usize;
    /// Bytes of an element of each input.
    const IN_BYTES: [usize; INPUTS];
    /// Bytes of an element of the output.
    const OUT_BYTES: usize;
    /// The number of elements in a block.
    const BLOCK: usize;
    /// Whether a block is a long chain of dependent operations, so that waiting for the stores of another block shows:
    /// see `waits_for_stores`.
    const IS_LONG: bool = false;
    /// Whether the first operand, a byte, selects between the second and the third. A row with one condition then reads
    /// only the selected operand, which takes 0.77 of the time if memory bounds a large `where` (rows of 4 KiB, 12 MiB
    /// in all).
    const IS_SELECT: bool = false;
    /// Carried from block to block, for example the data conditions.
    type State: Copy;

    /// The state before the first row.
    fn start(l: L) -> Self::State;
    /// Prepares a row from an operand that the blocks do not read. Rows may come from the last to the first.
    ///
    /// # Safety
    /// The operands of the call are valid. The call has this row and at least one column.
    #[inline(always)]
    unsafe fn start_row(_l: L, _call: &Call, _row: usize, _state: &mut Self::State) {}
    /// The bits of [`Call::flags`] that were met.
    #[inline(always)]
    fn flags(_l: L, _state: Self::State) -> u32 {
        0
    }
    /// Computes `BLOCK` elements.
    ///
    /// # Safety
    /// The pointers are valid for `BLOCK` elements of their sizes.
    unsafe fn block(l: L, out: *mut u8, ins: [*const u8; INPUTS], state: &mut Self::State);
    /// Computes `n < BLOCK` elements.
    ///
    /// # Safety
    /// The pointers are valid for `n` elements of their sizes.
    unsafe fn tail(l: L, out: *mut u8, ins: [*const u8; INPUTS], n: usize, state: &mut Self::State);
}

/// The kernel of a body: its entry for an ISA.
pub struct Rows<B>(PhantomData<B>);

/// The kernel of two bodies: `D` runs calls whose second operand is splat, `B` all others.
pub struct RowsByScalar<B, D>(PhantomData<(B, D)>);

impl<L: Token, B: Body<L>, D: Body<L>> Entry<L, Call> for RowsByScalar<B, D> {
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

/// A block of any operand.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(crate) struct BlockBytes(#[allow(dead_code, reason = "written and read through pointers")] [u8; MAX_BLOCK_BYTES]);

impl<L: Token, B: Body<L>> Entry<L, Call> for Rows<B> {
    #[inline(always)]
    unsafe fn run(l: L, call: &Call) {
        const {
            let mut k = 0;
            while k < B::ARITY {
                assert!(B::BLOCK * B::IN_BYTES[k] <= MAX_BLOCK_BYTES, "a splat block must fit");
                k += 1;
            }
            assert!(B::BLOCK * B::OUT_BYTES <= MAX_BLOCK_BYTES, "a block of the output must fit");
        }
        let mut splats = [MaybeUninit::<BlockBytes>::uninit(); INPUTS];
        let mut state = B::start(l);
        let is_backward = const { B::IS_LONG } && waits_for_stores::<L, B>(call);
        let (mut call, mut done) = (call, 0);
        while done < call.rows {
            let row = if is_backward { call.rows - 1 - done } else { done };
            // The inputs of this row, and their bytes from one element to the next.
            let (mut ins, mut steps) = ([core::ptr::null::<u8>(); INPUTS], B::IN_BYTES);
            let mut k = 0;
            while k < B::ARITY {
                let operand = &call.ins[k];
                ins[k] = row_start(operand, row);
                if operand.splat {
                    let block = splats[k].as_mut_ptr().cast::<u8>();
                    if done == 0 || operand.row != 0 {
                        // SAFETY: the operand has an element in this row; the block fits, as asserted above.
                        unsafe { fill(block, ins[k], B::IN_BYTES[k], B::BLOCK) };
                    }
                    (ins[k], steps[k]) = (block, 0);
                }
                k += 1;
            }
            let out = row_start(&call.out, row);
            if call.cols > 0 {
                // SAFETY: the operands are valid for this row, which has columns.
                unsafe {
                    if const { B::IS_SELECT } && steps[0] == 0 {
                        // The whole row is one of the two operands. It replaces the other one, which is not read.
                        let (selected, other) = if ins[0].read() != 0 { (1, 2) } else { (2, 1) };
                        (ins[other], steps[other]) = (ins[selected], steps[selected]);
                    }
                    B::start_row(l, call, row, &mut state);
                }
            }
            // SAFETY: the operands are valid for `cols` elements of this row; splats for a block.
            unsafe {
                if const { prefers_small_code::<L>() } {
                    columns_in_blocks::<L, B>(l, out, ins, steps, call.cols, &mut state);
                } else {
                    columns::<L, B>(l, out, ins, steps, call.cols, is_backward, &mut state);
                }
            }
            done += 1;
            if done == call.rows {
                break;
            }
            // Most calls have one row. For the next row, the fields of the call are loaded again: the black box hides
            // that they have not changed. Otherwise the compiler would keep all of them in registers, and so spill
            // others, from the first row on.
            call = core::hint::black_box(call);
        }
        let flags = B::flags(l, state);
        if flags != 0 {
            // SAFETY: `flags` points to an atomic.
            unsafe { &*call.flags }.fetch_or(flags, core::sync::atomic::Ordering::Relaxed);
        }
    }
}

/// The first element of a row of an operand.
#[inline(always)]
pub(crate) fn row_start(operand: &Operand, row: usize) -> *mut u8 {
    operand.ptr.wrapping_offset((row as isize).wrapping_mul(operand.row))
}

/// Whether blocks in the order of memory would wait for stores, so that the last block runs first.
///
/// A load waits for an older store that may write the loaded bytes. Intel CPUs compare the low 20 bits of physical
/// addresses for that (Intel's optimization manual calls a match of 12 bits "4K aliasing"; that one is short). In large
/// pages these are the low bits of pointers. If the output starts a little after an input modulo 1 MiB, each block
/// would wait until the block before it is computed. From the last block to the first, loads of that input meet no store
/// of the blocks before it. (Those of an input a little after the output do: one of two such inputs waits in either
/// order.) Measured on Emerald Rapids, `exp` over `f64`, 1 M elements in large pages: 0.6 ns an
/// element, and 2.5 ns if the output starts 64 bytes after the input.
#[inline(always)]
fn waits_for_stores<L: Token, B: Body<L>>(call: &Call) -> bool {
    // A store meets a load of the next block, or of the one after it, if it is at most this many bytes ahead.
    const REACH: usize = 2 * MAX_BLOCK_BYTES;
    let mut k = 0;
    while k < B::ARITY {
        let ahead = call.out.ptr.addr().wrapping_sub(call.ins[k].ptr.addr()) % (1 << 20);
        if !call.ins[k].splat && 0 < ahead && ahead < REACH {
            return true;
        }
        k += 1;
    }
    false
}

/// Computes one row: the blocks from the last to the first if `is_backward`.
///
/// # Safety
/// `out` is valid for `cols` elements; each input for `cols` elements, or for a block if its step is 0.
#[inline(always)]
unsafe fn columns<L: Token, B: Body<L>>(
    l: L,
    mut out: *mut u8,
    mut ins: [*const u8; INPUTS],
    steps: [usize; INPUTS],
    cols: usize,
    is_backward: bool,
    state: &mut B::State,
) {
    let mut remaining = cols;
    // The elements before the first vector boundary of a long output, if an element starts there.
    let vector = L::ISA.vector_bytes();
    let misaligned = out.addr() % vector;
    let mut part = 0;
    if remaining >= 4 * B::BLOCK && misaligned != 0 && (vector - misaligned).is_multiple_of(B::OUT_BYTES) {
        part = (vector - misaligned) / B::OUT_BYTES;
        if part >= B::BLOCK {
            part = 0;
        }
    }
    if is_backward {
        part = (cols - part) % B::BLOCK;
        advance::<L, B>(&mut out, &mut ins, steps, cols as isize);
    }
    // First the peeled elements, then the blocks, then the tail, or backward: one loop, so that the code of `tail`
    // exists once. Backward, the pointers are to the end of what remains.
    loop {
        if part > 0 {
            if is_backward {
                advance::<L, B>(&mut out, &mut ins, steps, -(part as isize));
            }
            // SAFETY: `part` elements remain, fewer than a block.
            unsafe { B::tail(l, out, ins, part, state) };
            remaining -= part;
            if remaining == 0 {
                return;
            }
            if !is_backward {
                advance::<L, B>(&mut out, &mut ins, steps, part as isize);
            }
        }
        let block = B::BLOCK as isize;
        if is_backward {
            advance::<L, B>(&mut out, &mut ins, steps, -block);
        }
        while remaining >= B::BLOCK {
            // SAFETY: a block remains.
            unsafe { B::block(l, out, ins, state) };
            remaining -= B::BLOCK;
            advance::<L, B>(&mut out, &mut ins, steps, if is_backward { -block } else { block });
        }
        if is_backward {
            advance::<L, B>(&mut out, &mut ins, steps, block);
        }
        if remaining == 0 {
            return;
        }
        part = remaining;
    }
}

/// Moves the operands along a row by a number of elements.
#[inline(always)]
fn advance<L: Token, B: Body<L>>(
    out: &mut *mut u8,
    ins: &mut [*const u8; INPUTS],
    steps: [usize; INPUTS],
    elements: isize,
) {
    *out = out.wrapping_offset(elements * B::OUT_BYTES as isize);
    // Written out, with `const` conditions: a loop would have to be unrolled in each of thousands of kernels.
    if const { B::ARITY > 0 } {
        ins[0] = ins[0].wrapping_offset(elements * steps[0] as isize);
    }
    if const { B::ARITY > 1 } {
        ins[1] = ins[1].wrapping_offset(elements * steps[1] as isize);
    }
    if const { B::ARITY > 2 } {
        ins[2] = ins[2].wrapping_offset(elements * steps[2] as isize);
    }
    if const { B::ARITY > 3 } {
        ins[3] = ins[3].wrapping_offset(elements * steps[3] as isize);
    }
}

/// Computes one row with a single copy of the body: the tail is computed as a block on the stack, and only its elements
/// are stored. The padding repeats the first element of the tail, so that it meets no other condition.
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
    state: &mut B::State,
) {
    let mut padded = [MaybeUninit::<BlockBytes>::uninit(); INPUTS + 1];
    let mut remaining = cols;
    while remaining > 0 {
        let is_full = remaining >= B::BLOCK;
        // SAFETY: each operand has `remaining` elements, at least one, or is the block of a splat. If they are fewer
        // than a block, they are copied from and to blocks of `padded`, which are large enough, as `run` asserts; the
        // body writes all of its block.
        unsafe {
            let (mut to, mut from) = (out, ins);
            let mut k = 0;
            while k < B::ARITY {
                if !is_full && steps[k] != 0 {
                    let block = padded[k].as_mut_ptr().cast::<u8>();
                    fill(block, ins[k], B::IN_BYTES[k], B::BLOCK);
                    block.copy_from_nonoverlapping(ins[k], remaining * B::IN_BYTES[k]);
                    from[k] = block;
                }
                k += 1;
            }
            if !is_full {
                to = padded[INPUTS].as_mut_ptr().cast();
            }
            B::block(l, to, from, state);
            if !is_full {
                out.copy_from_nonoverlapping(to, remaining * B::OUT_BYTES);
                return;
            }
        }
        remaining -= B::BLOCK;
        advance::<L, B>(&mut out, &mut ins, steps, B::BLOCK as isize);
    }
}

/// Fills a block with `count` copies of an element of `size` bytes.
///
/// # Safety
/// `from` is readable for `size` bytes, `to` writable for `size * count`.
#[inline(always)]
unsafe fn fill(to: *mut u8, from: *const u8, size: usize, count: usize) {
    // SAFETY: the caller's contract; the reads and writes need no alignment.
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
pub(crate) unsafe fn fill_with<T: Copy>(to: *mut u8, value: T, count: usize) {
    for i in 0..count {
        // SAFETY: the caller's contract; the writes need no alignment.
        unsafe { to.cast::<T>().add(i).write_unaligned(value) };
    }
}
