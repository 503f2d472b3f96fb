//! The kernel table: (operator, dtype, ISA) to a function, with inheritance.
//!
//! A level that has no kernel of its own uses the one of the level below. `cast` is the only operator whose result
//! dtype is a second key.

use eltwise_plan::{DType, Op};
use eltwise_simd::lanes::Level;
use eltwise_simd::quotient::QuotientLanes;
use eltwise_simd::reciprocal::Invertible;
use eltwise_simd::{Bool, Isa, Scalar, Storage, Stored, Token};
#[cfg(feature = "half")]
use half::{bf16, f16};

use crate::abi::{Call, Kernel};
use crate::body::divided::Divided;
use crate::body::each::Each;
use crate::body::map::Map;
use crate::body::moves::Copy;
use crate::body::select::{Select, Select16};
use crate::body::test::Test;
use crate::casts;
use crate::functions::{self, Binary, ByDivisor, Lanewise, LanewiseTest, Ternary, Unary};
use crate::halves::{Converted, Halves, OnBits, halves};
use crate::rows::{Rows, RowsByDivisor};

/// A kernel and the level that it was compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The function.
    pub kernel: Kernel,
    /// The level whose kernel it is: the one asked for, or one it inherits from.
    pub owner: Isa,
}

impl Entry {
    /// What a level has of its `own`, or the best one below it has.
    pub(crate) fn inherited(isa: Isa, own: impl Fn(Isa) -> Option<Kernel>) -> Option<Entry> {
        let mut level = Some(isa);
        while let Some(owner) = level {
            if let Some(kernel) = own(owner) {
                return Some(Entry { kernel, owner });
            }
            level = owner.parent();
        }
        None
    }
}

/// The kernel of `op` on operands of `from` with results of `to`, for level `isa` or the best one below it.
///
/// `from` is the dtype T of the operator's signature; `to` counts for `cast` only. `None` when no level has one: the
/// operator does not take the dtype, or the build leaves its family out. Whether the CPU has the level is the caller's to
/// check: calling a kernel is unsafe.
pub fn kernel(op: Op, from: DType, to: DType, isa: Isa) -> Option<Entry> {
    Entry::inherited(isa, |owner| own(op, from, to, owner))
}

/// The kernel that a level has of its own.
fn own(op: Op, from: DType, to: DType, isa: Isa) -> Option<Kernel> {
    match isa {
        Isa::Scalar => stamp::<Scalar>(op, from, to),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => stamp::<eltwise_simd::x86_64::Avx2>(op, from, to),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => stamp::<eltwise_simd::x86_64::Avx512>(op, from, to),
        #[cfg(all(target_arch = "x86_64", feature = "half"))]
        Isa::Avx512Fp16 => crate::native_half::kernel::<eltwise_simd::x86_64::Avx512Fp16>(op, from),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => stamp::<eltwise_simd::aarch64::Neon>(op, from, to),
        #[cfg(all(target_arch = "aarch64", feature = "half"))]
        Isa::NeonFp16 => crate::native_half::kernel::<eltwise_simd::aarch64::NeonFp16>(op, from),
        _ => None,
    }
}

/// Whether this build has the kernels of a dtype's family.
pub fn is_built(dtype: DType) -> bool {
    let all = [
        ("f64", cfg!(feature = "f64")),
        ("half", cfg!(feature = "half")),
        ("small-int", cfg!(feature = "small-int")),
        ("wide-int", cfg!(feature = "wide-int")),
    ];
    feature_of(dtype).is_none_or(|feature| all.contains(&(feature, true)))
}

/// The feature that a build needs for kernels of a dtype, if any.
pub fn feature_of(dtype: DType) -> Option<&'static str> {
    match dtype {
        DType::F64 => Some("f64"),
        DType::F16 | DType::BF16 => Some("half"),
        DType::I8 | DType::I16 | DType::U8 | DType::U16 => Some("small-int"),
        DType::I64 | DType::U64 => Some("wide-int"),
        _ => None,
    }
}

macro_rules! table {
    ($($variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident [$($condition:ident)*] $doc:literal;)*) => {
        /// The kernels of one level: a row of the catalogue without a lane function does not compile.
        ///
        /// A row looks its dtype up in a function that is not inlined: of a build of few dtypes, the compiler made all choices of all
        /// rows before it looked at the operator, a thousand instructions.
        fn stamp<L: Level>(op: Op, from: DType, to: DType) -> Option<Kernel> {
            match op {
                $(Op::$variant => row!($exactness $signature $variant L from to [$($class)*]),)*
                _ => None,
            }
        }
    };
}

