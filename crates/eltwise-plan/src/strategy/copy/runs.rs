//! Runs of contiguous elements, one after the other; runs that one element fills; single elements.

use eltwise_core::tables::{CopyTable, CopyWay, Runs, Tables};

use super::{CopyLoop, CopyNest, places, total};
use crate::cpu_model::CopyCosts;

/// Places of the inner list, at most.
const MAX_INNER: usize = 64;

/// A copy by runs, with its cost in picoseconds.
pub(super) struct Candidate {
    pub(super) cost: u64,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Runs,
    Fills,
    Elements,
}

impl Candidate {
    pub(super) fn of(nest: &CopyNest, costs: &CopyCosts) -> Candidate {
        let size = nest.size as isize;
        let (kind, run) = match nest.loops.last() {
            Some(&CopyLoop { size: n, from, to }) if to == size && from == size => (Kind::Runs, n),
            Some(&CopyLoop { size: n, from: 0, to }) if to == size => (Kind::Fills, n),
            _ => (Kind::Elements, 1),
        };
        let (runs, bytes) = (nest.elements() / run, run * nest.size);
        let each = match (kind, bytes) {
            (Kind::Elements, _) => costs.element,
            (_, ..=32) => costs.run[0],
            (_, ..=64) => costs.run[1],
            _ => costs.run[1].saturating_add(costs.run[2].saturating_mul((bytes / 64) as u32)),
        };
        Candidate { cost: total(runs, each) + u64::from(costs.call), kind }
    }

    pub(super) fn build(&self, nest: &CopyNest, tables: &mut Tables) -> CopyTable {
        let (outside, run) = match (self.kind, &nest.loops[..]) {
            (Kind::Elements, loops) => (loops, 1),
            (_, [outside @ .., run]) => (outside, run.size),
            (_, []) => (&[][..], 1),
        };
        let mut split = outside.len();
        while split > 0 && outside[split - 1..].iter().map(|l| l.size).product::<usize>() <= MAX_INNER {
            split -= 1;
        }
        let (outside, inner) = outside.split_at(split);
        let (outside, counted) = match outside {
            [] => (outside, CopyLoop { size: 1, from: 0, to: 0 }),
            [outside @ .., counted] => (outside, *counted),
        };
        let inner = tables.push(&places(inner));
        let outer = tables.push(&places(outside));
        let step = [counted.from as i64, counted.to as i64];
        let runs = Runs { bytes: run * nest.size, count: counted.size, step, inner, outer };
        let way = if self.kind == Kind::Fills { CopyWay::Fills(runs) } else { CopyWay::Runs(runs) };
        CopyTable { size: nest.size, way, reach: 0 }
    }
}
