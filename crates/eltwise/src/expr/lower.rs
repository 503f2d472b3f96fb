//! Typing: from an expression to a [`Program`]. Dtypes are never promoted here; `promoting.rs` does that.
//!
//! | node | dtype |
//! |---|---|
//! | input | as given |
//! | `true`, `false` | `bool` |
//! | a number, or an operator over numbers only | *free*: the dtype of the other operand of the nearest operator |
//! | `cast` | its target; a free operand takes the target too, so `cast(2, u8)` is a literal of u8 |
//! | a free output, or free operands of an operator whose result has another dtype | `f32` |
//! | a free exponent of `ldexp`, zero point of `quantize_linear` | `i32`, `u8`, or that of the other quantised operand |
//!
//! Before it takes a dtype, `-x` of a number and `+ - * /` of two fold into one number, see [`Literal`].
//!
//! Two walks, neither recursive: the first, from the leaves, finds what each node is on its own (errors name the
//! innermost fault); the second emits the steps, and hands free nodes the dtype that they must have.

use std::collections::HashMap;

use eltwise_plan::{Broadcast, DType, Error, Op, Program, ProgramBuilder, Signature, ValueId};
use eltwise_simd::control::DefaultControl;

use super::literal::Literal;
use super::{Apply, Expr, Kind, Node};

/// Types expressions into one program. `inputs` are the program's inputs, in this order, used or not; sub-expressions
/// that appear several times, in one output or across them, become one step.
///
/// # Errors
/// Dtypes that an operator does not take, literals that their dtype cannot hold, unknown names of inputs. Where the
/// node at fault was parsed from a text, the error is [`Error::Parse`] and has its place in the text.
pub fn lower(outputs: &[&Expr], inputs: &[(&str, DType)]) -> Result<Program, Error> {
    // Numbers fold in f64.
    let _control = DefaultControl::new();
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
pub(super) type Key = *const Node;

struct Lowering<'a> {
    builder: ProgramBuilder,
    inputs: Inputs<'a>,
    own: HashMap<Key, Own>,
    /// By the dtype asked of a free node; `None` for a typed one.
    values: HashMap<(Key, Option<DType>), ValueId>,
}

