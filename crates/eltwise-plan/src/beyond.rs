//! What runs beyond the caches do otherwise: their outputs are streamed, or their vectors are narrower.

use crate::bind::{BoundStep, Leaf};
use crate::cost::{Kind, converts, is_half, operation_ns};
use crate::dtype::DType;
use crate::fuse::Operation;
use crate::nest::Walk;
use crate::op::Op;
use crate::plan::{Access, Machine, Schedule, Slot, Strategy};
use crate::tile::{LINE, Tile};

/// Bytes of the rows that are streamed, at least; and where a core [halves](Machine::halves) its vectors, those of elements of 4 bytes and more.
const ROW: usize = 1 << 10;
const HALVED_ROW: usize = 512;
/// Bytes of the outputs that are streamed, at least: beside two inputs of their length, and beside one where a core
/// [halves](Machine::halves) its vectors.
const BESIDE_TWO: usize = 32 << 20;
const BESIDE_ONE: usize = 16 << 20;
/// Nanoseconds of steps a KiB that leave memory waiting where a core halves its vectors: what computes longer hides the traffic of regular
/// stores, and its blocks do not overlap with each other when they are streamed.
const WAITS: usize = 24;
/// Bytes of the largest operand that comes again and again while an output is streamed beside an input of its length: with rows of 40 KB,
/// which come from the second level, it takes 1.2 times as long as by regular stores.
const STREAMED_BESIDE: usize = 16 << 10;
/// Bytes of the largest operand that comes again, at least, for rows that are streamed where no input has the output's length: what streams by
/// pushes longer ones out of the first level. (Rows of 1 KiB: 1.3 of the time of regular stores; of 4 KiB 0.85.) Tiles are streamed whatever
/// comes again in them (0.5 to 0.85).
const COMES_BACK: usize = 4 << 10;
/// Bytes of rows that are streamed though they are no whole cache lines.
const LONG_ROW: usize = 4 << 10;
/// Bytes of the longest tile of a single step that is streamed, as it passes through scratch of a run's own.
pub const STREAMED_TILE: usize = 4 << 10;

impl Schedule {
    /// Whether the output is so large that writing it past the caches pays. Of plans that write long rows directly: 32 MiB
    /// and more, beside two inputs of its length, all walked forward; measured: 0.92 of the time of regular stores at 64
    /// and 128 MiB, 1.03 at 16 MiB, 2.3 where rows go from the last to the first, and with one input never below 1. Of programs
    /// of several steps that write tiles where they lie: when the run does not fit the caches, for their last step writes in a
    /// burst, which regular stores take 1.3 to 1.6 times as long for.
    ///
    /// On machines that [halve](Machine::halves) vectors (Zen 4, 32 MiB of last-level cache), what does not fit the caches:
    ///
    /// | run | time over that of regular stores |
    /// |---|---|
    /// | `a + b`, outputs of 16, 32, 64 MiB | 0.8, 0.64, 0.68 |
    /// | `x + s`, the same | 0.86, 0.71, 0.62 |
    /// | f32 cast to f16, outputs of 64 MiB | 0.5 |
    /// | `a < b` of f32, of 16 MiB; of 32 MiB at other addresses | 0.81; 1.4, not streamed |
    /// | one step over tiles of 4 KiB, an operand of 64 KiB that comes again, 96 MiB | 0.65 |
    /// | no input of the output's length, a row of 4 KiB again and again, 16, 32, 64, 128 MiB | 1.3, 1, 0.87, 0.83 |
    /// | several steps over tiles, one input of 32, 64 MiB | 0.94, 0.76 |
    /// | several steps over tiles, two inputs of 16, 32, 64 MiB | 1.2 to 1.5, 1.3, 1.1 to 1.3 |
    /// | `exp(x)`, 64 MiB; `silu(x) * y`, 22 MiB | 1.19, 1.21, not streamed |
    pub fn is_worth_streaming(&self, machine: &Machine) -> bool {
        let spills = self.bytes > machine.llc;
        if machine.halves && !(spills && self.ns_of_a_kib(machine) <= WAITS) {
            return false;
        }
        match self.strategy {
            Strategy::Direct => {
                let (columns, elements) = (self.nest.sizes.last().copied().unwrap_or(1), self.nest.elements());
                let out = self.binding.leaves[0].size;
                let (row, inputs) = (columns.saturating_mul(out), self.inputs_that_pass());
                let least = match (machine.halves, inputs) {
                    (true, 0) => machine.llc.saturating_mul(2),
                    (true, _) => BESIDE_ONE,
                    (false, 2..) => BESIDE_TWO,
                    _ => return false,
                };
                let serves = if machine.halves { self.streams_rows(row, inputs) } else { row >= ROW };
                serves && elements.saturating_mul(out) >= least
            }
            Strategy::Tiled => {
                let outputs = self.binding.leaves.iter().filter(|leaf| leaf.output).count();
                let is_last = self.steps.last().is_some_and(|step| step.result == Slot::Leaf(0));
                let is_one = machine.halves && self.steps.len() == 1;
                let written = self.access.first() == Some(&Access::Contiguous) && (is_one || self.tile.rows == 1);
                let serves = match self.steps.len() {
                    1 => machine.halves && !self.is_move && self.streams_tiles(machine),
                    _ => {
                        !machine.halves || self.access.iter().skip(1).filter(|&&a| a == Access::Contiguous).count() < 2
                    }
                };
                serves && outputs == 1 && is_last && written && spills
            }
            Strategy::Empty => false,
        }
    }

