//! Functions of `f32` whose results are correctly rounded: the exact value's nearest `f32`, ties to even.
//!
//! Each is computed in `f64` lanes with an error of some 2^-36 to 2^-42 of the result, which rounds as the exact value does unless it
//! lies that near to halfway between two `f32` (Ziv 1991). Vectors with such a lane, or with one whose argument is not ordinary, are
//! computed again by the function of `f64` (`double/`), whose result is wrong in its last bits only; of the few inputs whose exact
//! value is nearer to halfway than that, the results are in a list. Both ways give the correctly rounded result, so that no lane sees
//! its neighbours.
//!
//! That all results are correctly rounded is proved by enumeration: `eltwise verify` compares them with the oracle's for all 2^32 inputs.
//!
//! | file | functions |
//! |---|---|
//! | `exponential.rs` | exp, exp2, exp10 |
//! | `logarithm.rs` | log, log2, log10 |
//! | `gelu.rs` | gelu |
//! | `hyperbolic.rs` | tanh |
//! | `inverse_hyperbolic.rs` | asinh, acosh, atanh |
//! | `power.rs` | pow |
//! | `trigonometric.rs` | sin, cos, tan |
//! | `activation.rs` | softplus, mish, elu, celu, selu |
//! | `rounding.rs` | what is too near to halfway, and the other way |
//!
//! Coefficients: `tools/coefficients/exact.py`.

mod activation;
mod exponential;
mod gelu;
mod hyperbolic;
mod inverse_hyperbolic;
mod logarithm;
mod power;
mod rounding;
mod trigonometric;

pub use activation::*;
pub use exponential::*;
pub use gelu::*;
pub use hyperbolic::*;
pub use inverse_hyperbolic::*;
pub use logarithm::*;
pub use power::*;
pub use trigonometric::*;
