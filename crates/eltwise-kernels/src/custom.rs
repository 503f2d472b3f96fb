//! Kernels of functions that the catalogue does not have: the bodies of this crate around a function of somebody else's.

use eltwise_plan::DType;
use eltwise_simd::storage::{Rounds, Storage, Stored};
use eltwise_simd::{Bool, Isa, Scalar, Token};
use half::{bf16, f16};

use crate::abi::{Call, Kernel, NEGATIVE_EXPONENT, ZERO_DIVISION};
use crate::body::map::Map;
use crate::functions::Lanewise;
use crate::rows::Rows;

/// A type of elements in memory, with its dtype, and the levels of this architecture as types, each of which has lanes of it.
///
/// The levels are associated types so that a bound on this trait alone says that every level loads and stores the type. Sealed: kernels
/// step through memory by what it says.
pub trait Elements: Stored + sealed::Sealed {
    /// The dtype.
    const DTYPE: DType;
    /// The portable level.
    type Scalar: Level<Self>;
    /// AVX2 on x86-64.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Level<Self>;
    /// AVX-512 on x86-64.
    #[cfg(target_arch = "x86_64")]
    type Avx512: Level<Self>;
    /// NEON on aarch64.
    #[cfg(target_arch = "aarch64")]
    type Neon: Level<Self>;
}

mod sealed {
    /// Types of this crate's choice.
    pub trait Sealed {}
}

/// A level with lanes of the elements of `S`.
pub trait Level<S: Stored>: Token + Storage<S> + Rounds<S> {}
impl<S: Stored, L: Token + Storage<S> + Rounds<S>> Level<S> for L {}

/// A function on the lanes of every level of this architecture.
#[cfg(target_arch = "x86_64")]
pub trait Function<S: Elements>:
    Lanewise<S::Compute, S::Scalar> + Lanewise<S::Compute, S::Avx2> + Lanewise<S::Compute, S::Avx512>
{
}
#[cfg(target_arch = "x86_64")]
impl<S: Elements, F> Function<S> for F where
    F: Lanewise<S::Compute, S::Scalar> + Lanewise<S::Compute, S::Avx2> + Lanewise<S::Compute, S::Avx512>
{
}
/// A function on the lanes of every level of this architecture.
#[cfg(target_arch = "aarch64")]
pub trait Function<S: Elements>: Lanewise<S::Compute, S::Scalar> + Lanewise<S::Compute, S::Neon> {}
#[cfg(target_arch = "aarch64")]
impl<S: Elements, F> Function<S> for F where F: Lanewise<S::Compute, S::Scalar> + Lanewise<S::Compute, S::Neon> {}
/// A function on the lanes of every level of this architecture.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub trait Function<S: Elements>: Lanewise<S::Compute, S::Scalar> {}
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl<S: Elements, F> Function<S> for F where F: Lanewise<S::Compute, S::Scalar> {}

// One row a type.
macro_rules! elements {
    ($($t:ty, $dtype:ident;)*) => {$(
        impl sealed::Sealed for $t {}
        impl Elements for $t {
            const DTYPE: DType = DType::$dtype;
            type Scalar = Scalar;
            #[cfg(target_arch = "x86_64")]
            type Avx2 = eltwise_simd::x86_64::Avx2;
            #[cfg(target_arch = "x86_64")]
            type Avx512 = eltwise_simd::x86_64::Avx512;
            #[cfg(target_arch = "aarch64")]
            type Neon = eltwise_simd::aarch64::Neon;
        }
    )*};
}

elements! {
    Bool, Bool;
    i8, I8; i16, I16; i32, I32; i64, I64;
    u8, U8; u16, U16; u32, U32; u64, U64;
    f16, F16; bf16, BF16; f32, F32; f64, F64;
}

/// The kernel of `F` over elements of `S` for level `isa`, or the best one below it. Whether the CPU has the level is the caller's to
/// check: calling a kernel is unsafe.
pub fn custom<F: Function<S>, S: Elements>(isa: Isa) -> Kernel {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => level::<S::Avx2, F, S>(),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Fp16 => level::<S::Avx512, F, S>(),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon | Isa::NeonFp16 => level::<S::Neon, F, S>(),
        _ => level::<S::Scalar, F, S>(),
    }
}

fn level<L: Level<S>, F: Lanewise<S::Compute, L> + Lanewise<S::Compute, S::Scalar>, S: Elements>() -> Kernel {
    const {
        let arity = <F as Lanewise<S::Compute, L>>::ARITY;
        assert!(1 <= arity && arity <= 3, "a function has one to three operands");
        assert!(
            arity == <F as Lanewise<S::Compute, S::Scalar>>::ARITY,
            "a function has as many operands on each level"
        );
        let known = ZERO_DIVISION | NEGATIVE_EXPONENT;
        assert!(
            <F as Lanewise<S::Compute, L>>::CONDITION & !known == 0,
            "a function reports conditions that a status has"
        );
    }
    L::entry::<Rows<Map<F, S>>, Call>()
}
