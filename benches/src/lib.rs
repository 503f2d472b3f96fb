//! Shared by all benchmarks: operands with generated data, bound expressions, and the comparison with the reference.
//!
//! | for | see |
//! |---|---|
//! | an operand: memory, layout and values | [`operand`] |
//! | an expression over operands, verified and ready to run | [`case`](mod@case) |
//! | verifying a result against the reference | [`check`] |
//! | sizes of operands that fit a level of the memory | [`level`] |

pub mod case;
pub mod check;
pub mod level;
pub mod operand;

// The cache sizes as `eltwise bench` reads them.
#[path = "../../crates/eltwise-cli/src/caches.rs"]
mod caches;

pub use case::{Case, Ready};
pub use level::Level;
pub use operand::{Operand, Source};
