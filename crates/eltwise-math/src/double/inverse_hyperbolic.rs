//! asinh, acosh, atanh of `f64`.
