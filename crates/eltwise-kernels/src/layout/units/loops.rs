//! The loops over units of a block: one function each, so that what a loop needs stays in registers.
//!
//! The last vector of a unit of several ends with the unit: if it begins in the vector before, both compute the elements that they
//! share.

use core::marker::PhantomData;
use core::ops::Range;

use eltwise_simd::{Entry, Stored, WidenNarrow};

use super::reader::{Reader, Registers, SPLAT, UnitToken, is_permuted};
use crate::functions::Lanewise;
use crate::layout::Padded;
use crate::layout::permute::Permuter;

/// Some units of rows. The *own* operand is the one that may be permuted alone.
#[derive(Clone)]
pub(super) struct Block {
    /// The first unit of a row at place 0.
    pub(super) out: *mut u8,
    /// Bytes from one unit of the output to the next.
    pub(super) step: isize,
    /// Bytes of a unit.
    pub(super) bytes: usize,
    /// Where rows of the output begin.
    pub(super) places: *const i64,
    pub(super) own: Reader,
    pub(super) other: Reader,
    pub(super) rows: Range<usize>,
    pub(super) units: Range<usize>,
    /// The vectors of each unit that are whole, or may be computed so.
    pub(super) vectors: usize,
}

/// A loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loop {
    /// [`Vectors`], of operands that are read so.
    Vectors(usize, usize),
    /// [`Units`], of operands that are read so.
    Units(usize, usize),
    /// [`Shared`], of units of so many vectors.
    Shared(usize),
    /// [`Any`].
    Any,
}

impl Block {
    /// Where the first unit of a row is: of the output, and of both operands.
    ///
    /// # Safety
    /// There is such a row.
    #[inline(always)]
    pub(super) unsafe fn row(&self, row: usize) -> (*mut u8, *const u8, *const u8) {
        let first = self.units.start as isize;
        // SAFETY: the caller's contract.
        unsafe {
            let out = self.out.wrapping_offset(*self.places.add(row) as isize);
            (
                out.wrapping_offset(self.step.wrapping_mul(first)),
                self.own.row(row).wrapping_offset(self.own.step.wrapping_mul(first)),
                self.other.row(row).wrapping_offset(self.other.step.wrapping_mul(first)),
            )
        }
    }
}

/// Computes units of one vector, which may be read and stored whole, and whose windows are readable, of operands that are read in
/// these ways. Windows and indices stay in registers. `K`: which operand of the function is the own one.
pub(super) struct Vectors<F, S, const SIZE: usize, const K: usize, const OWN: usize, const OTHER: usize>(
    PhantomData<(F, S)>,
);

impl<L, F, S, const SIZE: usize, const K: usize, const OWN: usize, const OTHER: usize> Entry<L, Block>
    for Vectors<F, S, SIZE, K, OWN, OTHER>
where
    S: Stored,
    L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    F: Lanewise<S::Compute, L>,
{
    #[inline(always)]
    unsafe fn run(l: L, block: &Block) {
        let p = l.permuter();
        let (step, own_step, other_step) = (block.step, block.own.step, block.other.step);
        let units = block.units.end - block.units.start;
        // SAFETY: the tables have so many windows and indices; the caller's contract.
        unsafe {
            let own_vector = Registers::new::<L::Permuter, OWN>(block.own.lists);
            let other_vector = Registers::new::<L::Permuter, OTHER>(block.other.lists);
            for row in block.rows.start..block.rows.end {
                let (mut out, mut own, mut other) = block.row(row);
                let splat = l.splat_widened(other);
                for _ in 0..units {
                    let a =
                        if is_permuted(OWN) { l.widen(own_vector.vector(p, own, OWN)) } else { l.load_widened(own) };
                    let b = if is_permuted(OTHER) {
                        l.widen(other_vector.vector(p, other, OTHER))
                    } else if OTHER != SPLAT {
                        l.load_widened(other)
                    } else if other_step == 0 {
                        splat
                    } else {
                        l.splat_widened(other)
                    };
                    l.store_narrowed(out, apply::<L, F, S, SIZE, K>(l, a, b));
                    out = out.wrapping_offset(step);
                    own = own.wrapping_offset(own_step);
                    other = other.wrapping_offset(other_step);
                }
            }
        }
    }
}

/// Computes the first [`vectors`](Block::vectors) of units of several, whose windows are readable, of operands that are read in these
/// ways; no other one is permuted.
pub(super) struct Units<F, S, const SIZE: usize, const K: usize, const OWN: usize, const OTHER: usize>(
    PhantomData<(F, S)>,
);

impl<L, F, S, const SIZE: usize, const K: usize, const OWN: usize, const OTHER: usize> Entry<L, Block>
    for Units<F, S, SIZE, K, OWN, OTHER>
