//! Functions of `f64`. Those of [`to_narrow`] are for results that are rounded to a narrower float next.

pub mod activation;
mod cancelling;
pub mod error;
pub mod exponential;
pub mod extended;
pub mod hyperbolic;
pub mod inverse;
pub mod inverse_hyperbolic;
pub mod logarithm;
pub mod power;
mod subnormal;
pub mod sums;
mod table_logarithm;
pub(crate) mod tables;
pub mod to_narrow;
pub mod trigonometric;

pub use activation::*;
pub use error::*;
pub use exponential::*;
pub use hyperbolic::*;
pub use inverse::*;
pub use inverse_hyperbolic::*;
pub use logarithm::*;
pub use power::*;
pub use sums::*;
pub use trigonometric::*;
