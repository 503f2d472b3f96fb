//! Rust's operators on expressions. Either side may be an expression or a literal.
//!
//! `!x` is [`Op::BitwiseNot`]: it inverts every bit of an integer, and is the logical not of a bool, as in Rust. Rust's
//! comparisons must return a `bool`; use [`Expr::less`] and the other methods instead.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use eltwise_core::Op;

use super::{Apply, Expr};

/// Rows of `trait method operator`, with the literal types that may be on the left. For `Add add Add: i32;`:
///
/// ```text
/// impl<R: Into<Expr>> Add<R> for Expr { .. }
/// impl<R: Into<Expr>> Add<R> for &Expr { .. }
/// impl Add<Expr> for i32 { .. }
/// impl Add<&Expr> for i32 { .. }
/// ```
macro_rules! binary {
    ($($trait:ident $method:ident $op:ident: $($literal:ident)*;)*) => {$(
        binary!(impl[R: Into<Expr>] $trait<R> for Expr, $method $op);
        binary!(impl[R: Into<Expr>] $trait<R> for &Expr, $method $op);
        $(
            binary!(impl[] $trait<Expr> for $literal, $method $op);
            binary!(impl[] $trait<&Expr> for $literal, $method $op);
        )*
    )*};
    (impl[$($generic:tt)*] $trait:ident<$right:ty> for $left:ty, $method:ident $op:ident) => {
        impl<$($generic)*> $trait<$right> for $left {
            type Output = Expr;
            fn $method(self, right: $right) -> Expr {
                Apply::new(Op::$op, vec![self.into(), right.into()]).into_expr()
            }
        }
    };
}

binary! {
    Add add Add: i32 f64;
    Sub sub Subtract: i32 f64;
    Mul mul Multiply: i32 f64;
    Div div Divide: i32 f64;
    BitAnd bitand BitwiseAnd: i32;
    BitOr bitor BitwiseOr: i32;
    BitXor bitxor BitwiseXor: i32;
}

/// Rows of `trait method operator for type`.
macro_rules! unary {
    ($($trait:ident $method:ident $op:ident for $operand:ty;)*) => {$(
        impl $trait for $operand {
            type Output = Expr;
            fn $method(self) -> Expr {
                Apply::new(Op::$op, vec![self.into()]).into_expr()
            }
        }
    )*};
}

unary! {
    Neg neg Negative for Expr;
    Neg neg Negative for &Expr;
    Not not BitwiseNot for Expr;
    Not not BitwiseNot for &Expr;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_take_owned_and_borrowed_operands_and_literals() {
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
