//! From a nest to a schedule: strategy and places. Tiles and registers are cut in [`tile`](crate::tile), units and tasks
//! counted in [`chunks`](crate::chunks).

use smallvec::SmallVec;

use crate::bind::{Binding, Leaf, Place};
use crate::fuse::Operation;
use crate::nest::{Nest, Walk};
use crate::op::Op;
pub use crate::tile::Tile;

/// What the planner knows of the machine: plain numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Bytes of a vector register.
    pub vector_bytes: usize,
    /// Bytes of a core's first-level cache for data.
    pub l1: usize,
    /// Bytes of a core's second-level cache.
    pub l2: usize,
    /// Bytes of the last-level cache, of which a core may fill all.
    pub llc: usize,
    /// Whether vectors multiply and add with one rounding. Without, math costs much more.
    pub fuses: bool,
    /// Whether the kernel of a single step may put an operand in [order](Access::Arranged), or both.
    pub arranges: bool,
    /// Whether a core moves vectors of 64 bytes by halves, as AMD's Zen 4 does: vectors of 32 bytes are faster then beyond the
    /// second-level cache, and for sums of `f16`, and beyond the last one streaming stores pay for other runs.
    pub halves: bool,
    /// Whether outputs may be [streamed](Schedule::is_worth_streaming): then tiles are cut for it. Only the caller of a bind knows.
    pub streams: bool,
}

impl Default for Machine {
    fn default() -> Machine {
        let (l1, l2, llc) = (LARGE_L1, 1 << 20, 16 << 20);
        Machine { vector_bytes: 32, l1, l2, llc, fuses: true, arranges: false, halves: false, streams: true }
    }
}

/// Bytes of a first-level cache that holds tiles of 8 KiB with what streams through it: that of Intel's CPUs since Ice Lake and AMD's since
/// Zen 5. Others have 32 KiB.
pub(crate) const LARGE_L1: usize = 48 << 10;

pub use crate::plane::PLANE_SCRATCH;

/// The bytes of scratch that tiles fill, but for [large planes](PLANE_SCRATCH) and programs of hundreds of slots.
pub const SCRATCH_BYTES: usize = 32 << 10;

/// How the nest is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Strategy {
    /// There is nothing to compute.
    #[default]
    Empty,
    /// One kernel over rows x columns: the two innermost loops.
    Direct,
    /// Steps over tiles that fit the first-level cache.
    Tiled,
}

/// How a leaf appears in a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Access {
    /// Its elements lie contiguous over the tile.
    Contiguous,
    /// One element for the whole tile.
    Splat,
    /// Copied into (or, an output, out of) scratch at this byte offset; not again while the source stays the same.
    Packed {
        /// Bytes from the start of the scratch.
        scratch: usize,
    },
    /// Put in order in the kernel's registers, vector by vector, from where it lies.
    Arranged,
}

/// Where a step's operand or result is while a tile is worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Slot {
    /// A leaf: position in [`Binding::leaves`].
    Leaf(usize),
    /// A constant: position in [`Binding::constants`].
    Constant(usize),
    /// Scratch at this byte offset.
    Register(usize),
}

/// A step with its operands placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlottedStep {
    /// The operands.
    pub args: SmallVec<[Slot; 3]>,
    /// The result.
    pub result: Slot,
}

/// A binding, ready to run but for its kernels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Schedule {
    /// The bound program.
    pub binding: Binding,
    /// The loops.
    pub nest: Nest,
    /// How they run.
    pub strategy: Strategy,
    /// The tile, for [`Strategy::Tiled`].
    pub tile: Tile,
    /// The leaf that the kernel puts in order, if it does.
    pub arranged: Option<usize>,
    /// The other leaf that it puts in order: both lie alike.
    pub twin: Option<usize>,
    /// The leaf whose row all rows meet and the kernel holds in registers, for [`Strategy::Direct`].
    pub held: Option<usize>,
    /// How each leaf appears in a tile (for [`Strategy::Direct`]: in a row).
    pub access: SmallVec<[Access; 4]>,
    /// The steps, one for each of [`Binding::steps`].
    pub steps: SmallVec<[SlottedStep; 1]>,
    /// Bytes of scratch a task needs: at most [`SCRATCH_BYTES`], or [`PLANE_SCRATCH`] of a plane; more for hundreds of slots.
    pub scratch: usize,
    /// Bytes read and written, each operand in memory counted once (an input that is walked in two ways twice).
    pub bytes: usize,
    /// One step that moves bits only: tiles are packed straight into the output, or unpacked straight out of the input.
    pub is_move: bool,
}

