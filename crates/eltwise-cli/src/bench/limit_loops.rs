//! Loops that measure what a core can load, store and compute on an ISA: [`traffic`] over memory, [`arithmetic`] in registers.
//! They share no code with the library.

use std::hint::black_box;

use eltwise::Isa;
use pulp::bytemuck::cast_slice;
use pulp::{Simd, WithSimd};

use super::simd_float::SimdFloat;
use super::stream;
use super::traffic::{LoopArrays, Traffic};

/// Vectors in one iteration of a loop over memory.
const UNROLL: usize = 4;
/// Independent dependency chains of arithmetic. A core needs latency times throughput of them to stay busy: 8 with 4 cycles of
/// latency and 2 operations per cycle (Zen 4, Golden Cove). Together with two operands, 12 chains fit in the 16 registers of
/// AVX2.
const CHAINS: usize = 12;

/// An arithmetic loop in registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    /// Fused multiply-add; on the ISA `scalar` a multiplication and an addition.
    Fma,
    /// A multiplication followed by an addition.
    MultiplyAdd,
    /// A division.
    Divide,
    /// A square root.
    Sqrt,
}

/// Runs a loop over memory `passes` times. `non_temporal` selects non-temporal stores, if the architecture has them. Then
/// [`Traffic::Read`] does nothing, because it stores nothing.
///
/// # Panics
/// If stores are non-temporal and `arrays.out` is not aligned to 16 bytes.
pub(crate) fn traffic(isa: Isa, traffic: Traffic, non_temporal: bool, arrays: &mut LoopArrays<'_>, passes: usize) {
    for _ in 0..passes {
        let arrays = black_box(&mut *arrays);
        if non_temporal && stream::AVAILABLE {
            stream::run(traffic, arrays);
        } else {
            dispatch(isa, TrafficPass { traffic, arrays });
        }
    }
}

/// Runs `passes` passes of arithmetic on f32, or on f64 if `double`. Returns the number of operations. Each
/// [`Arithmetic::Fma`] and [`Arithmetic::MultiplyAdd`] counts as two.
pub(crate) fn arithmetic(isa: Isa, op: Arithmetic, double: bool, passes: usize) -> f64 {
    dispatch(isa, ArithmeticPasses { op, double, fused: isa != Isa::Scalar, passes })
}

/// Runs code compiled for an ISA, or for the best one below it that this CPU has.
fn dispatch<T: WithSimd>(isa: Isa, op: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if isa >= Isa::Avx512
            && let Some(v4) = pulp::x86::V4::try_new()
        {
            return Simd::vectorize(v4, op);
        }
        if isa >= Isa::Avx2
            && let Some(v3) = pulp::x86::V3::try_new()
        {
            return Simd::vectorize(v3, op);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if isa >= Isa::Neon
        && let Some(neon) = pulp::aarch64::Neon::try_new()
    {
        return Simd::vectorize(neon, op);
    }
    let _ = isa;
    Simd::vectorize(pulp::Scalar128b, op)
}

struct TrafficPass<'a, 'b> {
    traffic: Traffic,
    arrays: &'a mut LoopArrays<'b>,
}

impl WithSimd for TrafficPass<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (x, y): (&[S::f32s], &[S::f32s]) = (cast_slice(self.arrays.x), cast_slice(self.arrays.y));
        let out: &mut [S::f32s] = pulp::bytemuck::cast_slice_mut(self.arrays.out);
        match self.traffic {
            Traffic::Fill => {
                let value = simd.splat_f32s(black_box(1.5));
                out.chunks_exact_mut(UNROLL).for_each(|out| out.fill(value));
            }
            Traffic::Copy => {
                // A mask of ones that the compiler cannot see through. Without it, the compiler calls memcpy.
                let mask = simd.splat_u32s(black_box(u32::MAX));
                let copy = |x| simd.transmute_f32s_u32s(simd.and_u32s(simd.transmute_u32s_f32s(x), mask));
                for (out, x) in out.chunks_exact_mut(UNROLL).zip(x.chunks_exact(UNROLL)) {
                    for k in 0..UNROLL {
                        out[k] = copy(x[k]);
                    }
                }
            }
            Traffic::Add => {
                let inputs = x.chunks_exact(UNROLL).zip(y.chunks_exact(UNROLL));
                for (out, (x, y)) in out.chunks_exact_mut(UNROLL).zip(inputs) {
                    for k in 0..UNROLL {
                        out[k] = simd.add_f32s(x[k], y[k]);
                    }
                }
            }
            Traffic::Read => {
                const SUMS: usize = 8;
                let mut sums = [simd.splat_f32s(0.0); SUMS];
                for x in x.chunks_exact(SUMS) {
                    sums.iter_mut().zip(x).for_each(|(sum, &x)| *sum = simd.add_f32s(*sum, x));
                }
                let sum = sums.iter().fold(simd.splat_f32s(0.0), |all, &sum| simd.add_f32s(all, sum));
                black_box(simd.reduce_sum_f32s(sum));
            }
        }
    }
}

