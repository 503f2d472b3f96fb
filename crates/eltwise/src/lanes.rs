//! User-defined operators: a function on vectors, written once, that runs as a step of a program, with broadcasting, any
//! layout, threads and every ISA.
//!
//! 1. Implement [`UnaryOp`], [`BinaryOp`] or [`TernaryOp`] on a type, for a compute type such as `f32` and every `L` with
//!    the lanes that the function needs ([`FloatLanes`], [`IntLanes`], ...).
//! 2. Wrap the type in [`Unary`], [`Binary`] or [`Ternary`], which fixes the number of operands.
//! 3. Pass it to [`Operator::new`] with the element type of its operands and result.
//!
//! ```
//! use eltwise::lanes::{Binary, FloatLanes, Operator, BinaryOp};
//! use eltwise::{Array, Serial};
//!
//! /// x * x + y * y, each operation rounded.
//! struct SumOfSquares;
//! impl<L: FloatLanes<f32>> BinaryOp<f32, L> for SumOfSquares {
//!     #[inline(always)]
//!     fn lanes(l: L, x: L::V, y: L::V) -> L::V {
//!         l.add(l.mul(x, x), l.mul(y, y))
//!     }
//! }
//!
//! let sum_of_squares = Operator::new::<Binary<SumOfSquares>, f32>("sum_of_squares");
//! let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
//! let y = Array::from_slice(&[10.0f32, 20.0, 30.0], [3])?;
//! let plan = sum_of_squares.program()?.bind(&[x.layout(), y.layout()])?;
//! let out = plan.run_to_arrays(&Serial, &[x.view(), y.view()])?;
//! assert_eq!(out[0].as_slice::<f32>()?, [101.0, 404.0, 909.0, 116.0, 425.0, 936.0]);
//! # Ok::<(), eltwise::Error>(())
//! ```
//!
//! [`Operator::step`] adds the operator to a program that also has operators of the catalogue:
//!
//! ```
//! use eltwise::lanes::{FloatLanes, Operator, UnaryOp, Unary};
//! use eltwise::{Array, Broadcast, DType, Op, Program, ProgramBuilder, Serial};
//!
//! struct Softsign;
//! impl<L: FloatLanes<f32>> UnaryOp<f32, L> for Softsign {
//!     #[inline(always)]
//!     fn lanes(l: L, x: L::V) -> L::V {
//!         l.div(x, l.add(l.splat(1.0), l.abs(x)))
//!     }
//! }
//!
//! let softsign = Operator::new::<Unary<Softsign>, f32>("my_softsign");
//! let mut builder = ProgramBuilder::new();
//! let (x, b) = (builder.input("x", DType::F32), builder.input("b", DType::F32));
//! let sum = builder.step(Op::Add, &[x, b], None, Broadcast::Numpy)?;
//! let out = softsign.step(&mut builder, &[sum], Broadcast::Numpy)?;
//! builder.output(out);
//! let program = Program::with_operators(builder.finish()?, &[&softsign])?;
//!
//! let x = Array::from_slice(&[0.0f32, 2.0, -4.0], [3])?;
//! let b = Array::from_slice(&[1.0f32], [])?;
//! let plan = program.bind(&[x.layout(), b.layout()])?;
//! let out = plan.run_to_arrays(&Serial, &[x.view(), b.view()])?;
//! assert_eq!(out[0].as_slice::<f32>()?, [0.5, 0.75, -0.75]);
//! # Ok::<(), eltwise::Error>(())
//! ```
//!
//! [`Then`] composes two functions and keeps the value between them in registers. It rounds that value as a step would.
//! The functions of the catalogue are in [`functions`], so `Then<Binary<Add>, Unary<Gelu>, f32>` is `gelu(x + b)` in one
//! pass.
//!
//! # Rules for functions
//!
//! * Put `#[inline(always)]` on the function and on everything it calls, and use no closures over vectors. Code that is not
//!   inlined is compiled without the CPU features, so every lane operation in it becomes a call: the same result, but
//!   many times slower.
//! * A lane of the result may depend only on the same lane of the operands. The number of lanes, and the element that a
//!   lane computes, differ between ISAs and calls. Lanes past the end of a row hold ones.
//! * The function on [`Isa::Scalar`] is its own definition. Lane operations have the same results on every ISA, so the
//!   bits agree, except for the sign and payload of a NaN.
//! * `f16` and `bf16` operands are converted to `f32`, and the result is rounded once.
//!
//! A panic in a function ends the run and reaches its caller, through the executor if there is one. The outputs are then
//! partly written; the plan can be run again.

pub use crate::operator::Operator;
/// The lane functions of the catalogue, to call in functions and to compose with [`Then`].
pub use eltwise_kernels::functions;
pub use eltwise_kernels::functions::{Binary, BinaryOp, Lanewise, Ternary, TernaryOp, Then, Unary, UnaryOp};
pub use eltwise_kernels::table::custom::{Elements, Function};
pub use eltwise_simd::{BasicFloatLanes, Bool, Element, FloatLanes, IntLanes, Isa, Lanes, Stored, WideLanes};
