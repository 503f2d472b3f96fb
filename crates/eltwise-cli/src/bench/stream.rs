//! Loops that write past the caches: at memory, a store that does not first read its line moves a third less.

use super::loops::{Memory, Traffic};

/// Whether this architecture has such stores.
pub(crate) const AVAILABLE: bool = cfg!(target_arch = "x86_64");

/// One pass over arrays aligned to 16 bytes. Every x86-64 has these stores of 16 bytes, and at memory they are as fast as
/// wider ones: four of them leave as one line. Reading has no such form, and does nothing.
#[cfg(target_arch = "x86_64")]
pub(crate) fn run(which: Traffic, memory: &mut Memory<'_>) {
    use std::arch::x86_64::{__m128, _mm_add_ps, _mm_loadu_ps, _mm_set1_ps, _mm_sfence, _mm_stream_ps};
    const LANES: usize = 4;
    assert_eq!(memory.out.as_ptr().addr() % 16, 0, "the arrays of a streaming loop are aligned");
    let out = memory.out.chunks_exact_mut(LANES);
    let (x, y) = (memory.x.chunks_exact(LANES), memory.y.chunks_exact(LANES));
    // SAFETY: SSE is part of x86-64, and a chunk has the four floats that a load reads.
    let load = |from: &[f32]| unsafe { _mm_loadu_ps(from.as_ptr()) };
    // SAFETY: as above, and the chunk is aligned to 16 bytes, for the array is and a chunk has 16.
    let store = |to: &mut [f32], value: __m128| unsafe { _mm_stream_ps(to.as_mut_ptr(), value) };
    // SAFETY: SSE is part of x86-64.
    let (value, sum) = unsafe { (_mm_set1_ps(std::hint::black_box(1.5)), |a, b| _mm_add_ps(a, b)) };
    match which {
        Traffic::Fill => out.for_each(|out| store(out, value)),
        Traffic::Copy => out.zip(x).for_each(|(out, x)| store(out, load(x))),
        Traffic::Add => out.zip(x.zip(y)).for_each(|(out, (x, y))| store(out, sum(load(x), load(y)))),
        Traffic::Read => {}
    }
    // SAFETY: SSE is part of x86-64. The fence orders the stores before whatever reads them.
    unsafe { _mm_sfence() };
}

/// One pass with ordinary stores, for there are no others here.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn run(which: Traffic, memory: &mut Memory<'_>) {
    super::loops::traffic(eltwise::Isa::current(), which, false, memory, 1);
}
