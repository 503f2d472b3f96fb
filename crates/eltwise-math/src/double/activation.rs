//! sigmoid, silu, gelu, gelu_tanh, mish, softplus, elu, celu, selu, softcap of `f64`.
