//! Vector math: elementary functions of vectors, within 1 ULP, with the same bits at every level.
//!
//! | module | what |
//! |---|---|
//! | [`vector`] | vectors with operators, over the lanes of `eltwise-simd` |
//! | [`single`] | functions of `f32` |
//! | [`double`] | functions of `f64` |
//! | [`exact`] | functions of `f32` whose results are correctly rounded |
//!
//! A function is written once, generic over the level, from operations that are exact or correctly rounded on every one. It has no
//! branch whose side a neighbouring lane could change without leaving this lane's bits as they are.

pub mod double;
pub mod exact;
pub mod single;
pub mod vector;

pub use double::to_narrow;
pub use vector::{Bits, F32, F64, Mask, Vector};
