//! The reference of `eltwise`: every operator by definition, one element at a time.
//!
//! This crate says what the right result is; the tests compare the kernels with it bit by bit. It shares the vocabulary
//! of `eltwise-core` (dtypes, operators, shapes) with the engine and nothing else: there is no planner, no SIMD and no
//! fast path. Each operator is a formula on scalars. Conversions and the fused multiply-add are integer arithmetic that
//! rounds the exact value once. Broadcasting is the rule as written, `Z[i] = Y[f(i)]`, for one multi-index after the
//! other. The math operators are the correctly rounded results of `eltwise-oracle`.
//!
//! Three types to know:
//!
//! * [`Value`]: one element, a dtype and its bits.
//! * [`Tensor`]: an array of elements, contiguous in C order.
//! * [`Number`](number::Number): the exact value of an element, which [`number`] rounds to floats and integers.
//!
//! Two functions run an operator: [`evaluate`] on tensors, [`apply`] on scalars.
//!
//! ```
//! use eltwise_core::{Broadcast, DType, Op};
//! use eltwise_reference::{Tensor, Value, evaluate};
//!
//! let row = Tensor::from_values(DType::F32, [3], &[1.0, 2.0, 3.0].map(|x| Value::from_f64(DType::F32, x)))?;
//! let column = Tensor::from_values(DType::F32, [2, 1], &[10.0, 20.0].map(|x| Value::from_f64(DType::F32, x)))?;
//! let sum = evaluate(Op::Add, &[&row, &column], None, &Broadcast::Numpy)?;
//! assert_eq!(sum.shape().dims(), [2, 3]);
//! assert_eq!(sum.get(&[1, 2]).to_f64(), 23.0);
//! # Ok::<(), eltwise_core::Error>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`value`] | one element |
//! | [`number`] | exact numbers, and their rounding to floats and integers |
//! | [`fma`](mod@fma) | `x * y + z`, rounded once |
//! | [`definitions`] | the definition of each operator on scalars |
//! | [`indexing`] | multi-indices, and the element of an operand at each |
//! | [`tensor`] | arrays, operators and broadcasting over them |
#![forbid(unsafe_code)]

pub mod definitions;
pub mod fma;
pub mod indexing;
pub mod number;
pub mod tensor;
pub mod value;

pub use definitions::{Conditions, apply, conditions};
pub use tensor::{Tensor, broadcast, broadcast_of, evaluate, evaluate_with_conditions};
pub use value::{Value, is_within, same};
