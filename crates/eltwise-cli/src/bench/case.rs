//! One case: an expression over operands, its value in plain Rust, and the number of its arithmetic operations. [`Case::bind`]
//! makes a [`PlannedCase`].

use eltwise::{BindOptions, DType, Expr, Isa, Layout, Plan, Program};

use crate::error::{CliError, Result};

use super::limits::Cost;

/// The action that is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    /// A run on one thread.
    Run,
    /// A run on all threads.
    RunOnAll,
    /// Binding the program to the layouts of the operands.
    Bind,
    /// Parsing the text, typing and binding.
    Parse,
}

/// A case of the benchmark.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// `group/operator/dtype/level`. Saved runs are compared by name, so names do not change between versions.
    pub(crate) name: String,
    /// The expression; its operands are `x`, `y`, `z` in the order of their appearance.
    pub(crate) expression: String,
    /// The layouts of the operands.
    pub(crate) operands: Vec<Layout>,
    /// The value of an element, computed from the values of the operands.
    pub(crate) value: fn(&[f64]) -> f64,
    /// The arithmetic of an element of f32 or f64; `None` if it cannot be counted: math functions, other dtypes.
    pub(crate) cost: Option<Cost>,
    pub(crate) action: Action,
}

/// A case with its program and plan.
pub(crate) struct PlannedCase {
    pub(crate) case: Case,
    pub(crate) program: Program,
    pub(crate) plan: Plan,
}

/// The dtype of the result of an expression.
pub(crate) fn result_dtype(expression: &str, operands: &[DType]) -> Result<DType> {
    let program = program(expression, operands)?;
    let [output] = program.outputs() else { return Err(one_result(expression)) };
    Ok(program.value(*output).dtype)
}

fn one_result(expression: &str) -> CliError {
    CliError::Argument(format!("{expression} has several results, expected 1"))
}

fn program(expression: &str, operands: &[DType]) -> Result<Program> {
    let expr = Expr::parse(expression)?;
    let names = expr.names();
    if names.len() != operands.len() {
        let (named, given) = (names.len(), operands.len());
        return Err(CliError::Argument(format!("{expression} names {named} operands, the case has {given}")));
    }
    let inputs: Vec<_> = names.into_iter().zip(operands.iter().copied()).collect();
    Ok(Program::new(&[&expr], &inputs)?)
}

impl Case {
    /// Parses and plans the case.
    pub(crate) fn bind(self, isa: Isa) -> Result<PlannedCase> {
        let program = self.program()?;
        let plan = self.plan(&program, isa)?;
        if plan.output_layouts().len() != 1 {
            return Err(one_result(&self.expression));
        }
        Ok(PlannedCase { case: self, program, plan })
    }

    /// Parses and types the expression.
    pub(crate) fn program(&self) -> Result<Program> {
        program(&self.expression, &self.operands.iter().map(Layout::dtype).collect::<Vec<_>>())
    }

    /// Plans the program. Outputs are memory that was touched before, so large ones may use non-temporal stores.
    pub(crate) fn plan(&self, program: &Program, isa: Isa) -> Result<Plan> {
        let layouts: Vec<&Layout> = self.operands.iter().collect();
        Ok(program.bind_with(&layouts, &BindOptions::new().isa(isa).non_temporal(true))?)
    }
}

impl PlannedCase {
    /// The layout of the result.
    pub(crate) fn output(&self) -> &Layout {
        &self.plan.output_layouts()[0]
    }

    /// The number of threads of the case if the benchmark has `all` threads.
    pub(crate) fn threads(&self, all: usize) -> usize {
        if self.case.action == Action::RunOnAll { all } else { 1 }
    }

    /// Elements of the result.
    pub(crate) fn elements(&self) -> u64 {
        self.output().shape().elements().unwrap_or(0) as u64
    }

    /// The bytes read and written, each element once: broadcast axes (stride 0) count once, gaps do not count.
    pub(crate) fn traffic(&self) -> (u64, u64) {
        let distinct = |l: &Layout| -> u64 {
            let axes = l.shape().iter().zip(l.strides().iter());
            let count: usize = axes.filter(|(_, stride)| **stride != 0).map(|(&size, _)| size).product();
            (count * l.dtype().size()) as u64
        };
        (self.case.operands.iter().map(distinct).sum(), distinct(self.output()))
    }

    /// The dtype whose arithmetic limits the case: f64 if the program has any, else f32.
    pub(crate) fn float(&self) -> &'static str {
        if self.program.values().iter().any(|v| v.dtype == DType::F64) { "f64" } else { "f32" }
    }

    /// The bytes of memory of each operand, the result last.
    pub(crate) fn sizes(&self) -> Result<Vec<usize>> {
        let layouts = self.case.operands.iter().chain([self.output()]);
        layouts
            .map(|l| {
                let (low, high) = l.span()?;
                Ok((high - low) as usize)
            })
            .collect()
    }
}
