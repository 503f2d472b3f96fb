//! Comparisons for which a cast to the common dtype would be wrong.
//!
//! | comparison | computed as |
//! |---|---|
//! | `u64` with a signed integer; the common dtype would be `f64` | a test of the signed operand's sign, and a comparison in `u64` |
//! | integers with a literal outside their range, such as `u < 300` or `u > -1` for `u8` | `u <= 255` if the result is always true, `u > 255` if it is always false |
//! | floats with a literal outside their range | a comparison with infinity, as in NumPy, with its warning |

use std::cmp::Ordering;

use eltwise_core::{Broadcast, DType, Error, Op};
use eltwise_plan::ValueId;

use super::python::is_true_for;
use super::{Apply, Expr, Literal, Promoting, Typed};

impl Promoting<'_> {
    /// A comparison; `t` is the common dtype of its operands.
    pub(super) fn comparison(&mut self, expr: &Expr, apply: &Apply, t: DType) -> Result<ValueId, Error> {
        let [left, right] = apply.args.as_slice() else {
            return Err(expr.place(Error::Arity { op: apply.op, given: apply.args.len() }));
        };
        let mut op = apply.op;
        let (mut x, mut y) = (self.nodes[&left.key()], self.nodes[&right.key()]);
        match (&mut x, &mut y) {
            (Typed::Value(x, dtype), Typed::Value(y, DType::U64)) if dtype.is_signed_integer() => {
                return self.signed_with_u64(expr, apply, (*x, *dtype), *y, true);
            }
            (Typed::Value(x, DType::U64), Typed::Value(y, dtype)) if dtype.is_signed_integer() => {
                return self.signed_with_u64(expr, apply, (*y, *dtype), *x, false);
            }
            (Typed::Value(..), Typed::Literal(literal)) => *literal = in_range(&mut op, *literal, t, true),
            (Typed::Literal(literal), Typed::Value(..)) => *literal = in_range(&mut op, *literal, t, false),
            // Two literals are here only if the broadcast mode keeps them from folding.
            _ => {}
        }
        let ids = [self.in_dtype(left, x, t)?, self.in_dtype(right, y, t)?];
        self.emitter.step(expr, apply, op, &ids)
    }

    /// A comparison of a signed integer with `u64`. A negative operand is the smaller one; otherwise `u64` holds both.
    fn signed_with_u64(
        &mut self,
        expr: &Expr,
        apply: &Apply,
        (signed, dtype): (ValueId, DType),
        unsigned: ValueId,
        signed_first: bool,
    ) -> Result<ValueId, Error> {
        // For a negative operand, the unsigned one is above its range.
        let (sign_test, combine) = match true_out_of_range(apply.op, true, signed_first) {
            true => (Op::Less, Op::LogicalOr),
            false => (Op::GreaterEqual, Op::LogicalAnd),
        };
        let zero = self.constant(expr, Literal::Int(0), dtype)?;
        let sign = self.emitter.builder.step(sign_test, &[signed, zero], None, Broadcast::Numpy)?;
        let cast = self.cast(signed, DType::U64)?;
        let operands = if signed_first { [cast, unsigned] } else { [unsigned, cast] };
        let compared = self.emitter.step(expr, apply, apply.op, &operands)?;
        // If only the second operand broadcasts, `compared` has the shape of the first operand.
        match signed_first {
            true => self.emitter.builder.step(combine, &[sign, compared], None, Broadcast::Numpy),
            false => self.emitter.step(expr, apply, combine, &[compared, sign]),
        }
    }
}

/// The literal to compare with in `t` instead of one that `t` cannot hold. It may change the comparison to one with the
/// same result.
fn in_range(op: &mut Op, literal: Literal, t: DType, on_the_right: bool) -> Literal {
    if matches!(literal, Literal::Bool(_)) || t.is_float() || literal.constant(t).is_ok() {
        return literal;
    }
    *op = match (true_out_of_range(*op, literal.to_f64() > 0.0, on_the_right), on_the_right) {
        (true, true) => Op::LessEqual,
        (false, true) => Op::Greater,
        (true, false) => Op::GreaterEqual,
        (false, false) => Op::Less,
    };
    Literal::Int(*t.integer_range().end())
}

/// The result of a comparison if the right operand (or the left one) is above the range of the other operand, or below
/// it.
fn true_out_of_range(op: Op, above: bool, on_the_right: bool) -> bool {
    let left_to_right = if above == on_the_right { Ordering::Less } else { Ordering::Greater };
    is_true_for(op, Some(left_to_right))
}
