//! aarch64: the tokens [`Neon`] and [`NeonFp16`], over `pulp`'s `Neon`.

mod neon;

pub use neon::{Neon, NeonFp16};
