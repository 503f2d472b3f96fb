//! Functions of `f64`, at most 1 ULP, or 4 of statistics. The functions in [`to_narrow`] are for results that are rounded to a narrower
//! dtype next.
//!
//! | file | functions |
//! |---|---|
//! | `exp.rs` | exp, exp2, exp10, expm1 |
//! | `log.rs` | log, log2, log10, log1p |
//! | `logaddexp/` | logaddexp, logaddexp2 |
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
//! | `gamma.rs` | lgamma, digamma |
//! | `inverse_error.rs`, `normal.rs` | erfinv, erfcinv, ndtri; ndtr, log_ndtr, erfcx |
//! | `bessel.rs` | i0, i0e, i1, i1e |
//! | `to_narrow.rs` | the functions whose results are safe to round again |
//! | `double_double/`, `exp_pair.rs`, `log_table.rs` | building blocks: double-double arithmetic, exp, log; exp as a pair; table-driven log |
//! | `tables.rs`, `subnormal.rs`, `constants.rs` | helpers: tables of 16 entries; subnormal numbers by their bits; shared constants |
//!
//! A function `f_to::<NARROW>` is the body of both `f64::f` and `to_narrow::f`.

mod bessel;
pub(crate) mod constants;
pub(crate) mod double_double;
mod elu;
mod erf;
pub(crate) mod exp;
mod exp_pair;
mod exprel;
mod gamma;
mod gelu;
mod gelu_tanh;
mod hyperbolic;
mod hypot;
mod inverse_error;
mod inverse_hyperbolic;
mod inverse_trigonometric;
mod log;
mod log_table;
mod logaddexp;
mod logistic;
mod logit;
mod mish;
mod normal;
mod pow;
mod pow_constant;
mod roots;
mod sigmoid;
mod silu;
mod sinc;
mod softcap;
mod softplus;
mod subnormal;
mod swish;
pub(crate) mod tables;
mod tanh;
mod tanhshrink;
pub mod to_narrow;
mod trigonometric;
mod xlogy;

pub use bessel::{i0, i0e, i1, i1e};
pub use elu::{celu, elu, selu};
pub use erf::{erf, erfc};
pub use exp::{exp, exp2, exp10, expm1};
pub use exprel::exprel;
pub use gamma::{digamma, lgamma};
pub use gelu::gelu;
pub use gelu_tanh::gelu_tanh;
pub use hyperbolic::{cosh, sinh};
pub use hypot::hypot;
pub use inverse_error::{erfcinv, erfinv, ndtri};
pub use inverse_hyperbolic::{acosh, asinh, atanh};
pub use inverse_trigonometric::{acos, asin, atan, atan2};
pub use log::{log, log1p, log2, log10};
pub use logaddexp::{logaddexp, logaddexp2};
pub use logit::logit;
pub use mish::mish;
pub use normal::{erfcx, log_ndtr, ndtr};
pub use pow::pow;
pub use pow_constant::{pow_by, pow_constant};
pub use roots::{cbrt, rsqrt};
pub use sigmoid::sigmoid;
pub use silu::silu;
pub use sinc::sinc;
pub use softcap::softcap;
pub use softplus::{log_sigmoid, softplus};
pub use swish::swish;
pub use tanh::tanh;
pub use tanhshrink::tanhshrink;
pub use trigonometric::{cos, sin, tan};
pub use xlogy::{entr, xlog1py, xlogy};
