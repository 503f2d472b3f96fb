//! Kernels of fused patterns: two operators in one pass, and casts at the load of the first operand or at the store of
//! the result.
//!
//! The patterns are the rows of [`fused_patterns!`](eltwise_core::fused_patterns). An ISA without a kernel inherits
//! one, as in [`table`](crate::table).

use eltwise_core::{DType, Fused, Op};

#[cfg(feature = "half")]
use ::half::{bf16, f16};
#[cfg(feature = "small-int")]
use eltwise_simd::Int8AsF32;
use eltwise_simd::{Isa, SimdToken};

use super::entry::{Entry, KernelTable, rows};
use crate::abi::Kernel;
use crate::body::map::Map;
use crate::body::map_long::MapLong;
use crate::body::two_pass::TwoPass;
use crate::functions::{self, Binary, Lanewise, Then, Unary};
use crate::rows::prefers_small_code;

/// The kernel of a fused pattern for `isa` or the best ISA below it; `None` if the build leaves out its dtypes. The
/// caller checks that the CPU has the ISA: calling a kernel is unsafe.
pub fn fused(fused: Fused, isa: Isa) -> Option<Entry> {
    Entry::find(isa, &Key(fused))
}

struct Key(Fused);

impl KernelTable for Key {
    fn kernel<L: SimdToken>(&self) -> Option<Kernel> {
        of_isa::<L>(self.0)
    }
}

/// The operators of a pattern; the first one is optional. `pattern!((Binary Add) (Unary Relu))` expands to
/// `(Some(Op::Add), Op::Relu)`, and `pattern!(() (Binary Add))` to `(None, Op::Add)`.
macro_rules! pattern {
    (() ($last_adapter:ident $last:ident)) => {
        (None, Op::$last)
    };
    (($first_adapter:ident $first:ident) ($last_adapter:ident $last:ident)) => {
        (Some(Op::$first), Op::$last)
    };
}

/// The lane function of an operator, or of two in sequence: `function!((Binary Add))` expands to
/// `Binary<functions::Add>`, and `function!((Binary Add) (Unary Relu))` to
/// `Then<Binary<functions::Add>, Unary<functions::Relu>, f32>`.
macro_rules! function {
    ($(())? ($adapter:ident $op:ident)) => {
        $adapter<functions::$op>
    };
    (($first_adapter:ident $first:ident) ($last_adapter:ident $last:ident)) => {
        Then<$first_adapter<functions::$first>, $last_adapter<functions::$last>, f32>
    };
}

/// The kernels of one ISA. The row `(Binary Add) (Unary Relu);` of `pairs` expands to the arm
///
/// ```ignore
/// (Some(Op::Add), Op::Relu) => pair::<Binary<functions::Add>, Unary<functions::Relu>, L>(dtype),
/// ```
macro_rules! table {
    (
        pairs { $($pair_first:tt $pair_last:tt;)* }
        bias_then_math { $($bias:tt $math:tt;)* }
        math_then_gate { $($gated:tt $gate:tt;)* }
        casts { $($cast_first:tt $cast_last:tt;)* }
    ) => {
        fn of_isa<L: SimdToken>(fused: Fused) -> Option<Kernel> {
            let dtype = fused.dtype();
            if fused.load().is_some() || fused.store().is_some() {
                return match (fused.first(), fused.last()) {
                    $(pattern!($cast_first $cast_last) => with_casts::<function!($cast_first $cast_last), L>(fused),)*
                    _ => None,
                };
            }
            match (fused.first(), fused.last()) {
                $(pattern!($pair_first $pair_last) => pair::<function!($pair_first), function!($pair_last), L>(dtype),)*
                $(pattern!($bias $math) => bias_then_math::<function!($bias), function!($math), L>(dtype),)*
                $(pattern!($gated $gate) => math_then_gate::<function!($gated), function!($gate), L>(dtype),)*
                _ => None,
            }
        }
    };
}

eltwise_core::fused_patterns!(table);

/// `G` after `F`.
fn pair<F, G, L: SimdToken>(dtype: DType) -> Option<Kernel>
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

/// `G`, a math function, after `F`: in two passes, unless the ISA prefers small code.
fn bias_then_math<F: Lanewise<f32, L::MathToken>, G: Lanewise<f32, L::MathToken>, L: SimdToken>(
    dtype: DType,
) -> Option<Kernel> {
    if const { prefers_small_code::<L>() } {
        return math_then_gate::<F, G, L>(dtype);
    }
    if dtype == DType::F32 { rows::<L::MathToken, TwoPass<F, G, f32>>() } else { None }
}

/// `G` after `F`; one of them is a math function.
fn math_then_gate<F: Lanewise<f32, L::MathToken>, G: Lanewise<f32, L::MathToken>, L: SimdToken>(
    dtype: DType,
) -> Option<Kernel> {
    if dtype == DType::F32 { rows::<L::MathToken, MapLong<Then<F, G, f32>, f32>>() } else { None }
}

/// A function over `f32` whose first operand, result, or both are stored as other types.
#[allow(clippy::extra_unused_type_parameters, reason = "a build without these types uses no parameter")]
fn with_casts<F: Lanewise<f32, L>, L: SimdToken>(fused: Fused) -> Option<Kernel> {
    match (fused.load(), fused.store()) {
        #[cfg(feature = "small-int")]
        (Some(DType::I8), None) => rows::<L, Map<F, f32, f32, Int8AsF32<i8>>>(),
        #[cfg(feature = "small-int")]
        (Some(DType::U8), None) => rows::<L, Map<F, f32, f32, Int8AsF32<u8>>>(),
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
