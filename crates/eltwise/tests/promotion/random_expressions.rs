//! Random expressions over mixed dtypes equal a model, which casts every operand to the dtype in NumPy's tables.

use eltwise::expr::Literal;
use eltwise::promote::literal_dtype;
use eltwise::{DType, Error, Expr, Op, Program, Signature};
use eltwise_reference::{Tensor, Value, apply};
use eltwise_testkit::values::Values;
use eltwise_testkit::{Random, runner};
use proptest::prelude::*;

use crate::comparisons::{COMPARISONS, compare};
use crate::numpy::{FLOATS, OPERATORS, cell, pair, triple, with_literal};

/// The values of an expression, or a literal.
#[derive(Clone, Debug)]
enum Known {
    Array(DType, Vec<Value>),
    Literal(Literal),
}

const ELEMENTS: usize = 24;

fn integer(literal: Literal) -> Option<i128> {
    match literal {
        Literal::Bool(b) => Some(b.into()),
        Literal::Int(i) => Some(i),
        _ => None,
    }
}

/// One operator over operands with at least one array: casts every operand to the dtype in NumPy's tables, then applies
/// the operator. `None` is an error.
fn model(op: Op, operands: &[Known], target: Option<DType>) -> Option<Known> {
    let comparison = COMPARISONS.contains(&op);
    let elements = |known: &Known, dtype: DType| -> Option<Vec<Value>> {
        match known {
            Known::Array(_, values) => Some(values.iter().map(|&v| apply(Op::Cast, &[v], Some(dtype))).collect()),
            Known::Literal(Literal::Bool(b)) => Some(vec![Value::from_i128(dtype, i128::from(*b)); ELEMENTS]),
            Known::Literal(literal) => match literal.constant(dtype) {
                Ok(constant) => Some(vec![constant.into(); ELEMENTS]),
                // NumPy warns and takes infinity.
                Err(_) if dtype.is_float() => {
                    let negative = integer(*literal).is_some_and(|i| i < 0);
                    let infinity = if negative { f64::NEG_INFINITY } else { f64::INFINITY };
                    Some(vec![Value::from_f64(dtype, infinity); ELEMENTS])
                }
                Err(_) => None,
            },
        }
    };
    let each = |op: Op, dtype: DType, columns: &[Vec<Value>]| {
        let row = |i: usize| columns.iter().map(|column| column[i]).collect::<Vec<Value>>();
        Some(Known::Array(dtype, (0..ELEMENTS).map(|i| apply(op, &row(i), target)).collect()))
    };
    let truth = |known: &Known| match known {
        Known::Array(_, values) => values.iter().map(|v| Value::from_bool(v.truth())).collect(),
        Known::Literal(Literal::Float(x)) => vec![Value::from_bool(*x != 0.0); ELEMENTS],
        Known::Literal(literal) => vec![Value::from_bool(integer(*literal) != Some(0)); ELEMENTS],
    };
    let exact = |known: &Known| match known {
        Known::Array(dtype, values) if !dtype.is_float() => Some(values.iter().map(|v| v.to_i128()).collect()),
        Known::Literal(literal) => Some(vec![integer(*literal)?; ELEMENTS]),
        _ => None,
    };
    if matches!(op, Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor | Op::LogicalNot) {
        return each(op, DType::Bool, &operands.iter().map(truth).collect::<Vec<_>>());
    }
    if comparison && let (Some(x), Some(y)) = (exact(&operands[0]), exact(&operands[1])) {
        let (x, y): (Vec<i128>, Vec<i128>) = (x, y);
        let answers = x.iter().zip(&y).map(|(&x, &y)| Value::from_bool(compare(op, x, y)));
        return Some(Known::Array(DType::Bool, answers.collect()));
    }
    let (condition, rest) = operands.split_at(usize::from(op == Op::Where));
    let strong: Vec<DType> =
        rest.iter().filter_map(|k| if let Known::Array(d, _) = k { Some(*d) } else { None }).collect();
    let literals = rest.iter().filter_map(|k| if let Known::Literal(l) = k { Some(*l) } else { None });
    let t = match *strong {
        [a] => a,
        [a, b] => pair(a, b)?,
        [a, b, c] => triple([a, b, c])?,
        _ => literals.clone().map(|literal| literal_dtype(&literal)).max()?,
    };
    let common = t;
    let mut t = literals.into_iter().try_fold(t, |t, literal| with_literal(t, &literal))?;
    let mut op = op;
    if op.info().takes(DType::F64) && !op.info().takes(DType::I64) {
        // Integers become floats before they are promoted, unless the common dtype is already a float.
        let floats: Option<Vec<DType>> = strong.iter().map(|&d| cell(FLOATS, d)).collect();
        t = match *floats? {
            _ if t != common || common.is_float() => cell(FLOATS, t)?,
            [a, b] => pair(a, b)?,
            [a, b, c] => triple([a, b, c])?,
            _ => cell(FLOATS, t)?,
        };
    } else if let Some((_, on_bool, row)) = OPERATORS.iter().find(|row| row.0 == op) {
        (t, op) = (cell(row, t)?, if t == DType::Bool { *on_bool } else { op });
    } else if t == DType::Bool && op == Op::Relu {
        op = Op::Copy;
    } else if !op.info().takes(t) {
        return None;
    }
    let mut columns: Vec<Vec<Value>> = condition.iter().map(truth).collect();
    for (i, operand) in rest.iter().enumerate() {
        // A bound outside the dtype becomes the smallest or largest value of the dtype.
        let bound = match operand {
            Known::Literal(Literal::Int(bound)) if op == Op::Clamp && i > 0 && t.is_integer() => {
                let max = (1i128 << (8 * t.size() - usize::from(t.is_signed_integer()))) - 1;
                let min = if t.is_signed_integer() { -max - 1 } else { 0 };
                Known::Literal(Literal::Int(*bound.clamp(&min, &max)))
            }
            other => other.clone(),
        };
        columns.push(elements(&bound, t)?);
    }
    let result = match op.signature() {
        Signature::UnaryPredicate | Signature::BinaryPredicate => DType::Bool,
        Signature::Exponent => DType::I32,
        Signature::Count => DType::U8,
        _ => target.unwrap_or(t),
    };
    each(op, result, &columns)
}

