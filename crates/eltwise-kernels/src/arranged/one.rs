//! One permuted operand; the other one is contiguous or splat.

use eltwise_simd::{Stored, WidenNarrow};

use super::orders::{Line, Orders};
use super::{ArrangedCall, again, apply, first_of, in_order, last_of};
use crate::functions::Lanewise;

/// The largest vector, where no load of it crosses a cache line.
#[repr(align(64))]
struct Vector([u8; 64]);

/// The rest of a row.
pub(super) struct Row {
    pub(super) out: *mut u8,
    pub(super) other: *const u8,
    /// Bytes of the other operand that a vector moves on by: none for a splat.
    pub(super) step: usize,
    /// Bytes.
    pub(super) left: usize,
}

/// All rows of a call with one permuted input, operand `K` of the function.
///
/// # Safety
/// As for [`ArrangedKernel`](super::ArrangedKernel).
#[inline(always)]
pub(super) unsafe fn all<L, F, S, const SIZE: usize, const K: usize>(l: L, job: &ArrangedCall, orders: &Orders)
where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    // SAFETY: the caller's contract.
    unsafe {
        match (orders.pairs, orders.again > 1) {
            (false, false) => rows::<L, F, S, SIZE, K, false, false>(l, job, orders),
            (true, false) => rows::<L, F, S, SIZE, K, true, false>(l, job, orders),
            (false, true) => rows::<L, F, S, SIZE, K, false, true>(l, job, orders),
            (true, true) => rows::<L, F, S, SIZE, K, true, true>(l, job, orders),
        }
    }
}

/// [`all`], for vectors of one window or of two (`PAIRS`), with cycles that are used once or repeat (`AGAIN`).
///
/// # Safety
/// As for [`ArrangedKernel`](super::ArrangedKernel).
#[inline(always)]
unsafe fn rows<L, F, S, const SIZE: usize, const K: usize, const PAIRS: bool, const AGAIN: bool>(
    l: L,
    job: &ArrangedCall,
    orders: &Orders,
) where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    let call = &job.call;
    let (own, other) = (&call.ins[job.input % 2], &call.ins[1 - job.input % 2]);
    let bytes = call.cols * size_of::<S>();
    let mut splat = Vector([0; 64]);
    for row in 0..call.rows as isize {
        let at = |ptr: *mut u8, stride: isize| ptr.wrapping_offset(row.wrapping_mul(stride));
        let (out, from) = (at(call.out.ptr, call.out.row), at(own.ptr, own.row).cast_const());
        let mut rest = Row { out, other: at(other.ptr, other.row), step: L::BYTES, left: bytes };
        if other.splat && bytes > 0 {
            // SAFETY: the operand has an element in this row; the block has room for a vector.
            unsafe { fill(splat.0.as_mut_ptr().cast::<S>(), rest.other.cast::<S>().read_unaligned()) };
            (rest.other, rest.step) = (splat.0.as_ptr(), 0);
        }
        let past = (from.addr() + job.reach).max(job.past[job.input % 2].addr());
        // SAFETY: the operands are valid for the columns of this row, or for a vector where the step is 0.
        unsafe {
            if AGAIN {
                again::row_of::<L, F, S, SIZE, K, PAIRS>(l, rest, orders, from, past);
            } else {
                row_of::<L, F, S, SIZE, K, PAIRS>(l, rest, orders, from, past);
            }
        }
    }
}

/// Fills a vector with an element.
///
/// # Safety
/// `to` is writable for 64 bytes.
#[inline(always)]
unsafe fn fill<S: Copy>(to: *mut S, element: S) {
    for i in 0..64 / size_of::<S>() {
        // SAFETY: within the 64 bytes.
        unsafe { to.add(i).write(element) };
    }
}

