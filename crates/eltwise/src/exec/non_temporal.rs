//! Non-temporal stores: large outputs are written in whole cache lines that bypass the caches.
//!
//! Kernels store normally. [`call`] runs a kernel call block by block into scratch in the first-level cache and copies
//! each block out with non-temporal stores; [`rows`] does so row by row, for tiles of a single step. During the copy,
//! the inputs of the next block are prefetched: a kernel reads them in a burst, and without prefetching the memory is
//! idle during each copy, which costs 3 to 20 % of a run. Non-temporal stores save a part of the memory traffic of runs
//! larger than the caches, and lose within them and on pages that were never touched, so
//! [`Schedule::prefers_non_temporal`](eltwise_plan::Schedule) and the caller of `bind` decide.

use core::mem::MaybeUninit;

use eltwise_kernels::{Call, Kernel, Operand};
use eltwise_plan::CpuModel;
use eltwise_plan::tuning::{CACHE_LINE, NT_MAX_TILE};
#[cfg(target_arch = "x86_64")]
use eltwise_simd::Isa;

use super::ElementSizes;
use super::prefetch::{NextTile, PrefetchCursor};
use super::scratch::StackScratch;

/// Bytes of the scratch for a block or a row. Longer [blocks](CpuModel::non_temporal_block) of a CPU model are cut to
/// it.
const BLOCK: usize = NT_MAX_TILE;

/// Runs a call with non-temporal stores, in blocks of [`CpuModel::non_temporal_block`] bytes. Another thread may read
/// the results after a [`Fence`]. Prefetches the `next` tile, or without one the elements after the call's inputs.
///
/// # Safety
/// As for the kernel; the output overlaps no input, not even exactly.
pub(super) unsafe fn call(kernel: Kernel, call: &Call, sizes: &ElementSizes, next: Option<NextTile>, cpu: &CpuModel) {
    let mut block = MaybeUninit::<StackScratch<BLOCK>>::uninit();
    let scratch = block.as_mut_ptr().cast::<u8>();
    let size = sizes.out;
    // Whole lines, at least one and no more than the scratch has: a model may hold any number. No element exceeds a
    // line.
    let block_elements = cpu.non_temporal_block.clamp(CACHE_LINE, BLOCK) / CACHE_LINE * CACHE_LINE / size;
    // Bytes that each input moves by per element of the output.
    let mut input_steps = sizes.ins;
    input_steps.iter_mut().zip(&call.ins).filter(|(_, input)| input.splat).for_each(|(bytes, _)| *bytes = 0);
    for row in 0..call.rows {
        let mut part = one_row(call, row);
        let mut to = part.out.ptr;
        part.out.ptr = scratch;
        let mut left = call.cols;
        while left > 0 {
            // The first block ends on a cache line. If elements straddle lines, no block does, and copies are regular.
            let unaligned = to.align_offset(CACHE_LINE);
            part.cols = if unaligned == 0 { block_elements } else { (unaligned / size).max(1) }.min(left);
            // SAFETY: the kernel's contract, for a part of the row; the scratch has room for a block.
            unsafe { kernel(&part) };
            let after_part = |input: usize, bytes: usize| part.ins[input].ptr.wrapping_add(part.cols * bytes);
            let cursor = match next {
                Some(tile) => PrefetchCursor::in_tile(tile, call.cols - left, size, cpu.prefetch_nta),
                None => PrefetchCursor::of_call(call, sizes, cpu.prefetch_nta, after_part),
            };
            let bytes = part.cols * size;
            // SAFETY: the kernel wrote these bytes of the scratch, which is aligned, and may write as many at `to`.
            unsafe { copy_out(to, scratch, bytes, cursor) };
            to = to.wrapping_add(bytes);
            left -= part.cols;
            for (input, bytes) in part.ins.iter_mut().zip(input_steps) {
                input.ptr = input.ptr.wrapping_add(part.cols * bytes);
            }
        }
    }
}

