//! From the text of an expression and its operands to a plan.

use eltwise::{BindOptions, Expr, Layout, Plan, Program};

use crate::args::{Binding, Options, Order};
use crate::error::Result;
use crate::operand::{self, Operand, Takes};

/// An expression with the operands of its names, in the order of the program's inputs.
pub(crate) struct Bound {
    program: Program,
    layouts: Vec<Layout>,
    /// The operands.
    pub(crate) operands: Vec<Operand>,
}

impl Bound {
    /// Parses the expression and opens its operands.
    pub(crate) fn new(text: &str, given: &[Binding], takes: Takes) -> Result<Bound> {
        let expr = Expr::parse(text)?;
        let names = expr.names();
        let operands = operand::open(&names, given, takes)?;
        let layouts: Vec<Layout> = operands.iter().map(|o| o.layout().clone()).collect();
        let inputs: Vec<_> = names.iter().map(String::as_str).zip(layouts.iter().map(Layout::dtype)).collect();
        let program = Program::new(&[&expr], &inputs)?;
        Ok(Bound { program, layouts, operands })
    }

    /// Binds the program to the operands' layouts. `writable` tells which layouts the output may have; C order always.
    pub(crate) fn plan(&self, options: &Options, writable: impl Fn(&Layout) -> bool) -> Result<Plan> {
        let bind = |c_order| {
            self.program.bind_with(&self.layouts, &BindOptions { isa: options.isa, c_order, ..BindOptions::default() })
        };
        let plan = bind(options.order == Order::C)?;
        if plan.output_layouts().iter().all(writable) { Ok(plan) } else { Ok(bind(true)?) }
    }
}
