//! sinh, cosh, tanh of `f64`.
