//! Shared parts of the tests of `eltwise`: random inputs, guarded memory, and comparisons with the reference. Not
//! published.
//!
//! Three types to know:
//!
//! * [`TypedOp`]: an operator with its dtypes. [`typed_ops()`](typed_ops()) lists all that this build has kernels for.
//! * [`Arrangement`]: how an operand of any shape is stored in memory: axis order, gaps, reversals, repeats, alignment.
//! * [`Operand`]: a buffer with a layout. Every byte that belongs to no element is a canary, so a stray write is
//!   noticed.
//!
//! ```
//! use eltwise_testkit::check::{self, RunMode};
//! use eltwise_testkit::{Arrangement, Operand};
//! use eltwise::{Broadcast, DType, Isa, Op, Program, Serial, Shape};
//!
//! let shape = Shape::from([3, 5]);
//! // Axis 1 is reversed.
//! let reversed = Arrangement { flips: 0b10, ..Arrangement::dense() };
//! let inputs = [1, 2].map(|seed| Operand::input(DType::F32, &shape, &reversed, seed));
//! // `None`: no result dtype is given, because `add` is not a cast.
//! let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy)?;
//! // `None`: the plan chooses the layouts of the outputs.
//! let (plan, mut outputs) = check::bind(&program, &inputs, &shape, None, Isa::current())?;
//! let status = check::run(&plan, RunMode::On(&Serial), &inputs, &mut outputs)?;
//! assert!(!status.zero_division());
//!
//! let tensors = inputs.each_ref().map(Operand::tensor);
//! let (expected, _) = eltwise_testkit::reference::run(&program, &tensors)?;
//! // `false`: the payloads of NaN may differ.
//! check::compare_outputs(&expected, &outputs, false).unwrap();
//! # Ok::<(), eltwise::Error>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`values`] | random elements of a dtype, edge cases frequent |
//! | [`random`] | a generator of random numbers |
//! | [`shapes`] | random operand shapes that broadcast, in every mode |
//! | [`arrangement`](mod@arrangement) | random memory layouts |
//! | [`operand`] | buffers with a layout and canaries |
//! | [`guarded`] | memory between guard pages |
//! | [`typed_ops`](mod@typed_ops) | every operator with every dtype it takes |
//! | [`programs`] | random programs |
//! | [`reference`](mod@reference) | programs evaluated by the reference, step by step |
//! | [`executors`] | executors that reorder or count tasks |
//! | [`check`] | running plans and comparing results with the reference |
//! | [`conformance`] | the records of `tests/conformance` |
//! | [`soak`] | millions of random layouts and programs |
//! | [`skips`] | reports of what a test left out |
//! | [`broadcast_rules`] | the broadcasting rules, as a reference for the planner |
//! | [`plan_invariants`] | invariants of every plan |
//!
//! Without the feature `engine` (on by default), the crate does not depend on `eltwise` and compiles no kernels. It
//! then has only the modules for the tests of the crates below `eltwise`: [`broadcast_rules`], [`guarded`],
//! [`plan_invariants`], [`random`] and [`skips`].

#[cfg(feature = "engine")]
pub mod arrangement;
pub mod broadcast_rules;
#[cfg(feature = "engine")]
pub mod check;
#[cfg(feature = "engine")]
pub mod conformance;
#[cfg(feature = "engine")]
pub mod executors;
pub mod guarded;
#[cfg(feature = "engine")]
pub mod operand;
pub mod plan_invariants;
#[cfg(feature = "engine")]
pub mod programs;
pub mod random;
#[cfg(feature = "engine")]
pub mod reference;
#[cfg(feature = "engine")]
pub mod shapes;
pub mod skips;
#[cfg(feature = "engine")]
pub mod soak;
#[cfg(feature = "engine")]
pub mod typed_ops;
#[cfg(feature = "engine")]
pub mod values;

#[cfg(feature = "engine")]
pub use arrangement::{Arrangement, arrangement};
#[cfg(feature = "engine")]
pub use operand::Operand;
pub use random::Random;
#[cfg(feature = "engine")]
pub use shapes::{BroadcastCase, broadcast_case};
pub use skips::skipped;
#[cfg(feature = "engine")]
pub use typed_ops::{TypedOp, typed_ops};

use proptest::test_runner::{Config, TestRunner};

/// A proptest runner with `share` times the usual number of cases (256, or the environment variable `PROPTEST_CASES`), at
/// least 1. Failing cases are not saved to files.
pub fn runner(share: f64) -> TestRunner {
    let usual = Config::default();
    let cases = ((f64::from(usual.cases) * share).ceil() as u32).max(1);
    TestRunner::new(Config { cases, failure_persistence: None, max_shrink_iters: 2000, ..usual })
}
