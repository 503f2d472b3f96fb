//! Fusion: steps that have a common kernel become one step. [`Binding::fuse`] finds them; [`Fused`] lists the patterns.
//!
//! A result that only the next step reads stays in registers, a cast of the first operand happens at its load, and a cast of
//! the result at its store. Every operator rounds as it does alone, so bits do not change. The operands of a last addition or
//! multiplication may be swapped, which does not change its result.

use eltwise_core::{Fused, Op};
use smallvec::SmallVec;

use crate::bind::{Binding, BoundStep, Place};
use crate::ir::operation::Operation;

impl Binding {
    /// Replaces steps by fused steps. A step is fused into the step that uses its result if nothing else uses it and it is not
    /// an output.
    pub fn fuse(&mut self) {
        if self.steps.len() < 2 {
            return;
        }
        let mut uses: SmallVec<[u32; 8]> = SmallVec::from_elem(0, self.steps.len());
        for step in &self.steps {
            for &place in &step.args {
                if let Place::Step(s) = place {
                    uses[s] += 1;
                }
            }
        }
        let mut is_fused: SmallVec<[bool; 8]> = SmallVec::from_elem(false, self.steps.len());
        for position in 0..self.steps.len() {
            // Once per step: the steps of its operands were fused before it.
            if let Some((operand, step)) = self.fuse_operand(position, &uses) {
                if let Place::Step(s) = self.steps[position].args[operand] {
                    is_fused[s] = true;
                }
                self.steps[position] = step;
            }
        }
        self.drop_steps(&is_fused);
    }

    /// The step at `position` fused with the step of one of its operands, and the position of that operand.
    fn fuse_operand(&self, position: usize, uses: &[u32]) -> Option<(usize, BoundStep)> {
        let step = &self.steps[position];
        step.args.iter().enumerate().find_map(|(operand, &place)| {
            let Place::Step(s) = place else { return None };
            let inner = &self.steps[s];
            if uses[s] != 1 || inner.output.is_some() {
                return None;
            }
            Some((operand, merge(step, operand, inner)?))
        })
    }

    /// Drops steps that are fused into others.
    fn drop_steps(&mut self, is_fused: &[bool]) {
        if !is_fused.contains(&true) {
            return;
        }
        let mut new_positions: SmallVec<[usize; 8]> = SmallVec::new();
        let mut kept = 0;
        for &dropped in is_fused {
            new_positions.push(kept);
            kept += usize::from(!dropped);
        }
        let mut dropped = is_fused.iter();
        self.steps.retain(|_| dropped.next() == Some(&false));
        for step in &mut self.steps {
            for place in &mut step.args {
                if let Place::Step(s) = place {
                    *s = new_positions[*s];
                }
            }
        }
    }
}

/// The fusion of `outer` with `inner`, the step of its operand `operand`, if it has a kernel.
fn merge(outer: &BoundStep, operand: usize, inner: &BoundStep) -> Option<BoundStep> {
    let t = outer.from;
    let commutes = |op: Op| matches!(op, Op::Add | Op::Multiply);
    if outer.op == Op::Cast {
        let (load, first, last) = match inner.op {
            Operation::Op(op) => (None, None, op),
            Operation::Fused(fused) if fused.store().is_none() => (fused.load(), fused.first(), fused.last()),
            _ => return None,
        };
        let fused = Fused::new(load, first, last, Some(outer.to), inner.from)?;
        return Some(BoundStep { op: Operation::Fused(fused), args: inner.args.clone(), ..outer.clone() });
    }
    // A fused step fuses no further, except with a cast of its result.
    let Operation::Op(last) = outer.op else { return None };
    let mut args = outer.args.clone();
    match operand {
        0 => {}
        1 if commutes(last) => args.swap(0, 1),
        _ => return None,
    }
    let (load, before) = match inner.op {
        Operation::Op(Op::Cast) => {
            let fused = Fused::new(Some(inner.from), None, last, None, t)?;
            args[0] = inner.args[0];
            return Some(BoundStep { op: Operation::Fused(fused), args, ..outer.clone() });
        }
        Operation::Op(op) => (None, op),
        Operation::Fused(fused) if fused.first().is_none() && fused.store().is_none() => (fused.load(), fused.last()),
        _ => return None,
    };
    let op = match (load, before, last) {
        // Integers wrap, so a sum with a product is their `fma`.
        (None, Op::Multiply, Op::Add) if t.is_integer() => Operation::Op(Op::Fma),
        _ => Operation::Fused(Fused::new(load, Some(before), last, None, t)?),
    };
    let mut operands = inner.args.clone();
    operands.extend_from_slice(&args[1..]);
    Some(BoundStep { op, args: operands, ..outer.clone() })
}
