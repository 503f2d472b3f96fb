//! Constant folding: [`fold`] computes the steps over constants when a program is made.

use eltwise_core::{Accuracy, Broadcast, Constant, DType, Error, Op, Signature};
use eltwise_kernels::table::kernel;
use eltwise_kernels::table::tiers::tier_kernel;
use eltwise_plan::ir::program::Node;
use eltwise_plan::{Program, ProgramBuilder, ValueId};
use eltwise_simd::Isa;
use smallvec::SmallVec;

use crate::exec::dense::run_scalars;

/// Replaces each step that has only constant operands by the constant that a run would compute. The bits are the same,
/// because kernels give the same bits on every ISA. A step with a data condition stays, so every run reports the
/// condition.
pub(crate) fn fold(program: Program) -> Program {
    let is_constant = |id: &ValueId| matches!(program.value(*id).node, Node::Constant(_));
    let any = program.values().iter().any(|value| match &value.node {
        Node::Step { op, args, broadcast, .. } => folds(*op, broadcast) && args.iter().all(is_constant),
        _ => false,
    });
    if !any {
        return program;
    }
    rebuild(&program).unwrap_or(program)
}

/// Whether a step over scalars has a scalar result and computes something.
fn folds(op: Op, broadcast: &Broadcast) -> bool {
    let keeps_scalars = matches!(broadcast, Broadcast::None | Broadcast::Numpy | Broadcast::Unidirectional);
    keeps_scalars && !matches!(op, Op::Copy | Op::BroadcastTo)
}

/// The program with constants instead of the steps that fold.
fn rebuild(program: &Program) -> Result<Program, Error> {
    let mut builder = ProgramBuilder::new();
    // For each value of the old program, its value in the new one, and its constant if it is one.
    let mut renamed: Vec<(ValueId, Option<Constant>)> = Vec::with_capacity(program.values().len());
    for value in program.values() {
        let new = match &value.node {
            Node::Input(index) => (builder.input(&program.inputs()[*index].name, value.dtype), None),
            Node::Constant(constant) => (builder.constant(*constant), Some(*constant)),
            Node::Step { op, args, broadcast, .. } => {
                let tier = value.accuracy();
                let constants: Option<SmallVec<[Constant; 4]>> = args.iter().map(|id| renamed[id.index()].1).collect();
                let constants = constants.filter(|_| folds(*op, broadcast));
                match constants.and_then(|constants| compute(*op, tier, &constants, value.dtype)) {
                    Some(constant) => (builder.constant(constant), Some(constant)),
                    None => {
                        let args: SmallVec<[ValueId; 4]> = args.iter().map(|id| renamed[id.index()].0).collect();
                        builder.set_accuracy(tier);
                        (builder.step(*op, &args, Some(value.dtype), broadcast.clone())?, None)
                    }
                }
            }
            Node::Custom { function, args, broadcast } => {
                let args: SmallVec<[ValueId; 4]> = args.iter().map(|id| renamed[id.index()].0).collect();
                (builder.custom(*function, &args, broadcast.clone())?, None)
            }
            _ => return Ok(program.clone()),
        };
        renamed.push(new);
    }
    program.outputs().iter().for_each(|out| builder.output(renamed[out.index()].0));
    builder.finish()
}

/// The result of a step over constants; `None` for a data condition, or if this build has no kernel for the step.
fn compute(op: Op, tier: Accuracy, args: &[Constant], to: DType) -> Option<Constant> {
    let t = usize::from(op.signature() == Signature::Select);
    let from = args.get(t).map_or(to, |constant| constant.dtype);
    let entry = match tier {
        Accuracy::CorrectlyRounded | Accuracy::RoundToOdd => tier_kernel(op, from, Isa::Scalar),
        _ => kernel(op, from, to, Isa::Scalar),
    };
    let kernel = entry?.kernel;
    if args.len() > 4 {
        return None;
    }
    run_scalars(kernel, args, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    fn steps(text: &str) -> usize {
        Program::parse(text, &[("x", DType::F32), ("n", DType::I32)]).unwrap().step_count()
    }

    #[test]
    fn steps_over_constants_fold_except_outputs_and_data_conditions() {
        assert_eq!(steps("x * sqrt(2)"), 1);
        assert_eq!(steps("x * exp(sqrt(2) + 1) + sqrt(2)"), 2);
        assert_eq!(steps("n + cast(7, i32) / cast(2, i32)"), 1);
        // An output needs a step.
        assert_eq!(steps("sqrt(2)"), 1);
        // Every run reports the division by zero.
        assert_eq!(steps("n + cast(1, i32) / cast(0, i32)"), 2);
    }

    #[test]
    fn a_folded_constant_has_the_bits_of_a_run() {
        let program = Program::parse("exp(x)", &[("x", DType::F32)]).unwrap();
        for x in [0.3f32, -7.25, 88.0, f32::INFINITY] {
            let input = crate::Array::from_slice(&[x], [1]).unwrap();
            let plan = program.bind(&[input.layout()]).unwrap();
            let run = plan.run_to_arrays(&crate::Serial, &[input.view()]).unwrap();
            let folded = compute(
                Op::Exp,
                Accuracy::Fast,
                &[Constant { dtype: DType::F32, bits: x.to_bits().into() }],
                DType::F32,
            );
            assert_eq!(folded.unwrap().bits, run[0].as_slice::<f32>().unwrap()[0].to_bits().into());
        }
    }
}
