//! Vectors of f32 and f64 behind one trait, [`SimdFloat`], for the arithmetic loops.

use pulp::Simd;

/// A floating-point type with SIMD vectors.
pub(crate) trait SimdFloat: Copy {
    /// A vector of an ISA.
    type Vector<S: Simd>: Copy;

    /// Slightly above 1: the product of a thousand factors stays near 1.
    const FACTOR: Self;
    /// Small compared with 1.
    const SUMMAND: Self;
    /// 1.
    const ONE: Self;

    /// The number of elements of a vector.
    fn lanes<S: Simd>() -> usize;
    /// A vector of one value.
    fn splat<S: Simd>(simd: S, value: Self) -> Self::Vector<S>;
    /// `x + y`.
    fn add<S: Simd>(simd: S, x: Self::Vector<S>, y: Self::Vector<S>) -> Self::Vector<S>;
    /// `x * y`.
    fn multiply<S: Simd>(simd: S, x: Self::Vector<S>, y: Self::Vector<S>) -> Self::Vector<S>;
    /// `x * y + z`, rounded once if the ISA has a fused multiply-add.
    fn fma<S: Simd>(simd: S, x: Self::Vector<S>, y: Self::Vector<S>, z: Self::Vector<S>) -> Self::Vector<S>;
    /// `x / y`.
    fn divide<S: Simd>(simd: S, x: Self::Vector<S>, y: Self::Vector<S>) -> Self::Vector<S>;
    /// The square root.
    fn sqrt<S: Simd>(simd: S, x: Self::Vector<S>) -> Self::Vector<S>;
}

impl SimdFloat for f32 {
    type Vector<S: Simd> = S::f32s;

    const FACTOR: f32 = 1.000_001;
    const SUMMAND: f32 = 1e-9;
    const ONE: f32 = 1.0;

    #[inline(always)]
    fn lanes<S: Simd>() -> usize {
        S::F32_LANES
    }

    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: f32) -> S::f32s {
        simd.splat_f32s(value)
    }

    #[inline(always)]
    fn add<S: Simd>(simd: S, x: S::f32s, y: S::f32s) -> S::f32s {
        simd.add_f32s(x, y)
    }

    #[inline(always)]
    fn multiply<S: Simd>(simd: S, x: S::f32s, y: S::f32s) -> S::f32s {
        simd.mul_f32s(x, y)
    }

    #[inline(always)]
    fn fma<S: Simd>(simd: S, x: S::f32s, y: S::f32s, z: S::f32s) -> S::f32s {
        simd.mul_add_e_f32s(x, y, z)
    }

    #[inline(always)]
    fn divide<S: Simd>(simd: S, x: S::f32s, y: S::f32s) -> S::f32s {
        simd.div_f32s(x, y)
    }

    #[inline(always)]
    fn sqrt<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
        simd.sqrt_f32s(x)
    }
}

impl SimdFloat for f64 {
    type Vector<S: Simd> = S::f64s;

    const FACTOR: f64 = 1.000_000_1;
    const SUMMAND: f64 = 1e-9;
    const ONE: f64 = 1.0;

    #[inline(always)]
    fn lanes<S: Simd>() -> usize {
        S::F64_LANES
    }

    #[inline(always)]
    fn splat<S: Simd>(simd: S, value: f64) -> S::f64s {
        simd.splat_f64s(value)
    }

    #[inline(always)]
    fn add<S: Simd>(simd: S, x: S::f64s, y: S::f64s) -> S::f64s {
        simd.add_f64s(x, y)
    }

    #[inline(always)]
    fn multiply<S: Simd>(simd: S, x: S::f64s, y: S::f64s) -> S::f64s {
        simd.mul_f64s(x, y)
    }

    #[inline(always)]
    fn fma<S: Simd>(simd: S, x: S::f64s, y: S::f64s, z: S::f64s) -> S::f64s {
        simd.mul_add_e_f64s(x, y, z)
    }

    #[inline(always)]
    fn divide<S: Simd>(simd: S, x: S::f64s, y: S::f64s) -> S::f64s {
        simd.div_f64s(x, y)
    }

    #[inline(always)]
    fn sqrt<S: Simd>(simd: S, x: S::f64s) -> S::f64s {
        simd.sqrt_f64s(x)
    }
}
