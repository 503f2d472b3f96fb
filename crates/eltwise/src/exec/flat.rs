//! One operator over dense memory, without a plan: what a front door calls when there is nothing to plan.

use core::sync::atomic::{AtomicU32, Ordering};

use eltwise_kernels::{Call, Kernel, Operand, table};
use eltwise_plan::{DType, Error, Layout, Op, Signature};
use eltwise_simd::Isa;
use eltwise_simd::control::DefaultControl;

use super::observe::is_watched;
use crate::array::Array;
use crate::machine::machine;
use crate::plan::level_of;
use crate::status::Status;
use crate::view::View;

/// One operator over views of one dense layout, on the calling thread: into a new array, without a plan. `None` where it is
/// not so simple, and where runs are observed.
#[inline(always)]
pub(crate) fn apply_dense(op: Op, inputs: &[View<'_>]) -> Option<Result<Array, Error>> {
    let (first, rest) = inputs.split_first()?;
    let (layout, dtype) = (first.layout(), first.dtype());
    let to = match op.signature() {
        Signature::Same1 | Signature::Same2 | Signature::Same3 => dtype,
        Signature::Test1 | Signature::Test2 => DType::Bool,
        _ => return None,
    };
    let is_simple = inputs.len() == op.arity()
        && op.info().takes(dtype)
        && !op.is_composite(dtype)
        && layout.is_contiguous()
        && rest.iter().all(|view| view.layout().places_as(layout));
    if !is_simple || is_watched() {
        return None;
    }
    #[cfg(feature = "check")]
    if super::check::is_on() {
        return None;
    }
    let kernel = table::kernel(op, dtype, to, flat_level(op, dtype, to, Isa::current()))?.kernel;
    let result = if to == dtype { Ok(layout.clone()) } else { Layout::contiguous(to, layout.shape().clone()) };
    let mut out = match result.and_then(Array::with_layout) {
        Ok(out) => out,
        Err(error) => return Some(Err(error)),
    };
    let elements = layout.elements();
    let mut ins = [Flat { ptr: core::ptr::null(), splat: false }; 4];
    for (into, view) in ins.iter_mut().zip(inputs) {
        into.ptr = view.as_ptr();
    }
    let ins = ins.get(..inputs.len())?;
    // SAFETY: the views are readable for the elements of their layout, which lie one after the other; the array has as
    // many, and is new. The kernel is the operator's for these dtypes and this CPU.
    let status = unsafe { run_flat(kernel, elements, out.mut_ptr(), ins) };
    Some(status.check().map(|()| out))
}

/// The level whose kernel [`run_flat`] is best given, of at most `isa`, for an operator over dtype `from` with results of `to`, within the caches.
#[inline]
pub fn flat_level(op: Op, from: DType, to: DType, isa: Isa) -> Isa {
    // Of no other dtype it depends on the machine there.
    if from == DType::F16 { level_of(op, (from, to), 0, isa, &machine(isa)) } else { isa }
}

/// An input of [`run_flat`].
#[derive(Clone, Copy, Debug)]
pub struct Flat {
    /// The first element.
    pub ptr: *const u8,
    /// One element for all, and not `elements` of them.
    pub splat: bool,
}

/// Runs `kernel` over `elements` elements that lie one after the other in every operand, on the calling thread. At most
/// four inputs count. Same bits as a plan's run; allocates nothing.
///
/// # Safety
/// The kernel is [`kernel`](eltwise_kernels::table::kernel)'s for this operator, for the dtypes of the operands and for a
/// level that this CPU has, with as many inputs as its operator. `out` is writable for all elements, every input
/// readable for all of them, or for one where it is a splat. An input that is no splat may be exactly the output; there
/// is no other overlap of the output with an input.
#[inline]
pub unsafe fn run_flat(kernel: Kernel, elements: usize, out: *mut u8, ins: &[Flat]) -> Status {
    let flags = AtomicU32::new(0);
    if elements != 0 {
        let mut call = Call {
            rows: 1,
            cols: elements,
            outs: [Operand { ptr: out, row: 0, splat: false }, Operand::NONE],
            ins: [Operand::NONE; 4],
            params: core::ptr::null(),
            flags: &raw const flags,
        };
        for (into, flat) in call.ins.iter_mut().zip(ins) {
            *into = Operand { ptr: flat.ptr.cast_mut(), row: 0, splat: flat.splat };
        }
        let _control = DefaultControl::new();
        // SAFETY: the caller's contract is the kernel's.
        unsafe { kernel(&call) };
    }
    Status::from_flags(flags.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use eltwise_kernels::table::kernel;

    #[test]
    fn dense_and_splat_operands_and_conditions() {
        let (x, y) = ([7i32, -8, 9, 10, 11], [2i32, 0, 2, 2, 2]);
        for isa in Isa::available() {
            let divide = kernel(Op::Divide, DType::I32, DType::I32, isa).unwrap().kernel;
            let mut out = [0i32; 5];
            let flat = |a: &[i32], splat| Flat { ptr: a.as_ptr().cast(), splat };
            // SAFETY: five elements everywhere; the kernel is of an available level.
            let status = unsafe { run_flat(divide, 5, out.as_mut_ptr().cast(), &[flat(&x, false), flat(&y, false)]) };
            assert_eq!((out, status.zero_division()), ([3, 0, 4, 5, 5], true), "{isa}");
            // SAFETY: as above; the second operand is one element, and the first is the output.
            let status = unsafe {
                let ptr = out.as_mut_ptr().cast::<u8>();
                run_flat(divide, 5, ptr, &[Flat { ptr, splat: false }, flat(&y, true)])
            };
            assert_eq!((out, status.zero_division()), ([1, 0, 2, 2, 2], false), "{isa}");
        }
    }
}
