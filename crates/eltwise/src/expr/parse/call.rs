//! Calls of the text grammar: `clamp(x, 0, 6)`, `cast(x, f32)`, `cast(x, 'float32')`, `add(a, b, broadcast=pdpd, axis=1)`.

use std::ops::Range;

use eltwise_core::names::ALIASES;
use eltwise_core::{Accuracy, Broadcast, DType, Error, Op, Shape, Signature};

use super::{Parsed, Parser};
use crate::expr::lex::TokenKind;
use crate::expr::suggest::suggest;
use crate::expr::{Apply, Expr, Literal, placed};

/// Names that other libraries have for functions, and ours. They are suggested, not accepted.
const OTHER_NAMES: [(&str, &str); 4] = [("ln", "log"), ("fabs", "abs"), ("rint", "round"), ("sgn", "sign")];

/// The arguments of a call.
#[derive(Default)]
struct Arguments {
    operands: Vec<Parsed>,
    /// Operands that were given by name: the position, the operand, and the place of the name.
    named: Vec<(usize, Expr, Range<usize>)>,
    /// The position and the place of a name whose operand is parsed next.
    name: Option<(usize, Range<usize>)>,
    dtype: Option<DType>,
    shape: Option<Shape>,
    /// The value of `broadcast=`, with the default axis, and its place.
    mode: Option<(Broadcast, Range<usize>)>,
    axis: Option<(i64, Range<usize>)>,
    accuracy: Option<Accuracy>,
}

/// A call whose arguments are being parsed.
pub(super) struct Call {
    name: Range<usize>,
    open: Range<usize>,
    op: Op,
    arguments: Arguments,
}

impl Call {
    /// Adds an operand, under its name if one was parsed before it.
    pub(super) fn push(&mut self, operand: Parsed) {
        match self.arguments.name.take() {
            Some((position, name)) => self.arguments.named.push((position, operand.0, name)),
            None => self.arguments.operands.push(operand),
        }
    }
}

