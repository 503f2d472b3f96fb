//! Time per byte of a contiguous kernel, relative to `f32` add.

use eltwise::kernels::dense_isa;
use eltwise::{DType, Isa, Op};

use crate::kernel_run::{Elements, KernelRun};
use crate::timing::{compare, verdict};

/// Bytes of all operands together: more than L1, less than L2.
pub(crate) const BYTES: usize = 192 << 10;

/// A kernel over operands of [`BYTES`] bytes in total.
pub(crate) fn contiguous(op: Op, isa: Isa, from: DType, to: DType) -> Option<KernelRun> {
    let dtype = |i| if op == Op::Where && i == 0 { DType::Bool } else { from };
    let width: usize = (0..op.arity()).map(|i| dtype(i).size()).sum::<usize>() + to.size();
    let count = BYTES / width;
    let ins: Vec<Elements> = (0..op.arity()).map(|i| Elements::small(dtype(i), count, i)).collect();
    KernelRun::new(op, isa, Elements::zeros(to, count), &ins)
}

/// Compares the time per byte of `op` with that of `f32` add on the same ISA, prints the line, and returns whether it
/// missed.
///
/// Times the kernel that plans for the ISA run, which may be the one of `avx2`.
pub(crate) fn per_byte(op: Op, isa: Isa, from: DType, to: DType, bound: f64) -> bool {
    let add = contiguous(Op::Add, isa, DType::F32, DType::F32);
    let planned_isa = dense_isa(op, from, to, isa);
    let (Some(run), Some(add)) = (contiguous(op, planned_isa, from, to), add) else { return false };
    let times = compare(8, || run.call(), || add.call());
    let ratio = times.ratio * (add.bytes() as f64 / run.bytes() as f64);
    // `scalar` has no bound.
    let ok = ratio <= bound || isa == Isa::Scalar;
    let ns = times.ours / run.out.count as f64;
    println!(
        "kernels     {isa:10} {:34} {ns:6.3} ns/element, {:.4} ns/byte, f32 add {:.4}, ratio {ratio:5.3} (bound {bound})  {}{}",
        run.name(),
        times.ours / run.bytes() as f64,
        times.baseline / add.bytes() as f64,
        verdict(ok),
        if planned_isa == isa { "" } else { "  (plans run the kernel of avx2)" }
    );
    !ok
}
