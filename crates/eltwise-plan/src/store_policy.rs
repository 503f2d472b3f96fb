//! Store policy: non-temporal stores and narrower vectors for runs larger than the caches.
//!
//! [`Schedule::prefers_non_temporal`] and [`prefers_256_bit`] decide. A *repeated* operand is one that is read again in every
//! iteration of some loop; an input *of the output's length* is one without stride 0.

use eltwise_core::{CostClass, DType, Op};

use crate::bind::BoundStep;
use crate::bind::loop_nest::OperandStrides;
use crate::cost::{Kind, converts, operation_ns};
use crate::ir::operation::Operation;
use crate::strategy::{Access, Schedule, Slot, Strategy};
use crate::target::Target;
use crate::tuning::{
    CACHE_LINE, LARGE_FIRST_LEVEL, NT_MAX_NS_PER_KIB, NT_MAX_REPEATED, NT_MAX_TILE, NT_MIN_OUTPUT,
    NT_MIN_OUTPUT_DOUBLE_PUMPED, NT_MIN_REPEATED_ALONE, NT_MIN_ROW, NT_MIN_ROW_DOUBLE_PUMPED, NT_UNALIGNED_ROW,
    TRANSPOSED_STRIDE,
};

impl Schedule {
    /// Whether the output is large enough for non-temporal stores.
    ///
    /// * Direct plans with long rows: outputs of 32 MiB and more, with two inputs of the output's length, all with positive
    ///   strides. The time relative to regular stores is 0.92 at 64 and 128 MiB, 1.03 at 16 MiB, 2.3 if rows go from the last
    ///   to the first, and never below 1 with one input.
    /// * Programs of several steps that write tiles directly to the output: runs that do not fit the caches. The last step
    ///   writes in bursts, for which regular stores take 1.3 to 1.6 times as long.
    /// * On [double-pumped](crate::CpuModel::double_pumped_512) CPUs: the runs of this table that do not fit the caches (Zen 4,
    ///   32 MiB of last-level cache).
    ///
    /// | run | time relative to regular stores |
    /// |---|---|
    /// | `a + b`, outputs of 16, 32, 64 MiB | 0.8, 0.64, 0.68 |
    /// | `x + s`, the same | 0.86, 0.71, 0.62 |
    /// | f32 cast to f16, outputs of 64 MiB | 0.5 |
    /// | `a < b` of f32, of 16 MiB; of 32 MiB at other addresses | 0.81; 1.4, regular stores |
    /// | one step over tiles of 4 KiB, a repeated operand of 64 KiB, 96 MiB | 0.65 |
    /// | no input of the output's length, a repeated row of 4 KiB, 16, 32, 64, 128 MiB | 1.3, 1, 0.87, 0.83 |
    /// | several steps over tiles, one input of 32, 64 MiB | 0.94, 0.76 |
    /// | several steps over tiles, two inputs of 16, 32, 64 MiB | 1.2 to 1.5, 1.3, 1.1 to 1.3 |
    /// | `exp(x)`, 64 MiB; `silu(x) * y`, 22 MiB | 1.19, 1.21, regular stores |
    pub fn prefers_non_temporal(&self, target: &Target) -> bool {
        let double_pumped = target.cpu.double_pumped_512;
        let exceeds_caches = self.bytes > target.cpu.llc;
        if double_pumped && !(exceeds_caches && self.ns_per_kib(target) <= NT_MAX_NS_PER_KIB) {
            return false;
        }
        match self.strategy {
            Strategy::Direct => {
                let (row, inputs) = (self.output_row(), self.inputs_of_output_length());
                let (min_output, suits) = match (double_pumped, inputs) {
                    (true, 0) => (target.cpu.llc.saturating_mul(2), self.rows_suit_non_temporal(row, inputs)),
                    (true, _) => (NT_MIN_OUTPUT_DOUBLE_PUMPED, self.rows_suit_non_temporal(row, inputs)),
                    (false, 2..) => (NT_MIN_OUTPUT, row >= NT_MIN_ROW),
                    _ => return false,
                };
                suits && self.output_bytes() >= min_output
            }
            Strategy::Tiled => {
                let writes_output_last = self.steps.last().is_some_and(|step| step.result == Slot::Operand(0));
                let inputs = || self.access.iter().skip(1).filter(|&&a| a == Access::Contiguous).count();
                let suits = match self.steps.len() {
                    1 => !self.is_move && self.tile.unit.is_none() && self.tiles_suit_non_temporal(target),
                    _ => self.output_run() == self.tile.elements() && (!double_pumped || inputs() < 2),
                };
                let is_direct = self.access.first() == Some(&Access::Contiguous);
                suits && self.binding.outputs.len() == 1 && writes_output_last && is_direct && exceeds_caches
            }
            Strategy::Empty => false,
        }
    }