/// The lane function of an operator over a class of dtypes: another operator's where they are the same function. Of `half`, which is `f16`
/// among the floats: a form of it that is faster beside conversions, where there is one.
macro_rules! form {
    ($class:ident Positive) => {
        functions::Identity
    };
    ($class:ident LeakyRelu) => {
        functions::Prelu
    };
    ($class:ident HardTanh) => {
        functions::Clamp
    };
    (int Floor) => {
        functions::Identity
    };
    (int Ceil) => {
        functions::Identity
    };
    (int Trunc) => {
        functions::Identity
    };
    (int Round) => {
        functions::Identity
    };
    (int RoundHalfAway) => {
        functions::Identity
    };
    (int Fmax) => {
        functions::Maximum
    };
    (int Fmin) => {
        functions::Minimum
    };
    (half Add) => {
        functions::AddConverted
    };
    (half Subtract) => {
        functions::SubtractConverted
    };
    ($class:ident $f:ident) => {
        functions::$f
    };
}
#[cfg(feature = "half")]
pub(crate) use form;

/// A function, under its adapter, over the dtypes of a class: 16-bit floats may have a form of their own.
macro_rules! over {
    (float $adapter:ident $f:ident $l:ident $from:ident) => {
        map::float::<$adapter<form!(float $f)>, halves!($adapter $f), $l>($from)
    };
    ($class:ident $adapter:ident $f:ident $l:ident $from:ident) => {
        map::$class::<$adapter<form!($class $f)>, $l>($from)
    };
}

/// One operator: a math function, or by its signature.
macro_rules! row {
    (Exact $signature:ident $($rest:tt)*) => { cell!($signature $($rest)*) };
    (Math Same2 Pow $l:ident $from:ident $to:ident $classes:tt) => {
        map::int::<Binary<functions::Pow>, $l>($from).or_else(|| math::<Binary<functions::PowFloat>, $l>($from))
    };
    (Math Same1 $f:ident $l:ident $from:ident $to:ident $classes:tt) => { math::<Unary<functions::$f>, $l>($from) };
    (Math Same2 $f:ident $l:ident $from:ident $to:ident $classes:tt) => { math::<Binary<functions::$f>, $l>($from) };
}

/// One operator: by its signature, its classes of dtypes one after the other.
macro_rules! cell {
    (Convert Bitcast $l:ident $from:ident $to:ident $classes:tt) => {
        if $from.size() == $to.size() { copy::<$l>($from.size()) } else { None }
    };
    // Composite operators have no kernels.
    (Convert CastSaturating $l:ident $from:ident $to:ident $classes:tt) => { None };
    (Fold $f:ident $l:ident $from:ident $to:ident $classes:tt) => { None };
    (Scale $f:ident $l:ident $from:ident $to:ident $classes:tt) => { None };
    (Count $f:ident $l:ident $from:ident $to:ident $classes:tt) => { None };
    (Exponent $f:ident $l:ident $from:ident $to:ident $classes:tt) => { None };
    (Same1 Mantissa $l:ident $from:ident $to:ident $classes:tt) => { None };
    (Quantize $f:ident $l:ident $from:ident $to:ident $classes:tt) => { None };
    (Dequantize $f:ident $l:ident $from:ident $to:ident $classes:tt) => { None };
    (Select $f:ident $l:ident $from:ident $to:ident $classes:tt) => { select::<$l>($from.size()) };
    (Convert $f:ident $l:ident $from:ident $to:ident $classes:tt) => { casts::cast::<$l>($from, $to) };
    (Move $f:ident $l:ident $from:ident $to:ident $classes:tt) => { copy::<$l>($from.size()) };
    (Same1 $f:ident $l:ident $from:ident $to:ident [$($class:ident)*]) => {
        None $(.or_else(|| over!($class Unary $f $l $from)))*
    };
    (Same2 NextAfter $l:ident $from:ident $to:ident $classes:tt) => { next_after::<$l>($from) };
    (Same2 Divide $l:ident $from:ident $to:ident $classes:tt) => {
        division::<functions::TruncDivide, $l>($from).or_else(|| over!(float Binary Divide $l $from))
    };
    (Same2 FloorDivide $l:ident $from:ident $to:ident $classes:tt) => {
        division::<functions::FloorDivide, $l>($from).or_else(|| over!(float Binary FloorDivide $l $from))
    };
    (Same2 TruncDivide $l:ident $from:ident $to:ident $classes:tt) => { division::<functions::TruncDivide, $l>($from) };
    (Same2 Remainder $l:ident $from:ident $to:ident $classes:tt) => {
        division::<functions::Remainder, $l>($from).or_else(|| over!(float Binary Remainder $l $from))
    };
    (Same2 Fmod $l:ident $from:ident $to:ident $classes:tt) => {
        division::<functions::Fmod, $l>($from).or_else(|| over!(float Binary Fmod $l $from))
    };
    (Same2 $f:ident $l:ident $from:ident $to:ident [$($class:ident)*]) => {
        None $(.or_else(|| over!($class Binary $f $l $from)))*
    };
    (Same3 $f:ident $l:ident $from:ident $to:ident [$($class:ident)*]) => {
        None $(.or_else(|| over!($class Ternary $f $l $from)))*
    };
    (Test1 $f:ident $l:ident $from:ident $to:ident [$($class:ident)*]) => {
        None $(.or_else(|| test::$class::<Unary<form!($class $f)>, $l>($from)))*
    };
    (Test2 $f:ident $l:ident $from:ident $to:ident [$($class:ident)*]) => {
        None $(.or_else(|| test::$class::<Binary<form!($class $f)>, $l>($from)))*
    };
}

