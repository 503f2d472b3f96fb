//! Vectors permuted from windows of memory: units of a few vectors, repeated at places.

use eltwise_core::tables::{CopyWay, Line, Permute as PermuteTable, Place, Tables};
use eltwise_simd::{Blocks128, Entry, Permute};

use super::{CopyCall, PADDED, Padded};

/// Windows as long as vectors, of elements of `SIZE` bytes or of several times as many: each permute takes elements from one
/// window more.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other ISA has such permutes"))]
pub(super) struct Chained<const SIZE: usize>;

/// Windows of 16 bytes, for each block of a vector: bytes are looked up in each window, and combined by *or*.
pub(super) struct LookedUp;

/// How a vector is permuted.
pub(super) trait Permuter: Copy {
    /// A vector.
    type Vector: Copy;
    /// Windows of a vector for each one that its group counts.
    const WINDOWS: usize;
    /// Bytes of a vector.
    const BYTES: usize;

    /// Lines of the index vectors of a vector of `windows` windows.
    fn index_lines(windows: usize) -> usize;

    /// The first byte of the index vectors of the next vector, after one of `windows` windows.
    fn next_indices(indices: *const u8, windows: usize) -> *const u8;

    /// A vector permuted from `count` windows.
    ///
    /// # Safety
    /// Each window at `from` is readable; `indices` points to the index vectors.
    unsafe fn vector(self, from: *const u8, windows: *const i32, indices: *const u8, count: usize) -> Self::Vector;

    /// Stores a vector.
    ///
    /// # Safety
    /// It is writable.
    unsafe fn store(self, to: *mut u8, v: Self::Vector);
}

/// The lists of a table.
#[derive(Clone, Copy)]
struct Lists<'a> {
    table: &'a PermuteTable,
    groups: &'a [[i32; 2]],
    windows: &'a [i32],
    indices: &'a [Line],
}

/// Permutes all units.
///
/// # Safety
/// As for [`CopyKernel`](super::CopyKernel).
#[inline(always)]
unsafe fn all<P: Permuter>(p: P, call: &CopyCall) {
    // SAFETY: the caller's contract: the table and its lists are valid.
    unsafe {
        let CopyWay::Permute(table) = &(*call.table).way else { return };
        let tables: &Tables = &*call.tables;
        let lists = Lists {
            table,
            groups: tables.get(table.groups),
            windows: tables.get(table.windows),
            indices: tables.get(table.indices),
        };
        let reach = (*call.table).reach as isize;
        let is_inside = reach == 0 || call.from.wrapping_offset(reach) <= call.end;
        for &[from, to] in tables.get::<Place>(table.outer) {
            let (from, to) = (call.from.wrapping_offset(from as isize), call.to.wrapping_offset(to as isize));
            let inside = if is_inside {
                table.count
            } else {
                units_inside(table.count, table.step[0] as isize, table.reach, from, call.end)
            };
            if table.step[0] == 0 && table.count > 1 {
                // All units are equal.
                if inside > 0 {
                    unit(p, lists, from, to);
                } else {
                    at_end(p, lists, from, to);
                }
                repeat(to, table.step[1] as usize, table.count);
            } else {
                row::<P>(p, lists, from, to, inside);
                // A closure here would lose the CPU features.
                for i in inside..table.count {
                    let from = from.wrapping_offset((table.step[0] as isize).wrapping_mul(i as isize));
                    let to = to.wrapping_offset((table.step[1] as isize).wrapping_mul(i as isize));
                    at_end(p, lists, from, to);
                }
            }
            if let Some([from_rest, to_rest]) = table.rest {
                let (from, to) = (from.wrapping_offset(from_rest as isize), to.wrapping_offset(to_rest as isize));
                if is_inside || from.wrapping_offset(table.reach as isize) <= call.end {
                    unit(p, lists, from, to);
                } else {
                    at_end(p, lists, from, to);
                }
            }
        }
    }
}

/// How many of `units` units, `step` bytes apart, come before the first one whose windows end past the readable memory. If the source
/// goes backward, the first unit reaches farthest.
#[inline(always)]
pub(super) fn units_inside(units: usize, step: isize, reach: i32, from: *const u8, end: *const u8) -> usize {
    let Some(left) = end.addr().checked_sub(from.wrapping_offset(reach as isize).addr()) else { return 0 };
    match step {
        // Most rows end before: no division.
        1.. if left < (step as usize).saturating_mul(units) => units.min((left / step as usize).saturating_add(1)),
        _ => units,
    }
}

