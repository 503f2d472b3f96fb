//! Functions of `f32`.

pub mod activation;
pub mod error;
pub mod exponential;
pub mod gelu;
pub mod hyperbolic;
pub mod inverse;
pub mod inverse_hyperbolic;
pub mod logarithm;
pub mod power;
mod subnormal;
pub mod sums;
pub mod trigonometric;

pub use activation::*;
pub use error::*;
pub use exponential::*;
pub use gelu::*;
pub use hyperbolic::*;
pub use inverse::*;
pub use inverse_hyperbolic::*;
pub use logarithm::*;
pub use power::*;
pub use sums::*;
pub use trigonometric::*;
