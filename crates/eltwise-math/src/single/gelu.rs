//! gelu of `f32`.
