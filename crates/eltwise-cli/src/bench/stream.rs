//! The loops of the STREAM benchmark with non-temporal stores. An ordinary store to memory first reads its cache line;
//! without that read, the loop `add` moves a quarter fewer bytes (3 arrays instead of 4) and `copy` a third fewer (2 instead
//! of 3).

use super::traffic::{LoopArrays, Traffic};

/// Whether this architecture has non-temporal stores that the loops use.
pub(crate) const AVAILABLE: bool = cfg!(target_arch = "x86_64");

/// One pass over arrays aligned to 16 bytes. Every x86-64 CPU has these stores of 16 bytes. To memory they are as fast as wider
/// ones, because the CPU combines four of them into one line. [`Traffic::Read`] does nothing.
///
/// # Panics
/// If `out` is not aligned to 16 bytes.
#[cfg(target_arch = "x86_64")]
pub(crate) fn run(traffic: Traffic, arrays: &mut LoopArrays<'_>) {
    use std::arch::x86_64::{__m128, _mm_add_ps, _mm_loadu_ps, _mm_set1_ps, _mm_sfence, _mm_stream_ps};
    const LANES: usize = 4;
    assert_eq!(arrays.out.as_ptr().addr() % 16, 0, "`out` must be aligned to 16 bytes for non-temporal stores");
    let out = arrays.out.chunks_exact_mut(LANES);
    let (x, y) = (arrays.x.chunks_exact(LANES), arrays.y.chunks_exact(LANES));
    // SAFETY: SSE is part of x86-64, and a chunk has the four floats that the load reads.
    let load = |from: &[f32]| unsafe { _mm_loadu_ps(from.as_ptr()) };
    // SAFETY: SSE is part of x86-64, and a chunk has the four floats that the store writes. The chunk is aligned to 16 bytes:
    // the array is, by the assertion above, and each chunk has 16 bytes.
    let store = |to: &mut [f32], value: __m128| unsafe { _mm_stream_ps(to.as_mut_ptr(), value) };
    // SAFETY: SSE is part of x86-64.
    let (value, sum) = unsafe { (_mm_set1_ps(std::hint::black_box(1.5)), |a, b| _mm_add_ps(a, b)) };
    match traffic {
        Traffic::Fill => out.for_each(|out| store(out, value)),
        Traffic::Copy => out.zip(x).for_each(|(out, x)| store(out, load(x))),
        Traffic::Add => out.zip(x.zip(y)).for_each(|(out, (x, y))| store(out, sum(load(x), load(y)))),
        Traffic::Read => {}
    }
    // SAFETY: SSE is part of x86-64. The fence orders the stores before later reads of the output.
    unsafe { _mm_sfence() };
}

/// Never called: [`AVAILABLE`] is false.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn run(_: Traffic, _: &mut LoopArrays<'_>) {
    unreachable!("no non-temporal stores here: see AVAILABLE");
}
