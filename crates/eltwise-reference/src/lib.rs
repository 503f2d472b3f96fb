//! The oracle of `eltwise`: every operator by definition, one element at a time.
//!
//! This crate says what the right answer is. It shares the vocabulary of `eltwise-plan` (dtypes, operators, shapes,
//! programs) and nothing else: no planner, no SIMD, no fast path. Broadcasting is the rule as written,
//! `Z[i] = Y[f(i)]`, one multi-index after the other; conversions and the fused multiply-add are integer arithmetic that
//! rounds the exact value once; every operator is a formula on scalars. Kernels are compared with it bit by bit.
//!
//! | question | module |
//! |---|---|
//! | what is one element? | [`value`] |
//! | how does an exact value become a float or an integer? | [`round`] |
//! | what is `x * y + z`, rounded once? | [`fma`](mod@fma) |
//! | what does an operator do to scalars? | [`define`] |
//! | which element of an operand goes where? | [`walk`] |
//! | what does an operator, or a program, do to arrays? | [`tensor`] |
//!
//! ```
//! use eltwise_plan::{Broadcast, DType, Op};
//! use eltwise_reference::{Tensor, Value, evaluate};
//!
//! let row = Tensor::from_values(DType::F32, [3], &[1.0, 2.0, 3.0].map(|x| Value::from_f64(DType::F32, x)))?;
//! let column = Tensor::from_values(DType::F32, [2, 1], &[10.0, 20.0].map(|x| Value::from_f64(DType::F32, x)))?;
//! let sum = evaluate(Op::Add, &[&row, &column], None, &Broadcast::Numpy)?;
//! assert_eq!(sum.shape().dims(), [2, 3]);
//! assert_eq!(sum.get(&[1, 2]).to_f64(), 23.0);
//! # Ok::<(), eltwise_plan::Error>(())
//! ```
#![forbid(unsafe_code)]

pub mod define;
pub mod fma;
pub mod round;
pub mod tensor;
pub mod value;
pub mod walk;

pub use define::{Conditions, apply, conditions};
pub use tensor::{Tensor, broadcast, broadcast_of, evaluate, evaluate_with_conditions, run};
pub use value::{Value, near, same};
