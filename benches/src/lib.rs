//! What the benchmarks share: operands with made data, cases, and the check before anything is timed.
//!
//! | question | module |
//! |---|---|
//! | memory with a layout and values in it | [`operand`] |
//! | an expression over operands, checked and ready to run | [`case`](mod@case) |
//! | does every sampled element equal the oracle's? | [`check`] |
//! | how many elements lie at a level of the memory? | [`level`] |

pub mod case;
pub mod check;
pub mod level;
pub mod operand;

// As `eltwise bench` finds them.
#[path = "../../crates/eltwise-cli/src/caches.rs"]
mod caches;

pub use case::{Case, Ready};
pub use level::Level;
pub use operand::{Operand, Source};
