//! Every operator over every dtype it takes.

use eltwise::{Broadcast, DType, Layout, Op, Program, Shape, Signature};
use eltwise_plan::fuse::Fused;

/// An operator, the dtype T of its signature, and the target of `cast` or the dtype U.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// The operator.
    pub op: Op,
    /// The dtype T.
    pub dtype: DType,
    /// The dtype parameter of `cast`, or the dtype U of the signature.
    pub target: Option<DType>,
}

impl Cell {
    /// The dtypes of the operands.
    pub fn operands(self) -> Vec<DType> {
        self.of_operands(self.op.arity())
    }

    /// The dtypes of so many operands.
    pub fn of_operands(self, count: usize) -> Vec<DType> {
        let signature = self.op.signature();
        let other = if signature == Signature::Select { DType::Bool } else { self.target.unwrap_or(DType::I32) };
        (0..count).map(|i| if signature.is_t(i) { self.dtype } else { other }).collect()
    }

    /// The dtype of the result.
    pub fn result(self) -> DType {
        self.op.result(&self.operands(), self.target).expect("cells are well typed")
    }

    /// Whether the operator moves bits: NaN payloads count.
    pub fn moves(self) -> bool {
        let copies = self.op.signature() == Signature::Convert && self.target == Some(self.dtype);
        matches!(self.op.signature(), Signature::Move | Signature::Select) || self.op == Op::Bitcast || copies
    }

    /// How many numbers of the result's dtype lie at most between a right result and the oracle's: 0 for exact operators. A math function
    /// within 1 ULP gives one of the two numbers around the exact value, or a neighbour of the nearer one.
    pub fn apart(self) -> u64 {
        u64::from(self.op.info().is_math(self.dtype))
    }

    /// Whether this build has the kernel.
    pub fn is_built(self) -> bool {
        let operands = self.operands();
        let Ok(program) = Program::single(self.op, &operands, self.target, self.plain_mode(&Shape::scalar())) else {
            return false;
        };
        let layouts: Vec<Layout> = operands.iter().map(|&d| Layout::contiguous(d, []).expect("one element")).collect();
        program.bind(&layouts.iter().collect::<Vec<_>>()).is_ok()
    }

    /// The program of this one operator.
    pub fn program(self, mode: &Broadcast) -> Program {
        self.program_of(mode, self.op.arity())
    }

    /// The program of this one operator over so many operands.
    pub fn program_of(self, mode: &Broadcast, operands: usize) -> Program {
        let dtypes = self.of_operands(operands);
        Program::single(self.op, &dtypes, self.target, mode.clone()).expect("cells are well typed")
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
            let second = op.signature().second_dtypes();
            if second.is_empty() {
                all.push(Cell { op, dtype, target: None });
            }
            all.extend(second.iter().map(|&target| Cell { op, dtype, target: Some(target) }));
        }
    }
    all.retain(|cell| cell.is_built());
    all
}

/// The dtypes in memory of the operands of a superinstruction: only the first may be cast.
pub fn operands_of(fused: Fused) -> Vec<DType> {
    let arity = fused.first().map_or(1, Op::arity) + fused.last().arity() - 1;
    let first = fused.load().unwrap_or(fused.dtype());
    (0..arity).map(|i| if i == 0 { first } else { fused.dtype() }).collect()
}
