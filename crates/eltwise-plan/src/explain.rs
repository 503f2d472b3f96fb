//! A schedule in words.

use core::fmt::{self, Write};

use alloc::string::String;

use smallvec::SmallVec;

use crate::broadcast::Broadcast;
use crate::fuse::Operation;
use crate::plan::{Access, Machine, Schedule, Slot, Strategy};
use crate::program::Program;
use crate::stages::Stored;

/// Displays what a run of a schedule does.
///
/// ```text
/// add f32  [8, 64, 56, 56] + [64, 1, 1]  (numpy)  avx512
///   coalesced  (8, 64, 3136)   out (802816, 12544, 4)  a (802816, 12544, 4)  b (0, 4, 0)     bytes
///   strategy   direct 512 x 3136, b splat per row; 2 chunks
/// ```
#[derive(Debug)]
pub struct Explain<'a> {
    /// The program.
    pub program: &'a Program,
    /// The schedule.
    pub schedule: &'a Schedule,
    /// The machine it was planned for.
    pub machine: &'a Machine,
    /// The ISA of its kernels.
    pub isa: &'a str,
    /// The layouts of the inputs.
    pub inputs: &'a [crate::layout::Layout],
    /// The threads that chunks are counted for.
    pub width: usize,
    /// The stages that run before, in their order.
    pub before: &'a [&'a Schedule],
    /// Where stored values are, by their numbers.
    pub stored: &'a [Stored],
}

