//! Blocks of rows, transposed in registers.
//!
//! A block of 128 bits has `P` elements. `P` vectors are transposed within their blocks by log2 P rounds, which interleave
//! vector `i` with vector `i + P / 2`. The blocks of a vector come from different rows: vector `i` has rows `i`, `i + P`, ... of
//! one window, and after the rounds one element of all these rows.

use eltwise_core::tables::{CopyWay, NO_ROW, Place, Store, Tables, Transpose};
use eltwise_simd::{Blocks128, Entry, NarrowBlocks};

use super::{CopyCall, Padded};

/// Transposes elements of `SIZE` bytes.
pub(super) struct Transposed<const SIZE: usize>;

/// Bytes of a window.
const WINDOW: usize = 16;
/// Rows of a block of any kernel, at most.
const MAX_ROWS: usize = 64;

/// [`Store`] and [`Transpose::has_gaps`] as a number, for loops of their own.
const WHOLE: u8 = 0;
const WHOLE_WITH_GAPS: u8 = 1;
const BLOCKS: u8 = 2;
const HALVES: u8 = 3;

impl<L: NarrowBlocks, const SIZE: usize> Entry<L, CopyCall> for Transposed<SIZE> {
    #[inline(always)]
    unsafe fn run(l: L, call: &CopyCall) {
        // SAFETY: the caller's contract: the table and its lists are valid.
        unsafe {
            let CopyWay::Transpose(table) = &(*call.table).way else { return };
            if table.blocks == L::BLOCKS {
                by_store::<L, SIZE>(l, call, table);
            } else {
                by_store::<L::Narrow, SIZE>(l.narrow(), call, table);
            }
        }
    }
}

/// Transposes everything, in a loop of its own for each way to store.
///
/// # Safety
/// As for [`CopyKernel`](super::CopyKernel).
#[inline(always)]
unsafe fn by_store<L: Blocks128, const SIZE: usize>(l: L, call: &CopyCall, table: &Transpose) {
    // SAFETY: the caller's contract.
    unsafe {
        match table.store {
            Store::Whole if !table.has_gaps => all::<L, SIZE, WHOLE>(l, call, table, 0),
            Store::Whole => all::<L, SIZE, WHOLE_WITH_GAPS>(l, call, table, 0),
            Store::Overlapping(step) => all::<L, SIZE, BLOCKS>(l, call, table, step as isize),
            Store::Halves(step) => all::<L, SIZE, HALVES>(l, call, table, step as isize),
        }
    }
}

/// Transposes everything: for each outer place all blocks of rows, for each block all windows.
///
/// # Safety
/// As for [`CopyKernel`](super::CopyKernel).
#[inline(always)]
unsafe fn all<L: Blocks128, const SIZE: usize, const STORE: u8>(l: L, call: &CopyCall, table: &Transpose, step: isize) {
    // SAFETY: the caller's contract.
    unsafe {
        let tables: &Tables = &*call.tables;
        let (rows, windows) = (tables.get::<i32>(table.rows), tables.get::<i32>(table.windows));
        let places = tables.get::<i32>(table.places);
        let block_rows = const { WINDOW / SIZE * L::BLOCKS };
        let reach = (*call.table).reach as isize;
        let is_inside = reach == 0 || call.from.wrapping_offset(reach) <= call.end;
        for &[from, to] in tables.get::<Place>(table.outer) {
            let (from, to) = (call.from.wrapping_offset(from as isize), call.to.wrapping_offset(to as isize));
            let mut first = 0;
            loop {
                let to = to.wrapping_add(first * SIZE);
                let of_block = &rows[first..first + block_rows];
                if is_inside {
                    let mut pointers = [core::ptr::null(); MAX_ROWS];
                    let mut i = 0;
                    while i < block_rows {
                        pointers[i] = from.wrapping_offset(of_block[i] as isize);
                        i += 1;
                    }
                    block::<L, SIZE, STORE>(l, &pointers, windows, places, to, step);
                } else {
                    at_end::<L, SIZE, STORE>(l, (call, from), of_block, (windows, places), to, step);
                }
                if first + block_rows >= rows.len() {
                    break;
                }
                // The last block ends with the rows.
                first = (first + block_rows).min(rows.len() - block_rows);
            }
        }
    }
}

/// Transposes a block of rows some of whose windows may end past the readable memory. The readable bytes are copied first.
///
/// # Safety
/// As for [`block`], for windows as far as they are readable.
#[inline(always)]
unsafe fn at_end<L: Blocks128, const SIZE: usize, const STORE: u8>(
    l: L,
    (call, from): (&CopyCall, *const u8),
    rows: &[i32],
    (windows, places): (&[i32], &[i32]),
    to: *mut u8,
    step: isize,
) {
    let mut copies = Padded::NEW;
    let start = copies.as_mut_ptr();
    let mut pointers = [core::ptr::null(); MAX_ROWS];
    for (i, pointer) in pointers.iter_mut().enumerate().take(rows.len()) {
        *pointer = start.wrapping_add(i * WINDOW).cast_const();
    }
    for (&window, places) in windows.iter().zip(places.chunks_exact(WINDOW / SIZE)) {
        for (i, &row) in rows.iter().enumerate() {
            let at = from.wrapping_offset(row as isize + window as isize);
            let readable = (call.end as isize - at as isize).clamp(0, WINDOW as isize) as usize;
            // SAFETY: so many bytes are readable, and the copies have as many for each row.
            unsafe { core::ptr::copy_nonoverlapping(at, start.wrapping_add(i * WINDOW), readable) };
        }
        // SAFETY: the caller's contract; the windows were copied.
        unsafe { block::<L, SIZE, STORE>(l, &pointers, &[0], places, to, step) };
    }
}

