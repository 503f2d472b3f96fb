//! Every operator with every dtype it takes: [`TypedOp`], listed by [`typed_ops`](fn@typed_ops).

use eltwise::{Broadcast, DType, ErrorBound, Layout, Op, Program, Shape, Signature};
use eltwise_core::Fused;

/// An operator with the dtypes of its signature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypedOp {
    /// The operator.
    pub op: Op,
    /// The dtype T.
    pub dtype: DType,
    /// The dtype parameter of `cast`, or the dtype U of the signature.
    pub target: Option<DType>,
}

impl TypedOp {
    /// The dtypes of the operands.
    pub fn operand_dtypes(self) -> Vec<DType> {
        self.operand_dtypes_for(self.op.arity())
    }

    /// The dtypes of `count` operands.
    pub fn operand_dtypes_for(self, count: usize) -> Vec<DType> {
        let signature = self.op.signature();
        let other = if signature == Signature::Select { DType::Bool } else { self.target.unwrap_or(DType::I32) };
        (0..count).map(|i| if signature.is_t(i) { self.dtype } else { other }).collect()
    }

    /// The dtype of the result.
    pub fn result(self) -> DType {
        self.op.result(&self.operand_dtypes(), self.target).expect("a typed operator should be well typed")
    }

    /// Whether the operator only moves bits, so that NaN payloads have to be kept.
    pub fn moves_bits(self) -> bool {
        let copies = self.op.signature() == Signature::Convert && self.target == Some(self.dtype);
        matches!(self.op.signature(), Signature::Move | Signature::Select) || self.op == Op::Bitcast || copies
    }

    /// How far a valid result may be from the reference.
    pub fn error_bound(self) -> ErrorBound {
        self.op.info().error_bound(self.dtype)
    }

    /// Whether this build has the kernel.
    pub fn is_built(self) -> bool {
        let operands = self.operand_dtypes();
        let Ok(program) = Program::single(self.op, &operands, self.target, self.same_shape_mode(&Shape::scalar()))
        else {
            return false;
        };
        let layouts: Vec<Layout> = operands
            .iter()
            .map(|&d| Layout::contiguous(d, []).expect("a layout of one element should be valid"))
            .collect();
        program.bind(&layouts.iter().collect::<Vec<_>>()).is_ok()
    }

    /// The program of this one operator.
    pub fn program(self, mode: &Broadcast) -> Program {
        self.program_with_operands(mode, self.op.arity())
    }

    /// The program of this one operator with `operands` operands.
    pub fn program_with_operands(self, mode: &Broadcast, operands: usize) -> Program {
        let dtypes = self.operand_dtypes_for(operands);
        Program::single(self.op, &dtypes, self.target, mode.clone()).expect("a typed operator should be well typed")
    }

    /// The broadcast mode for operands that all have shape `shape`.
    pub fn same_shape_mode(self, shape: &Shape) -> Broadcast {
        match self.op {
            Op::BroadcastTo => Broadcast::Bidirectional { target: shape.clone() },
            _ => Broadcast::Numpy,
        }
    }
}

/// Every typed operator that this build has a kernel for, in catalogue order.
pub fn typed_ops() -> Vec<TypedOp> {
    let mut all = Vec::new();
    for &op in Op::ALL {
        for dtype in DType::ALL.into_iter().filter(|&d| op.info().takes(d)) {
            let second = op.signature().second_dtypes();
            if second.is_empty() {
                all.push(TypedOp { op, dtype, target: None });
            }
            all.extend(second.iter().map(|&target| TypedOp { op, dtype, target: Some(target) }));
        }
    }
    all.retain(|typed_op| typed_op.is_built());
    all
}

/// The dtypes in memory of the operands of a fused pair of operators. Only the first operand may be cast on load.
pub fn fused_operand_dtypes(fused: Fused) -> Vec<DType> {
    let arity = fused.first().map_or(1, Op::arity) + fused.last().arity() - 1;
    let first = fused.load().unwrap_or(fused.dtype());
    (0..arity).map(|i| if i == 0 { first } else { fused.dtype() }).collect()
}
