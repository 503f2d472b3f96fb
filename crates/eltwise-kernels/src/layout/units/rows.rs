//! The loops over rows of units.

use core::mem::MaybeUninit;

use eltwise_core::tables::Line;
use eltwise_simd::{Stored, WidenNarrow};

use super::UnitCall;
use super::reader::{ANY, CONTIGUOUS, HELD, Held, Kind, Reader, Registers, SHARED, SPLAT, UnitToken, is_counted, load};
use crate::functions::Lanewise;
use crate::layout::Padded;
use crate::layout::permute::Permuter;

/// All units of a call. `own` is operand `K` of the function.
///
/// Loops instead of closures and iterators: these would lose the CPU features.
///
/// # Safety
/// As for [`UnitKernel`](super::UnitKernel).
#[inline(always)]
pub(super) unsafe fn rows<L, F, S, const SIZE: usize, const K: usize>(l: L, call: &UnitCall, own: usize, other: usize)
where
    S: Stored,
    L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    F: Lanewise<S::Compute, L>,
{
    // SAFETY: the caller's contract: the tables are valid, and the lists of places are as long.
    unsafe {
        let tables = &*call.tables;
        let places = tables.get::<i64>(call.rows[0]);
        let own_places = tables.get::<i64>(call.rows[1 + own]).as_ptr();
        let other_places = tables.get::<i64>(call.rows[1 + other]).as_ptr();
        let row = Row {
            units: call.units,
            bytes: call.bytes,
            out: call.out,
            step: call.step,
            own: Reader::new(&call.ins[own], tables),
            other: Reader::new(&call.ins[other], tables),
        };
        let rows = Rows { row, places, own_places, other_places };
        if call.bytes == L::BYTES {
            rows.vectors_in_any_way::<L, F, S, SIZE, K>(l);
        } else {
            for i in 0..places.len() {
                rows.row(i).run::<L, F, S, SIZE, K>(l);
            }
        }
    }
}

/// A row of units.
#[derive(Clone, Copy)]
struct Row {
    units: usize,
    /// Bytes of a unit.
    bytes: usize,
    out: *mut u8,
    /// Bytes from one unit of the output to the next.
    step: isize,
    own: Reader,
    other: Reader,
}

impl Row {
    /// Computes the row.
    ///
    /// # Safety
    /// As for [`UnitKernel`](super::UnitKernel).
    #[inline(always)]
    unsafe fn run<L, F, S, const SIZE: usize, const K: usize>(mut self, l: L)
    where
        S: Stored,
        L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
        F: Lanewise<S::Compute, L>,
    {
        let mut held = [Held::uninit(); 2];
        let [own_held, other_held] = &mut held;
        // SAFETY: the caller's contract.
        unsafe {
            self.own.hold(l, self.bytes, own_held);
            self.other.hold(l, self.bytes, other_held);
            let (how, all) = ((self.own.how(), self.other.how()), self.units);
            self.units = self.inside();
            let kept = match how {
                (1, CONTIGUOUS) if self.own.is_shared => SHARED,
                (CONTIGUOUS, CONTIGUOUS) if self.other.step == 0 => HELD,
                (CONTIGUOUS, SPLAT) if self.own.step == 0 => SPLAT,
                _ => ANY,
            };
            let whole = if self.bytes.is_multiple_of(L::BYTES) { self.bytes / L::BYTES } else { 0 };
            let mut is_done = true;
            match (whole, kept) {
                (2, SHARED) => self.few::<L, F, S, SIZE, K, 2, SHARED>(l),
                (2, HELD) => self.few::<L, F, S, SIZE, K, 2, HELD>(l),
                (2, SPLAT) => self.few::<L, F, S, SIZE, K, 2, SPLAT>(l),
                (3, SHARED) => self.few::<L, F, S, SIZE, K, 3, SHARED>(l),
                (3, HELD) => self.few::<L, F, S, SIZE, K, 3, HELD>(l),
                (3, SPLAT) => self.few::<L, F, S, SIZE, K, 3, SPLAT>(l),
                (4, SHARED) => self.few::<L, F, S, SIZE, K, 4, SHARED>(l),
                (4, HELD) => self.few::<L, F, S, SIZE, K, 4, HELD>(l),
                (4, SPLAT) => self.few::<L, F, S, SIZE, K, 4, SPLAT>(l),
                _ => is_done = false,
            }
            match how {
                _ if is_done => {}
                (CONTIGUOUS, CONTIGUOUS) => self.units::<L, F, S, SIZE, K, CONTIGUOUS, CONTIGUOUS>(l),
                (CONTIGUOUS, SPLAT) => self.units::<L, F, S, SIZE, K, CONTIGUOUS, SPLAT>(l),
                (1, CONTIGUOUS) if self.own.is_shared => self.units::<L, F, S, SIZE, K, SHARED, CONTIGUOUS>(l),
                (1, SPLAT) if self.own.is_shared => self.units::<L, F, S, SIZE, K, SHARED, SPLAT>(l),
                (1, CONTIGUOUS) => self.units::<L, F, S, SIZE, K, 1, CONTIGUOUS>(l),
                (1, SPLAT) => self.units::<L, F, S, SIZE, K, 1, SPLAT>(l),
                (2, CONTIGUOUS) => self.units::<L, F, S, SIZE, K, 2, CONTIGUOUS>(l),
                (2, SPLAT) => self.units::<L, F, S, SIZE, K, 2, SPLAT>(l),
                (3, CONTIGUOUS) => self.units::<L, F, S, SIZE, K, 3, CONTIGUOUS>(l),
                (3, SPLAT) => self.units::<L, F, S, SIZE, K, 3, SPLAT>(l),
                (4, CONTIGUOUS) => self.units::<L, F, S, SIZE, K, 4, CONTIGUOUS>(l),
                (4, SPLAT) => self.units::<L, F, S, SIZE, K, 4, SPLAT>(l),
                _ => self.units = 0,
            }
            if self.units < all {
                self.rest(all).units::<L, F, S, SIZE, K, ANY, ANY>(l);
            }
        }
    }

