//! What the benchmarks share: operands with made data, cases, and the check before anything is timed.
//!
//! | question | module |
//! |---|---|
//! | memory with a layout and values in it | [`operand`] |
//! | an expression over operands, checked and ready to run | [`case`](mod@case) |
//! | does every sampled element equal the oracle's? | [`check`] |

pub mod case;
pub mod check;
pub mod operand;

pub use case::{Case, Ready};
pub use operand::{Operand, Source};
