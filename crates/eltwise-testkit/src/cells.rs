//! Every operator over every dtype it takes.

use eltwise::{Broadcast, DType, Op, Program, Shape, Signature};

/// An operator, the dtype T of its signature, and the target of `cast`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// The operator.
    pub op: Op,
    /// The dtype T.
    pub dtype: DType,
    /// The dtype parameter of `cast`.
    pub target: Option<DType>,
}

impl Cell {
    /// The dtypes of the operands.
    pub fn operands(self) -> Vec<DType> {
        let mut dtypes = vec![self.dtype; self.op.arity()];
        if self.op.signature() == Signature::Select {
            dtypes[0] = DType::Bool;
        }
        dtypes
    }

    /// The dtype of the result.
    pub fn result(self) -> DType {
        self.op.result(&self.operands(), self.target).expect("cells are well typed")
    }

    /// Whether the operator moves bits: NaN payloads count.
    pub fn moves(self) -> bool {
        matches!(self.op.signature(), Signature::Move | Signature::Select) || self.target == Some(self.dtype)
    }

    /// Whether this build has the kernel.
    pub fn is_built(self) -> bool {
        self.target == Some(self.dtype)
            || eltwise::kernels::kernel(self.op, self.dtype, self.result(), eltwise::Isa::Scalar).is_some()
    }

    /// The program of this one operator.
    pub fn program(self, mode: &Broadcast) -> Program {
        Program::single(self.op, &self.operands(), self.target, mode.clone()).expect("cells are well typed")
    }

    /// The mode in which operands of one shape come together.
    pub fn plain_mode(self, shape: &Shape) -> Broadcast {
        match self.op {
            Op::BroadcastTo => Broadcast::Bidirectional { target: shape.clone() },
            _ => Broadcast::Numpy,
        }
    }
}

/// Every cell that this build has, in the order of the catalogue.
pub fn cells() -> Vec<Cell> {
    let mut all = Vec::new();
    for &op in Op::ALL {
        for dtype in DType::ALL.into_iter().filter(|&d| op.info().takes(d)) {
            if op.signature() == Signature::Convert {
                let targets = DType::ALL.into_iter().filter(|&d| op.info().takes(d));
                all.extend(targets.map(|target| Cell { op, dtype, target: Some(target) }));
            } else {
                all.push(Cell { op, dtype, target: None });
            }
        }
    }
    all.retain(|cell| cell.is_built());
    all
}
