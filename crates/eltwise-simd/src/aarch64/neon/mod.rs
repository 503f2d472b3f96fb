//! NEON, and NEON with half-precision arithmetic: the tokens [`Neon`] and [`NeonFp16`], and their entries. The
//! submodules implement the lane traits, as far as `pulp`'s `Neon` does not.
//!
//! Both tokens are one type with a marker. The code is generic over the marker; the entries enable different features.

mod blocks;
mod half;
mod lanes;
mod masks;
mod math;
mod native_f16;

use core::marker::PhantomData;

use crate::float_to_int::FloatToIntLanes;
use crate::int_div::IntDivLanes;
use crate::int8_to_float::Int8ToFloatLanes;
use crate::int64_to_float::Int64ToFloatLanes;
use crate::isa::Isa;
use crate::math::HasMathToken;
use crate::token::{Entry, Token};

/// A token of NEON; the marker `X` says for which ISA.
#[derive(Clone, Copy, Debug)]
pub struct NeonToken<X> {
    neon: pulp::aarch64::Neon,
    marker: PhantomData<X>,
}

/// Marks [`Isa::Neon`].
#[derive(Clone, Copy, Debug)]
pub struct Base;
/// Marks [`Isa::NeonFp16`].
#[derive(Clone, Copy, Debug)]
pub struct Fp16;

/// The token of [`Isa::Neon`].
pub type Neon = NeonToken<Base>;
/// The token of [`Isa::NeonFp16`].
pub type NeonFp16 = NeonToken<Fp16>;

impl<X> NeonToken<X> {
    /// Creates the token without a check.
    ///
    /// # Safety
    /// The ISA is available.
    #[inline(always)]
    unsafe fn new_unchecked() -> Self {
        // SAFETY: the caller's contract.
        NeonToken { neon: unsafe { pulp::aarch64::Neon::new_unchecked() }, marker: PhantomData }
    }
}

impl Token for Neon {
    const ISA: Isa = Isa::Neon;
    fn entry<E: Entry<Neon, A>, A>() -> unsafe fn(&A) {
        enter::<E, A>
    }
}

impl Token for NeonFp16 {
    const ISA: Isa = Isa::NeonFp16;
    fn entry<E: Entry<NeonFp16, A>, A>() -> unsafe fn(&A) {
        enter_fp16::<E, A>
    }
}

/// # Safety
/// [`Isa::Neon`] is available, and `E::run`'s contract.
#[target_feature(enable = "neon")]
unsafe fn enter<E: Entry<Neon, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Neon::new_unchecked(), argument) };
}

/// # Safety
/// [`Isa::NeonFp16`] is available, and `E::run`'s contract.
#[target_feature(enable = "neon,fp16")]
unsafe fn enter_fp16<E: Entry<NeonFp16, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(NeonFp16::new_unchecked(), argument) };
}

impl HasMathToken for Neon {
    type MathToken = Neon;
}

impl HasMathToken for NeonFp16 {
    type MathToken = NeonFp16;
}

// Conversions and integer division use the portable default methods, which LLVM vectorizes for NEON.
macro_rules! portable {
    ($($trait:ident: $($t:ty)*;)*) => {$($(
        impl $trait<$t> for Neon {}
        impl $trait<$t> for NeonFp16 {}
    )*)*};
}

portable! {
    IntDivLanes: i8 i16 i32 i64 u8 u16 u32 u64;
    FloatToIntLanes: i8 i16 i32 i64 u8 u16 u64;
    Int64ToFloatLanes: i64 u64;
    Int8ToFloatLanes: i8 u8;
}
