//! Blocks: how much of two loops is transposed at once, in registers.
//!
//! `P` elements are 16 bytes, a part of a vector. `P` vectors are transposed within their parts by log2 P rounds of
//! interleaving vector `i` with vector `i + P / 2`. What differs is where parts are loaded from and stored to:
//!
//! | block | down x across, in vectors | loads | stores |
//! |---|---|---|---|
//! | [`Parted`] | a part x one | parts of 16 bytes | whole vectors |
//! | [`Lined`] | one x a part | whole vectors | parts of 16 bytes |
//! | [`Square`] | one x one | whole vectors | whole vectors, their parts exchanged in registers |

use eltwise_simd::{Blocks128, FourBlocks128};

/// The transposition within parts of as many vectors as a part has elements, loaded and stored by two macros.
macro_rules! turned {
    ($l:ident, $size:ident, $load:ident, $store:ident) => {
        match $size {
            1 => {
                let v = turn_16($l, $load!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15));
                $store!(v, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            }
            2 => $store!(turn_8($l, $load!(0 1 2 3 4 5 6 7)), 0 1 2 3 4 5 6 7),
            4 => $store!(turn_4($l, $load!(0 1 2 3)), 0 1 2 3),
            _ => $store!(turn_2($l, $load!(0 1)), 0 1),
        }
    };
}

/// A block: the element at `from + r * SIZE + c * along` goes to `to + r * down + c * SIZE`.
pub(super) trait Block<L: Blocks128> {
    /// Bytes of an element.
    const SIZE: usize;
    /// Steps down: along them the memory is contiguous.
    const ROWS: usize;
    /// Steps across: along them the dense side is contiguous.
    const COLS: usize;

    /// Moves one block.
    ///
    /// # Safety
    /// `ROWS` elements are readable at each of the block's steps across, `COLS` elements writable at each step down.
    unsafe fn run(l: L, to: *mut u8, down: isize, from: *const u8, along: isize);
}

/// Loads by parts.
pub(super) struct Parted<const SIZE: usize>;
/// Stores by parts.
pub(super) struct Lined<const SIZE: usize>;
/// Loads and stores whole vectors. Of elements of 2 bytes and more: no registers hold a square of bytes.
pub(super) struct Square<const SIZE: usize>;

impl<L: Blocks128, const SIZE: usize> Block<L> for Parted<SIZE> {
    const SIZE: usize = SIZE;
    const ROWS: usize = 16 / SIZE;
    const COLS: usize = 16 / SIZE * L::BLOCKS;

    #[inline(always)]
    unsafe fn run(l: L, to: *mut u8, down: isize, from: *const u8, along: isize) {
        let far = (16 / SIZE) as isize * along;
        macro_rules! load {
            ($($i:literal)*) => { [$(l.gather_blocks(from.wrapping_offset($i * along), far)),*] };
        }
        macro_rules! store {
            ($v:expr, $($i:literal)*) => {{ let v = $v; $(l.store_blocks(to.wrapping_offset($i * down), v[$i]);)* }};
        }
        // SAFETY: the caller's contract.
        unsafe {
            turned!(l, SIZE, load, store);
        }
    }
}

impl<L: Blocks128, const SIZE: usize> Block<L> for Lined<SIZE> {
    const SIZE: usize = SIZE;
    const ROWS: usize = 16 / SIZE * L::BLOCKS;
    const COLS: usize = 16 / SIZE;

    #[inline(always)]
    unsafe fn run(l: L, to: *mut u8, down: isize, from: *const u8, along: isize) {
        let far = (16 / SIZE) as isize * down;
        macro_rules! load {
            ($($i:literal)*) => { [$(l.load_blocks(from.wrapping_offset($i * along))),*] };
        }
        macro_rules! store {
            ($v:expr, $($i:literal)*) => {{ let v = $v; $(l.scatter_blocks(to.wrapping_offset($i * down), far, v[$i]);)* }};
        }
        // SAFETY: the caller's contract.
        unsafe {
            turned!(l, SIZE, load, store);
        }
    }
}

