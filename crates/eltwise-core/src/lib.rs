//! The vocabulary of `eltwise`: dtypes, operators, shapes, layouts, broadcasting and errors, but not how operations run.
//!
//! All other crates of the engine use these types. This crate reads no element and contains no SIMD and no planner. It is
//! `no_std` (with `alloc`) and has no `unsafe`.
//!
//! Three types to know:
//!
//! * [`DType`]: the type of an element, from `bool` to `f64`, and opaque bytes that are only moved.
//! * [`Op`]: an operator of the [catalogue](mod@catalogue), with its type rules, cost class and documentation.
//! * [`Layout`]: a dtype, a shape and strides in bytes: where the elements of an operand are, without the data.
//!
//! ```
//! use eltwise_core::{Broadcast, DType, Op, Shape, broadcast_shapes};
//!
//! let (image, bias) = (Shape::new(&[8, 64, 56, 56]), Shape::new(&[64, 1, 1]));
//! assert_eq!(broadcast_shapes(&Broadcast::Numpy, &[&image, &bias])?, image);
//! assert_eq!(Op::Add.result(&[DType::F32, DType::F32], None)?, DType::F32);
//! # Ok::<(), eltwise_core::Error>(())
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`dtype`], [`constant`] | element types, typed scalars |
//! | [`catalogue`](mod@catalogue), [`op`] | the table of operators, one row each, and access to its columns |
//! | [`cost_class`], [`special_kernel`] | columns of the catalogue: what an operator costs, which kernels it has |
//! | [`type_rules`] | the dtype of an operator's result |
//! | [`accuracy`] | tiers of accuracy of the math operators |
//! | [`fused`] | pairs of operators that have one kernel |
//! | [`shape`], [`extent`], [`list`] | axis sizes and strides, element counts, short lists without a heap |
//! | [`layout`] | dtype, shape and strides of an operand |
//! | [`overlap`] | whether two operands share a byte |
//! | [`broadcast`] | broadcast modes, the common shape |
//! | [`tables`] | tables of the layout kernels |
//! | [`names`] | parsing of names |
//! | [`error`] | the error type of the whole engine |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod accuracy;
pub mod broadcast;
pub mod catalogue;
pub mod chain;
pub mod constant;
pub mod cost_class;
pub mod dtype;
pub mod error;
pub mod extent;
pub mod fused;
pub mod layout;
pub mod list;
pub mod names;
pub mod op;
pub mod overlap;
pub mod shape;
pub mod special_kernel;
pub mod tables;
pub mod type_rules;

pub use accuracy::{Accuracy, ErrorBound};
pub use broadcast::{Broadcast, broadcast_shapes};
pub use constant::Constant;
pub use cost_class::CostClass;
pub use dtype::DType;
pub use error::{Error, ErrorKind};
pub use fused::Fused;
pub use layout::Layout;
pub use op::{HalfCompute, Op, OpInfo, Signature};
pub use overlap::{may_overlap, ranges_overlap};
pub use shape::{Shape, Strides};
pub use special_kernel::SpecialKernel;
