//! Functions of `f32` with correctly rounded results: the `f32` nearest to the exact value, ties to even.
//!
//! The method (Ziv 1991, "Fast evaluation of elementary mathematical functions with correctly rounded last bit"):
//!
//! 1. Compute in `f64` lanes with an error of 2^-36 to 2^-42 of the result.
//! 2. If no lane is that close to the midpoint of two `f32` (`near_halfway` in `rounding.rs`), rounding gives the
//!    correct result.
//! 3. Otherwise, or if a lane's argument or result is not ordinary (subnormal, infinite, NaN), compute the whole vector
//!    with the function of [`f64`](crate::f64), whose error is below 1 ULP of `f64`.
//! 4. The few inputs whose exact value is closer to a midpoint than that have their results in a list
//!    (`patch_exceptions`).
//!
//! Both ways give the correctly rounded result, so a lane does not depend on its neighbours.
//!
//! The proof is enumeration: `eltwise verify` compares the results for all 2^32 inputs with the oracle. The tables come
//! from `tools/coefficients/correctly_rounded.py`.
//!
//! | file | functions |
//! |---|---|
//! | `exp.rs` | exp, exp2, exp10 |
//! | `log.rs` | log, log2, log10 |
//! | `trigonometric.rs` | sin, cos, tan |
//! | `tanh.rs`, `inverse_hyperbolic.rs` | tanh; asinh, acosh, atanh |
//! | `pow.rs` | pow |
//! | `softplus.rs`, `gelu.rs`, `mish.rs` | the functions of these names |
//! | `elu.rs` | elu, celu, selu |
//! | `rounding.rs` | the test for midpoints, the list of exceptions |

mod elu;
mod exp;
mod gelu;
mod inverse_hyperbolic;
mod log;
mod mish;
mod pow;
mod rounding;
mod softplus;
mod tanh;
mod trigonometric;

pub use elu::{celu, elu, selu};
pub use exp::{exp, exp2, exp10};
pub use gelu::gelu;
pub use inverse_hyperbolic::{acosh, asinh, atanh};
pub use log::{log, log2, log10};
pub use mish::mish;
pub use pow::pow;
pub use softplus::softplus;
pub use tanh::tanh;
pub use trigonometric::{cos, sin, tan};
