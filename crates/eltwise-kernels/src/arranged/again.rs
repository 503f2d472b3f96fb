//! A permuted operand that repeats: each of its vectors is permuted once and used for every repetition.

use core::mem::MaybeUninit;

use eltwise_core::permute_limits::{MAX_REPEATED_VECTORS, MAX_VECTORS_IN_REGISTERS};
use eltwise_simd::{Stored, WidenNarrow};

use super::one::Row;
use super::orders::{Line, Orders};
use super::{apply, first_of, in_order};
use crate::functions::Lanewise;

/// The smallest number of repeats of a long cycle for which its vectors are held together.
const OFTEN: usize = 16;

/// One row.
///
/// # Safety
/// As of [`one::row_of`](super::one), for orders whose cycles repeat.
#[inline(always)]
pub(super) unsafe fn row_of<L, F, S, const SIZE: usize, const K: usize, const PAIRS: bool>(
    l: L,
    mut row: Row,
    orders: &Orders,
    mut from: *const u8,
    past: usize,
) where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    let (n, cycle) = (L::BYTES, L::BYTES * orders.vectors());
    // Constants are read before anything is written.
    let (groups, lines) = (&*orders.groups, orders.lines.as_ptr().cast::<u8>());
    let (most, advance, last) = (orders.again, orders.advance, orders.last);
    let apart = if row.step == 0 { 0 } else { cycle };
    let mut made = [MaybeUninit::uninit(); 2 * MAX_REPEATED_VECTORS];
    while row.left >= cycle && from.addr() + last + n <= past {
        let times = if row.left >= most * cycle { most } else { row.left / cycle };
        let mut steps = Steps { out: row.out, other: row.other, step: row.step, cycle, bytes: times * cycle };
        let together = orders.vectors() <= MAX_VECTORS_IN_REGISTERS || times >= OFTEN;
        let (mut order, mut count) = (lines, 0);
        for group in groups {
            let windows = group.windows.map(|window| from.wrapping_add(window));
            for _ in 0..group.vectors {
                // SAFETY: both windows end before `past`; every vector of the cycle has an order; of the other operand and
                // the output, `times` cycles are there.
                unsafe {
                    let own = l.widen(vector::<L, SIZE, PAIRS>(l, windows, order));
                    if together {
                        made[count] = MaybeUninit::new(own[0]);
                        made[count + L::VECTORS - 1] = MaybeUninit::new(own[L::VECTORS - 1]);
                        count += L::VECTORS;
                    } else {
                        steps.each::<L, F, S, SIZE, K, 1>(l, [own]);
                    }
                }
                order = order.wrapping_add(size_of::<Line>());
            }
        }
        // SAFETY: as many were made; of the other operand and the output, `times` cycles are there.
        unsafe { steps.all::<L, F, S, SIZE, K>(l, &made[..count]) };
        row.out = row.out.wrapping_add(times * cycle);
        row.other = row.other.wrapping_add(times * apart);
        row.left -= times * cycle;
        from = from.wrapping_offset(if times == most { advance } else { 0 });
    }
    // Vector by vector, where windows may end after `past`, or the row within a cycle.
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
                    row.next::<L, F, S, SIZE, K>(l, l.widen(own));
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

/// Where vectors that are held go, with what they meet.
struct Steps {
    out: *mut u8,
    other: *const u8,
    /// Bytes of the other operand that a vector moves on by: none for a splat.
    step: usize,
    /// Bytes from one use of a vector to the next.
    cycle: usize,
    /// Bytes of the output from the first time to the end of the last.
    bytes: usize,
}

