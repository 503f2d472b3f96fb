//! One function per operator with an output view: `into::add(&x, &y, &mut out)`.
//!
//! They are the functions of [`functions`](crate::functions), but write to a view instead of a new array. The output has
//! the shape and dtype of the result; the casts convert to the dtype of the output. After a data condition the function
//! returns an error, and the output is written.

pub use crate::functions::to_views::*;
