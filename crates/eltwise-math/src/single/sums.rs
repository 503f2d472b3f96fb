//! logaddexp, logaddexp2, logit of `f32`.
