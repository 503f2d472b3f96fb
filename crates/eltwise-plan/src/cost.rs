//! The cost model: how long a run is expected to take. [`Cost`] is the estimate, [`Kind`] the table of operator rates.
//!
//! All figures were measured on a Zen 5 core (AVX-512, 1 MiB of second-level cache). `perf_gates cost` prints the prediction
//! for each kind next to the time on this machine. Other machines are faster or slower by about the same factor for all
//! kinds, so decisions that compare costs, such as the number of tasks, are nearly right there.

use eltwise_core::{Accuracy, CostClass, DType, HalfCompute, Op};

use crate::ir::operation::Operation;
use crate::strategy::{Access, Schedule, Strategy};
use crate::target::Target;
use crate::tuning::{
    CALL_NS, CORRECTLY_ROUNDED_FACTOR, FIRST_LEVEL_BYTES, INLINE_RUN_NS, MEMORY_NS_PER_KIB, PACK_NS_PER_KIB, ROW_NS,
    RUN_NS, TASK_NS,
};

/// The expected cost of a run, known before any buffer exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Cost {
    /// Bytes read, each operand counted once.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// Nanoseconds on one thread.
    pub ns: usize,
    /// The largest number of tasks that are worth a thread each; 1 for work that is too small for several threads.
    pub tasks: usize,
}

impl Cost {
    /// Whether the run is too small for any executor.
    #[inline]
    pub fn is_inline(&self) -> bool {
        self.tasks == 1 && self.ns < INLINE_RUN_NS
    }

    /// The cost of a run that reads `read` bytes, writes `written` bytes, takes `ns` nanoseconds and has `units` units to cut
    /// it into tasks.
    #[inline]
    pub fn new(read: usize, written: usize, ns: usize, units: usize) -> Cost {
        Cost { read, written, ns, tasks: tasks_worth(ns).min(units).max(1) }
    }

    /// The cost of one kernel call of an operator over operands of `from`, with a result of `to`. The call has `rows` rows
    /// of `cols` columns, reads `read` bytes and writes `written` bytes. `tasks` may be more than 1: the caller decides
    /// whether such a run is one call.
    #[inline]
    pub(crate) fn of_call(
        op: Op,
        (from, to): (DType, DType),
        (rows, cols): (usize, usize),
        (read, written): (usize, usize),
        target: &Target,
    ) -> Cost {
        let steps = step_ns(op, from, to, rows.saturating_mul(cols), target);
        let ns = run_ns(read.saturating_add(written), steps, 1, rows, target);
        Cost::new(read, written, ns, usize::MAX)
    }

    /// Bytes read and written.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.read.saturating_add(self.written)
    }
}