    /// The units before the first one whose windows end past the readable memory.
    #[inline(always)]
    fn inside(&self) -> usize {
        self.own.units_inside(self.units).min(self.other.units_inside(self.units))
    }

    /// The other units of `all`.
    #[inline(always)]
    fn rest(mut self, all: usize) -> Row {
        let done = self.units as isize;
        self.units = all - self.units;
        self.out = self.out.wrapping_offset(self.step.wrapping_mul(done));
        self.own.from = self.own.from.wrapping_offset(self.own.step.wrapping_mul(done));
        self.other.from = self.other.from.wrapping_offset(self.other.step.wrapping_mul(done));
        self
    }

    /// Computes units of `V` vectors, and keeps in registers what is the same in all of them: the indices of the own operand, whose
    /// vectors share a window (`KEPT` is `SHARED`), the other operand (`HELD`), or the own one, if the other is one element of each
    /// unit (`SPLAT`).
    ///
    /// # Safety
    /// As for [`UnitKernel`](super::UnitKernel); all windows are readable.
    #[allow(clippy::needless_range_loop, reason = "iterators may lose the CPU features")]
    #[inline(always)]
    unsafe fn few<L, F, S, const SIZE: usize, const K: usize, const V: usize, const KEPT: usize>(self, l: L)
    where
        S: Stored,
        L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
        F: Lanewise<S::Compute, L>,
    {
        let Row { units, mut out, step, own, other, .. } = self;
        let p = l.permuter();
        let (mut own_at, mut other_at) = (own.from, other.from);
        let mut indices = [Line([0; 64]); V];
        // SAFETY: the tables have so many windows and indices; the caller's contract.
        unsafe {
            let mut held = [l.splat_widened(other_at); V];
            if KEPT == SHARED {
                let bytes = V * (L::Permuter::next_indices(own.indices, 1).addr() - own.indices.addr());
                core::ptr::copy_nonoverlapping(own.indices, indices.as_mut_ptr().cast(), bytes);
            } else {
                let from = if KEPT == HELD { other_at } else { own_at };
                for v in 0..V {
                    held[v] = l.load_widened(from.wrapping_add(v * L::BYTES));
                }
            }
            for _ in 0..units {
                // Both read what there is in any case: a window, and an element.
                let window = if KEPT == SHARED { p.window(own_at, own.windows) } else { l.load_window(own_at) };
                let splat = l.splat_widened(other_at);
                for v in 0..V {
                    let at = v * L::BYTES;
                    let own_vector = match KEPT {
                        SHARED => l.widen(p.permute(window, indices.as_ptr().cast::<u8>().add(at))),
                        HELD => l.load_widened(own_at.wrapping_add(at)),
                        _ => held[v],
                    };
                    let other_vector = match KEPT {
                        SHARED => l.load_widened(other_at.wrapping_add(at)),
                        HELD => held[v],
                        _ => splat,
                    };
                    l.store_narrowed(out.wrapping_add(at), apply::<L, F, S, SIZE, K>(l, own_vector, other_vector));
                }
                out = out.wrapping_offset(step);
                own_at = own_at.wrapping_offset(own.step);
                other_at = other_at.wrapping_offset(other.step);
            }
        }
    }

