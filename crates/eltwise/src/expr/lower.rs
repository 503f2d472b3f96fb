//! Typed mode: from expressions to a [`Program`] without promotion. `promoting/` is the mode with promotion.
//!
//! | node | dtype |
//! |---|---|
//! | input | as given |
//! | `true`, `false` | `bool` |
//! | a number, or an operator over numbers only | *free*: the dtype of the other operand of the nearest operator |
//! | `cast` | its target. A free operand takes the target too, so `cast(2, u8)` is a literal of `u8` |
//! | a free output, or free operands of an operator whose result has a different dtype | `f32` |
//! | a free exponent of `ldexp`, a free zero point of `quantize_linear` | `i32`, `u8`, or the dtype of the other quantized operand |
//!
//! Before it takes a dtype, `-x` of a number and `+ - * /` of two numbers fold into one number, see [`Literal`].
//!
//! Lowering makes two passes, neither of them recursive. The first goes from the leaves to the root and finds the
//! [`Typing`] of each node, so errors name the innermost node that is wrong. The second emits the steps and gives each free
//! node the dtype that its operator requests.

use eltwise_core::{Broadcast, DType, Error, Op, Signature};
use eltwise_plan::{Program, ValueId};
use eltwise_simd::fp_env::DefaultFpEnv;

use super::emitter::{Emitter, blamed_operand};
use super::key::{Key, KeyMap, KeySet};
use super::literal::Literal;
use super::{Apply, Expr, Kind};

/// Types expressions into one program, without promotion. `inputs` are the program's inputs, in this order, used or not.
/// A sub-expression that appears several times, in one output or in several, becomes one step.
///
/// # Errors
/// [`Error::Operand`] or [`Error::Target`] for a dtype that an operator does not take, [`Error::Literal`] for a number that its
/// dtype cannot hold, [`Error::Expression`] for an unknown input name. If the node was parsed from text, the error is
/// [`Error::Parse`] with its place in the text.
pub fn lower(outputs: &[&Expr], inputs: &[(&str, DType)]) -> Result<Program, Error> {
    // Literals fold in f64.
    let _fp_env = DefaultFpEnv::new();
    let emitter = Emitter::new(inputs)?;
    let mut lowering =
        Lowering { emitter, seen: KeySet::default(), typings: KeyMap::default(), values: KeyMap::default() };
    for output in outputs {
        for expr in output.post_order(&mut lowering.seen) {
            let typing = lowering.typing(expr)?;
            lowering.typings.insert(expr.key(), typing);
        }
        let value = lowering.emit(output)?;
        lowering.emitter.builder.output(value);
    }
    lowering.emitter.builder.finish()
}

/// The dtype of a node before its operator requests one.
#[derive(Clone, Copy)]
enum Typing {
    /// The node has this dtype.
    Typed(DType),
    /// A number, which takes the dtype that its operator requests.
    Number(Literal),
    /// An operator over free operands, which takes the dtype that its operator requests.
    Free,
}

/// A node with the dtype that its operator requests, or `None` if the node is typed.
type Request<'a> = (&'a Expr, Option<DType>);

struct Lowering<'a> {
    emitter: Emitter<'a>,
    /// The nodes with a typing.
    seen: KeySet,
    typings: KeyMap<Key, Typing>,
    /// The values of the requests that were emitted.
    values: KeyMap<(Key, Option<DType>), ValueId>,
}

