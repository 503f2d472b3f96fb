//! sin, cos, tan of `f32`.