/// A random expression and its value in the model.
fn random_tree(random: &mut Random, inputs: &[(DType, Vec<Value>)], depth: usize) -> (Expr, Option<Known>) {
    if depth == 0 || random.below(6) == 0 {
        let i = random.below(inputs.len());
        let (dtype, values) = &inputs[i];
        return (Expr::input(["a", "b", "c", "d"][i]), Some(Known::Array(*dtype, values.clone())));
    }
    let op = Op::ALL[random.below(Op::ALL.len())];
    // Operators that show the sign of a NaN are left out because it is unspecified.
    let op = if matches!(op, Op::BroadcastTo | Op::SignBit | Op::Copysign | Op::Bitcast) { Op::Add } else { op };
    // Operators with operands of two dtypes are left out; `promote.rs` tests them.
    let mixed = matches!(op.signature(), Signature::Scale | Signature::Quantize | Signature::Dequantize);
    let op = if mixed { Op::Multiply } else { op };
    // The model promotes up to three operands.
    let op = if op.arity() > 3 { Op::Fma } else { op };
    // Math functions are left out: over narrow floats they are computed in wider ones, which rounds differently from
    // the reference.
    let op = match op.arity() {
        _ if !op.info().has_math() => op,
        1 => Op::Sqrt,
        _ => Op::Divide,
    };
    let typed = random.below(op.arity());
    let mut args: Vec<Expr> = Vec::new();
    let mut known: Option<Vec<Known>> = Some(Vec::new());
    for i in 0..op.arity() {
        let (expr, value) = if i != typed && random.below(3) == 0 {
            let literal = match random.below(8) {
                0 => Literal::Bool(random.below(2) == 1),
                1 => Literal::Float(random.below(9) as f64 / 2.0 - 2.0),
                2 => Literal::Int(1i128 << random.below(66)),
                _ => Literal::Int(random.below(600) as i128 - 150),
            };
            (literal.into(), Some(Known::Literal(literal)))
        } else {
            random_tree(random, inputs, depth - 1)
        };
        args.push(expr);
        known = known.zip(value).map(|(mut known, value)| {
            known.push(value);
            known
        });
    }
    let target = DType::VALUES[random.below(13)];
    if op.signature() == Signature::Convert {
        let expr = args[0].convert(op, target).expect("it converts");
        return (expr, known.and_then(|known| model(op, &known, Some(target))));
    }
    let expr = Expr::apply(op, &args).expect("the arity fits");
    (expr, known.and_then(|known| model(op, &known, None)))
}

#[test]
fn random_expressions_equal_a_model_that_casts_every_operand() {
    let (accepted, rejected) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let result = runner(20.0).run(&any::<u64>(), |seed| {
        let mut random = Random(seed);
        let inputs: Vec<(DType, Vec<Value>)> = (0..4)
            .map(|_| {
                let dtype = DType::VALUES[random.below(13)];
                let mut values = Values::new(dtype, random.bits());
                (dtype, (0..ELEMENTS).map(|_| Value::new(dtype, values.bits())).collect())
            })
            .collect();
        let depth = 1 + random.below(3);
        let (expr, expected) = random_tree(&mut random, &inputs, depth);
        let named: Vec<(&str, DType)> = ["a", "b", "c", "d"].into_iter().zip(inputs.iter().map(|i| i.0)).collect();
        match (Program::promoting(&[&expr], &named), expected) {
            (Ok(program), Some(Known::Array(dtype, expected))) => {
                let tensor = |(dtype, values): &(DType, Vec<Value>)| Tensor::from_values(*dtype, [ELEMENTS], values);
                let tensors: Vec<Tensor> = inputs.iter().map(|input| tensor(input).unwrap()).collect();
                let (outputs, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
                let expected = Tensor::from_values(dtype, [ELEMENTS], &expected).unwrap();
                prop_assert_eq!(outputs[0].dtype(), dtype, "{:?} {:?}", expr, named);
                prop_assert_eq!(outputs[0].difference(&expected).unwrap(), None, "{:?} {:?}", expr, named);
                accepted.set(accepted.get() + 1);
            }
            (Err(error), None) => {
                prop_assert!(matches!(error, Error::Operand { .. } | Error::Literal { .. }), "{:?} {:?}", expr, error);
                rejected.set(rejected.get() + 1);
            }
            (Ok(_), _) => prop_assert!(false, "{expr:?} {named:?}: accepted"),
            (Err(error), _) => prop_assert!(false, "{expr:?} {named:?}: {error}"),
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    println!("accepted {}, errors {}", accepted.get(), rejected.get());
    let few = accepted.get() + rejected.get() < 100;
    assert!(
        few || (accepted.get() > rejected.get() && rejected.get() > 0),
        "too few expressions are accepted or rejected"
    );
}
