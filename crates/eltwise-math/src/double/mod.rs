//! Functions of `f64`.

pub mod activation;
pub mod error;
pub mod exponential;
pub mod extended;
pub mod hyperbolic;
pub mod inverse;
pub mod inverse_hyperbolic;
pub mod logarithm;
pub mod power;
pub mod sums;
pub mod trigonometric;
