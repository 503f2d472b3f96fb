//! Strategies: from a loop nest to a [`Schedule`], which says how the loops run and where each operand is read and written.
//!
//! `search` proposes candidates and `tile_cost` compares them; [`tile`] has boxes, regions and scratch;
//! [`partition`](crate::partition) counts tasks.

pub mod chain;
pub mod copy;
mod search;
pub mod technique;
pub mod tile;
mod tile_cost;
mod units;
pub mod ways;

use eltwise_core::Op;
use smallvec::SmallVec;

use crate::bind::loop_nest::{LoopNest, Loops, OperandStrides};
use crate::bind::{Binding, BoundOperand, Place};
use crate::ir::operation::Operation;
use crate::strategy::copy::CopyLoop;
use crate::strategy::search::Search;
use crate::strategy::tile_cost::Evaluation;
use crate::target::Target;
use crate::tuning::{MAX_UNCUT_SHARED_ROW, SIMPLE_ROW, SMALL_RUN};

pub use crate::strategy::tile::{Region, Tile};
use crate::strategy::ways::WayKind;

/// How a loop nest runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Strategy {
    /// The result has no elements.
    #[default]
    Empty,
    /// One kernel over rows x columns: the two innermost loops.
    Direct,
    /// Steps over tiles: boxes of the loop nest.
    Tiled,
}

