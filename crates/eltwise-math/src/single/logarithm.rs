//! log, log2, log10, log1p of `f32`.