    /// Bytes of a row of the output.
    fn output_row(&self) -> usize {
        self.nest.columns().saturating_mul(self.binding.operands[0].size)
    }

    /// Bytes of the output.
    fn output_bytes(&self) -> usize {
        self.nest.elements().saturating_mul(self.binding.operands[0].size)
    }

    /// How many inputs have the output's length and only positive strides.
    fn inputs_of_output_length(&self) -> usize {
        let is_forward = |operand: &&OperandStrides| operand.strides.iter().all(|&stride| stride > 0);
        self.nest.operands.iter().skip(1).filter(is_forward).count()
    }

    /// Whether rows of `row` bytes suit non-temporal stores on double-pumped CPUs, in a run with `inputs` inputs of the
    /// output's length. Rows must be long and whole cache lines: neighbouring short rows write the line that they share twice,
    /// and rows of 1000 bytes took 2.7 times as long as with regular stores. Steps that convert their operands and their
    /// result wait less for memory (`f16`: 1.2 to 1.6 times as long), except with transposed operands (0.68, 0.8).
    fn rows_suit_non_temporal(&self, row: usize, inputs: usize) -> bool {
        // Each row is a call. A short row of narrow elements has more elements per byte and takes longer than memory.
        let shortest = if self.binding.operands[0].size >= 4 { NT_MIN_ROW_DOUBLE_PUMPED } else { NT_MIN_ROW };
        let whole = self.nest.sizes.len() < 2 || row.is_multiple_of(CACHE_LINE) || row >= NT_UNALIGNED_ROW;
        row >= shortest && whole && self.operands_suit_non_temporal(inputs, NT_MIN_REPEATED_ALONE)
    }

    /// The conditions that rows and tiles have in common. If no input has the output's length, the longest repeated operand
    /// must have at least `min_repeated` bytes.
    fn operands_suit_non_temporal(&self, inputs: usize, min_repeated: usize) -> bool {
        let is_backward = || self.nest.operands.iter().any(|operand| operand.strides.iter().any(|&stride| stride < 0));
        let converts = self.binding.steps.iter().any(|step| step.to == step.from && may_convert(step.op, step.from));
        let longest = self.longest_repeated_operand();
        let suits = match inputs {
            0 if converts => longest > NT_MAX_REPEATED,
            0 => longest >= min_repeated,
            _ => (!converts || self.is_transposed()) && longest <= NT_MAX_REPEATED,
        };
        // With more bytes read per element, prefetched lines are evicted before they are read; with gaps between elements, a
        // block reads twice as many lines as its elements need.
        let (mut read, mut has_gaps) = (0, false);
        for (operand, strides) in self.binding.operands.iter().zip(&self.nest.operands).skip(1) {
            if !strides.strides.contains(&0) {
                let size = operand.size as isize;
                read += operand.size;
                has_gaps |= strides.strides.last().is_some_and(|stride| (size + 1..=4 * size).contains(stride));
            }
        }
        suits && read <= 3 * self.binding.operands[0].size && !has_gaps && !is_backward()
    }

    /// Bytes of the largest operand that repeats over a loop: the bytes that the loops inside that loop read.
    fn longest_repeated_operand(&self) -> usize {
        let mut longest = 0;
        for (operand, strides) in self.binding.operands.iter().zip(&self.nest.operands).skip(1) {
            let mut inside = operand.size;
            for (&stride, &n) in strides.strides.iter().zip(&self.nest.sizes).rev() {
                match stride {
                    0 if inside > operand.size => longest = longest.max(inside),
                    0 => {}
                    _ => inside = inside.saturating_mul(n),
                }
            }
        }
        longest
    }

    /// Whether the tiles of a single step suit non-temporal stores, which go through scratch: short tiles of whole cache lines.
    fn tiles_suit_non_temporal(&self, target: &Target) -> bool {
        let run = self.output_run() * self.binding.operands[0].size;
        let (strides, tile) = (&self.nest.operands[0].strides, &self.tile);
        let from = self.direct_from(0, &tile.steps).0;
        // Rows of a tile, and tiles, begin on cache lines if the output does.
        let is_on_line = |axis: usize| match strides[axis].unsigned_abs() {
            _ if tile.steps[axis] == self.nest.sizes[axis] && axis >= from => true,
            stride if axis < from => stride.is_multiple_of(CACHE_LINE),
            stride => (stride * tile.steps[axis]).is_multiple_of(CACHE_LINE),
        };
        let has_whole_lines = run.is_multiple_of(CACHE_LINE) && (0..strides.len()).all(is_on_line);
        has_whole_lines
            && run <= NT_MAX_TILE
            && (self.output_run() == self.tile.elements() || run >= NT_MIN_ROW_DOUBLE_PUMPED)
            && self.may_store_tiles_non_temporal(target)
    }

