//! Packing what repeats: a nest whose loop of stride 0 has others inside is packed once inside of it, and copied.
//!
//! It serves where no [cycle](super::cycle) does: rows that are longer than a vector, or a level without shuffles. What is copied is what
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
    /// Of a nest that is coalesced, the outermost loop that repeats among the first `most` and has others inside; `None`: there is none, or it
    /// repeats too seldom.
    pub(super) fn new(size: usize, loops: &[Loop], most: usize, isa: Isa) -> Option<Again> {
        let outer = loops[..most.min(loops.len().saturating_sub(1))].iter().position(|l| l.stride == 0)?;
        let (times, inner) = (loops[outer].size, &loops[outer + 1..]);
        if times < FEWEST || outer > MOST_OUTER {
            return None;
        }
        let once = inner.iter().map(|l| l.size).product::<usize>() * size;
        Some(Again { outer, inside: Box::new(Packing::of_nest(size, inner.into(), isa)), once, all: once * times })
    }

    /// Packs a nest of these loops.
    ///
    /// # Safety
    /// As [`Packing::pack`]; `loops` are those that this was made of.
    pub(super) unsafe fn pack(&self, loops: &[Loop], mut to: *mut u8, end: *mut u8, from: *const u8, past: *const u8) {
        let mut outer = Outer::new(&loops[..self.outer], from);
        while let Some(from) = outer.next() {
            // SAFETY: the caller's contract, of a part of the nest; what is copied was just packed, and all of it lies before what it is copied
            // to.
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

/// The fewest times that are worth it.
const FEWEST: usize = 4;
