//! sinh, cosh, tanh of `f32`.