eltwise_plan::catalogue!(table);

pub(crate) fn rows<L: Token, B: crate::rows::Body<L>>() -> Option<Kernel> {
    Some(L::entry::<Rows<B>, Call>())
}

/// A function over the dtypes of each class.
mod map {
    use super::*;

    #[inline(never)]
    pub(super) fn bool<F: Lanewise<u8, L>, L: Level>(dtype: DType) -> Option<Kernel> {
        if dtype == DType::Bool { rows::<L, Map<F, Bool>>() } else { None }
    }

    #[inline(never)]
    pub(super) fn int<F, L: Level>(dtype: DType) -> Option<Kernel>
    where
        F: Lanewise<i8, L> + Lanewise<i16, L> + Lanewise<i32, L> + Lanewise<i64, L>,
        F: Lanewise<u8, L> + Lanewise<u16, L> + Lanewise<u32, L> + Lanewise<u64, L>,
    {
        match dtype {
            #[cfg(feature = "small-int")]
            DType::I8 if const { !<F as Lanewise<i32, L>>::SIGNLESS } => rows::<L, Map<F, i8>>(),
            #[cfg(feature = "small-int")]
            DType::I16 if const { !<F as Lanewise<i32, L>>::SIGNLESS } => rows::<L, Map<F, i16>>(),
            DType::I32 if const { !<F as Lanewise<i32, L>>::SIGNLESS } => rows::<L, Map<F, i32>>(),
            #[cfg(feature = "wide-int")]
            DType::I64 if const { !<F as Lanewise<i32, L>>::SIGNLESS } => rows::<L, Map<F, i64>>(),
            #[cfg(feature = "small-int")]
            DType::U8 | DType::I8 => rows::<L, Map<F, u8>>(),
            #[cfg(feature = "small-int")]
            DType::U16 | DType::I16 => rows::<L, Map<F, u16>>(),
            DType::U32 | DType::I32 => rows::<L, Map<F, u32>>(),
            #[cfg(feature = "wide-int")]
            DType::U64 | DType::I64 => rows::<L, Map<F, u64>>(),
            _ => None,
        }
    }

    #[inline(never)]
    pub(super) fn float<F, H, L: Level>(dtype: DType) -> Option<Kernel>
    where
        F: Lanewise<f32, L> + Lanewise<f64, L>,
        H: Halves<L>,
    {
        match dtype {
            DType::F16 | DType::BF16 => H::kernel(dtype),
            DType::F32 => rows::<L, Map<F, f32>>(),
            #[cfg(feature = "f64")]
            DType::F64 => rows::<L, Map<F, f64>>(),
            _ => None,
        }
    }
}

/// A math function; the plan gives narrower floats to that of f32.
#[inline(never)]
fn math<F: Lanewise<f32, L::Long> + Lanewise<f64, L::Long>, L: Level>(dtype: DType) -> Option<Kernel> {
    match dtype {
        DType::F32 => rows::<L::Long, Each<F, f32>>(),
        #[cfg(feature = "f64")]
        DType::F64 => rows::<L::Long, Each<F, f64>>(),
        _ => None,
    }
}

/// A test over the dtypes of each class.
mod test {
    use super::*;

    #[inline(never)]
    pub(super) fn bool<F: LanewiseTest<u8, L>, L: Level>(dtype: DType) -> Option<Kernel> {
        if dtype == DType::Bool { rows::<L, Test<F, Bool>>() } else { None }
    }

