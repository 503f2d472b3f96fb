//! x86-64: the tokens [`Avx2`] and [`Avx512`] (with [`Avx512Vbmi`] and [`Avx512Fp16`]), over `pulp`'s `V3` and `V4`.
//!
//! `avx2` and `avx512` have the arithmetic of each ISA. The other modules implement one trait for both, so that its
//! instruction choices are next to each other.

mod avx2;
mod avx512;
mod blocks;
mod int8_to_float;
mod permute;
mod widen_narrow;

pub use avx2::Avx2;
pub use avx512::{Avx512, Avx512Fp16, Avx512Vbmi};
