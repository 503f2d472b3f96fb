//! Kernels that compute `f16` in `f16`, for ISAs with `f16` arithmetic. These are the only kernels that such an ISA
//! adds.
//!
//! An operator has one if its lane function rounds at most once: the bits then equal the bits of `f32` arithmetic
//! and one rounding (see [`native_f16`](eltwise_simd::native_f16)). The column `half` of the catalogue says so. `fma`,
//! `squared_difference` and `softsign` would round twice in `f16` and use the kernels of the ISA below. So do quotients
//! and roots if the ISA is slow at them.

use ::half::f16;
use eltwise_core::{DType, Op};
use eltwise_simd::{Isa, NativeF16, NativeF16Lanes, Token};

use super::entry::rows;
use crate::abi::Kernel;
use crate::body::map::Map;
use crate::body::predicate::Predicate;
use crate::functions::{Binary, Lanewise, LanewisePredicate, Ternary, Unary, forms::float};

/// The `f16` kernel of `op` that an ISA adds, if it adds one.
pub(super) fn kernel(op: Op, dtype: DType, isa: Isa) -> Option<Kernel> {
    if dtype != DType::F16 {
        return None;
    }
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512Fp16 => of_isa::<eltwise_simd::x86_64::Avx512Fp16>(op),
        #[cfg(target_arch = "aarch64")]
        Isa::NeonFp16 => of_isa::<eltwise_simd::aarch64::NeonFp16>(op),
        _ => {
            let _ = op; // unused on other architectures
            None
        }
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! table {
    ($(
        #[doc = $doc:literal] $variant:ident $name:ident $signature:ident $operands:tt $classes:tt
        $exactness:ident $cost:ident $half:ident $kernels:tt $conditions:tt;
    )*) => {
        fn of_isa<L: Token + NativeF16Lanes>(op: Op) -> Option<Kernel> {
            match op {
                Op::Divide | Op::Reciprocal | Op::Sqrt if !L::FAST_QUOTIENTS => None,
                $(Op::$variant => native!($half $signature $variant L),)*
                _ => None,
            }
        }
    };
}

/// The kernel of one operator: `native!(Native Binary Add L)` expands to `map::<Binary<float::Add>, L>()`.
macro_rules! native {
    (Native UnaryPredicate $f:ident $l:ident) => {
        test::<Unary<float::$f>, $l>()
    };
    (Native BinaryPredicate $f:ident $l:ident) => {
        test::<Binary<float::$f>, $l>()
    };
    (Native $adapter:ident $f:ident $l:ident) => {
        map::<$adapter<float::$f>, $l>()
    };
    (BitsOrNative $adapter:ident $f:ident $l:ident) => {
        map::<$adapter<float::$f>, $l>()
    };
    ($half:ident $signature:ident $f:ident $l:ident) => {
        None
    };
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
eltwise_core::catalogue!(table);

fn map<F: Lanewise<f16, L>, L: Token + NativeF16Lanes>() -> Option<Kernel> {
    rows::<L, Map<F, NativeF16>>()
}

fn test<F: LanewisePredicate<f16, L>, L: Token + NativeF16Lanes>() -> Option<Kernel> {
    rows::<L, Predicate<F, NativeF16>>()
}