    /// Computes units of any length.
    ///
    /// # Safety
    /// As for [`UnitKernel`](super::UnitKernel); all windows are readable if the own operand is permuted from `OWN` windows.
    #[inline(always)]
    unsafe fn units<L, F, S, const SIZE: usize, const K: usize, const OWN: usize, const OTHER: usize>(self, l: L)
    where
        S: Stored,
        L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
        F: Lanewise<S::Compute, L>,
    {
        let Row { units, bytes, out, step, own, other } = self;
        let p = l.permuter();
        let (whole, rest) = (bytes - bytes % L::BYTES, bytes % L::BYTES);
        let (mut to, mut own_from, mut other_from) = (out, own.from, other.from);
        let mut copies = [Padded::NEW, Padded::NEW];
        let [own_copy, other_copy] = &mut copies;
        // SAFETY: the tables have so many windows and indices; the caller's contract.
        unsafe {
            for _ in 0..units {
                let (mut own_vectors, mut other_vectors) = (own.vectors(), other.vectors());
                let (mut own_at, mut other_at) = (own_from, other_from);
                if OWN == ANY && own.kind == Kind::Permuted {
                    own_at = own.unit(own_at, own_copy);
                }
                if OTHER == ANY && other.kind == Kind::Permuted {
                    other_at = other.unit(other_at, other_copy);
                }
                // Read in any case: every operand has an element.
                let splat = l.splat_widened(other_from);
                let mut shared = MaybeUninit::uninit();
                if OWN == SHARED {
                    shared.write(p.window(own_at, own.windows));
                }
                let mut at = 0;
                macro_rules! vector {
                    ($n:expr) => {{
                        let own_vector = if OWN == SHARED {
                            l.widen(p.permute(shared.assume_init(), own.indices.wrapping_add(at)))
                        } else if is_counted(OWN) {
                            l.widen(own_vectors.next(p, own_at, OWN))
                        } else if OWN == ANY {
                            own.any::<L, S, SIZE>(l, (own_at, at), $n, &mut own_vectors)
                        } else {
                            load::<L, S, SIZE>(l, own_at.wrapping_add(at), $n)
                        };
                        let other_vector = if OTHER == SPLAT {
                            splat
                        } else if OTHER == ANY {
                            other.any::<L, S, SIZE>(l, (other_at, at), $n, &mut other_vectors)
                        } else {
                            load::<L, S, SIZE>(l, other_at.wrapping_add(at), $n)
                        };
                        apply::<L, F, S, SIZE, K>(l, own_vector, other_vector)
                    }};
                }
                while at < whole {
                    let result = vector!(L::BYTES);
                    l.store_narrowed(to.wrapping_add(at), result);
                    at += L::BYTES;
                }
                if rest > 0 {
                    let result = vector!(rest);
                    l.store_window_n(to.wrapping_add(at), rest, l.narrow(result));
                }
                to = to.wrapping_offset(step);
                own_from = own_from.wrapping_offset(own.step);
                other_from = other_from.wrapping_offset(other.step);
            }
        }
    }
}

/// Rows of units.
#[derive(Clone, Copy)]
struct Rows<'a> {
    /// The first one.
    row: Row,
    /// Where the others begin: of the output, and of both operands as many.
    places: &'a [i64],
    own_places: *const i64,
    other_places: *const i64,
}

