//! Promoting mode: from expressions to a [`Program`] with NumPy's promotion (NEP 50).

use eltwise_core::{Accuracy, Broadcast, DType, Error, Op, Signature};
use eltwise_plan::{Program, ValueId};
use eltwise_simd::fp_env::DefaultFpEnv;

use super::emitter::{Emitter, blamed_operand};
use super::key::{Key, KeyMap, KeySet};
use super::literal::Literal;
use super::{Apply, Expr, Kind};
use crate::promote::{
    Operand, is_comparison, is_logical, literal_dtype, operands_of, operation, promote, second_operand,
};

mod comparison;
mod python;

/// Types expressions into one program as [`lower()`](super::lower()) does, but casts operands of different dtypes to a common
/// dtype, as NumPy does.
///
/// | node | dtype |
/// |---|---|
/// | input | as given |
/// | a literal, or a Python expression over literals such as `-1`, `1 / 3` or `7 // 2`, which folds as in Python | *weak*, see [`promote_literal`](crate::promote::promote_literal) |
/// | an operator | its operands are cast to the dtype of [`operation`]; over literals only, as in `sqrt(2)`, to the dtype that [`literal_dtype`] gives |
/// | a comparison of integers | exact, also for `i64` with `u64` and for literals that the dtype cannot hold |
/// | `divide` of integers | true division, in `f64` |
/// | a number beyond the range of a float dtype | infinity, with a [warning](crate::Program::warnings) |
/// | the condition of `where`, operands of `logical_and` and the other logical operators | `bool`: not equal to 0 |
/// | `cast` of a literal | the literal in the target dtype; a literal that the target has no form for (`cast(2.5, i32)`, `cast(2, bool)`) is cast from its [`literal_dtype`] |
///
/// # Errors
/// The errors of [`lower()`](super::lower()); [`Error::Operand`] also for operands without a common dtype.
pub fn lower_promoting(outputs: &[&Expr], inputs: &[(&str, DType)]) -> Result<Program, Error> {
    lower_with_warnings(outputs, inputs).map(|(program, _)| program)
}

/// As [`lower_promoting`], with one message for each literal that became infinite.
pub(crate) fn lower_with_warnings(
    outputs: &[&Expr],
    inputs: &[(&str, DType)],
) -> Result<(Program, Vec<String>), Error> {
    // Literals fold in f64.
    let _fp_env = DefaultFpEnv::new();
    let emitter = Emitter::new(inputs)?;
    let mut promoting = Promoting { emitter, seen: KeySet::default(), nodes: KeyMap::default(), warnings: Vec::new() };
    for output in outputs {
        for expr in output.post_order(&mut promoting.seen) {
            let typed = promoting.typed(expr)?;
            promoting.nodes.insert(expr.key(), typed);
        }
        let value = promoting.value(output)?;
        promoting.emitter.builder.output(value);
    }
    Ok((promoting.emitter.builder.finish()?, promoting.warnings))
}

/// The result of typing a node.
#[derive(Clone, Copy)]
enum Typed {
    Value(ValueId, DType),
    /// A literal, which has no dtype yet.
    Literal(Literal),
}

struct Promoting<'a> {
    emitter: Emitter<'a>,
    /// The nodes that are typed.
    seen: KeySet,
    nodes: KeyMap<Key, Typed>,
    /// One message for each literal that became infinite.
    warnings: Vec<String>,
}

