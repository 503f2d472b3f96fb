//! What the tests of `eltwise` are made of; not published.
//!
//! | question | module |
//! |---|---|
//! | which elements are hard? | [`values`] |
//! | which shapes broadcast, in which modes? | [`shapes`] |
//! | how may an operand lie in memory? | [`arrangement`](mod@arrangement) |
//! | a buffer with a layout, and a canary in every byte that is no element | [`operand`] |
//! | memory between unreadable pages | [`guarded`] |
//! | which (operator, dtype, target) are there? | [`cells`](mod@cells) |
//! | random programs | [`programs`] |
//! | executors that run tasks in strange orders | [`executors`] |
//! | does the engine equal the oracle? | [`check`] |
//! | the records of `tests/conformance` | [`conformance`] |
//! | what did a test leave out? | [`skips`] |
//! | millions of random layouts and programs | [`soak`] |

pub mod arrangement;
pub mod cells;
pub mod check;
pub mod conformance;
pub mod executors;
pub mod guarded;
pub mod operand;
pub mod programs;
pub mod shapes;
pub mod skips;
pub mod soak;
pub mod values;

pub use arrangement::{Arrangement, arrangement};
pub use cells::{Cell, cells};
pub use operand::Operand;
pub use shapes::{Family, family};
pub use skips::skipped;
pub use values::Random;

use proptest::test_runner::{Config, TestRunner};

/// A runner of `share` of the usual number of cases (256, or the environment variable `PROPTEST_CASES`), at least 1.
pub fn runner(share: f64) -> TestRunner {
    let usual = Config::default();
    let cases = ((f64::from(usual.cases) * share).ceil() as u32).max(1);
    TestRunner::new(Config { cases, failure_persistence: None, max_shrink_iters: 2000, ..usual })
}
