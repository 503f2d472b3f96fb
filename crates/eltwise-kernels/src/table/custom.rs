//! Kernels of user-written lane functions: [`custom`] runs a [`Function`] in the loop bodies of this crate.

use ::half::{bf16, f16};
use eltwise_core::DType;
use eltwise_simd::storage::{RoundTrip, Storage, Stored};
use eltwise_simd::{Bool, Isa, Scalar, Token};

use crate::abi::{Call, Kernel, NEGATIVE_EXPONENT, ZERO_DIVISION};
use crate::body::map::Map;
use crate::functions::Lanewise;
use crate::rows::Rows;

/// A stored type with its dtype, and the tokens of this architecture, all with lanes of the type.
///
/// The tokens are associated types so that a bound on this trait alone says that every ISA loads and stores the type.
/// The trait is sealed, because kernels step through memory by the sizes that it implies.
pub trait Elements: Stored + sealed::Sealed {
    /// The dtype.
    const DTYPE: DType;
    /// The token of the scalar ISA.
    type Scalar: TokenFor<Self>;
    /// The token of AVX2 on x86-64.
    #[cfg(target_arch = "x86_64")]
    type Avx2: TokenFor<Self>;
    /// The token of AVX-512 on x86-64.
    #[cfg(target_arch = "x86_64")]
    type Avx512: TokenFor<Self>;
    /// The token of NEON on aarch64.
    #[cfg(target_arch = "aarch64")]
    type Neon: TokenFor<Self>;
}

mod sealed {
    /// Implemented in this crate only.
    pub trait Sealed {}
}

/// A token with lanes of the elements of `S`.
pub trait TokenFor<S: Stored>: Token + Storage<S> + RoundTrip<S> {}
impl<S: Stored, L: Token + Storage<S> + RoundTrip<S>> TokenFor<S> for L {}

// `function!(Scalar Neon);` expands to
//
//     pub trait Function<S: Elements>: Lanewise<S::Compute, S::Scalar> + Lanewise<S::Compute, S::Neon> {}
//
// and its implementation for every type with these bounds.
macro_rules! function {
    ($($isa:ident)*) => {
        /// A lane function for every ISA of this architecture.
        pub trait Function<S: Elements>: $(Lanewise<S::Compute, S::$isa> +)* {}
        impl<S: Elements, F> Function<S> for F where F: $(Lanewise<S::Compute, S::$isa> +)* {}
    };
}

#[cfg(target_arch = "x86_64")]
function!(Scalar Avx2 Avx512);
#[cfg(target_arch = "aarch64")]
function!(Scalar Neon);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
function!(Scalar);

// A row is a stored type and its dtype.
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

/// The kernel of `F` over elements of `S` for `isa` or the best ISA below it that has one. The caller checks that the
/// CPU has the ISA: calling a kernel is unsafe.
pub fn custom<F: Function<S>, S: Elements>(isa: Isa) -> Kernel {
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => of_isa::<S::Avx2, F, S>(),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => of_isa::<S::Avx512, F, S>(),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon | Isa::NeonFp16 => of_isa::<S::Neon, F, S>(),
        _ => of_isa::<S::Scalar, F, S>(),
    }
}

fn of_isa<L: TokenFor<S>, F: Lanewise<S::Compute, L> + Lanewise<S::Compute, S::Scalar>, S: Elements>() -> Kernel {
    const {
        let arity = <F as Lanewise<S::Compute, L>>::ARITY;
        assert!(1 <= arity && arity <= 3, "a function has one to three operands");
        assert!(arity == <F as Lanewise<S::Compute, S::Scalar>>::ARITY, "a function has as many operands on each ISA");
        let known = ZERO_DIVISION | NEGATIVE_EXPONENT;
        assert!(
            <F as Lanewise<S::Compute, L>>::CONDITION & !known == 0,
            "a function reports conditions that a status has"
        );
    }
    L::entry::<Rows<Map<F, S>>, Call>()
}
