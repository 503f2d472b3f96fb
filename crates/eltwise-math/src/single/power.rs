//! pow, cbrt, rsqrt, hypot of `f32`.
