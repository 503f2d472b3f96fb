//! What the fuzz targets share: layouts and programs from a fuzzer's bytes. What results are compared with they share with
//! the tests of the planner.

pub mod drawn;
#[path = "../../crates/eltwise-plan/tests/common/holds.rs"]
pub mod holds;
pub mod memory;
pub mod programs;
#[path = "../../crates/eltwise-plan/tests/common/rules.rs"]
pub mod rules;
pub mod sizes;
pub mod steps;

pub use eltwise_testkit::guarded;
