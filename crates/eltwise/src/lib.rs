//! `eltwise`: elementwise tensor work on the CPU, over any layout, with the same bits on every ISA.
//!
//! ```
//! use eltwise::{Array, Expr, Program, Serial};
//!
//! // One call.
//! let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
//! let row = Array::from_slice(&[10.0f32, 20.0, 30.0], [3])?;
//! let sum = eltwise::add(&x, &row)?;
//! assert_eq!(sum.as_slice::<f32>()?, [11.0, 22.0, 33.0, 14.0, 25.0, 36.0]);
//!
//! // An expression: bound once, run any number of times without allocating, every input read once.
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
//! | question | module or type |
//! |---|---|
//! | memory | [`View`], [`ViewMut`], [`RawView`], [`Array`], [`Element`] |
//! | one operator, one call | [`functions`]: [`add`], [`where_`], [`cast`] ...; [`into`](mod@into) a view |
//! | two results in one call | [`pairs`]: [`divmod`], [`modf`], [`frexp`], [`sincos`] |
//! | expressions | [`Expr`], [`Program`] |
//! | NumPy's dtype promotion | [`promote`], [`Program::promoting`] |
//! | at most 1 ULP, or correctly rounded | [`Accuracy`], [`Expr::accuracy`] |
//! | products that are added without rounding | [`Program::contract`] |
//! | planning | [`Program::bind`], [`Plan`], [`Layout`] |
//! | what is computed once and stored: a row, a column | [`BindOptions::hoist`], [`Hoist`], [`Plan::scratch`] |
//! | running | [`Plan::run`], [`Plan::run_in_place`], [`Plan::run_raw`], [`Plan::run_with_scratch`], [`Status`] |
//! | threads | [`Executor`], [`Serial`], [`Rayon`], [`Team`] |
//! | operators of your own | [`lanes`] |
//! | a kernel by itself, for a planner of your own | [`kernel()`], [`kernels`] |
//! | what a run costs, before and after | [`Plan::cost`], [`Observer`], [`set_observer`]; the environment variable `ELTWISE_TRACE=1` prints a line per run |
//! | stopping a run | [`Cancel`], [`RunOptions`] |
//! | huge pages, streaming stores | [`huge_pages_from`], [`Plan::streams`] |
//! | broadcasting without computing | [`broadcasting`] |
//! | the instruction set | [`Isa`]; the environment variable `ELTWISE_ISA` lowers it |
//!
//! # Features
//!
//! | feature | default | what |
//! |---|---|---|
//! | `f64`, `half`, `small-int`, `wide-int` | yes | kernels of f64; f16, bf16; 8 and 16 bit; 64 bit integers. f32, i32, u32 and bool are always there, and every dtype can be copied, broadcast and selected |
//! | `rayon` | yes | the [`Rayon`] executor |
//! | `ndarray` | no | views from and to `ndarray` |
//! | `check` | no | with the environment variable `ELTWISE_CHECK=1`, every run of a plan is compared with the definitions of its operators: the first difference is an [`Error::Check`] with layouts, ISA and plan. For when a result is in doubt: it copies the operands and computes every step twice more |

mod array;
pub mod broadcasting;
mod element;
mod exec;
mod executor;
pub mod expr;
pub mod functions;
pub mod into;
pub mod lanes;
mod machine;
pub mod pairs;
mod plan;
mod program;
pub mod promote;
mod status;
mod view;

pub use array::Array;
pub use broadcasting::broadcast;
pub use element::{Element, PlainElement};
pub use exec::cancel::Cancel;
pub use exec::kernels;
pub use exec::observe::{Observer, RunReport, Trace, set_observer};
pub use exec::options::{RunOptions, WithOptions};
pub use exec::pages::{huge_pages_from, set_huge_pages_from};
pub use exec::run::Tasks;
pub use exec::team::Team;
#[cfg(feature = "rayon")]
pub use executor::Rayon;
pub use executor::{Executor, Serial};
pub use expr::{Decimal, Expr, Literal, caret, lower, lower_promoting};
pub use functions::*;
pub use kernels::of as kernel;
#[doc(hidden)]
pub use machine::CpuModel;
pub use machine::machine;
pub use pairs::{divmod, frexp, modf, sincos};
pub use plan::Plan;
pub use program::{BindOptions, Program};
pub use status::Status;
pub use view::{RawView, View, ViewMut};

pub use eltwise_plan::{
    Accuracy, Broadcast, Constant, Cost, DType, Error, ErrorKind, Hoist, Layout, Machine, Op, ProgramBuilder, Shape,
    Signature, Strides, Technique, broadcast_shapes,
};
pub use eltwise_simd::Isa;
