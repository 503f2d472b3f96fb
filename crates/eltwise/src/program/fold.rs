//! Constant folding: [`fold`] computes the steps over constants when a program is made.

use eltwise_core::{Accuracy, Broadcast, Constant, DType, Op, Signature};
use eltwise_plan::ir::operation::Operation;
use eltwise_plan::ir::program::{Node, Value};
use eltwise_plan::{Program, ValueId};
use eltwise_simd::Isa;
use smallvec::SmallVec;

use crate::exec::dense::run_scalars;
use crate::exec::kernel_of;

/// Replaces each step that has only constant operands by the constant that a run would compute. The bits are the same,
/// because kernels give the same bits on every ISA. A step with a data condition stays, so every run reports the
/// condition.
pub(crate) fn fold(program: Program) -> Program {
    if !program.values().iter().any(|value| over_constants(value, |id| Some(program.value(id))).is_some()) {
        return program;
    }
    program.rebuilt(|builder, renamed, value| {
        let (op, tier, constants) = over_constants(value, |id| builder.value(renamed[id.index()]))?;
        compute(op, tier, &constants, value.dtype).map(|constant| builder.constant(constant))
    })
}

/// The operator of a step that folds, its tier and its operands: constants, which give a scalar. `operand` gives the
/// values of the operands.
fn over_constants<'v>(
    value: &Value,
    operand: impl Fn(ValueId) -> Option<&'v Value>,
) -> Option<(Op, Accuracy, SmallVec<[Constant; 4]>)> {
    let Node::Step { op, args, broadcast, accuracy } = &value.node else { return None };
    let keeps_scalars = matches!(broadcast, Broadcast::None | Broadcast::Numpy | Broadcast::Unidirectional);
    if !keeps_scalars || matches!(op, Op::Copy | Op::BroadcastTo) {
        return None;
    }
    let constant = |&id: &ValueId| match operand(id)?.node {
        Node::Constant(constant) => Some(constant),
        _ => None,
    };
    Some((*op, *accuracy, args.iter().map(constant).collect::<Option<_>>()?))
}

/// The result of a step over constants; `None` for a data condition, or if this build has no kernel for the step.
fn compute(op: Op, tier: Accuracy, args: &[Constant], to: DType) -> Option<Constant> {
    let t = usize::from(op.signature() == Signature::Select);
    let from = args.get(t).map_or(to, |constant| constant.dtype);
    let kernel = kernel_of(Operation::new(op, tier), (from, to), &[], Isa::Scalar).ok()?;
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