impl Steps {
    /// Open vectors that were made, a few together: all of a short cycle, which then is written in order; of a longer one about as many
    /// each time.
    ///
    /// # Safety
    /// The operands are valid for them at each step.
    #[inline(always)]
    unsafe fn all<L, F, S, const SIZE: usize, const K: usize>(&mut self, l: L, made: &[MaybeUninit<L::V>])
    where
        S: Stored,
        L: WidenNarrow<S, SIZE>,
        F: Lanewise<S::Compute, L>,
    {
        let mut left = made;
        while !left.is_empty() {
            let vectors = left.len() / L::VECTORS;
            let count = if vectors <= MAX_VECTORS_IN_REGISTERS {
                vectors
            } else {
                vectors.div_ceil(vectors.div_ceil(MAX_VECTORS_IN_REGISTERS))
            };
            // SAFETY: the caller's contract; `count` vectors are left.
            unsafe {
                match count {
                    1 => self.each::<L, F, S, SIZE, K, 1>(l, first_of_made(left, L::VECTORS)),
                    2 => self.each::<L, F, S, SIZE, K, 2>(l, first_of_made(left, L::VECTORS)),
                    3 => self.each::<L, F, S, SIZE, K, 3>(l, first_of_made(left, L::VECTORS)),
                    4 => self.each::<L, F, S, SIZE, K, 4>(l, first_of_made(left, L::VECTORS)),
                    5 => self.each::<L, F, S, SIZE, K, 5>(l, first_of_made(left, L::VECTORS)),
                    _ => self.each::<L, F, S, SIZE, K, MAX_VECTORS_IN_REGISTERS>(l, first_of_made(left, L::VECTORS)),
                }
            }
            left = &left[count * L::VECTORS..];
        }
    }

    /// Vectors that stay in registers, wherever they come; then the vectors after them are next.
    ///
    /// # Safety
    /// As [`Steps::all`].
    #[inline(always)]
    unsafe fn each<L, F, S, const SIZE: usize, const K: usize, const N: usize>(&mut self, l: L, own: [[L::V; 2]; N])
    where
        S: Stored,
        L: WidenNarrow<S, SIZE>,
        F: Lanewise<S::Compute, L>,
    {
        // By address: the compiler, which cannot count the steps, leaves the loop as short as it is.
        let (mut out, end) = (self.out, self.out.wrapping_add(self.bytes));
        let mut other = self.other;
        if self.step == 0 {
            // SAFETY: the caller's contract.
            let met = unsafe { l.load_widened(other) };
            while out < end {
                for (i, &own) in own.iter().enumerate() {
                    // SAFETY: the caller's contract.
                    unsafe { l.store_narrowed(out.wrapping_add(i * L::BYTES), apply::<L, F, S, SIZE, K>(l, own, met)) };
                }
                out = out.wrapping_add(self.cycle);
            }
        } else {
            while out < end {
                for (i, &own) in own.iter().enumerate() {
                    // SAFETY: the caller's contract.
                    unsafe {
                        let met = l.load_widened(other.wrapping_add(i * L::BYTES));
                        l.store_narrowed(out.wrapping_add(i * L::BYTES), apply::<L, F, S, SIZE, K>(l, own, met));
                    }
                }
                (out, other) = (out.wrapping_add(self.cycle), other.wrapping_add(self.cycle));
            }
        }
        (self.out, self.other) = (self.out.wrapping_add(N * L::BYTES), self.other.wrapping_add(N * self.step));
    }
}

/// The first `N` widened vectors; each is made of one or two of the permuted ones.
///
/// # Safety
/// So many were made.
#[inline(always)]
unsafe fn first_of_made<V: Copy, const N: usize>(made: &[MaybeUninit<V>], parts: usize) -> [[V; 2]; N] {
    // SAFETY: the caller's contract.
    core::array::from_fn(|i| unsafe { [made[parts * i].assume_init(), made[parts * i + parts - 1].assume_init()] })
}

/// A vector out of windows in memory.
///
/// # Safety
/// The windows are readable; the order is one.
#[inline(always)]
unsafe fn vector<L: eltwise_simd::Permute<SIZE>, const SIZE: usize, const PAIRS: bool>(
    l: L,
    [a, b]: [*const u8; 2],
    order: *const u8,
) -> L::Vector {
    // SAFETY: the caller's contract.
    unsafe {
        let first = l.load_window(a);
        in_order::<L, SIZE>(l, PAIRS, [first, if PAIRS { l.load_window(b) } else { first }], order)
    }
}
