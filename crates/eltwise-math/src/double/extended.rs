//! Exponential and logarithm of `f64` with a result of two parts, for the functions made of them.
