//! Strategies: from a loop nest to a [`Schedule`], which says how the loops run and where each operand is read and written.
//!
//! [`tile`] cuts tiles and assigns scratch, [`partition`](crate::partition) counts tasks.

pub mod arranged;
pub mod copy;
mod held;
pub mod plane;
pub mod technique;
pub mod tile;

use eltwise_core::Op;
use smallvec::SmallVec;

use crate::bind::loop_nest::{LoopNest, OperandStrides};
use crate::bind::{Binding, BoundOperand, Place};
use crate::ir::operation::Operation;
use crate::target::Target;
use crate::tuning::{
    LONG_REPEAT, SMALL_RUN, TILED_ROW_LONG_REPEAT, TILED_ROW_PACKED_OFTEN, TILED_ROW_PACKED_ONCE,
    TILED_ROW_VERY_LONG_REPEAT, VERY_LONG_REPEAT,
};

pub use crate::strategy::tile::Tile;

/// How a loop nest runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Strategy {
    /// The result has no elements.
    #[default]
    Empty,
    /// One kernel over rows x columns: the two innermost loops.
    Direct,
    /// Steps over tiles that fit the first-level cache.
    Tiled,
}

/// How a kernel reads or writes an operand over a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Access {
    /// The elements are contiguous.
    Contiguous,
    /// One element for the whole tile.
    Splat,
    /// Packed into scratch, or unpacked out of it if the operand is an output. Packed once for tiles with the same source.
    Packed {
        /// Bytes from the start of the scratch.
        scratch: usize,
    },
    /// Permuted by the kernel in registers, without a copy in scratch.
    Permuted,
}

/// Where the operand or the result of a step is while a tile is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Slot {
    /// An operand: position in [`Binding::operands`].
    Operand(usize),
    /// A constant: position in [`Binding::constants`].
    Constant(usize),
    /// Scratch at this byte offset.
    Register(usize),
}

/// The slots of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlottedStep {
    /// The operands.
    pub args: SmallVec<[Slot; 3]>,
    /// The result.
    pub result: Slot,
}

/// A binding with everything that a run needs except its kernels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Schedule {
    /// The bound program.
    pub binding: Binding,
    /// The loops.
    pub nest: LoopNest,
    /// How the loops run.
    pub strategy: Strategy,
    /// The tile, for [`Strategy::Tiled`].
    pub tile: Tile,
    /// The operand that the kernel permutes.
    pub permuted: Option<usize>,
    /// A second operand that the kernel permutes. It has the strides of the first.
    pub second_permuted: Option<usize>,
    /// The operand whose row the kernel keeps in registers for all rows, for [`Strategy::Direct`].
    pub reused_row: Option<usize>,
    /// How each operand is accessed over a tile (for [`Strategy::Direct`]: over a row).
    pub access: SmallVec<[Access; 4]>,
    /// The steps, one for each of [`Binding::steps`].
    pub steps: SmallVec<[SlottedStep; 1]>,
    /// Bytes of scratch that a task needs: at most [`SCRATCH_BYTES`](crate::tuning::SCRATCH_BYTES), or
    /// [`TILE_2D_SCRATCH`](crate::tuning::TILE_2D_SCRATCH) for a two-dimensional tile; more for hundreds of slots.
    pub scratch: usize,
    /// Bytes read and written. Each entry of [`Binding::operands`] counts once.
    pub bytes: usize,
    /// Whether the only step moves bits. Tiles are then packed directly into the output, or unpacked directly from the input.
    pub is_move: bool,
}

impl Schedule {
    /// Plans a binding for a target.
    pub fn new(binding: Binding, target: &Target) -> Schedule {
        let mut schedule = Schedule { binding, ..Schedule::default() };
        schedule.plan(target);
        schedule
    }

