//! sigmoid, silu, gelu_tanh, mish, softplus, elu, celu, selu, softcap of `f32`.
