//! One method per operator, made from the rows of the catalogue.

use eltwise_plan::{Broadcast, DType, Op, Shape};

use super::Expr;

macro_rules! method {
    (Convert $variant:ident $name:ident ($x:ident) $doc:literal) => {
        #[doc = $doc]
        #[must_use]
        pub fn $name(&self, dtype: DType) -> Expr {
            Expr::with_parameters(Op::$variant, self, Broadcast::Numpy, Some(dtype))
        }
    };
    (Move BroadcastTo $name:ident ($x:ident) $doc:literal) => {
        #[doc = $doc]
        #[must_use]
        pub fn $name(&self, shape: impl Into<Shape>) -> Expr {
            Expr::with_parameters(Op::BroadcastTo, self, Broadcast::Bidirectional { target: shape.into() }, None)
        }
    };
    ($signature:ident $variant:ident $name:ident ($x:ident $(, $operand:ident)*) $doc:literal) => {
        #[doc = $doc]
        ///
        /// This expression is the first operand.
        #[must_use]
        pub fn $name(&self $(, $operand: impl Into<Expr>)*) -> Expr {
            Expr::node(Op::$variant, vec![self.clone() $(, $operand.into())*])
        }
    };
}

macro_rules! methods {
    ($($variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident [$($condition:ident)*] $doc:literal;)*) => {
        /// One method per operator of the [catalogue](mod@eltwise_plan::catalogue).
        impl Expr {
            $(method!($signature $variant $name ($($operand),*) $doc);)*
        }
    };
}

eltwise_plan::catalogue!(methods);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_keep_their_order() {
        let (x, c) = (Expr::input("x"), Expr::input("c"));
        assert_eq!(format!("{:?}", x.clamp(0, 6)), "clamp(x, 0, 6)");
        assert_eq!(format!("{:?}", x.less(&c).where_(&x, 1.5)), "where(less(x, c), x, 1.5)");
        assert_eq!(format!("{:?}", x.cast(DType::U8).broadcast_to([2, 3])), "broadcast_to(cast(x, u8), [2, 3])");
    }
}
