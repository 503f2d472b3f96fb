//! The kernel table: [`kernel`] returns the function for an operator, a dtype and an ISA.
//!
//! Look here for which kernel an operator has. An ISA without a kernel inherits that of the ISA below it. `cast` is the
//! only operator whose result dtype is also a key.
//!
//! | module | kernels |
//! |---|---|
//! | here | every operator at the fast tier |
//! | `casts` | `cast`, for each pair of dtypes |
//! | `native_f16` | `f16` in `f16`, for ISAs with `f16` arithmetic |
//! | [`tiers`] | math operators at other tiers of accuracy |
//! | [`fused`] | fused patterns |
//! | [`custom`] | user-written functions |
//! | `build` | the dtypes of this build, and the macros that list them |
//! | `entry` | the lookup, with inheritance |

pub(crate) mod build;
mod casts;
pub mod custom;
pub(crate) mod entry;
pub mod fused;
#[cfg(feature = "half")]
mod native_f16;
pub mod tiers;

use build::{float_kernel, int_kernel};

pub use build::{feature_of, is_built};
pub use entry::Entry;
use entry::{KernelTable, rows};

use ::half::{bf16, f16};
use eltwise_core::{DType, Op};
use eltwise_simd::{Bool, Isa, SimdToken, Token};

use crate::abi::{Call, Kernel};
use crate::body::convert::{Convert, Exponent};
use crate::body::copy::Copy;
use crate::body::map::Map;
use crate::body::map_long::MapLong;
use crate::body::predicate::Predicate;
use crate::body::scalar_operand::ScalarOperand;
use crate::body::select::{Select, Select16};
use crate::functions::{self, Binary, ByScalar, Lanewise, LanewisePredicate, Ternary, Unary, forms};
use crate::rows::{Body, RowsByScalar};

/// The kernel of `op` on operands of `from` with results of `to`, for `isa` or the best ISA below it.
///
/// `from` is the dtype T of the operator's signature; only `cast` and `bitcast` look at `to`. `None` if there is no
/// kernel: the operator does not take the dtype, or the build leaves it out. The caller checks that the CPU has the
/// ISA: calling a kernel is unsafe.
pub fn kernel(op: Op, from: DType, to: DType, isa: Isa) -> Option<Entry> {
    Entry::find(isa, &Key { op, from, to })
}

struct Key {
    op: Op,
    from: DType,
    to: DType,
}

impl KernelTable for Key {
    fn kernel<L: SimdToken>(&self) -> Option<Kernel> {
        of_isa::<L>(self.op, self.from, self.to)
    }

    #[cfg(feature = "half")]
    fn native_f16(&self, isa: Isa) -> Option<Kernel> {
        native_f16::kernel(self.op, self.from, isa)
    }
}

/// The kernels of one ISA, an arm per row of the catalogue. A row without a lane function does not compile. The row of
/// `add` expands to
///
/// ```ignore
/// Op::Add => row!(L from to: Exact Binary Add [int float] Native [] []),
/// ```
///
/// An arm looks up its dtype in a function that is never inlined. Otherwise, in a build of few dtypes, the compiler
/// hoists the choices of all rows, a thousand instructions, above the choice of the operator.
macro_rules! table {
    ($(
        #[doc = $doc:literal] $variant:ident $name:ident $signature:ident $operands:tt $classes:tt
        $exactness:ident $cost:ident $half:ident $kernels:tt $conditions:tt;
    )*) => {
        fn of_isa<L: SimdToken>(op: Op, from: DType, to: DType) -> Option<Kernel> {
            match op {
                $(Op::$variant => row!(L from to: $exactness $signature $variant $classes $half $kernels $conditions),)*
                _ => None,
            }
        }
    };
}

