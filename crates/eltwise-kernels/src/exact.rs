//! The kernels of math operators at tiers other than the fast one: over `f32` those whose results are correctly rounded, over `f64` those
//! whose results are rounded to a narrower dtype next.
//!
//! [`Op::has_exact_kernel`] and [`Op::has_narrowing_kernel`] say which there are. A level without one inherits, as in [`table`](crate::table).

use eltwise_plan::{DType, Op};
use eltwise_simd::lanes::Lanes;
use eltwise_simd::{Isa, OneLane, WideLanes};

use crate::abi::Kernel;
use crate::body::each::Each;
use crate::functions::{Binary, Same1, Same2, Unary};
use crate::table::{Entry, rows};

/// The kernel of `op` over `t`, for level `isa` or the best one below it: of `f32` correctly rounded, of `f64` for results that are rounded to
/// a narrower dtype next.
///
/// `None` where there is none, or this build leaves it out. Whether the CPU has the level is the caller's to check: calling a kernel is unsafe.
pub fn exact(op: Op, t: DType, isa: Isa) -> Option<Entry> {
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
    match t {
        DType::F32 => correctly_rounded::kernel::<L>(op),
        #[cfg(feature = "f64")]
        DType::F64 => to_narrow::kernel::<L>(op),
        _ => None,
    }
}

// A row is an operator, its adapter and trait, its operands and its function of `eltwise-math`. It makes the operator on vectors, whose NaN
// is the quiet one, and its kernel. `Unary Same1 (x) Exp exp;` of `f32 exact` is
//
//     pub(super) struct Exp;
//     impl<L: WideLanes> Same1<f32, L> for Exp { fn lanes(l, x) { exact::exp(Vector::new(l, x)).replace_nan(f32::NAN).raw() } }
//     Op::Exp => rows::<L, Each<Unary<Exp>, f32>>(),
macro_rules! tier {
    ($name:ident $c:ident $module:ident: $($adapter:ident $trait:ident $operands:tt $op:ident $function:ident;)*) => {
        mod $name {
            use super::*;
            $(tier!(@function $c $module $trait $operands $op $function);)*

            /// The kernels of a level.
            pub(super) fn kernel<L: WideLanes>(op: Op) -> Option<Kernel> {
                match op {
                    $(Op::$op => rows::<L, Each<$adapter<$op>, $c>>(),)*
                    _ => None,
                }
            }
        }
    };
    (@function $c:ident $module:ident $trait:ident ($($x:ident)*) $op:ident $function:ident) => {
        pub(super) struct $op;
        impl<L: WideLanes> $trait<$c, L> for $op {
            #[inline(always)]
            fn lanes(l: L, $($x: <L as Lanes<$c>>::V),*) -> <L as Lanes<$c>>::V {
                eltwise_math::$module::$function($(eltwise_math::Vector::<$c, L>::new(l, $x)),*).replace_nan($c::NAN).raw()
            }
        }
    };
}

tier! {
    correctly_rounded f32 exact:
    Binary Same2 (x y) Pow pow;
    Unary Same1 (x) Exp exp;
    Unary Same1 (x) Exp2 exp2;
    Unary Same1 (x) Exp10 exp10;
    Unary Same1 (x) Log log;
    Unary Same1 (x) Log2 log2;
    Unary Same1 (x) Log10 log10;
    Unary Same1 (x) Sin sin;
    Unary Same1 (x) Cos cos;
    Unary Same1 (x) Tan tan;
    Unary Same1 (x) Tanh tanh;
    Unary Same1 (x) Asinh asinh;
    Unary Same1 (x) Acosh acosh;
    Unary Same1 (x) Atanh atanh;
    Unary Same1 (x) Softplus softplus;
    Unary Same1 (x) Gelu gelu;
    Unary Same1 (x) Mish mish;
    Binary Same2 (x y) Elu elu;
    Binary Same2 (x y) Celu celu;
    Unary Same1 (x) Selu selu;
}

#[cfg(feature = "f64")]
tier! {
    to_narrow f64 to_narrow:
    Unary Same1 (x) Log log;
    Unary Same1 (x) Log10 log10;
    Unary Same1 (x) Log1p log1p;
    Binary Same2 (x y) LogAddExp logaddexp;
    Binary Same2 (x y) LogAddExp2 logaddexp2;
    Unary Same1 (x) Sin sin;
    Unary Same1 (x) Cos cos;
    Unary Same1 (x) Asin asin;
    Unary Same1 (x) Acos acos;
    Unary Same1 (x) Atan atan;
    Binary Same2 (y x) Atan2 atan2;
    Binary Same2 (x y) Hypot hypot;
    Unary Same1 (x) Asinh asinh;
    Unary Same1 (x) Acosh acosh;
    Unary Same1 (x) Atanh atanh;
    Unary Same1 (x) Erfc erfc;
    Unary Same1 (x) Sigmoid sigmoid;
    Unary Same1 (x) Silu silu;
    Unary Same1 (x) Gelu gelu;
    Unary Same1 (x) GeluTanh gelu_tanh;
    Binary Same2 (x alpha) Elu elu;
    Unary Same1 (x) Selu selu;
    Binary Same2 (x alpha) Celu celu;
    Binary Same2 (x c) Softcap softcap;
}
