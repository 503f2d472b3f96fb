//! Kernels that put one operand in order in registers: no tile of it is packed.
//!
//! The operand's rows are vectors of memory put in [order](crate::pack): stretched elements, a short row that repeats,
//! two loops of either, elements two to four apart. The output and the other operand lie contiguous, or the other is one
//! element a row. For a few operators of elements of 4 and 8 bytes; all others are packed, to the same bits.

use core::marker::PhantomData;

use eltwise_plan::{DType, Op};
use eltwise_simd::lanes::{Element, Lanes, Level};
use eltwise_simd::{Arrange, Entry, Isa};

use crate::abi::Call;
use crate::functions::{self, Binary, Lanewise};
use crate::pack::orders::{self, Line, Orders};
use crate::pack::{Loop, coalesced};

/// How an operand's rows come out of memory, made with the plan.
#[derive(Clone, Debug)]
pub struct Arrangement {
    orders: Orders,
}

/// The arguments of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct ArrangedCall {
    /// The operands: contiguous along the columns or splat, but input [`input`](ArrangedCall::input), whose pointer is
    /// to the first element of its first row.
    pub call: Call,
    /// The input, 0 or 1, that is put in order.
    pub input: usize,
    /// Its orders.
    pub arrangement: *const Arrangement,
    /// Bytes from a row's first element to the end of its last: what lies between is on pages of the operand's elements.
    pub reach: usize,
    /// Bytes from a row's first element on up to here are on such pages too, if this lies behind the row.
    pub past: *const u8,
}

/// A kernel with an operand that is put in order.
///
/// # Safety
/// As for [`Kernel`](crate::Kernel), for an arrangement made for the operand's loops and the kernel's ISA. The operand that
/// is put in order overlaps no output.
pub type ArrangedKernel = unsafe fn(&ArrangedCall);

impl Arrangement {
    /// The arrangement of rows that are a nest of `sizes` and byte `strides`, outermost first, of elements of `size`
    /// bytes; `None`: they cannot be put in order.
    pub fn new(size: usize, sizes: &[usize], strides: &[isize], isa: Isa) -> Option<Arrangement> {
        let (nest, level) = (coalesced(sizes, strides), level(size, isa)?);
        if let [Loop { stride, .. }] = nest[..]
            && stride == -(size as isize)
        {
            return Some(Arrangement { orders: Orders::backwards(size, level)? });
        }
        Some(Arrangement { orders: Orders::new(size, &nest, level)? })
    }
}

/// The orders of elements of `size` bytes at `isa`; `None`: no kernel takes them.
fn level(size: usize, isa: Isa) -> Option<orders::Level> {
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
    fn of<L: Arrange<4>>() -> Option<orders::Level> {
        Some(orders::Level { bytes: L::BYTES, pairs: L::PAIRS, order: L::order })
    }
    match isa {
        _ if size != 4 && size != 8 => None,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => of::<eltwise_simd::x86_64::Avx2>(),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Fp16 => of::<eltwise_simd::x86_64::Avx512>(),
        _ => None,
    }
}

/// The kernel of an operator of two operands of `dtype`, at `isa`, if there is one.
pub fn arranged(op: Op, dtype: DType, isa: Isa) -> Option<ArrangedKernel> {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => of_level::<eltwise_simd::x86_64::Avx2>(op, dtype),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Fp16 => of_level::<eltwise_simd::x86_64::Avx512>(op, dtype),
        _ => {
            let _ = (op, dtype);
            None
        }
    }
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
fn of_level<L: Level + Arrange<4>>(op: Op, dtype: DType) -> Option<ArrangedKernel> {
    match op {
        Op::Add => number::<functions::Add, L>(dtype),
        Op::Subtract => number::<functions::Subtract, L>(dtype),
        Op::Multiply => number::<functions::Multiply, L>(dtype),
        Op::Maximum => number::<functions::Maximum, L>(dtype),
        Op::Minimum => number::<functions::Minimum, L>(dtype),
        Op::Divide => float::<functions::Divide, L>(dtype),
        _ => None,
    }
}

/// A function over every dtype of 4 and 8 bytes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
fn number<F, L: Level + Arrange<4>>(dtype: DType) -> Option<ArrangedKernel>
where
    F: functions::Same2<f32, L> + functions::Same2<f64, L> + functions::Same2<i32, L>,
    F: functions::Same2<u32, L> + functions::Same2<i64, L> + functions::Same2<u64, L>,
{
    match dtype {
        DType::I32 => Some(L::entry::<Arranged<Binary<F>, i32>, ArrangedCall>()),
        DType::U32 => Some(L::entry::<Arranged<Binary<F>, u32>, ArrangedCall>()),
        #[cfg(feature = "wide-int")]
        DType::I64 => Some(L::entry::<Arranged<Binary<F>, i64>, ArrangedCall>()),
        #[cfg(feature = "wide-int")]
        DType::U64 => Some(L::entry::<Arranged<Binary<F>, u64>, ArrangedCall>()),
        _ => float::<F, L>(dtype),
    }
}

