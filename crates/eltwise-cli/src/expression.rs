//! Expressions with their operands, and their plans. The main type is [`Evaluation`].

use eltwise::{BindOptions, Broadcast, DType, Error, Expr, Layout, Op, Plan, Program, ProgramBuilder};
use eltwise_plan::ValueId;
use eltwise_plan::ir::program::{Node, Value};
use safetensors::tensor::Dtype;

use crate::args::{Options, Order};
use crate::error::{CliError, Result};
use crate::operand::{self, Operand, OperandKinds};
use crate::option_values::{Binding, excluded};
use crate::report::stderr_line;

/// An error about shapes lists the operands if there are at most this many.
const MAX_LISTED_OPERANDS: usize = 8;

/// Typed expressions with one operand for each input of the program.
pub(crate) struct Evaluation {
    program: Program,
    /// The operands, in the order of the program's inputs.
    pub(crate) operands: Vec<Operand>,
    /// For each result, the dtype that its file has if its elements are opaque to the engine.
    pub(crate) opaque_dtypes: Vec<Option<Dtype>>,
}

impl Evaluation {
    /// Parses expressions separated by semicolons, opens their operands, and types the program.
    ///
    /// # Errors
    /// Text that does not parse, operands that cannot be opened, dtypes that do not fit the operators.
    pub(crate) fn new(text: &str, given: &[Binding], allowed: OperandKinds, options: &Options) -> Result<Evaluation> {
        let given_names: Vec<&str> = given.iter().map(|binding| binding.name.as_str()).collect();
        let exprs = Expr::parse_several(text, &given_names)?;
        let exprs: Vec<Expr> = exprs.into_iter().map(|expr| expr.accuracy(options.accuracy)).collect();
        let mut names: Vec<&str> = Vec::new();
        for name in exprs.iter().flat_map(Expr::names) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut operands = operand::open(&names, given, allowed)?;
        // 8-bit floats are opaque to the engine. If every use casts to a float dtype, the file is read as f32 instead.
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
        let program = program.map_err(|e| name_opaque_operands(e, &names, &operands))?.contract(options.contract);
        program.warnings().iter().for_each(|warning| stderr_line(format_args!("warning: {warning}")));
        let opaque_dtypes = result_opaque_dtypes(&program, &operands)?;
        Ok(Evaluation { program, operands, opaque_dtypes })
    }

    /// Whether every operator aligns shapes at their last axes. Then a box of the result depends only on the same box of
    /// each operand. `pdpd` broadcasting aligns at any axis.
    pub(crate) fn aligns_last_axes(&self) -> bool {
        let mut modes = self.program.values().iter().filter_map(|value| value.node.broadcast());
        !modes.any(|mode| matches!(mode, Broadcast::Pdpd { .. }))
    }

    /// The program for a piece of the result with this size, or `None` if the program itself fits. Only `broadcast_to` names
    /// sizes; its target becomes the size of the piece.
    fn piece_program(&self, size: &[usize]) -> Result<Option<Program>> {
        let names_sizes = |value: &Value| matches!(value.node.broadcast(), Some(Broadcast::Bidirectional { .. }));
        if !self.program.values().iter().any(names_sizes) {
            return Ok(None);
        }
        let resize = |mode: &Broadcast| match mode {
            Broadcast::Bidirectional { target } => {
                let last = &size[size.len() - target.rank()..];
                let target = target.iter().zip(last).map(|(&whole, &piece)| if whole == 1 { 1 } else { piece });
                Broadcast::Bidirectional { target: target.collect() }
            }
            other => other.clone(),
        };
        let mut builder = ProgramBuilder::new();
        let mut made: Vec<ValueId> = Vec::new();
        for value in self.program.values() {
            made.push(match &value.node {
                Node::Input(index) => builder.input(&self.program.inputs()[*index].name, value.dtype),
                Node::Constant(constant) => builder.constant(*constant),
                Node::Step { op, args, broadcast, .. } => {
                    builder.set_accuracy(value.accuracy());
                    let args: Vec<ValueId> = args.iter().map(|arg| made[arg.index()]).collect();
                    builder.step(*op, &args, Some(value.dtype), resize(broadcast))?
                }
                // Parsed expressions have no custom operators.
                other => {
                    return Err(CliError::Argument(format!("a piece of the result cannot have the step {other:?}")));
                }
            });
        }
        self.program.outputs().iter().for_each(|out| builder.output(made[out.index()]));
        Ok(Some(Program::from(builder.finish()?)))
    }

