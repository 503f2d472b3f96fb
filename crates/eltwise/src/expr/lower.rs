//! Typing: from an expression to a [`Program`].
//!
//! | node | dtype |
//! |---|---|
//! | input | as given |
//! | `true`, `false` | `bool` |
//! | a number, or an operator over numbers only | *free*: the dtype of the other operand of the nearest operator |
//! | `cast` | its target; a free operand takes the target too, so `cast(2, u8)` is a literal of u8 |
//! | a free output, or free operands of a comparison | `f32` |
//!
//! Before it takes a dtype, `-x` of a number and `+ - * /` of two fold into one number, see [`Literal`].
//!
//! Two walks, neither recursive: the first, from the leaves, finds what each node is on its own (errors name the
//! innermost fault); the second emits the steps, and hands free nodes the dtype that they must have.

use std::collections::HashMap;

use eltwise_plan::{Constant, DType, Error, Op, Program, ProgramBuilder, Signature, ValueId};

use super::literal::Literal;
use super::{Apply, Expr, Kind, Node};

/// Types expressions into one program. `inputs` are the program's inputs, in this order, used or not; sub-expressions
/// that appear several times, in one output or across them, become one step.
///
/// # Errors
/// Dtypes that an operator does not take, literals that their dtype cannot hold, unknown names of inputs. Where the
/// node at fault was parsed from a text, the error is [`Error::Parse`] and has its place in the text.
pub fn lower(outputs: &[&Expr], inputs: &[(&str, DType)]) -> Result<Program, Error> {
    let mut lowering = Lowering::new(inputs)?;
    for output in outputs {
        lowering.find(output.as_node())?;
        let value = lowering.emit(output.as_node())?;
        lowering.builder.output(value);
    }
    lowering.builder.finish()
}

/// What a node is on its own.
#[derive(Clone, Copy)]
enum Own {
    /// Of this dtype.
    Typed(DType),
    /// A number, which takes a dtype from around it.
    Number(Literal),
    /// An operator over free operands, which takes a dtype from around it.
    Free,
}

/// The identity of a node; the expressions live as long as the lowering.
type Key = *const Node;

struct Lowering<'a> {
    builder: ProgramBuilder,
    inputs: HashMap<&'a str, (ValueId, DType)>,
    names: Vec<&'a str>,
    own: HashMap<Key, Own>,
    /// By the dtype asked of a free node; `None` for a typed one.
    values: HashMap<(Key, Option<DType>), ValueId>,
}

