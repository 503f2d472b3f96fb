//! The oracle of the math operators: correctly rounded results, exact values, and errors in ULP.
//!
//! | question | answer |
//! |---|---|
//! | which functions are there, and what are they? | [`Function`] |
//! | what is the correctly rounded result? | [`correct_f32`], [`correct_f64`], [`correct_f16`], [`correct_bf16`], [`correct`] |
//! | what is the value to 105 bits? to 225? | [`extended`], [`value`] |
//! | which `f64` inputs are hard? | [`hard_inputs`] |
//! | which inputs have exact results? | [`exact_inputs`], [`is_nearly_exact`] |
//! | how far is a result from the exact value? | [`ulp_error_f32`], [`ulp_error_f64`], [`ulp_error`] |
//!
//! Three layers, each the judge of the one before:
//!
//! 1. CORE-MATH's correctly rounded functions of `f32` and `f64` (crate `core-math`), in nanoseconds. Functions that it has not, and
//!    16-bit results, are made of its `f64` functions in forms without cancellation, with a bound of the error.
//! 2. Where that bound leaves a rounding open, and for `f64` functions that CORE-MATH has not, floats of 128 bits ([`wide`]).
//! 3. Where 105 bits leave it open, floats of 256 bits; what those do not tell from a tie is one.
//!
//! Definitions, special values: [`Function::doc`] and C23 Annex F; `gelu`, `gelu_tanh`, `silu` and `mish` have their limits, -0 at
//! -infinity and +infinity at +infinity. A result that is NaN is the quiet NaN without a sign.
//!
//! The tests compare [`value`] with mpmath at inputs of every range (`tools/oracle/hard.py` writes them), and layer 1 with layer 3.
//!
//! # Building
//!
//! `core-math` compiles C with `-march=native`, unless the environment variable `TARGET_CPU` names another CPU: set
//! `TARGET_CPU=x86-64` where a build is used on other machines.

#![forbid(unsafe_code)]

mod correct;
mod exact;
mod exact_inputs;
mod fast;
mod function;
mod hard;
mod special;
mod ulp;
pub mod wide;

pub use correct::{correct, correct_bf16, correct_f16, correct_f32, correct_f64};
pub use exact::{Value, extended, value};
pub use exact_inputs::{exact_inputs, is_nearly_exact};
pub use function::{Function, UnknownFunction};
pub use hard::hard_inputs;
pub use ulp::{ulp_error, ulp_error_f32, ulp_error_f64};
pub use wide::{Format, Wide};
