//! Text that explains a schedule: [`Explain`] is its `Display`.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write};
use core::ops::Range;

use eltwise_core::{Broadcast, Layout};
use smallvec::SmallVec;

use crate::bind::hoist::Stored;
use crate::ir::operation::Operation;
use crate::ir::program::Program;
use crate::strategy::{Access, Schedule, Slot, Strategy};
use crate::target::Target;

/// Displays the loops, strategy and steps of a schedule.
///
/// ```text
/// add f32  [8, 64, 56, 56] + [64, 1, 1]  (numpy)  avx512
///   coalesced  (8, 64, 3136)   out (802816, 12544, 4)  a (802816, 12544, 4)  b (0, 4, 0)     bytes
///   strategy   direct 512 x 3136, b splat per row; 2 tasks
/// ```
///
/// A plan that a search chose has one line more: `search     units, 3.1 us; best other: tiles, 4.8 us`. The costs rank layouts: they
/// count every step as an addition.
#[derive(Debug)]
pub struct Explain<'a> {
    /// The program.
    pub program: &'a Program,
    /// The schedule.
    pub schedule: &'a Schedule,
    /// The target that it was planned for.
    pub target: &'a Target,
    /// The ISA of its kernels.
    pub isa: &'a str,
    /// The layouts of the inputs.
    pub inputs: &'a [Layout],
    /// The number of threads.
    pub width: usize,
    /// The schedules of earlier stages, in their order.
    pub before: &'a [&'a Schedule],
    /// Where values are stored between stages.
    pub stored: &'a [Stored],
    /// The steps of each chain that runs.
    pub chains: &'a [Range<usize>],
}

impl Explain<'_> {
    /// The name of an operand: `out` (`out0`, `out1` ... if there are several), the name of the input, or `s0`, `s1` ... for a
    /// value that is stored between stages.
    fn name(&self, operand: usize) -> String {
        let operand = &self.schedule.binding.operands[operand];
        let (inputs, outputs) = (self.program.inputs(), self.program.outputs().len());
        let number = operand.index.wrapping_sub(if operand.output { outputs } else { inputs.len() });
        let place = match self.stored.get(number) {
            Some(&place) => place,
            None if operand.output => Stored::Output(operand.index),
            None => return inputs[operand.index].name.clone().into_owned(),
        };
        match place {
            Stored::Scratch(_) => format!("s{number}"),
            Stored::Output(_) if outputs == 1 => "out".into(),
            Stored::Output(index) => format!("out{index}"),
        }
    }

    /// Writes an earlier stage: its outputs, strategy and steps.
    fn write_stage(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let binding = &self.schedule.binding;
        write!(f, "  stage      ")?;
        for (operand, layout) in binding.outputs.iter().enumerate() {
            write!(f, "{} {}{}  ", self.name(operand), layout.dtype(), layout.shape())?;
        }
        self.write_strategy(f)?;
        self.write_search(f)?;
        self.write_steps(f)?;
        writeln!(f)
    }

    /// Writes the line with the operator, the shapes, the broadcast mode and the ISA.
    fn write_head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = &self.schedule.binding.steps;
        // A program of several steps may have a last stage of one.
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

    fn write_loops(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nest = &self.schedule.nest;
        write!(f, "  coalesced  {}   ", Tuple(&nest.sizes))?;
        for (i, operand) in nest.operands.iter().enumerate() {
            write!(f, "{} {}  ", self.name(i), Tuple(&operand.strides))?;
        }
        writeln!(f, "   bytes")
    }

    fn write_strategy(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = self.schedule;
        match s.strategy {
            Strategy::Empty => return write!(f, "nothing to do: the result has no elements"),
            Strategy::Direct => write!(f, "direct {} x {}", s.nest.rows(), s.nest.columns())?,
            Strategy::Tiled => {
                write!(f, "tiled {} x {}", s.units(), Tuple(&s.tile.steps))?;
                if s.is_move {
                    return self.write_move(f);
                }
                write!(f, ", {} bytes of scratch", s.scratch)?;
            }
        }
        for (i, access) in s.access.iter().enumerate() {
            let words = match s.technique_of(i) {
                Some(technique) => technique.words(),
                None => (*access == Access::Splat).then_some("splat"),
            };
            if let Some(words) = words {
                write!(f, ", {} {words}", self.name(i))?;
            }
        }
        self.write_tasks(f)
    }

    /// Writes the cost of the way that a search chose, and of the best one of another kind.
    fn write_search(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(cost) = self.schedule.search_cost else { return Ok(()) };
        write!(f, "\n  search     {}, {}", self.schedule.kind(), Time(cost))?;
        match self.schedule.best_other(self.target) {
            Some((kind, time)) => write!(f, "; best other: {kind}, {}", Time(time)),
            None => Ok(()),
        }
    }

    fn write_tasks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tasks = self.schedule.tasks(self.width, self.target);
        write!(f, "; {tasks} task{}", if tasks == 1 { "" } else { "s" })
    }

    /// Writes how a program that only moves bits runs.
    fn write_move(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(", copied into out")?;
        self.write_tasks(f)
    }

    fn write_steps(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Registers are numbered by their offsets in scratch.
        let register = |result| if let Slot::Register(at) = result { Some(at) } else { None };
        let mut registers: SmallVec<[usize; 8]> =
            self.schedule.steps.iter().filter_map(|step| register(step.result)).collect();
        registers.sort_unstable();
        registers.dedup();
        let named = |slot| Named(self, slot, &registers);
        for (bound, slotted) in self.schedule.binding.steps.iter().zip(&self.schedule.steps) {
            write!(f, "\n  step       {}", named(slotted.result))?;
            let args: SmallVec<[Named<'_>; 3]> = slotted.args.iter().map(|&arg| named(arg)).collect();
            write!(f, " = {}{}", bound.op, Tuple(&args))?;
            let from = match bound.op {
                Operation::Fused(fused) => fused.load().unwrap_or(bound.from),
                _ => bound.from,
            };
            write!(f, "  {from}")?;
            if from != bound.to {
                write!(f, " -> {}", bound.to)?;
            }
        }
        for chain in self.chains {
            write!(f, "\n  chain      steps {} to {}", chain.start + 1, chain.end)?;
        }
        Ok(())
    }
}

