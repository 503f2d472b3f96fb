//! The table of operators, [`translate`] and [`supports`].

mod activations;
mod arithmetic;
mod conversions;
mod normalisation;
mod quantisation;

use eltwise::{DType, Expr, Op};

use crate::node::{Alignment, FourBits, Node, Operand, Translation, Unsupported, View};

/// How an operator becomes an expression.
enum Rule {
    /// One of ours with the same operands, whose result has the dtype of the operands.
    Same(Op),
    /// One of ours with the same operands, whose result is bool.
    Predicate(Op),
    /// One of ours over any number of operands.
    Variadic(Op),
    /// One of ours over operand 0 and float attributes, with their names and defaults.
    Floats(Op, &'static [(&'static str, f32)]),
    /// A composition, or an operator with attributes.
    With(fn(&Call<'_>) -> Result<Translation, Unsupported>),
}

/// A node and its operands.
struct Call<'a> {
    node: &'a Node<'a>,
    operands: &'a [Option<Operand>],
}

impl Call<'_> {
    /// Operand `index`, with elements of whole bytes.
    fn operand(&self, index: usize) -> Result<&Operand, Unsupported> {
        let operand = self.quantized_operand(index)?;
        if operand.four_bits.is_some() {
            return Err(self.unsupported(format!("operand {index} has a dtype of four bits, which is not supported")));
        }
        Ok(operand)
    }

    /// Operand `index`, of any elements.
    fn quantized_operand(&self, index: usize) -> Result<&Operand, Unsupported> {
        self.optional(index).ok_or_else(|| self.unsupported(format!("operand {index} is missing")))
    }

    /// Operand `index`, if the node has it.
    fn optional(&self, index: usize) -> Option<&Operand> {
        self.operands.get(index).and_then(Option::as_ref)
    }

    fn unsupported(&self, why: impl Into<String>) -> Unsupported {
        self.node.unsupported(why)
    }

    /// `op` over expressions.
    fn apply(&self, op: Op, args: &[Expr]) -> Result<Expr, Unsupported> {
        Expr::apply(op, args).map_err(|error| self.node.refused(error))
    }
}

/// The shape of an operator's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ResultShape {
    /// That to which the operands broadcast.
    Broadcast,
    /// That of operand 0. Others have one element for each channel, its axis 1.
    Channels,
    /// That of operand 0. Operand 1 is a vector along its last axis.
    Bias,
    /// That of operand 0. Others have one element.
    Scalars,
    /// That to which operands 0 and 3 broadcast. Others have one element.
    QLinear,
    /// That of operand 0. Others are a scale and a zero point.
    Quantised,
    /// That of operand 0, whatever the others'.
    Like,
    /// That to which operand 0 and the shape in operand 1 broadcast.
    Expanded,
}

/// An operator: its name, the first opset that has it as it is described here, its rule, and the shape of its result.
struct Row {
    name: &'static str,
    since: i64,
    rule: Rule,
    shape: ResultShape,
}

/// `rows!{ Add 7 Same(Add); Clip 6 With(clip) => Scalars; }` makes a table of operators in the order of their names. Results without
/// a shape have that to which the operands broadcast.
macro_rules! rows {
    ($($name:ident $since:literal $rule:expr $(=> $shape:ident)?;)*) => {
        &[$(Row {
            name: stringify!($name),
            since: $since,
            rule: $rule,
            shape: shape!($($shape)?),
        },)*]
    };
}

macro_rules! shape {
    () => {
        ResultShape::Broadcast
    };
    ($shape:ident) => {
        ResultShape::$shape
    };
}

use Rule::{Floats, Predicate, Same, Variadic, With};