    /// Plans the evaluation of whole operands. The engine chooses the layouts of the results; if `is_writable` is false for one,
    /// all results are in C order. `is_writable` gets the index and the layout of a result.
    pub(crate) fn plan(&self, options: &Options, is_writable: impl Fn(usize, &Layout) -> bool) -> Result<Plan> {
        let layouts: Vec<&Layout> = self.operands.iter().map(Operand::layout).collect();
        let bind = |c_order| {
            let mut to = bind_options(options);
            if c_order {
                to = to.c_order();
            }
            self.program.bind_with(&layouts, &to).map_err(|e| self.list_operand_shapes(e))
        };
        let plan = bind(options.order == Order::C)?;
        if let Some(why) = options.isa.and_then(excluded) {
            stderr_line(format_args!("note: {why}; using {}", plan.isa()));
        }
        let all_writable = plan.output_layouts().iter().enumerate().all(|(i, layout)| is_writable(i, layout));
        if all_writable { Ok(plan) } else { bind(true) }
    }

    /// Plans the evaluation of one piece, for these layouts of the operands and the results. All results have one shape.
    pub(crate) fn plan_piece(&self, options: &Options, inputs: &[&Layout], outputs: Vec<Layout>) -> Result<Plan> {
        let program = self.piece_program(outputs[0].shape().dims())?;
        // The operating system reads the outputs next, so they stay in the caches: no non-temporal stores.
        let to = bind_options(options).outputs(outputs).non_temporal(false);
        Ok(program.as_ref().unwrap_or(&self.program).bind_with(inputs, &to)?)
    }

    /// Adds the shapes of the operands to a broadcast error.
    fn list_operand_shapes(&self, error: Error) -> CliError {
        if !matches!(error, Error::Broadcast(_)) || self.operands.len() > MAX_LISTED_OPERANDS {
            return error.into();
        }
        let named = self.program.inputs().iter().zip(&self.operands);
        let list: Vec<String> = named.map(|(i, o)| format!("{} is {}", i.name, o.layout())).collect();
        CliError::Argument(format!("{error}; {}", list.join(", ")))
    }
}

/// The file dtype of each result whose elements are opaque: that of the operands that its elements are copied from.
///
/// # Errors
/// An operator over opaque operands with different file dtypes.
fn result_opaque_dtypes(program: &Program, operands: &[Operand]) -> Result<Vec<Option<Dtype>>> {
    let mut names: Vec<Option<Dtype>> = Vec::new();
    for value in program.values() {
        let name = match &value.node {
            Node::Input(index) => operands[*index].opaque_dtype(),
            Node::Step { op, args, .. } if value.dtype.is_opaque() && *op != Op::Bitcast => {
                // Skips the condition of `where`.
                let mut sources = args.iter().filter(|arg| program.value(**arg).dtype == value.dtype);
                let name = sources.next().and_then(|arg| names[arg.index()]);
                if let Some(other) = sources.map(|arg| names[arg.index()]).find(|other| *other != name) {
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

/// Adds the file dtypes of opaque operands to an error about opaque elements.
fn name_opaque_operands(error: Error, names: &[&str], operands: &[Operand]) -> CliError {
    let named = names.iter().zip(operands).filter_map(|(name, operand)| Some((name, operand.opaque_dtype()?)));
    let list: Vec<String> = named.map(|(name, dtype)| format!("{name} is {dtype}")).collect();
    let text = error.to_string();
    if list.is_empty() || !text.contains("opaque") {
        return error.into();
    }
    let hint =
        format!("{}: such elements can be copied, and 8-bit floats can be cast to a float dtype", list.join(", "));
    match error {
        Error::Parse { message, text, at, cause } => {
            Error::Parse { message: format!("{message}; {hint}"), text, at, cause }.into()
        }
        _ => CliError::Argument(format!("{text}; {hint}")),
    }
}

fn bind_options(options: &Options) -> BindOptions {
    match options.isa {
        Some(isa) => BindOptions::new().isa(isa),
        None => BindOptions::new(),
    }
}
