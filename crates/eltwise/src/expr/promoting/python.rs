//! [`fold`]: operators over literals only, computed as Python computes numbers.

use std::cmp::Ordering;

use eltwise_core::{Error, Op};
use smallvec::SmallVec;

use super::Literal;
use crate::expr::decimal::Decimal;
use crate::expr::literal::arithmetic;
use crate::promote::is_comparison;

/// `op` over literals, if it is one of Python's operators on numbers: exact for integers, in f64 otherwise; `true` is 1.
/// `None` for all other operators.
///
/// # Errors
/// [`Error::Expression`] for integers beyond 128 bits, and if Python raises an exception: for a division by zero, a
/// negative shift, or a power that is complex or overflows.
pub(super) fn fold(op: Op, args: &[Literal]) -> Result<Option<Literal>, Error> {
    if let ([a, b], true) = (args, is_comparison(op)) {
        return Ok(Some(Literal::Bool(is_true_for(op, order(*a, *b)))));
    }
    if let (&[Literal::Bool(a), Literal::Bool(b)], Op::BitwiseAnd | Op::BitwiseOr | Op::BitwiseXor) = (args, op) {
        return Ok(integers(op, a.into(), b.into())?.map(|bits| Literal::Bool(bits == Literal::Int(1))));
    }
    let number = |literal: &Literal| match *literal {
        Literal::Bool(b) => Literal::Int(b.into()),
        other => other,
    };
    let numbers: SmallVec<[Literal; 2]> = args.iter().map(number).collect();
    match numbers[..] {
        [Literal::Int(a)] if op == Op::BitwiseNot => Ok(Some(Literal::Int(!a))),
        [Literal::Int(a), Literal::Int(b)] => integers(op, a, b),
        [a @ Literal::Largest { .. }, b] | [a, b @ Literal::Largest { .. }] => {
            match floats(op, Literal::Int(1), Literal::Int(1))? {
                Some(_) => {
                    Err(folding_error(op, a, b, "the largest number depends on the dtype; only its sign can change"))
                }
                None => Ok(None),
            }
        }
        [a, b] => floats(op, a, b),
        _ => Literal::fold(op, &numbers),
    }
}

fn integers(op: Op, a: i128, b: i128) -> Result<Option<Literal>, Error> {
    let (first, second) = (Literal::Int(a), Literal::Int(b));
    let fail = |why| Err(folding_error(op, first, second, why));
    let value = match op {
        Op::Divide | Op::FloorDivide | Op::Remainder if b == 0 => return fail(DIVIDES_BY_ZERO),
        Op::FloorDivide => a.checked_div_euclid(b).map(|q| if b < 0 && a.rem_euclid(b) != 0 { q - 1 } else { q }),
        Op::Remainder => a.checked_rem_euclid(b).map(|r| if b < 0 && r != 0 { r + b } else { r }),
        Op::Divide => return Ok(Some(Literal::Float(quotient(a, b)))),
        Op::Pow if b < 0 => return floats(op, first, second),
        Op::Pow => power(a, b),
        Op::ShiftLeft | Op::ShiftRight if b < 0 => return fail("an amount of a shift is negative"),
        Op::ShiftLeft if a == 0 => Some(0),
        Op::ShiftLeft => power(2, b).and_then(|factor| a.checked_mul(factor)),
        Op::ShiftRight => Some(a >> b.min(127)),
        Op::BitwiseAnd => Some(a & b),
        Op::BitwiseOr => Some(a | b),
        Op::BitwiseXor => Some(a ^ b),
        _ => return Literal::fold(op, &[first, second]),
    };
    match value {
        Some(value) => Ok(Some(Literal::Int(value))),
        None => fail("the result is past 128 bits"),
    }
}

/// The exact order of two numbers; `None` for NaN. Two integers beyond 128 bits count as equal if they have the same
/// nearest f64 and are on the same side of it.
fn order(a: Literal, b: Literal) -> Option<Ordering> {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.to_f64().partial_cmp(&b.to_f64()).map(|order| order.then(side(a).cmp(&side(b)))),
    }
}

/// The number as an integer, if it is one and fits 128 bits.
fn integer(literal: Literal) -> Option<i128> {
    match literal {
        Literal::Bool(b) => Some(b.into()),
        Literal::Int(i) => Some(i),
        Literal::Float(x) if x.fract() == 0.0 && x.abs() < 2f64.powi(127) => Some(x as i128),
        Literal::Float(_) | Literal::Decimal(_) | Literal::Largest { .. } => None,
    }
}

/// Orders numbers with the same nearest f64. An integer beyond 128 bits is farther from zero than one within them, and
/// on one side of the f64.
fn side(literal: Literal) -> (Ordering, Ordering) {
    match literal {
        Literal::Decimal(Decimal { nearest, side, is_integer: true }) if nearest < 0.0 => {
            (Ordering::Less, side.reverse())
        }
        Literal::Decimal(Decimal { side, is_integer: true, .. }) => (Ordering::Greater, side),
        _ => (Ordering::Equal, Ordering::Equal),
    }
}