/// Copies the first of `count` parts of `bytes` bytes to the others, as many at a time as there are already.
///
/// # Safety
/// All parts are writable, and the first one is written.
unsafe fn repeat(to: *mut u8, bytes: usize, count: usize) {
    let (mut done, all) = (bytes, bytes * count);
    while done < all {
        let next = done.min(all - done);
        // SAFETY: both sides are in the parts, and do not overlap.
        unsafe { core::ptr::copy_nonoverlapping(to, to.wrapping_add(done), next) };
        done += next;
    }
}

/// Permutes units of a row. Those of one vector keep their indices in registers.
///
/// # Safety
/// All windows are readable, the vectors of the destination writable.
#[inline(always)]
unsafe fn row<P: Permuter>(p: P, lists: Lists<'_>, from: *const u8, to: *mut u8, units: usize) {
    // SAFETY: the caller's contract.
    unsafe {
        match lists.groups {
            [[1, 1]] => row_of_vectors::<P, 1>(p, lists, from, to, units),
            [[2, 1]] => row_of_vectors::<P, 2>(p, lists, from, to, units),
            [[3, 1]] => row_of_vectors::<P, 3>(p, lists, from, to, units),
            [[4, 1]] => row_of_vectors::<P, 4>(p, lists, from, to, units),
            _ => row_of_units(p, lists, from, to, units),
        }
    }
}

/// Permutes units of a row.
///
/// # Safety
/// All windows are readable, the vectors of the destination writable.
#[inline(always)]
unsafe fn row_of_units<P: Permuter>(p: P, lists: Lists<'_>, mut from: *const u8, mut to: *mut u8, units: usize) {
    let (from_step, to_step) = (lists.table.step[0] as isize, lists.table.step[1] as isize);
    for _ in 0..units {
        // SAFETY: the caller's contract.
        unsafe { unit(p, lists, from, to) };
        from = from.wrapping_offset(from_step);
        to = to.wrapping_offset(to_step);
    }
}

/// Permutes units of one vector of `COUNT` windows.
///
/// # Safety
/// All windows are readable, the vectors of the destination writable.
#[inline(always)]
unsafe fn row_of_vectors<P: Permuter, const COUNT: usize>(
    p: P,
    lists: Lists<'_>,
    mut from: *const u8,
    mut to: *mut u8,
    units: usize,
) {
    // Copies that nothing else points to, so that they may stay in registers.
    let mut windows = [0i32; 1 + 4 * 4];
    let mut indices = [Line([0; 64]); 4];
    (0..1 + COUNT * P::WINDOWS).for_each(|i| windows[i] = lists.windows[i]);
    (0..P::index_lines(COUNT)).for_each(|i| indices[i] = lists.indices[i]);
    let (from_step, to_step) = (lists.table.step[0] as isize, lists.table.step[1] as isize);
    to = to.wrapping_offset(windows[0] as isize);
    for _ in 0..units {
        // SAFETY: the caller's contract.
        unsafe { p.store(to, p.vector(from, windows.as_ptr().add(1), indices.as_ptr().cast(), COUNT)) };
        from = from.wrapping_offset(from_step);
        to = to.wrapping_offset(to_step);
    }
}

/// A unit whose windows end past the readable memory.
///
/// # Safety
/// The elements are readable, the vectors of the destination writable.
#[inline(always)]
unsafe fn at_end<P: Permuter>(p: P, lists: Lists<'_>, from: *const u8, to: *mut u8) {
    let mut copy = Padded::NEW;
    // SAFETY: the caller's contract; the copy is followed by more than a window.
    unsafe { unit(p, lists, padded(lists.table, from, &mut copy), to) };
}

/// Copies the elements of a unit whose windows end past the readable memory. They are fewer bytes than a window, or all windows
/// would end with them. Returns where the unit begins in the copy.
///
/// # Safety
/// The elements are readable.
#[inline(always)]
pub(super) unsafe fn padded(table: &PermuteTable, from: *const u8, copy: &mut Padded) -> *const u8 {
    let (first, end) = (table.extent[0] as isize, table.extent[1] as isize);
    let bytes = ((end - first) as usize).min(PADDED);
    // SAFETY: the caller's contract; a copy has so many bytes.
    unsafe { core::ptr::copy_nonoverlapping(from.wrapping_offset(first), copy.as_mut_ptr(), bytes) };
    copy.as_mut_ptr().cast_const().wrapping_offset(-first)
}