impl Schedule {
    /// Plans a binding for a machine.
    pub fn new(binding: Binding, machine: &Machine) -> Schedule {
        let mut schedule = Schedule { binding, ..Schedule::default() };
        schedule.plan(machine);
        schedule
    }

    /// Plans its own binding, which was [made in place](Binding::bind); what was planned before is dropped.
    pub fn plan(&mut self, machine: &Machine) {
        self.strategy = Strategy::Empty;
        self.tile = Tile::default();
        (self.arranged, self.twin, self.held) = (None, None, None);
        self.access.clear();
        self.steps.clear();
        (self.scratch, self.bytes, self.is_move) = (0, 0, false);
        if self.binding.shape.contains(&0) {
            self.nest = Nest::default();
            return;
        }
        self.nest.fill(&self.binding.shape, &self.binding.leaves);
        self.bytes = self.count_bytes();
        self.is_move =
            matches!(&self.binding.steps[..], [one] if matches!(one.op, Operation::Op(Op::Copy | Op::BroadcastTo)));
        self.held = self.row_to_hold(machine);
        if self.held.is_some() || self.is_direct(machine) {
            if self.held.is_none() && self.shape_shared(machine) {
                self.strategy = Strategy::Tiled;
                let registers = self.assign_registers();
                self.place_tiled(&registers);
                return;
            }
            self.strategy = Strategy::Direct;
            self.place_direct();
            return;
        }
        self.strategy = Strategy::Tiled;
        // Tiles of several steps are as long as their registers allow; what is put in order has none.
        let machine = &Machine { arranges: machine.arranges && self.binding.steps.len() == 1, ..*machine };
        self.cut(machine);
        if machine.arranges && self.arranged.is_none() && self.bytes > FEW_BYTES {
            // Nothing to put in order after all: rows may be long enough without. Of few bytes nothing ever is.
            self.plan(&Machine { arranges: false, ..*machine });
        }
    }

    /// How a leaf appears in a row, the innermost loop; `None` when it must be packed.
    #[inline]
    fn access_in_row(&self, leaf: usize) -> Option<Access> {
        let Leaf { output, size, .. } = self.binding.leaves[leaf];
        match self.nest.walks[leaf].strides.last() {
            Some(&0) | None if !output => Some(Access::Splat),
            Some(&stride) if stride != size as isize => None,
            _ => Some(Access::Contiguous),
        }
    }

    /// One step, contiguous or splat columns, and rows worth a kernel's while.
    fn is_direct(&self, machine: &Machine) -> bool {
        let (leaves, sizes) = (&self.binding.leaves, &self.nest.sizes);
        if self.binding.steps.len() != 1 || self.binding.outputs.len() != 1 {
            return false;
        }
        let columns = sizes.last().copied().unwrap_or(1);
        (sizes.len() <= 1 || columns.saturating_mul(self.widest()) > self.short_row(machine))
            && (0..leaves.len()).all(|leaf| self.access_in_row(leaf).is_some())
            && !(sizes.len() > 1 && self.has_columns_to_arrange(machine))
    }

    /// Whether an operand may be put in order that stands still along short columns, and moves with the rows; or along the rows,
    /// and moves outside.
    fn has_columns_to_arrange(&self, machine: &Machine) -> bool {
        let (sizes, walks) = (&self.nest.sizes, &self.nest.walks);
        let stands = |walk: &Walk| matches!(walk.strides[..], [.., row, 0] if row != 0);
        let repeats = |leaf: &usize| matches!(&walks[*leaf].strides[..], [outer @ .., 0, column] if *column != 0 && outer.iter().any(|&s| s != 0));
        (Schedule::is_arranged_row(sizes[sizes.len() - 1], self.widest(), self.bytes, machine)
            && walks.iter().any(stands))
            || (machine.arranges
                && self.bytes > FEW_BYTES
                && (1..walks.len()).filter(repeats).any(|leaf| self.comes_again(leaf, sizes.len() - 2, machine)))
    }

