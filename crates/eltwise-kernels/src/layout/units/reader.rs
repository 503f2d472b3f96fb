//! How an operand is read over units.

use core::mem::MaybeUninit;
use core::ops::Range;

use eltwise_core::tables::{HELD_BYTES, LOOP_WINDOWS, Line, Permute, Tables};
use eltwise_simd::{Stored, WidenNarrow, Windows};

use super::{UnitOperand, UnitSource};
use crate::layout::Padded;
use crate::layout::permute::{Permuter, padded, units_inside};

/// A token whose unit kernels permute elements of `SIZE` bytes, or of several times as many.
pub(super) trait UnitToken<const SIZE: usize>: Windows<SIZE> {
    /// How they do it: with the vectors of the token.
    type Permuter: Permuter<Vector = <Self as Windows<SIZE>>::Vector>;

    fn permuter(self) -> Self::Permuter;
}

/// How an operand is read over a unit: contiguous, one element, or permuted from so many windows for each vector.
pub(super) const CONTIGUOUS: usize = 0;
pub(super) const SPLAT: usize = usize::MAX;

/// Whether an operand that is read so is permuted.
pub(super) const fn is_permuted(how: usize) -> bool {
    how != CONTIGUOUS && how != SPLAT
}

/// An operand over rows of units.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    /// [`CONTIGUOUS`], [`SPLAT`], or the windows of a vector.
    pub(super) how: usize,
    /// The first unit of a row at place 0.
    from: *const u8,
    /// Bytes from one unit to the next.
    pub(super) step: isize,
    /// Where rows begin: a number for each row, or for all.
    places: *const i64,
    is_one_place: bool,
    /// Of a permuted operand.
    pub(super) lists: Lists,
    /// The end of its windows, from the beginning of a unit, and of its readable memory.
    reach: i32,
    end: *const u8,
    table: *const Permute,
}

impl Reader {
    /// An operand whose rows begin at `places`.
    #[inline(always)]
    pub(super) fn new(operand: &UnitOperand, places: &[i64], tables: &Tables) -> Reader {
        let &UnitOperand { ptr, step, end, ref source } = operand;
        let lists = Lists { windows: core::ptr::null(), indices: core::ptr::null() };
        let mut reader = Reader {
            how: SPLAT,
            from: ptr,
            step,
            places: places.as_ptr(),
            is_one_place: false,
            lists,
            reach: 0,
            end,
            table: core::ptr::null(),
        };
        match source {
            UnitSource::Contiguous => reader.how = CONTIGUOUS,
            UnitSource::Splat => {}
            UnitSource::Permuted(table) => {
                reader.how = tables.get::<[i32; 2]>(table.groups)[0][0] as usize;
                reader.table = table;
                // The place of the vector comes before its windows.
                reader.lists.windows = tables.get::<i32>(table.windows).as_ptr().wrapping_add(1);
                reader.lists.indices = tables.get::<Line>(table.indices).as_ptr().cast();
                reader.reach = table.reach;
            }
        }
        reader
    }

    /// The first unit of a row.
    ///
    /// # Safety
    /// There is such a row.
    #[inline(always)]
    pub(super) unsafe fn row(&self, row: usize) -> *const u8 {
        // SAFETY: the caller's contract.
        self.from.wrapping_offset(unsafe { *self.places.add(row * usize::from(!self.is_one_place)) } as isize)
    }

    /// How many of `units` units of a row come before the first one whose windows end past the readable memory, of a permuted operand.
    #[inline(always)]
    pub(super) fn units_inside(&self, units: usize, from: *const u8) -> usize {
        units_inside(units, self.step, self.reach, from, self.end)
    }

    /// A unit: where it begins, or where in `copy` its elements are if windows end past the readable memory.
    ///
    /// # Safety
    /// The elements of the unit are readable.
    #[inline(always)]
    pub(super) unsafe fn unit(&self, from: *const u8, copy: &mut Padded) -> *const u8 {
        if !is_permuted(self.how) || from.wrapping_offset(self.reach as isize) <= self.end {
            return from;
        }
        // SAFETY: the caller's contract; a permuted operand has a table.
        unsafe { padded(&*self.table, from, copy) }
    }