/// Whether the comparison `op` is true for numbers in this order.
pub(super) fn is_true_for(op: Op, order: Option<Ordering>) -> bool {
    let Some(order) = order else { return op == Op::NotEqual };
    match op {
        Op::Equal => order.is_eq(),
        Op::NotEqual => order.is_ne(),
        Op::Less => order.is_lt(),
        Op::LessEqual => order.is_le(),
        Op::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

const DIVIDES_BY_ZERO: &str = "division by zero";

fn folding_error(op: Op, a: Literal, b: Literal, why: &str) -> Error {
    Error::Expression { message: format!("{op}({}, {}): {why}", a.given(), b.given()) }
}

/// `a` to the power of `b`, which is not negative, if it fits 128 bits.
fn power(a: i128, b: i128) -> Option<i128> {
    match a {
        0 | 1 => Some(if b == 0 { 1 } else { a }),
        -1 => Some(if b % 2 == 0 { 1 } else { -1 }),
        _ => a.checked_pow(u32::try_from(b).ok()?),
    }
}

/// The f64 nearest to `a / b`; `b` is not 0.
fn quotient(a: i128, b: i128) -> f64 {
    let (x, y) = (a.unsigned_abs(), b.unsigned_abs());
    if x == 0 {
        return 0.0;
    }
    // Long division until the quotient is exact or has 65 bits. A remainder sets the lowest bit, so the cast to f64 rounds
    // once, from the exact quotient.
    let (mut bits, mut remainder, mut exponent) = (x / y, x % y, 0);
    while remainder != 0 && bits < 1 << 64 {
        (bits, remainder, exponent) = (bits << 1, remainder << 1, exponent - 1);
        if remainder >= y {
            (bits, remainder) = (bits | 1, remainder - y);
        }
    }
    let magnitude = (bits | u128::from(remainder != 0)) as f64 * 2f64.powi(exponent);
    if (a < 0) == (b < 0) { magnitude } else { -magnitude }
}

/// `op` over two numbers in f64.
fn floats(op: Op, first: Literal, second: Literal) -> Result<Option<Literal>, Error> {
    let (a, b) = (first.to_f64(), second.to_f64());
    let fail = |why| Err(folding_error(op, first, second, why));
    let value = match op {
        Op::Divide | Op::FloorDivide | Op::Remainder if b == 0.0 => return fail(DIVIDES_BY_ZERO),
        Op::FloorDivide => Some(floor_divide(a, b)),
        Op::Remainder => Some(remainder(a, b)),
        Op::Pow if a == 0.0 && b < 0.0 => return fail(DIVIDES_BY_ZERO),
        Op::Pow => match eltwise_kernels::constant_folding::pow(a, b) {
            power if power.is_nan() && !a.is_nan() && !b.is_nan() => return fail("the power is complex"),
            power if power.is_infinite() && a.is_finite() && b.is_finite() => return fail("the power is past f64"),
            power => Some(power),
        },
        _ => arithmetic(op, a, b),
    };
    Ok(value.map(Literal::Float))
}

/// The floor of `a / b`, from the exact remainder, as in CPython's `float_floor_div`.
fn floor_divide(a: f64, b: f64) -> f64 {
    let truncated = a % b;
    let quotient = (a - truncated) / b;
    let quotient = if truncated != 0.0 && (truncated < 0.0) != (b < 0.0) { quotient - 1.0 } else { quotient };
    if quotient == 0.0 {
        return 0f64.copysign(a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

/// The remainder of `a / b`, with the sign of `b`, as in CPython.
fn remainder(a: f64, b: f64) -> f64 {
    let truncated = a % b;
    match truncated != 0.0 {
        true if (truncated < 0.0) != (b < 0.0) => truncated + b,
        true => truncated,
        false => 0f64.copysign(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Literal::{Bool, Float, Int};

    #[test]
    fn operators_over_literals_give_pythons_results() {
        for (op, a, b, expected) in [
            (Op::Divide, Int(7), Int(2), Float(3.5)),
            (Op::FloorDivide, Int(1), Int(3), Int(0)),
            (Op::FloorDivide, Int(-7), Int(2), Int(-4)),
            (Op::FloorDivide, Int(7), Int(-2), Int(-4)),
            (Op::FloorDivide, Int(-7), Int(-2), Int(3)),
            (Op::FloorDivide, Int(-8), Int(-2), Int(4)),
            (Op::Remainder, Int(-7), Int(2), Int(1)),
            (Op::Remainder, Int(7), Int(-2), Int(-1)),
            (Op::Remainder, Int(8), Int(-2), Int(0)),
            (Op::FloorDivide, Float(7.5), Int(2), Float(3.0)),
            (Op::FloorDivide, Float(-7.5), Int(2), Float(-4.0)),
            (Op::FloorDivide, Float(1.0), Float(0.1), Float(9.0)),
            (Op::Remainder, Float(-1.5), Int(1), Float(0.5)),
            (Op::Pow, Int(2), Int(100), Int(1 << 100)),
            (Op::Pow, Int(2), Int(-1), Float(0.5)),
            (Op::Pow, Int(-1), Int(1 << 80), Int(1)),
            (Op::Pow, Float(2.25), Float(0.5), Float(1.5)),
            (Op::ShiftLeft, Int(3), Int(70), Int(3 << 70)),
            (Op::ShiftRight, Int(-5), Int(1), Int(-3)),
            (Op::ShiftRight, Int(5), Int(200), Int(0)),
            (Op::BitwiseXor, Int(6), Int(-1), Int(-7)),
            // Integers beyond the precision of f64: the quotient of the rounded integers would be the next f64.
            (Op::Divide, Int(69377511649665406331), Int(18446744073709798909), Float(3.760962442610231)),
            (Op::Divide, Int(9007199254740993), Int(3), Float(3002399751580331.0)),
            (Op::Divide, Int(1), Int(3), Float(1.0 / 3.0)),
            (Op::Divide, Int(-1), Int(i128::MIN), Float(2f64.powi(-127))),
            (Op::FloorDivide, Float(-18014398509481984.0), Int(3), Float(-6004799503160662.0)),
            (Op::FloorDivide, Float(-1.7e308), Float(1e308), Float(-2.0)),
            (Op::FloorDivide, Float(-1.0), Float(f64::INFINITY), Float(-1.0)),
            (Op::FloorDivide, Float(0.0), Float(-3.0), Float(-0.0)),
            (Op::Divide, Int(-(1 << 80) - 1), Int(4), Float(-(2f64.powi(78)))),
            (Op::Multiply, Float(1e308), Int(10), Float(f64::INFINITY)),
        ] {
            assert_eq!(fold(op, &[a, b]).unwrap(), Some(expected), "{op} {a} {b}");
        }
        assert_eq!(fold(Op::BitwiseNot, &[Int(5)]).unwrap(), Some(Int(-6)));
        assert_eq!(fold(Op::Negative, &[Int(5)]).unwrap(), Some(Int(-5)));
        assert_eq!(fold(Op::Negative, &[Bool(true)]).unwrap(), Some(Int(-1)));
        assert_eq!(fold(Op::BitwiseNot, &[Bool(true)]).unwrap(), Some(Int(-2)));
        let decimal = |text| Literal::Decimal(crate::expr::decimal::read(text, true));
        for (op, a, b, expected) in [
            (Op::Add, Bool(true), Bool(true), Int(2)),
            (Op::Divide, Bool(true), Int(2), Float(0.5)),
            (Op::BitwiseAnd, Bool(true), Int(3), Int(1)),
            (Op::BitwiseXor, Bool(true), Bool(true), Bool(false)),
            (Op::Less, Int(1), Int(2), Bool(true)),
            (Op::Equal, Float(9007199254740992.0), Int(9007199254740993), Bool(false)),
            (Op::NotEqual, Float(f64::NAN), Float(f64::NAN), Bool(true)),
            (Op::LessEqual, Float(f64::NAN), Int(1), Bool(false)),
            (Op::Less, Int(i128::MAX), decimal("170141183460469231731687303715884105728"), Bool(true)),
            (Op::Less, decimal("1e40"), decimal("1e41"), Bool(true)),
        ] {
            assert_eq!(fold(op, &[a, b]).unwrap(), Some(expected), "{op} {a} {b}");
        }
        for (op, args) in [(Op::Maximum, [Int(1), Int(2)]), (Op::BitwiseAnd, [Float(1.0), Int(1)])] {
            assert_eq!(fold(op, &args).unwrap(), None, "{op}");
        }
        for (op, a, b) in [
            (Op::FloorDivide, 1, 0),
            (Op::Remainder, 1, 0),
            (Op::ShiftLeft, 1, -1),
            (Op::Pow, 10, 39),
            (Op::ShiftLeft, 1, 127),
            (Op::Divide, 1 << 60, 0),
            (Op::Pow, 0, -1),
        ] {
            assert!(fold(op, &[Int(a), Int(b)]).is_err(), "{op} {a} {b}");
        }
        for (op, a, b) in [
            (Op::Divide, 1.0, 0.0),
            (Op::FloorDivide, 1.0, -0.0),
            (Op::Remainder, 1.0, 0.0),
            (Op::Pow, 0.0, -1.0),
            (Op::Pow, -8.0, 0.5),
            (Op::Pow, 10.0, 400.0),
        ] {
            assert!(fold(op, &[Float(a), Float(b)]).is_err(), "{op} {a} {b}");
        }
    }
}