impl Promoting<'_> {
    /// Types a node whose operands are typed, and emits its step.
    fn typed(&mut self, expr: &Expr) -> Result<Typed, Error> {
        let apply = match &expr.0.kind {
            Kind::Input(name) => {
                let (id, dtype) = self.emitter.input(expr, name)?;
                return Ok(Typed::Value(id, dtype));
            }
            Kind::Literal(literal) => return Ok(Typed::Literal(*literal)),
            Kind::Apply(apply) => apply,
        };
        let operands: Vec<Operand> = apply.args.iter().map(|arg| self.operand(arg)).collect();
        let literal = |operand: &Operand| if let Operand::Literal(literal) = operand { Some(*literal) } else { None };
        let literals: Option<Vec<Literal>> = operands.iter().map(literal).collect();
        let folds = apply.broadcast == Broadcast::Numpy && apply.accuracy != Some(Accuracy::CorrectlyRounded);
        if let Some(literals) = literals.filter(|_| folds)
            && let Some(number) = python::fold(apply.op, &literals).map_err(|error| expr.place(error))?
        {
            return Ok(Typed::Literal(number));
        }
        let id = match apply.op.signature() {
            Signature::Convert | Signature::Move => self.convert(expr, apply),
            _ => self.operator(expr, apply, &operands),
        }?;
        let missing = || Error::Expression { message: format!("value {} is not of this program", id.index()) };
        self.emitter.builder.dtype(id).map(|dtype| Typed::Value(id, dtype)).ok_or_else(missing)
    }

    /// An operator over operands of any dtypes.
    fn operator(&mut self, expr: &Expr, apply: &Apply, operands: &[Operand]) -> Result<ValueId, Error> {
        let (Some((op, t)), Some(u)) = (operation(apply.op, operands), second_operand(apply.op, operands)) else {
            let error = operand_error(apply.op, operands);
            let at = match error {
                Error::Operand { operand, .. } => blamed_operand(expr, apply, operand),
                _ => expr,
            };
            return Err(at.place(error));
        };
        if is_comparison(op) {
            return self.comparison(expr, apply, t);
        }
        let mut ids = Vec::with_capacity(operands.len());
        // A copy in place of an operator with several operands is a copy of the first.
        let count = if op == Op::Copy { 1 } else { apply.args.len() };
        for (i, arg) in apply.args[..count].iter().enumerate() {
            let dtype = if op.signature().is_t(i) { t } else { u };
            let is_condition = is_logical(op) || dtype == DType::Bool;
            let typed = match self.nodes[&arg.key()] {
                // A literal is true if it is not 0. NaN is true, as in Python.
                Typed::Literal(literal) if is_condition => Typed::Literal(Literal::Bool(literal.to_f64() != 0.0)),
                Typed::Literal(literal) if op == Op::Clamp && i > 0 => Typed::Literal(clamp_bound(literal, dtype)),
                typed => typed,
            };
            ids.push(self.in_dtype(arg, typed, dtype)?);
        }
        match ids[..] {
            // A binary operator instead of one with several operands.
            [first, ref rest @ ..] if ids.len() > *op.counts().end() => {
                rest.iter().try_fold(first, |all, &id| self.emitter.step(expr, apply, op, &[all, id]))
            }
            _ => self.emitter.step(expr, apply, op, &ids),
        }
    }

    /// A cast, or a copy, which has no target. A literal becomes a constant of the target dtype if the target has literals
    /// of its kind.
    fn convert(&mut self, expr: &Expr, apply: &Apply) -> Result<ValueId, Error> {
        let operand = &apply.args[0];
        let id = match (self.nodes[&operand.key()], apply.target) {
            (Typed::Literal(literal), Some(target)) if apply.op == Op::Cast && holds_kind(target, literal) => {
                self.constant(operand, literal, target)?
            }
            _ => self.value(operand)?,
        };
        self.emitter.step(expr, apply, apply.op, &[id])
    }

    /// The value of a typed node in its own dtype.
    fn value(&mut self, expr: &Expr) -> Result<ValueId, Error> {
        match self.nodes[&expr.key()] {
            Typed::Value(id, _) => Ok(id),
            Typed::Literal(literal) => self.constant(expr, literal, literal_dtype(&literal)),
        }
    }

    /// A value or a literal in `dtype`.
    fn in_dtype(&mut self, expr: &Expr, typed: Typed, dtype: DType) -> Result<ValueId, Error> {
        match typed {
            Typed::Value(id, _) => self.cast(id, dtype),
            Typed::Literal(literal) => self.constant(expr, literal, dtype),
        }
    }

    fn cast(&mut self, id: ValueId, dtype: DType) -> Result<ValueId, Error> {
        match self.emitter.builder.dtype(id) {
            Some(from) if from == dtype => Ok(id),
            _ => self.emitter.builder.step(Op::Cast, &[id], Some(dtype), Broadcast::Numpy),
        }
    }

    /// A literal in `dtype`; true is 1.
    fn constant(&mut self, expr: &Expr, literal: Literal, dtype: DType) -> Result<ValueId, Error> {
        let literal = match literal {
            Literal::Bool(b) if dtype != DType::Bool => Literal::Int(b.into()),
            Literal::Int(i @ (0 | 1)) if dtype == DType::Bool => Literal::Bool(i == 1),
            other => other,
        };
        let (constant, infinite) = literal.constant_or_infinity(dtype).map_err(|error| expr.place(error))?;
        if infinite {
            let error = Error::Literal { given: literal.given(), dtype };
            let warning = format!("{}: it is infinite", expr.place(error));
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Ok(self.emitter.builder.constant(constant))
    }

    fn operand(&self, expr: &Expr) -> Operand {
        match self.nodes[&expr.key()] {
            Typed::Value(_, dtype) => Operand::DType(dtype),
            Typed::Literal(literal) => Operand::Literal(literal),
        }
    }
}

