//! Chains: steps that follow each other in registers. [`Schedule::chains`] finds them.
//!
//! A step joins the step before it if it takes its result and both are a few instructions. One kernel then computes them for a few
//! vectors at a time, without storing the result of the first, unless something else reads it.

use core::ops::Range;

use eltwise_core::chain::{MAX_LINKS, is_link};
use eltwise_core::{DType, Op};
use smallvec::SmallVec;

use crate::bind::{BoundStep, Place};
use crate::ir::operation::Operation;
use crate::strategy::{Schedule, Strategy};

/// Steps that one kernel computes in registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    /// The steps.
    pub steps: Range<usize>,
    /// The dtype of all operands and results.
    pub dtype: DType,
    /// The operators, in order. The running value begins as operand 0 of the first step.
    pub links: SmallVec<[ChainLink; 8]>,
}

/// An operator of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChainLink {
    /// The operator.
    pub op: Op,
    /// The step.
    pub step: usize,
    /// The position of the running value among the operands.
    pub position: usize,
    /// The numbers of the other operands among those of the step, in order.
    pub others: [Option<usize>; 2],
    /// Whether it is the last operator of its step, whose result has a slot.
    pub is_last: bool,
    /// Whether something outside of the chain, or a later step of it, reads the result from memory.
    pub is_stored: bool,
}

impl Schedule {
    /// The chains of the steps of a tile, in order; each has at least two steps.
    pub fn chains(&self) -> SmallVec<[Chain; 1]> {
        let mut chains = SmallVec::new();
        let steps = &self.binding.steps;
        if self.strategy != Strategy::Tiled || self.is_move || self.tile.unit.is_some() || steps.len() < 2 {
            return chains;
        }
        // How often each result is an operand.
        let mut uses: SmallVec<[u32; 16]> = SmallVec::from_elem(0, steps.len());
        for place in steps.iter().flat_map(|step| &step.args) {
            if let Place::Step(step) = place {
                uses[*step] += 1;
            }
        }
        let mut start = 0;
        while start < steps.len() {
            let Some(mut chain) = Chain::of_step(steps, start) else {
                start += 1;
                continue;
            };
            while chain.steps.end < steps.len() && chain.join(steps) {}
            start = chain.steps.end;
            if chain.steps.len() > 1 {
                chain.mark_stored(steps, &uses);
                chains.push(chain);
            }
        }
        chains
    }
}

impl Chain {
    /// The chain of one step.
    fn of_step(steps: &[BoundStep], number: usize) -> Option<Chain> {
        let mut chain = Chain { steps: number..number, dtype: steps[number].to, links: SmallVec::new() };
        chain.add(&steps[number], 0).then_some(chain)
    }

    /// Adds the step after the last one, if it takes its result.
    fn join(&mut self, steps: &[BoundStep]) -> bool {
        let step = &steps[self.steps.end];
        let result = Place::Step(self.steps.end - 1);
        step.args.iter().position(|&place| place == result).is_some_and(|position| self.add(step, position))
    }

    /// Adds a step whose operand at `position` is the running value. Returns whether it can be in a chain.
    fn add(&mut self, step: &BoundStep, position: usize) -> bool {
        let (first, last) = match step.op {
            Operation::Op(op) => (None, op),
            Operation::Fused(fused) if fused.load().is_none() && fused.store().is_none() => {
                (fused.first(), fused.last())
            }
            _ => return false,
        };
        let all_ops = || first.into_iter().chain([last]);
        let has_dtype = step.from == self.dtype && step.to == self.dtype;
        let arity = all_ops().map(|op| op.arity() - 1).sum::<usize>() + 1;
        if !has_dtype
            || arity != step.args.len()
            || !all_ops().all(|op| is_link(op, self.dtype))
            || self.links.len() + all_ops().count() > MAX_LINKS
        {
            return false;
        }
        // The first operator takes the first operands; the other one its result and the rest.
        let taken = first.map_or(step.args.len(), |first| first.arity());
        if position >= taken {
            return false;
        }
        let others = |operands: Range<usize>, position: usize| {
            let mut others = operands.filter(|&operand| operand != position);
            [others.next(), others.next()]
        };
        let number = self.steps.end;
        let link = |op: Op, position: usize, others: [Option<usize>; 2], is_last: bool| ChainLink {
            op,
            step: number,
            position,
            others,
            is_last,
            is_stored: false,
        };
        self.links.push(link(first.unwrap_or(last), position, others(0..taken, position), first.is_none()));
        if first.is_some() {
            self.links.push(link(last, 0, others(taken..step.args.len(), usize::MAX), true));
        }
        self.steps.end += 1;
        true
    }

    /// Marks the results that are read from memory: outputs, those with another use than as running value, and the last one.
    fn mark_stored(&mut self, steps: &[BoundStep], uses: &[u32]) {
        for link in self.links.iter_mut().filter(|link| link.is_last) {
            let is_end = link.step + 1 == self.steps.end;
            link.is_stored = is_end || steps[link.step].output.is_some() || uses[link.step] > 1;
        }
    }
}