impl Parser<'_> {
    /// Takes the name of a function and the `(` after it, which are the next tokens.
    pub(super) fn call(&mut self) -> Result<Call, Error> {
        let name = self.bump().at;
        let open = self.bump().at;
        let given = self.source(&name);
        let Ok(op) = given.parse::<Op>() else {
            let aliases = ALIASES.iter().map(|(alias, _)| *alias);
            let known: Vec<&str> = Op::ALL.iter().map(|op| op.name()).chain(aliases).collect();
            let other = OTHER_NAMES.iter().find(|(name, _)| *name == given).map(|(_, name)| *name);
            let advice = match other.or_else(|| suggest(given, &known)) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => String::new(),
            };
            return Err(self.error(format!("unknown function `{given}`{advice}"), name));
        };
        Ok(Call { name, open, op, arguments: Arguments::default() })
    }

    /// Parses arguments that are no expressions: dtypes, shapes and `name=value`. Returns whether an expression is next.
    pub(super) fn parameters(&mut self, call: &mut Call) -> Result<bool, Error> {
        let op = call.op.with_parameters().unwrap_or(call.op);
        let arguments = &mut call.arguments;
        while self.peek().kind != TokenKind::Symbol(")") {
            let after_operands = arguments.operands.len() == op.arity();
            if self.peek().kind == TokenKind::Name && self.second_is("=") {
                let name = self.peek().at.clone();
                if let Some(position) = op.operand_names().iter().position(|n| *n == self.source(&name)) {
                    self.bump();
                    self.bump();
                    arguments.name = Some((position, name));
                    return Ok(true);
                }
                self.named(op, arguments)?;
            } else if after_operands && op.signature() == Signature::Convert && arguments.dtype.is_none() {
                arguments.dtype = Some(self.dtype()?);
            } else if after_operands && op == Op::BroadcastTo && arguments.shape.is_none() {
                arguments.shape = Some(self.shape()?);
            } else {
                return Ok(true);
            }
            if !self.take(",") {
                break;
            }
        }
        Ok(false)
    }

    /// Takes the `)` of a call and makes its node.
    pub(super) fn finish(&mut self, call: Call) -> Result<Parsed, Error> {
        let Call { name, open, mut op, arguments } = call;
        // Operands beyond those of the operator are parameters: another operator takes them.
        let has_parameters = arguments.operands.len() + arguments.named.len() > *op.counts_given().end();
        if let (true, Some(with_parameters)) = (has_parameters, op.with_parameters()) {
            op = with_parameters;
        }
        let end = self.close(&open, "`,` or `)`")?;
        let at = name.start..end;
        let args = self.operands(op, &arguments, &at)?;
        let broadcast = self.broadcast(op, args.len(), &arguments)?;
        let apply = Apply { op, args, broadcast, target: arguments.dtype, accuracy: arguments.accuracy };
        Ok((self.node(apply, &at), at))
    }

    /// Parses `broadcast=mode`, `axis=int` or `accuracy=tier`.
    fn named(&mut self, op: Op, arguments: &mut Arguments) -> Result<(), Error> {
        let name = self.bump().at;
        self.bump();
        let value = self.peek().at.clone();
        let twice = match self.source(&name) {
            "broadcast" => {
                let mode = match self.source(&value) {
                    "none" => Broadcast::None,
                    "numpy" => Broadcast::Numpy,
                    "unidirectional" => Broadcast::Unidirectional,
                    "pdpd" => Broadcast::Pdpd { axis: -1 },
                    _ => return Err(self.unexpected("one of none, numpy, unidirectional, pdpd")),
                };
                self.bump();
                arguments.mode.replace((mode, value)).is_some()
            }
            "axis" => {
                let (axis, end) = self.integer("an integer")?;
                let axis = i64::try_from(axis)
                    .map_err(|_| self.error(format!("axis {axis} is past 64 bits"), value.clone()))?;
                arguments.axis.replace((axis, value.start..end)).is_some()
            }
            "accuracy" if op.info().has_math() => {
                let Ok(accuracy) = self.source(&value).parse::<Accuracy>() else {
                    return Err(self.unexpected("one of fast, correct"));
                };
                self.bump();
                arguments.accuracy.replace(accuracy).is_some()
            }
            other => {
                let names: Vec<String> = op.operand_names().iter().map(|name| format!("`{name}=`")).collect();
                let accuracy = if op.info().has_math() { ", `accuracy=`" } else { "" };
                let message = format!(
                    "unknown argument `{other}=`; expected {}{accuracy}, `broadcast=` or `axis=`",
                    names.join(", ")
                );
                return Err(self.error(message, name));
            }
        };
        if twice {
            return Err(self.error(format!("`{}=` is given twice", self.source(&name)), name));
        }
        Ok(())
    }

    /// Takes an integer with an optional sign, and returns it and where it ends.
    fn integer(&mut self, expected: &str) -> Result<(i128, usize), Error> {
        let negative = self.take("-");
        let TokenKind::Number(Literal::Int(value)) = self.peek().kind else { return Err(self.unexpected(expected)) };
        Ok((if negative { -value } else { value }, self.bump().at.end))
    }

    /// Takes a dtype, with or without quotes.
    fn dtype(&mut self) -> Result<DType, Error> {
        let quotes = match self.peek().kind {
            TokenKind::Name => 0,
            TokenKind::Quoted => 1,
            _ => return Err(self.unexpected("a dtype such as f32")),
        };
        let at = self.bump().at;
        let at = at.start + quotes..at.end - quotes;
        let given = self.source(&at);
        given.parse().map_err(|_: Error| {
            let message = match suggest(given, &DType::ALL.map(DType::name)) {
                Some(near) => format!("unknown dtype `{given}`; did you mean `{near}`?"),
                None => format!("unknown dtype `{given}`; expected a name such as float32"),
            };
            self.error(message, at.clone())
        })
    }

    /// Takes a shape: `[2, 3]`.
    fn shape(&mut self) -> Result<Shape, Error> {
        let open = self.peek().at.clone();
        if !self.take("[") {
            return Err(self.unexpected("a shape such as [2, 3]"));
        }
        let mut shape = Shape::scalar();
        while self.peek().kind != TokenKind::Symbol("]") {
            let start = self.peek().at.start;
            let (size, end) = self.integer("an axis size or `]`")?;
            let size = usize::try_from(size)
                .map_err(|_| self.error(format!("{size} is not an axis size: from 0 to {}", usize::MAX), start..end))?;
            shape.push(size);
            if !self.take(",") {
                break;
            }
        }
        self.close(&open, "`,` or `]`")?;
        Ok(shape)
    }

    /// Checks the number of operands, and that the dtype or the shape is there if the operator takes one.
    fn check_count(&self, op: Op, arguments: &Arguments, call: &Range<usize>) -> Result<(), Error> {
        let given = arguments.operands.len();
        let missing = match op.signature() {
            Signature::Convert if arguments.dtype.is_none() => Some(("dtype", "f32")),
            _ if op == Op::BroadcastTo && arguments.shape.is_none() => Some(("shape", "[2, 3]")),
            _ => None,
        };
        if let Some((parameter, example)) = missing.filter(|_| given <= 1) {
            let message = format!("{op} takes an operand and a {parameter}, as in {op}(x, {example})");
            return Err(self.error(message, call.clone()));
        }
        let given = given + arguments.named.len();
        if op.counts_given().contains(&given) {
            return Ok(());
        }
        // The error points at the surplus operands, or at the call if there are too few.
        let at = match (arguments.operands.get(*op.counts_given().end()), arguments.operands.last()) {
            (Some((_, extra)), Some((_, last))) => extra.start..last.end,
            _ => call.clone(),
        };
        Err(placed(Error::Arity { op, given }, &self.text, at))
    }

    /// All operands in order: those given by position, those given by name, and defaults.
    fn operands(&self, op: Op, arguments: &Arguments, call: &Range<usize>) -> Result<Vec<Expr>, Error> {
        for (position, _, name) in arguments.named.iter().rev() {
            let twice = arguments.named.iter().filter(|(other, ..)| other == position).count() > 1;
            if twice || *position < arguments.operands.len() {
                return Err(self.error(format!("`{}=` is given twice", self.source(name)), name.clone()));
            }
        }
        self.check_count(op, arguments, call)?;
        let mut operands: Vec<Expr> = arguments.operands.iter().map(|(operand, _)| operand.clone()).collect();
        for position in operands.len()..op.arity() {
            let named = arguments.named.iter().find(|(other, ..)| *other == position).map(|(_, expr, _)| expr.clone());
            let Some(operand) = named.or_else(|| Literal::default_of(op, position).map(Expr::from)) else {
                let message = format!("{op} needs its operand `{}`", op.operand_names()[position]);
                return Err(self.error(message, call.clone()));
            };
            operands.push(operand);
        }
        Ok(operands)
    }

    /// The broadcast mode of a call with `operands` operands.
    fn broadcast(&self, op: Op, operands: usize, arguments: &Arguments) -> Result<Broadcast, Error> {
        let (mode, axis) = (&arguments.mode, &arguments.axis);
        if let (Some((_, at)), false) = (axis, matches!(mode, Some((Broadcast::Pdpd { .. }, _)))) {
            return Err(self.error("`axis=` belongs to broadcast=pdpd".into(), at.clone()));
        }
        match (mode, &arguments.shape) {
            (Some((_, at)), Some(target)) => {
                Err(self.error(format!("{op} to {target} has no other broadcast mode"), at.clone()))
            }
            (None, Some(target)) => Ok(Broadcast::Bidirectional { target: target.clone() }),
            (Some((Broadcast::Pdpd { .. } | Broadcast::Unidirectional, at)), None) if operands != 2 => {
                let name = self.source(at);
                let message =
                    format!("broadcast={name} belongs to operators of two operands; this {op} has {operands}");
                Err(self.error(message, at.clone()))
            }
            (Some((Broadcast::Pdpd { axis: default }, _)), None) => {
                Ok(Broadcast::Pdpd { axis: axis.as_ref().map_or(*default, |axis| axis.0) })
            }
            (Some((mode, _)), None) => Ok(mode.clone()),
            (None, None) => Ok(Broadcast::Numpy),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::Expr;

    #[test]
    fn arguments_are_positional_named_or_defaults() {
        for (text, expected) in [
            ("where_(c, x, 1,)", "where(c, x, 1)"),
            ("mul_add(a, b, c) + clip(a, 0, 1)", "add(fma(a, b, c), clamp(a, 0, 1))"),
            ("cast(cast(x, float16) + 1, u8)", "cast(add(cast(x, f16), 1), u8)"),
            ("cast(cast(x, 'f16'), \"bfloat16\",)", "cast(cast(x, f16), bf16)"),
            ("broadcast_to(x, [])", "broadcast_to(x, [])"),
            ("broadcast_to(x, [0x10, 3,])", "broadcast_to(x, [16, 3])"),
            ("add(a, b, broadcast=pdpd)", "add(a, b, broadcast=pdpd, axis=-1)"),
            ("less(axis=2, a, broadcast=pdpd, b)", "less(a, b, broadcast=pdpd, axis=2)"),
            ("sqrt(x, broadcast=none)", "sqrt(x, broadcast=none)"),
            ("add(a, b, broadcast=numpy)", "add(a, b)"),
            ("sqrt (x)", "sqrt(x)"),
            ("exp(x, accuracy=correct) + sin(x)", "add(exp(x, accuracy=correct), sin(x))"),
            ("exp(x, accuracy=exact)", "exp(x, accuracy=correct)"),
            ("elu(x, accuracy=fast)", "elu(x, 1, accuracy=fast)"),
            ("leaky_relu(x)", "leaky_relu(x, 0.01)"),
            ("leaky_relu(x, 1)", "leaky_relu(x, 1)"),
            ("hard_sigmoid(x, beta=b + 1)", "hard_sigmoid(x, 0.2, add(b, 1))"),
            ("clamp(hi=6, lo=0, x=y)", "clamp(y, 0, 6)"),
            ("maximum(a, b, c, 0)", "maximum(a, b, c, 0)"),
            ("sum(a, b, c)", "sum(a, b, c)"),
            ("softplus(x) + round(x=x)", "add(softplus(x), round(x))"),
            ("softplus(x, threshold=20, beta=2)", "parametric_softplus(x, 2, 20)"),
            ("selu(x, 1.5)", "parametric_selu(x, 1.5, 1.0507009873554805)"),
            ("logit(eps=y, x=x) + round(x, 2)", "add(clamped_logit(x, y), round_decimals(x, 2))"),
        ] {
            assert_eq!(format!("{:?}", Expr::parse(text).unwrap()), expected, "{text}");
        }
    }
}
