//! Comparisons that a cast to the common dtype would get wrong.
//!
//! | comparison | computed as |
//! |---|---|
//! | of `u64` with a signed integer, whose common dtype is `f64` | the sign of the one, and both in `u64` |
//! | of integers with a literal past their dtype, `u < 300`, `u > -1` | `u <= 255` where it is true, `u > 255` where it is false |
//! | of floats with a literal past their dtype | an infinity, as in NumPy, with its warning |

use eltwise_plan::{Broadcast, DType, Error, Op, ValueId};

use super::{Apply, Literal, Node, Promoting, Typed, key};
use crate::expr::literal::integer_range;

impl<'a> Promoting<'a> {
    /// A comparison; `t` is the common dtype of its operands.
    pub(super) fn comparison(&mut self, node: &'a Node, apply: &'a Apply, t: DType) -> Result<ValueId, Error> {
        let [left, right] = apply.args.as_slice() else {
            return Err(node.place(Error::Arity { op: apply.op, given: apply.args.len() }));
        };
        let (left, right) = (left.as_node(), right.as_node());
        let mut op = apply.op;
        let ids = match (self.nodes[&key(left)], self.nodes[&key(right)]) {
            (Typed::Value(x, dtype), Typed::Value(y, DType::U64)) if dtype.is_signed_integer() => {
                return self.signs(node, apply, (x, dtype), y, true);
            }
            (Typed::Value(x, DType::U64), Typed::Value(y, dtype)) if dtype.is_signed_integer() => {
                return self.signs(node, apply, (y, dtype), x, false);
            }
            (Typed::Value(x, _), Typed::Value(y, _)) => [self.cast(x, t)?, self.cast(y, t)?],
            (Typed::Value(x, _), Typed::Literal(literal)) => {
                let literal = stand_in(&mut op, literal, t, true);
                [self.cast(x, t)?, self.constant(right, literal, t)?]
            }
            (Typed::Literal(literal), Typed::Value(y, _)) => {
                let literal = stand_in(&mut op, literal, t, false);
                [self.constant(left, literal, t)?, self.cast(y, t)?]
            }
            // Two numbers fold, but in a broadcast mode.
            (Typed::Literal(x), Typed::Literal(y)) => [self.constant(left, x, t)?, self.constant(right, y, t)?],
        };
        self.step(node, op, &ids, apply)
    }

    /// A signed integer with `u64`: where it is negative it is the smaller, elsewhere `u64` holds both.
    fn signs(
        &mut self,
        node: &Node,
        apply: &Apply,
        (signed, dtype): (ValueId, DType),
        unsigned: ValueId,
        signed_first: bool,
    ) -> Result<ValueId, Error> {
        // The unsigned operand is above a negative one.
        let (sign, both) = match true_beyond(apply.op, true, signed_first) {
            true => (Op::Less, Op::LogicalOr),
            false => (Op::GreaterEqual, Op::LogicalAnd),
        };
        let zero = self.constant(node, Literal::Int(0), dtype)?;
        let sign = self.builder.step(sign, &[signed, zero], None, Broadcast::Numpy)?;
        let cast = self.cast(signed, DType::U64)?;
        let operands = if signed_first { [cast, unsigned] } else { [unsigned, cast] };
        let compared = self.step(node, apply.op, &operands, apply)?;
        // In modes where the second operand repeats along the first, the comparison has the shape of the first.
        match signed_first {
            true => self.builder.step(both, &[sign, compared], None, Broadcast::Numpy),
            false => self.step(node, both, &[compared, sign], apply),
        }
    }
}

/// The literal to compare with in `t` in the place of one that `t` does not hold; may change the comparison.
fn stand_in(op: &mut Op, literal: Literal, t: DType, on_the_right: bool) -> Literal {
    if matches!(literal, Literal::Bool(_)) || t.is_float() || literal.constant(t).is_ok() {
        return literal;
    }
    let value = literal.to_f64();
    *op = match (true_beyond(*op, value > 0.0, on_the_right), on_the_right) {
        (true, true) => Op::LessEqual,
        (false, true) => Op::Greater,
        (true, false) => Op::GreaterEqual,
        (false, false) => Op::Less,
    };
    Literal::Int(*integer_range(t).end())
}

/// The answer of a comparison where one operand, the right one or the left one, is above everything that the other can
/// be, or below it.
fn true_beyond(op: Op, above: bool, on_the_right: bool) -> bool {
    match op {
        Op::Equal => false,
        Op::NotEqual => true,
        Op::Less | Op::LessEqual => above == on_the_right,
        _ => above != on_the_right,
    }
}
