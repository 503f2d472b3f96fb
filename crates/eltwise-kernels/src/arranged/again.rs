//! One operand in order that comes again and again: each of its vectors is made once, and used wherever it comes.

use eltwise_simd::{Opens, Stored};

use super::one::Row;
use super::{apply, first_of, in_order};
use crate::functions::Lanewise;
use crate::pack::orders::{Line, Orders};

/// One row.
///
/// # Safety
/// As of [`one::row_of`](super::one), for orders of which cycles come more than once.
#[inline(always)]
pub(super) unsafe fn row_of<L, F, S, const SIZE: usize, const K: usize, const PAIRS: bool>(
    l: L,
    mut row: Row,
    orders: &Orders,
    mut from: *const u8,
    past: usize,
) where
    S: Stored,
    L: Opens<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    let (n, cycle) = (L::BYTES, L::BYTES * orders.vectors());
    // What is constant is read before anything is written.
    let (groups, lines) = (&*orders.groups, orders.lines.as_ptr().cast::<u8>());
    let (most, advance, last) = (orders.again, orders.advance, orders.last);
    let apart = if row.step == 0 { 0 } else { cycle };
    while row.left >= cycle && from.addr() + last + n <= past {
        let times = if row.left >= most * cycle { most } else { row.left / cycle };
        let mut order = lines;
        let (mut out, mut other) = (row.out, row.other);
        for group in groups {
            let windows = group.windows.map(|window| from.wrapping_add(window));
            for _ in 0..group.vectors {
                // SAFETY: both windows end before `past`; every vector of the cycle has an order; of the other operand and
                // the output, `times` cycles are there.
                unsafe {
                    let own = l.open(vector::<L, SIZE, PAIRS>(l, windows, order));
                    repeat::<L, F, S, SIZE, K>(l, own, (out, other), (cycle, apart), times * cycle);
                }
                (out, other) = (out.wrapping_add(n), other.wrapping_add(row.step));
                order = order.wrapping_add(size_of::<Line>());
            }
        }
        row.out = row.out.wrapping_add(times * cycle);
        row.other = row.other.wrapping_add(times * apart);
        row.left -= times * cycle;
        from = from.wrapping_offset(if times == most { advance } else { 0 });
    }
    // Vector by vector, where windows may end behind `past`, or the row within a cycle.
    let mut times = most;
    while row.left > 0 {
        let mut order = lines;
        for group in groups {
            let [a, b] = group.windows.map(|window| from.wrapping_add(window));
            // SAFETY: what is read ends before `past`; every vector of the cycle has an order; of the other operand and
            // the output, `left` bytes are there.
            unsafe {
                let first = first_of::<L, SIZE>(l, a, past);
                let second = if PAIRS { first_of::<L, SIZE>(l, b, past) } else { first };
                for _ in 0..group.vectors {
                    let own = in_order::<L, SIZE>(l, PAIRS, [first, second], order);
                    if row.left < n {
                        row.finish::<L, F, S, SIZE, K>(l, own);
                        return;
                    }
                    row.next::<L, F, S, SIZE, K>(l, l.open(own));
                    row.left -= n;
                    if row.left == 0 {
                        return;
                    }
                    order = order.add(size_of::<Line>());
                }
            }
        }
        times -= 1;
        if times == 0 {
            times = most;
            from = from.wrapping_offset(advance);
        }
    }
}

/// One vector with those of the other operand that lie a cycle apart, for so many bytes of the output.
///
/// # Safety
/// The operands are valid for a vector at each step.
#[inline(always)]
unsafe fn repeat<L, F, S, const SIZE: usize, const K: usize>(
    l: L,
    own: [L::V; 2],
    (mut out, mut other): (*mut u8, *const u8),
    (cycle, apart): (usize, usize),
    bytes: usize,
) where
    S: Stored,
    L: Opens<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    // By address: the compiler, which cannot count the steps, leaves the loop as short as it is.
    let end = out.wrapping_add(bytes);
    while out < end {
        // SAFETY: the caller's contract.
        unsafe { l.close_at(out, apply::<L, F, S, SIZE, K>(l, own, l.open_at(other))) };
        (out, other) = (out.wrapping_add(cycle), other.wrapping_add(apart));
    }
}

/// A vector out of windows in memory.
///
/// # Safety
/// The windows are readable; the order is one.
#[inline(always)]
unsafe fn vector<L: eltwise_simd::Arrange<SIZE>, const SIZE: usize, const PAIRS: bool>(
    l: L,
    [a, b]: [*const u8; 2],
    order: *const u8,
) -> L::Arranged {
    // SAFETY: the caller's contract.
    unsafe {
        let first = l.whole(a);
        in_order::<L, SIZE>(l, PAIRS, [first, if PAIRS { l.whole(b) } else { first }], order)
    }
}
