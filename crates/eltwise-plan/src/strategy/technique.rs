//! Names for the techniques of a schedule. Tests and measurements count them; [`explain`](crate::explain) prints them.

use alloc::vec::Vec;

use crate::strategy::{Access, Schedule, Strategy};

/// Rows of `documentation technique words;`: plan texts say the words of an operand. `Unpacked "unpacked";` is a variant, an
/// item of the list, and an arm of `words`:
///
/// ```text
/// pub enum Technique { Unpacked, .. }
/// pub const ALL: [Technique; 15] = [Technique::Unpacked, ..];
/// Technique::Unpacked => Some("unpacked"),
/// ```
macro_rules! techniques {
    ($($(#[$doc:meta])* $technique:ident $($words:literal)?;)*) => {
        /// A technique of the planner. A schedule uses one or several.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Technique {
            $($(#[$doc])* $technique,)*
        }

        impl Technique {
            /// Every technique.
            pub const ALL: [Technique; [$(Technique::$technique),*].len()] = [$(Technique::$technique),*];

            /// What plan texts say of an operand that is accessed by this technique; `None` for techniques of whole runs.
            pub(crate) const fn words(self) -> Option<&'static str> {
                match self {
                    $($(Technique::$technique => Some($words),)?)*
                    _ => None,
                }
            }
        }
    };
}

techniques! {
    /// The result has no elements: nothing runs.
    Empty;
    /// The whole run is one kernel call.
    SingleCall;
    /// One kernel, one row.
    DirectRow;
    /// One kernel, many rows.
    DirectRows;
    /// One kernel over many rows; an operand is one element per row.
    DirectSplat "splat per row";
    /// One step over tiles.
    TiledStep;
    /// Several steps over tiles.
    TiledSteps;
    /// An operand that is one element over a tile, or over each unit.
    TiledSplat "splat";
    /// An operand that is packed once for all tiles.
    PackedOnce "packed once";
    /// An operand that is packed for each tile.
    PackedEach "packed each tile";
    /// An output that is unpacked from scratch.
    Unpacked "unpacked";
    /// An operand that the kernel permutes in registers.
    Permuted "permuted";
    /// A step that only moves elements: tiles are copied from the input to the output.
    Moved;
    /// A value with fewer elements than the steps that use it, computed once before them.
    Hoisted;
    /// Steps that follow each other in registers.
    Chained;
}

impl Schedule {
    /// The techniques that a run of this schedule uses: those of the whole run, then those of each operand.
    pub fn techniques(&self) -> Vec<Technique> {
        let mut used = Vec::new();
        match self.strategy {
            Strategy::Empty => used.push(Technique::Empty),
            Strategy::Direct if self.nest.rows() == 1 => used.push(Technique::DirectRow),
            Strategy::Direct => used.push(Technique::DirectRows),
            Strategy::Tiled if self.is_move => used.push(Technique::Moved),
            Strategy::Tiled if self.steps.len() == 1 => used.push(Technique::TiledStep),
            Strategy::Tiled => used.push(Technique::TiledSteps),
        }
        used.extend((0..self.access.len()).filter_map(|operand| self.technique_of(operand)));
        used
    }

    /// The technique by which an operand is accessed; `None` if it is contiguous, the splat of a single row, or the input of
    /// a move.
    pub(crate) fn technique_of(&self, operand: usize) -> Option<Technique> {
        let is_tiled = self.strategy == Strategy::Tiled;
        Some(match self.access[operand] {
            _ if self.is_move => return None,
            Access::Contiguous => return None,
            Access::Splat if is_tiled => Technique::TiledSplat,
            Access::Splat if self.nest.rows() > 1 => Technique::DirectSplat,
            Access::Splat => return None,
            Access::Permuted { .. } => Technique::Permuted,
            Access::Packed { .. } if self.binding.operands[operand].output => Technique::Unpacked,
            Access::Packed { .. } if self.packs(operand) == 1 => Technique::PackedOnce,
            Access::Packed { .. } => Technique::PackedEach,
        })
    }
}
