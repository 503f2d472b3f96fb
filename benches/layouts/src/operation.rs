//! [`Operation`]: bound programs over a block of memory, for a pattern or for the parts of its contiguous operation.

use eltwise::{BindOptions, Error, Isa, Layout, Plan, Program, View, ViewMut};
use eltwise_benches::{Source, check};

use crate::memory::Memory;
use crate::pattern::{Fitted, Output, Pattern};
use crate::traffic::Piece;

/// Programs that run one after the other. Together they write the whole output: each writes the bytes after the
/// bytes of the program before.
pub struct Operation {
    parts: Vec<BoundProgram>,
}

/// An input of a program in a block of memory.
pub struct Input {
    /// The input of the block.
    pub slot: usize,
    /// The byte offset of element `[0, 0, ...]` in it.
    pub offset: usize,
    /// Dtype, shape and strides.
    pub layout: Layout,
}

/// How programs are bound and run.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The ISA.
    pub isa: Isa,
    /// Whether each run binds the program again.
    pub replans: bool,
    /// Whether outputs larger than the caches are written with non-temporal stores; `None` if the planner decides.
    pub non_temporal: Option<bool>,
}

/// A program, bound for inputs of a block.
struct BoundProgram {
    program: Program,
    options: BindOptions,
    inputs: Vec<Input>,
    plan: Plan,
    replans: bool,
    /// The byte offset of element `[0, 0, ...]` in the memory of the output.
    output_offset: usize,
}

