//! Functions of `f64`, at most 1 ULP. The functions in [`to_narrow`] are for results that are rounded to a narrower
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
//! | `pow.rs`, `roots.rs`, `hypot.rs` | pow; rsqrt, cbrt; hypot |
//! | `sigmoid.rs`, `silu.rs`, `gelu_tanh.rs` | the functions of these names; they share `logistic.rs` |
//! | `gelu.rs`, `mish.rs`, `softplus.rs`, `softcap.rs`, `logit.rs` | the functions of these names |
//! | `elu.rs` | elu, celu, selu |
//! | `to_narrow.rs` | the functions whose results are safe to round again |
//! | `double_double/`, `exp_pair.rs`, `log_table.rs` | building blocks: double-double arithmetic, exp, log; exp as a pair; table-driven log |
//! | `tables.rs`, `subnormal.rs`, `constants.rs` | helpers: tables of 16 entries; subnormal numbers by their bits; shared constants |
//!
//! A function `f_to::<NARROW>` is the body of both `f64::f` and `to_narrow::f`.

pub(crate) mod constants;
pub(crate) mod double_double;
mod elu;
mod erf;
pub(crate) mod exp;
mod exp_pair;
mod gelu;
mod gelu_tanh;
mod hyperbolic;
mod hypot;
mod inverse_hyperbolic;
mod inverse_trigonometric;
mod log;
mod log_table;
mod logaddexp;
mod logistic;
mod logit;
mod mish;
mod pow;
mod roots;
mod sigmoid;
mod silu;
mod softcap;
mod softplus;
mod subnormal;
pub(crate) mod tables;
mod tanh;
pub mod to_narrow;
mod trigonometric;

pub use elu::{celu, elu, selu};
pub use erf::{erf, erfc};
pub use exp::{exp, exp2, exp10, expm1};
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
pub use roots::{cbrt, rsqrt};
pub use sigmoid::sigmoid;
pub use silu::silu;
pub use softcap::softcap;
pub use softplus::softplus;
pub use tanh::tanh;
pub use trigonometric::{cos, sin, tan};
