//! How an operand is read over the units of a row.

use core::mem::MaybeUninit;

use eltwise_core::tables::{HELD_BYTES, Line, Permute, Tables};
use eltwise_simd::{Permute as Windows, Stored, WidenNarrow};

use super::{UnitOperand, UnitSource};
use crate::layout::Padded;
use crate::layout::permute::{Permuter, padded, units_inside};

/// A token whose unit kernels permute elements of `SIZE` bytes, or of several times as many.
pub(super) trait UnitToken<const SIZE: usize>: Windows<SIZE> {
    /// How they do it: with the vectors of the token.
    type Permuter: Permuter<Vector = <Self as Windows<SIZE>>::Vector>;

    fn permuter(self) -> Self::Permuter;
}

/// How a loop over units reads an operand: contiguous, one element of each unit, one vector that is the same in all of them, or
/// permuted from so many windows; or in any way.
pub(super) const CONTIGUOUS: usize = 0;
pub(super) const SPLAT: usize = 100;
pub(super) const HELD: usize = 101;
pub(super) const ANY: usize = 102;
/// Permuted from one window, which is the same for all vectors of a unit.
pub(super) const SHARED: usize = 103;

/// Whether an operand is permuted from a number of windows that is known when the kernel is compiled.
pub(super) const fn is_counted(how: usize) -> bool {
    how != CONTIGUOUS && how < SPLAT
}

/// How a [`Reader`] is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Contiguous,
    Splat,
    Permuted,
}

/// An operand over the units of a row.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    pub(super) kind: Kind,
    /// At the first unit.
    pub(super) from: *const u8,
    /// Bytes from one unit to the next.
    pub(super) step: isize,
    /// Of a permuted operand: the windows of the first vector, its indices, and how many windows a vector has.
    pub(super) windows: *const i32,
    pub(super) indices: *const u8,
    pub(super) count: usize,
    /// Whether all vectors of a unit have the same window.
    pub(super) is_shared: bool,
    /// The end of its windows, from the beginning of a unit, and of its readable memory.
    reach: i32,
    end: *const u8,
    table: *const Permute,
}

impl Reader {
    /// An operand at the first row.
    #[inline(always)]
    pub(super) fn new(operand: &UnitOperand, tables: &Tables) -> Reader {
        let &UnitOperand { ptr, step, end, ref source } = operand;
        let mut reader = Reader {
            kind: Kind::Splat,
            from: ptr,
            step,
            windows: core::ptr::null(),
            indices: core::ptr::null(),
            count: 0,
            is_shared: false,
            reach: 0,
            end,
            table: core::ptr::null(),
        };
        match source {
            UnitSource::Contiguous => reader.kind = Kind::Contiguous,
            UnitSource::Splat => {}
            UnitSource::Permuted(table) => {
                reader.kind = Kind::Permuted;
                reader.table = table;
                // The place of the vector comes before its windows.
                reader.windows = tables.get::<i32>(table.windows).as_ptr().wrapping_add(1);
                reader.indices = tables.get::<Line>(table.indices).as_ptr().cast();
                reader.count = tables.get::<[i32; 2]>(table.groups)[0][0] as usize;
                reader.is_shared = table.is_shared;
                reader.reach = table.reach;
            }
        }
        reader
    }

    /// How a loop reads the operand.
    #[inline(always)]
    pub(super) fn how(&self) -> usize {
        match self.kind {
            Kind::Contiguous => CONTIGUOUS,
            Kind::Splat => SPLAT,
            Kind::Permuted => self.count,
        }
    }

    /// The first vector of the first unit of an operand that is not contiguous.
    ///
    /// # Safety
    /// The elements of the unit are readable.
    #[inline(always)]
    pub(super) unsafe fn first<L, S, const SIZE: usize>(&self, l: L) -> [L::V; 2]
    where
        S: Stored,
        L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    {
        // SAFETY: the caller's contract.
        unsafe {
            if self.kind != Kind::Permuted {
                return l.splat_widened(self.from);
            }
            let mut copy = Padded::NEW;
            let from = self.unit(self.from, &mut copy);
            l.widen(l.permuter().vector(from, self.windows, self.indices, self.count))
        }
    }

    /// The first of `units` units before one whose windows end past the readable memory.
    #[inline(always)]
    pub(super) fn units_inside(&self, units: usize) -> usize {
        match self.kind {
            Kind::Permuted => units_inside(units, self.step, self.reach, self.from, self.end),
            _ => units,
        }
    }

    /// A unit of a permuted operand: where it begins, or where in `copy` its elements are if windows end past the readable memory.
    ///
    /// # Safety
    /// The elements of the unit are readable.
    #[inline(always)]
    pub(super) unsafe fn unit(&self, from: *const u8, copy: &mut Padded) -> *const u8 {
        if from.wrapping_offset(self.reach as isize) <= self.end {
            return from;
        }
        // SAFETY: the caller's contract; a permuted operand has a table.
        unsafe { padded(&*self.table, from, copy) }
    }

