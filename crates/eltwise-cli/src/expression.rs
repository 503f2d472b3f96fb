//! From the text of expressions and their operands to a plan.

use eltwise::{BindOptions, Broadcast, DType, Error, Expr, Layout, Op, Plan, Program, ProgramBuilder};
use eltwise_plan::ValueId;
use eltwise_plan::program::{Node, Value};
use safetensors::tensor::Dtype;

use crate::args::{Binding, Options, Order, excluded};
use crate::error::{CliError, Result};
use crate::operand::{self, Operand, Takes};
use crate::report::aside;

/// Operands listed with an error.
const LISTED: usize = 8;

/// Expressions with the operands of their names, in the order of the program's inputs.
pub(crate) struct Bound {
    program: Program,
    /// The operands.
    pub(crate) operands: Vec<Operand>,
    /// The name of each result's dtype, of one that is only moved.
    pub(crate) moved: Vec<Option<Dtype>>,
}

impl Bound {
    /// Parses the expressions, which stand between semicolons, and opens their operands.
    pub(crate) fn new(text: &str, given: &[Binding], takes: Takes, options: &Options) -> Result<Bound> {
        let given_names: Vec<&str> = given.iter().map(|binding| binding.name.as_str()).collect();
        let exprs = Expr::parse_several(text, &given_names)?;
        let exprs: Vec<Expr> = exprs.into_iter().map(|expr| expr.accuracy(options.accuracy)).collect();
        let mut names: Vec<&str> = Vec::new();
        for name in exprs.iter().flat_map(Expr::names) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut operands = operand::open(&names, given, takes)?;
        let is_cast = |op, dtype: Option<DType>| op == Op::Cast && dtype.is_some_and(DType::is_float);
        for (name, operand) in names.iter().zip(&mut operands) {
            if exprs.iter().all(|expr| expr.every_use(name, is_cast)) {
                operand.read_as_f32()?;
            }
        }
        let dtypes = operands.iter().map(|o| o.layout().dtype());
        let inputs: Vec<_> = names.iter().copied().zip(dtypes).collect();
        let outputs: Vec<&Expr> = exprs.iter().collect();
        let program = match options.typed {
            true => Program::new(&outputs, &inputs),
            false => Program::promoting(&outputs, &inputs),
        };
        let program = program.map_err(|e| with_moved(e, &names, &operands))?.contract(options.contract);
        program.warnings().iter().for_each(|warning| aside(format_args!("warning: {warning}")));
        let moved = moved(&program, &operands)?;
        Ok(Bound { program, operands, moved })
    }

    /// Whether all shapes come together at their last axes, whatever the sizes, so that parts of the operands give a
    /// part of the result. `pdpd` begins at any axis.
    pub(crate) fn aligns_last_axes(&self) -> bool {
        let mut modes = self.program.values().iter().filter_map(|value| value.node.broadcast());
        !modes.any(|mode| matches!(mode, Broadcast::Pdpd { .. }))
    }

    /// The program for a part of this size of the result: `broadcast_to`, which names sizes, names those of the part.
    fn part(&self, size: &[usize]) -> Result<Option<Program>> {
        let named = |value: &Value| matches!(value.node.broadcast(), Some(Broadcast::Bidirectional { .. }));
        if !self.program.values().iter().any(named) {
            return Ok(None);
        }
        let of_part = |mode: &Broadcast| match mode {
            Broadcast::Bidirectional { target } => {
                let last = &size[size.len() - target.rank()..];
                let target = target.iter().zip(last).map(|(&whole, &part)| if whole == 1 { 1 } else { part }).collect();
                Broadcast::Bidirectional { target }
            }
            other => other.clone(),
        };
        let mut builder = ProgramBuilder::new();
        let mut made: Vec<ValueId> = Vec::new();
        for value in self.program.values() {
            made.push(match &value.node {
                Node::Input(index) => builder.input(&self.program.inputs()[*index].name, value.dtype),
                Node::Constant(constant) => builder.constant(*constant),
                Node::Step { op, args, broadcast } | Node::Exact { op, args, broadcast } => {
                    builder.set_accuracy(value.accuracy());
                    let args: Vec<ValueId> = args.iter().map(|arg| made[arg.index()]).collect();
                    builder.step(*op, &args, Some(value.dtype), of_part(broadcast))?
                }
                // A text has no operators of callers.
                other => return Err(CliError::Argument(format!("a part of the result has no step {other:?}"))),
            });
        }
        self.program.outputs().iter().for_each(|out| builder.output(made[out.index()]));
        Ok(Some(Program::from(builder.finish()?)))
    }

