//! The first elements of results that go to no file.

use std::sync::{Mutex, PoisonError};

use eltwise::Layout;

use super::part::Part;
use super::pieces::Piece;
use crate::elements;

/// Collects the first elements of each result, in C order, from whichever pieces have them.
pub(crate) struct Firsts<'a> {
    results: Vec<(&'a Layout, Mutex<Vec<u8>>)>,
}

impl<'a> Firsts<'a> {
    /// For results of these layouts.
    pub(crate) fn new(results: &'a [Layout]) -> Firsts<'a> {
        let memory = |l: &Layout| Mutex::new(vec![0; elements::shown(l) * l.dtype().size()]);
        Firsts { results: results.iter().map(|l| (l, memory(l))).collect() }
    }

    /// Keeps what a part of result `which` has of the first elements.
    pub(crate) fn keep(&self, which: usize, piece: &Piece, part: &Part, bytes: &[u8]) {
        let Some((layout, kept)) = self.results.get(which) else { return };
        let (shape, size) = (layout.shape(), layout.dtype().size());
        for position in 0..elements::shown(layout) {
            let (mut rest, mut at, mut inside) = (position, 0, true);
            for axis in (0..shape.rank()).rev() {
                let (index, first) = (rest % shape[axis], piece.at[axis]);
                rest /= shape[axis];
                inside &= (first..first + piece.size[axis]).contains(&index);
                at += index.saturating_sub(first) * part.layout.strides()[axis].unsigned_abs();
            }
            if inside {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept[position * size..][..size].copy_from_slice(&bytes[at..at + size]);
            }
        }
    }

    /// Each result's first elements as text.
    pub(crate) fn texts(self) -> Vec<String> {
        let text = |(layout, kept): (&Layout, Mutex<Vec<u8>>)| {
            elements::first(layout, &kept.into_inner().unwrap_or_else(PoisonError::into_inner))
        };
        self.results.into_iter().map(text).collect()
    }
}
