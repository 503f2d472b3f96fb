//! Cases: an expression over operands, bound, run once and checked; then ready to be timed.

use eltwise::{Array, Error, Expr, Isa, Layout, Plan, Program, View, ViewMut};

use crate::check;
use crate::operand::Operand;

/// Elements of a result that are compared.
const SAMPLES: usize = 500;

/// An expression bound to operands.
pub struct Case {
    expression: String,
    program: Program,
    operands: Vec<Operand>,
    outputs: Vec<Array>,
    /// The plan.
    pub plan: Plan,
}

/// A case that has run, so that a timed loop holds nothing but the run.
pub struct Ready<'a> {
    plan: Plan,
    inputs: Vec<View<'a>>,
    outputs: Vec<ViewMut<'a>>,
}

impl Case {
    /// Binds an expression to operands by name, in the order of their first appearance.
    ///
    /// # Errors
    /// Those of parsing and binding, and a number of operands that is not the number of names.
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

    /// The level of the kernels.
    pub fn isa(&self) -> Isa {
        self.plan.isa()
    }

    /// The text of the expression.
    pub fn expression(&self) -> &str {
        &self.expression
    }

    /// The operands, in the order of their names' first appearance.
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// The results of the last run.
    pub fn outputs(&self) -> &[Array] {
        &self.outputs
    }

    /// Elements of the first result.
    pub fn elements(&self) -> u64 {
        self.outputs.first().map_or(0, |array| elements(array.layout()))
    }

    /// Bytes of all operands and results, each element once.
    pub fn bytes(&self) -> u64 {
        let layouts = self.operands.iter().map(Operand::layout).chain(self.outputs.iter().map(Array::layout));
        layouts.map(|l| elements(l) * l.dtype().size() as u64).sum()
    }

    /// Runs once and compares sampled elements with the oracle.
    ///
    /// # Errors
    /// Those of the run, and the first element that differs.
    pub fn checked(&mut self) -> Result<Ready<'_>, Error> {
        self.run()?;
        let sources: Vec<_> = self.operands.iter().map(Operand::source).collect();
        for (which, output) in self.outputs.iter().enumerate() {
            check::output(&self.program, &sources, which, output.layout(), output.bytes(), SAMPLES)?;
        }
        self.views()
    }

    /// As [`Case::checked`], with memory that stays as long as the program.
    ///
    /// # Errors
    /// As [`Case::checked`].
    pub fn ready(self) -> Result<Ready<'static>, Error> {
        Box::leak(Box::new(self)).checked()
    }

    /// As [`Case::ready`], without the comparison: the oracle is built for the machine, and may use instructions that
    /// valgrind lacks. What is counted there is compared elsewhere.
    ///
    /// # Errors
    /// Those of the run.
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
    /// The plan that is run.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// One run on this thread.
    ///
    /// # Panics
    /// When the run refuses its views, which the run before has tried.
    #[inline]
    pub fn run(&mut self) {
        self.plan.run(&self.inputs, &mut self.outputs).map(drop).expect("the run that was checked");
    }
}
