//! The intermediate representation: programs of typed steps, without shapes.
//!
//! A [`ProgramBuilder`](builder::ProgramBuilder) builds a [`Program`](program::Program); [`bind`](crate::bind) gives it shapes
//! and strides.

pub mod builder;
pub mod operation;
pub mod program;
pub(crate) mod shapes;
