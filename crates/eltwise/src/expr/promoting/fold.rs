//! Literals among themselves, as Python computes them.

use eltwise_plan::{Error, Op};

use super::Literal;

/// `op` over literals, if it is one of Python's operators of numbers: of integers exactly, of others in f64. `None` for
/// other operators, and for `bool`.
///
/// # Errors
/// [`Error::Expression`] for integers past 128 bits, division of integers by zero, and negative shifts.
pub(super) fn as_python(op: Op, args: &[Literal]) -> Result<Option<Literal>, Error> {
    if args.iter().any(|arg| matches!(arg, Literal::Bool(_))) {
        return Ok(None);
    }
    match *args {
        [Literal::Int(a)] if op == Op::BitwiseNot => Ok(Some(Literal::Int(!a))),
        [Literal::Int(a), Literal::Int(b)] => integers(op, a, b),
        [a, b] => Ok(floats(op, a.to_f64(), b.to_f64()).map(Literal::Float)),
        _ => Literal::fold(op, args),
    }
}

fn integers(op: Op, a: i128, b: i128) -> Result<Option<Literal>, Error> {
    let refuse = |why: &str| Err(Error::Expression { message: format!("{op}({a}, {b}): {why}") });
    let value = match op {
        Op::FloorDivide | Op::Remainder if b == 0 => return refuse("an integer is divided by zero"),
        Op::FloorDivide => a.checked_div_euclid(b).map(|q| if b < 0 && a.rem_euclid(b) != 0 { q - 1 } else { q }),
        Op::Remainder => a.checked_rem_euclid(b).map(|r| if b < 0 && r != 0 { r + b } else { r }),
        Op::Divide => return Ok(Some(Literal::Float(quotient(a, b)))),
        Op::Pow if b < 0 => return Ok(Some(Literal::Float((a as f64).powf(b as f64)))),
        Op::Pow => power(a, b),
        Op::ShiftLeft | Op::ShiftRight if b < 0 => return refuse("an amount of a shift is negative"),
        Op::ShiftLeft if a == 0 => Some(0),
        Op::ShiftLeft => power(2, b).and_then(|factor| a.checked_mul(factor)),
        Op::ShiftRight => Some(a >> b.min(127)),
        Op::BitwiseAnd => Some(a & b),
        Op::BitwiseOr => Some(a | b),
        Op::BitwiseXor => Some(a ^ b),
        _ => return Literal::fold(op, &[Literal::Int(a), Literal::Int(b)]),
    };
    match value {
        Some(value) => Ok(Some(Literal::Int(value))),
        None => refuse("the result is past 128 bits"),
    }
}

/// `a` to the power of `b`, which is not negative, if 128 bits hold it.
fn power(a: i128, b: i128) -> Option<i128> {
    match a {
        0 | 1 => Some(if b == 0 { 1 } else { a }),
        -1 => Some(if b % 2 == 0 { 1 } else { -1 }),
        _ => a.checked_pow(u32::try_from(b).ok()?),
    }
}

/// The nearest f64 to a quotient of integers.
fn quotient(a: i128, b: i128) -> f64 {
    const EXACT: u128 = 1 << 53;
    let (x, y) = (a.unsigned_abs(), b.unsigned_abs());
    if (x <= EXACT && y <= EXACT) || y >= 1 << 64 || x == 0 {
        return a as f64 / b as f64;
    }
    // At least 63 bits of it, the last one set where some are lost: the cast rounds once.
    let shift = x.leading_zeros();
    let scaled = x << shift;
    let bits = (scaled / y) | u128::from(scaled % y != 0);
    let magnitude = bits as f64 / (1u128 << shift) as f64;
    if (a < 0) == (b < 0) { magnitude } else { -magnitude }
}

fn floats(op: Op, a: f64, b: f64) -> Option<f64> {
    Some(match op {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        Op::FloorDivide => ((a - remainder(a, b)) / b).round(),
        Op::Remainder => remainder(a, b),
        Op::Pow => a.powf(b),
        _ => return None,
    })
}

/// What is left of `a`, with the sign of `b`.
fn remainder(a: f64, b: f64) -> f64 {
    let rest = a % b;
    match rest != 0.0 {
        true if (rest < 0.0) != (b < 0.0) => rest + b,
        true => rest,
        false => 0f64.copysign(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Literal::{Bool, Float, Int};

    #[test]
    fn numbers_are_pythons() {
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
            // 10**22 + 1 is no f64; its half rounded once is.
            (Op::Divide, Int(10_000_000_000_000_000_000_001), Int(3), Float(10_000_000_000_000_000_000_001.0 / 3.0)),
            (Op::Divide, Int(-(1 << 80) - 1), Int(4), Float(-(2f64.powi(78)))),
            (Op::Multiply, Float(1e308), Int(10), Float(f64::INFINITY)),
        ] {
            assert_eq!(as_python(op, &[a, b]).unwrap(), Some(expected), "{op} {a} {b}");
        }
        assert_eq!(as_python(Op::BitwiseNot, &[Int(5)]).unwrap(), Some(Int(-6)));
        assert_eq!(as_python(Op::Negative, &[Int(5)]).unwrap(), Some(Int(-5)));
        for (op, args) in
            [(Op::Add, [Bool(true), Int(1)]), (Op::Maximum, [Int(1), Int(2)]), (Op::BitwiseAnd, [Float(1.0), Int(1)])]
        {
            assert_eq!(as_python(op, &args).unwrap(), None, "{op}");
        }
        for (op, a, b) in [
            (Op::FloorDivide, 1, 0),
            (Op::Remainder, 1, 0),
            (Op::ShiftLeft, 1, -1),
            (Op::Pow, 10, 39),
            (Op::ShiftLeft, 1, 127),
        ] {
            assert!(as_python(op, &[Int(a), Int(b)]).is_err(), "{op} {a} {b}");
        }
    }
}
