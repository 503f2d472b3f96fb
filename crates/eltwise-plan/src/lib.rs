//! The planner of `eltwise`: from a program and operand layouts to a plan that kernels can run.
//!
//! This crate decides in which order an elementwise expression accesses memory, and reads no element. It contains no SIMD:
//! facts of the CPU and of the kernels are plain numbers in a [`Target`]. It is `no_std` (with `alloc`) and has no `unsafe`.
//!
//! Three types to know:
//!
//! * [`Program`]: typed steps from inputs to outputs, without shapes. A [`ProgramBuilder`] builds it.
//! * [`Binding`]: a program over operands with shapes and strides.
//! * [`Schedule`]: a binding with its loop nest, strategy and scratch; everything that a run needs except the kernels.
//!
//! ```
//! use eltwise_core::{Broadcast, DType, Layout, Op};
//! use eltwise_plan::strategy::Strategy;
//! use eltwise_plan::{Binding, Program, Schedule, Target};
//!
//! let add = Program::single(Op::Add, &[DType::F32, DType::F32], None, Broadcast::Numpy)?;
//! let image = Layout::contiguous(DType::F32, [8, 64, 56, 56])?;
//! let bias = Layout::contiguous(DType::F32, [64, 1, 1])?;
//! let binding = Binding::new(&add, &[&image, &bias], None, false)?;
//! let schedule = Schedule::new(binding, &Target::default());
//! // The two innermost axes are one loop of 3136 elements, over which the bias is one element.
//! assert_eq!(schedule.nest.sizes[..], [8, 64, 3136]);
//! assert_eq!(schedule.nest.operands[2].strides[..], [0, 4, 0]);
//! assert_eq!(schedule.strategy, Strategy::Direct);
//! # Ok::<(), eltwise_core::Error>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`ir`] | programs, their builder, composite operators, contraction |
//! | [`bind`] | operands, output layouts, fusion; [`loop_nest`](bind::loop_nest), [`hoist`](bind::hoist) |
//! | [`single_call`] | the shortcut for runs that are one kernel call |
//! | [`strategy`] | direct plans, the search for tiles, copies between layouts; names of the [techniques](strategy::technique) |
//! | [`store_policy`] | non-temporal stores, 256-bit vectors |
//! | [`partition`] | tasks for threads |
//! | [`cost`](mod@cost) | the expected time of a run |
//! | [`cpu_model`], [`target`] | inputs of the planner: CPU, kernels, options |
//! | [`tuning`] | every constant that a decision reads |
//! | [`explain`] | plans as text |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod bind;
pub mod cost;
pub mod cpu_model;
pub mod explain;
pub mod ir;
pub mod partition;
pub mod single_call;
pub mod store_policy;
pub mod strategy;
pub mod target;
pub mod tuning;

pub use bind::Binding;
pub use bind::hoist::{Hoist, StagedProgram};
pub use cost::Cost;
pub use cpu_model::CpuModel;
pub use ir::builder::{ProgramBuilder, constant_power, is_composite};
pub use ir::program::{Custom, Program, ValueId};
pub use strategy::Schedule;
pub use strategy::technique::Technique;
pub use target::{BindOptions, KernelCapabilities, Target};
