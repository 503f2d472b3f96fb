//! A CPU engine for elementwise tensor work: operators and expressions over any shape, strides and dtype, with SIMD
//! kernels that give the same bits on every ISA.
//!
//! Use it if operands broadcast, are strided or transposed, or if several operators fuse into one pass over memory. It has
//! no matrix products, no reductions and no automatic differentiation.
//!
//! # Three types
//!
//! 1. [`View`] is an operand: a dtype, a shape and byte strides over memory that you own. [`ViewMut`] is an output, and
//!    [`Array`] owns its memory.
//! 2. [`Program`] is what to compute, with dtypes but without shapes. Build it from [`Expr`]s, or parse it from text:
//!    `Program::parse("a * b + c", ..)`.
//! 3. [`Plan`] is a program bound to layouts with [`Program::bind`], which chooses loops, kernels and tasks. Binding takes less
//!    than a microsecond for one operator over contiguous operands, and 5 to 15 for most other layouts. Running a plan on the
//!    calling thread allocates nothing and waits for no lock. Bind once, run many times.
//!
//! For a single operator there are functions, such as [`add`], that bind and run in one call.
//!
//! ```
//! use eltwise::{Array, Expr, Program, Serial};
//!
//! // One operator: a function. The shapes [2, 3] and [3] broadcast as in NumPy.
//! let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
//! let row = Array::from_slice(&[10.0f32, 20.0, 30.0], [3])?;
//! let sum = eltwise::add(&x, &row)?;
//! assert_eq!(sum.as_slice::<f32>()?, [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);
//!
//! // An expression: a program, bound to layouts once. Each run reads every input once.
//! let (a, b) = (Expr::input("a"), Expr::input("b"));
//! let program = Program::new(&[&((&a + &b) * 0.5)], &[("a", x.dtype()), ("b", row.dtype())])?;
//! let plan = program.bind(&[x.layout(), row.layout()])?;
//! let mut out = Array::with_layout(plan.output_layouts()[0].clone())?;
//! let status = plan.run_with(&Serial, &[x.view(), row.view()], &mut [out.view_mut()])?;
//! assert!(!status.zero_division());
//! assert_eq!(out.as_slice::<f32>()?, [5.5, 11.0, 16.5, 7.0, 12.5, 18.0]);
//! # Ok::<(), eltwise::Error>(())
//! ```
//!
//! # Where to find it
//!
//! | topic | module or type |
//! |---|---|
//! | operands and outputs | [`View`], [`ViewMut`], [`Array`], [`Element`]; [`RawView`] for pointers without borrows |
//! | one operator in one call | [`functions`]: [`add`], [`where_`], [`cast`] ...; [`into`](mod@into) with an output view |
//! | operators with two results | [`pairs`]: [`divmod`], [`modf`], [`frexp`], [`sincos`] |
//! | expressions, from Rust or from text | [`Expr`], [`Program`], [`Literal`] |
//! | NumPy's dtype promotion | [`promote`], [`Program::promoting`] |
//! | accuracy: at most 1 ULP, or correctly rounded | [`Accuracy`], [`Expr::accuracy`] |
//! | contraction of `a * b + c` to a fused multiply-add | [`Program::contract`] |
//! | binding to layouts | [`Program::bind`], [`BindOptions`], [`Layout`] |
//! | calls whose layouts change | [`PlanCache`] |
//! | hoisting sub-expressions of lower rank | [`BindOptions::hoist`], [`Hoist`], [`Plan::scratch`] |
//! | running | [`Plan::run`], [`Plan::run_in_place`], [`Plan::run_raw`], [`Plan::run_with_scratch`] |
//! | integer division by zero and other data conditions | [`Status`] |
//! | threads | [`Executor`], [`Serial`], [`Rayon`], [`Team`]; [`Tasks`] for your own workers |
//! | cancellation | [`Cancel`], [`RunOptions`] |
//! | your own operators | [`lanes`] |
//! | kernels without the planner | [`kernel()`], [`kernels`] |
//! | explanations and costs | [`Plan::explain`], [`Plan::cost`] |
//! | tracing runs | [`Observer`], [`set_observer`]; the environment variable `ELTWISE_TRACE=1` prints one line per run |
//! | huge pages, non-temporal stores | [`huge_pages_from`], [`Plan::is_non_temporal`] |
//! | broadcasting without an operator | [`broadcasting`] |
//! | instruction sets | [`Isa`]; the environment variable `ELTWISE_ISA` lowers the ISA |
//!
//! # Features
//!
//! | feature | default | effect |
//! |---|---|---|
//! | `f64` | yes | kernels of `f64` |
//! | `half` | yes | kernels of `f16` and `bf16` |
//! | `small-int` | yes | kernels of 8-bit and 16-bit integers |
//! | `wide-int` | yes | kernels of 64-bit integers |
//! | `rayon` | yes | the [`Rayon`] executor |
//! | `ndarray` | no | conversions from and to `ndarray` |
//! | `check` | no | with the environment variable `ELTWISE_CHECK=1`, every run is compared with the definitions of its operators, and the first difference is an [`Error::Check`]. It copies the operands and computes every step two more times |
//!
//! Without the dtype features, `f32`, `i32`, `u32` and `bool` have all kernels, and every other dtype can still be copied,
//! broadcast and selected.

mod array;
pub mod broadcasting;
mod debug;
mod element;
mod exec;
pub mod expr;
pub mod functions;
pub mod into;
pub mod kernels;
pub mod lanes;
mod operator;
pub mod pairs;
mod plan;
mod program;
pub mod promote;
mod run;
mod status;
mod sys;
mod threads;
mod view;

pub use array::Array;
pub use broadcasting::broadcast;
pub use debug::observe::{Observer, RunReport, Trace, set_observer};
pub use element::{Element, PlainElement};
pub use eltwise_core::{
    Accuracy, Broadcast, Constant, DType, Error, ErrorBound, ErrorKind, Layout, Op, Shape, Signature, Strides,
    broadcast_shapes,
};
pub use eltwise_plan::{Cost, CpuModel, Hoist, KernelCapabilities, ProgramBuilder, Target, Technique, constant_power};
pub use eltwise_simd::Isa;
pub use exec::Cancel;
pub use expr::{Decimal, Expr, Literal, caret, lower, lower_promoting};
pub use functions::*;
pub use kernels::of as kernel;
pub use pairs::{divmod, frexp, modf, sincos};
pub use plan::{BindOptions, LayoutParts, Plan, PlanCache, PlanCacheCounts};
pub use program::Program;
pub use run::Tasks;
pub use status::Status;
pub use sys::cpu::{cpu_model, set_cpu_model, target};
pub use sys::pages::{huge_pages_from, set_huge_pages_from};
#[cfg(feature = "rayon")]
pub use threads::Rayon;
pub use threads::{Executor, RunOptions, Serial, Team, WithOptions};
pub use view::{RawView, View, ViewMut};
