//! Tables of 16 entries, one per interval, cell or angle of a function: [`Tables`].

use eltwise_simd::WideLanes;

use crate::vector::{Bits, F64};

/// `N` tables of 16 entries, in two layouts. On AVX-512 a table is loaded into two registers, in loads that must not
/// cross cache lines, and a lookup is a permute. On AVX2 the `N` entries at an index are loaded together, from
/// `columns`.
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

    /// The entries at index `at % 16`.
    #[inline(always)]
    pub(crate) fn at<L: WideLanes>(&self, at: Bits<f64, L>) -> [F64<L>; N] {
        F64::lookup_all(&self.rows, &self.columns, at)
    }
}
