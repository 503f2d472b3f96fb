//! Calls of one operator over dense operands, found from the operands alone: [`DenseCall`]. For the functions of front ends
//! that run one operator, which have neither a program nor a plan.

use eltwise_core::{DType, Layout, Op, Signature};

use crate::cost::{ALWAYS_INLINE_BYTES, Cost};
use crate::target::Target;

/// An operand as [`DenseCall::of`] reads it. Front ends implement it for their arrays, so that a call needs no [`Layout`].
///
/// The caller makes sure that the operator takes the dtypes of the operands together, unless the relations do. Those of layouts
/// hold only between layouts of one dtype.
pub trait DenseOperand {
    /// The number of elements.
    fn elements(&self) -> usize;

    /// The number of axes.
    fn rank(&self) -> usize;

    /// Whether the elements are contiguous, with the axes in any order.
    fn is_contiguous(&self) -> bool;

    /// Whether the operand has the shape of `model`, which is contiguous, and is contiguous with its axes in the same order.
    fn is_alike(&self, model: &Self) -> bool;

    /// Whether the operand has one element and broadcasts to the shape of `model`.
    #[inline]
    fn is_splat_over(&self, model: &Self) -> bool {
        self.elements() == 1 && self.rank() <= model.rank()
    }
}

impl DenseOperand for Layout {
    #[inline]
    fn elements(&self) -> usize {
        Layout::elements(self)
    }

    #[inline]
    fn rank(&self) -> usize {
        self.shape().rank()
    }

    /// Whether the elements are contiguous in C order.
    #[inline]
    fn is_contiguous(&self) -> bool {
        Layout::is_contiguous(self)
    }

    /// As [`Layout::places_as`], so the dtype is the same.
    #[inline]
    fn is_alike(&self, model: &Layout) -> bool {
        self.places_as(model)
    }

    #[inline]
    fn is_splat_over(&self, model: &Layout) -> bool {
        self.dtype() == model.dtype() && Layout::elements(self) == 1 && self.shape().rank() <= model.shape().rank()
    }
}

/// One operator over operands that are contiguous in one order of the axes, or splats: one kernel call over one row.
#[derive(Clone, Copy, Debug)]
pub struct DenseCall<'o, O> {
    /// The operator.
    pub op: Op,
    /// The dtype T of its operands.
    pub from: DType,
    /// The dtype of its result.
    pub to: DType,
    /// The operand, or the output if one is given, whose shape and order of axes the result has.
    pub model: &'o O,
    /// The number of elements of the result.
    pub elements: usize,
    /// The number of operands.
    operands: usize,
    /// Bit `i`: whether operand `i` is a splat.
    splats: u32,
}

impl<'o, O: DenseOperand> DenseCall<'o, O> {
    /// The call of `op` over operands whose T is `from`, with a result of dtype `to`, into `output` if one is given. The
    /// operator takes these dtypes.
    ///
    /// `None` if the run may be more than one kernel call over one row, or the shapes may not broadcast.
    #[inline(always)]
    pub fn of(
        op: Op,
        (from, to): (DType, DType),
        operands: impl ExactSizeIterator<Item = &'o O> + Clone,
        output: Option<&'o O>,
    ) -> Option<DenseCall<'o, O>> {
        let count = operands.len();
        // More operands than the arity take several steps.
        if count != op.arity() || op.is_composite(from) {
            return None;
        }
        let model = match output {
            Some(output) => output,
            None => operands.clone().next()?,
        };
        let (model, elements) = match model.elements() {
            1 if output.is_none() => {
                let model = operands.clone().max_by_key(|operand| (operand.elements() != 1, operand.rank()))?;
                (model, model.elements())
            }
            elements => (model, elements),
        };
        if !model.is_contiguous() {
            return None;
        }
        let mut splats = 0;
        for (i, operand) in operands.enumerate() {
            if !core::ptr::eq(operand, model) && !operand.is_alike(model) {
                if !operand.is_splat_over(model) {
                    return None;
                }
                splats |= 1 << i;
            }
        }
        Some(DenseCall { op, from, to, model, elements, operands: count, splats })
    }

    /// Whether operand `i` is one element for all positions.
    #[inline]
    pub fn is_splat(&self, i: usize) -> bool {
        self.splats >> i & 1 != 0
    }

    /// Whether the call is too small for several threads: [`Cost::is_inline`] of its cost. `target` is used only for calls
    /// that are not inline on every target.
    #[inline(always)]
    pub fn is_inline(&self, target: impl FnOnce() -> Target) -> bool {
        let widest = self.from.size().max(self.to.size());
        self.elements.saturating_mul(widest) <= ALWAYS_INLINE_BYTES || self.cost(&target()).is_inline()
    }

    /// The expected cost of the call. Each operand that is no splat counts as `from`.
    #[inline(never)]
    pub fn cost(&self, target: &Target) -> Cost {
        let &DenseCall { op, from, to, elements, .. } = self;
        let arrays = self.operands - self.splats.count_ones() as usize;
        let (read, written) = (elements.saturating_mul(arrays * from.size()), elements.saturating_mul(to.size()));
        Cost::of_call(op, (from, to), (1, elements), (read, written), target)
    }
}

impl<'o> DenseCall<'o, Layout> {
    /// The call of `op` over layouts of one dtype, which determines the dtype of the result.
    ///
    /// `None` as for [`DenseCall::of`], and if the operator does not take the dtype or has another signature.
    #[inline(always)]
    pub fn of_layouts(
        op: Op,
        layouts: impl ExactSizeIterator<Item = &'o Layout> + Clone,
    ) -> Option<DenseCall<'o, Layout>> {
        let from = layouts.clone().next()?.dtype();
        let to = match op.signature() {
            Signature::Unary | Signature::Binary | Signature::Ternary => from,
            Signature::UnaryPredicate | Signature::BinaryPredicate => DType::Bool,
            Signature::Exponent => DType::I32,
            _ => return None,
        };
        if !op.info().takes(from) {
            return None;
        }
        DenseCall::of(op, (from, to), layouts, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu_model::CpuModel;
    use crate::target::KernelCapabilities;

    #[test]
    fn the_largest_call_without_a_target_is_inline_on_every_target() {
        let cpu = CpuModel { l1: 0, l2: 0, llc: 0, ..CpuModel::default() };
        let targets = [(16, false), (16, true), (32, true), (64, true)].map(|(vector_bytes, fma)| {
            let kernels = KernelCapabilities { vector_bytes, fma, ..KernelCapabilities::default() };
            Target { cpu, kernels, ..Target::default() }
        });
        let model = Layout::contiguous(DType::F32, [1]).unwrap();
        let mut longest = 0;
        for &op in Op::ALL {
            for from in DType::ALL.into_iter().filter(|&from| op.info().takes(from)) {
                let elements = ALWAYS_INLINE_BYTES / from.size();
                let call = DenseCall { op, from, to: from, model: &model, elements, operands: op.arity(), splats: 0 };
                for target in &targets {
                    let cost = call.cost(target);
                    assert!(cost.is_inline() && call.is_inline(|| unreachable!()), "{op} {from}: {cost:?}");
                    longest = longest.max(cost.ns);
                }
            }
        }
        assert!(longest > 4_000, "{longest} ns");
    }
}
