//! What the fuzz targets share: layouts and programs from a fuzzer's bytes, and the rules that results are compared with.

#[path = "../../crates/eltwise-testkit/src/guarded.rs"]
pub mod guarded;
pub mod memory;
pub mod programs;
pub mod rules;