/// One row.
///
/// # Safety
/// The operands are valid for the rest of the row; its elements begin at `from`, and every byte up to the address `past`
/// is on a page of an element.
#[inline(always)]
unsafe fn row_of<L, F, S, const SIZE: usize, const K: usize, const PAIRS: bool>(
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
    let n = L::BYTES;
    let backwards = orders.advance < 0;
    if backwards {
        from = from.wrapping_sub(n - size_of::<S>());
    }
    let mut next_line = size_of::<Line>();
    if let ([group], [order]) = (&*orders.groups, &*orders.lines) {
        // One order for all vectors. What is constant is read before anything is written.
        let ([a, b], last, advance) = (group.windows, orders.last, orders.advance);
        let order = (&raw const *order).cast();
        if group.vectors == 1 {
            while row.left >= n && from.addr() + last + n <= past {
                // SAFETY: both windows end before `past`; of the other operand and the output, `left` bytes are there.
                unsafe {
                    let windows = [l.load_window(from.wrapping_add(a)), l.load_window(from.wrapping_add(b))];
                    let own = l.widen(in_order::<L, SIZE>(l, PAIRS, windows, order));
                    row.next::<L, F, S, SIZE, K>(l, own);
                }
                row.left -= n;
                from = from.wrapping_offset(advance);
            }
        } else {
            // Vectors that are alike: a row or an element that repeats over several.
            let bytes = n * group.vectors;
            while row.left >= bytes && from.addr() + last + n <= past {
                // SAFETY: both windows end before `past`; of the other operand and the output, `bytes` bytes are there.
                unsafe {
                    let first = l.load_window(from.wrapping_add(a));
                    let windows = [first, if PAIRS { l.load_window(from.wrapping_add(b)) } else { first }];
                    let own = l.widen(in_order::<L, SIZE>(l, PAIRS, windows, order));
                    for _ in 0..group.vectors {
                        row.next::<L, F, S, SIZE, K>(l, own);
                    }
                }
                row.left -= bytes;
                from = from.wrapping_offset(advance);
            }
        }
        next_line = 0;
    }
    let cycle = n * orders.groups.iter().map(|group| group.vectors).sum::<usize>();
    if backwards && row.left > 0 {
        // The elements that are left are the last ones of the window.
        // SAFETY: they follow the missing bytes in the window; the other operands have as many elements.
        unsafe {
            let windows = [last_of::<L, SIZE>(l, from, row.left); 2];
            let v = in_order::<L, SIZE>(l, PAIRS, windows, orders.lines.as_ptr().cast());
            row.finish::<L, F, S, SIZE, K>(l, v);
        }
        return;
    }
    while row.left > 0 {
        let mut order = orders.lines.as_ptr().cast::<u8>();
        let whole = next_line != 0 && row.left >= cycle && from.addr() + orders.last + n <= past;
        for group in &orders.groups {
            let (a, b) = (from.wrapping_add(group.windows[0]), from.wrapping_add(group.windows[1]));
            // SAFETY: what is read ends before `past`; every vector of the cycle has an order; of the other operand and
            // the output, `left` bytes are there.
            unsafe {
                if whole {
                    let first = l.load_window(a);
                    let windows = [first, if PAIRS { l.load_window(b) } else { first }];
                    let mut vectors = group.vectors;
                    while vectors >= 4 {
                        for _ in 0..4 {
                            let own = l.widen(in_order::<L, SIZE>(l, PAIRS, windows, order));
                            row.next::<L, F, S, SIZE, K>(l, own);
                            order = order.add(size_of::<Line>());
                        }
                        vectors -= 4;
                    }
                    while vectors > 0 {
                        let own = l.widen(in_order::<L, SIZE>(l, PAIRS, windows, order));
                        row.next::<L, F, S, SIZE, K>(l, own);
                        order = order.add(size_of::<Line>());
                        vectors -= 1;
                    }
                    continue;
                }
                let first = first_of::<L, SIZE>(l, a, past);
                let second = if PAIRS { first_of::<L, SIZE>(l, b, past) } else { first };
                for _ in 0..group.vectors {
                    let v = in_order::<L, SIZE>(l, PAIRS, [first, second], order);
                    if row.left < n {
                        row.finish::<L, F, S, SIZE, K>(l, v);
                        return;
                    }
                    row.next::<L, F, S, SIZE, K>(l, l.widen(v));
                    row.left -= n;
                    if row.left == 0 {
                        return;
                    }
                    order = order.add(next_line);
                }
            }
        }
        if whole {
            row.left -= cycle;
        }
        from = from.wrapping_offset(orders.advance);
    }
}

impl Row {
    /// A vector of the row; what is left is not counted.
    ///
    /// # Safety
    /// The operands are valid for a vector.
    #[inline(always)]
    pub(super) unsafe fn next<L, F, S, const SIZE: usize, const K: usize>(&mut self, l: L, own: [L::V; 2])
    where
        S: Stored,
        L: WidenNarrow<S, SIZE>,
        F: Lanewise<S::Compute, L>,
    {
        // SAFETY: the caller's contract; a splat stays where it is.
        unsafe {
            l.store_narrowed(self.out, apply::<L, F, S, SIZE, K>(l, own, l.load_widened(self.other)));
            (self.out, self.other) = (self.out.add(L::BYTES), self.other.add(self.step));
        }
    }

    /// The last bytes of a row, fewer than a vector.
    ///
    /// # Safety
    /// The operands are valid for the rest of the row.
    #[inline(always)]
    pub(super) unsafe fn finish<L, F, S, const SIZE: usize, const K: usize>(&self, l: L, own: L::Vector)
    where
        S: Stored,
        L: WidenNarrow<S, SIZE>,
        F: Lanewise<S::Compute, L>,
    {
        let there = if self.step == 0 { L::BYTES } else { self.left };
        // SAFETY: the caller's contract; a splat is a whole vector.
        unsafe {
            let other = l.widen(l.load_window_n(self.other, there));
            l.store_window_n(self.out, self.left, l.narrow(apply::<L, F, S, SIZE, K>(l, l.widen(own), other)));
        }
    }
}
