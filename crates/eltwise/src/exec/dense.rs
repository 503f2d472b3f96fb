//! One kernel over dense memory without a plan: [`run_dense`], for front ends whose operands need no planning. The planner's
//! [`DenseCall`] says which those are.

use core::sync::atomic::{AtomicU32, Ordering};

use eltwise_core::{Constant, DType, Op, ranges_overlap};
use eltwise_kernels::{Kernel, Operand};
use eltwise_simd::Isa;
use eltwise_simd::fp_env::DefaultFpEnv;
use smallvec::SmallVec;

use super::{blank, kernel_isa};
use crate::status::Status;
use crate::sys::cpu::target;

/// The fastest ISA, at most `isa`, for a kernel that [`run_dense`] is given: an operator over dtype `from` with results
/// of `to`, and operands within the caches.
#[inline]
pub fn dense_isa(op: Op, from: DType, to: DType, isa: Isa) -> Isa {
    // Within the caches, it depends on the CPU only for f16.
    if from == DType::F16 { kernel_isa(op, (from, to), 0, isa, &target(isa)) } else { isa }
}

/// Whether [`run_dense`] may write `elements` elements of dtype `to` at `out`: each input is exactly the output, with
/// elements of the same size, or shares no byte with it. `inputs` are the inputs with their dtypes.
#[inline]
pub fn may_write_dense(
    elements: usize,
    (out, to): (*const u8, DType),
    mut inputs: impl Iterator<Item = (DenseInput, DType)>,
) -> bool {
    let range = |ptr: *const u8, elements: usize, dtype: DType| {
        ptr.addr()..ptr.addr().saturating_add(elements.saturating_mul(dtype.size()))
    };
    inputs.all(|(input, dtype)| {
        let is_in_place = input.ptr == out && !input.splat && dtype.size() == to.size();
        let read = range(input.ptr, if input.splat { 1 } else { elements }, dtype);
        is_in_place || !ranges_overlap(read, range(out, elements, to))
    })
}

/// An input of [`run_dense`].
#[derive(Clone, Copy, Debug)]
pub struct DenseInput {
    /// The first element.
    pub ptr: *const u8,
    /// Whether it has one element for all positions.
    pub splat: bool,
}

/// Runs `kernel` over `elements` contiguous elements of every operand, on the calling thread. Inputs after the fourth
/// are ignored. Gives the bits of a plan's run, and allocates nothing.
///
/// # Safety
/// `kernel` is the one that [`kernel`](eltwise_kernels::table::kernel) returns for an operator with that many inputs,
/// for the dtypes of the operands, and for an ISA that this CPU has. `out` is writable for all elements. Every input is
/// readable for all elements, a splat for one. An input that is no splat may be exactly the output; the output overlaps
/// no input in any other way.
#[inline]
pub unsafe fn run_dense(kernel: Kernel, elements: usize, out: *mut u8, ins: &[DenseInput]) -> Status {
    let flags = AtomicU32::new(0);
    if elements != 0 {
        let mut call = blank(1, elements, &flags);
        call.out.ptr = out;
        for (into, input) in call.ins.iter_mut().zip(ins) {
            *into = Operand { ptr: input.ptr.cast_mut(), row: 0, splat: input.splat };
        }
        let _fp_env = DefaultFpEnv::new();
        // SAFETY: the caller's contract is the kernel's.
        unsafe { kernel(&call) };
    }
    Status(flags.load(Ordering::Relaxed))
}

/// The result of a kernel over scalars; `None` if it met a data condition. `kernel` is the table's kernel for the
/// dtypes of `args`, the dtype `to` of the result, and an ISA that every CPU has.
pub(crate) fn run_scalars(kernel: Kernel, args: &[Constant], to: DType) -> Option<Constant> {
    // A constant's element is at the start of its bits in memory.
    let ins: SmallVec<[DenseInput; 4]> =
        args.iter().map(|constant| DenseInput { ptr: (&raw const constant.bits).cast(), splat: true }).collect();
    let mut bits = 0u128;
    // SAFETY: the kernel is the table's for these dtypes and an ISA that every CPU has; each operand is a splat, and it
    // and the result have one element of at most 16 bytes.
    let status = unsafe { run_dense(kernel, 1, (&raw mut bits).cast(), &ins) };
    (status == Status::default()).then_some(Constant { dtype: to, bits })
}

#[cfg(test)]
mod tests {
    use super::*;
    use eltwise_kernels::table::kernel;

    #[test]
    fn dense_and_splat_operands_give_the_quotients_and_report_divisions_by_zero() {
        let (x, y) = ([7i32, -8, 9, 10, 11], [2i32, 0, 2, 2, 2]);
        for isa in Isa::available() {
            let divide = kernel(Op::Divide, DType::I32, DType::I32, isa).unwrap().kernel;
            let mut out = [0i32; 5];
            let input = |a: &[i32], splat| DenseInput { ptr: a.as_ptr().cast(), splat };
            let ins = [input(&x, false), input(&y, false)];
            // SAFETY: every operand has five elements; the kernel's ISA is available.
            let status = unsafe { run_dense(divide, 5, out.as_mut_ptr().cast(), &ins) };
            assert_eq!((out, status.zero_division()), ([3, 0, 4, 5, 5], true), "{isa}");
            // SAFETY: the second operand is a splat; the others have five elements, and the first is exactly the
            // output.
            let status = unsafe {
                let ptr = out.as_mut_ptr().cast::<u8>();
                run_dense(divide, 5, ptr, &[DenseInput { ptr, splat: false }, input(&y, true)])
            };
            assert_eq!((out, status.zero_division()), ([1, 0, 2, 2, 2], false), "{isa}");
        }
    }

    #[test]
    fn outputs_over_a_part_of_an_input_are_not_written() {
        let memory = [0u32; 16];
        let at = |i: usize| memory.as_ptr().wrapping_add(i).cast::<u8>();
        let may_write = |out: usize, to: DType, input: usize, splat: bool, from: DType| {
            may_write_dense(4, (at(out), to), [(DenseInput { ptr: at(input), splat }, from)].into_iter())
        };
        let f32 = DType::F32;
        for (out, is_accepted) in [(0, true), (1, false), (3, false), (4, true), (5, false), (7, false), (8, true)] {
            assert_eq!(may_write(out, f32, 4, false, f32), is_accepted, "{out}");
            // A splat is one element, and is read for all elements of the output.
            assert_eq!(may_write(out, f32, 4, true, f32), !(1..=4).contains(&out), "a splat, {out}");
        }
        assert!(may_write(4, DType::I32, 4, false, f32) && !may_write(4, DType::F64, 4, false, f32));
        assert!(!may_write(4, DType::Bool, 4, false, f32));
        // The input of eight bytes per element ends where the output begins.
        assert!(may_write(8, f32, 0, false, DType::F64) && !may_write(7, f32, 0, false, DType::F64));
    }
}