/// ONNX's own operators.
const ONNX: &[Row] = rows! {
    Abs 6 Same(Op::Abs);
    Acos 7 Same(Op::Acos);
    Acosh 9 Same(Op::Acosh);
    Add 7 Same(Op::Add);
    And 7 Predicate(Op::LogicalAnd);
    Asin 7 Same(Op::Asin);
    Asinh 9 Same(Op::Asinh);
    Atan 7 Same(Op::Atan);
    Atanh 9 Same(Op::Atanh);
    BatchNormalization 7 With(normalisation::batch_normalization) => Channels;
    BitShift 11 With(arithmetic::bit_shift);
    BitwiseAnd 18 Same(Op::BitwiseAnd);
    BitwiseNot 18 Same(Op::BitwiseNot);
    BitwiseOr 18 Same(Op::BitwiseOr);
    BitwiseXor 18 Same(Op::BitwiseXor);
    Cast 6 With(conversions::cast);
    CastLike 15 With(conversions::cast_like) => Like;
    Ceil 6 Same(Op::Ceil);
    Celu 12 Floats(Op::Celu, &[("alpha", 1.0)]);
    Clip 6 With(arithmetic::clip) => Scalars;
    Cos 7 Same(Op::Cos);
    Cosh 9 Same(Op::Cosh);
    DequantizeLinear 10 With(quantisation::dequantize_linear) => Quantised;
    Div 7 Same(Op::Divide);
    Elu 6 Floats(Op::Elu, &[("alpha", 1.0)]);
    Equal 7 Predicate(Op::Equal);
    Erf 9 Same(Op::Erf);
    Exp 6 Same(Op::Exp);
    Expand 8 With(conversions::expand) => Expanded;
    Floor 6 Same(Op::Floor);
    Gelu 20 With(activations::gelu);
    Greater 7 Predicate(Op::Greater);
    GreaterOrEqual 12 Predicate(Op::GreaterEqual);
    HardSigmoid 6 Floats(Op::HardSigmoid, &[("alpha", 0.2), ("beta", 0.5)]);
    HardSwish 14 With(activations::hard_swish);
    Identity 1 With(conversions::identity);
    IsInf 10 With(arithmetic::is_inf);
    IsNaN 9 Predicate(Op::IsNan);
    LeakyRelu 6 Floats(Op::LeakyRelu, &[("alpha", 0.01)]);
    Less 7 Predicate(Op::Less);
    LessOrEqual 12 Predicate(Op::LessEqual);
    Log 6 Same(Op::Log);
    Max 6 Variadic(Op::Maximum);
    Mean 6 Variadic(Op::Mean);
    Min 6 Variadic(Op::Minimum);
    Mish 18 Same(Op::Mish);
    Mod 10 With(arithmetic::modulo);
    Mul 7 Same(Op::Multiply);
    Neg 6 Same(Op::Negative);
    Not 1 Predicate(Op::LogicalNot);
    Or 7 Predicate(Op::LogicalOr);
    PRelu 7 With(activations::prelu);
    Pow 7 With(arithmetic::pow);
    QuantizeLinear 10 With(quantisation::quantize_linear) => Quantised;
    Reciprocal 6 Same(Op::Reciprocal);
    Relu 6 Same(Op::Relu);
    Round 11 Same(Op::Round);
    // The defaults are ONNX's, which are f32.
    Selu 6 Floats(Op::ParametricSelu, &[("alpha", 1.673_263_2), ("gamma", 1.050_701)]);
    Shrink 9 Floats(Op::Shrink, &[("lambd", 0.5), ("bias", 0.0)]);
    Sigmoid 6 Same(Op::Sigmoid);
    Sign 9 Same(Op::Sign);
    Sin 7 Same(Op::Sin);
    Sinh 9 Same(Op::Sinh);
    Softplus 1 Same(Op::Softplus);
    Softsign 1 Same(Op::Softsign);
    Sqrt 6 Same(Op::Sqrt);
    Sub 7 Same(Op::Subtract);
    Sum 6 Variadic(Op::Sum);
    Swish 24 Floats(Op::Swish, &[("alpha", 1.0)]);
    Tan 7 Same(Op::Tan);
    Tanh 6 Same(Op::Tanh);
    ThresholdedRelu 10 Floats(Op::ThresholdedRelu, &[("alpha", 1.0)]);
    Where 9 With(conversions::select);
    Xor 7 Predicate(Op::LogicalXor);
};

