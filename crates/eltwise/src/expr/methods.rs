//! One method per operator.
//!
//! A row is `method Variant (further operands);`. The catalogue names its operators with texts, of which a macro
//! cannot make method names, so the rows stand here; a test compares them with the catalogue. [`Expr::apply`] and the
//! text grammar know every operator without a row.

use eltwise_plan::Op;

use super::Expr;

macro_rules! methods {
    ($($method:ident $variant:ident ($($operand:ident),*);)*) => {
        impl Expr {
            $(
                #[doc = concat!("The operator [`Op::", stringify!($variant), "`], this expression its first operand.")]
                #[must_use]
                pub fn $method(&self $(, $operand: impl Into<Expr>)*) -> Expr {
                    Expr::node(Op::$variant, vec![self.clone() $(, $operand.into())*])
                }
            )*
        }

        /// The operators with a row, and how many operands the method takes.
        #[cfg(test)]
        const ROWS: &[(Op, &str, usize)] =
            &[$((Op::$variant, stringify!($method), 1 + <[&str]>::len(&[$(stringify!($operand)),*]))),*];
    };
}

methods! {
    add Add (y);
    subtract Subtract (y);
    multiply Multiply (y);
    saturating_add SaturatingAdd (y);
    saturating_subtract SaturatingSubtract (y);
    saturating_multiply SaturatingMultiply (y);
    divide Divide (y);
    floor_divide FloorDivide (y);
    trunc_divide TruncDivide (y);
    remainder Remainder (y);
    fmod Fmod (y);
    maximum Maximum (y);
    minimum Minimum (y);
    fmax Fmax (y);
    fmin Fmin (y);
    squared_difference SquaredDifference (y);
    abs_difference AbsDifference (y);
    positive Positive ();
    negative Negative ();
    abs Abs ();
    sign Sign ();
    square Square ();
    reciprocal Reciprocal ();
    sqrt Sqrt ();
    relu Relu ();
    relu6 Relu6 ();
    hard_swish HardSwish ();
    softsign Softsign ();
    prelu Prelu (slope);
    heaviside Heaviside (h);
    copysign Copysign (y);
    nextafter NextAfter (y);
    floor Floor ();
    ceil Ceil ();
    trunc Trunc ();
    round Round ();
    round_half_away RoundHalfAway ();
    clamp Clamp (lo, hi);
    fma Fma (y, z);
    lerp Lerp (y, t);
    equal Equal (y);
    not_equal NotEqual (y);
    less Less (y);
    less_equal LessEqual (y);
    greater Greater (y);
    greater_equal GreaterEqual (y);
    isnan IsNan ();
    isinf IsInf ();
    isfinite IsFinite ();
    signbit SignBit ();
    logical_and LogicalAnd (y);
    logical_or LogicalOr (y);
    logical_xor LogicalXor (y);
    logical_not LogicalNot ();
    bitwise_and BitwiseAnd (y);
    bitwise_or BitwiseOr (y);
    bitwise_xor BitwiseXor (y);
    bitwise_not BitwiseNot ();
    shift_left ShiftLeft (y);
    shift_right ShiftRight (y);
    popcount Popcount ();
    leading_zeros LeadingZeros ();
    trailing_zeros TrailingZeros ();
    gcd Gcd (y);
    lcm Lcm (y);
    where_ Where (x, y);
    copy Copy ();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_its_method() {
        // `cast` and `broadcast_to` have a parameter that is no operand; their methods stand in `mod.rs`.
        let elsewhere = [Op::Cast, Op::BroadcastTo];
        for &op in Op::ALL {
            let rows: Vec<_> = ROWS.iter().filter(|row| row.0 == op).collect();
            assert_eq!(rows.len(), usize::from(!elsewhere.contains(&op)), "the rows of {op} in expr/methods.rs");
            for (op, method, arity) in rows {
                assert_eq!(method.trim_end_matches('_'), op.name());
                assert_eq!(*arity, op.arity(), "{op}");
            }
        }
    }

    #[test]
    fn operands_keep_their_order() {
        let (x, c) = (Expr::input("x"), Expr::input("c"));
        assert_eq!(format!("{:?}", x.clamp(0, 6)), "clamp(x, 0, 6)");
        assert_eq!(format!("{:?}", x.less(&c).where_(&x, 1.5)), "where(less(x, c), x, 1.5)");
    }
}