    /// Plans for the operands' layouts. `writable` is told a result's number and layout. An output that is not `writable` as the engine would lay it out is in C order.
    pub(crate) fn plan(&self, options: &Options, writable: impl Fn(usize, &Layout) -> bool) -> Result<Plan> {
        let layouts: Vec<&Layout> = self.operands.iter().map(Operand::layout).collect();
        let bind = |c_order| {
            let mut to = bind_options(options);
            if c_order {
                to = to.c_order();
            }
            self.program.bind_with(&layouts, &to).map_err(|e| self.with_operands(e))
        };
        let plan = bind(options.order == Order::C)?;
        if let Some(why) = options.isa.and_then(excluded) {
            aside(format_args!("note: {why}; using {}", plan.isa()));
        }
        if plan.output_layouts().iter().enumerate().all(|(i, l)| writable(i, l)) { Ok(plan) } else { bind(true) }
    }

    /// Plans for the operands and the results, with these layouts, or for parts of them, all of the same size.
    pub(crate) fn bind(
        &self,
        options: &Options,
        inputs: &[&Layout],
        outputs: Vec<Layout>,
        parts: bool,
    ) -> Result<Plan> {
        let part = if parts { self.part(outputs[0].shape().dims())? } else { None };
        // The outputs are read next, by the system that writes them.
        let to = bind_options(options).outputs(outputs).streaming(false);
        Ok(part.as_ref().unwrap_or(&self.program).bind_with(inputs, &to)?)
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

/// The names of the results' dtypes, of those that are only moved: the operands' from where they come.
fn moved(program: &Program, operands: &[Operand]) -> Result<Vec<Option<Dtype>>> {
    let mut names: Vec<Option<Dtype>> = Vec::new();
    for value in program.values() {
        let name = match &value.node {
            Node::Input(index) => operands[*index].moved(),
            Node::Step { op, args, .. } if value.dtype.is_opaque() && *op != Op::Bitcast => {
                // All but the condition of `where`.
                let mut from = args.iter().filter(|arg| program.value(**arg).dtype == value.dtype);
                let name = from.next().and_then(|arg| names[arg.index()]);
                if let Some(other) = from.map(|arg| names[arg.index()]).find(|other| *other != name) {
                    let shown = |name: Option<Dtype>| name.map_or(value.dtype.to_string(), |name| name.to_string());
                    let message =
                        format!("{op} takes elements of one dtype, given {} and {}", shown(name), shown(other));
                    return Err(CliError::Argument(message));
                }
                name
            }
            _ => None,
        };
        names.push(name);
    }
    Ok(program.outputs().iter().map(|out| names[out.index()]).collect())
}

/// An error about opaque elements says what the files call them.
fn with_moved(error: Error, names: &[&str], operands: &[Operand]) -> CliError {
    let named = names.iter().zip(operands).filter_map(|(name, operand)| Some((name, operand.moved()?)));
    let list: Vec<String> = named.map(|(name, dtype)| format!("{name} is {dtype}")).collect();
    let text = error.to_string();
    if list.is_empty() || !text.contains("opaque") {
        return error.into();
    }
    let more = format!("{}, which can be moved, and an 8-bit float cast to a float dtype", list.join(", "));
    match error {
        Error::Parse { message, text, at, cause } => {
            Error::Parse { message: format!("{message}; {more}"), text, at, cause }.into()
        }
        _ => CliError::Argument(format!("{text}; {more}")),
    }
}

fn bind_options(options: &Options) -> BindOptions {
    match options.isa {
        Some(isa) => BindOptions::new().isa(isa),
        None => BindOptions::new(),
    }
}
