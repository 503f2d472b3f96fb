//! One method of [`Expr`] per operator, generated from the rows of the catalogue.

use eltwise_core::{Broadcast, DType, Op, Shape};

use super::{Apply, Expr};

/// Defines the method of one row. For `add` it expands to:
///
/// ```text
/// pub fn add(&self, y: impl Into<Expr>) -> Expr {
///     Apply::new(Op::Add, vec![self.clone(), y.into()]).into_expr()
/// }
/// ```
macro_rules! method {
    (Convert $variant:ident $name:ident ($x:ident) $doc:literal) => {
        #[doc = $doc]
        #[must_use]
        pub fn $name(&self, dtype: DType) -> Expr {
            Apply { target: Some(dtype), ..Apply::new(Op::$variant, vec![self.clone()]) }.into_expr()
        }
    };
    (Move BroadcastTo $name:ident ($x:ident) $doc:literal) => {
        #[doc = $doc]
        #[must_use]
        pub fn $name(&self, shape: impl Into<Shape>) -> Expr {
            let broadcast = Broadcast::Bidirectional { target: shape.into() };
            Apply { broadcast, ..Apply::new(Op::BroadcastTo, vec![self.clone()]) }.into_expr()
        }
    };
    ($signature:ident $variant:ident $name:ident ($x:ident $(, $operand:ident)*) $doc:literal) => {
        #[doc = $doc]
        ///
        /// This expression is the first operand.
        #[must_use]
        pub fn $name(&self $(, $operand: impl Into<Expr>)*) -> Expr {
            Apply::new(Op::$variant, vec![self.clone() $(, $operand.into())*]).into_expr()
        }
    };
}

macro_rules! methods {
    ($(#[doc = $doc:literal] $variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident $cost:ident $half:ident [$($kernel:ident)*] [$($condition:ident)*];)*) => {
        /// One method per operator of the [catalogue](mod@eltwise_core::catalogue).
        impl Expr {
            $(method!($signature $variant $name ($($operand),*) $doc);)*
        }
    };
}

eltwise_core::catalogue!(methods);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_keep_the_order_of_operands() {
        let (x, c) = (Expr::input("x"), Expr::input("c"));
        assert_eq!(format!("{:?}", x.clamp(0, 6)), "clamp(x, 0, 6)");
        assert_eq!(format!("{:?}", x.less(&c).where_(&x, 1.5)), "where(less(x, c), x, 1.5)");
        assert_eq!(format!("{:?}", x.cast(DType::U8).broadcast_to([2, 3])), "broadcast_to(cast(x, u8), [2, 3])");
    }
}
