//! Streaming stores: large outputs leave the core by whole cache lines without being read into the caches first.
//!
//! No kernel knows of it: a call runs block by block into scratch in the first-level cache, and the blocks are copied out
//! by non-temporal stores. Meanwhile, on CPUs of AMD, the inputs of the next block are asked for: a kernel reads them in a burst, and without
//! that the memory rests during each copy, which costs 3 to 15 % of a run, by luck. Intel's fetch ahead by themselves, and take 10 to 60 %
//! longer when they are asked. Beyond the caches that saves a part of the traffic of `a + b`; within them, or on memory that
//! was never touched, it loses, so [`Schedule::is_worth_streaming`](eltwise_plan::Schedule) and the caller
//! of `bind` decide.

use core::mem::MaybeUninit;

use eltwise_kernels::{Call, Kernel};
#[cfg(target_arch = "x86_64")]
use eltwise_simd::Isa;

/// The most bytes of a block: long enough for a kernel call, short enough for the CPU to begin the next before it ends. Measured over 64 MiB:
/// on Intel's CPUs 1024 take 1.15 times as long as the best loop, 512 and 2048 1.28.
const BLOCK: usize = 1024;
/// Bytes of a block where the next one's inputs are asked for meanwhile: 1.0 to 1.05 times as long as the best loop on AMD's CPUs.
const ASKING_BLOCK: usize = 512;
/// Bytes of a cache line.
const LINE: usize = 64;

#[repr(C, align(64))]
struct Block([MaybeUninit<u8>; BLOCK]);

/// Bytes of an element of each operand of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) out: usize,
    pub(super) ins: [usize; 4],
}

/// Runs a call with streaming stores. A [`Fence`] comes before another thread is told of the results. `next` is what is read
/// soon; without, what lies behind the call's inputs.
///
/// # Safety
/// As for the kernel; the output overlaps no input at all.
pub(super) unsafe fn call(kernel: Kernel, call: &Call, sizes: &Sizes, next: Option<Next>) {
    let mut block = MaybeUninit::<Block>::uninit();
    let scratch = block.as_mut_ptr().cast::<u8>();
    let size = sizes.out;
    let asks = asking_pays();
    let most = if asks { ASKING_BLOCK } else { BLOCK };
    for row in 0..call.rows as isize {
        let mut part = *call;
        part.rows = 1;
        for operand in part.outs.iter_mut().chain(&mut part.ins) {
            operand.ptr = operand.ptr.wrapping_offset(row.wrapping_mul(operand.row));
        }
        let (out, ins) = (part.outs[0].ptr, part.ins);
        part.outs[0].ptr = scratch;
        let mut at = 0;
        while at < call.cols {
            let to = out.wrapping_add(at * size);
            // The first block ends on a cache line; an output that straddles lines never gets there, and is copied.
            let ahead = to.align_offset(LINE);
            let wanted = if ahead == 0 { most / size } else { (ahead / size).max(1) };
            part.cols = wanted.min(call.cols - at);
            for ((into, from), bytes) in part.ins.iter_mut().zip(&ins).zip(sizes.ins) {
                let moved = if from.splat { 0 } else { at * bytes };
                into.ptr = from.ptr.wrapping_add(moved);
            }
            // SAFETY: the kernel's contract for a part of the row; the scratch has room for a block.
            unsafe { kernel(&part) };
            let next =
                asks.then(|| next.map_or_else(|| Next::behind(&part, sizes, scratch), |next| next.after(at, size)));
            // SAFETY: the kernel wrote these bytes of the scratch, and may write them at `to`.
            unsafe { copy_out(to, scratch, part.cols * size, next) };
            at += part.cols;
        }
    }
}

/// Memory that is read soon, of the first two inputs that move.
#[derive(Clone, Copy)]
pub(super) struct Next {
    /// An address, and the bytes from one to the next.
    pub(super) walks: [(*const u8, usize); 2],
}

impl Next {
    /// What lies behind the inputs of a call, a line of the output at a time; `idle` is an address to ask for where
    /// nothing moves.
    #[inline]
    fn behind(call: &Call, sizes: &Sizes, idle: *const u8) -> Next {
        let mut walks = [(idle, 0); 2];
        let moving = call.ins.iter().zip(sizes.ins).filter(|(operand, bytes)| !operand.splat && *bytes != 0);
        for (walk, (operand, bytes)) in walks.iter_mut().zip(moving) {
            *walk = (operand.ptr.wrapping_add(call.cols * bytes).cast_const(), LINE / sizes.out * bytes);
        }
        Next { walks }
    }

    /// What is left after some elements of an output of `size` bytes each; its walks are given by the element, and become
    /// such as go on by a line of the output.
    #[inline]
    fn after(self, elements: usize, size: usize) -> Next {
        Next { walks: self.walks.map(|(at, bytes)| (at.wrapping_add(elements * bytes), LINE / size * bytes)) }
    }

    /// Asks for the next lines. They are read once, and need not drive anything else from the caches.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    fn ask(&mut self) {
        use core::arch::x86_64::{_MM_HINT_NTA, _mm_prefetch};
        for (at, step) in &mut self.walks {
            // SAFETY: SSE is part of x86-64; a prefetch touches nothing, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_NTA>(at.cast()) };
            *at = at.wrapping_add(*step);
        }
    }
}

/// Whether asking for memory by `prefetchnta` pays: on CPUs of AMD.
#[cfg(target_arch = "x86_64")]
fn asking_pays() -> bool {
    static PAYS: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *PAYS.get_or_init(|| {
        #[allow(unused_unsafe, reason = "unsafe before Rust 1.94")]
        // SAFETY: every CPU of the architecture has leaf 0.
        let vendor = unsafe { core::arch::x86_64::__cpuid(0) };
        [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).as_flattened() == b"AuthenticAMD"
    })
}

