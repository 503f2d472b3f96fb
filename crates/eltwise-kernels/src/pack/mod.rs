//! Pack and unpack: any layout to a dense tile and back, by element size only.
//!
//! | question | module |
//! |---|---|
//! | the choice of how a nest is packed | here |
//! | short loops and repeats: shuffles of whole steps, or of whole vectors | `block`, `cycle` |
//! | the same where no such order serves: packed once, then copied | `again` |
//! | rows two to four elements apart, or backwards | `stride` |
//! | two loops, the outer one contiguous in memory, by transposing in registers | `transpose` |
//! | everything else | `copy_loops` |
//!
//! The dense side is in C order. Strides of 0 repeat (packing only), negative ones run backwards. Every way gives the
//! same bits.

mod again;
mod block;
mod copy_loops;
mod cycle;
pub(crate) mod orders;
mod outer;
mod stride;
mod transpose;

use eltwise_simd::Isa;
use smallvec::SmallVec;

use again::Again;
use block::Blocks;
use copy_loops::copy_loops;
use cycle::Cycles;
use stride::Strided;
use transpose::Transpose;

/// A loop of a nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Loop {
    pub(crate) size: usize,
    pub(crate) stride: isize,
}

/// The loops of a nest, with neighbours coalesced.
pub(crate) fn coalesced(sizes: &[usize], strides: &[isize]) -> SmallVec<[Loop; 4]> {
    let mut loops: SmallVec<[Loop; 4]> = SmallVec::new();
    for (&size, &stride) in sizes.iter().zip(strides).filter(|(size, _)| **size != 1) {
        match loops.last_mut() {
            // The loop outside goes on where this one ends.
            Some(last) if stride.checked_mul(size as isize) == Some(last.stride) => {
                *last = Loop { size: last.size * size, stride };
            }
            _ => loops.push(Loop { size, stride }),
        }
    }
    loops
}

/// How the elements of a nest are packed into dense memory, or unpacked to it: made once, run for every tile.
#[derive(Clone, Debug)]
pub struct Packing {
    size: usize,
    /// Outermost first; neighbours with one stride are coalesced.
    loops: SmallVec<[Loop; 4]>,
    way: Way,
}

/// The way of packing.
#[derive(Clone, Debug)]
enum Way {
    Strided(Strided),
    Cycles(Cycles),
    Blocks(Blocks),
    Again(Again),
    Transpose(Transpose),
    Loops,
}

impl Packing {
    /// The packing of a nest of `sizes` and byte `strides`, outermost first, of elements of `size` bytes (1, 2, 4, 8 or
    /// 16), for an ISA.
    pub fn new(size: usize, sizes: &[usize], strides: &[isize], isa: Isa) -> Packing {
        Packing::of_nest(size, coalesced(sizes, strides), isa)
    }

    /// The packing of loops that are coalesced.
    fn of_nest(size: usize, loops: SmallVec<[Loop; 4]>, isa: Isa) -> Packing {
        let way = (Transpose::new(size, &loops, isa).map(Way::Transpose))
            .or_else(|| Strided::new(size, &loops, isa).map(Way::Strided))
            .or_else(|| Packing::short_loops(size, &loops, isa))
            .unwrap_or(Way::Loops);
        Packing { size, loops, way }
    }

    /// This packing for memory beyond the caches, where prefetching the next elements pays.
    #[must_use]
    pub fn of_far_memory(self) -> Packing {
        let way = match self.way {
            Way::Transpose(transpose) => Way::Transpose(transpose.of_far_memory()),
            Way::Again(again) => Way::Again(again.of_far_memory()),
            way => way,
        };
        Packing { way, ..self }
    }

