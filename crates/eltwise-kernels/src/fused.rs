//! The kernels of superinstructions: two operators in one pass, and casts as a way to load the first operand or to store the
//! result.
//!
//! Which there are is [`Fused::new`]'s to say; this is their table. A level without one inherits, as in
//! [`table`](crate::table).

use eltwise_plan::fuse::Fused;
use eltwise_plan::{DType, Op};
#[cfg(feature = "small-int")]
use eltwise_simd::AsFloat;
use eltwise_simd::lanes::Level;
use eltwise_simd::{Isa, Scalar};
#[cfg(feature = "half")]
use half::{bf16, f16};

use crate::abi::Kernel;
use crate::body::ahead::Ahead;
use crate::body::each::Each;
use crate::body::map::Map;
use crate::functions::{Add, Binary, Divide, Gelu, GeluTanh, Lanewise, Multiply, Relu, Silu, Subtract, Then, Unary};
use crate::rows::small;
use crate::table::{Entry, rows};

/// The kernel of a superinstruction for level `isa` or the best one below it; `None` where the build leaves its dtypes
/// out. Whether the CPU has the level is the caller's to check.
pub fn fused(fused: Fused, isa: Isa) -> Option<Entry> {
    Entry::inherited(isa, |owner| own(fused, owner))
}

fn own(fused: Fused, isa: Isa) -> Option<Kernel> {
    match isa {
        Isa::Scalar => stamp::<Scalar>(fused),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => stamp::<eltwise_simd::x86_64::Avx2>(fused),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => stamp::<eltwise_simd::x86_64::Avx512>(fused),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => stamp::<eltwise_simd::aarch64::Neon>(fused),
        _ => None,
    }
}

/// The kernels of one level.
fn stamp<L: Level>(fused: Fused) -> Option<Kernel> {
    if fused.load().is_some() || fused.store().is_some() {
        return cast::<L>(fused);
    }
    let t = fused.dtype();
    match (fused.first(), fused.last()) {
        (Some(Op::Multiply), Op::Add) => pair::<Binary<Multiply>, Binary<Add>, L>(t),
        (Some(Op::Multiply), Op::Subtract) => pair::<Binary<Multiply>, Binary<Subtract>, L>(t),
        (Some(Op::Multiply), Op::Multiply) => pair::<Binary<Multiply>, Binary<Multiply>, L>(t),
        (Some(Op::Add), Op::Multiply) => pair::<Binary<Add>, Binary<Multiply>, L>(t),
        (Some(Op::Add), Op::Add) => pair::<Binary<Add>, Binary<Add>, L>(t),
        (Some(Op::Add), Op::Relu) => pair::<Binary<Add>, Unary<Relu>, L>(t),
        (Some(Op::Subtract), Op::Multiply) => pair::<Binary<Subtract>, Binary<Multiply>, L>(t),
        (Some(Op::Subtract), Op::Divide) => pair::<Binary<Subtract>, Binary<Divide>, L>(t),
        (Some(Op::Add), Op::Gelu) => biased::<Binary<Add>, Unary<Gelu>, L>(t),
        (Some(Op::Add), Op::GeluTanh) => biased::<Binary<Add>, Unary<GeluTanh>, L>(t),
        (Some(Op::Add), Op::Silu) => biased::<Binary<Add>, Unary<Silu>, L>(t),
        (Some(Op::Gelu), Op::Multiply) => math::<Unary<Gelu>, Binary<Multiply>, L>(t),
        (Some(Op::Silu), Op::Multiply) => math::<Unary<Silu>, Binary<Multiply>, L>(t),
        _ => None,
    }
}

/// `G` after `F`.
fn pair<F, G, L: Level>(dtype: DType) -> Option<Kernel>
where
    F: Lanewise<f32, L> + Lanewise<f64, L>,
    G: Lanewise<f32, L> + Lanewise<f64, L>,
{
    match dtype {
        DType::F32 => rows::<L, Map<Then<F, G, f32>, f32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L, Map<Then<F, G, f64>, f64>>(),
        _ => None,
    }
}

/// `G`, which is long, after `F`: a block of `F` ahead, where vectors are registers.
fn biased<F: Lanewise<f32, L::Long>, G: Lanewise<f32, L::Long>, L: Level>(dtype: DType) -> Option<Kernel> {
    if const { small::<L>() } {
        return math::<F, G, L>(dtype);
    }
    if dtype == DType::F32 { rows::<L::Long, Ahead<F, G, f32>>() } else { None }
}

/// `G` after `F`, one of them long.
fn math<F: Lanewise<f32, L::Long>, G: Lanewise<f32, L::Long>, L: Level>(dtype: DType) -> Option<Kernel> {
    if dtype == DType::F32 { rows::<L::Long, Each<Then<F, G, f32>, f32>>() } else { None }
}

/// Those over `f32` with casts.
fn cast<L: Level>(fused: Fused) -> Option<Kernel> {
    match (fused.first(), fused.last()) {
        (None, Op::Add) => stored_as::<Binary<Add>, L>(fused),
        (None, Op::Subtract) => stored_as::<Binary<Subtract>, L>(fused),
        (None, Op::Multiply) => stored_as::<Binary<Multiply>, L>(fused),
        (Some(Op::Multiply), Op::Add) => stored_as::<Then<Binary<Multiply>, Binary<Add>, f32>, L>(fused),
        (Some(Op::Subtract), Op::Multiply) => stored_as::<Then<Binary<Subtract>, Binary<Multiply>, f32>, L>(fused),
        (Some(Op::Subtract), Op::Divide) => stored_as::<Then<Binary<Subtract>, Binary<Divide>, f32>, L>(fused),
        _ => None,
    }
}

/// A function over `f32` whose first operand, or result, or both, are stored as another type.
#[allow(clippy::extra_unused_type_parameters, reason = "a build without these types uses none")]
fn stored_as<F: Lanewise<f32, L>, L: Level>(fused: Fused) -> Option<Kernel> {
    match (fused.load(), fused.store()) {
        #[cfg(feature = "small-int")]
        (Some(DType::I8), None) => rows::<L, Map<F, f32, f32, AsFloat<i8>>>(),
        #[cfg(feature = "small-int")]
        (Some(DType::U8), None) => rows::<L, Map<F, f32, f32, AsFloat<u8>>>(),
        #[cfg(feature = "half")]
        (Some(DType::F16), None) => rows::<L, Map<F, f32, f32, f16>>(),
        #[cfg(feature = "half")]
        (Some(DType::BF16), None) => rows::<L, Map<F, f32, f32, bf16>>(),
        #[cfg(feature = "half")]
        (None, Some(DType::F16)) => rows::<L, Map<F, f32, f16>>(),
        #[cfg(feature = "half")]
        (None, Some(DType::BF16)) => rows::<L, Map<F, f32, bf16>>(),
        #[cfg(feature = "half")]
        (Some(DType::F16), Some(DType::F16)) => rows::<L, Map<F, f32, f16, f16>>(),
        #[cfg(feature = "half")]
        (Some(DType::BF16), Some(DType::BF16)) => rows::<L, Map<F, f32, bf16, bf16>>(),
        _ => None,
    }
}
