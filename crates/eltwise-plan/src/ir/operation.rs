//! The operation of a bound step: [`Operation`].

use core::fmt;

use eltwise_core::{Accuracy, Fused, Op};

use super::program::Custom;

/// The operation that a step computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Operation {
    /// An operator of the catalogue.
    Op(Op),
    /// A math operator at a tier of accuracy other than [`Accuracy::Fast`], if it has a kernel for that tier.
    Tier(Op, Accuracy),
    /// A fused pattern.
    Fused(Fused),
    /// A function defined by the caller.
    Custom(Custom),
}

impl Operation {
    /// An operator at a tier of accuracy.
    pub fn new(op: Op, accuracy: Accuracy) -> Operation {
        if accuracy == Accuracy::Fast { Operation::Op(op) } else { Operation::Tier(op, accuracy) }
    }

    /// The operators of the catalogue that it consists of, in order; none for a custom function.
    pub fn ops(self) -> impl Iterator<Item = Op> {
        let (first, last) = match self {
            Operation::Op(op) | Operation::Tier(op, _) => (None, Some(op)),
            Operation::Fused(fused) => (fused.first(), Some(fused.last())),
            Operation::Custom(_) => (None, None),
        };
        first.into_iter().chain(last)
    }

    /// The operator, if the operation is a single one of the catalogue, at the fast tier.
    pub fn op(self) -> Option<Op> {
        match self {
            Operation::Op(op) => Some(op),
            _ => None,
        }
    }
}

impl From<Op> for Operation {
    fn from(op: Op) -> Operation {
        Operation::Op(op)
    }
}

impl PartialEq<Op> for Operation {
    fn eq(&self, op: &Op) -> bool {
        self.op() == Some(*op)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Op(op) => op.fmt(f),
            Operation::Tier(op, accuracy) => write!(f, "{accuracy} {op}"),
            Operation::Fused(fused) => fused.fmt(f),
            Operation::Custom(custom) => f.write_str(custom.name),
        }
    }
}
