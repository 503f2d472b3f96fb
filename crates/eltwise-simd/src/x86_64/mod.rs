//! x86-64: AVX2 and AVX-512 over `pulp`'s `V3` and `V4`.

mod arrange;
mod avx2;
mod avx512;
mod bytes;
mod half_avx2;
mod half_avx512;
mod half_fp16;
mod high_avx2;
mod high_avx512;
mod math_avx2;
mod math_avx512;
mod opens;
mod part;
mod parts;
mod quotient_avx2;
mod quotient_avx512;
mod shuffle;
mod sqrt_avx512;
mod truncate_avx2;
mod truncate_avx512;
mod wide_avx2;
mod wide_avx512;
mod wide_source_avx2;
mod wide_source_avx512;

pub use avx2::Avx2;
pub use avx512::{Avx512, Avx512Fp16, Avx512Vbmi};
