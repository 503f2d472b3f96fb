//! Programs with tabulated results: [`TabulatedProgram`] has the expected result for every combination of letters of
//! its inputs.

use std::collections::HashMap;
use std::sync::Arc;

use eltwise::{BindOptions, DType, Error, Isa, Layout, Op, Program, Shape, View, ViewMut};
use eltwise_plan::ir::program::Node;
use eltwise_reference::{Conditions, Tensor, Value};

use super::pool::Pools;
use crate::check::conditions;
use crate::typed_ops::TypedOp;

/// A program and its results for every combination of letters.
///
/// An element of the result must depend only on the elements of the inputs at the same index.
#[derive(Debug)]
pub(super) struct TabulatedProgram {
    /// The program.
    pub program: Program,
    /// The dtype of each input.
    pub inputs: Vec<DType>,
    /// The size of each input's alphabet.
    pub alphabet_size: usize,
    /// The elements of each output for all combinations of letters. The letter of the first input is the most
    /// significant digit.
    pub results: Vec<Tensor>,
    /// The data conditions of each combination. `None` if no combination meets one, or if they are not known.
    pub conditions: Option<Vec<Conditions>>,
    /// Whether no combination meets a condition.
    pub never_meets: bool,
    /// Whether NaN payloads have to match.
    pub payloads: bool,
}

/// The size of the alphabet for this many inputs. There are at most 4,096 combinations.
fn alphabet_size(inputs: usize) -> usize {
    [1, 256, 64, 16, 8][inputs.min(4)]
}

/// All combinations of letters, as one tensor per input.
fn combinations(pools: &Pools, inputs: &[DType], alphabet_size: usize) -> Vec<Tensor> {
    let total = alphabet_size.pow(inputs.len() as u32);
    let numbered = inputs.iter().enumerate();
    numbered
        .map(|(i, &dtype)| {
            let alphabet = pools.alphabet(dtype, alphabet_size);
            let period = alphabet_size.pow((inputs.len() - 1 - i) as u32);
            let values: Vec<Value> =
                (0..total).map(|c| Value::new(dtype, alphabet[c / period % alphabet_size])).collect();
            Tensor::from_values(dtype, [total], &values).expect("there should be one value for each combination")
        })
        .collect()
}

/// Whether a step is a math function. Its last bit may differ from the reference, but is the same for every layout and
/// ISA.
fn has_math(program: &Program) -> bool {
    program.values().iter().any(|value| match &value.node {
        Node::Step { op, args, .. } => {
            op.info().is_math(args.first().map_or(value.dtype, |arg| program.value(*arg).dtype))
                || op.info().is_math(value.dtype)
        }
        _ => false,
    })
}

/// The results of the engine over contiguous operands on the scalar ISA.
fn run_engine(program: &Program, inputs: &[Tensor]) -> Result<(Vec<Tensor>, Conditions), Error> {
    let layouts: Vec<Layout> = inputs
        .iter()
        .map(|t| {
            Layout::contiguous(t.dtype(), t.shape().clone()).expect("a tensor of all combinations should be small")
        })
        .collect();
    let options = BindOptions::new().isa(Isa::Scalar).c_order();
    let plan = program.bind_with(&layouts.iter().collect::<Vec<_>>(), &options)?;
    let views: Vec<View<'_>> = (inputs.iter().zip(&layouts))
        .map(|(t, layout)| {
            View::from_bytes(t.data(), layout.clone(), 0).expect("a contiguous array should fit its bytes")
        })
        .collect();
    let outputs: Vec<Layout> = plan.output_layouts().to_vec();
    let size = |l: &Layout| l.shape().bytes(l.dtype().size()).expect("a tensor of all combinations should be small");
    let mut data: Vec<Vec<u8>> = outputs.iter().map(|l| vec![0; size(l)]).collect();
    let mut into: Vec<ViewMut<'_>> = (data.iter_mut().zip(&outputs))
        .map(|(bytes, layout)| {
            ViewMut::from_bytes(bytes, layout.clone(), 0).expect("a contiguous array should fit its bytes")
        })
        .collect();
    let status = plan.run(&views, &mut into).expect("a run over the plan's layouts should succeed");
    drop(into);
    let results = (data.into_iter().zip(&outputs))
        .map(|(bytes, l)| {
            Tensor::new(l.dtype(), l.shape().clone(), bytes).expect("a contiguous array should fit its bytes")
        })
        .collect();
    Ok((results, conditions(status)))
}

impl TabulatedProgram {
    /// Tabulates a program over inputs of these dtypes. With `each_condition`, also the conditions of each combination.
    ///
    /// # Errors
    /// If the program has a math function for which this build lacks a kernel.
    pub(super) fn new(
        pools: &Pools,
        program: Program,
        inputs: Vec<DType>,
        each_condition: bool,
    ) -> Result<TabulatedProgram, Error> {
        let alphabet_size = alphabet_size(inputs.len());
        let all = combinations(pools, &inputs, alphabet_size);
        let (results, met) = if has_math(&program) {
            run_engine(&program, &all)?
        } else {
            crate::reference::run(&program, &all).expect("a program over operands of one shape should run")
        };
        let never_meets = met == Conditions::default();
        let conditions = (each_condition && !never_meets).then(|| {
            let one = |c: usize| -> Vec<Tensor> { all.iter().map(|t| Tensor::scalar(t.get(&[c]))).collect() };
            let total = alphabet_size.pow(inputs.len() as u32);
            (0..total)
                .map(|c| crate::reference::run(&program, &one(c)).expect("a program over scalars should run").1)
                .collect()
        });
        Ok(TabulatedProgram { program, inputs, alphabet_size, results, conditions, never_meets, payloads: false })
    }

    /// The bytes of an output's elements for all combinations, and the distance from one to the next, which is 0 for a
    /// constant.
    pub(super) fn results_of(&self, output: usize) -> (&[u8], usize) {
        let tensor = &self.results[output];
        (tensor.data(), if tensor.shape().rank() == 0 { 0 } else { tensor.dtype().size() })
    }
}

/// The tabulated programs of single operators, made on first use.
#[derive(Debug, Default)]
pub(super) struct TabulatedOps(HashMap<(TypedOp, usize), Arc<TabulatedProgram>>);

impl TabulatedOps {
    /// The tabulated program of an operator with `operands` operands.
    pub(super) fn get(&mut self, pools: &Pools, typed_op: TypedOp, operands: usize) -> Arc<TabulatedProgram> {
        let make = || {
            let dtypes = typed_op.operand_dtypes_for(operands);
            let total = alphabet_size(operands).pow(operands as u32);
            let program = typed_op.program_with_operands(&typed_op.same_shape_mode(&Shape::from([total])), operands);
            let subject =
                TabulatedProgram::new(pools, program, dtypes, true).expect("this build should have the kernel");
            Arc::new(TabulatedProgram { payloads: typed_op.moves_bits(), ..subject })
        };
        Arc::clone(self.0.entry((typed_op, operands)).or_insert_with(make))
    }
}

/// The program of an operator with outputs of shape `shape`. Only `broadcast_to` has a program that depends on the
/// shape.
pub(super) fn program_for_shape(typed_op: TypedOp, tabulated: &TabulatedProgram, shape: &[usize]) -> Program {
    match typed_op.op {
        Op::BroadcastTo => typed_op.program(&typed_op.same_shape_mode(&Shape::new(shape))),
        _ => tabulated.program.clone(),
    }
}
