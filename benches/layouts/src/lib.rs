//! Benchmarks of unusual layouts (`just layouts`), random layouts (`just survey`) and special values (`just values`).
//!
//! A layout's *cliff factor* is the time of a pattern over the time of a contiguous operation with the same reads and
//! writes. Both run on one thread over the same memory, with regular stores unless `--streams` is given. They are timed
//! in turn, each after two untimed runs. The result of every pattern is compared with the reference before it is timed.
//!
//! | for | see |
//! |---|---|
//! | sizes of the operands and of the caches | [`size`] |
//! | a pattern and its layouts at a size | [`pattern`] |
//! | the list of patterns | [`table`] |
//! | the largest factor that a pattern may have | [`bar`] |
//! | bytes that a pattern moves, and the contiguous operation that moves the same | [`traffic`] |
//! | memory for the operands, staggered by pages | [`memory`] |
//! | a bound operation over that memory | [`operation`] |
//! | CPU time of the thread | [`clock`] |
//! | timing operations in turn | [`measure`] |
//! | random layouts | [`survey`] |
//! | the fit of the cost model to this machine | `fit` |
//! | operators over ordinary and special values | [`values`] |
//! | text and JSON output | [`report`] |
//! | command-line arguments | [`options`] |
#![forbid(unsafe_code)]

pub mod bar;
pub mod clock;
#[cfg(feature = "fit")]
pub mod fit;
pub mod measure;
pub mod memory;
pub mod operation;
pub mod options;
pub mod pattern;
pub mod report;
pub mod size;
pub mod survey;
pub mod table;
pub mod traffic;
pub mod values;