/// The kernel of one operator on the ISA of token `$l`: the columns exactness, signature, operator, classes of dtypes,
/// computation of 16-bit floats, kernels and conditions of the catalogue.
/// `row!(L from to: Exact Binary Add [int float] Native [] [])` expands to
///
/// ```ignore
/// map::int::<Binary<forms::int::Add>, L>(from).or_else(|| {
///     map::float::<
///         Binary<forms::float::Add>,
///         Map<Binary<forms::f16::Add>, f16>,
///         Map<Binary<forms::float::Add>, bf16>,
///         L,
///     >(from)
/// })
/// ```
///
/// [`forms`] has the lane functions of each class of dtypes. The last two bodies are for `f16` and `bf16`: in
/// `f32`, or on their bits if the catalogue's column `half` is `Bits` or `BitsOrNative`.
macro_rules! row {
    // Composite operators have no kernels.
    ($l:ident $from:ident $to:ident:
        $exactness:ident $signature:ident $f:ident $classes:tt $half:ident [composite $($special:ident)*] $conditions:tt) => {
        None
    };
    ($l:ident $from:ident $to:ident: Exact Select $($columns:tt)*) => {
        select::<$l>($from.size())
    };
    ($l:ident $from:ident $to:ident: Exact Move $($columns:tt)*) => {
        copy::<$l>($from.size())
    };
    ($l:ident $from:ident $to:ident: Exact Convert Bitcast $($columns:tt)*) => {
        if $from.size() == $to.size() { copy::<$l>($from.size()) } else { None }
    };
    ($l:ident $from:ident $to:ident: Exact Convert $($columns:tt)*) => {
        casts::cast::<$l>($from, $to)
    };
    ($l:ident $from:ident $to:ident: Exact Exponent $($columns:tt)*) => {
        exponent::<$l>($from)
    };
    ($l:ident $from:ident $to:ident: Exact Binary NextAfter $($columns:tt)*) => {
        next_after::<$l>($from)
    };
    ($l:ident $from:ident $to:ident: Math Binary PowConstant $($columns:tt)*) => {
        pow_constant::<$l>($from)
    };
    // Math over floats. The planner computes f16 and bf16 with the kernels of f32.
    ($l:ident $from:ident $to:ident: Math $adapter:ident $f:ident [float] $($columns:tt)*) => {
        math::<$adapter<functions::$f>, $l>($from)
    };
    ($l:ident $from:ident $to:ident: Math $adapter:ident $f:ident [int float] $($columns:tt)*) => {
        map::int::<$adapter<forms::int::$f>, $l>($from).or_else(|| math::<$adapter<forms::float::$f>, $l>($from))
    };
    // Divisions of integers also have a body for one divisor per row.
    ($l:ident $from:ident $to:ident: Exact Binary $f:ident [int] $half:ident $kernels:tt [zero_division]) => {
        division::<forms::int::$f, $l>($from)
    };
    ($l:ident $from:ident $to:ident: Exact Binary $f:ident [int float] $half:ident $kernels:tt [zero_division]) => {
        division::<forms::int::$f, $l>($from)
            .or_else(|| row!($l $from $to: Exact Binary $f [float] $half $kernels []))
    };
    ($l:ident $from:ident $to:ident: Exact UnaryPredicate $f:ident [$($class:ident)*] $($columns:tt)*) => {
        None $(.or_else(|| predicate::$class::<Unary<functions::$f>, $l>($from)))*
    };
    ($l:ident $from:ident $to:ident: Exact BinaryPredicate $f:ident [$($class:ident)*] $($columns:tt)*) => {
        None $(.or_else(|| predicate::$class::<Binary<functions::$f>, $l>($from)))*
    };
    // All other operators.
    ($l:ident $from:ident $to:ident: Exact $adapter:ident $f:ident [int float] $($columns:tt)*) => {
        map::int::<$adapter<forms::int::$f>, $l>($from)
            .or_else(|| row!($l $from $to: Exact $adapter $f [float] $($columns)*))
    };
    ($l:ident $from:ident $to:ident: Exact $adapter:ident $f:ident [float] Bits $($columns:tt)*) => {
        row!($l $from $to: Exact $adapter $f [float] BitsOrNative $($columns)*)
    };
    ($l:ident $from:ident $to:ident: Exact $adapter:ident $f:ident [float] BitsOrNative $($columns:tt)*) => {
        map::float::<
            $adapter<forms::float::$f>,
            Map<$adapter<forms::f16_bits::$f>, u16>,
            Map<$adapter<forms::bf16_bits::$f>, u16>,
            $l,
        >($from)
    };
    ($l:ident $from:ident $to:ident: Exact $adapter:ident $f:ident [float] $($columns:tt)*) => {
        map::float::<
            $adapter<forms::float::$f>,
            Map<$adapter<forms::f16::$f>, f16>,
            Map<$adapter<forms::float::$f>, bf16>,
            $l,
        >($from)
    };
    ($l:ident $from:ident $to:ident: Exact $adapter:ident $f:ident [$($class:ident)*] $($columns:tt)*) => {
        None $(.or_else(|| map::$class::<$adapter<functions::$f>, $l>($from)))*
    };
}