impl Explain<'_> {
    /// The name of a leaf: `out` (`out0`, `out1` ... when there are several), the input's, or `s0`, `s1` ... of a value
    /// between stages.
    fn name(&self, leaf: usize) -> String {
        let mut name = String::new();
        let leaf = &self.schedule.binding.leaves[leaf];
        let (inputs, outputs) = (self.program.inputs(), self.program.outputs().len());
        let number = leaf.index.wrapping_sub(if leaf.output { outputs } else { inputs.len() });
        let place = match self.stored.get(number) {
            Some(&place) => place,
            None if leaf.output => Stored::Output(leaf.index),
            None => return inputs[leaf.index].name.clone().into_owned(),
        };
        // Writing to a String cannot fail.
        let _ = match place {
            Stored::Scratch(_) => write!(name, "s{number}"),
            Stored::Output(_) if outputs == 1 => write!(name, "out"),
            Stored::Output(index) => write!(name, "out{index}"),
        };
        name
    }

    /// A stage that runs before: what it writes, how, and its steps.
    fn stage(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let binding = &self.schedule.binding;
        write!(f, "  stage      ")?;
        for (leaf, layout) in binding.outputs.iter().enumerate() {
            write!(f, "{} {}{}  ", self.name(leaf), layout.dtype(), layout.shape())?;
        }
        self.strategy(f)?;
        self.steps(f)?;
        writeln!(f)
    }

    fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = &self.schedule.binding.steps;
        // One step of a program of more is its last stage.
        let symbol = match (self.program.step_count(), steps.first().and_then(|s| s.op.op()).map(|op| op.name())) {
            (1, Some("add")) => " + ",
            (1, Some("subtract")) => " - ",
            (1, Some("multiply")) => " * ",
            (1, Some("divide")) => " / ",
            _ => ", ",
        };
        match (&steps[..], self.program.step_count()) {
            ([one], 1) => {
                write!(f, "{} {}", one.op, one.from)?;
                if one.from != one.to {
                    write!(f, " -> {}", one.to)?;
                }
            }
            _ => write!(f, "program of {} steps", self.program.step_count())?,
        }
        for (i, layout) in self.inputs.iter().enumerate() {
            write!(f, "{}", if i == 0 { "  " } else { symbol })?;
            if self.program.step_count() != 1 {
                write!(f, "{} {}", self.program.inputs()[i].name, layout.dtype())?;
            }
            write!(f, "{}", layout.shape())?;
        }
        let mut mode = None;
        for value in self.program.values() {
            if let Some(broadcast) = value.node.broadcast()
                && (value.node.args().len() > 1 || !matches!(broadcast, Broadcast::Numpy))
            {
                mode = Some(broadcast).filter(|&b| mode.is_none_or(|m| m == b));
            }
        }
        if let Some(mode) = mode {
            write!(f, "  ({mode})")?;
        }
        writeln!(f, "  {}", self.isa)
    }

    fn loops(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nest = &self.schedule.nest;
        write!(f, "  coalesced  {}   ", Tuple(&nest.sizes))?;
        for (i, walk) in nest.walks.iter().enumerate() {
            write!(f, "{} {}  ", self.name(i), Tuple(&walk.strides))?;
        }
        writeln!(f, "   bytes")
    }

    fn strategy(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = self.schedule;
        let sizes = &s.nest.sizes;
        match s.strategy {
            Strategy::Empty => return write!(f, "nothing to do: the result has no elements"),
            Strategy::Direct => {
                let columns = sizes.last().copied().unwrap_or(1);
                let rows: usize = sizes.iter().rev().skip(1).product();
                write!(f, "direct {rows} x {columns}")?;
            }
            Strategy::Tiled => {
                let tile = s.tile;
                write!(f, "tiled {} x ", s.units())?;
                if tile.rows > 1 {
                    write!(f, "({} rows x {}) elements", tile.rows, tile.length * tile.inner)?;
                } else if tile.inner == 1 {
                    write!(f, "{} elements", tile.length)?;
                } else {
                    write!(f, "({} x {}) elements", tile.length, tile.inner)?;
                }
                if s.is_move {
                    return self.moved(f);
                }
                write!(f, ", {} bytes of scratch", s.scratch)?;
            }
        }
        for (i, access) in s.access.iter().enumerate() {
            match access {
                _ if s.held == Some(i) => write!(f, ", {} held", self.name(i))?,
                Access::Contiguous => {}
                Access::Splat if s.strategy == Strategy::Direct && sizes.len() > 1 => {
                    write!(f, ", {} splat per row", self.name(i))?;
                }
                Access::Splat => write!(f, ", {} splat", self.name(i))?,
                Access::Arranged => write!(f, ", {} put in order", self.name(i))?,
                Access::Packed { .. } if s.binding.leaves[i].output => write!(f, ", {} unpacked", self.name(i))?,
                Access::Packed { .. } => {
                    let times = if s.packs(i) == 1 { "once" } else { "each tile" };
                    write!(f, ", {} packed {times}", self.name(i))?;
                }
            }
        }
        self.chunks(f)
    }

    fn chunks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chunks = self.schedule.tasks(self.width, self.machine);
        write!(f, "; {chunks} chunk{}", if chunks == 1 { "" } else { "s" })
    }

    /// The tiles of a program that only moves bits.
    fn moved(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let packed = |leaf: usize| matches!(self.schedule.access.get(leaf), Some(Access::Packed { .. }));
        f.write_str(match (packed(1), packed(0)) {
            (true, true) => ", packed, then unpacked into out",
            (false, true) => ", unpacked into out",
            _ => ", packed into out",
        })?;
        self.chunks(f)
    }

    fn steps(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Registers are numbered by the order of their places in scratch.
        let results = self.schedule.steps.iter().map(|s| s.result);
        let mut registers: SmallVec<[usize; 8]> = results
            .filter_map(|r| match r {
                Slot::Register(at) => Some(at),
                _ => None,
            })
            .collect();
        registers.sort_unstable();
        registers.dedup();
        let named = |slot| Named(self, slot, &registers);
        for (bound, slotted) in self.schedule.binding.steps.iter().zip(&self.schedule.steps) {
            write!(f, "\n  step       {}", named(slotted.result))?;
            write!(f, " = {}(", bound.op)?;
            for (i, &arg) in slotted.args.iter().enumerate() {
                write!(f, "{}{}", if i == 0 { "" } else { ", " }, named(arg))?;
            }
            let from = match bound.op {
                Operation::Fused(fused) => fused.load().unwrap_or(bound.from),
                _ => bound.from,
            };
            write!(f, ")  {from}")?;
            if from != bound.to {
                write!(f, " -> {}", bound.to)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Explain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head(f)?;
        for schedule in self.before {
            Explain { schedule, ..*self }.stage(f)?;
        }
        if self.schedule.strategy != Strategy::Empty {
            self.loops(f)?;
        }
        write!(f, "  strategy   ")?;
        self.strategy(f)?;
        // Of one step there is nothing to say but what a second output is.
        if self.program.step_count() > 1 || self.schedule.binding.steps.len() > 1 {
            self.steps(f)?;
        }
        Ok(())
    }
}

/// `(512, 3136)`
struct Tuple<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Tuple<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('(')?;
        for (i, x) in self.0.iter().enumerate() {
            write!(f, "{}{x}", if i == 0 { "" } else { ", " })?;
        }
        f.write_char(')')
    }
}

/// The name of a step's operand or result.
struct Named<'a>(&'a Explain<'a>, Slot, &'a [usize]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Slot::Leaf(leaf) => f.write_str(&self.0.name(leaf)),
            Slot::Constant(c) => {
                let constant = self.0.schedule.binding.constants[c];
                match constant.dtype {
                    crate::DType::F32 => write!(f, "{}", f32::from_bits(constant.bits as u32)),
                    crate::DType::F64 => write!(f, "{}", f64::from_bits(constant.bits as u64)),
                    d if d.is_signed_integer() => {
                        let unused = 128 - 8 * d.size() as u32;
                        write!(f, "{}", (constant.bits << unused) as i128 >> unused)
                    }
                    d if d.is_integer() => write!(f, "{}", constant.bits),
                    crate::DType::Bool => write!(f, "{}", constant.bits != 0),
                    d => write!(f, "{d}:{:#x}", constant.bits),
                }
            }
            Slot::Register(at) => write!(f, "t{}", self.2.partition_point(|&other| other < at)),
        }
    }
}
