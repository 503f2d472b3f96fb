//! Runs a program step by step: every step is a separate plan over contiguous arrays, on the scalar ISA.

use eltwise::{BindOptions, Error, Isa, Layout, Program, View, ViewMut};
use eltwise_plan::ir::program::Node;
use eltwise_reference::{Conditions, Tensor};

/// The outputs of the program, and the data conditions that its steps met.
///
/// # Errors
/// The errors of binding a step, if the shapes do not broadcast in its mode.
pub fn run(program: &eltwise_plan::Program, inputs: &[Tensor]) -> Result<(Vec<Tensor>, Conditions), Error> {
    let (mut values, mut met): (Vec<Tensor>, _) = (Vec::new(), Conditions::default());
    for value in program.values() {
        let next = match &value.node {
            Node::Input(i) => inputs[*i].clone(),
            Node::Constant(constant) => Tensor::scalar((*constant).into()),
            Node::Step { op, args, broadcast, .. } => {
                let tier = value.accuracy();
                let args: Vec<&Tensor> = args.iter().map(|a| &values[a.index()]).collect();
                let dtypes: Vec<_> = args.iter().map(|a| a.dtype()).collect();
                let one = Program::single_at(*op, &dtypes, Some(value.dtype), broadcast.clone(), tier)?;
                let layouts: Vec<Layout> =
                    args.iter().map(|a| Layout::contiguous(a.dtype(), a.shape().clone())).collect::<Result<_, _>>()?;
                let layouts: Vec<&Layout> = layouts.iter().collect();
                let plan = one.bind_with(&layouts, &BindOptions::new().isa(Isa::Scalar).c_order())?;
                let out = plan.output_layouts()[0].clone();
                let mut data = vec![0u8; out.shape().bytes(value.dtype.size())?];
                let views: Vec<View<'_>> = (args.iter().zip(plan.input_layouts()))
                    .map(|(a, layout)| View::from_bytes(a.data(), layout.clone(), 0))
                    .collect::<Result<_, _>>()?;
                let status = plan.run(&views, &mut [ViewMut::from_bytes(&mut data, out.clone(), 0)?])?;
                met.zero_division |= status.zero_division();
                met.negative_exponent |= status.negative_exponent();
                Tensor::new(value.dtype, out.shape().clone(), data)?
            }
            other => return Err(Error::Expression { message: format!("not a step: {other:?}") }),
        };
        values.push(next);
    }
    Ok((program.outputs().iter().map(|out| values[out.index()].clone()).collect(), met))
}