where
    S: Stored,
    L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    F: Lanewise<S::Compute, L>,
{
    #[inline(always)]
    unsafe fn run(l: L, block: &Block) {
        let p = l.permuter();
        let (step, own_step, other_step) = (block.step, block.own.step, block.other.step);
        let last = (block.vectors * L::BYTES).min(block.bytes) - L::BYTES;
        // SAFETY: the tables have so many windows and indices; the caller's contract.
        unsafe {
            for row in block.rows.start..block.rows.end {
                let (mut out, mut own, mut other) = block.row(row);
                for _ in block.units.start..block.units.end {
                    let splat = l.splat_widened(other);
                    let mut lists = block.own.lists;
                    let mut at = 0;
                    macro_rules! vector {
                        ($at:expr) => {{
                            let at = $at;
                            let a = if is_permuted(OWN) {
                                l.widen(p.vector(own, lists.windows, lists.indices, OWN))
                            } else {
                                l.load_widened(own.wrapping_add(at))
                            };
                            let b = if OTHER == SPLAT { splat } else { l.load_widened(other.wrapping_add(at)) };
                            l.store_narrowed(out.wrapping_add(at), apply::<L, F, S, SIZE, K>(l, a, b));
                        }};
                    }
                    while at < last {
                        vector!(at);
                        lists = lists.after::<L::Permuter>(1, OWN);
                        at += L::BYTES;
                    }
                    vector!(last);
                    out = out.wrapping_offset(step);
                    own = own.wrapping_offset(own_step);
                    other = other.wrapping_offset(other_step);
                }
            }
        }
    }
}

/// Computes units of `V` vectors of a contiguous own operand, and of one that is contiguous and the same in all units of a row: it
/// stays in registers.
pub(super) struct Shared<F, S, const SIZE: usize, const K: usize, const V: usize>(PhantomData<(F, S)>);

impl<L, F, S, const SIZE: usize, const K: usize, const V: usize> Entry<L, Block> for Shared<F, S, SIZE, K, V>
where
    S: Stored,
    L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    F: Lanewise<S::Compute, L>,
{
    #[allow(clippy::needless_range_loop, reason = "iterators may lose the CPU features")]
    #[inline(always)]
    unsafe fn run(l: L, block: &Block) {
        // SAFETY: the caller's contract.
        unsafe {
            for row in block.rows.start..block.rows.end {
                let (mut out, mut own, other) = block.row(row);
                let mut held = [l.load_widened(other); V];
                for v in 1..V {
                    held[v] = l.load_widened(other.wrapping_add(v * L::BYTES));
                }
                for _ in block.units.start..block.units.end {
                    for v in 0..V {
                        let at = v * L::BYTES;
                        let a = l.load_widened(own.wrapping_add(at));
                        l.store_narrowed(out.wrapping_add(at), apply::<L, F, S, SIZE, K>(l, a, held[v]));
                    }
                    out = out.wrapping_offset(block.step);
                    own = own.wrapping_offset(block.own.step);
                }
            }
        }
    }
}

/// Computes the vectors after the first [`vectors`](Block::vectors), exactly: no byte after them is read or stored.
pub(super) struct Any<F, S, const SIZE: usize, const K: usize>(PhantomData<(F, S)>);

impl<L, F, S, const SIZE: usize, const K: usize> Entry<L, Block> for Any<F, S, SIZE, K>
where
    S: Stored,
    L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    F: Lanewise<S::Compute, L>,
{
    #[inline(always)]
    unsafe fn run(l: L, block: &Block) {
        let (all, rest) = (block.bytes.div_ceil(L::BYTES), block.bytes % L::BYTES);
        let bytes = block.bytes.min(L::BYTES);
        let mut copies = [Padded::NEW, Padded::NEW];
        let [own_copy, other_copy] = &mut copies;
        // SAFETY: the caller's contract.
        unsafe {
            for row in block.rows.start..block.rows.end {
                let (mut out, mut own, mut other) = block.row(row);
                for _ in block.units.start..block.units.end {
                    let (own_unit, other_unit) = (block.own.unit(own, own_copy), block.other.unit(other, other_copy));
                    let mut own_lists = block.own.lists.after::<L::Permuter>(block.vectors, block.own.how);
                    let mut other_lists = block.other.lists.after::<L::Permuter>(block.vectors, block.other.how);
                    for vector in block.vectors..all {
                        let at = (vector * L::BYTES).min(block.bytes - bytes);
                        let a = block.own.any::<L, S, SIZE>(l, (own_unit, at), bytes, &mut own_lists);
                        let b = block.other.any::<L, S, SIZE>(l, (other_unit, at), bytes, &mut other_lists);
                        let (to, result) = (out.wrapping_add(at), apply::<L, F, S, SIZE, K>(l, a, b));
                        let result = l.narrow(result);
                        if rest == 0 || vector + 1 < all {
                            l.store_window(to, result);
                        } else if all == 1 {
                            l.store_window_n(to, rest, result);
                        } else {
                            // The elements before are those of the last vector but one, which may be results by now.
                            l.store_window_last_n(to, rest, result);
                        }
                    }
                    out = out.wrapping_offset(block.step);
                    own = own.wrapping_offset(block.own.step);
                    other = other.wrapping_offset(block.other.step);
                }
            }
        }
    }
}

/// The function of an own vector, which is operand `K`, and the other one; both [widened](WidenNarrow::widen).
#[inline(always)]
fn apply<L, F, S, const SIZE: usize, const K: usize>(l: L, own: [L::V; 2], other: [L::V; 2]) -> [L::V; 2]
where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
    F: Lanewise<S::Compute, L>,
{
    let (a, b) = if K == 0 { (own, other) } else { (other, own) };
    let first = F::apply(l, a[0], b[0], a[0]);
    [first, if L::VECTORS == 2 { F::apply(l, a[1], b[1], a[1]) } else { first }]
}
