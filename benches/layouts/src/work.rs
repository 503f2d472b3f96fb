//! Bound operations over a block of memory: a pattern, or the parts of its contiguous operation.

use eltwise::{BindOptions, Error, Isa, Layout, Plan, Program, View, ViewMut};
use eltwise_benches::{Source, check};

use crate::memory::Memory;
use crate::pattern::{Fitted, Output, Pattern};
use crate::traffic::Piece;

/// Operations that run one after the other; each writes the bytes of the output behind those of the one before.
pub struct Work {
    parts: Vec<Part>,
}

/// One bound program.
struct Part {
    program: Program,
    options: BindOptions,
    /// For each operand: the input of the block, the byte of its element `[0, 0, ...]`, its layout.
    inputs: Vec<(usize, usize, Layout)>,
    plan: Plan,
    /// Whether a run plans anew.
    plans: bool,
}

/// Work over views, ready to be timed.
pub struct Ready<'a> {
    parts: Vec<(&'a Part, Vec<View<'a>>, [ViewMut<'a>; 1])>,
}

impl Part {
    fn new(
        program: &Program,
        inputs: Vec<(usize, usize, Layout)>,
        output: Option<&Layout>,
        isa: Isa,
        (plans, streams): (bool, bool),
    ) -> Result<Part, Error> {
        let mut options = BindOptions::new().isa(isa).streaming(streams);
        options.outputs = output.map(|o| vec![o.clone()]);
        let layouts: Vec<&Layout> = inputs.iter().map(|(.., layout)| layout).collect();
        let plan = program.bind_with(&layouts, &options)?;
        Ok(Part { program: program.clone(), options, inputs, plan, plans })
    }
}

impl Work {
    /// A pattern's operation; whether it may stream its output.
    ///
    /// # Errors
    /// Those of binding.
    pub fn of_pattern(pattern: &Pattern, fitted: &Fitted, isa: Isa, streams: bool) -> Result<Work, Error> {
        let place = |(k, layout): (usize, &Layout)| Ok((k, layout.span()?.0.unsigned_abs(), layout.clone()));
        let inputs = fitted.inputs.iter().enumerate().map(place).collect::<Result<_, Error>>()?;
        let output = (pattern.output == Output::C).then_some(&fitted.output);
        Ok(Work { parts: vec![Part::new(&fitted.program, inputs, output, isa, (pattern.plans, streams))?] })
    }

    /// A program over inputs of the block: for each operand the input, the byte of element `[0, 0, ...]`, the layout.
    ///
    /// # Errors
    /// Those of binding.
    pub fn of_program(
        program: &Program,
        inputs: Vec<(usize, usize, Layout)>,
        output: &Layout,
        isa: Isa,
    ) -> Result<Work, Error> {
        Ok(Work { parts: vec![Part::new(program, inputs, Some(output), isa, (false, false))?] })
    }

    /// The contiguous operation: the pattern's dtype and operator over pieces. `slots` are the inputs of the block that
    /// it walks along, the longer one first. It streams its output where the pattern does, if that is worth it.
    ///
    /// # Errors
    /// Those of binding.
    pub fn of_base(
        pattern: &Pattern,
        fitted: &Fitted,
        pieces: &[Piece],
        slots: [usize; 2],
        (isa, streams): (Isa, bool),
    ) -> Result<Work, Error> {
        let dtype = fitted.inputs[slots[0]].dtype();
        let program = Program::parse(&format!("x {} y", pattern.base), &[("x", dtype), ("y", dtype)])?;
        let to = program.value(program.outputs()[0]).dtype;
        let mut parts = vec![];
        for piece in pieces {
            let mut inputs = vec![];
            for (operand, slot) in slots.into_iter().enumerate() {
                let streams = operand < piece.streams;
                let layout = match piece.streams {
                    // A fill: one value that has the shape of the output by a stride of 0.
                    0 => Layout::strided(dtype, [piece.elements], [0isize])?,
                    _ if streams => Layout::contiguous(dtype, [piece.elements])?,
                    _ => Layout::contiguous(dtype, [])?,
                };
                // The second operand is streamed by one piece only, so it starts at its own beginning.
                let at = if streams && operand == 0 { piece.from * dtype.size() } else { 0 };
                inputs.push((slot, at, layout));
            }
            let output = Layout::contiguous(to, [piece.elements])?;
            parts.push(Part::new(&program, inputs, Some(&output), isa, (pattern.plans, streams))?);
        }
        Ok(Work { parts })
    }

    /// The first plan.
    pub fn plan(&self) -> &Plan {
        &self.parts[0].plan
    }

    /// The work over the memory.
    ///
    /// # Errors
    /// When the memory was arranged for something smaller.
    pub fn ready<'a>(&'a self, memory: &'a mut Memory) -> Result<Ready<'a>, Error> {
        let (inputs, mut rest) = memory.split();
        let mut parts = vec![];
        for part in &self.parts {
            let view =
                |(slot, at, layout): &(usize, usize, Layout)| View::from_bytes(inputs[*slot], layout.clone(), *at);
            let views = part.inputs.iter().map(view).collect::<Result<_, Error>>()?;
            let layout = &part.plan.output_layouts()[0];
            let bytes = layout.shape().bytes(layout.dtype().size())?.min(rest.len());
            let (own, others) = rest.split_at_mut(bytes);
            rest = others;
            parts.push((part, views, [ViewMut::from_bytes(own, layout.clone(), 0)?]));
        }
        Ok(Ready { parts })
    }

    /// Runs once over poisoned memory and compares elements with the oracle: all of them, or about `most`.
    ///
    /// # Errors
    /// Those of the run, and the first element that differs.
    pub fn check(&self, memory: &mut Memory, most: usize) -> Result<(), Error> {
        memory.poison();
        self.ready(memory)?.run()?;
        self.verify(memory, most)
    }

    /// Compares what lies in the output.
    fn verify(&self, memory: &mut Memory, most: usize) -> Result<(), Error> {
        let (inputs, output) = memory.split();
        let mut rest = &*output;
        for part in &self.parts {
            let sources: Vec<Source<'_>> = part
                .inputs
                .iter()
                .map(|(slot, at, l)| Source { bytes: inputs[*slot], layout: l, offset: *at })
                .collect();
            let layout = &part.plan.output_layouts()[0];
            let (own, others) = rest.split_at(layout.shape().bytes(layout.dtype().size())?);
            rest = others;
            check::output(&part.program, &sources, 0, layout, own, most)?;
        }
        Ok(())
    }
}

impl Ready<'_> {
    /// Runs on this thread.
    ///
    /// # Errors
    /// None after a first run: the views stay as they are.
    #[inline]
    pub fn run(&mut self) -> Result<(), Error> {
        for (part, inputs, outputs) in &mut self.parts {
            if part.plans {
                let layouts: Vec<&Layout> = part.inputs.iter().map(|(.., layout)| layout).collect();
                let _ = part.program.bind_with(&layouts, &part.options)?.run(inputs, outputs)?;
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
    fn works(pattern: &Pattern, dtype: DType) -> (Work, Work, Memory) {
        let fitted = pattern.fit(dtype, 20_000).unwrap();
        let places = fitted.places().unwrap();
        let output = size_of_layout(&fitted.output).unwrap();
        let mut memory = Memory::new(places.inputs.iter().map(|i| i.1).sum::<usize>() + output).unwrap();
        memory.arrange(&places.inputs, output).unwrap();
        let pieces = fitted.traffic.base().pieces;
        let base = Work::of_base(pattern, &fitted, &pieces, places.streamed, (Isa::current(), false)).unwrap();
        (Work::of_pattern(pattern, &fitted, Isa::current(), false).unwrap(), base, memory)
    }

    #[test]
    fn one_wrong_byte_is_found() {
        let operands = [dense(&[N, 3]).flip(0), dense(&[N, 1])];
        let stretched = Pattern::new("stretch", "3", "x + y", operands, Bar::None);
        for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
            let (pattern, base, mut memory) = works(&stretched, dtype);
            for work in [&pattern, &base] {
                work.check(&mut memory, usize::MAX).unwrap();
                let length = memory.split().1.len();
                for at in [0, length / 2, length - 1] {
                    memory.split().1[at] ^= 1;
                    work.verify(&mut memory, usize::MAX).unwrap_err();
                    memory.split().1[at] ^= 1;
                }
                work.verify(&mut memory, usize::MAX).unwrap();
            }
        }
    }

    #[test]
    fn what_a_run_leaves_out_is_found() {
        let scalar = Pattern::new("scalar", "", "x == y", [dense(&[N]), dense(&[])], Bar::None);
        let (pattern, _, mut memory) = works(&scalar, DType::U8);
        pattern.check(&mut memory, usize::MAX).unwrap();
        memory.poison();
        pattern.verify(&mut memory, usize::MAX).unwrap_err();
    }

    #[test]
    fn bases_of_two_parts_write_the_whole_output() {
        let stretch = Pattern::new("", "", "x + y", [dense(&[N, 3]), dense(&[N, 1])], Bar::None);
        let (_, base, mut memory) = works(&stretch, DType::F32);
        assert_eq!(base.parts.len(), 2);
        let outputs = base.parts.iter().map(|part| size_of_layout(&part.plan.output_layouts()[0]).unwrap());
        assert_eq!(outputs.sum::<usize>(), memory.split().1.len());
        base.check(&mut memory, usize::MAX).unwrap();
    }
}
