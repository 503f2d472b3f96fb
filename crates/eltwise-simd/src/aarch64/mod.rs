//! aarch64: NEON over `pulp`'s `Neon`.

mod half_fp16;
mod math_neon;
mod neon;

pub use neon::{Neon, NeonFp16};
