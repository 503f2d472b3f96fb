//! Cases: an expression over operands, bound, run once and checked; then ready to be timed.

use eltwise::{Array, Error, Expr, Isa, Layout, Plan, Program, View, ViewMut};

use crate::check;
use crate::operand::Operand;

/// Elements of a result that are compared.
const SAMPLES: usize = 500;

/// An expression bound to operands.
pub struct Case {
    program: Program,
    operands: Vec<Operand>,
    outputs: Vec<Array>,
    /// The plan.
    pub plan: Plan,
}

/// A checked case whose memory lives as long as the program, so that a timed loop holds nothing but the run.
pub struct Ready {
    plan: Plan,
    inputs: Vec<View<'static>>,
    outputs: Vec<ViewMut<'static>>,
    bytes: u64,
}

impl Case {
    /// Binds an expression to operands by name, in the order of their first appearance.
    ///
    /// # Errors
    /// Those of parsing and binding, and a number of operands that is not the number of names.
    pub fn new(expression: &str, operands: Vec<Operand>) -> Result<Case, Error> {
        let expression = Expr::parse(expression)?;
        let names: Vec<String> = expression.names().into_iter().map(Into::into).collect();
        if names.len() != operands.len() {
            return Err(Error::Count { what: "operands", given: operands.len(), expected: names.len() });
        }
        let dtypes = operands.iter().map(|o| o.layout().dtype());
        let inputs: Vec<_> = names.iter().map(String::as_str).zip(dtypes).collect();
        let program = Program::new(&[&expression], &inputs)?;
        let layouts: Vec<&Layout> = operands.iter().map(Operand::layout).collect();
        let plan = program.bind(&layouts)?;
        let outputs = plan.output_layouts().iter().map(|l| Array::with_layout(l.clone())).collect::<Result<_, _>>()?;
        Ok(Case { program, operands, outputs, plan })
    }

    /// The level of the kernels.
    pub fn isa(&self) -> Isa {
        self.plan.isa()
    }

    /// Runs once and compares sampled elements with the oracle; then the memory stays for good.
    ///
    /// # Errors
    /// Those of the run, and the first element that differs.
    pub fn ready(mut self) -> Result<Ready, Error> {
        self.run()?;
        let sources: Vec<_> = self.operands.iter().map(Operand::source).collect();
        for (which, output) in self.outputs.iter().enumerate() {
            check::output(&self.program, &sources, which, output.layout(), output.bytes(), SAMPLES)?;
        }
        self.kept()
    }

    /// As [`Case::ready`], without the comparison: the oracle is built for the machine, and may use instructions that
    /// valgrind lacks. What is counted there is compared elsewhere.
    ///
    /// # Errors
    /// Those of the run.
    pub fn ready_unchecked(mut self) -> Result<Ready, Error> {
        self.run()?;
        self.kept()
    }

    fn run(&mut self) -> Result<(), Error> {
        let inputs = self.operands.iter().map(Operand::view).collect::<Result<Vec<_>, _>>()?;
        let mut outputs: Vec<ViewMut<'_>> = self.outputs.iter_mut().map(Array::view_mut).collect();
        self.plan.run(&inputs, &mut outputs)?.check()
    }

    fn kept(self) -> Result<Ready, Error> {
        let size = |l: &Layout| (l.shape().iter().product::<usize>() * l.dtype().size()) as u64;
        let layouts = self.operands.iter().map(Operand::layout).chain(self.outputs.iter().map(Array::layout));
        let bytes = layouts.map(size).sum();
        let inputs = self.operands.leak().iter().map(Operand::view).collect::<Result<_, _>>()?;
        let outputs = self.outputs.leak().iter_mut().map(Array::view_mut).collect();
        Ok(Ready { plan: self.plan, inputs, outputs, bytes })
    }
}

impl Ready {
    /// One run on this thread.
    ///
    /// # Panics
    /// When the run refuses its views, which `Case::ready` has tried.
    #[inline]
    pub fn run(&mut self) {
        self.plan.run(&self.inputs, &mut self.outputs).map(drop).expect("the run that was checked");
    }

    /// Bytes of all inputs and outputs, each element once.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}
