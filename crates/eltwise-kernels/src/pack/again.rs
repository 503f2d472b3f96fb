//! Packing what repeats: a nest whose loop of stride 0 has others inside is packed once inside of it, and copied.
//!
//! It serves where no [cycle](super::cycle) does: its orders cannot be made, or are too many, or the level has none. What is copied is what
//! was copied before, so a loop of `n` steps takes about `log2(n)` copies.

use super::outer::{MOST_OUTER, Outer};
use super::{Loop, Packing};
use eltwise_simd::Isa;

/// A loop that repeats, with what is inside of it.
#[derive(Clone, Debug)]
pub(super) struct Again {
    /// How many of the loops are outside.
    outer: usize,
    inside: Box<Packing>,
    /// Bytes of what is inside, and of all its repeats.
    once: usize,
    all: usize,
}

impl Again {
    /// Of a nest that is coalesced, the outermost loop that repeats often enough, is among the first `most`, and has others inside; `None`:
    /// there is none.
    pub(super) fn new(size: usize, loops: &[Loop], most: usize, isa: Isa) -> Option<Again> {
        let outer =
            loops[..most.min(loops.len().saturating_sub(1))].iter().position(|l| l.stride == 0 && l.size >= FEWEST)?;
        let (times, inner) = (loops[outer].size, &loops[outer + 1..]);
        if outer > MOST_OUTER {
            return None;
        }
        let once = inner.iter().map(|l| l.size).product::<usize>() * size;
        Some(Again { outer, inside: Box::new(Packing::of_nest(size, inner.into(), isa)), once, all: once * times })
    }

    /// This packing for memory beyond the caches.
    pub(super) fn of_far_memory(self) -> Again {
        Again { inside: Box::new(self.inside.of_far_memory()), ..self }
    }

    /// Packs a nest of these loops.
    ///
    /// # Safety
    /// As [`Packing::pack`]; `loops` are the loops that this was made for.
    pub(super) unsafe fn pack(&self, loops: &[Loop], mut to: *mut u8, end: *mut u8, from: *const u8, past: *const u8) {
        let mut outer = Outer::new(&loops[..self.outer], from);
        while let Some(from) = outer.next() {
            // SAFETY: the caller's contract, for a part of the nest's elements. No later element was packed yet. The
            // bytes that are copied were just packed and are all before the place they are copied to.
            unsafe {
                self.inside.pack(to, end, from, past);
                let mut done = self.once;
                while done < self.all {
                    let more = done.min(self.all - done);
                    core::ptr::copy_nonoverlapping(to, to.add(done), more);
                    done += more;
                }
                to = to.add(self.all);
            }
        }
    }
}

/// The smallest number of repeats for which copies pay: the blocks of so many short rows take longer than three copies.
const FEWEST: usize = 8;

#[cfg(test)]
mod tests {
    use super::super::Way;
    use super::*;

    #[test]
    fn what_repeats_and_has_no_order_is_packed_once() {
        let repeats =
            |sizes: &[usize], strides: &[isize], isa| matches!(Packing::new(2, sizes, strides, isa).way, Way::Again(_));
        let plain = |sizes: &[usize], strides: &[isize]| repeats(sizes, strides, Isa::Scalar);
        // Also under a loop that repeats seldom; but not seldom alone, nor an element, nor a transposed nest.
        assert!(plain(&[9, 17], &[0, 2]) && plain(&[2, 3, 300, 17], &[0, 200, 0, 2]));
        assert!(!plain(&[FEWEST - 1, 17], &[0, 2]) && !plain(&[9, 17], &[2, 0]) && !plain(&[64, 64], &[2, 130]));
        for isa in Isa::available().filter(|&isa| isa != Isa::Scalar) {
            // Halves of vectors of 16 elements reach over 17 of them, but not windows of whole vectors.
            assert_eq!(repeats(&[30, 15, 17], &[34, 0, 2], isa), isa.vector_bytes() <= 32, "{isa}");
            assert!(!repeats(&[30, 15, 16], &[32, 0, 2], isa) || isa.vector_bytes() < 32, "{isa}");
        }
    }
}
