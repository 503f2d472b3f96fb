//! Typing with NumPy's promotion (NEP 50).

use std::collections::HashMap;

use eltwise_plan::{Accuracy, Broadcast, DType, Error, Op, Program, ProgramBuilder, Signature, ValueId};
use eltwise_simd::control::DefaultControl;

use super::literal::{Literal, integer_range};
use super::lower::{Inputs, Key, key, leaves_first, operand_of};
use super::{Apply, Expr, Kind, Node};
use crate::promote::{
    Operand, is_comparison, is_logical, literal_dtype, operands_of, operation, promote, second_operand,
};

mod exact;
mod fold;

/// As [`lower()`](super::lower()), but operands of several dtypes are cast to a common one, as NumPy does.
///
/// | node | dtype |
/// |---|---|
/// | input | as given |
/// | a literal, also a folded one such as `-1`, `1 / 3` or `7 // 2`, which are Python's | *weak*, see [`promote_literal`](crate::promote::promote_literal) |
/// | an operator | its operands are cast to the dtype of [`operation`]; over literals only, `sqrt(2)`, it is that of [`literal_dtype`] |
/// | a comparison of integers | exact, for `i64` with `u64` and for literals past the dtype too |
/// | `divide` of integers | true division, in f64 |
/// | a number past the largest of a float dtype | an infinity, with a [warning](crate::Program::warnings) |
/// | `where`'s condition, `logical_and` and the like | truth: not 0 |
/// | `cast` of a literal | the literal in the target; what it has no form for (`cast(2.5, i32)`, `cast(2, bool)`) is cast from its [`literal_dtype`] |
///
/// # Errors
/// As [`lower()`](super::lower()); operands without a common dtype.
pub fn lower_promoting(outputs: &[&Expr], inputs: &[(&str, DType)]) -> Result<Program, Error> {
    lower_warning(outputs, inputs).map(|(program, _)| program)
}

/// As [`lower_promoting`], with what there is to warn of, a message each.
pub(crate) fn lower_warning(outputs: &[&Expr], inputs: &[(&str, DType)]) -> Result<(Program, Vec<String>), Error> {
    // Numbers fold in f64.
    let _control = DefaultControl::new();
    let mut builder = ProgramBuilder::new();
    let inputs = Inputs::new(&mut builder, inputs)?;
    let mut promoting = Promoting { builder, inputs, nodes: HashMap::new(), warnings: Vec::new() };
    for output in outputs {
        let value = promoting.output(output.as_node())?;
        promoting.builder.output(value);
    }
    Ok((promoting.builder.finish()?, promoting.warnings))
}

/// A node once it is typed.
#[derive(Clone, Copy)]
enum Typed {
    Value(ValueId, DType),
    /// Without a dtype yet.
    Literal(Literal),
}

struct Promoting<'a> {
    builder: ProgramBuilder,
    inputs: Inputs<'a>,
    nodes: HashMap<Key, Typed>,
    /// Literals past a float dtype, which are infinite.
    warnings: Vec<String>,
}

impl<'a> Promoting<'a> {
    /// Emits `root` and all below it.
    fn output(&mut self, root: &'a Node) -> Result<ValueId, Error> {
        leaves_first(
            self,
            root,
            |this, node| this.nodes.contains_key(&key(node)),
            |this, node| {
                let typed = this.node(node)?;
                this.nodes.insert(key(node), typed);
                Ok(())
            },
        )?;
        self.own(root)
    }

    /// Types a node whose operands are typed.
    fn node(&mut self, node: &'a Node) -> Result<Typed, Error> {
        let apply = match &node.kind {
            Kind::Input(name) => {
                let (id, dtype) = self.inputs.get(name).map_err(|error| node.place(error))?;
                return Ok(Typed::Value(id, dtype));
            }
            Kind::Literal(literal) => return Ok(Typed::Literal(*literal)),
            Kind::Apply(apply) => apply,
        };
        let literals: Option<Vec<Literal>> = apply.args.iter().map(|arg| self.literal(arg)).collect();
        if let Some(literals) =
            literals.filter(|_| apply.broadcast == Broadcast::Numpy && apply.accuracy != Some(Accuracy::Exact))
            && let Some(number) = fold::as_python(apply.op, &literals).map_err(|error| node.place(error))?
        {
            return Ok(Typed::Literal(number));
        }
        let id = match apply.op.signature() {
            Signature::Convert => self.convert(node, apply),
            Signature::Move => {
                let id = self.own(apply.args[0].as_node())?;
                self.step(node, apply.op, &[id], apply)
            }
            _ => self.operator(node, apply),
        }?;
        self.value(id)
    }

