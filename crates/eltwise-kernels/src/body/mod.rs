//! Loop bodies: what a kernel does with a block of elements, one file per shape of operator.
//!
//! | module | operators |
//! |---|---|
//! | [`map`] | T, ... -> T: lane functions over stored types of one compute type |
//! | [`map_long`] | T, ... -> T: long lane functions, one vector per block |
//! | [`two_pass`] | T, T -> T: a long lane function over the results of a short one |
//! | [`scalar_operand`] | T, T -> T with one second operand per row: integer division, powers |
//! | [`predicate`] | T, ... -> bool: four masks, packed to bytes |
//! | [`select`] | bool, T, T -> T: `where`, by element size |
//! | [`convert`] | T -> U: casts that are no map |
//! | [`copy`] | T -> T: copies, by element size |

pub mod convert;
pub mod copy;
pub mod map;
pub mod map_long;
pub mod predicate;
pub mod scalar_operand;
pub mod select;
pub mod two_pass;