#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
fn float<F, L: Level + Arrange<4>>(dtype: DType) -> Option<ArrangedKernel>
where
    F: functions::Same2<f32, L> + functions::Same2<f64, L>,
{
    match dtype {
        DType::F32 => Some(L::entry::<Arranged<Binary<F>, f32>, ArrangedCall>()),
        #[cfg(feature = "f64")]
        DType::F64 => Some(L::entry::<Arranged<Binary<F>, f64>, ArrangedCall>()),
        _ => None,
    }
}

/// The kernel of function `F` of two operands over elements `C`.
struct Arranged<F, C>(PhantomData<(F, C)>);

impl<L, F, C> Entry<L, ArrangedCall> for Arranged<F, C>
where
    C: Element,
    L: Lanes<C> + Arrange<4>,
    F: Lanewise<C, L>,
{
    #[inline(always)]
    unsafe fn run(l: L, call: &ArrangedCall) {
        // SAFETY: the arrangement lives as long as the call; the caller's contract.
        unsafe {
            let orders = &(*call.arrangement).orders;
            match (call.input, orders.pairs) {
                (0, false) => rows::<L, F, C, 0, false>(l, call, orders),
                (0, true) => rows::<L, F, C, 0, true>(l, call, orders),
                (_, false) => rows::<L, F, C, 1, false>(l, call, orders),
                (_, true) => rows::<L, F, C, 1, true>(l, call, orders),
            }
        }
    }
}

/// Elements of the largest vector, where no load of it crosses a cache line.
#[repr(align(64))]
struct Vector<C>([C; 16]);

/// What is left of a row.
struct Row<C> {
    out: *mut C,
    other: *const C,
    /// Elements of the other operand that a vector moves on by: none for a splat.
    step: usize,
    left: usize,
}

/// All rows of a call whose input `K` is put in order.
///
/// # Safety
/// As for [`ArrangedKernel`].
#[inline(always)]
unsafe fn rows<L, F, C, const K: usize, const PAIRS: bool>(l: L, job: &ArrangedCall, orders: &Orders)
where
    C: Element,
    L: Lanes<C> + Arrange<4>,
    F: Lanewise<C, L>,
{
    let call = &job.call;
    let n = <L as Lanes<C>>::N;
    let (own, other) = (&call.ins[K], &call.ins[1 - K]);
    let mut splat = Vector([C::ONE; 16]);
    for row in 0..call.rows as isize {
        let at = |ptr: *mut u8, stride: isize| ptr.wrapping_offset(row.wrapping_mul(stride));
        let (out, from) = (at(call.outs[0].ptr, call.outs[0].row), at(own.ptr, own.row).cast_const());
        let mut rest = Row { out: out.cast::<C>(), other: at(other.ptr, other.row).cast(), step: n, left: call.cols };
        if other.splat && call.cols > 0 {
            // SAFETY: the operand has an element in this row; the block has room for a vector.
            unsafe { l.store(splat.0.as_mut_ptr(), l.splat(rest.other.read_unaligned())) };
            (rest.other, rest.step) = (splat.0.as_ptr(), 0);
        }
        // SAFETY: the operands are valid for the columns of this row, or for a vector where the step is 0.
        unsafe { row_of::<L, F, C, K, PAIRS>(l, rest, orders, from, (from.addr() + job.reach).max(job.past.addr())) };
    }
}

