//! From the text of an expression and its operands to a plan.

use eltwise::{Accuracy, BindOptions, Error, Expr, Layout, Plan, Program};

use crate::args::{Binding, Options, Order};
use crate::error::{CliError, Result};
use crate::operand::{self, Operand, Takes};

/// Operands listed with an error.
const LISTED: usize = 8;

/// An expression with the operands of its names, in the order of the program's inputs.
pub(crate) struct Bound {
    program: Program,
    /// The operands.
    pub(crate) operands: Vec<Operand>,
}

impl Bound {
    /// Parses the expression and opens its operands.
    pub(crate) fn new(text: &str, given: &[Binding], takes: Takes, accuracy: Accuracy) -> Result<Bound> {
        let expr = Expr::parse(text)?.accuracy(accuracy);
        let names = expr.names();
        let operands = operand::open(&names, given, takes)?;
        let dtypes = operands.iter().map(|o| o.layout().dtype());
        let inputs: Vec<_> = names.iter().copied().zip(dtypes).collect();
        let program = Program::new(&[&expr], &inputs)?;
        Ok(Bound { program, operands })
    }

    /// Plans for the operands' layouts. An output that is not `writable` as the engine would lay it out is in C order.
    pub(crate) fn plan(&self, options: &Options, writable: impl Fn(&Layout) -> bool) -> Result<Plan> {
        let layouts: Vec<&Layout> = self.operands.iter().map(Operand::layout).collect();
        let bind = |c_order| {
            let mut to = BindOptions::new();
            if let Some(isa) = options.isa {
                to = to.isa(isa);
            }
            if c_order {
                to = to.c_order();
            }
            self.program.bind_with(&layouts, &to).map_err(|e| self.with_operands(e))
        };
        let plan = bind(options.order == Order::C)?;
        if let Some(isa) = options.isa.filter(|isa| !isa.is_available()) {
            eprintln!("note: this CPU has no {isa}; using {}", plan.isa());
        }
        if plan.output_layouts().iter().all(writable) { Ok(plan) } else { bind(true) }
    }

    /// An error about shapes says which operand has which.
    fn with_operands(&self, error: Error) -> CliError {
        if !matches!(error, Error::Broadcast(_)) || self.operands.len() > LISTED {
            return error.into();
        }
        let named = self.program.inputs().iter().zip(&self.operands);
        let list: Vec<String> = named.map(|(i, o)| format!("{} is {}", i.name, o.layout())).collect();
        CliError::Argument(format!("{error}; {}", list.join(", ")))
    }
}
