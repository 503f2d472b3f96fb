//! Functions of `f32`, at most 1 ULP. Every error bound was measured over all 2^32 inputs, or for functions of two
//! operands over the number of pairs that its docs give; those of `statistics.rs` over 2^20 inputs each.
//!
//! | file | functions |
//! |---|---|
//! | `exp.rs` | exp, exp2, exp10, expm1 |
//! | `log.rs` | log, log2, log10, log1p |
//! | `logaddexp.rs` | logaddexp, logaddexp2 |
//! | `trigonometric.rs`, `inverse_trigonometric.rs` | sin, cos, tan; asin, acos, atan, atan2 |
//! | `hyperbolic.rs`, `tanh.rs`, `inverse_hyperbolic.rs` | sinh, cosh; tanh; asinh, acosh, atanh |
//! | `erf.rs` | erf, erfc |
//! | `pow.rs`, `pow_constant.rs` | pow; pow_constant and pow_by, for one exponent |
//! | `roots.rs`, `hypot.rs` | rsqrt, cbrt; hypot |
//! | `sigmoid.rs`, `silu.rs`, `gelu_tanh.rs` | the functions of these names; they share `logistic.rs` |
//! | `gelu.rs`, `mish.rs`, `softplus.rs`, `softcap.rs`, `logit.rs` | the functions of these names, and log_sigmoid |
//! | `elu.rs` | elu, celu, selu |
//! | `swish.rs`, `tanhshrink.rs`, `exprel.rs`, `sinc.rs` | the functions of these names |
//! | `xlogy.rs` | xlogy, xlog1py, entr |
//! | `statistics.rs` | lgamma, digamma, erfinv, erfcinv, erfcx, ndtr, ndtri, log_ndtr, i0, i0e, i1, i1e |
//! | `subnormal.rs`, `constants.rs` | helpers: subnormal numbers by their bits; rounding constants |
//!
//! Some functions compute in `f64` lanes and round once: a 53-bit significand needs no compensation.

pub(crate) mod constants;
pub(crate) mod elu;
mod erf;
pub(crate) mod exp;
mod exprel;
mod gelu;
mod gelu_tanh;
mod hyperbolic;
mod hypot;
mod inverse_hyperbolic;
mod inverse_trigonometric;
pub(crate) mod log;
mod logaddexp;
mod logistic;
mod logit;
mod mish;
mod pow;
mod pow_constant;
mod roots;
mod sigmoid;
mod silu;
mod sinc;
mod softcap;
mod softplus;
mod statistics;
mod subnormal;
mod swish;
mod tanh;
mod tanhshrink;
mod trigonometric;
mod xlogy;

pub use elu::{celu, elu, selu};
pub use erf::{erf, erfc};
pub use exp::{exp, exp2, exp10, expm1};
pub use exprel::exprel;
pub use gelu::gelu;
pub use gelu_tanh::gelu_tanh;
pub use hyperbolic::{cosh, sinh};
pub use hypot::hypot;
pub use inverse_hyperbolic::{acosh, asinh, atanh};
pub use inverse_trigonometric::{acos, asin, atan, atan2};
pub use log::{log, log1p, log2, log10};
pub use logaddexp::{logaddexp, logaddexp2};
pub use logit::logit;
pub use mish::mish;
pub use pow::pow;
pub use pow_constant::{pow_by, pow_constant};
pub use roots::{cbrt, rsqrt};
pub use sigmoid::sigmoid;
pub use silu::silu;
pub use sinc::sinc;
pub use softcap::softcap;
pub use softplus::{log_sigmoid, softplus};
pub use statistics::{digamma, erfcinv, erfcx, erfinv, i0, i0e, i1, i1e, lgamma, log_ndtr, ndtr, ndtri};
pub use swish::swish;
pub use tanh::tanh;
pub use tanhshrink::tanhshrink;
pub use trigonometric::{cos, sin, tan};
pub use xlogy::{entr, xlog1py, xlogy};