    /// The way of short loops: blocks where one serves a whole run, else cycles, which store whole vectors. Else what repeats outside of
    /// blocks, or where no shuffles serve, of any length, is packed once.
    fn short_loops(size: usize, loops: &[Loop], isa: Isa) -> Option<Way> {
        let blocks = Blocks::new(size, loops, isa);
        if !blocks.as_ref().is_some_and(Blocks::repeats)
            && let Some(cycles) = Cycles::new(size, loops, isa)
        {
            return Some(Way::Cycles(cycles));
        }
        let outside = blocks.as_ref().map_or(usize::MAX, Blocks::outside);
        Again::new(size, loops, outside, isa).map(Way::Again).or(blocks.map(Way::Blocks))
    }

    /// Copies the elements of the nest into dense memory.
    ///
    /// # Safety
    /// `from` is readable at every offset of the nest, `to` writable for all elements and up to `end`, where they may
    /// end before; they do not overlap. The CPU has the ISA. The bytes between the elements and `end` may be overwritten.
    /// Every byte between an element of the nest and `past`, if that is after the element, is on a readable page: it
    /// may be read, and is not used.
    pub unsafe fn pack(&self, to: *mut u8, end: *mut u8, from: *const u8, past: *const u8) {
        // SAFETY: the caller's contract, for the integer of that size.
        unsafe {
            match &self.way {
                Way::Strided(strided) => return strided.pack(&self.loops, to, from),
                Way::Cycles(cycles) => return cycles.pack(&self.loops, to, end, from, past),
                Way::Again(again) => return again.pack(&self.loops, to, end, from, past),
                Way::Blocks(blocks) => return blocks.pack(&self.loops, to, end, from),
                Way::Transpose(transpose) => return transpose.pack(self.size, &self.loops, to, from),
                Way::Loops => {}
            }
            match self.size {
                1 => copy_loops::<u8, true>(to, from.cast_mut(), &self.loops),
                2 => copy_loops::<u16, true>(to, from.cast_mut(), &self.loops),
                4 => copy_loops::<u32, true>(to, from.cast_mut(), &self.loops),
                8 => copy_loops::<u64, true>(to, from.cast_mut(), &self.loops),
                _ => copy_loops::<u128, true>(to, from.cast_mut(), &self.loops),
            }
        }
    }

    /// Copies dense elements to the places of the nest.
    ///
    /// # Safety
    /// `to` is writable at every offset of the nest, `from` readable for all elements; they do not overlap, nor do two
    /// places of the nest.
    pub unsafe fn unpack(&self, to: *mut u8, from: *const u8) {
        // SAFETY: the caller's contract, for the integer of that size.
        unsafe {
            if let Way::Transpose(transpose) = &self.way
                && transpose.unpack(self.size, &self.loops, to, from)
            {
                return;
            }
            match self.size {
                1 => copy_loops::<u8, false>(from.cast_mut(), to, &self.loops),
                2 => copy_loops::<u16, false>(from.cast_mut(), to, &self.loops),
                4 => copy_loops::<u32, false>(from.cast_mut(), to, &self.loops),
                8 => copy_loops::<u64, false>(from.cast_mut(), to, &self.loops),
                _ => copy_loops::<u128, false>(from.cast_mut(), to, &self.loops),
            }
        }
    }
}

/// Whether every byte between the first and the last element of a nest, of elements of `size` bytes, is on a page that has
/// an element.
pub fn is_close(size: usize, sizes: &[usize], strides: &[isize]) -> bool {
    let loops = sizes.iter().zip(strides).filter(|(_, stride)| **stride != 0);
    let mut by_stride: SmallVec<[(usize, usize); 8]> = loops.map(|(&n, s)| (s.unsigned_abs(), n)).collect();
    by_stride.sort_unstable();
    let mut span = size;
    by_stride.into_iter().all(|(stride, steps)| {
        let reached = span;
        span = span.saturating_add(steps.saturating_sub(1).saturating_mul(stride));
        stride < reached.saturating_add(PAGE)
    })
}

/// Bytes of the smallest page of memory.
const PAGE: usize = 4 << 10;