/// A bound of `clamp` over `dtype`. A bound beyond the range of an integer dtype becomes the nearest value of the dtype,
/// which gives the same result.
fn clamp_bound(literal: Literal, dtype: DType) -> Literal {
    if !dtype.is_integer() {
        return literal;
    }
    let range = dtype.integer_range();
    match literal {
        Literal::Int(bound) => Literal::Int(bound.clamp(*range.start(), *range.end())),
        // An integer beyond 128 bits.
        Literal::Decimal(_) if literal.to_f64() > 0.0 => Literal::Int(*range.end()),
        Literal::Decimal(_) => Literal::Int(*range.start()),
        other => other,
    }
}

/// Whether elements of `dtype` are of the literal's kind or a later one, in the order bool, integer, float.
fn holds_kind(dtype: DType, literal: Literal) -> bool {
    match literal {
        Literal::Bool(_) => !dtype.is_opaque(),
        literal if literal.is_integer() => dtype.is_numeric(),
        _ => dtype.is_float(),
    }
}

/// The error for operands for which [`operation`] or [`second_operand`] is `None`.
fn operand_error(op: Op, operands: &[Operand]) -> Error {
    let dtype = |operand: &Operand| match operand {
        Operand::DType(dtype) => *dtype,
        Operand::Literal(literal) => literal_dtype(literal),
    };
    let dtypes: Vec<DType> = operands.iter().map(dtype).collect();
    let signature = op.signature();
    let t: Vec<usize> = (0..dtypes.len()).filter(|&i| signature.is_t(i)).collect();
    let has_no_common = |i: &usize| t.iter().any(|j| j < i && promote(dtypes[*j], dtypes[*i]).is_none());
    let is_not_taken = |i: &usize| operands_of(op, dtypes[*i]).is_none();
    let (operand, why) = if signature == Signature::Select && dtypes[0].is_opaque() {
        (0, "the condition must be bool or a number")
    } else if let Some(operand) = t.iter().copied().find(has_no_common) {
        (operand, "no common dtype (cast one of them)")
    } else if let Some(operand) = t.iter().copied().find(is_not_taken) {
        (operand, "not a dtype of this operator")
    } else if second_operand(op, operands).is_none() {
        let why = match signature {
            Signature::Tolerance => "equal_nan must be bool",
            Signature::Scale => {
                "the exponent (or the number of decimals) must be an integer of at most 64 bits, but not u64"
            }
            _ => "quantised operands must have one dtype: i8, u8, i16, u16 or i32",
        };
        ((0..dtypes.len()).rfind(|&i| !signature.is_t(i)).unwrap_or(0), why)
    } else {
        (dtypes.len() - 1, "the common dtype of the operands is none of this operator (cast one of them)")
    };
    Error::Operand { op, operands: dtypes, operand, why }
}