eltwise_core::catalogue!(table);

/// Lane functions over the dtypes of each class.
mod map {
    use super::*;

    #[inline(never)]
    pub(super) fn bool<F: Lanewise<u8, L>, L: SimdToken>(dtype: DType) -> Option<Kernel> {
        if dtype == DType::Bool { rows::<L, Map<F, Bool>>() } else { None }
    }

    #[inline(never)]
    pub(super) fn int<F, L: SimdToken>(dtype: DType) -> Option<Kernel>
    where
        F: Lanewise<i8, L> + Lanewise<i16, L> + Lanewise<i32, L> + Lanewise<i64, L>,
        F: Lanewise<u8, L> + Lanewise<u16, L> + Lanewise<u32, L> + Lanewise<u64, L>,
    {
        int_kernel!(dtype, const { !<F as Lanewise<i32, L>>::SIGN_AGNOSTIC }, C => rows::<L, Map<F, C>>())
    }

    /// `F` over `f32` and `f64`; the bodies of `f16` and `bf16` are given.
    #[inline(never)]
    #[cfg_attr(not(feature = "half"), allow(clippy::extra_unused_type_parameters, reason = "no 16-bit floats"))]
    pub(super) fn float<F, F16: Body<L>, BF16: Body<L>, L: SimdToken>(dtype: DType) -> Option<Kernel>
    where
        F: Lanewise<f32, L> + Lanewise<f64, L>,
    {
        match dtype {
            #[cfg(feature = "half")]
            DType::F16 => rows::<L, F16>(),
            #[cfg(feature = "half")]
            DType::BF16 => rows::<L, BF16>(),
            DType::F32 => rows::<L, Map<F, f32>>(),
            #[cfg(feature = "f64")]
            DType::F64 => rows::<L, Map<F, f64>>(),
            _ => None,
        }
    }
}

/// A math function over `f32` and `f64`.
#[inline(never)]
fn math<F: Lanewise<f32, L::MathToken> + Lanewise<f64, L::MathToken>, L: SimdToken>(dtype: DType) -> Option<Kernel> {
    match dtype {
        DType::F32 => rows::<L::MathToken, MapLong<F, f32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L::MathToken, MapLong<F, f64>>(),
        _ => None,
    }
}

/// Powers: by an exponent per element, and by one per row.
#[inline(never)]
fn pow_constant<L: SimdToken>(dtype: DType) -> Option<Kernel> {
    type Power<C> = RowsByScalar<MapLong<Binary<functions::PowConstant>, C>, ScalarOperand<functions::PowConstant, C>>;
    match dtype {
        DType::F32 => Some(L::MathToken::entry::<Power<f32>, Call>()),
        #[cfg(feature = "f64")]
        DType::F64 => Some(L::MathToken::entry::<Power<f64>, Call>()),
        _ => None,
    }
}

