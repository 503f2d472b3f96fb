//! Chooses the ISA and the kernel of every step, and how operands are packed: [`ExecPlan::plan`].

use eltwise_core::{DType, Error, Op};
use eltwise_kernels::layout::UnitKernel;
use eltwise_kernels::table::fused::fused;
use eltwise_kernels::table::tiers::tier_kernel;
use eltwise_kernels::table::{feature_of, is_built, kernel};
use eltwise_kernels::{Kernel, layout};
use eltwise_plan::bind::Binding;
use eltwise_plan::ir::operation::Operation;
use eltwise_plan::single_call::SingleCall;
use eltwise_plan::store_policy::prefers_256_bit;
use eltwise_plan::strategy::Strategy;
use eltwise_plan::{Schedule, Target};
use eltwise_simd::Isa;

use super::{ExecPlan, SingleKernel, TileRegion};
use crate::operator::Operator;
use crate::sys::cpu;

/// The inputs of the choice of kernels.
pub(crate) struct KernelChoice<'a> {
    /// The caller's operators that the program uses.
    pub(crate) operators: &'a [Operator],
    /// The highest ISA to use.
    pub(crate) isa: Isa,
    /// The target. The kernels decide whether it permutes.
    pub(crate) target: &'a Target,
}

impl ExecPlan {
    /// Plans the binding of the schedule, and finds the kernels.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if this build has no kernel for a step.
    pub(crate) fn plan(&mut self, choice: &KernelChoice<'_>) -> Result<(), Error> {
        let &KernelChoice { operators, isa, target } = choice;
        self.schedule.binding.fuse();
        let unit_kernel = unit_kernel(&self.schedule.binding, isa);
        let target = &target.with_permutes(unit_kernel.is_some());
        self.schedule.plan(target);
        self.kernels.reserve(self.schedule.binding.steps.len());
        for step in &self.schedule.binding.steps {
            let isa = kernel_isa(step.op, (step.from, step.to), self.schedule.bytes, isa, target);
            self.kernels.push(kernel_of(step.op, (step.from, step.to), operators, isa)?);
        }
        self.unit_kernel = unit_kernel.filter(|_| self.schedule.tile.unit.is_some());
        if self.schedule.strategy == Strategy::Tiled {
            let span = |operand| self.schedule.span(operand).map(|span| (span.start, span.end));
            self.spans = (0..self.schedule.binding.operands.len()).map(span).collect();
        }
        self.regions = TileRegion::all(&self.schedule, isa, target);
        self.prefetches = self.schedule.prefetches_next_tile(target);
        Ok(())
    }

    /// The run as one kernel call, if it is one.
    pub(crate) fn single_kernel(&self) -> Option<SingleKernel> {
        let call = SingleCall::of_schedule(&self.schedule)?;
        Some(SingleKernel::new(*self.kernels.first()?, call))
    }
}

/// The unit kernel of the only step.
fn unit_kernel(binding: &Binding, isa: Isa) -> Option<UnitKernel> {
    match &binding.steps[..] {
        [one] => one.op.op().and_then(|op| layout::unit_kernel(op, one.from, isa)),
        _ => None,
    }
}

/// The target that a schedule was planned for, but with the default options.
pub(crate) fn target_of(schedule: &Schedule, isa: Isa) -> Target {
    cpu::target(isa).with_permutes(unit_kernel(&schedule.binding, isa).is_some())
}

/// The ISA of a step's kernel in a run that touches `bytes` bytes: at most `isa`. Results do not depend on it.
#[inline]
pub(crate) fn kernel_isa(
    op: impl Into<Operation>,
    (from, to): (DType, DType),
    bytes: usize,
    isa: Isa,
    target: &Target,
) -> Isa {
    if prefers_256_bit(op, from, to, bytes, target) { Isa::Avx2.min(isa) } else { isa }
}

/// The kernel of a step. `operators` has the caller's operators.
///
/// # Errors
/// [`Error::Unsupported`] if this build has none.
pub(crate) fn kernel_of(
    op: Operation,
    (from, to): (DType, DType),
    operators: &[Operator],
    isa: Isa,
) -> Result<Kernel, Error> {
    let found = match op {
        Operation::Op(op) => kernel(op, from, to, isa).ok_or_else(|| unsupported(op, from, to)),
        Operation::Tier(op, _) => tier_kernel(op, from, isa).ok_or_else(|| unsupported(op, from, to)),
        Operation::Fused(one) => fused(one, isa).ok_or_else(|| unsupported(one.last(), one.load().unwrap_or(from), to)),
        Operation::Custom(function) => return Ok(Operator::find(operators, function)?.kernel(isa)),
        other => return Err(Error::Expression { message: format!("{other} has no kernel") }),
    };
    Ok(found?.kernel)
}

/// The error of a step without a kernel: this build leaves it out.
#[cold]
fn unsupported(op: Op, from: DType, to: DType) -> Error {
    let missing = [from, to].into_iter().find(|&d| !is_built(d)).unwrap_or(from);
    let why = match feature_of(missing) {
        Some("f64") => "the feature f64",
        Some("half") => "the feature half",
        Some("small-int") => "the feature small-int",
        Some("wide-int") => "the feature wide-int",
        _ => "a kernel for it",
    };
    Error::Unsupported { op, dtype: missing, why }
}

#[cfg(test)]
mod tests {
    use eltwise_plan::{CpuModel, KernelCapabilities};

    use super::*;

    #[test]
    fn double_pumped_cpus_run_memory_bound_steps_on_avx2_and_never_on_a_higher_isa() {
        let target = Target {
            cpu: CpuModel { double_pumped_512: true, ..CpuModel::default() },
            kernels: KernelCapabilities { vector_bytes: 64, ..KernelCapabilities::default() },
            ..Target::default()
        };
        let of = |op: Op, bytes, isa, target: &Target| kernel_isa(op, (DType::F32, DType::F32), bytes, isa, target);
        assert_eq!(of(Op::Add, target.cpu.l2 + 1, Isa::Avx512, &target), Isa::Avx2);
        assert_eq!(of(Op::Add, target.cpu.l2, Isa::Avx512, &target), Isa::Avx512);
        assert_eq!(of(Op::Exp, target.cpu.l2 + 1, Isa::Avx512, &target), Isa::Avx512);
        let of_f16 = |op, bytes| kernel_isa(op, (DType::F16, DType::F16), bytes, Isa::Avx512, &target);
        assert_eq!((of_f16(Op::Add, 64), of_f16(Op::Relu6, target.cpu.l2 + 1)), (Isa::Avx2, Isa::Avx512));
        // The kernels of `maximum` compare the bits as integers.
        assert_eq!((of_f16(Op::Maximum, 64), of_f16(Op::Maximum, target.cpu.l2 + 1)), (Isa::Avx512, Isa::Avx2));
        let narrow = Target { kernels: KernelCapabilities { vector_bytes: 16, ..target.kernels }, ..target };
        assert_eq!(of(Op::Add, target.cpu.l2 + 1, Isa::Scalar, &narrow), Isa::Scalar);
    }
}