impl Lowering<'_> {
    /// The typing of a node whose operands have theirs.
    fn typing(&self, expr: &Expr) -> Result<Typing, Error> {
        let apply = match &expr.0.kind {
            Kind::Input(name) => return Ok(Typing::Typed(self.emitter.input(expr, name)?.1)),
            Kind::Literal(Literal::Bool(_)) => return Ok(Typing::Typed(DType::Bool)),
            Kind::Literal(number) => return Ok(Typing::Number(*number)),
            Kind::Apply(apply) => apply,
        };
        let number = |arg: &Expr| match self.typings[&arg.key()] {
            Typing::Number(number) => Some(number),
            _ => None,
        };
        let numbers: Option<Vec<Literal>> = apply.args.iter().map(number).collect();
        if let Some(numbers) = numbers.filter(|_| apply.broadcast == Broadcast::Numpy)
            && let Some(number) = Literal::fold(apply.op, &numbers).map_err(|error| expr.place(error))?
        {
            return Ok(Typing::Number(number));
        }
        match self.t_of(apply) {
            Some(t) => self.check(expr, apply, t).map(Typing::Typed),
            None => Ok(Typing::Free),
        }
    }

    /// Emits the steps of `root` and of all nodes below it.
    fn emit(&mut self, root: &Expr) -> Result<ValueId, Error> {
        let root = self.request(root, DType::F32);
        let mut stack = vec![(root, false)];
        while let Some((request, operands_are_done)) = stack.pop() {
            let (expr, dtype) = request;
            if self.values.contains_key(&(expr.key(), dtype)) {
                continue;
            }
            let value = match (&expr.0.kind, self.typings[&expr.key()]) {
                (_, Typing::Number(number)) => self.constant(expr, number, dtype.unwrap_or(DType::F32))?,
                (Kind::Literal(literal), _) => self.constant(expr, *literal, DType::Bool)?,
                (Kind::Input(name), _) => self.emitter.input(expr, name)?.0,
                (Kind::Apply(apply), _) => {
                    let t = dtype.or_else(|| self.t_of(apply)).unwrap_or(DType::F32);
                    let args = apply.args.iter().enumerate();
                    let args = args.map(|(i, arg)| self.request(arg, self.operand_dtype(apply, i, t)));
                    if operands_are_done {
                        let ids: Vec<ValueId> = args.map(|(arg, dtype)| self.values[&(arg.key(), dtype)]).collect();
                        self.emitter.step(expr, apply, apply.op, &ids)?
                    } else {
                        if dtype.is_some() {
                            self.check(expr, apply, t)?;
                        }
                        stack.push((request, true));
                        stack.extend(args.rev().map(|arg| (arg, false)));
                        continue;
                    }
                }
            };
            self.values.insert((expr.key(), dtype), value);
        }
        Ok(self.values[&(root.0.key(), root.1)])
    }

    /// The request of `dtype` for a node: only a node that is not typed takes it.
    fn request<'e>(&self, expr: &'e Expr, dtype: DType) -> Request<'e> {
        (expr, self.dtype(expr).is_none().then_some(dtype))
    }

    /// The dtype of a node that is typed.
    fn dtype(&self, expr: &Expr) -> Option<DType> {
        match self.typings[&expr.key()] {
            Typing::Typed(dtype) => Some(dtype),
            _ => None,
        }
    }

    /// The dtype of the result of an operator whose dtype T is `t`.
    fn check(&self, expr: &Expr, apply: &Apply, t: DType) -> Result<DType, Error> {
        let operands = apply.args.iter().enumerate();
        let dtype = |(i, arg)| self.dtype(arg).unwrap_or_else(|| self.operand_dtype(apply, i, t));
        let dtypes: Vec<DType> = operands.map(dtype).collect();
        apply.op.result(&dtypes, apply.target).map_err(|error| match error {
            Error::Operand { operand, .. } => blamed_operand(expr, apply, operand).place(error),
            _ => expr.place(error),
        })
    }

    /// The dtype T of an operator: that of its first typed operand, or a default of the operator. `None` if the result
    /// is of dtype T too, so that the operator around it decides.
    fn t_of(&self, apply: &Apply) -> Option<DType> {
        self.first_typed(apply, true).or_else(|| t_without_operands(apply))
    }

    /// The dtype of the first typed operand, among the operands of dtype T or among the others.
    fn first_typed(&self, apply: &Apply, is_t: bool) -> Option<DType> {
        let signature = apply.op.signature();
        let mut args = apply.args.iter().enumerate().filter(|(i, _)| signature.is_t(*i) == is_t);
        args.find_map(|(_, arg)| self.dtype(arg))
    }

    /// The dtype that an operator requests for a free operand.
    fn operand_dtype(&self, apply: &Apply, operand: usize, t: DType) -> DType {
        match apply.op.signature() {
            signature if signature.is_t(operand) => t,
            signature => self.first_typed(apply, false).unwrap_or(second_dtype(signature)),
        }
    }

    fn constant(&mut self, expr: &Expr, literal: Literal, dtype: DType) -> Result<ValueId, Error> {
        let constant = literal.constant(dtype).map_err(|error| expr.place(error))?;
        Ok(self.emitter.builder.constant(constant))
    }
}

/// The dtype T of an operator over free operands: the target of a cast, and `f32` for operators whose result is not of
/// dtype T, such as comparisons. `None` if the result is of dtype T.
fn t_without_operands(apply: &Apply) -> Option<DType> {
    match apply.op.signature() {
        Signature::Convert if apply.op == Op::Cast => apply.target,
        Signature::Unary | Signature::Binary | Signature::Ternary | Signature::Quaternary => None,
        Signature::ToF64 => Some(DType::F64),
        Signature::Select | Signature::Move | Signature::Fold | Signature::Scale => None,
        _ => Some(DType::F32),
    }
}

/// The dtype of operands that are not of dtype T if all of them are literals: the condition of `where`, the exponent of
/// `ldexp`, the integers of `quantize_linear`, `equal_nan` of `isclose`.
pub(crate) fn second_dtype(signature: Signature) -> DType {
    match signature {
        Signature::Select | Signature::Tolerance => DType::Bool,
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
    fn a_dag_with_2_to_the_100_paths_lowers_each_node_once() {
        let mut e = Expr::input("x");
        for _ in 0..100 {
            e = &e * &e;
        }
        assert_eq!(lower(&[&e, &e], &[("x", I32)]).unwrap().step_count(), 100);
    }

    #[test]
    fn a_free_node_takes_every_dtype_that_is_requested() {
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
