//! Vectorised elementary functions (exp, log, sin, erf, gelu ...) of `f32` and `f64`: within 1 ULP, and with the same
//! bits on every instruction set.
//!
//! A function is written once, generic over the instruction set, from operations that are exact or correctly rounded on
//! all of them (add, multiply, fused multiply-add, divide, square root, integer operations on the bits, table lookups).
//! A branch may depend on a neighbouring lane only if both sides give the same bits. So a result depends neither on the
//! CPU nor on the position in a vector.
//!
//! Special values follow C23 Annex F. NaN results may have any sign and payload; the kernels of `eltwise` replace them
//! by the quiet NaN.
//!
//! # Three types to know
//!
//! 1. [`Vector<C, L>`](Vector) is one vector of `C` (`f32` or `f64`) for the instruction set of the token `L`, with
//!    `+ - * /` and methods such as [`mul_add`](Vector::mul_add). [`F32<L>`](F32) and [`F64<L>`](F64) are short names.
//! 2. [`Mask`] is the result of a comparison, one boolean per lane. [`Mask::select`] chooses between two vectors.
//! 3. [`Bits`] is the same lanes as integers, for exponents and signs.
//!
//! # Example
//!
//! ```
//! use eltwise_math::{F32, Vector};
//! use eltwise_simd::{OneLane, WideLanes};
//!
//! /// e^-(x^2), and 0 outside [-2, 2].
//! fn bump<L: WideLanes>(x: F32<L>) -> F32<L> {
//!     let inside = x.abs().le(2.0);
//!     inside.select(eltwise_math::f32::exp(-(x * x)), 0.0)
//! }
//!
//! // `OneLane` is the portable token, with vectors of one element. Kernels call the function with the token of an
//! // instruction set: see `eltwise_simd::Token`.
//! let value = |x| bump(Vector::new(OneLane, [x])).raw()[0];
//! assert!((value(1.0) - 0.367_879_44).abs() < 1e-7);
//! assert_eq!(value(3.0), 0.0);
//! ```
//!
//! # Where to go
//!
//! | for | see |
//! |---|---|
//! | functions of `f32`, at most 1 ULP | [`mod@f32`] |
//! | functions of `f64`, at most 1 ULP, or 4 of statistics | [`mod@f64`] |
//! | functions of `f32`, correctly rounded | [`correctly_rounded`] |
//! | functions of `f64` whose result is rounded to `f32`, `f16` or `bf16` next | [`to_narrow`] |
//! | vectors, masks, bits | [`vector`] |
//!
//! A function is in the file of its name or of its family: `gelu.rs`, `tanh.rs`, `erf.rs`, `trigonometric.rs`. The head
//! of the file has the method as a numbered list, with sources; the function's docs have its largest measured error,
//! its special values, and whether it is monotone. The scripts in `tools/coefficients` print the tables.
//!
//! # Terms
//!
//! * *Error of a polynomial*: the largest relative error of the approximated function, unless the comment says
//!   otherwise. `2^-24` is half an ULP of `f32`, `2^-53` of `f64`.
//! * *Rare branch*: code that a vector takes only if a lane needs it, for example for subnormal numbers. Arithmetic on
//!   subnormal numbers is slow on many CPUs; the functions work on their bits instead.
//! * *Double-double*: an unevaluated sum of two floats, `hi + lo`, with about twice the precision of one (Dekker 1971).

pub mod correctly_rounded;
mod exponent;
pub mod f32;
pub mod f64;
mod polynomial;
pub mod vector;

pub use exponent::Exponent;
pub use f64::to_narrow;
pub use vector::{Bits, F32, F64, Mask, Vector};
