//! Kernels of math operators at accuracy tiers other than the fast one: over `f32`, correctly rounded; over `f64`,
//! accurate enough for results that are rounded to a narrower dtype next.
//!
//! [`Op::has_tier_kernel`] says which operators have one. An ISA without a kernel inherits one, as in
//! [`table`](crate::table).

use eltwise_core::{DType, Op};
use eltwise_math::Vector;
use eltwise_simd::lanes::Lanes;
use eltwise_simd::{Isa, SimdToken, WideLanes};

use super::entry::{Entry, KernelTable, rows};
use crate::abi::Kernel;
use crate::body::map_long::MapLong;
use crate::functions::{Binary, BinaryOp, Unary, UnaryOp};

/// The tier kernel of `op` over `dtype` for `isa` or the best ISA below it: correctly rounded over `f32`, for results
/// that are rounded to a narrower dtype next over `f64`.
///
/// `None` if there is no such kernel or this build leaves it out. The caller checks that the CPU has the ISA: calling a
/// kernel is unsafe.
pub fn tier_kernel(op: Op, dtype: DType, isa: Isa) -> Option<Entry> {
    Entry::find(isa, &Key { op, dtype })
}

struct Key {
    op: Op,
    dtype: DType,
}

impl KernelTable for Key {
    fn kernel<L: SimdToken>(&self) -> Option<Kernel> {
        match self.dtype {
            DType::F32 => correctly_rounded::kernel::<L::MathToken>(self.op),
            #[cfg(feature = "f64")]
            DType::F64 => to_narrow::kernel::<L::MathToken>(self.op),
            _ => None,
        }
    }
}

// A row is an operator, its adapter and trait, its operands, and its function in a module of `eltwise-math`. In the
// table `correctly_rounded f32`, `Unary UnaryOp (x) Exp exp;` expands to
//
//     pub(super) struct Exp;
//     impl<L: WideLanes> UnaryOp<f32, L> for Exp {
//         #[inline(always)]
//         fn lanes(l: L, x: <L as Lanes<f32>>::V) -> <L as Lanes<f32>>::V {
//             eltwise_math::correctly_rounded::exp(Vector::<f32, L>::new(l,
//             x)).replace_nan(f32::NAN).raw()
//         }
//     }
//
// and to this arm of `correctly_rounded::kernel`:
//
//     Op::Exp => rows::<L, MapLong<Unary<Exp>, f32>>(),
macro_rules! tier {
    ($name:ident $c:ident: $($adapter:ident $trait:ident $operands:tt $op:ident $function:ident;)*) => {
        mod $name {
            use super::*;
            $(tier!(@function $c $name $trait $operands $op $function);)*

            /// The kernel of an operator.
            pub(super) fn kernel<L: WideLanes>(op: Op) -> Option<Kernel> {
                match op {
                    $(Op::$op => rows::<L, MapLong<$adapter<$op>, $c>>(),)*
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
                eltwise_math::$module::$function($(Vector::<$c, L>::new(l, $x)),*).replace_nan($c::NAN).raw()
            }
        }
    };
}

tier! {
    correctly_rounded f32:
    Binary BinaryOp (x y) Pow pow;
    Unary UnaryOp (x) Exp exp;
    Unary UnaryOp (x) Exp2 exp2;
    Unary UnaryOp (x) Exp10 exp10;
    Unary UnaryOp (x) Log log;
    Unary UnaryOp (x) Log2 log2;
    Unary UnaryOp (x) Log10 log10;
    Unary UnaryOp (x) Sin sin;
    Unary UnaryOp (x) Cos cos;
    Unary UnaryOp (x) Tan tan;
    Unary UnaryOp (x) Tanh tanh;
    Unary UnaryOp (x) Asinh asinh;
    Unary UnaryOp (x) Acosh acosh;
    Unary UnaryOp (x) Atanh atanh;
    Unary UnaryOp (x) Softplus softplus;
    Unary UnaryOp (x) Gelu gelu;
    Unary UnaryOp (x) Mish mish;
    Binary BinaryOp (x y) Elu elu;
    Binary BinaryOp (x y) Celu celu;
    Unary UnaryOp (x) Selu selu;
}

#[cfg(feature = "f64")]
tier! {
    to_narrow f64:
    Unary UnaryOp (x) Log log;
    Unary UnaryOp (x) Log10 log10;
    Unary UnaryOp (x) Log1p log1p;
    Binary BinaryOp (x y) LogAddExp logaddexp;
    Binary BinaryOp (x y) LogAddExp2 logaddexp2;
    Unary UnaryOp (x) Sin sin;
    Unary UnaryOp (x) Cos cos;
    Unary UnaryOp (x) Asin asin;
    Unary UnaryOp (x) Acos acos;
    Unary UnaryOp (x) Atan atan;
    Binary BinaryOp (y x) Atan2 atan2;
    Binary BinaryOp (x y) Hypot hypot;
    Unary UnaryOp (x) Asinh asinh;
    Unary UnaryOp (x) Acosh acosh;
    Unary UnaryOp (x) Atanh atanh;
    Unary UnaryOp (x) Erfc erfc;
    Unary UnaryOp (x) Sigmoid sigmoid;
    Unary UnaryOp (x) Silu silu;
    Unary UnaryOp (x) Gelu gelu;
    Unary UnaryOp (x) GeluTanh gelu_tanh;
    Binary BinaryOp (x alpha) Elu elu;
    Unary UnaryOp (x) Selu selu;
    Binary BinaryOp (x alpha) Celu celu;
    Binary BinaryOp (x c) Softcap softcap;
}
