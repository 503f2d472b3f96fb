//! Constants folded: a step of scalars that a program captured is computed when the program is made.

use eltwise_kernels::exact::exact;
use eltwise_kernels::table::kernel;
use eltwise_plan::program::Node;
use eltwise_plan::{Accuracy, Broadcast, Constant, DType, Error, Op, Program, ProgramBuilder, Signature, ValueId};
use eltwise_simd::Isa;
use smallvec::SmallVec;

use super::flat::{Flat, run_flat};
use crate::status::Status;

/// The program without steps that have only constants for operands: each becomes the constant that a run would compute,
/// to the bit, for kernels give the same bits on every level. Steps that meet a data condition stay, so that every run
/// reports it.
pub(crate) fn fold(program: Program) -> Program {
    let is_constant = |id: &ValueId| matches!(program.value(*id).node, Node::Constant(_));
    let any = program.values().iter().any(|value| match &value.node {
        Node::Step { op, args, broadcast } | Node::Exact { op, args, broadcast } => {
            folds(*op, broadcast) && args.iter().all(is_constant)
        }
        _ => false,
    });
    if !any {
        return program;
    }
    folded(&program).unwrap_or(program)
}

/// Whether a step of scalars is a scalar, and no mere copy.
fn folds(op: Op, broadcast: &Broadcast) -> bool {
    let joins = matches!(broadcast, Broadcast::None | Broadcast::Numpy | Broadcast::Unidirectional);
    joins && !matches!(op, Op::Copy | Op::BroadcastTo)
}

fn folded(program: &Program) -> Result<Program, Error> {
    let mut builder = ProgramBuilder::new();
    // For each value the one in the new program, and its constant if it is one.
    let mut renamed: Vec<(ValueId, Option<Constant>)> = Vec::with_capacity(program.values().len());
    for value in program.values() {
        let new = match &value.node {
            Node::Input(index) => (builder.input(&program.inputs()[*index].name, value.dtype), None),
            Node::Constant(constant) => (builder.constant(*constant), Some(*constant)),
            Node::Step { op, args, broadcast } | Node::Exact { op, args, broadcast } => {
                let tier = value.accuracy();
                let constants: Option<SmallVec<[Constant; 4]>> = args.iter().map(|id| renamed[id.index()].1).collect();
                let known = constants.filter(|_| folds(*op, broadcast));
                match known.and_then(|constants| compute(*op, tier, &constants, value.dtype)) {
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

/// The step's result; none when it meets a data condition, or this build has no kernel for it.
fn compute(op: Op, tier: Accuracy, args: &[Constant], to: DType) -> Option<Constant> {
    let t = usize::from(op.signature() == Signature::Select);
    let from = args.get(t).map_or(to, |constant| constant.dtype);
    let found = match tier {
        Accuracy::Exact | Accuracy::ToNarrow => exact(op, from, Isa::Scalar),
        _ => kernel(op, from, to, Isa::Scalar),
    };
    let kernel = found?.kernel;
    if args.len() > 4 {
        return None;
    }
    // The low bytes of a constant's bits, which come first in memory, are its element.
    let ins: SmallVec<[Flat; 4]> =
        args.iter().map(|constant| Flat { ptr: (&raw const constant.bits).cast(), splat: true }).collect();
    let mut bits = 0u128;
    // SAFETY: the kernel is the table's for these dtypes and a level that every CPU has; each operand and the result are
    // one element of at most 16 bytes.
    let status = unsafe { run_flat(kernel, 1, (&raw mut bits).cast(), &ins) };
    (status == Status::default()).then_some(Constant { dtype: to, bits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    fn steps(text: &str) -> usize {
        Program::parse(text, &[("x", DType::F32), ("n", DType::I32)]).unwrap().step_count()
    }

    #[test]
    fn steps_of_constants_are_computed_with_the_program() {
        assert_eq!(steps("x * sqrt(2)"), 1);
        assert_eq!(steps("x * exp(sqrt(2) + 1) + sqrt(2)"), 2);
        assert_eq!(steps("n + cast(7, i32) / cast(2, i32)"), 1);
        // An output is made by a step.
        assert_eq!(steps("sqrt(2)"), 1);
        // Every run of it reports the division by zero.
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
