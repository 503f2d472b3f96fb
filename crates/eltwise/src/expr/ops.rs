//! Rust's operators on expressions, with an expression or a literal on either side.
//!
//! `!x` is [`Op::BitwiseNot`]: every bit turned for integers, logical not for bool, as in Rust. Comparisons have no
//! operators, because Rust's return a `bool`: use [`Expr::less`] and its siblings.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use eltwise_plan::Op;

use super::Expr;

macro_rules! binary {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl<R: Into<Expr>> $trait<R> for Expr {
            type Output = Expr;
            fn $method(self, right: R) -> Expr {
                Expr::node(Op::$op, vec![self, right.into()])
            }
        }

        impl<R: Into<Expr>> $trait<R> for &Expr {
            type Output = Expr;
            fn $method(self, right: R) -> Expr {
                Expr::node(Op::$op, vec![self.clone(), right.into()])
            }
        }
    )*};
}

binary! {
    Add add Add;
    Sub sub Subtract;
    Mul mul Multiply;
    Div div Divide;
    BitAnd bitand BitwiseAnd;
    BitOr bitor BitwiseOr;
    BitXor bitxor BitwiseXor;
}

macro_rules! literal_on_the_left {
    ($($literal:ident $trait:ident $method:ident $op:ident;)*) => {$(
        impl $trait<Expr> for $literal {
            type Output = Expr;
            fn $method(self, right: Expr) -> Expr {
                Expr::node(Op::$op, vec![self.into(), right])
            }
        }

        impl $trait<&Expr> for $literal {
            type Output = Expr;
            fn $method(self, right: &Expr) -> Expr {
                Expr::node(Op::$op, vec![self.into(), right.clone()])
            }
        }
    )*};
}

literal_on_the_left! {
    f64 Add add Add;
    f64 Sub sub Subtract;
    f64 Mul mul Multiply;
    f64 Div div Divide;
    i32 Add add Add;
    i32 Sub sub Subtract;
    i32 Mul mul Multiply;
    i32 Div div Divide;
    i32 BitAnd bitand BitwiseAnd;
    i32 BitOr bitor BitwiseOr;
    i32 BitXor bitxor BitwiseXor;
}

macro_rules! unary {
    ($($trait:ident $method:ident $op:ident;)*) => {$(
        impl $trait for Expr {
            type Output = Expr;
            fn $method(self) -> Expr {
                Expr::node(Op::$op, vec![self])
            }
        }

        impl $trait for &Expr {
            type Output = Expr;
            fn $method(self) -> Expr {
                Expr::node(Op::$op, vec![self.clone()])
            }
        }
    )*};
}

unary! {
    Neg neg Negative;
    Not not BitwiseNot;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_side_and_ownership() {
        let x = Expr::input("x");
        let y = Expr::input("y");
        for (e, text) in [
            (&x + &y, "add(x, y)"),
            (x.clone() - y.clone(), "subtract(x, y)"),
            (&x * 2, "multiply(x, 2)"),
            (2 * &x, "multiply(2, x)"),
            (0.5 / x.clone(), "divide(0.5, x)"),
            (1 - &x, "subtract(1, x)"),
            (&x & 0xff, "bitwise_and(x, 255)"),
            (1 | &x, "bitwise_or(1, x)"),
            (&x ^ y, "bitwise_xor(x, y)"),
            (-&x, "negative(x)"),
            (!(&x & true), "bitwise_not(bitwise_and(x, true))"),
            (&x + 1u64 + 1.5f32, "add(add(x, 1), 1.5)"),
        ] {
            assert_eq!(format!("{e:?}"), text);
        }
    }
}