/// How a kernel reads or writes an operand over a tile; a unit kernel, over each unit of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Access {
    /// The elements are contiguous.
    Contiguous,
    /// One element for the whole tile or unit.
    Splat,
    /// Packed into scratch, or unpacked out of it if the operand is an output. Packed once for tiles with the same source.
    Packed {
        /// Bytes from the start of the scratch.
        scratch: usize,
    },
    /// Permuted by the kernel in registers.
    Permuted {
        /// Bytes from the start of the scratch to a copy of the whole operand, if it is small. Memory after the copy is readable,
        /// so windows may end past the elements.
        copy: Option<usize>,
    },
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
    /// How each operand is accessed over a tile (for [`Strategy::Direct`]: over a row).
    pub access: SmallVec<[Access; 4]>,
    /// The steps, one for each of [`Binding::steps`].
    pub steps: SmallVec<[SlottedStep; 1]>,
    /// Bytes of scratch that a task needs: at most [`SCRATCH_BYTES`](crate::tuning::SCRATCH_BYTES), or
    /// [`LARGE_SCRATCH_BYTES`](crate::tuning::LARGE_SCRATCH_BYTES) for a large tile; more for hundreds of slots.
    pub scratch: usize,
    /// Bytes read and written. Each entry of [`Binding::operands`] counts once.
    pub bytes: usize,
    /// Whether the only step moves bits. Each tile is then copied from the input to the output.
    pub is_move: bool,
    /// Picoseconds of a run on one thread by the cost model of the search, which counts every step as an addition; `None` without a
    /// search.
    pub search_cost: Option<u64>,
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
        self.access.clear();
        self.steps.clear();
        (self.scratch, self.bytes, self.is_move, self.search_cost) = (0, 0, false, None);
        if self.binding.shape.contains(&0) {
            self.nest = LoopNest::default();
            return;
        }
        self.nest.fill(&self.binding.shape, &self.binding.operands);
        self.bytes = self.count_bytes();
        self.is_move =
            matches!(&self.binding.steps[..], [one] if matches!(one.op, Operation::Op(Op::Copy | Op::BroadcastTo)));
        if self.is_simple(target) {
            self.strategy = Strategy::Direct;
            self.place_direct();
            return;
        }
        let registers = self.assign_registers();
        let mut best = Search::best(self, &registers, target);
        if let Some(order) = self.order_of_inputs() {
            let nest = core::mem::take(&mut self.nest);
            self.nest = nest.reordered(&order);
            let other = Search::best(self, &registers, target);
            if other.cost < best.cost {
                best = other;
            } else {
                self.nest = nest;
            }
        }
        let Evaluation { strategy, tile, cost, .. } = best;
        (self.strategy, self.search_cost) = (strategy, Some(cost));
        if strategy == Strategy::Direct {
            self.steps.clear();
            self.place_direct();
        } else {
            self.tile = tile;
            self.place_tiled(&registers);
        }
    }

    /// The best way of another kind to run the nest, with its [cost](Schedule::search_cost); `None` without a search.
    pub fn best_other(&self, target: &Target) -> Option<(WayKind, u64)> {
        self.search_cost?;
        let mut schedule = self.clone();
        let registers = schedule.assign_registers();
        let others = WayKind::ALL.into_iter().filter(|&kind| kind != self.kind());
        let best = |kind: WayKind| Some((kind, Search::best_of(kind.ways(), &schedule, &registers, target)?.cost));
        others.filter_map(best).min_by_key(|&(_, cost)| cost)
    }

    /// The kind of way that runs the nest.
    pub(crate) fn kind(&self) -> WayKind {
        match (self.strategy, self.tile.unit) {
            (Strategy::Tiled, Some(_)) => WayKind::Units,
            (Strategy::Tiled, None) => WayKind::Tiles,
            _ => WayKind::Direct,
        }
    }

    /// Whether the plan is direct without a search: one step, contiguous or splat columns, and one row or long ones, which
    /// share no long row of an operand.
    fn is_simple(&self, target: &Target) -> bool {
        let (operands, sizes) = (&self.binding.operands, &self.nest.sizes);
        if self.binding.steps.len() != 1 || self.binding.outputs.len() != 1 {
            return false;
        }
        let row = self.nest.columns().saturating_mul(self.widest());
        let shares = |operand: &OperandStrides| matches!(operand.strides[..], [.., 0, column] if column != 0);
        (sizes.len() <= 1 || rows_run_directly(row, self.bytes, || self.nest.operands.iter().any(shares), target))
            && (0..operands.len()).all(|operand| self.access_in_row(operand).is_some())
    }

    /// The order of loops in which several inputs are nearly contiguous, but not the output: the result is then unpacked instead of
    /// packing all of them.
    fn order_of_inputs(&self) -> Option<Loops<usize>> {
        let innermost = |operand: &OperandStrides| {
            let moving = (0..self.nest.sizes.len()).filter(|&axis| operand.strides[axis] != 0);
            moving.min_by_key(|&axis| operand.strides[axis].unsigned_abs())
        };
        let inputs = (0..self.nest.operands.len()).filter(|&i| !self.binding.operands[i].output);
        let last = self.nest.sizes.len().checked_sub(1)?;
        let others: SmallVec<[(usize, usize); 4]> = inputs
            .filter_map(|i| Some((i, innermost(&self.nest.operands[i])?)))
            .filter(|&(_, axis)| axis != last)
            .collect();
        // The first one that another input follows.
        let has_other = |&&(first, axis): &&(usize, usize)| others.iter().any(|&(i, other)| i > first && other == axis);
        let &(first, _) = others.iter().find(has_other)?;
        let mut order: Loops<usize> = (0..=last).collect();
        // Loops along which the input repeats stay outside.
        let strides = &self.nest.operands[first].strides;
        order.sort_by_key(|&axis| {
            core::cmp::Reverse(if strides[axis] == 0 { usize::MAX } else { strides[axis].unsigned_abs() })
        });
        Some(order)
    }

    /// The loops of a move over a box: from its input, or a constant, to its output.
    pub fn move_loops(&self, steps: &[usize]) -> SmallVec<[CopyLoop; 8]> {
        let input = self.binding.steps[0].args.first().and_then(|place| place.operand());
        let output = self.binding.steps[0].output.unwrap_or(0);
        let stride = |operand: usize, axis: usize| self.nest.operands[operand].strides[axis];
        let of_axis = |axis: usize| CopyLoop {
            size: steps[axis],
            from: input.map_or(0, |operand| stride(operand, axis)),
            to: stride(output, axis),
        };
        (0..steps.len()).map(of_axis).collect()
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

/// Whether rows of `row` bytes of the widest operand run directly without a search, in a run of `bytes` bytes. `shares_row`: an
/// operand has the same row for all.
#[inline]
pub(crate) fn rows_run_directly(row: usize, bytes: usize, shares_row: impl FnOnce() -> bool, target: &Target) -> bool {
    let shortest = if bytes <= SMALL_RUN { target.kernels.vector_bytes } else { SIMPLE_ROW };
    row >= shortest && !(row > MAX_UNCUT_SHARED_ROW && bytes <= target.cpu.l2 && shares_row())
}

/// The slot of an operand of a step. The result of a step gets its number as register, which `tile` replaces.
pub(crate) fn slot_of(place: Place) -> Slot {
    match place {
        Place::Operand(l) => Slot::Operand(l),
        Place::Constant(c) => Slot::Constant(c),
        Place::Step(step) => Slot::Register(step),
    }
}
