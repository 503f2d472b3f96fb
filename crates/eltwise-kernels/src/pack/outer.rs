//! The loops outside a run: where each run begins.

use super::Loop;

/// The largest number of loops outside a run.
pub(super) const MOST_OUTER: usize = 6;

/// The first elements of the runs of a nest, in its order. The innermost of the loops is counted apart: it is the one
/// that turns often.
pub(super) struct Outer<'a> {
    rows: Loop,
    left: usize,
    from: *const u8,
    loops: &'a [Loop],
    index: [usize; MOST_OUTER],
    base: *const u8,
}

impl<'a> Outer<'a> {
    /// The runs inside of `loops`, at most `MOST_OUTER`, of a nest at `from`.
    #[inline(always)]
    pub(super) fn new(loops: &'a [Loop], from: *const u8) -> Outer<'a> {
        let (rows, loops) = match loops {
            [loops @ .., rows] => (*rows, loops),
            [] => (Loop { size: 1, stride: 0 }, loops),
        };
        Outer { rows, left: rows.size, from, loops, index: [0; MOST_OUTER], base: from }
    }

    /// The next run; `None` after the last.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<*const u8> {
        if self.left == 0 {
            self.turn()?;
        }
        let from = self.from;
        self.left -= 1;
        self.from = from.wrapping_offset(self.rows.stride);
        Some(from)
    }

    /// The next step of the loops outside the rows; `None` after the last.
    #[inline(always)]
    fn turn(&mut self) -> Option<()> {
        for (index, &Loop { size, stride }) in self.index.iter_mut().zip(self.loops).rev() {
            *index += 1;
            if *index < size {
                self.base = self.base.wrapping_offset(stride);
                (self.left, self.from) = (self.rows.size, self.base);
                return Some(());
            }
            *index = 0;
            self.base = self.base.wrapping_offset(stride.wrapping_mul(size as isize - 1).wrapping_neg());
        }
        None
    }
}
