//! How the 16-bit floats compute where a level has no [instructions](crate::native_half) for it: in `f32`, or on their bits.

use core::marker::PhantomData;

use eltwise_plan::DType;
use eltwise_simd::lanes::Level;
use half::{bf16, f16};

use crate::abi::Kernel;
use crate::body::map::Map;
use crate::functions::Lanewise;
use crate::rows::Body;
#[cfg(feature = "half")]
use crate::table::rows;

/// How the 16-bit floats compute a function, under its adapter: one that needs no arithmetic on their bits.
macro_rules! halves {
    ($adapter:ident Abs) => { OnBits<$adapter<functions::halves::Abs>, $adapter<functions::halves::Abs>> };
    ($adapter:ident Negative) => { OnBits<$adapter<functions::halves::Negative>, $adapter<functions::halves::Negative>> };
    ($adapter:ident Copysign) => { OnBits<$adapter<functions::halves::Copysign>, $adapter<functions::halves::Copysign>> };
    ($adapter:ident Maximum) => { halves!(ordered $adapter Maximum) };
    ($adapter:ident Minimum) => { halves!(ordered $adapter Minimum) };
    ($adapter:ident Clamp) => { halves!(ordered $adapter Clamp) };
    ($adapter:ident HardTanh) => { halves!(ordered $adapter Clamp) };
    ($adapter:ident Relu) => { halves!(ordered $adapter Relu) };
    (ordered $adapter:ident $f:ident) => {
        OnBits<$adapter<functions::halves::$f<0x7c00>>, $adapter<functions::halves::$f<0x7f80>>>
    };
    ($adapter:ident $f:ident) => { Converted<$adapter<form!(half $f)>, $adapter<form!(float $f)>> };
}
pub(crate) use halves;

/// The kernels of a function over the 16-bit floats.
pub(crate) trait Halves<L> {
    /// That of `f16` or of `bf16`, if this build has them.
    fn kernel(dtype: DType) -> Option<Kernel>;
}

/// In `f32`: `F` over `f16`, `B` over `bf16`.
pub(crate) struct Converted<F, B>(PhantomData<(F, B)>);
impl<L: Level, F: Lanewise<f32, L>, B: Lanewise<f32, L>> Halves<L> for Converted<F, B> {
    #[inline(always)]
    fn kernel(dtype: DType) -> Option<Kernel> {
        of_bodies::<L, Map<F, f16>, Map<B, bf16>>(dtype)
    }
}

/// On bits, by a function of each format's.
pub(crate) struct OnBits<F, B>(PhantomData<(F, B)>);
impl<L: Level, F: Lanewise<u16, L>, B: Lanewise<u16, L>> Halves<L> for OnBits<F, B> {
    #[inline(always)]
    fn kernel(dtype: DType) -> Option<Kernel> {
        of_bodies::<L, Map<F, u16>, Map<B, u16>>(dtype)
    }
}

#[cfg_attr(not(feature = "half"), allow(clippy::extra_unused_type_parameters, reason = "there are no 16-bit floats"))]
#[inline(always)]
fn of_bodies<L: Level, F: Body<L>, B: Body<L>>(dtype: DType) -> Option<Kernel> {
    match dtype {
        #[cfg(feature = "half")]
        DType::F16 => rows::<L, F>(),
        #[cfg(feature = "half")]
        DType::BF16 => rows::<L, B>(),
        _ => None,
    }
}