/// Runs a call row by row with non-temporal stores: `run` computes each row into scratch. Rows longer than the scratch
/// are written directly with regular stores.
///
/// # Safety
/// `run` may be called for any rows of `call`, with the output anywhere; the output overlaps no input, not even
/// exactly.
pub(super) unsafe fn rows(run: impl Fn(&Call), call: &Call, sizes: &ElementSizes, cpu: &CpuModel) {
    // A row starts at the same offset within a line as in the output.
    let mut block = MaybeUninit::<StackScratch<{ BLOCK + CACHE_LINE }>>::uninit();
    let scratch = block.as_mut_ptr().cast::<u8>();
    let bytes = call.cols * sizes.out;
    if bytes > BLOCK {
        run(call);
        return;
    }
    for row in 0..call.rows {
        let mut part = one_row(call, row);
        let to = part.out.ptr;
        let offset = to.addr() % CACHE_LINE;
        part.out.ptr = scratch.wrapping_add(offset);
        run(&part);
        let head = if offset == 0 { 0 } else { (CACHE_LINE - offset).min(bytes) };
        let cursor = PrefetchCursor::rows_ahead(call, row, sizes, cpu.prefetch_nta);
        // SAFETY: the row's bytes are in the scratch and may be written at `to`. After the head, the row is aligned to
        // a line in both, or it is over.
        unsafe {
            core::ptr::copy_nonoverlapping(part.out.ptr, to, head);
            copy_out(to.wrapping_add(head), part.out.ptr.wrapping_add(head), bytes - head, cursor);
        }
    }
}

/// Row `row` of a call, as a call.
#[inline]
fn one_row(call: &Call, row: usize) -> Call {
    let operand = |operand: Operand| {
        let ptr = operand.ptr.wrapping_offset((row as isize).wrapping_mul(operand.row));
        Operand { ptr, ..operand }
    };
    Call { rows: 1, out: operand(call.out), ins: call.ins.map(operand), ..*call }
}

/// Copies bytes: whole cache lines with non-temporal stores if the target is aligned to a line, prefetching at
/// `cursor`; the rest with regular stores.
///
/// # Safety
/// `from` is readable and `to` writable for `bytes` bytes; they do not overlap. `from` is aligned to a cache line if
/// `to` is and there is a whole line.
#[cfg(target_arch = "x86_64")]
unsafe fn copy_out(to: *mut u8, from: *const u8, bytes: usize, cursor: PrefetchCursor) {
    let lines = if to.addr().is_multiple_of(CACHE_LINE) { bytes / CACHE_LINE } else { 0 };
    let done = lines * CACHE_LINE;
    // SAFETY: the caller's contract, for `done` bytes and for the rest; both sides are aligned if there are lines; the
    // current ISA is one that the CPU has.
    unsafe {
        match Isa::current() {
            Isa::Avx512 | Isa::Avx512Vbmi | Isa::Avx512Fp16 => copy_lines_512(to, from, lines, cursor),
            _ => copy_lines_128(to, from, lines, cursor),
        }
        if done < bytes {
            core::ptr::copy_nonoverlapping(from.add(done), to.add(done), bytes - done);
        }
    }
}

/// Copies `lines` cache lines with non-temporal stores of 64 bytes.
///
/// # Safety
/// The CPU has AVX-512. `from` is readable, `to` writable for that many lines; both are aligned to a line.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn copy_lines_512(to: *mut u8, from: *const u8, lines: usize, mut cursor: PrefetchCursor) {
    use core::arch::x86_64::{__m512i, _mm512_load_si512, _mm512_stream_si512};
    for line in 0..lines {
        cursor.advance();
        // SAFETY: the caller's contract.
        unsafe {
            let vector = _mm512_load_si512(from.add(line * CACHE_LINE).cast());
            _mm512_stream_si512(to.add(line * CACHE_LINE).cast::<__m512i>(), vector);
        }
    }
}