/// Permutes a unit.
///
/// # Safety
/// All windows are readable, the vectors of the destination writable.
#[inline(always)]
unsafe fn unit<P: Permuter>(p: P, lists: Lists<'_>, from: *const u8, to: *mut u8) {
    let mut windows = lists.windows.as_ptr();
    let mut indices = lists.indices.as_ptr().cast::<u8>();
    for &[count, vectors] in lists.groups {
        macro_rules! vectors {
            ($count:expr) => {
                for _ in 0..vectors {
                    // SAFETY: the caller's contract; each vector has its place, its windows and its indices.
                    unsafe {
                        let v = p.vector(from, windows.add(1), indices, $count);
                        p.store(to.wrapping_offset(*windows as isize), v);
                        windows = windows.add(1 + $count * P::WINDOWS);
                    }
                    indices = P::next_indices(indices, $count);
                }
            };
        }
        // The loops over a few windows are unrolled.
        match count as usize {
            1 => vectors!(1),
            2 => vectors!(2),
            3 => vectors!(3),
            4 => vectors!(4),
            5 => vectors!(5),
            6 => vectors!(6),
            count => vectors!(count),
        }
    }
}

/// A token as a [`Permuter`] of elements of `SIZE` bytes.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other ISA has such permutes"))]
pub(super) struct Chain<L, const SIZE: usize>(pub(super) L);

impl<L: Permute<SIZE>, const SIZE: usize> Permuter for Chain<L, SIZE> {
    type Vector = L::Vector;
    const WINDOWS: usize = 1;
    const BYTES: usize = L::BYTES;

    #[inline(always)]
    fn index_lines(windows: usize) -> usize {
        (windows - 1).max(1)
    }

    #[inline(always)]
    fn next_indices(indices: *const u8, windows: usize) -> *const u8 {
        indices.wrapping_add(Self::BYTES * (windows - 1).max(1))
    }

    #[inline(always)]
    unsafe fn vector(self, from: *const u8, windows: *const i32, indices: *const u8, count: usize) -> Self::Vector {
        let l = self.0;
        // SAFETY: the caller's contract.
        unsafe {
            let mut v = l.load_window(from.wrapping_offset(*windows as isize));
            if count == 1 {
                v = l.permute(v, indices);
            }
            for j in 1..count {
                let window = l.load_window(from.wrapping_offset(*windows.add(j) as isize));
                v = l.permute2([v, window], indices.wrapping_add((j - 1) * Self::BYTES));
            }
            v
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, v: L::Vector) {
        // SAFETY: the caller's contract.
        unsafe { self.0.store_window(to, v) };
    }
}

impl<L: Permute<SIZE>, const SIZE: usize> Entry<L, CopyCall> for Chained<SIZE> {
    #[inline(always)]
    unsafe fn run(l: L, call: &CopyCall) {
        // SAFETY: the caller's contract.
        unsafe { all(Chain::<L, SIZE>(l), call) };
    }
}

/// A token as a [`Permuter`] of bytes in blocks.
#[derive(Clone, Copy)]
pub(super) struct Lookup<L>(pub(super) L);

impl<L: Blocks128> Permuter for Lookup<L> {
    type Vector = L::Vector;
    const WINDOWS: usize = L::BLOCKS;
    const BYTES: usize = 16 * L::BLOCKS;

    #[inline(always)]
    fn index_lines(windows: usize) -> usize {
        (Self::BYTES * windows).div_ceil(64)
    }

    #[inline(always)]
    fn next_indices(indices: *const u8, windows: usize) -> *const u8 {
        indices.wrapping_add(Self::BYTES * windows)
    }

    #[inline(always)]
    unsafe fn vector(self, from: *const u8, windows: *const i32, indices: *const u8, count: usize) -> Self::Vector {
        let l = self.0;
        // SAFETY: the caller's contract.
        unsafe {
            let mut v = l.table_lookup_bytes_or_0(l.load_windows(from, windows), l.load_blocks(indices));
            for j in 1..count {
                let window = l.load_windows(from, windows.add(j * L::BLOCKS));
                let indices = l.load_blocks(indices.wrapping_add(j * Self::BYTES));
                v = l.or(v, l.table_lookup_bytes_or_0(window, indices));
            }
            v
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8, v: L::Vector) {
        // SAFETY: the caller's contract.
        unsafe { self.0.store_blocks(to, v) };
    }
}

impl<L: Blocks128> Entry<L, CopyCall> for LookedUp {
    #[inline(always)]
    unsafe fn run(l: L, call: &CopyCall) {
        // SAFETY: the caller's contract.
        unsafe { all(Lookup(l), call) };
    }
}
