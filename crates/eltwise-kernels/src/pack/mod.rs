//! Pack and unpack: any layout to a dense tile and back, by element size only.
//!
//! | question | module |
//! |---|---|
//! | what is packed, and which way serves it? | here |
//! | short loops, repeats, small strides, by shuffles | `block` |
//! | two loops, the outer one contiguous in memory, by transposing in registers | `transpose` |
//! | everything else | `walk` |
//!
//! The dense side is in C order. Strides of 0 repeat (packing only), negative ones run backwards. Every way gives the
//! same bits.

mod block;
mod transpose;
mod walk;

use eltwise_simd::Isa;
use smallvec::SmallVec;

use block::Blocks;
use transpose::Transpose;
use walk::walk;

/// A loop of a nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Loop {
    size: usize,
    stride: isize,
}

/// How the elements of a nest are packed into dense memory, or unpacked to it: made once, run for every tile.
#[derive(Clone, Debug)]
pub struct Packing {
    size: usize,
    /// Outermost first; neighbours that one loop can walk are one.
    loops: SmallVec<[Loop; 4]>,
    way: Way,
}

/// The way of packing.
#[derive(Clone, Debug)]
enum Way {
    Blocks(Blocks),
    Transpose(Transpose),
    Walk,
}

impl Packing {
    /// The packing of a nest of `sizes` and byte `strides`, outermost first, of elements of `size` bytes (1, 2, 4, 8 or
    /// 16), for an ISA.
    pub fn new(size: usize, sizes: &[usize], strides: &[isize], isa: Isa) -> Packing {
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
        let way = (Transpose::new(size, &loops, isa).map(Way::Transpose))
            .or_else(|| Blocks::new(size, &loops, isa).map(Way::Blocks))
            .unwrap_or(Way::Walk);
        Packing { size, loops, way }
    }

    /// Copies the elements of the nest into dense memory.
    ///
    /// # Safety
    /// `from` is readable at every offset of the nest, `to` writable for all elements and up to `end`, where they may
    /// end before; they do not overlap. The CPU has the ISA. What lies between the elements and `end` may be overwritten.
    pub unsafe fn pack(&self, to: *mut u8, end: *mut u8, from: *const u8) {
        // SAFETY: the caller's contract, for the integer of that size.
        unsafe {
            match &self.way {
                Way::Blocks(blocks) => return blocks.pack(&self.loops, to, end, from),
                Way::Transpose(transpose) => return transpose.pack(self.size, &self.loops, to, from),
                Way::Walk => {}
            }
            match self.size {
                1 => walk::<u8, true>(to, from.cast_mut(), &self.loops),
                2 => walk::<u16, true>(to, from.cast_mut(), &self.loops),
                4 => walk::<u32, true>(to, from.cast_mut(), &self.loops),
                8 => walk::<u64, true>(to, from.cast_mut(), &self.loops),
                _ => walk::<u128, true>(to, from.cast_mut(), &self.loops),
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
                1 => walk::<u8, false>(from.cast_mut(), to, &self.loops),
                2 => walk::<u16, false>(from.cast_mut(), to, &self.loops),
                4 => walk::<u32, false>(from.cast_mut(), to, &self.loops),
                8 => walk::<u64, false>(from.cast_mut(), to, &self.loops),
                _ => walk::<u128, false>(from.cast_mut(), to, &self.loops),
            }
        }
    }
}

#[cfg(test)]
mod tests;
