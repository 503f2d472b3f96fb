//! logaddexp, logaddexp2, logit of `f64`.
