//! asinh, acosh, atanh of `f32`.
