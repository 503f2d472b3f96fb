//! [`Tables`]: lookup tables of 16 entries, one per interval of a function's argument, stored so that both a permute
//! (AVX-512) and a load per lane (AVX2) can read them.

use eltwise_simd::WideLanes;

use crate::vector::{Bits, F64};

/// `N` tables of 16 entries, in two layouts. On AVX-512 a table is two registers, filled by two loads from `by_table`
/// that `align(64)` keeps within cache lines, and a lookup is a permute. On AVX2 the `N` entries at an index are next
/// to each other in `by_index`, and each lane loads them together. Other ISAs look up table by table and lane by lane.
#[repr(align(64))]
pub(crate) struct Tables<const N: usize> {
    by_table: [[f64; 16]; N],
    by_index: [[f64; N]; 16],
}

impl<const N: usize> Tables<N> {
    pub(crate) const fn new(by_table: [[f64; 16]; N]) -> Self {
        let mut by_index = [[0.0; N]; 16];
        let mut table = 0;
        while table < N {
            let mut index = 0;
            while index < 16 {
                by_index[index][table] = by_table[table][index];
                index += 1;
            }
            table += 1;
        }
        Tables { by_table, by_index }
    }

    /// The polynomial of interval `index % 16` at x. The first table has the centres of the intervals, the others the
    /// coefficients in x - centre.
    #[inline(always)]
    pub(crate) fn polynomial<L: WideLanes>(&self, index: Bits<f64, L>, x: F64<L>) -> F64<L> {
        let c = self.lookup(index);
        polynomial(c, x - c[0])
    }

    /// As [`polynomial`](Tables::polynomial), at x + lost.
    #[inline(always)]
    pub(crate) fn polynomial_of_sum<L: WideLanes>(&self, index: Bits<f64, L>, x: F64<L>, lost: F64<L>) -> F64<L> {
        let c = self.lookup(index);
        polynomial(c, (x - c[0]) + lost)
    }

    /// The entries at `index % 16`, one of each table.
    #[inline(always)]
    pub(crate) fn lookup<L: WideLanes>(&self, index: Bits<f64, L>) -> [F64<L>; N] {
        F64::lookup_all(&self.by_table, &self.by_index, index)
    }
}

/// The polynomial in d whose coefficients follow `c[0]`.
#[inline(always)]
fn polynomial<L: WideLanes, const N: usize>(c: [F64<L>; N], d: F64<L>) -> F64<L> {
    const { assert!(N >= 5) };
    // Even and odd powers in separate chains, for latency.
    let square = d * d;
    let (mut last, mut other) = (c[N - 1], c[N - 2]);
    let mut k = N - 1;
    while k >= 4 {
        k -= 2;
        last = last.mul_add(square, c[k]);
        other = other.mul_add(square, c[k - 1]);
    }
    if k == 3 { other.mul_add(d, last.mul_add(square, c[1])) } else { last.mul_add(d, other) }
}
