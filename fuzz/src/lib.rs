//! Shared parts of the fuzz targets: programs, layouts and memory made from a fuzzer's bytes.
//!
//! | module | contents |
//! |---|---|
//! | [`programs`] | programs and the shapes of their inputs |
//! | [`memory`] | layouts, and operands next to guard pages |
//! | [`sizes`] | axis sizes |
//! | [`soak_case`] | cases of the soak test |
//! | [`stepwise`] | programs run step by step, to compare with |

pub mod memory;
pub mod programs;
pub mod sizes;
pub mod soak_case;
pub mod stepwise;

pub use eltwise_testkit::{broadcast_rules, guarded, plan_invariants};
