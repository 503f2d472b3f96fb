//! AVX2 (x86-64-v3 with F16C): the token [`Avx2`] and its entry. The submodules implement the lane traits, as far as
//! `pulp`'s `V3` does not.

mod float_to_int;
pub(super) mod half;
mod int64_div;
mod int64_to_float;
mod int_div;
mod lanes;
pub(super) mod load_n;
mod masks;
mod math;
mod mul_high;

use pulp::x86::V3;

use crate::isa::Isa;
use crate::math::HasMathToken;
use crate::token::{Entry, Token};

/// The token of [`Isa::Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct Avx2 {
    v3: V3,
}

impl Avx2 {
    /// Creates the token without a check.
    ///
    /// # Safety
    /// [`Isa::Avx2`] is available.
    #[inline(always)]
    pub(super) unsafe fn new_unchecked() -> Avx2 {
        // SAFETY: the caller's contract.
        Avx2 { v3: unsafe { V3::new_unchecked() } }
    }
}

impl Token for Avx2 {
    const ISA: Isa = Isa::Avx2;
    fn entry<E: Entry<Avx2, A>, A>() -> unsafe fn(&A) {
        enter::<E, A>
    }
}

/// # Safety
/// [`Isa::Avx2`] is available, and `E::run`'s contract.
#[target_feature(enable = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3")]
unsafe fn enter<E: Entry<Avx2, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Avx2::new_unchecked(), argument) };
}

impl HasMathToken for Avx2 {
    type MathToken = Avx2;
}
