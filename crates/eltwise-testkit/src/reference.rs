//! Programs evaluated by the reference: [`run`] computes every step over whole arrays, with no fusion.

use eltwise_core::Error;
use eltwise_plan::ir::program::Node;
use eltwise_plan::{Program, ValueId};
use eltwise_reference::{Conditions, Tensor, evaluate_with_conditions};

/// Evaluates a program with the reference. Returns its outputs and the data conditions that its steps met.
///
/// Every value is computed as a whole array with the shape of the value. A constant is a scalar.
///
/// # Errors
/// If the inputs differ from the program's in number or dtype, or if the shapes do not broadcast in the mode of a step.
pub fn run(program: &Program, inputs: &[Tensor]) -> Result<(Vec<Tensor>, Conditions), Error> {
    let expected = program.inputs();
    if inputs.len() != expected.len() {
        return Err(Error::Count { what: "inputs", given: inputs.len(), expected: expected.len() });
    }
    for (i, (input, expected)) in inputs.iter().zip(expected).enumerate() {
        if input.dtype() != expected.dtype {
            return Err(Error::DType { what: format!("input {i}"), given: input.dtype(), expected: expected.dtype });
        }
    }
    let mut met = Conditions::default();
    let mut values: Vec<Tensor> = Vec::with_capacity(program.values().len());
    for value in program.values() {
        let tensor = match &value.node {
            Node::Input(i) => inputs[*i].clone(),
            Node::Constant(constant) => Tensor::scalar((*constant).into()),
            Node::Step { op, args, broadcast, .. } => {
                let args: Vec<&Tensor> = args.iter().map(|a| &values[a.index()]).collect();
                let (out, conditions) = evaluate_with_conditions(*op, &args, Some(value.dtype), broadcast)?;
                met |= conditions;
                out
            }
            other => {
                return Err(Error::Expression { message: format!("the reference has no definition of {other:?}") });
            }
        };
        values.push(tensor);
    }
    let output = |id: &ValueId| values[id.index()].clone();
    Ok((program.outputs().iter().map(output).collect(), met))
}