    /// The elements of a tile that follow each other in the output.
    fn output_run(&self) -> usize {
        let (from, _) = self.direct_from(0, &self.tile.steps);
        self.tile.steps[from..].iter().product()
    }

    /// Whether an input lies transposed: closer along another loop than along the innermost one, where it jumps over a vector.
    fn is_transposed(&self) -> bool {
        let of_operand = |operand: &OperandStrides| {
            let Some((last, outer)) = operand.strides.split_last() else { return false };
            let jump = last.unsigned_abs();
            jump >= TRANSPOSED_STRIDE && outer.iter().any(|stride| (1..jump).contains(&stride.unsigned_abs()))
        };
        self.nest.operands.iter().any(of_operand)
    }

    /// Whether a run may write its tiles by non-temporal stores, if they suit. With two inputs of the output's length only if
    /// one is transposed against the other: packing it waits for memory in any case.
    fn may_store_tiles_non_temporal(&self, target: &Target) -> bool {
        let exceeds_caches = self.bytes > target.cpu.llc;
        let is_single_step = self.binding.steps.len() == 1;
        if !(target.cpu.double_pumped_512 && target.options.non_temporal && exceeds_caches && is_single_step) {
            return false;
        }
        let inputs = self.inputs_of_output_length();
        self.output_bytes() >= NT_MIN_OUTPUT_DOUBLE_PUMPED
            && (inputs < 2 || self.is_transposed())
            && self.ns_per_kib(target) <= NT_MAX_NS_PER_KIB
            && self.operands_suit_non_temporal(inputs, 0)
    }

    /// Bytes of the largest tile of a single step: [`NT_MAX_TILE`] if they may be written by non-temporal stores.
    pub(crate) fn longest_tile(&self, target: &Target) -> usize {
        if self.may_store_tiles_non_temporal(target) { NT_MAX_TILE } else { usize::MAX }
    }

    /// Nanoseconds of compute of all steps per KiB of the wider of operand and result.
    fn ns_per_kib(&self, target: &Target) -> usize {
        let step_ns = |step: &BoundStep| {
            let elements = (1 << 10) / step.from.size().max(step.to.size());
            operation_ns(step.op, step.from, step.to, elements, target)
        };
        self.binding.steps.iter().map(step_ns).fold(0, usize::saturating_add)
    }
}

/// Whether a step of a run that touches `bytes` bytes is faster with vectors of 32 bytes than with vectors of 64 bytes. `from`
/// is the dtype of the operands called T, `to` that of the result.
///
/// It is on [double-pumped](crate::CpuModel::double_pumped_512) CPUs, for two groups of steps:
///
/// * Steps limited by memory, beyond the second-level cache. On Zen 4 with 64 bytes, `a + b` takes 1.04 times as long as with
///   32 bytes at 3 MiB, 1.2 at 48 MiB, an outer product 1.1 at 4 MiB and 1.28 at 16 MiB, `where` 1.2 at 12 MiB. Comparisons
///   and casts, which write less or more than they read, gain nothing, and steps that compute more lose.
/// * Sums and products of `f16`, which are limited by conversions, in every cache level. 16 sums take 3.4 cycles with 32 bytes
///   and 4.8 with 64, whose conversions cost more than twice as much (products, `fma` and squares: 0.87 to 0.95 of the time).
///   Steps that compute longer, such as a quotient or relu6, gain from 64 bytes.
#[inline]
pub fn prefers_256_bit(op: impl Into<Operation>, from: DType, to: DType, bytes: usize, target: &Target) -> bool {
    // The cheapest conditions first: every bind of a small run comes here.
    let may = target.cpu.double_pumped_512
        && target.kernels.vector_bytes == 64
        && (bytes > target.cpu.l2 || from == DType::F16);
    may && match op.into() {
        // Arithmetic takes hardly longer than the conversions of its operands.
        op if from == DType::F16 && may_convert(op, from) => {
            to == DType::F16
                && op.op().is_some_and(|op| matches!(op.info().cost, CostClass::Arithmetic | CostClass::Fma))
        }
        op => bytes > target.cpu.l2 && from.size() == to.size() && is_light(op, from, to),
    }
}

/// Whether an operation computes 16-bit floats in `f32`. Assumed of all that are not one operator.
fn may_convert(op: Operation, from: DType) -> bool {
    match op {
        Operation::Op(op) => converts(op, from),
        _ => from.is_half(),
    }
}

