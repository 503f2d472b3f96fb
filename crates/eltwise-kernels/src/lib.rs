//! The kernels of `eltwise`: one compiled loop for each operator, dtype and instruction set.
//!
//! A kernel computes rows x columns of contiguous or splat operands. It is independent of rank and shape: the planner
//! (`eltwise-plan`) turns every layout into such calls, and `eltwise` runs them. Use this crate directly to call a
//! single kernel from your own loop; use `eltwise` for everything else.
//!
//! # Three types to know
//!
//! 1. [`Call`] is the arguments of a kernel: the number of rows and columns, and an [`Operand`] for the output and for
//!    each input.
//! 2. [`Kernel`] is a function pointer, `unsafe fn(&Call)`. Its contract: the CPU has the ISA of the kernel, the
//!    operands are valid for their rows and columns, and the output overlaps no input, unless it is exactly that input.
//! 3. [`Entry`] is the result of a lookup in the kernel table: a kernel and the ISA that it was compiled for.
//!    [`kernel()`] looks up an operator. An ISA without a kernel inherits that of the ISA below it.
//!
//! # Example
//!
//! ```
//! use std::sync::atomic::AtomicU32;
//!
//! use eltwise_core::{DType, Op};
//! use eltwise_kernels::{Call, Operand, kernel};
//! use eltwise_simd::Isa;
//!
//! // [1, 2, 3] + 10
//! let add = kernel(Op::Add, DType::F32, DType::F32, Isa::current()).expect("add has kernels for f32").kernel;
//! let (a, b) = ([1.0f32, 2.0, 3.0], 10.0f32);
//! let mut out = [0.0f32; 3];
//! let flags = AtomicU32::new(0);
//! let call = Call {
//!     rows: 1,
//!     cols: 3,
//!     out: Operand { ptr: out.as_mut_ptr().cast(), row: 0, splat: false },
//!     ins: [
//!         Operand { ptr: a.as_ptr().cast_mut().cast(), row: 0, splat: false },
//!         Operand { ptr: (&raw const b).cast_mut().cast(), row: 0, splat: true },
//!         Operand::NONE,
//!         Operand::NONE,
//!     ],
//!     flags: &flags,
//! };
//! // SAFETY: the CPU has the ISA; `a` and `out` have three elements, `b` is splat, and the output overlaps nothing.
//! unsafe { add(&call) };
//! assert_eq!(out, [11.0, 12.0, 13.0]);
//! ```
//!
//! # Where to go
//!
//! | for | see |
//! |---|---|
//! | the arguments and the contract of a kernel | [`abi`] |
//! | the arithmetic of an operator | [`functions`] |
//! | blocks, tails, splats, alignment: the loop over rows and columns | [`rows`] |
//! | the loop body of a shape of operators (map, predicate, cast, `where`) | [`body`] |
//! | the kernel of an operator, a dtype and an ISA | [`table`] |
//! | casts between dtypes; how `f16` and `bf16` are computed | [`table`] |
//! | math operators at other accuracy tiers | [`table::tiers`] |
//! | fused patterns; user-written functions | [`table::fused`]; [`table::custom`] |
//! | math functions of single numbers | [`constant_folding`] |
//! | copies between layouts; permuted operands | [`layout`] |
//!
//! Lane functions and loop bodies are independent of layouts, and layout kernels depend on element sizes but not on
//! operators, so N operators and M layouts need N + M implementations.
//!
//! # Inlining
//!
//! Everything between the entry of a kernel and its arithmetic is `#[inline(always)]`. A function or closure that LLVM
//! does not inline would lose the CPU features, and turn each intrinsic in it into a call.

pub mod abi;
pub mod body;
pub mod chain;
pub mod constant_folding;
pub mod functions;
pub mod layout;
pub mod rows;
pub mod table;

pub use abi::{Call, Kernel, NEGATIVE_EXPONENT, Operand, ZERO_DIVISION};
pub use table::{Entry, kernel};
