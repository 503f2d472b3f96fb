//! Streaming stores: large outputs leave the core by whole cache lines without being read into the caches first.
//!
//! No kernel knows of it: a call runs block by block into scratch in the first-level cache, and the blocks are copied out
//! by non-temporal stores. Meanwhile the inputs of the next block are asked for: a kernel reads them in a burst, and without
//! that the memory rests during each copy, which costs 3 to 20 % of a run. Beyond the caches that saves a part of the traffic of `a + b`;
//! within them, or on memory that was never touched, it loses, so [`Schedule::is_worth_streaming`](eltwise_plan::Schedule) and the caller
//! of `bind` decide.

use core::mem::MaybeUninit;

use eltwise_kernels::{Call, Kernel, Operand};
use eltwise_plan::Machine;
#[cfg(target_arch = "x86_64")]
use eltwise_simd::Isa;

use crate::machine::CpuModel;

/// The most bytes of a block: long enough for a kernel call, short enough for the first-level cache to hold it with the next one's inputs.
/// Over 64 MiB of f32 add, 4 KiB take 1.04 to 1.06 times as long as the best loop on Intel's CPUs (Sapphire Rapids), 1 KiB 1.12.
const BLOCK: usize = 4096;
/// Bytes of a block on CPUs of AMD: 1.0 to 1.05 times as long (Zen 5).
const SHORT_BLOCK: usize = 512;
/// The same where vectors move by halves (Zen 4): there 512 bytes take 1.07 (`a + b`), 1.1 (`abs(a)`) and 1.28 (an outer product) times as
/// long as 1 KiB; 2 KiB 1.1, 0.97 and 0.98.
const HALVED_BLOCK: usize = 1024;
/// Bytes of the longest row that stays in the first level from row to row.
const STAYS: usize = 16 << 10;
/// How many rows ahead the rows of a plane are asked for. (Zen 4, a transposed operand of 4096 by 4096, rows of 576 bytes: 4.2 ms of u8 with
/// 4 and 8, 7.4 without, 6.2 with 1; 26 ms of f32 without, 14.5 with 4, 13.5 with 8, 18 where the next plane is asked for.)
const AHEAD: isize = 8;
/// Bytes of a cache line.
const LINE: usize = 64;

/// Whether so many tasks of a run that reads and writes so many bytes are better streamed, as one is. On Zen 4 what is hardly more than the
/// last-level cache holds is there for the most part when it is run again: two threads read and write that faster than memory takes what they stream,
/// unless they read far more than they write. (Over regular stores: `f32` to `f64` of 48 MiB 1.7, three channels added to an image of 48 MiB
/// 0.95 to 1.6, `abs` of 64 MiB 0.9 to 1, `a + b` of 48 MiB 0.85 to 0.95.)
pub(super) fn pays((read, written): (usize, usize), tasks: usize, machine: &Machine) -> bool {
    let bytes = read.saturating_add(written);
    let most = machine.llc.saturating_add(machine.llc / 2);
    !machine.halves || tasks <= 1 || bytes > most || written < bytes / 5 * 2
}

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
    // There memory is asked for by `prefetchnta`, which on Intel's takes 10 to 140 % longer than to ask for it like any other.
    let CpuModel { amd: once, halves, .. } = CpuModel::current();
    let whole = match once {
        true if halves => HALVED_BLOCK,
        true => SHORT_BLOCK,
        false => BLOCK,
    } / size;
    // Bytes that an input moves by, an element of the output.
    let mut moves = sizes.ins;
    moves.iter_mut().zip(&call.ins).filter(|(_, operand)| operand.splat).for_each(|(bytes, _)| *bytes = 0);
    let mut part = *call;
    part.rows = 1;
    part.outs[0].ptr = scratch;
    for row in 0..call.rows as isize {
        let down = |operand: &Operand| operand.ptr.wrapping_offset(row.wrapping_mul(operand.row));
        part.ins.iter_mut().zip(&call.ins).for_each(|(into, from)| into.ptr = down(from));
        let mut to = down(&call.outs[0]);
        let mut left = call.cols;
        while left > 0 {
            // The first block ends on a cache line; an output that straddles lines never gets there, and is copied.
            let ahead = to.align_offset(LINE);
            let wanted = if ahead == 0 { whole } else { (ahead / size).max(1) };
            part.cols = wanted.min(left);
            // SAFETY: the kernel's contract for a part of the row; the scratch has room for a block.
            unsafe { kernel(&part) };
            let next = match next {
                Some(next) => next.after(call.cols - left, size),
                None => Next::behind(&part, sizes, scratch, call),
            };
            let bytes = part.cols * size;
            // SAFETY: the kernel wrote these bytes of the scratch, and may write them at `to`.
            unsafe { copy_out(to, scratch, bytes, (next, once)) };
            to = to.wrapping_add(bytes);
            left -= part.cols;
            for (into, bytes) in part.ins.iter_mut().zip(moves) {
                into.ptr = into.ptr.wrapping_add(part.cols * bytes);
            }
        }
    }
}