/// An operation with its views, ready to be timed.
pub struct Ready<'a> {
    parts: Vec<(&'a BoundProgram, Vec<View<'a>>, [ViewMut<'a>; 1])>,
}

impl BoundProgram {
    fn new(
        program: &Program,
        inputs: Vec<Input>,
        output: Option<&Layout>,
        Mode { isa, replans, non_temporal }: Mode,
    ) -> Result<BoundProgram, Error> {
        let mut options = BindOptions::new().isa(isa);
        options.non_temporal = non_temporal;
        options.outputs = output.map(|o| vec![o.clone()]);
        let plan = bind(program, &inputs, &options)?;
        let output_offset = plan.output_layouts()[0].span()?.0.unsigned_abs();
        Ok(BoundProgram { program: program.clone(), options, inputs, plan, replans, output_offset })
    }

    /// The number of bytes of the output's memory up to the end of the last element.
    fn output_bytes(&self) -> Result<usize, Error> {
        Ok(self.output_offset + self.plan.output_layouts()[0].span()?.1 as usize)
    }
}

fn bind(program: &Program, inputs: &[Input], options: &BindOptions) -> Result<Plan, Error> {
    let layouts: Vec<&Layout> = inputs.iter().map(|input| &input.layout).collect();
    program.bind_with(&layouts, options)
}

impl Operation {
    /// The operation of a pattern.
    ///
    /// # Errors
    /// Errors of binding.
    pub fn of_pattern(pattern: &Pattern, fitted: &Fitted, isa: Isa, non_temporal: bool) -> Result<Operation, Error> {
        let input = |(slot, layout): (usize, &Layout)| {
            Ok(Input { slot, offset: layout.span()?.0.unsigned_abs(), layout: layout.clone() })
        };
        let inputs = fitted.inputs.iter().enumerate().map(input).collect::<Result<_, Error>>()?;
        let output = (pattern.output == Output::C).then_some(&fitted.output);
        let mode = Mode { isa, replans: pattern.replans, non_temporal: Some(non_temporal) };
        Ok(Operation { parts: vec![BoundProgram::new(&fitted.program, inputs, output, mode)?] })
    }

    /// A program over inputs of the block.
    ///
    /// # Errors
    /// Errors of binding.
    pub fn of_program(program: &Program, inputs: Vec<Input>, output: &Layout, mode: Mode) -> Result<Operation, Error> {
        Ok(Operation { parts: vec![BoundProgram::new(program, inputs, Some(output), mode)?] })
    }

    /// Places element `[0, 0, ...]` of the output at this byte of the output's memory. Without it, the memory begins with the
    /// element that has the lowest address. For operations of one program.
    pub fn with_output_at(mut self, offset: usize) -> Operation {
        for part in &mut self.parts {
            part.output_offset = offset;
        }
        self
    }

    /// The contiguous operation of a pattern: its dtype and operator over `pieces`. `slots` are the inputs of the block
    /// that it reads, the longer one first.
    ///
    /// # Errors
    /// Errors of binding.
    pub fn of_baseline(
        pattern: &Pattern,
        fitted: &Fitted,
        pieces: &[Piece],
        slots: [usize; 2],
        (isa, non_temporal): (Isa, bool),
    ) -> Result<Operation, Error> {
        let dtype = fitted.inputs[slots[0]].dtype();
        let program = Program::parse(&format!("x {} y", pattern.base_operator), &[("x", dtype), ("y", dtype)])?;
        let to = program.value(program.outputs()[0]).dtype;
        let mode = Mode { isa, replans: pattern.replans, non_temporal: Some(non_temporal) };
        let mut parts = vec![];
        for piece in pieces {
            let mut inputs = vec![];
            for (operand, slot) in slots.into_iter().enumerate() {
                let is_full = operand < piece.full_inputs;
                let layout = match piece.full_inputs {
                    // A fill: a splat with the shape of the output.
                    0 => Layout::strided(dtype, [piece.elements], [0isize])?,
                    _ if is_full => Layout::contiguous(dtype, [piece.elements])?,
                    _ => Layout::contiguous(dtype, [])?,
                };
                // Only one piece reads the whole second operand, so it starts at the operand's first element.
                let offset = if is_full && operand == 0 { piece.from * dtype.size() } else { 0 };
                inputs.push(Input { slot, offset, layout });
            }
            let output = Layout::contiguous(to, [piece.elements])?;
            parts.push(BoundProgram::new(&program, inputs, Some(&output), mode)?);
        }
        Ok(Operation { parts })
    }

    /// The plan of the first part.
    pub fn plan(&self) -> &Plan {
        &self.parts[0].plan
    }

    /// The operation over the memory.
    ///
    /// # Errors
    /// If the memory was arranged for smaller operands.
    pub fn ready<'a>(&'a self, memory: &'a mut Memory) -> Result<Ready<'a>, Error> {
        let (inputs, mut rest) = memory.split();
        let mut parts = vec![];
        for part in &self.parts {
            let view = |i: &Input| View::from_bytes(inputs[i.slot], i.layout.clone(), i.offset);
            let views = part.inputs.iter().map(view).collect::<Result<_, Error>>()?;
            let (output, after) = rest.split_at_mut(part.output_bytes()?.min(rest.len()));
            rest = after;
            let layout = part.plan.output_layouts()[0].clone();
            parts.push((part, views, [ViewMut::from_bytes(output, layout, part.output_offset)?]));
        }
        Ok(Ready { parts })
    }

    /// Runs once into poisoned memory and compares about `samples` elements with the reference.
    ///
    /// # Errors
    /// Errors of the run; [`Error::Expression`] with the first element that differs.
    pub fn check(&self, memory: &mut Memory, samples: usize) -> Result<(), Error> {
        memory.poison();
        self.ready(memory)?.run()?;
        self.verify(memory, samples)
    }

    /// Compares the output in the memory with the reference.
    fn verify(&self, memory: &mut Memory, samples: usize) -> Result<(), Error> {
        let (inputs, output) = memory.split();
        let mut rest = &*output;
        for part in &self.parts {
            let mut sources = vec![];
            for Input { slot, offset, layout } in &part.inputs {
                sources.push(Source { bytes: inputs[*slot], layout, offset: *offset });
            }
            let (output, after) = rest.split_at(part.output_bytes()?);
            rest = after;
            let result = Source { bytes: output, layout: &part.plan.output_layouts()[0], offset: part.output_offset };
            check::output(&part.program, &sources, 0, result, samples)?;
        }
        Ok(())
    }
}

impl Ready<'_> {
    /// Binds the first program again.
    ///
    /// # Errors
    /// None: the program was bound to the same layouts before.
    pub fn bind(&self) -> Result<Plan, Error> {
        let (part, ..) = &self.parts[0];
        bind(&part.program, &part.inputs, &part.options)
    }

    /// Runs a plan of [`Ready::bind`] on this thread.
    ///
    /// # Errors
    /// None for a plan of the same operation.
    pub fn run_plan(&mut self, plan: &Plan) -> Result<(), Error> {
        let (_, inputs, outputs) = &mut self.parts[0];
        plan.run(inputs, outputs).map(drop)
    }

    /// Runs on this thread.
    ///
    /// # Errors
    /// None after a successful run: the views do not change.
    #[inline]
    pub fn run(&mut self) -> Result<(), Error> {
        for (part, inputs, outputs) in &mut self.parts {
            if part.replans {
                let _ = bind(&part.program, &part.inputs, &part.options)?.run(inputs, outputs)?;
            } else {
                let _ = part.plan.run(inputs, outputs)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bar::Bar;
    use crate::memory::size_of_layout;
    use crate::pattern::{N, dense};
    use eltwise::DType;

    /// The pattern, its contiguous operation, and memory for both.
    fn operations(pattern: &Pattern, dtype: DType) -> (Operation, Operation, Memory) {
        let fitted = pattern.fit(dtype, 20_000).unwrap();
        let buffers = fitted.buffers().unwrap();
        let output = size_of_layout(&fitted.output).unwrap();
        let mut memory = Memory::new(buffers.inputs.iter().map(|i| i.1).sum::<usize>() + output).unwrap();
        memory.arrange(&buffers.inputs, output).unwrap();
        let pieces = fitted.traffic.baseline().pieces;
        let baseline =
            Operation::of_baseline(pattern, &fitted, &pieces, buffers.baseline_inputs, (Isa::current(), false))
                .unwrap();
        (Operation::of_pattern(pattern, &fitted, Isa::current(), false).unwrap(), baseline, memory)
    }

    #[test]
    fn one_wrong_byte_is_detected() {
        let operands = [dense(&[N, 3]).flip(0), dense(&[N, 1])];
        let stretched = Pattern::new("stretch", "3", "x + y", operands, Bar::None);
        for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
            let (pattern, baseline, mut memory) = operations(&stretched, dtype);
            for operation in [&pattern, &baseline] {
                operation.check(&mut memory, usize::MAX).unwrap();
                let length = memory.split().1.len();
                for at in [0, length / 2, length - 1] {
                    memory.split().1[at] ^= 1;
                    operation.verify(&mut memory, usize::MAX).unwrap_err();
                    memory.split().1[at] ^= 1;
                }
                operation.verify(&mut memory, usize::MAX).unwrap();
            }
        }
    }

    #[test]
    fn unwritten_elements_are_detected() {
        let scalar = Pattern::new("scalar", "", "x == y", [dense(&[N]), dense(&[])], Bar::None);
        let (pattern, _, mut memory) = operations(&scalar, DType::U8);
        pattern.check(&mut memory, usize::MAX).unwrap();
        memory.poison();
        pattern.verify(&mut memory, usize::MAX).unwrap_err();
    }

    #[test]
    fn baselines_of_two_parts_write_the_whole_output() {
        let stretch = Pattern::new("", "", "x + y", [dense(&[N, 3]), dense(&[N, 1])], Bar::None);
        let (_, baseline, mut memory) = operations(&stretch, DType::F32);
        assert_eq!(baseline.parts.len(), 2);
        let outputs = baseline.parts.iter().map(|part| size_of_layout(&part.plan.output_layouts()[0]).unwrap());
        assert_eq!(outputs.sum::<usize>(), memory.split().1.len());
        baseline.check(&mut memory, usize::MAX).unwrap();
    }
}
