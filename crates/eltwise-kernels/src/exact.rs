//! The kernels of math operators at tiers other than the fast one: over `f32` those whose results are correctly rounded, over `f64` those
//! whose results are rounded to a narrower dtype next.
//!
//! [`Op::has_exact_kernel`] and [`Op::has_narrowing_kernel`] say which there are. A level without one inherits, as in [`table`](crate::table).

use eltwise_plan::{DType, Op};
use eltwise_simd::{Isa, OneLane, WideLanes};

use crate::abi::Kernel;
use crate::body::each::Each;
use crate::functions::{Binary, Lanewise, Unary, exact};
use crate::table::{Entry, rows};

/// The kernel of `op` over `t`, for level `isa` or the best one below it: of `f32` correctly rounded, of `f64` for results that are rounded to
/// a narrower dtype next.
///
/// `None` where there is none, or this build leaves it out. Whether the CPU has the level is the caller's to check: calling a kernel is unsafe.
pub fn exact(op: Op, t: DType, isa: Isa) -> Option<Entry> {
    let is_there = op.has_exact_kernel(t) || cfg!(feature = "f64") && op.has_narrowing_kernel(t);
    if !is_there {
        return None;
    }
    Entry::inherited(isa, |owner| own(op, t, owner))
}

/// The kernel that a level has of its own.
fn own(op: Op, t: DType, isa: Isa) -> Option<Kernel> {
    match isa {
        Isa::Scalar => stamp::<OneLane>(op, t),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => stamp::<eltwise_simd::x86_64::Avx2>(op, t),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => stamp::<eltwise_simd::x86_64::Avx512>(op, t),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => stamp::<eltwise_simd::aarch64::Neon>(op, t),
        _ => None,
    }
}

/// The kernels of a level.
fn stamp<L: WideLanes>(op: Op, t: DType) -> Option<Kernel> {
    #[cfg(feature = "f64")]
    if t == DType::F64 {
        return stamp_to_narrow::<L>(op);
    }
    debug_assert_eq!(t, DType::F32);
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

/// The kernels of a level over `f64`.
#[cfg(feature = "f64")]
fn stamp_to_narrow<L: WideLanes>(op: Op) -> Option<Kernel> {
    use exact::to_narrow as of;
    fn kernel<F: Lanewise<f64, L>, L: WideLanes>() -> Option<Kernel> {
        rows::<L, Each<F, f64>>()
    }
    match op {
        Op::Log => kernel::<Unary<of::Log>, L>(),
        Op::Log10 => kernel::<Unary<of::Log10>, L>(),
        Op::Log1p => kernel::<Unary<of::Log1p>, L>(),
        Op::LogAddExp => kernel::<Binary<of::LogAddExp>, L>(),
        Op::LogAddExp2 => kernel::<Binary<of::LogAddExp2>, L>(),
        Op::Sin => kernel::<Unary<of::Sin>, L>(),
        Op::Cos => kernel::<Unary<of::Cos>, L>(),
        Op::Asin => kernel::<Unary<of::Asin>, L>(),
        Op::Acos => kernel::<Unary<of::Acos>, L>(),
        Op::Atan => kernel::<Unary<of::Atan>, L>(),
        Op::Atan2 => kernel::<Binary<of::Atan2>, L>(),
        Op::Hypot => kernel::<Binary<of::Hypot>, L>(),
        Op::Asinh => kernel::<Unary<of::Asinh>, L>(),
        Op::Acosh => kernel::<Unary<of::Acosh>, L>(),
        Op::Atanh => kernel::<Unary<of::Atanh>, L>(),
        Op::Erfc => kernel::<Unary<of::Erfc>, L>(),
        Op::Sigmoid => kernel::<Unary<of::Sigmoid>, L>(),
        Op::Silu => kernel::<Unary<of::Silu>, L>(),
        Op::Gelu => kernel::<Unary<of::Gelu>, L>(),
        Op::GeluTanh => kernel::<Unary<of::GeluTanh>, L>(),
        Op::Elu => kernel::<Binary<of::Elu>, L>(),
        Op::Selu => kernel::<Unary<of::Selu>, L>(),
        Op::Celu => kernel::<Binary<of::Celu>, L>(),
        Op::Softcap => kernel::<Binary<of::Softcap>, L>(),
        _ => None,
    }
}
