//! sin, cos, tan of `f64`.