/// Those of ONNX Runtime, in the domain `com.microsoft`.
const MICROSOFT: &[Row] = rows! {
    BiasGelu 1 With(activations::bias_gelu) => Bias;
    DequantizeLinear 1 With(quantisation::dequantize_linear) => Quantised;
    FastGelu 1 With(activations::fast_gelu) => Bias;
    Gelu 1 With(activations::gelu);
    QLinearAdd 1 With(quantisation::q_linear_add) => QLinear;
    QLinearLeakyRelu 1 With(quantisation::q_linear_leaky_relu) => Scalars;
    QLinearMul 1 With(quantisation::q_linear_mul) => QLinear;
    QLinearSigmoid 1 With(quantisation::q_linear_sigmoid) => Scalars;
    QuantizeLinear 1 With(quantisation::quantize_linear) => Quantised;
    QuickGelu 1 Floats(Op::Swish, &[("alpha", 1.702)]);
};

/// The row of a node.
fn row(node: &Node<'_>) -> Option<&'static Row> {
    let rows = match node.domain {
        "" | "ai.onnx" => ONNX,
        "com.microsoft" => MICROSOFT,
        _ => return None,
    };
    let found = rows.binary_search_by(|row| row.name.cmp(node.op_type)).ok()?;
    Some(&rows[found]).filter(|row| row.since <= node.opset)
}

fn known_row(node: &Node<'_>) -> Result<&'static Row, Unsupported> {
    row(node).ok_or_else(|| {
        let domain = if node.domain.is_empty() { "ai.onnx" } else { node.domain };
        node.unsupported(format!("not an operator that is supported in opset {} of {domain}", node.opset))
    })
}

/// Whether [`translate`] knows the operator in this opset. It may still refuse a node for its attributes or dtypes.
pub fn supports(node: &Node<'_>) -> bool {
    row(node).is_some()
}

/// The shape of the result of a node; `None` for an operator that is not supported.
pub(crate) fn result_shape(node: &Node<'_>) -> Option<ResultShape> {
    row(node).map(|row| row.shape)
}

/// The expression of a node over its operands; `None` is an operand that the model leaves out.
///
/// The dtypes of the operands are the model's. The expression is for a typed program ([`eltwise::Program::new`]), which checks that
/// our operators take them.
///
/// # Errors
/// [`Unsupported`] for an operator, an opset, an attribute or an operand that has no expression.
pub fn translate(node: &Node<'_>, operands: &[Option<Operand>]) -> Result<Translation, Unsupported> {
    let row = known_row(node)?;
    let call = Call { node, operands };
    let all = || -> Result<Vec<Expr>, Unsupported> {
        (0..operands.len()).map(|i| call.operand(i).map(|operand| operand.expr.clone())).collect()
    };
    let four_bits = call.optional(0).and_then(|x| x.four_bits);
    let views = views(node, operands.len(), four_bits)?;
    let translation = match &row.rule {
        Same(op) => Translation::new(call.apply(*op, &all()?)?, call.operand(0)?.dtype),
        Predicate(op) => Translation::new(call.apply(*op, &all()?)?, DType::Bool),
        Variadic(op) => match &all()?[..] {
            [only] => Translation::new(only.copy(), call.operand(0)?.dtype),
            several => Translation::new(call.apply(*op, several)?, call.operand(0)?.dtype),
        },
        Floats(op, attributes) => {
            let x = call.operand(0)?;
            let mut args = vec![x.expr.clone()];
            for (name, default) in *attributes {
                args.push(node.float(name, *default)?.into());
            }
            Translation::new(call.apply(*op, &args)?, x.dtype)
        }
        With(rule) => rule(&call)?,
    };
    Ok(Translation { views, ..translation })
}

/// The views that a node of `count` operands has of them. `four_bits` is that of operand 0.
pub(crate) fn views(
    node: &Node<'_>,
    count: usize,
    four_bits: Option<FourBits>,
) -> Result<Vec<(usize, View)>, Unsupported> {
    let scalars = |is_other: fn(&usize) -> bool| {
        let others = (0..count).filter(is_other);
        Ok(others.map(|operand| (operand, View::from(Alignment::Scalar))).collect())
    };
    match known_row(node)?.shape {
        ResultShape::Quantised => quantisation::views(node, count, four_bits),
        ResultShape::Scalars => scalars(|&operand| operand != 0),
        ResultShape::QLinear => scalars(|&operand| operand != 0 && operand != 3),
        _ => Ok(vec![]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_in_order() {
        for rows in [ONNX, MICROSOFT] {
            assert!(rows.is_sorted_by(|a, b| a.name < b.name));
        }
    }
}
