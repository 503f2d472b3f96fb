//! Times operations over layouts and values that cost other engines much, beside plain ones, in one run.
//!
//! A *cliff factor* is the time of a pattern over the time of a contiguous operation with the same reads and the same
//! writes. Both use regular stores, run on one thread, over the same memory, and are timed in turn, each after two runs
//! of its own that are not timed. Every pattern's result is compared with the oracle before its time is taken.
//!
//! | question | module |
//! |---|---|
//! | how large are operands, and how large are the caches? | [`size`] |
//! | what is a pattern? which layouts has it at a size? | [`pattern`] |
//! | which patterns are there? | [`table`] |
//! | how slow may a pattern be? | [`bar`] |
//! | which bytes does it move, and what is a contiguous operation with the same? | [`traffic`] |
//! | memory, staggered by pages | [`memory`] |
//! | a bound operation, checked | [`work`] |
//! | the time of this thread | [`clock`] |
//! | times of two operations in turn | [`measure`] |
//! | pairs of ordinary and special values | [`values`] |
//! | lines and JSON | [`report`] |
//! | the arguments of both programs | [`options`] |
#![forbid(unsafe_code)]

pub mod bar;
pub mod clock;
pub mod measure;
pub mod memory;
pub mod options;
pub mod pattern;
pub mod report;
pub mod size;
pub mod table;
pub mod traffic;
pub mod values;
pub mod work;