/// Runs a call row by row with streaming stores: each row whole, through scratch, by `run`. Rows that are longer than a block are written
/// where they go, by regular stores.
///
/// # Safety
/// `run` may be called for every row, with any place for the output; that overlaps no input at all.
pub(super) unsafe fn rows(run: impl Fn(&Call), call: &Call, sizes: &Sizes) {
    let mut block = MaybeUninit::<[Block; 2]>::uninit();
    let scratch = block.as_mut_ptr().cast::<u8>();
    let bytes = call.cols * sizes.out;
    if bytes > BLOCK {
        run(call);
        return;
    }
    let once = CpuModel::current().amd;
    let mut part = *call;
    part.rows = 1;
    for row in 0..call.rows as isize {
        let down = |operand: &Operand| operand.ptr.wrapping_offset(row.wrapping_mul(operand.row));
        part.ins.iter_mut().zip(&call.ins).for_each(|(into, from)| into.ptr = down(from));
        let to = down(&call.outs[0]);
        // Lines of the output are lines of the scratch.
        let over = to.addr() % LINE;
        part.outs[0].ptr = scratch.wrapping_add(over);
        run(&part);
        let head = if over == 0 { 0 } else { (LINE - over).min(bytes) };
        let next = (Next::below(call, sizes, scratch, row), once);
        // SAFETY: the row's bytes are in the scratch, and may be written at `to`.
        unsafe {
            core::ptr::copy_nonoverlapping(part.outs[0].ptr, to, head);
            copy_out(to.wrapping_add(head), part.outs[0].ptr.wrapping_add(head), bytes - head, next);
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
    /// Lines of the inputs that move of a call, a line of the output at a time, each from `at` its number and its bytes an element;
    /// `idle` is an address to ask for where nothing moves. A short row that all rows of the call read stays in the caches without.
    #[inline]
    fn of(call: &Call, sizes: &Sizes, idle: *const u8, at: impl Fn(usize, usize) -> *mut u8) -> Next {
        let mut walks = [(idle, 0); 2];
        let stays = |row: isize, bytes: usize| call.rows > 1 && row == 0 && call.cols * bytes <= STAYS;
        let moving = call.ins.iter().zip(sizes.ins).enumerate();
        let moving =
            moving.filter(|(_, (operand, bytes))| !operand.splat && *bytes != 0 && !stays(operand.row, *bytes));
        for (walk, (input, (_, bytes))) in walks.iter_mut().zip(moving) {
            *walk = (at(input, bytes).cast_const(), LINE / sizes.out * bytes);
        }
        Next { walks }
    }

    /// What lies behind the inputs of a part of a row of `whole`.
    #[inline]
    fn behind(part: &Call, sizes: &Sizes, idle: *const u8, whole: &Call) -> Next {
        Next::of(whole, sizes, idle, |input, bytes| part.ins[input].ptr.wrapping_add(part.cols * bytes))
    }

    /// What is read some rows after row `row` of a call: [`AHEAD`] rows below where rows lie apart (all of the call's where it has fewer), from
    /// the last rows on at the top of what lies behind the call; and what lies behind the row where rows follow each other.
    #[inline]
    fn below(call: &Call, sizes: &Sizes, idle: *const u8, row: isize) -> Next {
        let rows = call.rows as isize;
        let ahead = AHEAD.min(rows);
        Next::of(call, sizes, idle, |input, bytes| {
            let Operand { ptr, row: apart, .. } = call.ins[input];
            let behind = call.cols * bytes;
            let (top, down) = match row + ahead {
                _ if apart.unsigned_abs() <= behind => (ptr.wrapping_add(behind), row),
                down if down < rows => (ptr, down),
                down => (ptr.wrapping_add(behind), down - rows),
            };
            top.wrapping_offset(down.wrapping_mul(apart))
        })
    }

    /// What is left after some elements of an output of `size` bytes each; its walks are given by the element, and become
    /// such as go on by a line of the output.
    #[inline]
    fn after(self, elements: usize, size: usize) -> Next {
        Next { walks: self.walks.map(|(at, bytes)| (at.wrapping_add(elements * bytes), LINE / size * bytes)) }
    }

    /// Asks for the next lines: into the first-level cache, or past the others if they are read `once`.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    fn ask(&mut self, once: bool) {
        use core::arch::x86_64::{_MM_HINT_NTA, _MM_HINT_T0, _mm_prefetch};
        let ask = |at: *const u8| {
            // SAFETY: SSE is part of x86-64; a prefetch touches nothing, whatever the address.
            unsafe {
                if once {
                    _mm_prefetch::<_MM_HINT_NTA>(at.cast());
                } else {
                    _mm_prefetch::<_MM_HINT_T0>(at.cast());
                }
            }
        };
        for (at, step) in &mut self.walks {
            ask(*at);
            if *step > LINE {
                // Of elements wider than the output's a line of that needs several.
                (LINE..*step).step_by(LINE).for_each(|line| ask(at.wrapping_add(line)));
            }
            *at = at.wrapping_add(*step);
        }
    }
}

/// Copies bytes, whole cache lines by streaming stores where the target is aligned to one, and asks for what comes `next`, read once or not.
///
/// # Safety
/// `from` is readable and aligned to a cache line, `to` writable, for `bytes` bytes; they do not overlap.
#[cfg(target_arch = "x86_64")]
unsafe fn copy_out(to: *mut u8, from: *const u8, bytes: usize, next: (Next, bool)) {
    let lines = if to.addr().is_multiple_of(LINE) { bytes / LINE } else { 0 };
    let done = lines * LINE;
    // SAFETY: the caller's contract; both sides are aligned where lines are streamed; the CPU has its level.
    unsafe {
        match Isa::current() {
            Isa::Avx512 | Isa::Avx512Fp16 => lines_of_64(to, from, lines, next),
            _ => lines_of_16(to, from, lines, next),
        }
        if done < bytes {
            core::ptr::copy_nonoverlapping(from.add(done), to.add(done), bytes - done);
        }
    }
}

/// Streams lines by stores of 64 bytes.
///
/// # Safety
/// AVX-512; `from` readable, `to` writable for so many lines, both aligned to one.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn lines_of_64(to: *mut u8, from: *const u8, lines: usize, (mut next, once): (Next, bool)) {
    use core::arch::x86_64::{__m512i, _mm512_load_si512, _mm512_stream_si512};
    for line in 0..lines {
        next.ask(once);
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
unsafe fn lines_of_16(to: *mut u8, from: *const u8, lines: usize, (mut next, once): (Next, bool)) {
    use core::arch::x86_64::{__m128i, _mm_load_si128, _mm_stream_si128};
    // SAFETY: the caller's contract.
    unsafe {
        for line in 0..lines {
            next.ask(once);
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
unsafe fn copy_out(to: *mut u8, from: *const u8, bytes: usize, _: (Next, bool)) {
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
    fn several_tasks_stream_what_the_caches_hold_little_of() {
        let machine = Machine { halves: true, ..Machine::default() };
        let half = machine.llc / 4 * 3;
        let of = |read, written, tasks| pays((read, written), tasks, &machine);
        assert_eq!([of(half, half, 1), of(half, half, 2), of(half, half + 1, 2)], [true, false, true]);
        // Two inputs.
        assert!(of(half / 3 * 4, half / 3 * 2, 2));
        assert!(pays((half, half), 2, &Machine { halves: false, ..machine }));
    }

    #[test]
    fn rows_that_lie_apart_are_asked_for_ahead() {
        let flags = AtomicU32::new(0);
        let (memory, idle) = (0x10_0000 as *mut u8, 0x40 as *const u8);
        let asked = |rows: usize, apart: isize, row: isize| {
            let mut call = blank(rows, 100, &flags);
            call.ins[0] = Operand { ptr: memory, row: apart, splat: false };
            call.ins[1] = Operand { ptr: memory, row: 0, splat: true };
            let Next { walks: [first, second] } = Next::below(&call, &Sizes { out: 4, ins: [4; 4] }, idle, row);
            assert_eq!((first.1, second), (LINE, (idle, 0)), "a line of the output at a time, of what moves");
            first.0.addr() as isize - memory.addr() as isize
        };
        // Rows of 400 bytes, 1000 apart: eight below, then at the top of the next 400 bytes.
        assert_eq!([0, 11, 12, 19].map(|row| asked(20, 1000, row)), [8000, 19_000, 400, 7400]);
        // All rows of the next plane, where they are few.
        assert_eq!([0, 1, 2].map(|row| asked(3, 1000, row)), [400, 1400, 2400]);
        assert_eq!(asked(20, -1000, 0), -8000);
        // Rows that follow each other: the next.
        assert_eq!([0, 2].map(|row| asked(3, 400, row)), [400, 1200]);
    }

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
