//! The kernels of operators over `f32` whose results are correctly rounded.
//!
//! Which there are is [`Op::has_exact_kernel`]'s to say. A level without one inherits, as in [`table`](crate::table).

use eltwise_plan::{DType, Op};
use eltwise_simd::{Isa, OneLane, WideLanes};

use crate::abi::Kernel;
use crate::body::each::Each;
use crate::functions::{Binary, Lanewise, Unary, exact};
use crate::table::{Entry, rows};

/// The kernel of `op` over `f32`, correctly rounded, for level `isa` or the best one below it.
///
/// `None` where there is none. Whether the CPU has the level is the caller's to check: calling a kernel is unsafe.
pub fn exact(op: Op, isa: Isa) -> Option<Entry> {
    if !op.has_exact_kernel(DType::F32) {
        return None;
    }
    Entry::inherited(isa, |owner| own(op, owner))
}

/// The kernel that a level has of its own.
fn own(op: Op, isa: Isa) -> Option<Kernel> {
    match isa {
        Isa::Scalar => stamp::<OneLane>(op),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => stamp::<eltwise_simd::x86_64::Avx2>(op),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => stamp::<eltwise_simd::x86_64::Avx512>(op),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => stamp::<eltwise_simd::aarch64::Neon>(op),
        _ => None,
    }
}

/// The kernels of a level.
fn stamp<L: WideLanes>(op: Op) -> Option<Kernel> {
    fn kernel<F: Lanewise<f32, L>, L: WideLanes>() -> Option<Kernel> {
        rows::<L, Each<F, f32>>()
    }
    match op {
        Op::Pow => kernel::<Binary<exact::Pow>, L>(),
        Op::Exp => kernel::<Unary<exact::Exp>, L>(),
        Op::Exp2 => kernel::<Unary<exact::Exp2>, L>(),
        Op::Exp10 => kernel::<Unary<exact::Exp10>, L>(),
        Op::Log => kernel::<Unary<exact::Log>, L>(),
        Op::Log2 => kernel::<Unary<exact::Log2>, L>(),
        Op::Log10 => kernel::<Unary<exact::Log10>, L>(),
        Op::Sin => kernel::<Unary<exact::Sin>, L>(),
        Op::Cos => kernel::<Unary<exact::Cos>, L>(),
        Op::Tan => kernel::<Unary<exact::Tan>, L>(),
        Op::Tanh => kernel::<Unary<exact::Tanh>, L>(),
        Op::Asinh => kernel::<Unary<exact::Asinh>, L>(),
        Op::Acosh => kernel::<Unary<exact::Acosh>, L>(),
        Op::Atanh => kernel::<Unary<exact::Atanh>, L>(),
        Op::Softplus => kernel::<Unary<exact::Softplus>, L>(),
        Op::Gelu => kernel::<Unary<exact::Gelu>, L>(),
        Op::Mish => kernel::<Unary<exact::Mish>, L>(),
        Op::Elu => kernel::<Binary<exact::Elu>, L>(),
        Op::Celu => kernel::<Binary<exact::Celu>, L>(),
        Op::Selu => kernel::<Unary<exact::Selu>, L>(),
        _ => None,
    }
}
