//! Which techniques a schedule uses: a name for each, so that tests and measurements can count them.

use alloc::vec::Vec;

use crate::plan::{Access, Schedule, Strategy};

/// One technique of the planner. A schedule uses one or several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Technique {
    /// The result has no elements: nothing runs.
    Empty,
    /// The whole run is one kernel call.
    SingleCall,
    /// One kernel, one row.
    DirectRow,
    /// One kernel, many rows.
    DirectRows,
    /// One kernel, many rows, along which an operand is one element.
    DirectSplat,
    /// One kernel that keeps a broadcast row in registers across output rows.
    DirectHeld,
    /// One step over tiles.
    TiledStep,
    /// Several steps over tiles.
    TiledSteps,
    /// Tiles that cut two loops: rows that lie apart in memory.
    TiledPlane,
    /// An operand that is one element over a tile.
    TiledSplat,
    /// An operand that is packed once for all tiles.
    PackedOnce,
    /// An operand that is packed for each tile.
    PackedEach,
    /// An output that is unpacked from scratch.
    Unpacked,
    /// An operand that the kernel permutes in registers.
    Arranged,
    /// Two operands that the kernel permutes in registers.
    ArrangedBoth,
    /// A move: packed into the output, or unpacked out of the input.
    Moved,
    /// A value of fewer elements that is computed once, before its readers.
    Hoisted,
}

impl Technique {
    /// Every technique.
    pub const ALL: [Technique; 17] = [
        Technique::Empty,
        Technique::SingleCall,
        Technique::DirectRow,
        Technique::DirectRows,
        Technique::DirectSplat,
        Technique::DirectHeld,
        Technique::TiledStep,
        Technique::TiledSteps,
        Technique::TiledPlane,
        Technique::TiledSplat,
        Technique::PackedOnce,
        Technique::PackedEach,
        Technique::Unpacked,
        Technique::Arranged,
        Technique::ArrangedBoth,
        Technique::Moved,
        Technique::Hoisted,
    ];
}

impl Schedule {
    /// The techniques that a run of this schedule uses.
    pub fn techniques(&self) -> Vec<Technique> {
        let mut used = Vec::new();
        let rows = self.nest.sizes.iter().rev().skip(1).product::<usize>();
        match self.strategy {
            Strategy::Empty => used.push(Technique::Empty),
            Strategy::Direct if self.held.is_some() => used.push(Technique::DirectHeld),
            Strategy::Direct if rows == 1 => used.push(Technique::DirectRow),
            Strategy::Direct => used.push(Technique::DirectRows),
            Strategy::Tiled if self.is_move => used.push(Technique::Moved),
            Strategy::Tiled if self.steps.len() == 1 => used.push(Technique::TiledStep),
            Strategy::Tiled => used.push(Technique::TiledSteps),
        }
        let is_tiled = self.strategy == Strategy::Tiled;
        if is_tiled && self.tile.rows > 1 {
            used.push(Technique::TiledPlane);
        }
        for (leaf, access) in self.access.iter().enumerate() {
            let technique = match access {
                Access::Packed { .. } if !self.has_slot(leaf) => continue,
                Access::Contiguous => continue,
                Access::Splat if is_tiled => Technique::TiledSplat,
                Access::Splat if rows > 1 => Technique::DirectSplat,
                Access::Splat => continue,
                Access::Arranged if self.twin.is_some() => Technique::ArrangedBoth,
                Access::Arranged => Technique::Arranged,
                Access::Packed { .. } if self.binding.leaves[leaf].output => Technique::Unpacked,
                Access::Packed { .. } if self.packs(leaf) == 1 => Technique::PackedOnce,
                Access::Packed { .. } => Technique::PackedEach,
            };
            if !used.contains(&technique) {
                used.push(technique);
            }
        }
        used
    }
}
