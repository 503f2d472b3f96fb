//! Cases to time. A [`Case`] binds an expression to operands; [`Case::checked`] runs and verifies it and returns a
//! [`Ready`] run.

use eltwise::{Array, Error, Expr, Isa, Layout, Plan, Program, View, ViewMut};

use crate::check;
use crate::operand::{Operand, Source};

/// Elements of a result that are compared with the reference.
const SAMPLES: usize = 500;

/// An expression bound to operands.
pub struct Case {
    expression: String,
    program: Program,
    operands: Vec<Operand>,
    outputs: Vec<Array>,
    /// The plan for the operands' layouts.
    pub plan: Plan,
}

/// A case that has run once, with its views, so that a timed loop contains only the run.
pub struct Ready<'a> {
    plan: Plan,
    inputs: Vec<View<'a>>,
    outputs: Vec<ViewMut<'a>>,
}

impl Case {
    /// Binds an expression to operands, in the order in which their names first appear.
    ///
    /// # Errors
    /// Errors of parsing and binding; [`Error::Count`] if the expression does not have one name per operand.
    pub fn new(expression: &str, operands: Vec<Operand>) -> Result<Case, Error> {
        let parsed = Expr::parse(expression)?;
        let names: Vec<String> = parsed.names().into_iter().map(Into::into).collect();
        if names.len() != operands.len() {
            return Err(Error::Count { what: "operands", given: operands.len(), expected: names.len() });
        }
        let dtypes = operands.iter().map(|o| o.layout().dtype());
        let inputs: Vec<_> = names.iter().map(String::as_str).zip(dtypes).collect();
        let program = Program::new(&[&parsed], &inputs)?;
        let layouts: Vec<&Layout> = operands.iter().map(Operand::layout).collect();
        let plan = program.bind(&layouts)?;
        let outputs = plan.output_layouts().iter().map(|l| Array::with_layout(l.clone())).collect::<Result<_, _>>()?;
        Ok(Case { expression: expression.to_string(), program, operands, outputs, plan })
    }

    /// The ISA of the plan.
    pub fn isa(&self) -> Isa {
        self.plan.isa()
    }

    /// The text of the expression.
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// The operands, in the order in which their names first appear.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// The outputs of the last run.
    pub fn outputs(&self) -> &[Array] {
        &self.outputs
    }

    /// Elements of the first output.
    pub fn elements(&self) -> u64 {
        self.outputs.first().map_or(0, |array| elements(array.layout()))
    }

    /// Bytes of all inputs and outputs, each element of a layout's shape once.
    pub fn bytes(&self) -> u64 {
        let layouts = self.operands.iter().map(Operand::layout).chain(self.outputs.iter().map(Array::layout));
        layouts.map(|l| elements(l) * l.dtype().size() as u64).sum()
    }

    /// Runs once and compares sampled elements with the reference.
    ///
    /// # Errors
    /// Errors of the run; [`Error::Expression`] with the first element that differs.
    pub fn checked(&mut self) -> Result<Ready<'_>, Error> {
        self.run()?;
        let sources: Vec<_> = self.operands.iter().map(Operand::source).collect();
        for (which, output) in self.outputs.iter().enumerate() {
            let result = Source { bytes: output.bytes(), layout: output.layout(), offset: 0 };
            check::output(&self.program, &sources, which, result, SAMPLES)?;
        }
        self.views()
    }

    /// As [`Case::checked`], but leaks the memory, so that the run has no lifetime.
    ///
    /// # Errors
    /// As [`Case::checked`].
    pub fn ready(self) -> Result<Ready<'static>, Error> {
        Box::leak(Box::new(self)).checked()
    }

    /// As [`Case::ready`], but does not compare with the reference, which may use instructions that valgrind does not
    /// support.
    ///
    /// # Errors
    /// Errors of the run.
    pub fn ready_unchecked(self) -> Result<Ready<'static>, Error> {
        let case = Box::leak(Box::new(self));
        case.run()?;
        case.views()
    }

    fn run(&mut self) -> Result<(), Error> {
        let inputs = self.operands.iter().map(Operand::view).collect::<Result<Vec<_>, _>>()?;
        let mut outputs: Vec<ViewMut<'_>> = self.outputs.iter_mut().map(Array::view_mut).collect();
        self.plan.run(&inputs, &mut outputs)?.check()
    }

    fn views(&mut self) -> Result<Ready<'_>, Error> {
        let inputs = self.operands.iter().map(Operand::view).collect::<Result<_, _>>()?;
        let outputs = self.outputs.iter_mut().map(Array::view_mut).collect();
        Ok(Ready { plan: self.plan.clone(), inputs, outputs })
    }
}

fn elements(layout: &Layout) -> u64 {
    layout.shape().iter().product::<usize>() as u64
}

impl Ready<'_> {
    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Runs the plan on this thread.
    ///
    /// # Panics
    /// If the run fails, which it did not with the same views before.
    #[inline]
    pub fn run(&mut self) {
        self.plan.run(&self.inputs, &mut self.outputs).map(drop).expect("a run that succeeded before should succeed");
    }
}
