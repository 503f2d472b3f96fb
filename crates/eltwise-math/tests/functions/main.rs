//! Properties of every function of the crate, on every ISA of this machine.
//!
//! A file per function family has one row per function and dtype; `common/properties.rs` defines the properties.
//! `eltwise verify` checks more inputs: all 2^32 of `f32` functions of one operand.

mod cancelling;
mod common;
mod elu;
mod erf;
mod exp;
mod gelu;
mod hyperbolic;
mod inverse_hyperbolic;
mod inverse_trigonometric;
mod log;
mod logaddexp;
mod pow;
mod roots;
mod sigmoid;
mod softplus;
mod statistics;
mod trigonometric;
mod xlogy;
