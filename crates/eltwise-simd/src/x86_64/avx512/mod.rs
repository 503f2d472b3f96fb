//! AVX-512 (x86-64-v4 with F16C), alone, with VBMI, and with FP16 and VBMI: the tokens and their entries. The
//! submodules implement the lane traits, as far as `pulp`'s `V4` does not.
//!
//! The tokens are one type, [`Avx512Token`], with a marker. The code is generic over the marker; the entries enable
//! different features.

mod float_to_int;
pub(super) mod half;
mod int64_div;
mod int64_to_float;
mod int_div;
mod lanes;
mod masks;
mod math;
mod mul_high;
mod native_f16;
mod sqrt;

use core::arch::x86_64::_bzhi_u64;
use core::marker::PhantomData;

use pulp::x86::V4;

use crate::isa::Isa;
use crate::math::HasMathToken;
use crate::token::{Entry, Token};

/// A token of AVX-512; the marker `X` says with which features.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Token<X> {
    v4: V4,
    marker: PhantomData<X>,
}

/// Marks [`Isa::Avx512`].
#[derive(Clone, Copy, Debug)]
pub struct Base;
/// Marks [`Isa::Avx512`] with VBMI.
#[derive(Clone, Copy, Debug)]
pub struct Vbmi;
/// Marks [`Isa::Avx512Fp16`].
#[derive(Clone, Copy, Debug)]
pub struct Fp16;

/// The token of [`Isa::Avx512`].
pub type Avx512 = Avx512Token<Base>;
/// A token of [`Isa::Avx512`] on CPUs that also have VBMI, which permutes bytes.
pub type Avx512Vbmi = Avx512Token<Vbmi>;
/// The token of [`Isa::Avx512Fp16`].
pub type Avx512Fp16 = Avx512Token<Fp16>;

impl<X> Avx512Token<X> {
    /// Creates the token without a check.
    ///
    /// # Safety
    /// The CPU has the features of the token.
    #[inline(always)]
    unsafe fn new_unchecked() -> Self {
        // SAFETY: the caller's contract.
        Avx512Token { v4: unsafe { V4::new_unchecked() }, marker: PhantomData }
    }
}

impl Token for Avx512 {
    const ISA: Isa = Isa::Avx512;
    fn entry<E: Entry<Avx512, A>, A>() -> unsafe fn(&A) {
        enter::<E, A>
    }
}

impl Token for Avx512Vbmi {
    const ISA: Isa = Isa::Avx512Vbmi;
    fn entry<E: Entry<Avx512Vbmi, A>, A>() -> unsafe fn(&A) {
        enter_vbmi::<E, A>
    }
}

impl Token for Avx512Fp16 {
    const ISA: Isa = Isa::Avx512Fp16;
    fn entry<E: Entry<Avx512Fp16, A>, A>() -> unsafe fn(&A) {
        enter_fp16::<E, A>
    }
}

/// # Safety
/// [`Isa::Avx512`] is available, and `E::run`'s contract.
#[target_feature(
    enable = "avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vl,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3"
)]
unsafe fn enter<E: Entry<Avx512, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Avx512::new_unchecked(), argument) };
}

/// # Safety
/// [`Isa::Avx512`] and VBMI are available, and `E::run`'s contract.
#[target_feature(
    enable = "avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vbmi,avx512vl,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3"
)]
unsafe fn enter_vbmi<E: Entry<Avx512Vbmi, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Avx512Vbmi::new_unchecked(), argument) };
}

/// # Safety
/// [`Isa::Avx512Fp16`] is available, and `E::run`'s contract.
#[target_feature(
    enable = "avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vbmi,avx512vl,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3"
)]
unsafe fn enter_fp16<E: Entry<Avx512Fp16, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Avx512Fp16::new_unchecked(), argument) };
}

/// A mask of the lowest `n <= 64` lanes.
#[inline(always)]
pub(super) fn mask_n(n: usize) -> u64 {
    // SAFETY: every AVX-512 token includes BMI2, and only code with such a token calls this.
    unsafe { _bzhi_u64(u64::MAX, n as u32) }
}

impl HasMathToken for Avx512 {
    type MathToken = Avx512;
}

impl HasMathToken for Avx512Fp16 {
    type MathToken = Avx512Fp16;
}