impl<L: FourBlocks128, const SIZE: usize> Block<L> for Square<SIZE> {
    const SIZE: usize = SIZE;
    const ROWS: usize = 64 / SIZE;
    const COLS: usize = 64 / SIZE;

    #[inline(always)]
    unsafe fn run(l: L, to: *mut u8, down: isize, from: *const u8, along: isize) {
        macro_rules! load {
            ($($i:literal)*) => { [$(l.load_blocks(from.wrapping_offset($i * along))),*] };
        }
        // Part j of vector r of group i is part i of the block's row r + j * P.
        macro_rules! store {
            ($p:literal, $to:ident, $a:ident $b:ident $c:ident $d:ident, $($r:literal)*) => {$(
                let v = l.transpose_blocks([$a[$r], $b[$r], $c[$r], $d[$r]]);
                l.store_blocks($to.wrapping_offset($r * down), v[0]);
                l.store_blocks($to.wrapping_offset(($r + $p) * down), v[1]);
                l.store_blocks($to.wrapping_offset(($r + 2 * $p) * down), v[2]);
                l.store_blocks($to.wrapping_offset(($r + 3 * $p) * down), v[3]);
            )*};
        }
        // SAFETY: the caller's contract.
        unsafe {
            match SIZE {
                2 => {
                    let a = turn_8(l, load!(0 1 2 3 4 5 6 7));
                    let b = turn_8(l, load!(8 9 10 11 12 13 14 15));
                    let c = turn_8(l, load!(16 17 18 19 20 21 22 23));
                    let d = turn_8(l, load!(24 25 26 27 28 29 30 31));
                    store!(8, to, a b c d, 0 1 2 3 4 5 6 7);
                }
                4 => {
                    let (a, b) = (turn_4(l, load!(0 1 2 3)), turn_4(l, load!(4 5 6 7)));
                    let (c, d) = (turn_4(l, load!(8 9 10 11)), turn_4(l, load!(12 13 14 15)));
                    store!(4, to, a b c d, 0 1 2 3);
                }
                _ => {
                    let (a, b) = (turn_2(l, load!(0 1)), turn_2(l, load!(2 3)));
                    let (c, d) = (turn_2(l, load!(4 5)), turn_2(l, load!(6 7)));
                    store!(2, to, a b c d, 0 1);
                }
            }
        }
    }
}

/// The transposition of 2 x 2 elements of 8 bytes.
#[inline(always)]
fn turn_2<L: Blocks128>(l: L, v: [L::Vector; 2]) -> [L::Vector; 2] {
    [l.interleave_lower::<8>(v[0], v[1]), l.interleave_upper::<8>(v[0], v[1])]
}

/// The transposition of 4 x 4 elements of 4 bytes.
#[inline(always)]
fn turn_4<L: Blocks128>(l: L, v: [L::Vector; 4]) -> [L::Vector; 4] {
    round_4(l, round_4(l, v))
}

/// The transposition of 8 x 8 elements of 2 bytes.
#[inline(always)]
fn turn_8<L: Blocks128>(l: L, v: [L::Vector; 8]) -> [L::Vector; 8] {
    round_8(l, round_8(l, round_8(l, v)))
}

/// The transposition of 16 x 16 bytes.
#[inline(always)]
fn turn_16<L: Blocks128>(l: L, v: [L::Vector; 16]) -> [L::Vector; 16] {
    round_16(l, round_16(l, round_16(l, round_16(l, v))))
}

/// A round of the transposition of 4 x 4 elements of 4 bytes.
#[inline(always)]
fn round_4<L: Blocks128>(l: L, v: [L::Vector; 4]) -> [L::Vector; 4] {
    [
        l.interleave_lower::<4>(v[0], v[2]),
        l.interleave_upper::<4>(v[0], v[2]),
        l.interleave_lower::<4>(v[1], v[3]),
        l.interleave_upper::<4>(v[1], v[3]),
    ]
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