    /// The vector of a unit that begins `at` bytes after `from`, however the operand is read: its first `bytes`. `vectors` are those
    /// of the unit that are left.
    ///
    /// # Safety
    /// The elements of the unit, and its windows, are readable.
    #[inline(always)]
    pub(super) unsafe fn any<L, S, const SIZE: usize>(
        &self,
        l: L,
        (from, at): (*const u8, usize),
        bytes: usize,
        vectors: &mut Vectors,
    ) -> [L::V; 2]
    where
        S: Stored,
        L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    {
        // SAFETY: the caller's contract.
        unsafe {
            match self.kind {
                Kind::Contiguous => load::<L, S, SIZE>(l, from.wrapping_add(at), bytes),
                Kind::Splat => l.splat_widened(from),
                Kind::Permuted => l.widen(vectors.next(l.permuter(), from, self.count)),
            }
        }
    }

    /// The vectors of a unit.
    #[inline(always)]
    pub(super) fn vectors(&self) -> Vectors {
        Vectors { windows: self.windows, indices: self.indices }
    }

    /// Permutes an operand that is the same in all units: from then on it is contiguous, in `held`, if that is long enough.
    ///
    /// # Safety
    /// The elements of the unit are readable.
    #[inline(always)]
    pub(super) unsafe fn hold<L: UnitToken<SIZE>, const SIZE: usize>(&mut self, l: L, bytes: usize, held: &mut Held) {
        if self.step != 0 || self.kind != Kind::Permuted || bytes > size_of::<Held>() {
            return;
        }
        let to = held.as_mut_ptr().cast::<u8>();
        let mut copy = Padded::NEW;
        // SAFETY: the caller's contract.
        unsafe {
            let from = self.unit(self.from, &mut copy);
            let mut vectors = self.vectors();
            let mut done = 0;
            while done < bytes {
                l.store_window(to.add(done), vectors.next(l.permuter(), from, self.count));
                done += L::BYTES;
            }
        }
        (self.kind, self.from) = (Kind::Contiguous, to);
    }
}

/// Room for a unit that is permuted once.
pub(super) type Held = MaybeUninit<[Line; HELD_BYTES / 64]>;

/// The next vector of a permuted unit.
#[derive(Clone, Copy)]
pub(super) struct Vectors {
    windows: *const i32,
    indices: *const u8,
}

impl Vectors {
    /// # Safety
    /// All windows are readable, and the unit has a vector more, of `count` windows.
    #[inline(always)]
    pub(super) unsafe fn next<P: Permuter>(&mut self, p: P, from: *const u8, count: usize) -> P::Vector {
        // SAFETY: the caller's contract.
        let v = unsafe { p.vector(from, self.windows, self.indices, count) };
        self.windows = self.windows.wrapping_add(1 + count * P::WINDOWS);
        self.indices = P::next_indices(self.indices, count);
        v
    }
}

/// The windows and indices of one vector: copies that nothing else points to, so that they may stay in registers.
#[derive(Clone, Copy)]
pub(super) struct Registers {
    pub(super) windows: [i32; 4 * 4],
    pub(super) indices: [Line; 4],
}

impl Registers {
    /// Those of an operand that is permuted from `COUNT` windows; of no other.
    ///
    /// # Safety
    /// The tables have so many windows and indices.
    #[inline(always)]
    pub(super) unsafe fn new<P: Permuter, const COUNT: usize>(operand: &Reader) -> Registers {
        let mut registers = Registers { windows: [0; 4 * 4], indices: [Line([0; 64]); 4] };
        if is_counted(COUNT) {
            let bytes = P::next_indices(operand.indices, COUNT).addr() - operand.indices.addr();
            // SAFETY: the caller's contract.
            unsafe {
                for i in 0..COUNT * P::WINDOWS {
                    registers.windows[i] = *operand.windows.add(i);
                }
                core::ptr::copy_nonoverlapping(operand.indices, registers.indices.as_mut_ptr().cast(), bytes);
            }
        }
        registers
    }

    /// # Safety
    /// All windows are readable. The registers are of `count` windows.
    #[inline(always)]
    pub(super) unsafe fn vector<P: Permuter>(&self, p: P, from: *const u8, count: usize) -> P::Vector {
        // SAFETY: the caller's contract.
        unsafe { p.vector(from, self.windows.as_ptr(), self.indices.as_ptr().cast(), count) }
    }
}

/// Loads and widens the first `bytes` of a vector.
///
/// # Safety
/// `from` is readable for `bytes`.
#[inline(always)]
pub(super) unsafe fn load<L, S, const SIZE: usize>(l: L, from: *const u8, bytes: usize) -> [L::V; 2]
where
    S: Stored,
    L: WidenNarrow<S, SIZE>,
{
    // SAFETY: the caller's contract.
    unsafe { if bytes == L::BYTES { l.load_widened(from) } else { l.widen(l.load_window_n(from, bytes)) } }
}