/// Whether vectors of 32 bytes compute as fast as memory delivers operands.
#[cold]
#[inline(never)]
fn is_light(op: Operation, from: DType, to: DType) -> bool {
    if may_convert(op, from) {
        return false;
    }
    let light = |op: Op| match Kind::of(op, from, to) {
        Kind::Plain => true,
        Kind::Choose => op.arity() < 3,
        _ => false,
    };
    match op {
        Operation::Op(op) => light(op),
        Operation::Fused(fused) => fused.load().is_none() && op.ops().all(light),
        _ => false,
    }
}

/// Whether a run with `tasks` tasks uses the non-temporal stores of its plan. A single task always does.
///
/// On double-pumped CPUs, a run that is hardly larger than the last-level cache finds most of its data there when it is
/// repeated. Two threads read and write that data faster than memory accepts non-temporal stores, unless the run reads far
/// more than it writes. (Zen 4, relative to regular stores: f32 to f64 of 48 MiB 1.7, three channels added to an image of
/// 48 MiB 0.95 to 1.6, `abs` of 64 MiB 0.9 to 1, `a + b` of 48 MiB 0.85 to 0.95.)
pub fn tasks_use_non_temporal((read, written): (usize, usize), tasks: usize, target: &Target) -> bool {
    let bytes = read.saturating_add(written);
    let most = target.cpu.llc.saturating_add(target.cpu.llc / 2);
    !target.cpu.double_pumped_512 || tasks <= 1 || bytes > most || written < bytes / 5 * 2
}

impl Schedule {
    /// Whether the inputs of the next tile are prefetched while the last step of a tile runs: for several steps over more bytes
    /// than the caches hold. Within the last-level cache, hardware prefetching alone takes 0.88 to 1 of the time. On CPUs with
    /// a small first level and non-temporal prefetches (Zen 4), a run without takes 0.46 (`sqrt(a * a + b * b)`) to 0.87
    /// (`gelu(abs(a - b))`) of the time.
    pub fn prefetches_next_tile(&self, target: &Target) -> bool {
        let harms = target.cpu.l1 < LARGE_FIRST_LEVEL && target.cpu.prefetch_nta;
        cfg!(target_arch = "x86_64")
            && !harms
            && self.strategy == Strategy::Tiled
            && self.steps.len() > 1
            && self.bytes > target.cpu.llc
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu_model::CpuModel;
    use crate::target::KernelCapabilities;
    use eltwise_core::Accuracy;
    use eltwise_core::Fused;

    #[test]
    fn double_pumped_cpus_prefer_256_bit_vectors_for_steps_limited_by_memory_or_conversions() {
        let target = Target {
            cpu: CpuModel { double_pumped_512: true, ..CpuModel::default() },
            kernels: KernelCapabilities { vector_bytes: 64, ..KernelCapabilities::default() },
            ..Target::default()
        };
        let more = target.cpu.l2 + 1;
        let of = |op: Op, from, to| prefers_256_bit(op, from, to, more, &target);
        let (f32, f16) = (DType::F32, DType::F16);
        assert!(of(Op::Add, f32, f32) && !prefers_256_bit(Op::Add, f32, f32, target.cpu.l2, &target));
        assert!(!prefers_256_bit(
            Op::Add,
            f32,
            f32,
            more,
            &Target { kernels: KernelCapabilities { vector_bytes: 32, ..target.kernels }, ..target }
        ));
        assert!(!prefers_256_bit(
            Op::Add,
            f32,
            f32,
            more,
            &Target { cpu: CpuModel { double_pumped_512: false, ..target.cpu }, ..target }
        ));
        assert!(of(Op::Maximum, f32, f32) && of(Op::Where, f32, f32) && of(Op::Multiply, DType::U8, DType::U8));
        // Comparisons write less than they read; the others are limited by compute.
        assert!(!of(Op::Less, f32, DType::Bool) && of(Op::Less, DType::I8, DType::Bool));
        assert!(
            prefers_256_bit(Op::Add, f16, f16, 64, &target)
                && !of(Op::Relu6, f16, f16)
                && !of(Op::Less, f16, DType::Bool)
                && !of(Op::Divide, f32, f32)
                && !of(Op::Exp, f32, f32)
        );
        assert!(!of(Op::Clamp, f32, f32) && of(Op::Clamp, DType::I32, DType::I32));
        // These work on the bits of 16-bit floats, without conversions.
        assert!(of(Op::Maximum, f16, f16) && !prefers_256_bit(Op::Maximum, f16, f16, target.cpu.l2, &target));
        assert!(of(Op::Abs, DType::BF16, DType::BF16) && !of(Op::Clamp, f16, f16));
        let fused = |load| Operation::Fused(Fused::new(load, Some(Op::Multiply), Op::Add, None, f32).unwrap());
        assert!(prefers_256_bit(fused(None), f32, f32, more, &target));
        assert!(!prefers_256_bit(Operation::Tier(Op::Exp, Accuracy::CorrectlyRounded), f32, f32, more, &target));
    }
}
