//! pow, cbrt, rsqrt, hypot of `f64`.