/// One row.
///
/// # Safety
/// The operands are valid for what is left; the row's elements begin at `from`, and every byte up to the address `past`
/// is on a page of an element.
#[inline(always)]
unsafe fn row_of<L, F, C, const K: usize, const PAIRS: bool>(
    l: L,
    mut row: Row<C>,
    orders: &Orders,
    mut from: *const u8,
    past: usize,
) where
    C: Element,
    L: Lanes<C> + Arrange<4>,
    F: Lanewise<C, L>,
{
    let n = <L as Lanes<C>>::N;
    let cycle = orders.vectors() * n;
    let backwards = orders.advance < 0;
    if backwards {
        from = from.wrapping_sub(L::BYTES - size_of::<C>());
    }
    if let ([group], [order]) = (&*orders.groups, &*orders.lines) {
        // One order for all vectors. What is constant is read before anything is written.
        let ([a, b], last, advance) = (group.windows, orders.last, orders.advance);
        let order = (&raw const *order).cast();
        while row.left >= n && from.addr() + last + L::BYTES <= past {
            // SAFETY: both windows end before `past`; of the other operand and the output, `left` elements are there.
            unsafe {
                let windows = [l.whole(from.wrapping_add(a)), l.whole(from.wrapping_add(b))];
                let v = in_order::<L, C, PAIRS>(l, windows, order);
                l.store(row.out, apply::<L, F, C, K>(l, v, l.load(row.other)));
                (row.out, row.other) = (row.out.add(n), row.other.add(row.step));
            }
            row.left -= n;
            from = from.wrapping_offset(advance);
        }
    }
    if backwards && row.left > 0 {
        // The elements that are left are the last ones of the window.
        let mut window = [0u8; 64];
        let missing = (n - row.left) * size_of::<C>();
        // SAFETY: the elements lie behind the bytes that are missing; as many of the other operands are there.
        unsafe {
            let elements = window.as_mut_ptr().add(missing);
            core::ptr::copy_nonoverlapping(from.wrapping_add(missing), elements, row.left * size_of::<C>());
            let windows = [l.whole(window.as_ptr()); 2];
            let v = in_order::<L, C, PAIRS>(l, windows, orders.lines.as_ptr().cast());
            finish::<L, F, C, K>(l, &row, v);
        }
        return;
    }
    while row.left > 0 {
        let mut order = orders.lines.as_ptr().cast::<u8>();
        let whole = row.left >= cycle && from.addr() + orders.last + L::BYTES <= past;
        for group in &orders.groups {
            let [a, b] = group.windows.map(|at| from.wrapping_add(at));
            // SAFETY: what is read ends before `past`; every vector of the cycle has an order; of the other operand and
            // the output, `left` elements are there.
            unsafe {
                if whole {
                    let first = l.whole(a);
                    let second = if PAIRS { l.whole(b) } else { first };
                    let mut vectors = group.vectors;
                    while vectors >= 4 {
                        for _ in 0..4 {
                            let v = in_order::<L, C, PAIRS>(l, [first, second], order);
                            l.store(row.out, apply::<L, F, C, K>(l, v, l.load(row.other)));
                            (row.out, row.other) = (row.out.add(n), row.other.add(row.step));
                            order = order.add(size_of::<Line>());
                        }
                        vectors -= 4;
                    }
                    while vectors > 0 {
                        let v = in_order::<L, C, PAIRS>(l, [first, second], order);
                        l.store(row.out, apply::<L, F, C, K>(l, v, l.load(row.other)));
                        (row.out, row.other) = (row.out.add(n), row.other.add(row.step));
                        order = order.add(size_of::<Line>());
                        vectors -= 1;
                    }
                    continue;
                }
                let first = l.first(a, L::BYTES.min(past.saturating_sub(a.addr())));
                let second = if PAIRS { l.first(b, L::BYTES.min(past.saturating_sub(b.addr()))) } else { first };
                for _ in 0..group.vectors {
                    let v = in_order::<L, C, PAIRS>(l, [first, second], order);
                    if row.left < n {
                        finish::<L, F, C, K>(l, &row, v);
                        return;
                    }
                    l.store(row.out, apply::<L, F, C, K>(l, v, l.load(row.other)));
                    row.left -= n;
                    if row.left == 0 {
                        return;
                    }
                    (row.out, row.other) = (row.out.add(n), row.other.add(row.step));
                    order = order.add(size_of::<Line>());
                }
            }
        }
        if whole {
            row.left -= cycle;
        }
        from = from.wrapping_offset(orders.advance);
    }
}

/// The last elements of a row, fewer than a vector.
///
/// # Safety
/// The operands are valid for what is left.
#[inline(always)]
unsafe fn finish<L: Lanes<C>, F: Lanewise<C, L>, C: Element, const K: usize>(l: L, row: &Row<C>, own: L::V) {
    let there = if row.step == 0 { <L as Lanes<C>>::N } else { row.left };
    // SAFETY: the caller's contract; a splat is a whole vector.
    unsafe {
        let other = l.load_first(row.other, there);
        l.store_first(row.out, row.left, apply::<L, F, C, K>(l, own, other));
    }
}

/// The function of a vector that was put in order, which is operand `K`, and the other.
#[inline(always)]
fn apply<L: Lanes<C>, F: Lanewise<C, L>, C: Element, const K: usize>(l: L, own: L::V, other: L::V) -> L::V {
    if K == 0 { F::apply(l, own, other, own) } else { F::apply(l, other, own, own) }
}

/// A vector out of one window, or two.
///
/// # Safety
/// As [`Arrange::arrange`]; the level's vectors of `C` are windows.
#[inline(always)]
unsafe fn in_order<L: Lanes<C> + Arrange<4>, C: Element, const PAIRS: bool>(
    l: L,
    windows: [L::Arranged; 2],
    order: *const u8,
) -> L::V {
    const { assert!(size_of::<L::V>() == size_of::<L::Arranged>(), "both are whole vectors") };
    // SAFETY: the caller's contract; both are plain vectors of the same bits.
    unsafe {
        let v = if PAIRS { l.arrange_pair(windows, order) } else { l.arrange(windows[0], order) };
        core::mem::transmute_copy::<L::Arranged, L::V>(&v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_elements_of_four_and_eight_bytes_are_arranged() {
        for isa in Isa::ALL {
            for size in [1, 2, 16] {
                assert!(Arrangement::new(size, &[100, 5], &[size as isize, 0], isa).is_none(), "{size} {isa}");
            }
        }
    }
}
