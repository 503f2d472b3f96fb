//! What kernels do with a block of elements, by the shape of the operator.
//!
//! | module | operators |
//! |---|---|
//! | [`map`] | T, ... -> T: lane functions over stored types of one compute type |
//! | [`divided`] | T / d -> T: divisions by one divisor a row |
//! | [`each`] | T, ... -> T: long lane functions, one vector a block |
//! | [`ahead`] | T, T -> T: a long lane function of a short one's result |
//! | [`test`](mod@test) | T, ... -> bool, packed to bytes |
//! | [`select`] | bool, T, T -> T, by element size |
//! | [`convert`] | T -> U, where it is no map |
//! | [`moves`] | T -> T by element size |

pub mod ahead;
pub mod convert;
pub mod divided;
pub mod each;
pub mod map;
pub mod moves;
pub mod select;
pub mod test;
