//! Results that are printed instead of written: [`PreviewCollector`] collects their first elements from the pieces.

use std::sync::{Mutex, PoisonError};

use eltwise::Layout;

use super::piece_grid::Piece;
use super::subarray::Subarray;
use crate::preview;

/// The first elements of each result in C order, collected from the pieces that contain them.
pub(crate) struct PreviewCollector<'a> {
    results: Vec<(&'a Layout, Mutex<Vec<u8>>)>,
}

impl<'a> PreviewCollector<'a> {
    /// A collector for results of these layouts.
    pub(crate) fn new(results: &'a [Layout]) -> PreviewCollector<'a> {
        let memory = |l: &Layout| Mutex::new(vec![0; preview::len(l) * l.dtype().size()]);
        PreviewCollector { results: results.iter().map(|l| (l, memory(l))).collect() }
    }

    /// Copies the preview elements of result `index` (the first ones in C order) that lie in `piece`. `subarray` is that piece
    /// in memory, and `bytes` is its content. An unknown `index` is ignored.
    pub(crate) fn keep(&self, index: usize, piece: &Piece, subarray: &Subarray, bytes: &[u8]) {
        let Some((layout, kept)) = self.results.get(index) else { return };
        let (shape, size) = (layout.shape(), layout.dtype().size());
        for position in 0..preview::len(layout) {
            let (mut rest, mut at, mut inside) = (position, 0, true);
            for axis in (0..shape.rank()).rev() {
                let (index, first) = (rest % shape[axis], piece.at[axis]);
                rest /= shape[axis];
                inside &= (first..first + piece.size[axis]).contains(&index);
                at += index.saturating_sub(first) * subarray.layout.strides()[axis].unsigned_abs();
            }
            if inside {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept[position * size..][..size].copy_from_slice(&bytes[at..at + size]);
            }
        }
    }

    /// The preview of each result.
    pub(crate) fn into_previews(self) -> Vec<String> {
        let text = |(layout, kept): (&Layout, Mutex<Vec<u8>>)| {
            preview::format(layout, &kept.into_inner().unwrap_or_else(PoisonError::into_inner))
        };
        self.results.into_iter().map(text).collect()
    }
}
