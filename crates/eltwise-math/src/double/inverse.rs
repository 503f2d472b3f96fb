//! asin, acos, atan, atan2 of `f64`.
