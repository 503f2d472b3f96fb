//! The tables of the layout kernels: how elements are copied from one layout to another.
//!
//! The planner makes a [`CopyTable`] of a loop nest, and the layout kernels run it. They know element sizes and offsets, but
//! no rank, shape or operator. All offsets are bytes.

use alloc::vec::Vec;

use bytemuck::{Pod, Zeroable};

/// A cache line of [`Tables`]. An index vector is one line, or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Line(pub [u8; 64]);

/// Bytes of a [`Line`].
const LINE: usize = size_of::<Line>();

/// A list in [`Tables`], of items of one type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct List {
    /// The position of the first item, counted in items.
    first: u32,
    len: u32,
}

impl List {
    /// The number of items.
    #[inline]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether the list has no items.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Lists of numbers and index vectors, in one allocation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tables {
    lines: Vec<Line>,
    /// Bytes in use.
    used: usize,
}

impl Tables {
    /// Makes room for lists of so many bytes in all, with the space between them.
    pub fn reserve(&mut self, bytes: usize) {
        self.lines.reserve(bytes.div_ceil(LINE));
    }

    /// Adds a list of items, whose size divides a line.
    pub fn push<T: Pod>(&mut self, items: &[T]) -> List {
        let list = self.push_zeros::<T>(items.len());
        self.get_mut(list).copy_from_slice(items);
        list
    }

    /// Adds a list of zeros.
    pub fn push_zeros<T: Pod>(&mut self, len: usize) -> List {
        let first = self.used.div_ceil(size_of::<T>());
        let end = (first + len) * size_of::<T>();
        self.lines.resize(end.div_ceil(LINE), Line([0; LINE]));
        self.used = end;
        List { first: first as u32, len: len as u32 }
    }

    /// The items of a list, to be written.
    #[inline]
    pub fn get_mut<T: Pod>(&mut self, list: List) -> &mut [T] {
        &mut bytemuck::cast_slice_mut::<Line, T>(&mut self.lines)[list.first as usize..][..list.len()]
    }

    /// The items of a list that [`push`](Tables::push) made, of the same type.
    #[inline]
    pub fn get<T: Pod>(&self, list: List) -> &[T] {
        &bytemuck::cast_slice::<Line, T>(&self.lines)[list.first as usize..][..list.len()]
    }
}

/// Where one part of a copy begins, from the beginning of the whole: bytes in the source, and in the destination.
pub type Place = [i64; 2];

/// A copy of the elements of a loop nest from one layout to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyTable {
    /// Bytes of an element: 1, 2, 4, 8 or 16. Several contiguous elements may count as one.
    pub size: usize,
    /// The way of copying.
    pub way: CopyWay,
    /// The end of the bytes that are read, from the beginning of the source; 0 if no byte outside of the source's loops is read.
    pub reach: i64,
}

/// A way of copying.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyWay {
    /// Runs of contiguous elements, one after the other.
    Runs(Runs),
    /// The same, of one element that fills the run.
    Fills(Runs),
    /// Vectors permuted from windows of the source.
    Permute(Permute),
    /// Blocks of rows, transposed in registers.
    Transpose(Transpose),
}

/// Runs at `outer + i * step + inner`, for each place of `outer`, each `i` below `count`, and each place of `inner`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Runs {
    /// Bytes of a run in the destination.
    pub bytes: usize,
    /// Iterations of the loop between the lists.
    pub count: usize,
    /// From one of them to the next.
    pub step: Place,
    /// A list of [`Place`].
    pub inner: List,
    /// A list of [`Place`].
    pub outer: List,
}

/// Permuted vectors. A unit is a few vectors; it is repeated along rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Permute {
    /// Where rows of units begin: a list of [`Place`].
    pub outer: List,
    /// Units of a row.
    pub count: usize,
    /// From one of them to the next.
    pub step: Place,
    /// One unit more, which overlaps the last one of the row, from the row's beginning.
    pub rest: Option<Place>,
    /// A list of pairs of `i32`: vectors that are permuted from the same number of windows, and this number.
    pub groups: List,
    /// A list of `i32`: for each vector where it goes, then its windows. A window is as long as the vector, or there are
    /// windows of 16 bytes for each block of the vector.
    pub windows: List,
    /// Index vectors, one after the other in lines: one for each window but the first, or one for each set of windows of 16 bytes.
    pub indices: List,
    /// The first and the last byte, exclusive, of the elements of a unit, from its beginning.
    pub extent: [i32; 2],
    /// The end of its windows.
    pub reach: i32,
}

/// Bytes of the longest unit that a unit kernel permutes once, if it is the same for all units of a row.
pub const HELD_BYTES: usize = 4 << 10;
/// A contiguous operand that all units of a row share stays in registers if a unit has at most so many vectors.
pub const SHARED_VECTORS: usize = 4;
/// Unit kernels have loops for one permuted operand of at most so many windows for each vector.
pub const LOOP_WINDOWS: usize = 4;
/// In units of one vector, they have loops for two permuted operands of equally many windows, at most so many.
pub const BOTH_WINDOWS: usize = 2;

/// An entry of [`Transpose::places`]: the copy has no such element.
pub const NO_ROW: i32 = i32::MIN;

/// A transposition: elements that are close in the source go to different rows of the destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transpose {
    /// Where a transposition begins: a list of [`Place`].
    pub outer: List,
    /// The elements of a row of the destination, which are contiguous there: a list of `i32`, where each is in the source.
    pub rows: List,
    /// Windows of 16 bytes of the source: a list of `i32`.
    pub windows: List,
    /// For each element of each window the row that it goes to: a list of `i32`, or [`NO_ROW`].
    pub places: List,
    /// Whether an entry of `places` is [`NO_ROW`].
    pub has_gaps: bool,
    /// How the rows of one block are stored.
    pub store: Store,
    /// Blocks of 16 bytes in a vector.
    pub blocks: usize,
}

/// How a transposed vector is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// As a whole. The last block of rows overlaps the one before.
    Whole,
    /// Each of its blocks of 16 bytes after the one before, but none later than so many bytes after the first.
    Overlapping(i32),
    /// Both halves of its first block, the second so many bytes after the first.
    Halves(i32),
}