/// Transposes all windows of a block of rows.
///
/// # Safety
/// All windows are readable from each of the block's rows on, and the rows of `to` are writable.
#[inline(always)]
unsafe fn block<L: Blocks128, const SIZE: usize, const STORE: u8>(
    l: L,
    rows: &[*const u8; MAX_ROWS],
    windows: &[i32],
    places: &[i32],
    to: *mut u8,
    step: isize,
) {
    let rows = rows.as_ptr();
    let mut places = places.as_ptr();
    for &window in windows {
        let at = window as isize;
        macro_rules! load {
            ($($i:literal)*) => { [$(l.load_rows(rows.add($i), const { WINDOW / SIZE }, at)),*] };
        }
        macro_rules! store {
            ($v:expr, $($i:literal)*) => {{ let v = $v; $(store::<L, STORE>(l, to, places.add($i), step, v[$i]);)* }};
        }
        // SAFETY: the caller's contract; there is a place for each element of the window.
        unsafe {
            match SIZE {
                1 => {
                    let v = transpose_16(l, load!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15));
                    store!(v, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
                }
                2 => store!(transpose_8(l, load!(0 1 2 3 4 5 6 7)), 0 1 2 3 4 5 6 7),
                4 => store!(transpose_4(l, load!(0 1 2 3)), 0 1 2 3),
                _ => store!(transpose_2(l, load!(0 1)), 0 1),
            }
            places = places.add(WINDOW / SIZE);
        }
    }
}

/// Stores the element of all rows.
///
/// # Safety
/// The rows at that place are writable.
#[inline(always)]
unsafe fn store<L: Blocks128, const STORE: u8>(l: L, to: *mut u8, place: *const i32, step: isize, v: L::Vector) {
    // SAFETY: the caller's contract.
    unsafe {
        let place = *place;
        if STORE != WHOLE && place == NO_ROW {
            return;
        }
        let to = to.wrapping_offset(place as isize);
        match STORE {
            BLOCKS => l.store_overlapping(to, step, v),
            HALVES => l.store_halves(to, to.wrapping_offset(step), v),
            _ => l.store_blocks(to, v),
        }
    }
}

/// The transposition of 2 x 2 elements of 8 bytes.
#[inline(always)]
fn transpose_2<L: Blocks128>(l: L, v: [L::Vector; 2]) -> [L::Vector; 2] {
    [l.interleave_lower::<8>(v[0], v[1]), l.interleave_upper::<8>(v[0], v[1])]
}

/// The transposition of 4 x 4 elements of 4 bytes.
#[inline(always)]
fn transpose_4<L: Blocks128>(l: L, v: [L::Vector; 4]) -> [L::Vector; 4] {
    round_4(l, round_4(l, v))
}

/// The transposition of 8 x 8 elements of 2 bytes.
#[inline(always)]
fn transpose_8<L: Blocks128>(l: L, v: [L::Vector; 8]) -> [L::Vector; 8] {
    round_8(l, round_8(l, round_8(l, v)))
}

/// The transposition of 16 x 16 bytes.
#[inline(always)]
fn transpose_16<L: Blocks128>(l: L, v: [L::Vector; 16]) -> [L::Vector; 16] {
    round_16(l, round_16(l, round_16(l, round_16(l, v))))
}

/// A round of the transposition of 4 x 4 elements of 4 bytes.
#[inline(always)]
fn round_4<L: Blocks128>(l: L, v: [L::Vector; 4]) -> [L::Vector; 4] {
    macro_rules! pairs {
        ($($a:literal $b:literal),*) => { [$(l.interleave_lower::<4>(v[$a], v[$b]), l.interleave_upper::<4>(v[$a], v[$b])),*] };
    }
    pairs!(0 2, 1 3)
}

/// A round of the transposition of 8 x 8 elements of 2 bytes.
#[inline(always)]
fn round_8<L: Blocks128>(l: L, v: [L::Vector; 8]) -> [L::Vector; 8] {
    macro_rules! pairs {
        ($($a:literal $b:literal),*) => { [$(l.interleave_lower::<2>(v[$a], v[$b]), l.interleave_upper::<2>(v[$a], v[$b])),*] };
    }
    pairs!(0 4, 1 5, 2 6, 3 7)
}

/// A round of the transposition of 16 x 16 bytes.
#[inline(always)]
fn round_16<L: Blocks128>(l: L, v: [L::Vector; 16]) -> [L::Vector; 16] {
    macro_rules! pairs {
        ($($a:literal $b:literal),*) => { [$(l.interleave_lower::<1>(v[$a], v[$b]), l.interleave_upper::<1>(v[$a], v[$b])),*] };
    }
    pairs!(0 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15)
}