    /// The vector of a unit that begins `at` bytes after `from`, however the operand is read: its first `bytes`. `lists` are those
    /// of the vectors that are left.
    ///
    /// # Safety
    /// The elements of the unit, and its windows, are readable.
    #[inline(always)]
    pub(super) unsafe fn any<L, S, const SIZE: usize>(
        &self,
        l: L,
        (from, at): (*const u8, usize),
        bytes: usize,
        lists: &mut Lists,
    ) -> [L::V; 2]
    where
        S: Stored,
        L: WidenNarrow<S, SIZE> + UnitToken<SIZE>,
    {
        // SAFETY: the caller's contract.
        unsafe {
            // One loop for all ways, instead of a copy of the loop for each.
            match core::hint::black_box(self.how) {
                CONTIGUOUS if bytes == L::BYTES => l.load_widened(from.wrapping_add(at)),
                CONTIGUOUS => l.widen(l.load_window_n(from.wrapping_add(at), bytes)),
                SPLAT => l.splat_widened(from),
                count => {
                    let v = l.permuter().vector(from, lists.windows, lists.indices, count);
                    *lists = lists.after::<L::Permuter>(1, count);
                    l.widen(v)
                }
            }
        }
    }

    /// Whether an operand is the same in all units of a row, and must be permuted or is shorter than a vector, and short enough.
    #[inline(always)]
    pub(super) fn is_held(&self, bytes: usize, vector: usize) -> bool {
        let is_wanted = is_permuted(self.how) || (self.how == CONTIGUOUS && bytes < vector);
        is_wanted && self.step == 0 && bytes <= HELD_BYTES
    }

    /// Permutes a [held](Reader::is_held) operand in the first of `rows`; from then on it is contiguous, in `held`, where a vector is
    /// readable. `rows` ends before a row that begins at another place.
    ///
    /// # Safety
    /// The elements of the units are readable.
    #[inline(always)]
    pub(super) unsafe fn hold<L: UnitToken<SIZE>, const SIZE: usize>(
        self,
        l: L,
        bytes: usize,
        rows: &mut Range<usize>,
        held: &mut Held,
    ) -> Reader {
        if !self.is_held(bytes, L::BYTES) {
            return self;
        }
        let to = held.as_mut_ptr().cast::<u8>();
        let mut copy = Padded::NEW;
        // SAFETY: the caller's contract.
        unsafe {
            let row = self.row(rows.start);
            let mut end = rows.start + 1;
            while end < rows.end && self.row(end) == row {
                end += 1;
            }
            rows.end = end;
            let from = self.unit(row, &mut copy);
            let mut lists = self.lists;
            let last = bytes.saturating_sub(L::BYTES);
            let mut at = 0;
            loop {
                let vector = if self.how == CONTIGUOUS {
                    l.load_window_n(from, bytes)
                } else {
                    l.permuter().vector(from, lists.windows, lists.indices, self.how)
                };
                l.store_window(to.add(at), vector);
                if at == last {
                    break;
                }
                lists = lists.after::<L::Permuter>(1, self.how);
                at = (at + L::BYTES).min(last);
            }
        }
        Reader { how: CONTIGUOUS, from: to, places: &raw const PLACE_0, is_one_place: true, ..self }
    }
}

/// Where all rows of a held operand begin.
static PLACE_0: i64 = 0;

/// Room for a unit that is permuted once.
pub(super) type Held = MaybeUninit<[Line; HELD_BYTES / 64]>;

/// The windows and indices of the vectors of a permuted unit that are left.
#[derive(Clone, Copy)]
pub(super) struct Lists {
    pub(super) windows: *const i32,
    pub(super) indices: *const u8,
}

impl Lists {
    /// Those after the first `vectors` of an operand that is read so.
    #[inline(always)]
    pub(super) fn after<P: Permuter>(self, vectors: usize, count: usize) -> Lists {
        if !is_permuted(count) {
            return self;
        }
        let bytes = P::next_indices(core::ptr::null(), count).addr();
        Lists {
            windows: self.windows.wrapping_add(vectors * (1 + count * P::WINDOWS)),
            indices: self.indices.wrapping_add(vectors * bytes),
        }
    }
}

/// The windows and indices of one vector: copies that nothing else points to, so that they may stay in registers.
#[derive(Clone, Copy)]
pub(super) struct Registers {
    /// Of each window on AVX2, the places of the blocks of a vector.
    windows: [i32; 4 * LOOP_WINDOWS],
    indices: [Line; LOOP_WINDOWS],
}

impl Registers {
    /// Those of the first of some vectors that are permuted from `COUNT` windows; of no others.
    ///
    /// # Safety
    /// The tables have so many windows and indices.
    #[inline(always)]
    pub(super) unsafe fn new<P: Permuter, const COUNT: usize>(lists: Lists) -> Registers {
        let mut registers = Registers { windows: [0; 4 * LOOP_WINDOWS], indices: [Line([0; 64]); LOOP_WINDOWS] };
        if is_permuted(COUNT) {
            let bytes = P::next_indices(core::ptr::null(), COUNT).addr();
            // SAFETY: the caller's contract.
            unsafe {
                for i in 0..COUNT * P::WINDOWS {
                    registers.windows[i] = *lists.windows.add(i);
                }
                core::ptr::copy_nonoverlapping(lists.indices, registers.indices.as_mut_ptr().cast(), bytes);
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