impl<'a> Lowering<'a> {
    fn new(inputs: &[(&'a str, DType)]) -> Result<Lowering<'a>, Error> {
        let mut builder = ProgramBuilder::new();
        let inputs = Inputs::new(&mut builder, inputs)?;
        Ok(Lowering { builder, inputs, own: HashMap::new(), values: HashMap::new() })
    }

    /// Finds what `root` and all below it are on their own.
    fn find(&mut self, root: &'a Node) -> Result<(), Error> {
        leaves_first(
            self,
            root,
            |this, node| this.own.contains_key(&key(node)),
            |this, node| {
                let own = this.find_one(node).map_err(|(error, at)| at.place(error))?;
                this.own.insert(key(node), own);
                Ok(())
            },
        )
    }

    /// What a node is, once its operands are known.
    fn find_one(&self, node: &'a Node) -> Result<Own, (Error, &'a Node)> {
        let apply = match &node.kind {
            Kind::Input(name) => return self.inputs.get(name).map(|input| Own::Typed(input.1)).map_err(|e| (e, node)),
            Kind::Literal(Literal::Bool(_)) => return Ok(Own::Typed(DType::Bool)),
            Kind::Literal(number) => return Ok(Own::Number(*number)),
            Kind::Apply(apply) => apply,
        };
        let numbers: Option<Vec<Literal>> = apply.args.iter().map(|arg| self.number(arg)).collect();
        if let Some(numbers) = numbers.filter(|_| apply.broadcast == Broadcast::Numpy)
            && let Some(number) = Literal::fold(apply.op, &numbers).map_err(|error| (error, node))?
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
                (_, Own::Number(number)) => self.constant(node, number, dtype.unwrap_or(DType::F32))?,
                (Kind::Literal(literal), _) => self.constant(node, *literal, DType::Bool)?,
                (Kind::Input(name), _) => self.inputs.get(name)?.0,
                (Kind::Apply(apply), _) => {
                    let t = dtype.or_else(|| self.t_of_operands(apply)).or_else(|| t_without_operands(apply));
                    let t = t.unwrap_or(DType::F32);
                    let args = apply.args.iter().enumerate();
                    let args = args.map(|(i, arg)| self.asked(arg.as_node(), self.operand_dtype(apply, i, t)));
                    if ready {
                        let ids: Vec<ValueId> = args.map(|(node, dtype)| self.values[&(key(node), dtype)]).collect();
                        self.builder.set_accuracy(apply.accuracy.unwrap_or_default());
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
                _ => self.operand_dtype(apply, i, t),
            })
            .collect();
        apply.op.result(&dtypes, apply.target).map_err(|error| match error {
            Error::Operand { operand, .. } => (error, operand_of(node, apply, operand)),
            _ => (error, node),
        })
    }

    /// T, as the first typed operand has it.
    fn t_of_operands(&self, apply: &Apply) -> Option<DType> {
        self.first_typed(apply, true)
    }

    /// The dtype of the first typed operand whose dtype is T, or is not.
    fn first_typed(&self, apply: &Apply, is_t: bool) -> Option<DType> {
        let signature = apply.op.signature();
        let args = apply.args.iter().enumerate().filter(|(i, _)| signature.is_t(*i) == is_t);
        args.map(|(_, arg)| arg).find_map(|arg| match self.own[&key(arg.as_node())] {
            Own::Typed(dtype) => Some(dtype),
            _ => None,
        })
    }

    /// The dtype that an operator asks of a free operand.
    fn operand_dtype(&self, apply: &Apply, operand: usize, t: DType) -> DType {
        match apply.op.signature() {
            signature if signature.is_t(operand) => t,
            signature => self.first_typed(apply, false).unwrap_or(second_dtype(signature)),
        }
    }

    fn number(&self, expr: &Expr) -> Option<Literal> {
        match self.own[&key(expr.as_node())] {
            Own::Number(number) => Some(number),
            _ => None,
        }
    }

    fn constant(&mut self, node: &Node, literal: Literal, dtype: DType) -> Result<ValueId, Error> {
        let constant = literal.constant(dtype).map_err(|error| node.place(error))?;
        Ok(self.builder.constant(constant))
    }
}

/// The inputs of a program, by name.
pub(super) struct Inputs<'a> {
    known: HashMap<&'a str, (ValueId, DType)>,
    names: Vec<&'a str>,
}

impl<'a> Inputs<'a> {
    /// Makes them the inputs of the program.
    pub(super) fn new(builder: &mut ProgramBuilder, inputs: &[(&'a str, DType)]) -> Result<Inputs<'a>, Error> {
        let mut known = HashMap::new();
        for &(name, dtype) in inputs {
            if known.insert(name, (builder.input(name, dtype), dtype)).is_some() {
                return Err(Error::Expression { message: format!("the input `{name}` is given twice") });
            }
        }
        Ok(Inputs { known, names: inputs.iter().map(|input| input.0).collect() })
    }

    pub(super) fn get(&self, name: &str) -> Result<(ValueId, DType), Error> {
        self.known.get(name).copied().ok_or_else(|| {
            let known = match self.names.as_slice() {
                [] => "there are none".to_string(),
                names => format!("the inputs are {}", names.join(", ")),
            };
            Error::Expression { message: format!("unknown input `{name}`; {known}") }
        })
    }
}

/// Visits `root` and all below it that is not yet known, operands before operators, the first operand first.
pub(super) fn leaves_first<'a, S>(
    state: &mut S,
    root: &'a Node,
    known: impl Fn(&S, &'a Node) -> bool,
    visit: impl Fn(&mut S, &'a Node) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut stack = vec![(root, false)];
    while let Some((node, ready)) = stack.pop() {
        if known(state, node) {
            continue;
        }
        if ready || node.args().is_empty() {
            visit(state, node)?;
        } else {
            stack.push((node, true));
            stack.extend(node.args().iter().rev().map(|arg| (arg.as_node(), false)));
        }
    }
    Ok(())
}

pub(super) fn key(node: &Node) -> Key {
    std::ptr::from_ref(node)
}

/// The node of an operand for an error about it, or the operator's where the operand has no place in a text.
pub(super) fn operand_of<'a>(node: &'a Node, apply: &'a Apply, operand: usize) -> &'a Node {
    let at = apply.args.get(operand).map_or(node, Expr::as_node);
    if at.span.is_some() { at } else { node }
}

/// T of an operator over free operands where nothing around it decides: the target of a cast, `f32` for operators whose
/// result is not T, such as comparisons. `None` where the result is T, so that what is around decides.
fn t_without_operands(apply: &Apply) -> Option<DType> {
    match apply.op.signature() {
        Signature::Convert if apply.op == Op::Cast => apply.target,
        Signature::Convert
        | Signature::Test1
        | Signature::Test2
        | Signature::Exponent
        | Signature::Count
        | Signature::Quantize
        | Signature::Dequantize => Some(DType::F32),
        _ => None,
    }
}

/// The dtype of operands that are not T where none of them has one: of a condition, of `ldexp`'s exponent, of the
/// integers of `quantize_linear`.
pub(crate) fn second_dtype(signature: Signature) -> DType {
    match signature {
        Signature::Select => DType::Bool,
        Signature::Scale => DType::I32,
        _ => DType::U8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

    #[test]
    fn long_chains_lower_without_recursion() {
        let work = || {
            let (mut casts, mut numbers) = (Expr::input("x"), Expr::from(1));
            for _ in 0..100_000 {
                casts = casts.cast(F32);
                numbers = numbers + 1;
            }
            let mut steps = Expr::input("x");
            for i in 0..2000 {
                steps = (steps + i).sqrt();
            }
            assert_eq!(lower(&[&casts, &numbers, &steps], &[("x", F32)]).unwrap().step_count(), 4002);
        };
        std::thread::Builder::new().stack_size(128 << 10).spawn(work).unwrap().join().unwrap();
    }

    #[test]
    fn a_dag_of_2_to_the_100_paths_lowers_once() {
        let mut e = Expr::input("x");
        for _ in 0..100 {
            e = &e * &e;
        }
        assert_eq!(lower(&[&e, &e], &[("x", I32)]).unwrap().step_count(), 100);
    }

    #[test]
    fn a_free_node_takes_each_dtype_that_is_asked_of_it() {
        let root = Expr::from(2).sqrt();
        let outputs = [&(&root * Expr::input("a")), &(&root * Expr::input("b")), &root];
        let program = lower(&outputs, &[("a", F16), ("b", F64)]).unwrap();
        let dtypes: Vec<DType> = program.outputs().iter().map(|&id| program.value(id).dtype).collect();
        assert_eq!(dtypes, [F16, F64, F32]);
        assert_eq!(program.step_count(), 5);
    }

    #[test]
    fn without_a_text_errors_keep_their_kind() {
        let (x, b) = (Expr::input("x"), Expr::input("b"));
        let known = [("x", U8), ("b", Bool)];
        let error = |e: &Expr| lower(&[e], &known).unwrap_err();
        assert_eq!(error(&(&x + 300)), Error::Literal { given: "300".into(), dtype: U8 });
        assert!(matches!(error(&(&x + &b)), Error::Operand { op: Op::Add, operand: 1, .. }));
        assert!(matches!(error(&x.broadcast(Broadcast::Unidirectional)), Error::Expression { .. }));
        assert!(matches!(error(&x.broadcast_to([2]).broadcast(Broadcast::Numpy)), Error::Expression { .. }));
        assert_eq!(error(&(Expr::input("y") + &x)).to_string(), "unknown input `y`; the inputs are x, b");
        assert_eq!(lower(&[], &known).unwrap_err(), Error::Count { what: "outputs", given: 0, expected: 1 });
        assert!(lower(&[&x], &[("x", U8), ("x", F32)]).is_err());
    }
}
