//! What a run is expected to take: the constants in one table, and the estimate that is made of them.
//!
//! All figures were measured on a Zen 5 core (AVX-512, 1 MiB of second-level cache); `must_hold cost` prints, for each
//! kind, what they predict beside what the machine at hand takes. Other machines are faster or slower by a factor that
//! is much the same for all kinds, so what is compared here (is it worth a thread?) is little wrong there.

use crate::dtype::DType;
use crate::fuse::Operation;
use crate::op::Op;
use crate::plan::{Access, Machine, Schedule, Strategy};

/// What a run of a plan is expected to take, known before any buffer exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Cost {
    /// Bytes read, each operand counted once.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// Nanoseconds on one thread.
    pub ns: usize,
    /// The most tasks that are worth a thread each; 1 for work too small to share.
    pub tasks: usize,
}

impl Cost {
    /// The cost of a run of so many bytes and nanoseconds that can be cut into `units`.
    #[inline]
    pub fn new(read: usize, written: usize, ns: usize, units: usize) -> Cost {
        Cost { read, written, ns, tasks: tasks_worth(ns).min(units).max(1) }
    }
}

/// Nanoseconds a KiB for operands in the second-level cache, the last-level cache, and memory, reads and writes alike;
/// what lies in the first-level cache is part of a step's rate.
const MEMORY: [usize; 3] = [4, 14, 45];
/// Bytes that the first-level cache holds.
const L1: usize = 40 << 10;
/// Nanoseconds a KiB that is packed into a tile, or unpacked.
const PACK: usize = 30;
/// Nanoseconds of a run, of a kernel call, and of a row of one.
const RUN: usize = 10;
const CALL: usize = 12;
const ROW: usize = 3;
/// How many times the nanoseconds of an operator are those of it correctly rounded.
pub(crate) const EXACT: usize = 3;
/// Nanoseconds to wake another thread and to wait for it.
pub const WAKE: usize = 6_000;
/// Nanoseconds that are worth a thread of their own: a few times [`WAKE`].
pub const TASK: usize = 20_000;

