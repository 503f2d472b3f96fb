//! The vocabulary and the planner of `eltwise`.
//!
//! This crate knows what an elementwise expression *means* and how it walks memory; it knows nothing of SIMD and
//! touches no element. It is `no_std` (with `alloc`) and holds no `unsafe`.
//!
//! | question | module |
//! |---|---|
//! | which element types are there? | [`dtype`] |
//! | which operators, over which dtypes? | [`catalogue`](mod@catalogue), [`op`] |
//! | how accurate are the math operators? | [`accuracy`] |
//! | what are a shape, strides, a layout? | [`shape`], [`list`], [`layout`] |
//! | which shapes fit together, and how? | [`broadcast`] |
//! | what is an expression after lowering? | [`program`]; `composite.rs` has operators that are made of others, `contract.rs` products that are not rounded |
//! | which leaves and steps does it have over given layouts? | [`bind`] |
//! | what is computed once, before the rest? | [`stages`] |
//! | which steps become one? | [`fuse`] |
//! | how is it walked: loops, tiles, chunks? | [`nest`], [`plan`](mod@plan), [`tile`], [`chunks`] |
//! | what will a run take? | [`cost`](mod@cost) |
//! | is it one kernel call? | [`one_call`] |
//! | what differs beyond the caches? | [`beyond`] |
//! | what will a run do, in words? by which techniques? | [`explain`], [`technique`] |
//! | what can go wrong? | [`error`] |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod accuracy;
pub mod arranged;
pub mod beyond;
pub mod bind;
pub mod broadcast;
pub mod catalogue;
pub mod chunks;
mod composite;
mod contract;
pub mod cost;
pub mod dtype;
pub mod error;
pub mod explain;
pub mod fuse;
mod held;
mod infer;
pub mod layout;
pub mod list;
pub mod nest;
pub mod one_call;
pub mod op;
pub mod plan;
pub mod plane;
pub mod program;
pub mod shape;
pub mod stages;
pub mod technique;
pub mod tile;

pub use accuracy::Accuracy;
pub use bind::Binding;
pub use broadcast::{Broadcast, broadcast_shapes};
pub use cost::Cost;
pub use dtype::DType;
pub use error::{Error, ErrorKind};
pub use layout::Layout;
pub use op::{Op, OpInfo, Signature};
pub use plan::{Machine, Schedule};
pub use program::{Constant, Custom, Program, ProgramBuilder, ValueId};
pub use shape::{Shape, Strides};
pub use stages::{Hoist, Staging};
pub use technique::Technique;