/// Predicates over the dtypes of each class.
mod predicate {
    use super::*;

    #[inline(never)]
    pub(super) fn bool<F: LanewisePredicate<u8, L>, L: SimdToken>(dtype: DType) -> Option<Kernel> {
        if dtype == DType::Bool { rows::<L, Predicate<F, Bool>>() } else { None }
    }

    #[inline(never)]
    pub(super) fn int<F, L: SimdToken>(dtype: DType) -> Option<Kernel>
    where
        F: LanewisePredicate<i8, L> + LanewisePredicate<i16, L> + LanewisePredicate<i32, L> + LanewisePredicate<i64, L>,
        F: LanewisePredicate<u8, L> + LanewisePredicate<u16, L> + LanewisePredicate<u32, L> + LanewisePredicate<u64, L>,
    {
        int_kernel!(
            dtype,
            const { !<F as LanewisePredicate<i32, L>>::SIGN_AGNOSTIC },
            C => rows::<L, Predicate<F, C>>()
        )
    }

    #[inline(never)]
    pub(super) fn float<F, L: SimdToken>(dtype: DType) -> Option<Kernel>
    where
        F: LanewisePredicate<f32, L> + LanewisePredicate<f64, L>,
    {
        float_kernel!(dtype, C => rows::<L, Predicate<F, C>>())
    }
}

#[inline(never)]
fn exponent<L: SimdToken>(dtype: DType) -> Option<Kernel> {
    float_kernel!(dtype, C => rows::<L, Convert<C, Exponent>>())
}

/// `nextafter` on the bits of each float dtype, given the bits of its infinity.
#[inline(never)]
fn next_after<L: SimdToken>(dtype: DType) -> Option<Kernel> {
    match dtype {
        #[cfg(feature = "half")]
        DType::F16 => rows::<L, Map<Binary<functions::NextAfter<0x7c00>>, u16>>(),
        #[cfg(feature = "half")]
        DType::BF16 => rows::<L, Map<Binary<functions::NextAfter<0x7f80>>, u16>>(),
        DType::F32 => rows::<L, Map<Binary<functions::NextAfter<0x7f80_0000>>, u32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L, Map<Binary<functions::NextAfter<0x7ff0_0000_0000_0000>>, u64>>(),
        _ => None,
    }
}

/// A division of integers: elementwise, and by one divisor per row.
#[inline(never)]
fn division<F, L: SimdToken>(dtype: DType) -> Option<Kernel>
where
    F: ByScalar<i8, L> + ByScalar<i16, L> + ByScalar<i32, L> + ByScalar<i64, L>,
    F: ByScalar<u8, L> + ByScalar<u16, L> + ByScalar<u32, L> + ByScalar<u64, L>,
{
    int_kernel!(dtype, true, C => Some(L::entry::<RowsByScalar<Map<Binary<F>, C>, ScalarOperand<F, C>>, Call>()))
}

#[inline(never)]
fn select<L: SimdToken>(size: usize) -> Option<Kernel> {
    match size {
        1 => rows::<L, Select<u8>>(),
        2 => rows::<L, Select<u16>>(),
        4 => rows::<L, Select<u32>>(),
        8 => rows::<L, Select<u64>>(),
        16 => rows::<L, Select16>(),
        _ => None,
    }
}

#[inline(never)]
pub(crate) fn copy<L: SimdToken>(size: usize) -> Option<Kernel> {
    match size {
        1 => Some(L::entry::<Copy<u8>, Call>()),
        2 => Some(L::entry::<Copy<u16>, Call>()),
        4 => Some(L::entry::<Copy<u32>, Call>()),
        8 => Some(L::entry::<Copy<u64>, Call>()),
        16 => Some(L::entry::<Copy<u128>, Call>()),
        _ => None,
    }
}