    /// How many inputs have the output's length, and are walked forwards.
    fn inputs_that_pass(&self) -> usize {
        self.nest.walks.iter().skip(1).filter(|walk| walk.strides.iter().all(|&stride| stride > 0)).count()
    }

    /// Whether rows of so many bytes are long enough to be streamed where a core halves its vectors, leave by whole cache lines, forwards,
    /// beside so many inputs of the output's length, and what comes again is of a size for it. The line that two short rows share is written
    /// twice: rows of 1000 bytes took 2.7 times as long as by regular stores. What converts on both sides waits less for memory (`f16`:
    /// 1.2 to 1.6), but for what lies transposed (0.68, 0.8).
    fn streams_rows(&self, row: usize, inputs: usize) -> bool {
        // Each row is a call: of narrow elements, which are more, a short one takes longer than memory.
        let shortest = if self.binding.leaves[0].size >= 4 { HALVED_ROW } else { ROW };
        let whole = self.nest.sizes.len() < 2 || row.is_multiple_of(LINE) || row >= LONG_ROW;
        row >= shortest && whole && self.streams_beside(inputs, COMES_BACK)
    }

    /// What of that rows and tiles have in common; `least` bytes come again where no input has the output's length.
    fn streams_beside(&self, inputs: usize, least: usize) -> bool {
        let backwards = || self.nest.walks.iter().any(|walk| walk.strides.iter().any(|&stride| stride < 0));
        let half = self.binding.steps.iter().any(|step| step.to == step.from && may_convert(step.op, step.from));
        let longest = self.longest_that_comes_back();
        let passing =
            || self.nest.walks.iter().zip(&self.binding.leaves).skip(1).filter(|(walk, _)| !walk.strides.contains(&0));
        let read = passing().map(|(_, leaf)| leaf.size).sum::<usize>();
        let serves = match inputs {
            0 if half => longest > STREAMED_BESIDE,
            0 => longest >= least,
            _ => (!half || self.transposed().is_some()) && longest <= STREAMED_BESIDE,
        };
        // A block reads so many lines that what is asked for ahead does not stay; or twice as many as it has elements for.
        let fits = read <= 3 * self.binding.leaves[0].size;
        let has_gaps = |(walk, leaf): (&Walk, &Leaf)| {
            let size = leaf.size as isize;
            walk.strides.last().is_some_and(|stride| (size + 1..=4 * size).contains(stride))
        };
        serves && fits && !passing().any(has_gaps) && !backwards()
    }