    /// Plans the binding of this schedule, which was [filled in place](Binding::bind). Replaces an earlier plan.
    pub fn plan(&mut self, target: &Target) {
        self.strategy = Strategy::Empty;
        self.tile = Tile::default();
        (self.permuted, self.second_permuted, self.reused_row) = (None, None, None);
        self.access.clear();
        self.steps.clear();
        (self.scratch, self.bytes, self.is_move) = (0, 0, false);
        if self.binding.shape.contains(&0) {
            self.nest = LoopNest::default();
            return;
        }
        self.nest.fill(&self.binding.shape, &self.binding.operands);
        self.bytes = self.count_bytes();
        self.is_move =
            matches!(&self.binding.steps[..], [one] if matches!(one.op, Operation::Op(Op::Copy | Op::BroadcastTo)));
        self.reused_row = self.row_to_reuse(target);
        if self.reused_row.is_some() || self.is_direct(target) {
            if self.reused_row.is_none() && self.shape_shared(target) {
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
        // Operands are permuted for single steps only: tiles of several steps are limited by their registers.
        let target = &target.with_permutes(target.kernels.permutes && self.binding.steps.len() == 1);
        self.cut(target);
        if target.kernels.permutes && self.permuted.is_none() && self.bytes > SMALL_RUN {
            // No operand can be permuted, so shorter rows may run directly. (Small runs never permute.)
            self.plan(&target.with_permutes(false));
        }
    }

    /// How an operand is accessed over a row, the innermost loop; `None` if it must be packed.
    #[inline]
    fn access_in_row(&self, operand: usize) -> Option<Access> {
        let BoundOperand { output, size, .. } = self.binding.operands[operand];
        match self.nest.operands[operand].strides.last() {
            Some(&0) | None if !output => Some(Access::Splat),
            Some(&stride) if stride != size as isize => None,
            _ => Some(Access::Contiguous),
        }
    }

    /// Whether the plan is direct: one step, contiguous or splat columns, and rows long enough for a kernel.
    fn is_direct(&self, target: &Target) -> bool {
        let (operands, sizes) = (&self.binding.operands, &self.nest.sizes);
        if self.binding.steps.len() != 1 || self.binding.outputs.len() != 1 {
            return false;
        }
        let columns = self.nest.columns();
        (sizes.len() <= 1 || columns.saturating_mul(self.widest()) > self.short_row(target))
            && (0..operands.len()).all(|operand| self.access_in_row(operand).is_some())
            && !(sizes.len() > 1 && self.has_columns_to_permute(target))
    }

    /// Whether an operand may be permuted that is constant along short columns and moves with the rows; or that is constant
    /// along the rows and moves with a loop outside.
    fn has_columns_to_permute(&self, target: &Target) -> bool {
        let (sizes, operands) = (&self.nest.sizes, &self.nest.operands);
        let is_column = |operand: &OperandStrides| matches!(operand.strides[..], [.., row, 0] if row != 0);
        let repeats = |operand: &usize| matches!(&operands[*operand].strides[..], [outer @ .., 0, column] if *column != 0 && outer.iter().any(|&s| s != 0));
        (Schedule::is_permuted_row(self.nest.columns(), self.widest(), self.bytes, target)
            && operands.iter().any(is_column))
            || (target.kernels.permutes
                && self.bytes > SMALL_RUN
                && (1..operands.len())
                    .filter(repeats)
                    .any(|operand| self.row_repeats(operand, sizes.len() - 2, target)))
    }

    /// Bytes of the longest rows that are faster as tiles.
    fn short_row(&self, target: &Target) -> usize {
        let output = &self.nest.operands[0].strides;
        let outer = self.nest.sizes.len().saturating_sub(1);
        // An operand repeats over all rows, or over one of the outer loops.
        let repeats = || {
            let mut fewest = None;
            for operand in self.nest.operands.iter().filter(|operand| operand.strides != *output) {
                let loops = operand.strides[..outer].iter().zip(&self.nest.sizes);
                if loops.clone().any(|(&s, _)| s != 0) {
                    let longest = loops.filter(|&(&s, _)| s == 0).map(|(_, &n)| n).max().unwrap_or(1);
                    fewest = Some(longest.min(fewest.unwrap_or(longest)));
                }
            }
            match fewest {
                None => Repeats::Everywhere,
                Some(steps) if steps >= VERY_LONG_REPEAT => Repeats::MostOften,
                Some(steps) if steps >= LONG_REPEAT => Repeats::Often,
                Some(_) => Repeats::Seldom,
            }
        };
        short_row(self.bytes, repeats, target).min(self.longest_short_row(target))
    }

    /// Bytes of the widest element in memory.
    pub(crate) fn widest(&self) -> usize {
        self.binding.operands.iter().map(|l| l.size).max().unwrap_or(1)
    }

    fn place_direct(&mut self) {
        for operand in 0..self.binding.operands.len() {
            let access = self.access_in_row(operand).unwrap_or(Access::Contiguous);
            self.access.push(access);
        }
        for step in &self.binding.steps {
            let mut args: SmallVec<[Slot; 3]> = SmallVec::new();
            step.args.iter().for_each(|&place| args.push(slot_of(place)));
            self.steps.push(SlottedStep { args, result: Slot::Operand(step.output.unwrap_or(0)) });
        }
    }

    /// Distinct bytes of every operand.
    fn count_bytes(&self) -> usize {
        let bytes = |(operand, nest_operand): (&BoundOperand, &OperandStrides)| {
            let moving = nest_operand.strides.iter().zip(&self.nest.sizes).filter(|(stride, _)| **stride != 0);
            moving.fold(operand.size, |bytes, (_, &n)| bytes.saturating_mul(n))
        };
        self.binding.operands.iter().zip(&self.nest.operands).map(bytes).fold(0, usize::saturating_add)
    }
}

/// How often the operands repeat whose strides differ from the output's, which tells how often they are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repeats {
    /// Over all rows: packed once.
    Everywhere,
    /// Over a long loop: rarely packed.
    Often,
    /// Over a very long loop.
    MostOften,
    /// Over a short loop or none: packed for every tile.
    Seldom,
}

/// Bytes of the longest rows that are faster as tiles than row by row. Packing an operand for every tile pays for rows of one
/// or two vectors; the less often operands are packed, the longer the rows may be. Small runs are not worth planning tiles.
#[inline]
pub(crate) fn short_row(bytes: usize, repeats: impl FnOnce() -> Repeats, target: &Target) -> usize {
    if bytes <= SMALL_RUN {
        return target.kernels.vector_bytes.saturating_sub(1);
    }
    match repeats() {
        Repeats::Everywhere => TILED_ROW_PACKED_ONCE,
        Repeats::MostOften => TILED_ROW_VERY_LONG_REPEAT,
        Repeats::Often => TILED_ROW_LONG_REPEAT,
        Repeats::Seldom if target.kernels.permutes => 2 * target.kernels.vector_bytes,
        Repeats::Seldom => (2 * target.kernels.vector_bytes).min(TILED_ROW_PACKED_OFTEN),
    }
}

/// The slot of an operand of a step. The result of a step gets its number as register, which `tile` replaces.
pub(crate) fn slot_of(place: Place) -> Slot {
    match place {
        Place::Operand(l) => Slot::Operand(l),
        Place::Constant(c) => Slot::Constant(c),
        Place::Step(step) => Slot::Register(step),
    }
}
