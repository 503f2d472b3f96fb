//! The oracle of the math operators: correctly rounded results, high-precision values, and errors in ULP.
//!
//! `eltwise verify` and the tests compare the engine's math functions (`exp`, `sin`, `gelu`, `pow`, ...) with this
//! crate. It shares no code with the engine: results come from [CORE-MATH](https://core-math.gitlabpages.inria.fr/) or
//! from multi-word floating-point arithmetic.
//!
//! Three types to know:
//!
//! * [`Function`]: a math function, by name. [`Function::doc`] gives its definition.
//! * [`Format`]: a binary floating-point format, `f16`, `bf16`, `f32` or `f64`. Operands and results are bits of a
//!   format.
//! * [`BigFloat`]: a float with a significand of several 64-bit words, in which values are computed to 105 or 225 bits.
//!
//! ```
//! use eltwise_oracle::{Function, correctly_rounded_f32, ulp_error_f32};
//!
//! let exp2: Function = "exp2".parse()?;
//! let right = correctly_rounded_f32(exp2, 0.3, 0.0); // the second operand does not count: exp2 has one
//! assert_eq!(right, 1.231_144_4);
//! assert!(ulp_error_f32(right, exp2, 0.3, 0.0) <= 0.5);
//! assert!(ulp_error_f32(right.next_up(), exp2, 0.3, 0.0) > 0.5);
//! # Ok::<(), eltwise_oracle::UnknownFunction>(())
//! ```
//!
//! | task | item |
//! |---|---|
//! | list or parse the functions | [`Function`] |
//! | correctly rounded result | [`correctly_rounded`], [`correctly_rounded_f32`], `..._f64`, `..._f16`, `..._bf16` |
//! | error of a result in ULP | [`ulp_error`], [`ulp_error_f32`], [`ulp_error_f64`] |
//! | value to 105 or 225 bits | [`evaluate`], [`evaluate_double_double`] |
//! | `f64` inputs that are hard to round | [`hard_inputs`] |
//! | inputs whose exact result is a number of the format | [`representable_inputs`], [`is_nearly_representable`] |
//!
//! # Terms
//!
//! * *Correctly rounded*: the number of the format nearest to the exact value, ties to even. It has an error of at most
//!   0.5 ULP.
//! * *Representable* (an "exact case" in the literature): the exact value itself is a number of the format, as in
//!   `log2(8)`.
//! * *Exact operator* (in the catalogue of `eltwise-core`): an operator like `add` that is a formula in IEEE
//!   operations. This crate is about the other operators, the math operators.
//!
//! # Three layers
//!
//! Each layer checks the one above it in the tests; [`evaluate`] itself is compared with mpmath at inputs of every
//! range (`tools/oracle/hard.py` writes them).
//!
//! 1. CORE-MATH's correctly rounded functions of `f32` and `f64` (crate `core-math`) take nanoseconds. Functions that
//!    CORE-MATH does not have, and 16-bit results, are composed of its `f64` functions in forms without cancellation,
//!    with a bound of the error.
//! 2. If that bound leaves the rounding open, and for `f64` functions that CORE-MATH does not have, the value is
//!    computed with 128-bit significands.
//! 3. If 105 correct bits leave the rounding open, it is computed with 256-bit significands. A value that 225 bits do
//!    not separate from a tie is a tie.
//!
//! # Special values
//!
//! Special values follow C23 Annex F. `gelu`, `gelu_tanh`, `silu` and `mish`, which are not in it, take their limits:
//! -0 at -infinity and +infinity at +infinity. A NaN result is the quiet NaN with the sign bit clear.
//!
//! # Building
//!
//! `core-math` compiles C code with `-march=native`, unless the environment variable `TARGET_CPU` names another CPU.
//! Set `TARGET_CPU=x86-64` if the build runs on other machines.

#![forbid(unsafe_code)]

pub mod bigfloat;
mod correctly_rounded;
mod evaluate;
mod fast_path;
mod format;
mod function;
mod hard_inputs;
mod representable;
mod special_values;
mod ulp;

pub use bigfloat::BigFloat;
pub use correctly_rounded::{
    correctly_rounded, correctly_rounded_bf16, correctly_rounded_f16, correctly_rounded_f32, correctly_rounded_f64,
};
pub use evaluate::{Evaluation, evaluate, evaluate_double_double};
pub use format::Format;
pub use function::{Function, UnknownFunction};
pub use hard_inputs::hard_inputs;
pub use representable::{is_nearly_representable, representable_inputs};
pub use ulp::{ulp_error, ulp_error_f32, ulp_error_f64};