    /// Bytes of the largest operand that comes again for the steps of a loop: of what the loops inside walk along.
    fn longest_that_comes_back(&self) -> usize {
        let mut longest = 0;
        for (walk, leaf) in self.nest.walks.iter().zip(&self.binding.leaves).skip(1) {
            let mut inside = leaf.size;
            for (&stride, &n) in walk.strides.iter().zip(&self.nest.sizes).rev() {
                match stride {
                    0 if inside > leaf.size => longest = longest.max(inside),
                    0 => {}
                    _ => inside = inside.saturating_mul(n),
                }
            }
        }
        longest
    }

    /// Whether the tiles of a single step are such that pass through scratch: short ones, of whole lines.
    fn streams_tiles(&self, machine: &Machine) -> bool {
        let (out, Tile { axis, length, inner, rows, .. }) = (self.binding.leaves[0].size, self.tile);
        let (row, all) = (length * inner * out, self.nest.sizes[axis..].iter().product::<usize>().saturating_mul(out));
        let whole = row.is_multiple_of(LINE) && (axis == 0 || all.is_multiple_of(LINE));
        whole && row <= STREAMED_TILE && (rows == 1 || row >= HALVED_ROW) && self.may_stream_tiles(machine)
    }

    /// Whether a run may stream such tiles, if it has them. Of two inputs of the output's length only where one lies across the other: the
    /// plane that is packed waits for memory in any case.
    fn may_stream_tiles(&self, machine: &Machine) -> bool {
        let spills = self.bytes > machine.llc;
        if !(machine.halves && machine.streams && spills && self.binding.steps.len() == 1) {
            return false;
        }
        let inputs = self.inputs_that_pass();
        self.nest.elements().saturating_mul(self.binding.leaves[0].size) >= BESIDE_ONE
            && (inputs < 2 || self.transposed().is_some())
            && self.ns_of_a_kib(machine) <= WAITS
            && self.streams_beside(inputs, 0)
    }

    /// Bytes of the tiles of a single step, at most: of such as may be [streamed](STREAMED_TILE), where they may be.
    pub(crate) fn longest_tile(&self, machine: &Machine) -> usize {
        if self.may_stream_tiles(machine) { STREAMED_TILE } else { usize::MAX }
    }

    /// Bytes of the longest rows that tiles serve: shorter where those rows are written past the caches, if they are written directly. (Zen
    /// 4, rows of 512 bytes, 512 MiB: 0.8 of the time of tiles.)
    pub(crate) fn longest_short_row(&self, machine: &Machine) -> usize {
        let row = self.nest.sizes.last().copied().unwrap_or(1).saturating_mul(self.binding.leaves[0].size);
        let streams = || {
            let inputs = self.inputs_that_pass();
            inputs > 0 && self.streams_rows(row, inputs)
        };
        let far = machine.halves && machine.streams && self.bytes > machine.llc.saturating_mul(2);
        if far && streams() { HALVED_ROW - 1 } else { usize::MAX }
    }

    /// Nanoseconds that the steps compute for a KiB of the widest operand or result.
    fn ns_of_a_kib(&self, machine: &Machine) -> usize {
        let of = |step: &BoundStep| {
            let elements = (1 << 10) / step.from.size().max(step.to.size());
            operation_ns(step.op, step.from, step.to, elements, machine)
        };
        self.binding.steps.iter().map(of).fold(0, usize::saturating_add)
    }
}

