//! What a case runs, and its right results: of every combination of letters, out of the reference.

use std::collections::HashMap;
use std::sync::Arc;

use eltwise::{BindOptions, DType, Error, Isa, Layout, Op, Program, Shape, View, ViewMut};
use eltwise_plan::program::Node;
use eltwise_reference::{Conditions, Tensor, Value};

use super::pool::Pools;
use crate::cells::Cell;
use crate::check::conditions;

/// A program whose result at an element depends on the operands' elements there only.
#[derive(Debug)]
pub(super) struct Subject {
    /// The program.
    pub program: Program,
    /// The dtype of each input.
    pub inputs: Vec<DType>,
    /// The letters of an input's alphabet.
    pub letters: usize,
    /// For each output, its elements for all combinations of letters, the first input's letter the most significant.
    pub results: Vec<Tensor>,
    /// The data conditions of each combination; none where no combination meets one, or where it is not known.
    pub conditions: Option<Vec<Conditions>>,
    /// Whether it is known that no combination meets a condition.
    pub never_meets: bool,
    /// Whether the payload of a NaN counts.
    pub payloads: bool,
}

/// The letters of each of so many inputs: so few that all combinations are some thousands.
fn letters_of(inputs: usize) -> usize {
    [1, 256, 64, 16, 8][inputs.min(4)]
}

/// All combinations of the letters of inputs: a tensor for each input.
fn combinations(pools: &Pools, inputs: &[DType], letters: usize) -> Vec<Tensor> {
    let total = letters.pow(inputs.len() as u32);
    let each = inputs.iter().enumerate();
    each.map(|(i, &dtype)| {
        let alphabet = pools.alphabet(dtype, letters);
        let period = letters.pow((inputs.len() - 1 - i) as u32);
        let values: Vec<Value> = (0..total).map(|c| Value::new(dtype, alphabet[c / period % letters])).collect();
        Tensor::from_values(dtype, [total], &values).expect("one value for each combination")
    })
    .collect()
}

/// Whether a step is a math function: its last bit is the engine's own, and the same in every layout and on every ISA.
fn has_math(program: &Program) -> bool {
    program.values().iter().any(|value| match &value.node {
        Node::Step { op, args, .. } | Node::Exact { op, args, .. } => {
            op.info().is_math(args.first().map_or(value.dtype, |arg| program.value(*arg).dtype))
                || op.info().is_math(value.dtype)
        }
        _ => false,
    })
}

/// The engine's results over contiguous operands on the plainest ISA.
fn of_engine(program: &Program, inputs: &[Tensor]) -> Result<(Vec<Tensor>, Conditions), Error> {
    let layouts: Vec<Layout> = inputs
        .iter()
        .map(|t| Layout::contiguous(t.dtype(), t.shape().clone()).expect("combinations are few"))
        .collect();
    let options = BindOptions::new().isa(Isa::Scalar).c_order();
    let plan = program.bind_with(&layouts.iter().collect::<Vec<_>>(), &options)?;
    let views: Vec<View<'_>> = (inputs.iter().zip(&layouts))
        .map(|(t, layout)| View::from_bytes(t.data(), layout.clone(), 0).expect("a contiguous array"))
        .collect();
    let outputs: Vec<Layout> = plan.output_layouts().to_vec();
    let size = |l: &Layout| l.shape().bytes(l.dtype().size()).expect("combinations are few");
    let mut data: Vec<Vec<u8>> = outputs.iter().map(|l| vec![0; size(l)]).collect();
    let mut into: Vec<ViewMut<'_>> = (data.iter_mut().zip(&outputs))
        .map(|(bytes, layout)| ViewMut::from_bytes(bytes, layout.clone(), 0).expect("a contiguous array"))
        .collect();
    let status = plan.run(&views, &mut into).expect("views of the plan's layouts");
    drop(into);
    let results = (data.into_iter().zip(&outputs))
        .map(|(bytes, l)| Tensor::new(l.dtype(), l.shape().clone(), bytes).expect("a contiguous array"))
        .collect();
    Ok((results, conditions(status)))
}

impl Subject {
    /// The results of a program over inputs of these dtypes. `exactly`: also the conditions of each combination, one by one.
    ///
    /// # Errors
    /// Those of binding a program with math: this build leaves a kernel out.
    pub(super) fn new(pools: &Pools, program: Program, inputs: Vec<DType>, exactly: bool) -> Result<Subject, Error> {
        let letters = letters_of(inputs.len());
        let all = combinations(pools, &inputs, letters);
        let (results, met) = if has_math(&program) {
            of_engine(&program, &all)?
        } else {
            eltwise_reference::run(&program, &all).expect("operands of one shape")
        };
        let never_meets = met == Conditions::default();
        let conditions = (exactly && !never_meets).then(|| {
            let one = |c: usize| -> Vec<Tensor> { all.iter().map(|t| Tensor::scalar(t.get(&[c]))).collect() };
            let total = letters.pow(inputs.len() as u32);
            (0..total).map(|c| eltwise_reference::run(&program, &one(c)).expect("scalars").1).collect()
        });
        Ok(Subject { program, inputs, letters, results, conditions, never_meets, payloads: false })
    }

    /// An output's elements for all combinations, and the bytes from one to the next: none for a result that is a constant.
    pub(super) fn column(&self, output: usize) -> (&[u8], usize) {
        let tensor = &self.results[output];
        (tensor.data(), if tensor.shape().rank() == 0 { 0 } else { tensor.dtype().size() })
    }
}

/// The subjects of single operators so far.
#[derive(Debug, Default)]
pub(super) struct Subjects(HashMap<(Cell, usize), Arc<Subject>>);

impl Subjects {
    /// The subject of an operator over so many operands.
    pub(super) fn of(&mut self, pools: &Pools, cell: Cell, operands: usize) -> Arc<Subject> {
        let make = || {
            let dtypes = cell.of_operands(operands);
            let total = letters_of(operands).pow(operands as u32);
            let program = cell.program_of(&cell.plain_mode(&Shape::from([total])), operands);
            let subject = Subject::new(pools, program, dtypes, true).expect("this build has the kernel");
            Arc::new(Subject { payloads: cell.moves(), ..subject })
        };
        Arc::clone(self.0.entry((cell, operands)).or_insert_with(make))
    }
}

/// The program of an operator into a shape: only `broadcast_to` knows its shape.
pub(super) fn program_into(cell: Cell, subject: &Subject, shape: &[usize]) -> Program {
    match cell.op {
        Op::BroadcastTo => cell.program(&cell.plain_mode(&Shape::new(shape))),
        _ => subject.program.clone(),
    }
}
