//! erf, erfc of `f64`.