macro_rules! kinds {
    ($($kind:ident $scalar:literal $v256:literal $v512:literal $doc:literal;)*) => {
        /// The kind of a step: steps of one kind take the same time per byte.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[non_exhaustive]
        pub enum Kind {
            $(#[doc = $doc] $kind,)*
        }

        impl Kind {
            /// Every kind, in the order of the table.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind,)*];
        }

        /// Nanoseconds per KiB of the wider of operand and result, with all data in the first-level cache: without vectors
        /// and `fma`, with vectors of 32 bytes, with vectors of 64 bytes.
        const RATES: &[[u32; 3]] = &[$([$scalar, $v256, $v512],)*];
    };
}

kinds! {
    Plain 25 11 7 "Sums, products, signs, compares, logic, bits, `where`, moves.";
    Choose 170 18 9 "maximum, minimum, clamp and operators made of them, over floats.";
    Round 250 8 7 "floor, ceil, trunc, round, over floats.";
    Fused 330 20 10 "fma and operators made of it.";
    Count 75 24 11 "Bit counts; saturating sums of 32 and 64 bits; saturating products of up to 32 bits.";
    Divide 42 21 11 "Division and square root of f32.";
    DivideF64 75 38 19 "Division and square root of f64.";
    Exponents 110 36 21 "Operators on exponents and neighbours: logb, nextafter, heaviside.";
    Scale 1000 98 45 "scalb.";
    Remainder 550 70 45 "fmod, remainder and floor_divide of floats; more if the quotient is large.";
    DivideI8 1200 112 57 "Division of integers of 8 bits.";
    DivideI16 1150 50 34 "Division of integers of 16 bits.";
    DivideI32 430 85 40 "Division of integers of 32 bits.";
    DivideI64 220 55 23 "Division of integers of 64 bits; more if quotients exceed 2^49.";
    MultiplyI64 98 92 90 "Saturating products of 64 bits.";
    PowInt 600 180 95 "pow of integers.";
    Gcd 1300 1300 1300 "gcd and lcm: loops whose length depends on the values.";
    Cast 22 8 6 "Casts between types of up to 64 bits that one instruction converts.";
    CastNarrow 40 16 9 "Casts of floats to integers, and to narrower types.";
    CastHalf 260 55 28 "Casts to f16 and bf16 that pass through f32.";
    Half 350 16 4 "Conversions of 16-bit floats, in addition to a step that computes in f32.";
    Exp 5000 72 31 "Math of f32: the exponentials, rsqrt.";
    ExpF64 2500 100 44 "The same functions of f64.";
    Log 6500 105 52 "Math of f32: logarithms, tanh, inverse circular functions, roots.";
    LogF64 4000 210 95 "The same functions of f64.";
    Sigmoid 5000 165 80 "Math of f32: circular functions, erf, expm1, sigmoid and similar functions.";
    SigmoidF64 5300 290 130 "The same functions of f64.";
    Power 8000 310 152 "Math of f32: pow, atan2, atanh, erfc, mish.";
    PowerF64 7000 460 205 "The same functions of f64.";
    Area 8000 470 230 "Math of f32: asinh, acosh, logaddexp, softcap, gelu, softplus, celu, logit.";
    AreaF64 7500 620 290 "The same functions of f64.";
}

impl Kind {
    /// The kind of a step: operator `op` with operands (those called T) of dtype `from` and a result of dtype `to`.
    pub fn of(op: Op, from: DType, to: DType) -> Kind {
        let (float, wide) = (from.is_float(), from.size() == 8);
        let by_width = |narrow, of_64_bits| if wide { of_64_bits } else { narrow };
        let float_kind = |kind| if float { kind } else { Kind::Plain };
        match op.info().cost {
            CostClass::Plain | CostClass::Arithmetic => Kind::Plain,
            // The kernels over f16 and bf16 compare bits.
            CostClass::Extremum if from.is_half() => Kind::Plain,
            CostClass::Extremum | CostClass::Choose => float_kind(Kind::Choose),
            CostClass::Round => float_kind(Kind::Round),
            CostClass::Fma | CostClass::MultiplyAdd => float_kind(Kind::Fused),
            CostClass::Divide | CostClass::Remainder if !float => match from.size() {
                1 => Kind::DivideI8,
                2 => Kind::DivideI16,
                4 => Kind::DivideI32,
                _ => Kind::DivideI64,
            },
            CostClass::Divide => by_width(Kind::Divide, Kind::DivideF64),
            CostClass::Remainder => Kind::Remainder,
            CostClass::Sqrt => by_width(Kind::Exponents, Kind::DivideF64),
            CostClass::Gcd => Kind::Gcd,
            CostClass::Exponent => Kind::Exponents,
            CostClass::Scale => Kind::Scale,
            CostClass::CountBits => Kind::Count,
            CostClass::SaturatingSum if from.size() < 4 => Kind::Plain,
            CostClass::SaturatingSum => Kind::Count,
            CostClass::SaturatingProduct => by_width(Kind::Count, Kind::MultiplyI64),
            CostClass::Cast if from == to => Kind::Plain,
            CostClass::Cast if to.is_half() && from != DType::F32 => Kind::CastHalf,
            CostClass::Cast if to.is_half() || (float && to.is_integer()) => Kind::CastNarrow,
            CostClass::Cast => Kind::Cast,
            CostClass::Exp => by_width(Kind::Exp, Kind::ExpF64),
            CostClass::Log => by_width(Kind::Log, Kind::LogF64),
            CostClass::Sigmoid => by_width(Kind::Sigmoid, Kind::SigmoidF64),
            CostClass::Power if !float => Kind::PowInt,
            CostClass::Power => by_width(Kind::Power, Kind::PowerF64),
            CostClass::Area => by_width(Kind::Area, Kind::AreaF64),
        }
    }

    /// Nanoseconds per KiB on a target.
    #[inline]
    pub fn ns_per_kib(self, target: &Target) -> usize {
        let [scalar, v256, v512] = RATES[self as usize];
        let rate = match target.kernels.vector_bytes {
            64.. => v512,
            32.. => v256,
            // Vectors of 16 bytes run the same code at half the width.
            _ if target.kernels.fma => 2 * v256,
            _ => scalar,
        };
        rate as usize
    }
}

/// Nanoseconds for `bytes` at `per_kib` nanoseconds per KiB.
#[inline]
fn ns(bytes: usize, per_kib: usize) -> usize {
    bytes.saturating_mul(per_kib) >> 10
}

/// Whether an operator converts 16-bit floats to `f32` and back. (A cast has its own [kind](Kind::of).)
pub(crate) fn converts(op: Op, from: DType) -> bool {
    from.is_half() && matches!(op.info().half, HalfCompute::ViaF32 | HalfCompute::Native)
}

/// Nanoseconds of a step over some elements in the first-level cache.
#[inline]
pub fn step_ns(op: Op, from: DType, to: DType, elements: usize, target: &Target) -> usize {
    let kind = Kind::of(op, from, to);
    let bytes = elements.saturating_mul(from.size().max(to.size()));
    let rate = kind.ns_per_kib(target);
    if converts(op, from) {
        // f32 has twice as many bytes.
        return ns(bytes, 2 * rate + Kind::Half.ns_per_kib(target));
    }
    ns(bytes, rate)
}

/// Nanoseconds of a run: the longer of its steps and its memory traffic, a quarter of the shorter, and its calls and rows.
/// `steps` is in nanoseconds.
#[inline]
fn run_ns(bytes: usize, steps: usize, calls: usize, rows: usize, target: &Target) -> usize {
    let level = match bytes {
        _ if bytes <= FIRST_LEVEL_BYTES => 0,
        _ if bytes <= target.cpu.l2 => MEMORY_NS_PER_KIB[0],
        _ if bytes <= target.cpu.llc => MEMORY_NS_PER_KIB[1],
        _ => MEMORY_NS_PER_KIB[2],
    };
    let moved = ns(bytes, level);
    let overhead = calls.saturating_mul(CALL_NS).saturating_add(rows.saturating_mul(ROW_NS)).saturating_add(RUN_NS);
    steps.max(moved).saturating_add(steps.min(moved) / 4).saturating_add(overhead)
}

/// Nanoseconds per KiB of [`step_ns`] for the slowest kind on the slowest target, with a conversion of 16-bit floats.
const MAX_NS_PER_KIB: usize = {
    let (mut slowest, mut kind) = (0, 0);
    while kind < RATES.len() {
        let rate = slowest_rate(RATES[kind]);
        slowest = if rate > slowest { rate } else { slowest };
        kind += 1;
    }
    2 * slowest + slowest_rate(RATES[Kind::Half as usize])
};

/// The largest of [`Kind::ns_per_kib`] of a row of [`RATES`] on any target.
const fn slowest_rate([scalar, v256, v512]: [u32; 3]) -> usize {
    let vectors = if 2 * v256 > v512 { 2 * v256 } else { v512 };
    (if scalar > vectors { scalar } else { vectors }) as usize
}

/// Bytes of the wider of operand and result up to which a single call is [inline](Cost::is_inline) for every operator
/// and target.
pub(crate) const ALWAYS_INLINE_BYTES: usize = ((INLINE_RUN_NS - CALL_NS - ROW_NS - RUN_NS - 1) << 10) / MAX_NS_PER_KIB;

/// How many tasks of [`TASK_NS`] a run of `ns` nanoseconds has.
#[inline]
pub(crate) fn tasks_worth(ns: usize) -> usize {
    ns / TASK_NS
}

/// As [`step_ns`], for a bound step. A custom function counts as an exponential.
pub(crate) fn operation_ns(op: Operation, from: DType, to: DType, elements: usize, target: &Target) -> usize {
    if let Operation::Custom(_) = op {
        let bytes = elements.saturating_mul(from.size().max(to.size()));
        return ns(bytes, Kind::Exp.ns_per_kib(target));
    }
    let ns = op.ops().fold(0usize, |all, op| all.saturating_add(step_ns(op, from, to, elements, target)));
    if matches!(op, Operation::Tier(_, Accuracy::CorrectlyRounded)) {
        ns.saturating_mul(CORRECTLY_ROUNDED_FACTOR)
    } else {
        ns
    }
}

/// The work of a step per element, in additions, on vectors of 32 bytes.
pub(crate) fn work_of(op: Op, from: DType, to: DType) -> usize {
    let rate = |kind: Kind| RATES[kind as usize][1] as usize;
    (rate(Kind::of(op, from, to)) / rate(Kind::Plain)).max(1)
}

impl Schedule {
    /// The expected cost of a run.
    pub fn cost(&self, target: &Target) -> Cost {
        // The loop nest of an empty run has no operands.
        let outputs = self.binding.operands.iter().zip(&self.nest.operands).filter(|(operand, _)| operand.output);
        let written = self.nest.elements().saturating_mul(outputs.map(|(operand, _)| operand.size).sum());
        Cost::new(self.bytes.saturating_sub(written), written, self.ns(target), self.units())
    }

    /// The expected nanoseconds of a run on one thread.
    fn ns(&self, target: &Target) -> usize {
        let elements = self.nest.elements();
        let steps = self.binding.steps.iter().map(|s| operation_ns(s.op, s.from, s.to, elements, target));
        let steps = steps.fold(0, usize::saturating_add);
        let (calls, rows) = match self.strategy {
            Strategy::Empty => return 0,
            Strategy::Direct => (1, self.nest.rows()),
            Strategy::Tiled => (self.units().saturating_mul(self.binding.steps.len() + 1), 0),
        };
        // An operand that repeats over the outermost loop is packed once, or rarely.
        let repeats =
            |operand: usize| self.nest.sizes.len() > 1 && self.nest.operands[operand].strides.first() == Some(&0);
        let packed = (0..self.access.len())
            .filter(|&operand| matches!(self.access[operand], Access::Packed { .. }) && !repeats(operand))
            .map(|operand| elements.saturating_mul(self.binding.operands[operand].size))
            .fold(0, usize::saturating_add);
        run_ns(self.bytes, steps.saturating_add(ns(packed, PACK_NS_PER_KIB)), calls, rows, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::KernelCapabilities;

    #[test]
    fn every_kind_has_rates_that_fall_with_wider_vectors() {
        assert_eq!(Kind::ALL.len(), RATES.len());
        for (i, &kind) in Kind::ALL.iter().enumerate() {
            assert_eq!(kind as usize, i);
            let target = |vector_bytes, fuses| Target {
                kernels: KernelCapabilities { vector_bytes, fma: fuses, ..KernelCapabilities::default() },
                ..Target::default()
            };
            let rates = [target(16, false), target(16, true), target(32, true), target(64, true)];
            let rates = rates.map(|m| kind.ns_per_kib(&m));
            assert!(rates[2] >= rates[3] && rates[0] >= rates[2] && rates[3] > 0, "{kind:?} {rates:?}");
            assert!(rates[1] == 2 * rates[2], "{kind:?} {rates:?}");
        }
    }

    #[test]
    fn math_operators_cost_more_than_arithmetic() {
        let target = Target {
            kernels: KernelCapabilities { vector_bytes: 64, ..KernelCapabilities::default() },
            ..Target::default()
        };
        let of = |op: Op, d: DType| step_ns(op, d, d, 20_000, &target);
        let (add, exp, gelu) = (of(Op::Add, DType::F32), of(Op::Exp, DType::F32), of(Op::Gelu, DType::F32));
        assert!(3 * add < exp && 3 * exp < gelu, "{add} {exp} {gelu}");
        assert!(of(Op::Add, DType::F64) == 2 * add + 1 || of(Op::Add, DType::F64) == 2 * add);
        assert!(of(Op::Divide, DType::I32) > 4 * of(Op::Add, DType::I32));
        assert!(of(Op::Multiply, DType::BF16) > add);
    }

    #[test]
    fn costs_saturate_and_small_runs_are_one_task() {
        let target = Target::default();
        assert!(step_ns(Op::Gcd, DType::I64, DType::I64, usize::MAX, &target) > 1 << 40);
        assert!(run_ns(usize::MAX, usize::MAX, usize::MAX, usize::MAX, &target) == usize::MAX);
        assert_eq!(Cost::new(1, 1, TASK_NS, 100).tasks, 1);
        assert_eq!(Cost::new(1, 1, 5 * TASK_NS, 100).tasks, 5);
        assert_eq!(Cost::new(1, 1, 5 * TASK_NS, 3).tasks, 3);
        assert_eq!(Cost::new(0, 0, 0, 0).tasks, 1);
    }
}
