//! What the fuzz targets share: layouts and programs from a fuzzer's bytes.

pub mod memory;
pub mod programs;