/// Other architectures are not asked.
#[cfg(not(target_arch = "x86_64"))]
fn asking_pays() -> bool {
    false
}

/// Copies bytes, whole cache lines by streaming stores where the target is aligned to one, and asks for what comes next.
///
/// # Safety
/// `from` is readable and aligned to a cache line, `to` writable, for `bytes` bytes; they do not overlap.
#[cfg(target_arch = "x86_64")]
unsafe fn copy_out(to: *mut u8, from: *const u8, bytes: usize, next: Option<Next>) {
    let lines = if to.addr().is_multiple_of(LINE) { bytes / LINE } else { 0 };
    let done = lines * LINE;
    // SAFETY: the caller's contract; both sides are aligned where lines are streamed; the CPU has its level.
    unsafe {
        match Isa::current() {
            Isa::Avx512 | Isa::Avx512Fp16 => lines_of_64(to, from, lines, next),
            _ => lines_of_16(to, from, lines, next),
        }
        core::ptr::copy_nonoverlapping(from.add(done), to.add(done), bytes - done);
    }
}

/// Streams lines by stores of 64 bytes.
///
/// # Safety
/// AVX-512; `from` readable, `to` writable for so many lines, both aligned to one.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn lines_of_64(to: *mut u8, from: *const u8, lines: usize, mut next: Option<Next>) {
    use core::arch::x86_64::{__m512i, _mm512_load_si512, _mm512_stream_si512};
    for line in 0..lines {
        next.iter_mut().for_each(Next::ask);
        // SAFETY: the caller's contract.
        unsafe {
            let whole = _mm512_load_si512(from.add(line * LINE).cast());
            _mm512_stream_si512(to.add(line * LINE).cast::<__m512i>(), whole);
        }
    }
}

/// Streams lines by stores of 16 bytes.
///
/// # Safety
/// `from` readable, `to` writable for so many lines, both aligned to one.
#[cfg(target_arch = "x86_64")]
unsafe fn lines_of_16(to: *mut u8, from: *const u8, lines: usize, mut next: Option<Next>) {
    use core::arch::x86_64::{__m128i, _mm_load_si128, _mm_stream_si128};
    // SAFETY: the caller's contract.
    unsafe {
        for line in 0..lines {
            next.iter_mut().for_each(Next::ask);
            let (to, from) = (to.add(line * LINE).cast::<__m128i>(), from.add(line * LINE).cast::<__m128i>());
            let quarters = [
                _mm_load_si128(from),
                _mm_load_si128(from.add(1)),
                _mm_load_si128(from.add(2)),
                _mm_load_si128(from.add(3)),
            ];
            _mm_stream_si128(to, quarters[0]);
            _mm_stream_si128(to.add(1), quarters[1]);
            _mm_stream_si128(to.add(2), quarters[2]);
            _mm_stream_si128(to.add(3), quarters[3]);
        }
    }
}

/// Copies bytes: other architectures decide about their caches themselves.
///
/// # Safety
/// `from` is readable, `to` writable, for `bytes` bytes; they do not overlap.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn copy_out(to: *mut u8, from: *const u8, bytes: usize, _: Option<Next>) {
    // SAFETY: the caller's contract.
    unsafe { core::ptr::copy_nonoverlapping(from, to, bytes) };
}

/// Orders streaming stores before what comes after it is dropped, also by a panic.
pub(super) struct Fence;

impl Drop for Fence {
    #[inline]
    fn drop(&mut self) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: SSE is part of x86-64.
        unsafe {
            core::arch::x86_64::_mm_sfence();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::blank;
    use core::sync::atomic::AtomicU32;
    use eltwise_kernels::Operand;
    use eltwise_kernels::table::kernel;
    use eltwise_plan::{DType, Op};
    #[cfg(not(target_arch = "x86_64"))]
    use eltwise_simd::Isa;

    #[test]
    fn every_alignment_and_length_equals_the_kernel() {
        let add = kernel(Op::Add, DType::F32, DType::F32, Isa::current()).unwrap().kernel;
        let x: Vec<f32> = (0..9000).map(|i| i as f32 * 0.5).collect();
        for shift in [0usize, 1, 2, 3, 4, 60, 64] {
            for (rows, cols) in [(1, 0), (1, 1), (1, 15), (1, 17), (1, 1023), (1, 1024), (1, 4100), (3, 1100), (2, 20)]
            {
                let mut out = vec![0xa5u8; rows * cols * 4 + 160];
                let y = 0.25f32;
                let flags = AtomicU32::new(0);
                let mut over = blank(rows, cols, &flags);
                over.outs[0] =
                    Operand { ptr: out.as_mut_ptr().wrapping_add(32 + shift), row: cols as isize * 4, splat: false };
                over.ins[0] = Operand { ptr: x.as_ptr().cast_mut().cast(), row: 8, splat: false };
                over.ins[1] = Operand { ptr: (&raw const y).cast_mut().cast(), row: 0, splat: true };
                // SAFETY: x has room for the rows, 8 bytes apart, and out for the result.
                unsafe { call(add, &over, &Sizes { out: 4, ins: [4; 4] }, None) };
                drop(Fence);
                let bytes = &out[32 + shift..];
                for (i, given) in bytes[..rows * cols * 4].chunks(4).enumerate() {
                    let expected = x[i % cols + i / cols * 2] + y;
                    assert_eq!(given, expected.to_ne_bytes(), "{shift} {rows}x{cols} at {i}");
                }
                assert!(out[..32 + shift].iter().chain(&out[32 + shift + rows * cols * 4..]).all(|&b| b == 0xa5));
            }
        }
    }
}