    /// An operator over operands of any dtypes.
    fn operator(&mut self, node: &'a Node, apply: &'a Apply) -> Result<ValueId, Error> {
        let operands: Vec<Operand> = apply.args.iter().map(|arg| self.operand(arg)).collect();
        let (Some((op, t)), Some(u)) = (operation(apply.op, &operands), second_operand(apply.op, &operands)) else {
            let error = refusal(apply.op, &operands);
            let at = match error {
                Error::Operand { operand, .. } => operand_of(node, apply, operand),
                _ => node,
            };
            return Err(at.place(error));
        };
        if is_comparison(op) {
            return self.comparison(node, apply, t);
        }
        let mut ids = Vec::with_capacity(operands.len());
        for (i, arg) in apply.args.iter().enumerate() {
            let dtype = if op.signature().is_t(i) { t } else { u };
            let truth = is_logical(op) || (op.signature() == Signature::Select && i == 0);
            ids.push(match self.nodes[&key(arg.as_node())] {
                Typed::Value(id, _) => self.cast(id, dtype)?,
                Typed::Literal(literal) if truth => {
                    self.constant(node, Literal::Int(is_true(literal).into()), dtype)?
                }
                Typed::Literal(literal) if op == Op::Clamp && i > 0 => {
                    self.constant(arg.as_node(), within(literal, dtype), dtype)?
                }
                Typed::Literal(literal) => self.constant(arg.as_node(), literal, dtype)?,
            });
        }
        match ids[..] {
            [first, ref more @ ..] if ids.len() > *op.counts().end() => {
                more.iter().try_fold(first, |all, &id| self.step(node, op, &[all, id], apply))
            }
            _ => self.step(node, op, &ids, apply),
        }
    }

    /// A cast. A literal takes the target itself where there is a literal of that kind.
    fn convert(&mut self, node: &'a Node, apply: &'a Apply) -> Result<ValueId, Error> {
        let operand = apply.args[0].as_node();
        let id = match (self.nodes[&key(operand)], apply.target) {
            (Typed::Literal(literal), Some(target)) if apply.op == Op::Cast && holds_kind(target, literal) => {
                self.constant(operand, literal, target)?
            }
            _ => self.own(operand)?,
        };
        self.step(node, apply.op, &[id], apply)
    }

    /// A step with the broadcast mode and the target of a node.
    fn step(&mut self, node: &Node, op: Op, ids: &[ValueId], apply: &Apply) -> Result<ValueId, Error> {
        self.builder.set_accuracy(apply.accuracy.unwrap_or_default());
        let step = self.builder.step(op, ids, apply.target, apply.broadcast.clone());
        step.map_err(|error| node.place(error))
    }

    /// A value in `dtype`.
    fn cast(&mut self, id: ValueId, dtype: DType) -> Result<ValueId, Error> {
        match self.builder.dtype(id) {
            Some(own) if own == dtype => Ok(id),
            _ => self.builder.step(Op::Cast, &[id], Some(dtype), Broadcast::Numpy),
        }
    }

