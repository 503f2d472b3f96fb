//! Row reuse: the vectors of a broadcast row stay in registers across output rows.

use eltwise_simd::{Stored, WidenNarrow};

use super::apply;
use crate::abi::{Call, Operand};
use crate::functions::Lanewise;

/// All rows of a call, block of columns by block of columns. `own` is the operand whose row is the same for all rows, operand `K` of the
/// function; `other` is contiguous along the columns or splat.
///
/// # Safety
/// As for [`Kernel`](crate::Kernel).
#[inline(always)]
pub(super) unsafe fn rows<L, F, S, const SIZE: usize, const K: usize>(l: L, call: &Call, own: &Operand, other: &Operand)
where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    let bytes = call.cols * size_of::<S>();
    let mut at = 0;
    // Blocks as wide as registers are many.
    while bytes - at >= L::BYTES {
        let vectors = (bytes - at) / L::BYTES;
        // SAFETY: so many vectors are left of every row.
        let done = unsafe {
            match vectors {
                8.. if L::VECTORS == 1 => block::<L, F, S, SIZE, K, 8>(l, call, own, other, at),
                4.. => block::<L, F, S, SIZE, K, 4>(l, call, own, other, at),
                2.. => block::<L, F, S, SIZE, K, 2>(l, call, own, other, at),
                _ => block::<L, F, S, SIZE, K, 1>(l, call, own, other, at),
            }
        };
        at += done * L::BYTES;
    }
    let left = bytes - at;
    if left == 0 {
        return;
    }
    // SAFETY: so many bytes are left of every row; of a splat there is an element.
    unsafe {
        let held = l.widen(l.load_window_n(own.ptr.wrapping_add(at), left));
        for row in 0..call.rows as isize {
            let from = down(other, row, at);
            let met = if other.splat { l.splat_widened(from) } else { l.widen(l.load_window_n(from, left)) };
            l.store_window_n(down(&call.out, row, at), left, l.narrow(apply::<L, F, S, SIZE, K>(l, held, met)));
        }
    }
}

/// `N` vectors of all rows, from byte `at` of each; how many they are.
///
/// # Safety
/// As for [`rows`]; each row has so many vectors there.
#[inline(always)]
unsafe fn block<L, F, S, const SIZE: usize, const K: usize, const N: usize>(
    l: L,
    call: &Call,
    own: &Operand,
    other: &Operand,
    at: usize,
) -> usize
where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    // SAFETY: the caller's contract.
    unsafe {
        let mut held = [l.load_widened(own.ptr.wrapping_add(at)); N];
        for (i, held) in held.iter_mut().enumerate().skip(1) {
            *held = l.load_widened(own.ptr.wrapping_add(at + i * L::BYTES));
        }
        let (mut out, mut from) = (down(&call.out, 0, at), down(other, 0, at));
        // The strides to the next row are read before anything is written.
        let (out_step, step, splat) = (call.out.row, other.row, other.splat);
        for _ in 0..call.rows {
            if splat {
                let met = l.splat_widened(from);
                for (i, &held) in held.iter().enumerate() {
                    l.store_narrowed(out.wrapping_add(i * L::BYTES), apply::<L, F, S, SIZE, K>(l, held, met));
                }
            } else {
                for (i, &held) in held.iter().enumerate() {
                    let met = l.load_widened(from.wrapping_add(i * L::BYTES));
                    l.store_narrowed(out.wrapping_add(i * L::BYTES), apply::<L, F, S, SIZE, K>(l, held, met));
                }
            }
            (out, from) = (out.wrapping_offset(out_step), from.wrapping_offset(step));
        }
    }
    N
}

/// Byte `at` of a row of an operand; a splat has one element.
#[inline(always)]
fn down(operand: &Operand, row: isize, at: usize) -> *mut u8 {
    let at = if operand.splat { 0 } else { at };
    operand.ptr.wrapping_offset(row.wrapping_mul(operand.row)).wrapping_add(at)
}
