//! The kernels of `eltwise`.
//!
//! | question | module |
//! |---|---|
//! | how is a kernel called? | [`abi`] |
//! | what does an operator compute on lanes? | [`functions`] |
//! | how do elements come in and go out (blocks, tails, splats)? | [`rows`], [`body`] |
//! | how does any layout become a dense tile, and back? | [`pack`] |
//! | which kernel serves (operator, dtype, ISA)? | [`table`] |
//! | ... an operator on 16-bit floats | `halves` |
//! | ... an operator on `f16` where the CPU computes in `f16` | `native_half` |
//! | ... a math operator at another tier than the fast one? | [`exact`](mod@exact) |
//! | ... a superinstruction, a function of the caller's? | [`fused`], [`custom`] |
//!
//! Operators know no layouts; pack and unpack know only element sizes.

pub mod abi;
pub mod arranged;
pub mod body;
mod casts;
pub mod custom;
pub mod exact;
pub mod functions;
pub mod fused;
mod halves;
#[cfg(feature = "half")]
mod native_half;
pub mod pack;
pub mod rows;
pub mod scalar;
pub mod table;

pub use abi::{Call, Kernel, NEGATIVE_EXPONENT, Operand, ZERO_DIVISION};
pub use arranged::{ArrangedCall, ArrangedKernel, Arrangement};
pub use table::{Entry, kernel};
