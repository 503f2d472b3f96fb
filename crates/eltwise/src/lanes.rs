//! Operators of the caller's own: a function on vectors, written once, becomes a step of programs like those of the
//! catalogue, with broadcasting, any layouts, threads, and the instruction set of the machine.
//!
//! A function implements one of [`Same1`], [`Same2`], [`Same3`] for a compute type `C` and every level `L` whose lanes have what it
//! needs; an adapter ([`Unary`], [`Binary`], [`Ternary`]) says how many operands it has, and [`Operator::new`] makes an
//! operator of it over elements of a dtype.
//!
//! ```
//! use eltwise::lanes::{Binary, FloatLanes, Operator, Same2};
//! use eltwise::{Array, Serial};
//!
//! /// x * x + y * y, each operation rounded.
//! struct SumOfSquares;
//! impl<L: FloatLanes<f32>> Same2<f32, L> for SumOfSquares {
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
//! In a program beside operators of the catalogue it is a step that [`Operator::step`] adds:
//!
//! ```
//! use eltwise::lanes::{FloatLanes, Operator, Same1, Unary};
//! use eltwise::{Array, Broadcast, DType, Op, Program, ProgramBuilder, Serial};
//!
//! struct Softsign;
//! impl<L: FloatLanes<f32>> Same1<f32, L> for Softsign {
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
//! [`Then`] makes one function of two, so that the value between them stays in registers; it rounds where two steps
//! would. The functions of the catalogue are in [`functions`], so `Then<Binary<Add>, Unary<Gelu>, f32>` is `gelu(x + b)` in one pass.
//!
//! # What a function must keep to
//!
//! * `#[inline(always)]` on it and on all that it calls, and no closures over vectors: what is not inlined is compiled without
//!   the CPU features, and every lane operation in it becomes a call. The result is the same, many times slower.
//! * A lane of the result depends on the same lane of the operands only. How many lanes there are, and on which
//!   element a lane works, differs between levels and calls; lanes past the end of a row hold ones.
//! * Its definition is the function itself on [`Isa::Scalar`]: lane operations have the same results on every level, so the bits
//!   agree, but for the sign and payload of NaN.
//! * `f16` and `bf16` compute in `f32`; the result is rounded once.
//!
//! A panic in a function ends the run and goes on to the caller of it (an executor hands it over as it does other panics).
//! Outputs are written in part then; the plan may be run again.

use core::sync::atomic::{AtomicU32, Ordering};

use eltwise_kernels::abi::Kernel;
use eltwise_kernels::custom::custom;
use eltwise_plan::{Broadcast, Custom, Error, ProgramBuilder, ValueId};
use smallvec::SmallVec;

use crate::program::Program;

pub use eltwise_kernels::custom::{Elements, Function};
pub use eltwise_kernels::functions::{Binary, Lanewise, Same1, Same2, Same3, Ternary, Then, Unary};
pub use eltwise_simd::{BasicFloatLanes, Bool, Element, FloatLanes, IntLanes, Isa, Lanes, Stored, WideLanes};

/// The lane functions of the catalogue, to be called in functions and composed by [`Then`].
pub use eltwise_kernels::functions;

/// An operator of the caller's. Cheap to clone; clones are the same operator.
#[derive(Clone, Debug)]
pub struct Operator {
    function: Custom,
    /// Its kernel for a level.
    kernel: fn(Isa) -> Kernel,
}

impl Operator {
    /// The operator of a function over elements of `S`: a Rust number, `half::f16`, `half::bf16`, or [`Bool`].
    /// The name is for messages and plans.
    pub fn new<F: Function<S>, S: Elements>(name: &'static str) -> Operator {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let arity = <F as Lanewise<S::Compute, S::Scalar>>::ARITY;
        let function = Custom { id, name, arity, from: S::DTYPE, to: S::DTYPE };
        Operator { function, kernel: custom::<F, S> }
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.function.name
    }

    /// The number of operands.
    pub fn arity(&self) -> usize {
        self.function.arity
    }

    /// Adds a step of this operator to a program, which [`Program::with_operators`] then takes.
    ///
    /// # Errors
    /// As [`ProgramBuilder::custom`].
    pub fn step(&self, builder: &mut ProgramBuilder, args: &[ValueId], broadcast: Broadcast) -> Result<ValueId, Error> {
        builder.custom(self.function, args, broadcast)
    }

    /// The program of this operator alone, over inputs `a`, `b`, `c`, with NumPy's broadcasting.
    ///
    /// # Errors
    /// None that an operator gives.
    pub fn program(&self) -> Result<Program, Error> {
        let mut builder = ProgramBuilder::new();
        let names = ["a", "b", "c"].iter().take(self.arity());
        let args: SmallVec<[ValueId; 3]> = names.map(|name| builder.input(name, self.function.from)).collect();
        let out = self.step(&mut builder, &args, Broadcast::Numpy)?;
        builder.output(out);
        Program::with_operators(builder.finish()?, &[self])
    }

    /// The kernel for level `isa`, or the best one below it: see [`kernel`](crate::kernel()). Calling it is unsafe: the CPU must have
    /// the level.
    pub fn kernel(&self, isa: Isa) -> Kernel {
        (self.kernel)(isa)
    }

    /// The one of these operators that a function belongs to.
    pub(crate) fn find(operators: &[Operator], function: Custom) -> Result<&Operator, Error> {
        operators.iter().find(|operator| operator.function == function).ok_or_else(|| Error::Expression {
            message: format!("the program has a step of {}, which is not among its operators", function.name),
        })
    }

    /// The kernel of a function of one of these operators.
    pub(crate) fn kernel_in(operators: &[Operator], function: Custom, isa: Isa) -> Result<Kernel, Error> {
        Operator::find(operators, function).map(|operator| operator.kernel(isa))
    }
}
