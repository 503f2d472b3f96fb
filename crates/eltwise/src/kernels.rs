//! Kernels without the planner: one function over rows x columns per operator, dtype and ISA, for runtimes that have
//! their own planner. [`kernel()`](crate::kernel()) finds one.
//!
//! A [`Kernel`] takes a [`Call`]: the number of rows and columns, and an [`Operand`] for the output and for every input.
//!
//! | field of an operand | meaning |
//! |---|---|
//! | `ptr` | address of the first element of the first row; no alignment needed |
//! | `row` | bytes from one row to the next, of any sign; 0 repeats the row |
//! | `splat` | one element per row, repeated along the columns; otherwise the columns are contiguous. Never for an output |
//!
//! * An input may alias the output exactly (same pointer, row stride and element size). Any other overlap with the output
//!   is not allowed.
//! * Data conditions, such as an integer division by zero, are ORed into `flags` once per call.
//! * A kernel allocates nothing, takes no lock and does not panic.
//! * The control register of the thread (MXCSR, FPCR) must round to nearest and must not flush subnormals.
//!   [`Plan::run`](crate::Plan::run) and [`run_dense`] set it; a caller of a kernel must do so itself.
//!
//! ```
//! use std::sync::atomic::AtomicU32;
//!
//! use eltwise::kernels::{Call, Operand};
//! use eltwise::{DType, Isa, Op};
//!
//! // [2, 3] + [3]: two rows of three columns; the row of the second operand repeats.
//! let add = eltwise::kernel(Op::Add, &[DType::F32, DType::F32], DType::F32, Isa::current()).ok_or("not built")?;
//! let (a, b) = ([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [10.0f32, 20.0, 30.0]);
//! let mut out = [0.0f32; 6];
//! let flags = AtomicU32::new(0);
//! let call = Call {
//!     rows: 2,
//!     cols: 3,
//!     out: Operand { ptr: out.as_mut_ptr().cast(), row: 12, splat: false },
//!     ins: [
//!         Operand { ptr: a.as_ptr().cast_mut().cast(), row: 12, splat: false },
//!         Operand { ptr: b.as_ptr().cast_mut().cast(), row: 0, splat: false },
//!         Operand::NONE,
//!         Operand::NONE,
//!     ],
//!     flags: &flags,
//! };
//! // SAFETY: the CPU has the ISA, the operands have two rows of three elements, and the output overlaps nothing.
//! unsafe { add(&call) };
//! assert_eq!(out, [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);
//! # Ok::<(), &str>(())
//! ```
//!
//! A front end that runs one operator over its own arrays needs neither layouts nor a plan if the arrays are dense: it
//! describes them ([`DenseOperand`]), and [`DenseCall::of`] says whether the run is one call over one row,
//! [`DenseCall::is_inline`] whether it is too small for threads, [`may_write_dense`] whether the output may be written, and
//! [`run_dense`] runs it.

use eltwise_core::{DType, Op};
use eltwise_simd::Isa;

pub use crate::exec::dense::{DenseInput, dense_isa, may_write_dense, run_dense};
pub use crate::run::dense_kernel;
pub use eltwise_kernels::abi::{Call, Kernel, NEGATIVE_EXPONENT, Operand, ZERO_DIVISION};
pub use eltwise_kernels::table::{Entry, feature_of, is_built, kernel};
pub use eltwise_plan::single_call::{DenseCall, DenseOperand};

/// The kernel of `op` over operands of these dtypes with a result of dtype `to`, for `isa` or the best ISA below it that
/// has one. The [module](crate::kernels) documents the contract of a call. The CPU must have the ISA
/// ([`Isa::is_available`]).
///
/// `None` if the operator does not take these dtypes or this number of operands, if it consists of several steps
/// ([`Op::is_composite`]), or if this build leaves out the dtype.
pub fn of(op: Op, operands: &[DType], to: DType, isa: Isa) -> Option<Kernel> {
    if op.result(operands, Some(to)).ok()? != to || operands.len() > op.arity() {
        return None;
    }
    let t = (0..operands.len()).find(|&i| op.signature().is_t(i))?;
    Some(kernel(op, operands[t], to, isa)?.kernel)
}
