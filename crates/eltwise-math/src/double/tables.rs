//! Tables of 16 entries that functions in `f64` lanes live on: an entry an interval, a cell, an angle.

use eltwise_simd::WideLanes;

use crate::vector::{Bits, F64};

/// `N` tables. On AVX-512 a table is two loads, which must not cross cache lines; on AVX2 the entries at an index are loaded together,
/// from `columns`.
#[repr(align(64))]
pub(crate) struct Tables<const N: usize> {
    rows: [[f64; 16]; N],
    columns: [[f64; N]; 16],
}

impl<const N: usize> Tables<N> {
    pub(crate) const fn new(rows: [[f64; 16]; N]) -> Self {
        let (mut columns, mut k) = ([[0.0; N]; 16], 0);
        while k < 16 * N {
            columns[k % 16][k / 16] = rows[k / 16][k % 16];
            k += 1;
        }
        Tables { rows, columns }
    }

    /// The entries at the lower four bits.
    #[inline(always)]
    pub(crate) fn at<L: WideLanes>(&self, at: Bits<f64, L>) -> [F64<L>; N] {
        F64::lookup_all(&self.rows, &self.columns, at)
    }
}
