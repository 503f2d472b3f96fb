//! Kernels by themselves: one function over rows x columns for each operator, dtype and level, for runtimes that have a
//! planner of their own.
//!
//! A [`Kernel`] takes a [`Call`]: the numbers of rows and columns, and an [`Operand`] for the output and every input.
//!
//! | part of an operand | means |
//! |---|---|
//! | `ptr` | the first element of the first row; no alignment needed |
//! | `row` | bytes from a row to the next; any sign, 0 repeats the row |
//! | `splat` | one element a row, repeated along the columns; else the columns lie one after the other. Never of an output |
//!
//! An input may be exactly the output (pointer, row stride and size of an element); nothing else overlaps an output. `params` is not read
//! today. Data conditions, such as an integer division by zero, are ORed into `flags` once a call. A kernel allocates nothing, takes
//! no lock and does not panic. The thread's control register (MXCSR, FPCR) must round to nearest and flush nothing:
//! [`Plan::run`](crate::Plan::run) and [`run_flat`] see to that, a caller of a kernel does so itself.
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
//!     outs: [Operand { ptr: out.as_mut_ptr().cast(), row: 12, splat: false }, Operand::NONE],
//!     ins: [
//!         Operand { ptr: a.as_ptr().cast_mut().cast(), row: 12, splat: false },
//!         Operand { ptr: b.as_ptr().cast_mut().cast(), row: 0, splat: false },
//!         Operand::NONE,
//!         Operand::NONE,
//!     ],
//!     params: std::ptr::null(),
//!     flags: &flags,
//! };
//! // SAFETY: the CPU has the level, the operands have two rows of three elements, and the output overlaps nothing.
//! unsafe { add(&call) };
//! assert_eq!(out, [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);
//! # Ok::<(), &str>(())
//! ```

use eltwise_plan::{DType, Op};
use eltwise_simd::Isa;

pub use super::flat::{Flat, flat_level, run_flat};
pub use eltwise_kernels::abi::{Call, Kernel, NEGATIVE_EXPONENT, Operand, ZERO_DIVISION};
pub use eltwise_kernels::table::{Entry, feature_of, is_built, kernel};

/// The kernel of `op` over operands of these dtypes, into a result of dtype `to`, for level `isa` or the best one below it that has one.
/// [The module](crate::kernels) has the contract of a call; a kernel is called on CPUs that have the level only ([`Isa::is_available`]).
///
/// `None` for dtypes or a number of operands that the operator does not take, for operators that are made of several
/// steps ([`Op::is_composite`]) and for dtypes that this build leaves out.
pub fn of(op: Op, operands: &[DType], to: DType, isa: Isa) -> Option<Kernel> {
    if op.result(operands, Some(to)).ok()? != to || operands.len() > op.arity() {
        return None;
    }
    let t = (0..operands.len()).find(|&i| op.signature().is_t(i))?;
    Some(kernel(op, operands[t], to, isa)?.kernel)
}
