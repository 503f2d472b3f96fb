//! erf, erfc of `f32`.