impl<'a> Lowering<'a> {
    fn new(inputs: &[(&'a str, DType)]) -> Result<Lowering<'a>, Error> {
        let mut builder = ProgramBuilder::new();
        let mut known = HashMap::new();
        for &(name, dtype) in inputs {
            if known.insert(name, (builder.input(name, dtype), dtype)).is_some() {
                return Err(Error::Expression { message: format!("the input `{name}` is given twice") });
            }
        }
        let names = inputs.iter().map(|input| input.0).collect();
        Ok(Lowering { builder, inputs: known, names, own: HashMap::new(), values: HashMap::new() })
    }

    /// Finds what `root` and all below it are on their own.
    fn find(&mut self, root: &'a Node) -> Result<(), Error> {
        let mut stack = vec![(root, false)];
        while let Some((node, ready)) = stack.pop() {
            if self.own.contains_key(&key(node)) {
                continue;
            }
            if ready || node.args().is_empty() {
                let own = self.find_one(node).map_err(|(error, at)| at.place(error))?;
                self.own.insert(key(node), own);
            } else {
                stack.push((node, true));
                stack.extend(node.args().iter().rev().map(|arg| (arg.as_node(), false)));
            }
        }
        Ok(())
    }

    /// What a node is, once its operands are known.
    fn find_one(&self, node: &'a Node) -> Result<Own, (Error, &'a Node)> {
        let apply = match &node.kind {
            Kind::Input(name) => return self.input(name).map(|input| Own::Typed(input.1)).map_err(|e| (e, node)),
            Kind::Literal(Literal::Bool(_)) => return Ok(Own::Typed(DType::Bool)),
            Kind::Literal(number) => return Ok(Own::Number(*number)),
            Kind::Apply(apply) => apply,
        };
        let numbers: Option<Vec<Literal>> = apply.args.iter().map(|arg| self.number(arg)).collect();
        if let Some(number) = numbers.map(|numbers| Literal::fold(apply.op, &numbers)).transpose().map_err(|e| (e, node))?.flatten()
            && apply.broadcast == eltwise_plan::Broadcast::Numpy
        {
            return Ok(Own::Number(number));
        }
        match self.t_of_operands(apply).or_else(|| t_without_operands(apply)) {
            Some(t) => self.check(node, apply, t).map(Own::Typed),
            None => Ok(Own::Free),
        }
    }

    /// Emits `root` and all below it.
    fn emit(&mut self, root: &'a Node) -> Result<ValueId, Error> {
        let root = self.asked(root, DType::F32);
        let mut stack = vec![(root, false)];
        while let Some((wanted, ready)) = stack.pop() {
            if self.values.contains_key(&(key(wanted.0), wanted.1)) {
                continue;
            }
            let (node, dtype) = wanted;
            let value = match (&node.kind, self.own[&key(node)]) {
                (_, Own::Number(number)) => {
                    let dtype = dtype.unwrap_or(DType::F32);
                    number.constant(dtype).map(|constant| self.builder.constant(constant)).map_err(|e| node.place(e))?
                }
                (Kind::Literal(Literal::Bool(b)), _) => {
                    self.builder.constant(Constant { dtype: DType::Bool, bits: u128::from(*b) })
                }
                (Kind::Literal(_), _) => continue, // a number, above
                (Kind::Input(name), _) => self.input(name)?.0,
                (Kind::Apply(apply), _) => {
                    let t = dtype.or_else(|| self.t_of_operands(apply)).or_else(|| t_without_operands(apply));
                    let t = t.unwrap_or(DType::F32);
                    let args = apply.args.iter().enumerate();
                    let args = args.map(|(i, arg)| self.asked(arg.as_node(), operand_dtype(apply.op, i, t)));
                    if ready {
                        let ids: Vec<ValueId> = args.filter_map(|(n, d)| self.values.get(&(key(n), d)).copied()).collect();
                        let step = self.builder.step(apply.op, &ids, apply.target, apply.broadcast.clone());
                        step.map_err(|e| node.place(e))?
                    } else {
                        if dtype.is_some() {
                            self.check(node, apply, t).map_err(|(error, at)| at.place(error))?;
                        }
                        let args: Vec<_> = args.map(|arg| (arg, false)).collect();
                        stack.push((wanted, true));
                        stack.extend(args.into_iter().rev());
                        continue;
                    }
                }
            };
            self.values.insert((key(node), dtype), value);
        }
        Ok(self.values[&(key(root.0), root.1)])
    }

    /// A node as an operand: with the dtype asked of it if it is free.
    fn asked(&self, node: &'a Node, dtype: DType) -> (&'a Node, Option<DType>) {
        match self.own[&key(node)] {
            Own::Typed(_) => (node, None),
            _ => (node, Some(dtype)),
        }
    }

    /// The dtype of the result of a node for its T, or the error and the node at fault.
    fn check(&self, node: &'a Node, apply: &'a Apply, t: DType) -> Result<DType, (Error, &'a Node)> {
        let operands = apply.args.iter().enumerate();
        let dtypes: Vec<DType> = operands
            .map(|(i, arg)| match self.own[&key(arg.as_node())] {
                Own::Typed(dtype) => dtype,
                _ => operand_dtype(apply.op, i, t),
            })
            .collect();
        apply.op.result(&dtypes, apply.target).map_err(|error| match error {
            Error::Operand { operand, .. } => {
                let at = apply.args.get(operand).map_or(node, Expr::as_node);
                (error, if at.span.is_some() { at } else { node })
            }
            _ => (error, node),
        })
    }

    /// T, as the first typed operand has it.
    fn t_of_operands(&self, apply: &Apply) -> Option<DType> {
        let first = usize::from(apply.op.signature() == Signature::Select);
        apply.args.iter().skip(first).find_map(|arg| match self.own[&key(arg.as_node())] {
            Own::Typed(dtype) => Some(dtype),
            _ => None,
        })
    }

    fn number(&self, expr: &Expr) -> Option<Literal> {
        match self.own[&key(expr.as_node())] {
            Own::Number(number) => Some(number),
            _ => None,
        }
    }

    fn input(&self, name: &str) -> Result<(ValueId, DType), Error> {
        self.inputs.get(name).copied().ok_or_else(|| {
            let known = match self.names.as_slice() {
                [] => "there are none".to_string(),
                names => format!("the inputs are {}", names.join(", ")),
            };
            Error::Expression { message: format!("unknown input `{name}`; {known}") }
        })
    }
}

fn key(node: &Node) -> Key {
    std::ptr::from_ref(node)
}

/// T of an operator over free operands where nothing around it decides: the target of a cast, `f32` for comparisons
/// and tests. `None` where the result is T, so that what is around decides.
fn t_without_operands(apply: &Apply) -> Option<DType> {
    match apply.op.signature() {
        Signature::Convert if apply.op == Op::Cast => apply.target,
        Signature::Convert | Signature::Test1 | Signature::Test2 => Some(DType::F32),
        _ => None,
    }
}

/// The dtype that an operator asks of a free operand.
fn operand_dtype(op: Op, operand: usize, t: DType) -> DType {
    if op.signature() == Signature::Select && operand == 0 { DType::Bool } else { t }
}
