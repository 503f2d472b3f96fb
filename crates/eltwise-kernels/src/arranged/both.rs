//! Both operands are permuted, in the same way: they have the same layout.

use eltwise_simd::{Stored, WidenNarrow};

use super::orders::{Line, Orders};
use super::{ArrangedCall, apply, first_of, in_order, last_of};
use crate::functions::Lanewise;

/// All rows of a call whose inputs are both permuted.
///
/// # Safety
/// As for [`ArrangedKernel`](super::ArrangedKernel).
#[inline(always)]
pub(super) unsafe fn rows<L, F, S, const SIZE: usize>(l: L, job: &ArrangedCall, orders: &Orders)
where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    let call = &job.call;
    for row in 0..call.rows as isize {
        let at = |ptr: *mut u8, stride: isize| ptr.wrapping_offset(row.wrapping_mul(stride));
        let place = |k: usize| at(call.ins[k].ptr, call.ins[k].row).cast_const();
        let from = [place(0), place(1)];
        let past = |k: usize| (from[k].addr() + job.reach).max(job.past[k].addr());
        let past = [past(0), past(1)];
        let (out, left) = (at(call.out.ptr, call.out.row), call.cols * size_of::<S>());
        // SAFETY: the operands are valid for the columns of this row.
        unsafe { row_of::<L, F, S, SIZE>(l, (out, left), orders, from, past) };
    }
}

/// One row.
///
/// # Safety
/// The output is valid for the bytes that are left, and so many of each input's elements begin at `from`; every byte up to the
/// addresses `past` is on a page of an element.
#[inline(always)]
unsafe fn row_of<L, F, S, const SIZE: usize>(
    l: L,
    (mut out, mut left): (*mut u8, usize),
    orders: &Orders,
    mut from: [*const u8; 2],
    past: [usize; 2],
) where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    let n = L::BYTES;
    // Constants are read before anything is written.
    let (groups, lines, pairs) = (&*orders.groups, orders.lines.as_ptr().cast::<u8>(), orders.pairs);
    let (advance, reached) = (orders.advance, orders.last + n);
    let next_line = if orders.lines.len() == 1 { 0 } else { size_of::<Line>() };
    let backwards = advance < 0;
    if backwards {
        from = [from[0].wrapping_sub(n - size_of::<S>()), from[1].wrapping_sub(n - size_of::<S>())];
    }
    if let ([group], [_]) = (groups, &*orders.lines)
        && group.vectors == 1
        && orders.again == 1
    {
        let [first, second] = group.windows;
        while left >= n && from[0].addr() + reached <= past[0] && from[1].addr() + reached <= past[1] {
            // SAFETY: both windows of both inputs end before `past`; `left` bytes of the output are there.
            unsafe {
                let (a, b) = (l.load_window(from[0].wrapping_add(first)), l.load_window(from[1].wrapping_add(first)));
                let (x, y) = if pairs {
                    let (c, d) =
                        (l.load_window(from[0].wrapping_add(second)), l.load_window(from[1].wrapping_add(second)));
                    (l.permute2([a, c], lines), l.permute2([b, d], lines))
                } else {
                    (l.permute(a, lines), l.permute(b, lines))
                };
                l.store_narrowed(out, apply::<L, F, S, SIZE, 0>(l, l.widen(x), l.widen(y)));
            }
            (out, left) = (out.wrapping_add(n), left - n);
            from = [from[0].wrapping_offset(advance), from[1].wrapping_offset(advance)];
        }
    }
    let mut times = orders.again;
    while left > 0 {
        let mut order = lines;
        let whole = from[0].addr() + reached <= past[0] && from[1].addr() + reached <= past[1];
        for group in groups {
            let [first, second] = group.windows;
            let (a0, a1) = (from[0].wrapping_add(first), from[0].wrapping_add(second));
            let (b0, b1) = (from[1].wrapping_add(first), from[1].wrapping_add(second));
            // SAFETY: what is read ends before `past`, or is on the stack; every vector of the cycle has an order; `left`
            // bytes of the output are there.
            unsafe {
                let (mut a, mut b);
                if backwards && left < n {
                    // The elements that are left are the last ones of the window.
                    (a, b) = ([last_of::<L, SIZE>(l, a0, left); 2], [last_of::<L, SIZE>(l, b0, left); 2]);
                } else if whole {
                    (a, b) = ([l.load_window(a0); 2], [l.load_window(b0); 2]);
                    if pairs {
                        (a[1], b[1]) = (l.load_window(a1), l.load_window(b1));
                    }
                } else {
                    a = [first_of::<L, SIZE>(l, a0, past[0]), first_of::<L, SIZE>(l, a1, past[0])];
                    b = [first_of::<L, SIZE>(l, b0, past[1]), first_of::<L, SIZE>(l, b1, past[1])];
                }
                for _ in 0..group.vectors {
                    let (x, y) = (in_order::<L, SIZE>(l, pairs, a, order), in_order::<L, SIZE>(l, pairs, b, order));
                    let v = l.narrow(apply::<L, F, S, SIZE, 0>(l, l.widen(x), l.widen(y)));
                    if left < n {
                        l.store_window_n(out, left, v);
                        return;
                    }
                    l.store_window(out, v);
                    (out, left) = (out.add(n), left - n);
                    if left == 0 {
                        return;
                    }
                    order = order.add(next_line);
                }
            }
        }
        times -= 1;
        if times == 0 {
            times = orders.again;
            from = [from[0].wrapping_offset(advance), from[1].wrapping_offset(advance)];
        }
    }
}
