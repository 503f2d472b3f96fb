//! aarch64: NEON over `pulp`'s `Neon`.

mod neon;

pub use neon::{Neon, NeonFp16};