impl fmt::Display for Explain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_head(f)?;
        for schedule in self.before {
            Explain { schedule, ..*self }.write_stage(f)?;
        }
        if self.schedule.strategy != Strategy::Empty {
            self.write_loops(f)?;
        }
        write!(f, "  strategy   ")?;
        self.write_strategy(f)?;
        self.write_search(f)?;
        // The head has the only step. A binding may have more: copies to further outputs.
        if self.program.step_count() > 1 || self.schedule.binding.steps.len() > 1 {
            self.write_steps(f)?;
        }
        Ok(())
    }
}

/// `1.2 us`: a time in picoseconds, with about two digits.
struct Time(u64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1_000, "ns"), (1_000_000, "us"), (1_000_000_000, "ms"), (1_000_000_000_000, "s")];
        let (unit, name) = units.into_iter().rfind(|&(unit, _)| self.0 >= unit).unwrap_or(units[0]);
        let time = self.0 as f64 / unit as f64;
        let digits = if time < 9.95 { 1 } else { 0 };
        write!(f, "{time:.digits$} {name}")
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

/// Displays the operand or result of a step.
struct Named<'a>(&'a Explain<'a>, Slot, &'a [usize]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Slot::Operand(operand) => f.write_str(&self.0.name(operand)),
            Slot::Constant(c) => {
                let constant = self.0.schedule.binding.constants[c];
                match constant.dtype {
                    eltwise_core::DType::F32 => write!(f, "{}", f32::from_bits(constant.bits as u32)),
                    eltwise_core::DType::F64 => write!(f, "{}", f64::from_bits(constant.bits as u64)),
                    d if d.is_signed_integer() => {
                        let unused = 128 - 8 * d.size() as u32;
                        write!(f, "{}", (constant.bits << unused) as i128 >> unused)
                    }
                    d if d.is_integer() => write!(f, "{}", constant.bits),
                    eltwise_core::DType::Bool => write!(f, "{}", constant.bits != 0),
                    d => write!(f, "{d}:{:#x}", constant.bits),
                }
            }
            Slot::Register(at) => write!(f, "t{}", self.2.partition_point(|&other| other < at)),
        }
    }
}