    /// A literal in `dtype`; true is 1.
    fn constant(&mut self, node: &Node, literal: Literal, dtype: DType) -> Result<ValueId, Error> {
        let literal = match literal {
            Literal::Bool(b) if dtype != DType::Bool => Literal::Int(b.into()),
            Literal::Int(i @ (0 | 1)) if dtype == DType::Bool => Literal::Bool(i == 1),
            other => other,
        };
        let (constant, infinite) = literal.constant_or_infinity(dtype).map_err(|error| node.place(error))?;
        if infinite {
            let error = Error::Literal { given: literal.given(), dtype };
            let warning = format!("{}: it is infinite", node.place(error));
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Ok(self.builder.constant(constant))
    }

    /// A node in its own dtype.
    fn own(&mut self, node: &'a Node) -> Result<ValueId, Error> {
        match self.nodes[&key(node)] {
            Typed::Value(id, _) => Ok(id),
            Typed::Literal(literal) => self.constant(node, literal, literal_dtype(&literal)),
        }
    }

    fn value(&self, id: ValueId) -> Result<Typed, Error> {
        let missing = || Error::Expression { message: format!("value {} is not of this program", id.index()) };
        self.builder.dtype(id).map(|dtype| Typed::Value(id, dtype)).ok_or_else(missing)
    }

    fn literal(&self, expr: &Expr) -> Option<Literal> {
        match self.nodes[&key(expr.as_node())] {
            Typed::Literal(literal) => Some(literal),
            Typed::Value(..) => None,
        }
    }

    fn operand(&self, expr: &Expr) -> Operand {
        match self.nodes[&key(expr.as_node())] {
            Typed::Value(_, dtype) => Operand::DType(dtype),
            Typed::Literal(literal) => Operand::Literal(literal),
        }
    }
}

/// Whether a literal is true. NaN is, as everywhere.
fn is_true(literal: Literal) -> bool {
    match literal {
        Literal::Bool(b) => b,
        Literal::Int(i) => i != 0,
        other => other.to_f64() != 0.0,
    }
}

/// A bound of `clamp` over integers, moved to the nearest value of the dtype: as a bound it means the same.
fn within(literal: Literal, dtype: DType) -> Literal {
    if !dtype.is_integer() {
        return literal;
    }
    let range = integer_range(dtype);
    match literal {
        Literal::Int(bound) => Literal::Int(bound.clamp(*range.start(), *range.end())),
        // Past 128 bits.
        Literal::Decimal(_) if literal.to_f64() > 0.0 => Literal::Int(*range.end()),
        Literal::Decimal(_) => Literal::Int(*range.start()),
        other => other,
    }
}

/// Whether elements of `dtype` are of the kind of the literal, or of a later one.
fn holds_kind(dtype: DType, literal: Literal) -> bool {
    match literal {
        Literal::Bool(_) => !dtype.is_opaque(),
        literal if literal.is_integer() => dtype.is_numeric(),
        _ => dtype.is_float(),
    }
}

/// Why there is no [`operation`].
fn refusal(op: Op, operands: &[Operand]) -> Error {
    let dtype = |operand: &Operand| match operand {
        Operand::DType(dtype) => *dtype,
        Operand::Literal(literal) => literal_dtype(literal),
    };
    let dtypes: Vec<DType> = operands.iter().map(dtype).collect();
    let signature = op.signature();
    let t: Vec<usize> = (0..dtypes.len()).filter(|&i| signature.is_t(i)).collect();
    let apart = |i: &usize| t.iter().any(|before| before < i && promote(dtypes[*before], dtypes[*i]).is_none());
    let refused = |i: &usize| operands_of(op, dtypes[*i]).is_none();
    let (operand, why) = if signature == Signature::Select && dtypes[0].is_opaque() {
        (0, "the condition must be bool or a number")
    } else if let Some(operand) = t.iter().copied().find(|i| apart(i)) {
        (operand, "no common dtype (cast one of them)")
    } else if let Some(operand) = t.iter().copied().find(|i| refused(i)) {
        (operand, "not a dtype of this operator")
    } else if second_operand(op, operands).is_none() {
        let other = (0..dtypes.len()).rfind(|&i| !signature.is_t(i)).unwrap_or(0);
        (
            other,
            match signature {
                Signature::Scale => "the exponent must be an integer of at most 64 bits, but not u64",
                _ => "quantised operands must have one dtype: i8, u8, i16, u16 or i32",
            },
        )
    } else {
        (dtypes.len() - 1, "the common dtype of the operands is none of this operator (cast one of them)")
    };
    Error::Operand { op, operands: dtypes, operand, why }
}