    #[inline(never)]
    pub(super) fn int<F, L: Level>(dtype: DType) -> Option<Kernel>
    where
        F: LanewiseTest<i8, L> + LanewiseTest<i16, L> + LanewiseTest<i32, L> + LanewiseTest<i64, L>,
        F: LanewiseTest<u8, L> + LanewiseTest<u16, L> + LanewiseTest<u32, L> + LanewiseTest<u64, L>,
    {
        match dtype {
            #[cfg(feature = "small-int")]
            DType::I8 if const { !<F as LanewiseTest<i32, L>>::SIGNLESS } => rows::<L, Test<F, i8>>(),
            #[cfg(feature = "small-int")]
            DType::I16 if const { !<F as LanewiseTest<i32, L>>::SIGNLESS } => rows::<L, Test<F, i16>>(),
            DType::I32 if const { !<F as LanewiseTest<i32, L>>::SIGNLESS } => rows::<L, Test<F, i32>>(),
            #[cfg(feature = "wide-int")]
            DType::I64 if const { !<F as LanewiseTest<i32, L>>::SIGNLESS } => rows::<L, Test<F, i64>>(),
            #[cfg(feature = "small-int")]
            DType::U8 | DType::I8 => rows::<L, Test<F, u8>>(),
            #[cfg(feature = "small-int")]
            DType::U16 | DType::I16 => rows::<L, Test<F, u16>>(),
            DType::U32 | DType::I32 => rows::<L, Test<F, u32>>(),
            #[cfg(feature = "wide-int")]
            DType::U64 | DType::I64 => rows::<L, Test<F, u64>>(),
            _ => None,
        }
    }

    #[inline(never)]
    pub(super) fn float<F: LanewiseTest<f32, L> + LanewiseTest<f64, L>, L: Level>(dtype: DType) -> Option<Kernel> {
        match dtype {
            #[cfg(feature = "half")]
            DType::F16 => rows::<L, Test<F, f16>>(),
            #[cfg(feature = "half")]
            DType::BF16 => rows::<L, Test<F, bf16>>(),
            DType::F32 => rows::<L, Test<F, f32>>(),
            #[cfg(feature = "f64")]
            DType::F64 => rows::<L, Test<F, f64>>(),
            _ => None,
        }
    }
}

/// Over the bits of each float dtype, with those of its infinity.
#[inline(never)]
fn next_after<L: Level>(dtype: DType) -> Option<Kernel> {
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

/// A division of integers: by a tensor, and by one divisor a row.
#[inline(never)]
fn division<F, L: Level>(dtype: DType) -> Option<Kernel>
where
    F: ByDivisor<i8, L> + ByDivisor<i16, L> + ByDivisor<i32, L> + ByDivisor<i64, L>,
    F: ByDivisor<u8, L> + ByDivisor<u16, L> + ByDivisor<u32, L> + ByDivisor<u64, L>,
{
    fn cell<C: Invertible + Stored<Compute = C>, F: ByDivisor<C, L>, L: QuotientLanes<C> + Storage<C>>()
    -> Option<Kernel> {
        Some(L::entry::<RowsByDivisor<Map<Binary<F>, C>, Divided<F, C>>, Call>())
    }
    match dtype {
        #[cfg(feature = "small-int")]
        DType::I8 => cell::<i8, F, L>(),
        #[cfg(feature = "small-int")]
        DType::I16 => cell::<i16, F, L>(),
        DType::I32 => cell::<i32, F, L>(),
        #[cfg(feature = "wide-int")]
        DType::I64 => cell::<i64, F, L>(),
        #[cfg(feature = "small-int")]
        DType::U8 => cell::<u8, F, L>(),
        #[cfg(feature = "small-int")]
        DType::U16 => cell::<u16, F, L>(),
        DType::U32 => cell::<u32, F, L>(),
        #[cfg(feature = "wide-int")]
        DType::U64 => cell::<u64, F, L>(),
        _ => None,
    }
}

#[inline(never)]
fn select<L: Level>(size: usize) -> Option<Kernel> {
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
pub(crate) fn copy<L: Level>(size: usize) -> Option<Kernel> {
    match size {
        1 => Some(L::entry::<Copy<u8>, Call>()),
        2 => Some(L::entry::<Copy<u16>, Call>()),
        4 => Some(L::entry::<Copy<u32>, Call>()),
        8 => Some(L::entry::<Copy<u64>, Call>()),
        16 => Some(L::entry::<Copy<u128>, Call>()),
        _ => None,
    }
}