struct ArithmeticPasses {
    op: Arithmetic,
    double: bool,
    /// Whether the ISA has a fused multiply-add: every one but `scalar`.
    fused: bool,
    passes: usize,
}

impl WithSimd for ArithmeticPasses {
    /// The number of operations.
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        if self.double { self.run::<S, f64>(simd) } else { self.run::<S, f32>(simd) }
    }
}

impl ArithmeticPasses {
    /// Runs the chains on vectors of `T`. Returns the number of operations.
    #[inline(always)]
    fn run<S: Simd, T: SimdFloat>(self, simd: S) -> f64 {
        let ArithmeticPasses { op, fused, passes, .. } = self;
        let (a, b) = (T::splat(simd, black_box(T::FACTOR)), T::splat(simd, black_box(T::SUMMAND)));
        let start = T::splat(simd, black_box(T::ONE));
        let multiply_add = |x| T::add(simd, T::multiply(simd, x, a), b);
        let ops = Ops {
            fma: |x| if fused { T::fma(simd, x, a, b) } else { multiply_add(x) },
            multiply_add,
            divide: |x| T::divide(simd, x, a),
            sqrt: |x| T::sqrt(simd, x),
        };
        run_chains(op, start, &ops, passes) * T::lanes::<S>() as f64
    }
}

/// The operations on a vector type.
struct Ops<F, M, D, Q> {
    fma: F,
    multiply_add: M,
    divide: D,
    sqrt: Q,
}

/// Runs independent chains that begin with `start`. Returns the number of operations of one lane. Values stay normal: they
/// change by at most about a millionth per step, for 1000 steps.
#[inline(always)]
fn run_chains<V: Copy, F, M, D, Q>(op: Arithmetic, start: V, ops: &Ops<F, M, D, Q>, passes: usize) -> f64
where
    F: Fn(V) -> V,
    M: Fn(V) -> V,
    D: Fn(V) -> V,
    Q: Fn(V) -> V,
{
    const STEPS: usize = 1000;
    let per_step = match op {
        Arithmetic::Fma | Arithmetic::MultiplyAdd => 2,
        _ => 1,
    };
    for _ in 0..passes {
        let mut x = [black_box(start); CHAINS];
        for _ in 0..STEPS {
            match op {
                Arithmetic::Fma => x.iter_mut().for_each(|x| *x = (ops.fma)(*x)),
                Arithmetic::MultiplyAdd => x.iter_mut().for_each(|x| *x = (ops.multiply_add)(*x)),
                Arithmetic::Divide => x.iter_mut().for_each(|x| *x = (ops.divide)(*x)),
                Arithmetic::Sqrt => x.iter_mut().for_each(|x| *x = (ops.sqrt)(*x)),
            }
        }
        black_box(x);
    }
    (passes * STEPS * CHAINS * per_step) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_over_memory_compute_their_results() {
        let x: Vec<f32> = (0..1024).map(|i| i as f32).collect();
        let y: Vec<f32> = (0..1024).map(|i| 3.0 * i as f32).collect();
        for isa in Isa::available() {
            for non_temporal in [false, true] {
                for kind in Traffic::ALL {
                    let mut out = Aligned([9.0; 1024]);
                    let mut arrays = LoopArrays { x: &x, y: &y, out: &mut out.0 };
                    traffic(isa, kind, non_temporal, &mut arrays, 2);
                    for (i, &z) in out.0.iter().enumerate() {
                        let expected = match kind {
                            Traffic::Fill => 1.5,
                            Traffic::Copy => x[i],
                            Traffic::Add => x[i] + y[i],
                            Traffic::Read => 9.0,
                        };
                        assert_eq!(z, expected, "{isa} {kind:?} non-temporal {non_temporal} [{i}]");
                    }
                }
            }
        }
    }

    #[repr(align(64))]
    struct Aligned([f32; 1024]);

    #[test]
    fn operations_are_counted() {
        for isa in Isa::available() {
            let lanes = if isa == Isa::Scalar { 4.0 } else { (isa.vector_bytes() / 4) as f64 };
            assert_eq!(arithmetic(isa, Arithmetic::Fma, false, 3), 3.0 * 24_000.0 * lanes);
            assert_eq!(arithmetic(isa, Arithmetic::Divide, true, 1), 12_000.0 * lanes / 2.0);
        }
    }
}
