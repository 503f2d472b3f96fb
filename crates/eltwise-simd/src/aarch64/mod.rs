//! aarch64: NEON over `pulp`'s `Neon`.

mod math_neon;
mod neon;

pub use neon::{Neon, NeonFp16};
