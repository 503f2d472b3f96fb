//! exp, exp2, exp10, expm1 of `f64`.