/// Whether a step of a run that touches so many bytes is faster on vectors of 32 bytes than on those of 64. `from` is the dtype
/// of the operands called T, `to` that of the result.
///
/// Of what memory bounds, beyond the second-level cache of a machine that [halves](Machine::halves) vectors: on Zen 4 with 64 bytes `a + b` takes
/// 1.04 times as long as with 32 at 3 MiB, 1.2 at 48 MiB, an outer product 1.1 at 4 MiB and 1.28 at 16 MiB, `where` 1.2 at 12 MiB.
/// Compares and casts, which write less or more than they read, gain nothing, and what computes more loses.
///
/// And of sums and products of `f16`, which conversions bound, wherever operands lie: 16 sums take 3.4 cycles there with 32 bytes, 4.8 with
/// 64, whose conversions cost more than twice as much (products, `fma` and squares 0.87 to 0.95 of the time). What computes longer, as a
/// quotient or relu6, gains by the wider ones.
#[inline]
pub fn narrows(op: impl Into<Operation>, from: DType, to: DType, bytes: usize, machine: &Machine) -> bool {
    // In the order of what decides soonest: small runs ask each time they are bound.
    let may = machine.halves && machine.vector_bytes == 64 && (bytes > machine.l2 || from == DType::F16);
    may && match op.into() {
        op if from == DType::F16 && may_convert(op, from) => is_bound_by_conversions(op, to),
        op => bytes > machine.l2 && is_bound_by_memory(op, from, to),
    }
}

/// Whether an operator over `f16` computes hardly more than its operands' conversions.
fn is_bound_by_conversions(op: Operation, to: DType) -> bool {
    let Operation::Op(op) = op else { return false };
    let light = matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Fma | Op::Square | Op::SquaredDifference);
    light && to == DType::F16
}

#[cold]
#[inline(never)]
fn is_bound_by_memory(op: Operation, from: DType, to: DType) -> bool {
    from.size() == to.size() && is_light(op, from, to)
}

/// Whether it computes 16-bit floats as `f32`; of what is no operator that is not known.
fn may_convert(op: Operation, from: DType) -> bool {
    match op {
        Operation::Op(op) => converts(op, from),
        _ => is_half(from),
    }
}

/// Whether vectors of 32 bytes compute as fast as memory brings operands.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::Fused;

    #[test]
    fn vectors_narrow_where_memory_or_conversions_bound_and_cores_halve_them() {
        let machine = Machine { vector_bytes: 64, halves: true, ..Machine::default() };
        let more = machine.l2 + 1;
        let of = |op: Op, from, to| narrows(op, from, to, more, &machine);
        let (f32, f16) = (DType::F32, DType::F16);
        assert!(of(Op::Add, f32, f32) && !narrows(Op::Add, f32, f32, machine.l2, &machine));
        assert!(!narrows(Op::Add, f32, f32, more, &Machine { vector_bytes: 32, ..machine }));
        assert!(!narrows(Op::Add, f32, f32, more, &Machine { halves: false, ..machine }));
        assert!(of(Op::Maximum, f32, f32) && of(Op::Where, f32, f32) && of(Op::Multiply, DType::U8, DType::U8));
        // Compares write less than they read; the others compute more than memory waits for.
        assert!(!of(Op::Less, f32, DType::Bool) && of(Op::Less, DType::I8, DType::Bool));
        assert!(
            narrows(Op::Add, f16, f16, 64, &machine)
                && !of(Op::Relu6, f16, f16)
                && !of(Op::Less, f16, DType::Bool)
                && !of(Op::Divide, f32, f32)
                && !of(Op::Exp, f32, f32)
        );
        assert!(!of(Op::Clamp, f32, f32) && of(Op::Clamp, DType::I32, DType::I32));
        // On bits of 16-bit floats.
        assert!(of(Op::Maximum, f16, f16) && !narrows(Op::Maximum, f16, f16, machine.l2, &machine));
        assert!(of(Op::Abs, DType::BF16, DType::BF16) && !of(Op::Clamp, f16, f16));
        let fused = |load| Operation::Fused(Fused::new(load, Some(Op::Multiply), Op::Add, f32).unwrap());
        assert!(narrows(fused(None), f32, f32, more, &machine));
        assert!(!narrows(Operation::Exact(Op::Exp), f32, f32, more, &machine));
    }
}