macro_rules! kinds {
    ($($kind:ident $scalar:literal $v256:literal $v512:literal $doc:literal;)*) => {
        /// Kinds of steps, by what they cost.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[non_exhaustive]
        pub enum Kind {
            $(#[doc = $doc] $kind,)*
        }

        impl Kind {
            /// Every kind, in the order of the table.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind,)*];
        }

        /// Nanoseconds a KiB of the wider of operand and result, everything in the first-level cache: without vectors
        /// and `fma`, and with vectors of 32 and 64 bytes.
        const RATES: &[[u32; 3]] = &[$([$scalar, $v256, $v512],)*];
    };
}

kinds! {
    Plain 25 11 7 "Sums, products, signs, compares, logic, bits, `where`, moves.";
    Choose 170 18 9 "maximum, minimum, clamp and what is made of them, over floats.";
    Round 250 8 7 "floor, ceil, trunc, round, over floats.";
    Fused 330 20 10 "fma and what is made of it.";
    Count 75 24 11 "Counted bits; saturating sums of 32 and 64 bits, and products of up to 32.";
    Divide 42 21 11 "Division and square root of f32.";
    DivideF64 75 38 19 "The same of f64.";
    Exponents 110 36 21 "Operators on exponents and neighbours: logb, nextafter, heaviside.";
    Scale 1000 98 45 "scalb.";
    Remainder 550 70 45 "fmod, remainder and floor_divide of floats; more where the quotient is large.";
    DivideI8 1200 112 57 "Division of integers of 8 bits.";
    DivideI16 1150 50 34 "The same of 16 bits.";
    DivideI32 430 85 40 "The same of 32 bits.";
    DivideI64 220 55 23 "The same of 64 bits; more where quotients pass 2^49.";
    MultiplyI64 98 92 90 "Saturating products of 64 bits.";
    PowInt 600 180 95 "pow of integers.";
    Gcd 1300 1300 1300 "gcd and lcm: loops, by the values.";
    Cast 22 8 6 "Casts between types of up to 64 bits that one instruction converts.";
    CastNarrow 40 16 9 "Casts of floats to integers, and to narrower types.";
    CastHalf 260 55 28 "Casts to f16 and bf16 that pass through f32.";
    Half 350 16 4 "What reading and writing 16-bit floats adds to a step that computes in f32.";
    Exp 5000 72 31 "Math of f32: the exponentials, rsqrt.";
    ExpF64 2500 100 44 "The same of f64.";
    Log 6500 105 52 "Math of f32: logarithms, tanh, inverse circular functions, roots.";
    LogF64 4000 210 95 "The same of f64.";
    Sigmoid 5000 165 80 "Math of f32: circular functions, erf, expm1, sigmoid and its kin.";
    SigmoidF64 5300 290 130 "The same of f64.";
    Power 8000 310 152 "Math of f32: pow, atan2, atanh, erfc, mish.";
    PowerF64 7000 460 205 "The same of f64.";
    Area 8000 470 230 "Math of f32: asinh, acosh, logaddexp, softcap, gelu, softplus, celu, logit.";
    AreaF64 7500 620 290 "The same of f64.";
}

impl Kind {
    /// The kind of a step: an operator whose operands called T are of `from`, with a result of `to`.
    pub fn of(op: Op, from: DType, to: DType) -> Kind {
        let (float, wide) = (from.is_float(), from.size() == 8);
        let either = |narrow, of_f64| if wide { of_f64 } else { narrow };
        if op.info().is_math(from) {
            return match op {
                Op::Exp | Op::Exp2 | Op::Exp10 | Op::Rsqrt => either(Kind::Exp, Kind::ExpF64),
                Op::Log | Op::Log2 | Op::Log10 | Op::Log1p | Op::Tanh => either(Kind::Log, Kind::LogF64),
                Op::Asin | Op::Acos | Op::Atan | Op::Cbrt | Op::Hypot | Op::Cosh => either(Kind::Log, Kind::LogF64),
                Op::Asinh | Op::Acosh | Op::LogAddExp | Op::LogAddExp2 | Op::Softcap => {
                    either(Kind::Area, Kind::AreaF64)
                }
                Op::Gelu | Op::GeluTanh | Op::Softplus | Op::Celu | Op::Logit => either(Kind::Area, Kind::AreaF64),
                Op::Pow | Op::Atan2 | Op::Atanh | Op::Erfc | Op::Mish => either(Kind::Power, Kind::PowerF64),
                _ => either(Kind::Sigmoid, Kind::SigmoidF64),
            };
        }
        match op {
            Op::Divide | Op::FloorDivide | Op::TruncDivide | Op::Remainder | Op::Fmod if !float => match from.size() {
                1 => Kind::DivideI8,
                2 => Kind::DivideI16,
                4 => Kind::DivideI32,
                _ => Kind::DivideI64,
            },
            Op::Divide | Op::Reciprocal | Op::Softsign | Op::HardSwish => either(Kind::Divide, Kind::DivideF64),
            Op::Sqrt => either(Kind::Exponents, Kind::DivideF64),
            Op::FloorDivide | Op::Remainder | Op::Fmod => Kind::Remainder,
            Op::Gcd | Op::Lcm => Kind::Gcd,
            Op::Pow => Kind::PowInt,
            Op::Scalb => Kind::Scale,
            Op::Logb | Op::NextAfter | Op::Heaviside => Kind::Exponents,
            Op::Popcount | Op::LeadingZeros | Op::TrailingZeros => Kind::Count,
            Op::SaturatingAdd | Op::SaturatingSubtract if from.size() >= 4 => Kind::Count,
            Op::SaturatingMultiply if !wide => Kind::Count,
            Op::SaturatingMultiply => Kind::MultiplyI64,
            Op::Maximum | Op::Minimum if float && !is_half(from) => Kind::Choose,
            Op::Fmax | Op::Fmin | Op::Clamp | Op::Relu6 | Op::HardTanh if float => Kind::Choose,
            Op::Floor | Op::Ceil | Op::Trunc | Op::Round | Op::RoundHalfAway | Op::Fraction if float => Kind::Round,
            Op::Fma | Op::Lerp | Op::AbsDifference | Op::HardSigmoid if float => Kind::Fused,
            Op::Cast if from != to => Kind::of_cast(from, to),
            _ => Kind::Plain,
        }
    }

    /// The kind of a cast.
    fn of_cast(from: DType, to: DType) -> Kind {
        match () {
            () if is_half(to) && from != DType::F32 => Kind::CastHalf,
            () if is_half(to) => Kind::CastNarrow,
            () if from.is_float() && to.is_integer() => Kind::CastNarrow,
            () => Kind::Cast,
        }
    }

    /// Nanoseconds a KiB on a machine.
    #[inline]
    pub fn ns_per_kib(self, machine: &Machine) -> usize {
        let [scalar, v256, v512] = RATES[self as usize];
        let rate = match machine.vector_bytes {
            64.. => v512,
            32.. => v256,
            // Half as wide; of the kinds whose code is the same.
            _ if machine.fuses => 2 * v256,
            _ => scalar,
        };
        rate as usize
    }
}

/// Nanoseconds for so many bytes.
#[inline]
fn ns(bytes: usize, per_kib: usize) -> usize {
    bytes.saturating_mul(per_kib) >> 10
}

/// Whether it is a 16-bit float.
pub(crate) fn is_half(dtype: DType) -> bool {
    dtype.is_float() && dtype.size() == 2
}

/// Whether an operator takes 16-bit floats to `f32` and back. Those that do not move bits, or compute on them (`halves!` of the kernels); a cast
/// has [a kind](Kind::of) of its own.
pub(crate) fn converts(op: Op, from: DType) -> bool {
    use Op::{Abs, Clamp, Copysign, HardTanh, Maximum, Minimum, Negative, NextAfter, Relu};
    use Op::{Bitcast, BroadcastTo, Cast, Copy, Where};
    let moves = matches!(op, Where | Copy | BroadcastTo | Cast | Bitcast);
    let on_bits = matches!(op, Abs | Clamp | Copysign | HardTanh | Maximum | Minimum | Negative | NextAfter | Relu);
    is_half(from) && !moves && !on_bits
}

/// Nanoseconds of a step over some elements in the first-level cache.
#[inline]
pub fn step_ns(op: Op, from: DType, to: DType, elements: usize, machine: &Machine) -> usize {
    let kind = Kind::of(op, from, to);
    let bytes = elements.saturating_mul(from.size().max(to.size()));
    let rate = kind.ns_per_kib(machine);
    if converts(op, from) {
        // Computed as f32, which is twice as many bytes.
        return ns(bytes, 2 * rate + Kind::Half.ns_per_kib(machine));
    }
    ns(bytes, rate)
}

/// Nanoseconds of a run: its steps or its bytes, whichever take longer, and what calls and rows add.
#[inline]
pub(crate) fn run_ns(bytes: usize, steps: usize, calls: usize, rows: usize, machine: &Machine) -> usize {
    let level = match bytes {
        _ if bytes <= L1 => 0,
        _ if bytes <= machine.l2 => MEMORY[0],
        _ if bytes <= machine.llc => MEMORY[1],
        _ => MEMORY[2],
    };
    let moved = ns(bytes, level);
    let overhead = calls.saturating_mul(CALL).saturating_add(rows.saturating_mul(ROW)).saturating_add(RUN);
    steps.max(moved).saturating_add(steps.min(moved) / 4).saturating_add(overhead)
}

/// How many tasks a time is worth.
#[inline]
pub(crate) fn tasks_worth(ns: usize) -> usize {
    ns / TASK
}

/// Nanoseconds of a bound step over some elements in the first-level cache; a function of the caller's counts as an
/// exponential.
pub(crate) fn operation_ns(op: Operation, from: DType, to: DType, elements: usize, machine: &Machine) -> usize {
    if let Operation::Custom(_) = op {
        let bytes = elements.saturating_mul(from.size().max(to.size()));
        return ns(bytes, Kind::Exp.ns_per_kib(machine));
    }
    let ns = op.ops().fold(0usize, |all, op| all.saturating_add(step_ns(op, from, to, elements, machine)));
    if matches!(op, Operation::Exact(_)) { ns.saturating_mul(EXACT) } else { ns }
}

/// The work of a step in that of an addition, on vectors of 32 bytes.
pub(crate) fn work_of(op: Op, from: DType, to: DType) -> usize {
    let rate = |kind: Kind| RATES[kind as usize][1] as usize;
    (rate(Kind::of(op, from, to)) / rate(Kind::Plain)).max(1)
}

impl Schedule {
    /// What a run is expected to take.
    pub fn cost(&self, machine: &Machine) -> Cost {
        let written = self.binding.leaves.iter().zip(&self.nest.walks).filter(|(leaf, _)| leaf.output);
        let written =
            written.fold(0usize, |sum, (leaf, _)| sum.saturating_add(self.nest.elements().saturating_mul(leaf.size)));
        Cost::new(self.bytes.saturating_sub(written), written, self.ns(machine), self.units())
    }

    /// Nanoseconds that a run is expected to take on one thread.
    fn ns(&self, machine: &Machine) -> usize {
        let elements = self.nest.elements();
        let step = |steps: usize, (op, from, to)| steps.saturating_add(operation_ns(op, from, to, elements, machine));
        let steps = self.binding.steps.iter().map(|s| (s.op, s.from, s.to)).fold(0, step);
        let (calls, rows) = match self.strategy {
            Strategy::Empty => return 0,
            Strategy::Direct => (1, self.nest.sizes.iter().rev().skip(1).fold(1usize, |n, &d| n.saturating_mul(d))),
            Strategy::Tiled => (self.units().saturating_mul(self.binding.steps.len() + 1), 0),
        };
        let packed = self.access.iter().zip(&self.binding.leaves).zip(&self.nest.walks);
        let packed = packed.filter(|((access, _), _)| matches!(access, Access::Packed { .. })).fold(
            0usize,
            |sum, ((_, leaf), walk)| {
                // What repeats over the outermost loop is packed once, or seldom.
                let repeats = self.nest.sizes.len() > 1 && walk.strides.first() == Some(&0);
                let bytes = if repeats { 0 } else { elements.saturating_mul(leaf.size) };
                sum.saturating_add(bytes)
            },
        );
        run_ns(self.bytes, steps.saturating_add(ns(packed, PACK)), calls, rows, machine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_rates_that_fall_with_wider_vectors() {
        assert_eq!(Kind::ALL.len(), RATES.len());
        for (i, &kind) in Kind::ALL.iter().enumerate() {
            assert_eq!(kind as usize, i);
            let machine = |vector_bytes, fuses| Machine { vector_bytes, fuses, ..Machine::default() };
            let rates = [machine(16, false), machine(16, true), machine(32, true), machine(64, true)];
            let rates = rates.map(|m| kind.ns_per_kib(&m));
            assert!(rates[2] >= rates[3] && rates[0] >= rates[2] && rates[3] > 0, "{kind:?} {rates:?}");
            assert!(rates[1] == 2 * rates[2], "{kind:?} {rates:?}");
        }
    }

    #[test]
    fn dear_operators_cost_more() {
        let machine = Machine { vector_bytes: 64, ..Machine::default() };
        let of = |op: Op, d: DType| step_ns(op, d, d, 20_000, &machine);
        let (add, exp, gelu) = (of(Op::Add, DType::F32), of(Op::Exp, DType::F32), of(Op::Gelu, DType::F32));
        assert!(3 * add < exp && 3 * exp < gelu, "{add} {exp} {gelu}");
        assert!(of(Op::Add, DType::F64) == 2 * add + 1 || of(Op::Add, DType::F64) == 2 * add);
        assert!(of(Op::Divide, DType::I32) > 4 * of(Op::Add, DType::I32));
        assert!(of(Op::Multiply, DType::BF16) > add);
    }

    #[test]
    fn costs_saturate_and_small_work_is_one_task() {
        let machine = Machine::default();
        assert!(step_ns(Op::Gcd, DType::I64, DType::I64, usize::MAX, &machine) > 1 << 40);
        assert!(run_ns(usize::MAX, usize::MAX, usize::MAX, usize::MAX, &machine) == usize::MAX);
        assert_eq!(Cost::new(1, 1, TASK, 100).tasks, 1);
        assert_eq!(Cost::new(1, 1, 5 * TASK, 100).tasks, 5);
        assert_eq!(Cost::new(1, 1, 5 * TASK, 3).tasks, 3);
        assert_eq!(Cost::new(0, 0, 0, 0).tasks, 1);
    }
}