impl Rows<'_> {
    /// A row.
    ///
    /// # Safety
    /// There are so many.
    #[inline(always)]
    unsafe fn row(&self, i: usize) -> Row {
        let mut row = self.row;
        // SAFETY: the caller's contract.
        let (own, other) = unsafe { (*self.own_places.add(i), *self.other_places.add(i)) };
        row.out = row.out.wrapping_offset(self.places[i] as isize);
        row.own.from = row.own.from.wrapping_offset(own as isize);
        row.other.from = row.other.from.wrapping_offset(other as isize);
        row
    }

    /// Computes units of one vector.
    ///
    /// # Safety
    /// As for [`UnitKernel`](super::UnitKernel).
    #[inline(always)]
    unsafe fn vectors_in_any_way<L, F, S, const SIZE: usize, const K: usize>(&self, l: L)
    where
        S: Stored,
        L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
        F: Lanewise<S::Compute, L>,
    {
        // SAFETY: the caller's contract.
        unsafe {
            let mut is_known = true;
            let mut other = self.row.other.how();
            if other != CONTIGUOUS && self.row.other.step == 0 {
                other = HELD;
            }
            let is_done = match (self.row.own.how(), other) {
                (CONTIGUOUS, CONTIGUOUS) => self.vectors::<L, F, S, SIZE, K, CONTIGUOUS, CONTIGUOUS>(l),
                (CONTIGUOUS, SPLAT) => self.vectors::<L, F, S, SIZE, K, CONTIGUOUS, SPLAT>(l),
                (CONTIGUOUS, HELD) => self.vectors::<L, F, S, SIZE, K, CONTIGUOUS, HELD>(l),
                (1, CONTIGUOUS) => self.vectors::<L, F, S, SIZE, K, 1, CONTIGUOUS>(l),
                (1, SPLAT) => self.vectors::<L, F, S, SIZE, K, 1, SPLAT>(l),
                (1, HELD) => self.vectors::<L, F, S, SIZE, K, 1, HELD>(l),
                (2, CONTIGUOUS) => self.vectors::<L, F, S, SIZE, K, 2, CONTIGUOUS>(l),
                (2, SPLAT) => self.vectors::<L, F, S, SIZE, K, 2, SPLAT>(l),
                (2, HELD) => self.vectors::<L, F, S, SIZE, K, 2, HELD>(l),
                (3, CONTIGUOUS) => self.vectors::<L, F, S, SIZE, K, 3, CONTIGUOUS>(l),
                (3, SPLAT) => self.vectors::<L, F, S, SIZE, K, 3, SPLAT>(l),
                (3, HELD) => self.vectors::<L, F, S, SIZE, K, 3, HELD>(l),
                (4, CONTIGUOUS) => self.vectors::<L, F, S, SIZE, K, 4, CONTIGUOUS>(l),
                (4, SPLAT) => self.vectors::<L, F, S, SIZE, K, 4, SPLAT>(l),
                (4, HELD) => self.vectors::<L, F, S, SIZE, K, 4, HELD>(l),
                (1, 1) => self.vectors::<L, F, S, SIZE, K, 1, 1>(l),
                (2, 2) => self.vectors::<L, F, S, SIZE, K, 2, 2>(l),
                _ => {
                    is_known = false;
                    false
                }
            };
            if is_done {
                return;
            }
            for i in 0..self.places.len() {
                let mut row = self.row(i);
                let all = row.units;
                row.units = if is_known { row.inside() } else { 0 };
                if row.units < all {
                    row.rest(all).units::<L, F, S, SIZE, K, ANY, ANY>(l);
                }
            }
        }
    }

    /// Computes units of one vector, whose windows and indices stay in registers, but for those whose windows end past the
    /// readable memory. Returns whether there are none of these.
    ///
    /// # Safety
    /// As for [`UnitKernel`](super::UnitKernel).
    #[inline(always)]
    unsafe fn vectors<L, F, S, const SIZE: usize, const K: usize, const OWN: usize, const OTHER: usize>(
        &self,
        l: L,
    ) -> bool
    where
        S: Stored,
        L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
        F: Lanewise<S::Compute, L>,
    {
        let p = l.permuter();
        let mut is_done = true;
        // SAFETY: the tables have so many windows and indices; the caller's contract.
        unsafe {
            let own_vectors = Registers::new::<L::Permuter, OWN>(&self.row.own);
            let other_vectors = Registers::new::<L::Permuter, OTHER>(&self.row.other);
            for i in 0..self.places.len() {
                let row = self.row(i);
                let mut units = row.units;
                if is_counted(OWN) {
                    units = row.own.units_inside(units);
                }
                if is_counted(OTHER) {
                    units = row.other.units_inside(units);
                }
                is_done &= units == row.units;
                let Row { mut out, step, own, other, .. } = row;
                let (mut own_at, mut other_at) = (own.from, other.from);
                let held = if OTHER == HELD { other.first::<L, S, SIZE>(l) } else { l.splat_widened(other_at) };
                for _ in 0..units {
                    let own_vector = if is_counted(OWN) {
                        l.widen(own_vectors.vector(p, own_at, OWN))
                    } else {
                        l.load_widened(own_at)
                    };
                    let other_vector = if is_counted(OTHER) {
                        l.widen(other_vectors.vector(p, other_at, OTHER))
                    } else if OTHER == HELD {
                        held
                    } else if OTHER == SPLAT {
                        l.splat_widened(other_at)
                    } else {
                        l.load_widened(other_at)
                    };
                    l.store_narrowed(out, apply::<L, F, S, SIZE, K>(l, own_vector, other_vector));
                    out = out.wrapping_offset(step);
                    own_at = own_at.wrapping_offset(own.step);
                    other_at = other_at.wrapping_offset(other.step);
                }
            }
        }
        is_done
    }
}

/// The function of a permuted vector, which is operand `K`, and the other one; both [widened](WidenNarrow::widen).
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