/// Copies `lines` cache lines with non-temporal stores of 16 bytes.
///
/// # Safety
/// `from` is readable, `to` writable for that many lines; both are aligned to a line.
#[cfg(target_arch = "x86_64")]
unsafe fn copy_lines_128(to: *mut u8, from: *const u8, lines: usize, mut cursor: PrefetchCursor) {
    use core::arch::x86_64::{__m128i, _mm_load_si128, _mm_stream_si128};
    for line in 0..lines {
        cursor.advance();
        // SAFETY: the caller's contract; SSE2 is part of x86-64.
        unsafe {
            let from = from.add(line * CACHE_LINE).cast::<__m128i>();
            let to = to.add(line * CACHE_LINE).cast::<__m128i>();
            let vectors = [0, 1, 2, 3].map(|i| _mm_load_si128(from.add(i)));
            for (i, vector) in vectors.into_iter().enumerate() {
                _mm_stream_si128(to.add(i), vector);
            }
        }
    }
}

/// Copies bytes with regular stores: on other architectures the CPU decides what stays in its caches.
///
/// # Safety
/// `from` is readable and `to` writable for `bytes` bytes; they do not overlap.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn copy_out(to: *mut u8, from: *const u8, bytes: usize, _: PrefetchCursor) {
    // SAFETY: the caller's contract.
    unsafe { core::ptr::copy_nonoverlapping(from, to, bytes) };
}

/// When dropped, also by a panic: orders non-temporal stores before all later stores.
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
    use core::sync::atomic::AtomicU32;

    use eltwise_core::{DType, Op};
    use eltwise_kernels::table::kernel;
    #[cfg(not(target_arch = "x86_64"))]
    use eltwise_simd::Isa;

    use super::*;
    use crate::exec::blank;

    /// Adds 0.25 to numbers with [`call`], in blocks of that many bytes and with the output `shift` bytes past an
    /// arbitrary address. Compares the bytes of the output, and those around it.
    fn check_sums(block: usize, shift: usize, rows: usize, cols: usize) {
        let cpu = CpuModel { non_temporal_block: block, ..CpuModel::default() };
        let add = kernel(Op::Add, DType::F32, DType::F32, Isa::current()).unwrap().kernel;
        let x: Vec<f32> = (0..9000).map(|i| i as f32 * 0.5).collect();
        let y = 0.25f32;
        let mut out = vec![0xa5u8; rows * cols * 4 + 160];
        let flags = AtomicU32::new(0);
        let mut sum = blank(rows, cols, &flags);
        sum.out = Operand { ptr: out.as_mut_ptr().wrapping_add(32 + shift), row: cols as isize * 4, splat: false };
        sum.ins[0] = Operand { ptr: x.as_ptr().cast_mut().cast(), row: 8, splat: false };
        sum.ins[1] = Operand { ptr: (&raw const y).cast_mut().cast(), row: 0, splat: true };
        // SAFETY: x has room for the rows, which are 8 bytes apart, and out for the result.
        unsafe { call(add, &sum, &ElementSizes { out: 4, ins: [4; 4] }, None, &cpu) };
        drop(Fence);
        let (before, bytes) = out.split_at(32 + shift);
        let (sums, after) = bytes.split_at(rows * cols * 4);
        for (i, sum) in sums.chunks(4).enumerate() {
            let expected = x[i % cols + i / cols * 2] + y;
            assert_eq!(sum, expected.to_ne_bytes(), "blocks of {block}, {shift} {rows}x{cols} at {i}");
        }
        assert!(before.iter().chain(after).all(|&b| b == 0xa5), "blocks of {block}, {shift} {rows}x{cols}");
    }

    #[test]
    fn every_alignment_and_length_equals_the_kernel() {
        let shapes = [(1, 0), (1, 1), (1, 15), (1, 17), (1, 1023), (1, 1024), (1, 4100), (3, 1100), (2, 20)];
        for shift in [0, 1, 2, 3, 4, 60, 64] {
            shapes
                .iter()
                .for_each(|&(rows, cols)| check_sums(CpuModel::default().non_temporal_block, shift, rows, cols));
        }
    }

    #[test]
    fn every_block_size_of_a_cpu_model_stays_in_the_scratch_and_ends() {
        for block in [0, 1, 3, 63, 64, 65, 100, 512, BLOCK - 1, BLOCK, BLOCK + 1, 1 << 20, usize::MAX] {
            for shift in [0, 1, 4] {
                check_sums(block, shift, 1, 4100);
                check_sums(block, shift, 3, 1100);
            }
        }
    }
}