    /// Bytes of the rows that tiles serve faster than a kernel row by row.
    fn short_row(&self, machine: &Machine) -> usize {
        let output = &self.nest.walks[0].strides;
        let outer = self.nest.sizes.len().saturating_sub(1);
        // Over all rows, or over a loop outside: its steps are rows of a plane, or tiles that find the operand packed.
        let repeats = || {
            let mut fewest = None;
            for walk in self.nest.walks.iter().filter(|w| w.strides != *output) {
                let loops = walk.strides[..outer].iter().zip(&self.nest.sizes);
                if loops.clone().any(|(&s, _)| s != 0) {
                    let longest = loops.filter(|&(&s, _)| s == 0).map(|(_, &n)| n).max().unwrap_or(1);
                    fewest = Some(longest.min(fewest.unwrap_or(longest)));
                }
            }
            match fewest {
                None => Repeats::Everywhere,
                Some(steps) if steps >= MOST => Repeats::MostOften,
                Some(steps) if steps >= MANY => Repeats::Often,
                Some(_) => Repeats::Seldom,
            }
        };
        short_row(self.bytes, repeats, machine).min(self.longest_short_row(machine))
    }

    /// Bytes of the widest element in memory.
    pub(crate) fn widest(&self) -> usize {
        self.binding.leaves.iter().map(|l| l.size).max().unwrap_or(1)
    }

    fn place_direct(&mut self) {
        for leaf in 0..self.binding.leaves.len() {
            let access = self.access_in_row(leaf).unwrap_or(Access::Contiguous);
            self.access.push(access);
        }
        for step in &self.binding.steps {
            let mut args: SmallVec<[Slot; 3]> = SmallVec::new();
            step.args.iter().for_each(|&place| args.push(slot_of(place)));
            self.steps.push(SlottedStep { args, result: Slot::Leaf(step.output.unwrap_or(0)) });
        }
    }

    /// Distinct bytes of every leaf.
    fn count_bytes(&self) -> usize {
        let mut total = 0usize;
        for (leaf, walk) in self.binding.leaves.iter().zip(&self.nest.walks) {
            let moving = walk.strides.iter().zip(&self.nest.sizes).filter(|(s, _)| **s != 0);
            let elements = moving.fold(1usize, |n, (_, &d)| n.saturating_mul(d));
            total = total.saturating_add(elements.saturating_mul(leaf.size));
        }
        total
    }
}

/// Over which rows the operands repeat that do not lie like the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repeats {
    /// All rows: packed once.
    Everywhere,
    /// Those of a long loop: packed seldom.
    Often,
    /// Those of a very long loop.
    MostOften,
    /// Few or none: packed for every tile.
    Seldom,
}

/// Bytes of the rows that tiles serve faster than a kernel row by row. Stretched and changing operands are packed for
/// every tile, which pays for rows of a vector or two. Operands that repeat outside the rows are packed once, or seldom. Runs
/// that touch few bytes are not worth a schedule of tiles.
#[inline]
pub(crate) fn short_row(bytes: usize, repeats: impl FnOnce() -> Repeats, machine: &Machine) -> usize {
    if bytes <= FEW_BYTES {
        return machine.vector_bytes.saturating_sub(1);
    }
    match repeats() {
        Repeats::Everywhere => ONCE_ROW,
        Repeats::MostOften => MOST_OFTEN_ROW,
        Repeats::Often => OFTEN_ROW,
        Repeats::Seldom if machine.arranges => 2 * machine.vector_bytes,
        Repeats::Seldom => (2 * machine.vector_bytes).min(SELDOM_ROW),
    }
}

/// Bytes of the longest rows that tiles serve where every operand that is packed is packed once.
const ONCE_ROW: usize = 1 << 10;
/// The same where they are packed seldom.
const OFTEN_ROW: usize = 200;
/// The same where they are packed most seldom.
const MOST_OFTEN_ROW: usize = 512;
/// The same where they are packed for every tile, and no longer than two vectors.
const SELDOM_ROW: usize = 64;
/// Steps of a loop over which an operand repeats that make one packing of it as good as none.
pub(crate) const MANY: usize = 6;
/// Steps of a loop over which an operand repeats that make its packing nothing.
const MOST: usize = 128;
/// Bytes of a run whose rows are served one by one, if they are a vector long.
pub(crate) const FEW_BYTES: usize = 16 << 10;

/// The slot of an operand that is no step's result.
pub(crate) fn slot_of(place: Place) -> Slot {
    match place {
        Place::Leaf(l) => Slot::Leaf(l),
        Place::Constant(c) => Slot::Constant(c),
        Place::Step(step) => Slot::Register(step),
    }
}
