//! [`Subject`]: a case and its contiguous operation, bound for an ISA and ready to be checked and timed.

use eltwise::{DType, Error, Isa, Layout, Plan};

use super::case::Case;
use super::layout::Placed;
use crate::memory::{Memory, POISON, size_of_layout};
use crate::operation::{Input, Mode, Operation};
use crate::traffic::{bytes_of_lines, offsets};

/// A case and its contiguous operation, each with its plan made before the run and with a plan for each run.
pub struct Subject {
    /// The case.
    pub case: Operation,
    /// The case, bound for each run.
    pub case_call: Operation,
    /// The contiguous operation.
    pub base: Operation,
    /// The contiguous operation, bound for each run.
    pub base_call: Operation,
    /// The bytes of the cache lines that the case moves, divided by the bytes that the contiguous operation moves.
    pub scale: f64,
    /// The inputs of the memory, for both operations.
    inputs: Vec<(DType, usize)>,
    /// Bytes of the output's memory.
    output: usize,
    placed_output: Placed,
}

/// The contiguous operation of a case: the same program over operands with as many elements as the result. An operand of at
/// most half as many elements is one element, and counts as no traffic.
struct Contiguous {
    inputs: Vec<Layout>,
    output: Layout,
    scale: f64,
}

impl Contiguous {
    fn of(case: &Case) -> Result<Contiguous, Error> {
        let elements = case.output.layout.elements();
        let is_full: Vec<bool> = case.inputs.iter().map(|i| 2 * i.layout.elements() > elements).collect();
        // Without a full operand the operation would be a fill. So it reads at least one, the first of the case's dtype, whose bytes
        // do not count.
        let first = case.inputs.iter().position(|i| i.layout.dtype() == case.dtype);
        let extended = first.filter(|_| !is_full.contains(&true));
        let output = Layout::contiguous(case.output.layout.dtype(), [elements])?;
        let mut moved = (elements * output.dtype().size()) as u64;
        let (mut extra, mut inputs) = (0, vec![]);
        for (k, (placed, &full)) in case.inputs.iter().zip(&is_full).enumerate() {
            let (layout, dtype) = (&placed.layout, placed.layout.dtype());
            let own = if full { (layout.elements() * dtype.size()) as u64 } else { 0 };
            extra += bytes_of_lines(layout)?.saturating_sub(own);
            moved += if full { (elements * dtype.size()) as u64 } else { 0 };
            inputs.push(if full || extended == Some(k) {
                Layout::contiguous(dtype, [elements])?
            } else {
                Layout::strided(dtype, [elements], [0isize])?
            });
        }
        if !case.output.layout.is_contiguous() {
            extra += bytes_of_lines(&case.output.layout)?.saturating_sub((elements * output.dtype().size()) as u64);
        }
        Ok(Contiguous { inputs, output, scale: 1.0 + extra as f64 / moved as f64 })
    }
}

impl Case {
    /// The operation of the case, bound.
    ///
    /// # Errors
    /// Errors of binding.
    pub fn operation(&self, mode: Mode) -> Result<Operation, Error> {
        let input = |(slot, p): (usize, &Placed)| Input { slot, offset: p.offset, layout: p.layout.clone() };
        let inputs = self.inputs.iter().enumerate().map(input).collect();
        let operation = Operation::of_program(&self.program, inputs, &self.output.layout, mode)?;
        Ok(operation.with_output_at(self.output.offset))
    }
}

impl Subject {
    /// Binds both operations. Each run uses non-temporal stores if the library chooses them.
    ///
    /// # Errors
    /// Errors of binding.
    pub fn new(case: &Case, isa: Isa) -> Result<Subject, Error> {
        let contiguous = Contiguous::of(case)?;
        let mode = |replans| Mode { isa, replans, non_temporal: None };
        let base = |replans| {
            let input = |(slot, layout): (usize, &Layout)| Input { slot, offset: 0, layout: layout.clone() };
            let inputs = contiguous.inputs.iter().enumerate().map(input).collect();
            Operation::of_program(&case.program, inputs, &contiguous.output, mode(replans))
        };
        let mut inputs = vec![];
        for (placed, layout) in case.inputs.iter().zip(&contiguous.inputs) {
            inputs.push((layout.dtype(), placed.bytes.max(size_of_layout(layout)?)));
        }
        Ok(Subject {
            case: case.operation(mode(false))?,
            case_call: case.operation(mode(true))?,
            base: base(false)?,
            base_call: base(true)?,
            scale: contiguous.scale,
            inputs,
            output: case.output.bytes.max(size_of_layout(&contiguous.output)?),
            placed_output: case.output.clone(),
        })
    }

    /// The plan of the case.
    pub fn plan(&self) -> &Plan {
        self.case.plan()
    }

    /// Bytes of all operands.
    pub fn bytes(&self) -> usize {
        self.inputs.iter().map(|i| i.1).sum::<usize>() + self.output
    }

    /// Places the operands in memory of at least [`Subject::bytes`] bytes and fills the inputs.
    ///
    /// # Errors
    /// If the memory is too small.
    pub fn arrange(&self, memory: &mut Memory) -> Result<(), Error> {
        memory.arrange(&self.inputs, self.output)
    }

    /// Runs both operations in arranged memory and compares about `samples` elements of each result with the reference. Gaps
    /// between the elements of the case's output must not change.
    ///
    /// # Errors
    /// Errors of a run; [`Error::Expression`] with the first difference.
    pub fn check(&self, memory: &mut Memory, samples: usize) -> Result<(), Error> {
        self.base_call.check(memory, samples)?;
        self.case_call.check(memory, samples)?;
        self.case.check(memory, samples)?;
        self.check_gaps(memory.split().1)
    }

    fn check_gaps(&self, output: &[u8]) -> Result<(), Error> {
        let Placed { layout, offset, .. } = &self.placed_output;
        let mut is_element = vec![false; output.len()];
        for element in offsets(layout) {
            let at = (*offset as isize + element) as usize;
            is_element[at..at + layout.dtype().size()].fill(true);
        }
        match output.iter().zip(is_element).position(|(&byte, is_element)| !is_element && byte != POISON) {
            None => Ok(()),
            Some(at) => Err(Error::Expression {
                message: format!("byte {at} of the output's array is no element but was written"),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::case::{Mode as CaseMode, Selection};

    /// Shape and strides of an operand.
    type Strided<'a> = (&'a [usize], &'a [isize]);

    fn case(inputs: &[Strided<'_>], output: &[usize]) -> Case {
        let program = eltwise::Program::parse("a + b", &[("a", DType::F32), ("b", DType::F32)]).unwrap();
        let placed = |&(shape, strides): &Strided<'_>| {
            let layout = Layout::strided(DType::F32, shape, strides).unwrap();
            Placed { bytes: size_of_layout(&layout).unwrap(), offset: 0, layout }
        };
        let inputs = inputs.iter().map(placed).collect();
        let output = Placed::contiguous(DType::F32, output).unwrap();
        Case { index: 0, dtype: DType::F32, program, expression: "a + b", inputs, output }
    }

    fn scale(inputs: &[Strided<'_>], output: &[usize]) -> f64 {
        Contiguous::of(&case(inputs, output)).unwrap().scale
    }

    #[test]
    fn cache_lines_beyond_those_of_the_contiguous_operation_are_counted() {
        let dense: Strided<'_> = (&[64, 64], &[256, 4]);
        assert_eq!(scale(&[dense, dense], &[64, 64]), 1.0);
        // Every second element: twice the lines of one of three operands.
        assert_eq!(scale(&[dense, (&[64, 64], &[512, 8])], &[64, 64]), 1.0 + 1.0 / 3.0);
        // A row of 4 lines, for two operands of 256 lines.
        assert_eq!(scale(&[dense, (&[1, 64], &[256, 4])], &[64, 64]), 1.0 + 4.0 / 512.0);
        // A row and a column of 4 lines each, for an output of 256 lines.
        assert_eq!(scale(&[(&[64, 1], &[4, 4]), (&[1, 64], &[256, 4])], &[64, 64]), 1.0 + 8.0 / 256.0);
    }

    #[test]
    fn small_operands_are_one_element_of_the_contiguous_operation() {
        let inputs = |inputs: &[Strided<'_>]| -> Vec<isize> {
            let contiguous = Contiguous::of(&case(inputs, &[64, 64])).unwrap();
            contiguous.inputs.iter().map(|l| l.strides().values()[0]).collect()
        };
        let dense: Strided<'_> = (&[64, 64], &[256, 4]);
        let (row, column): (Strided<'_>, Strided<'_>) = ((&[1, 64], &[256, 4]), (&[64, 1], &[4, 4]));
        assert_eq!(inputs(&[dense, dense]), [4, 4]);
        assert_eq!(inputs(&[row, dense]), [0, 4]);
        assert_eq!(inputs(&[row, column]), [4, 0]);
    }

    #[test]
    fn a_written_gap_is_detected() {
        let selection = Selection { seed: 1, elements: 2000, dtypes: vec![DType::F32], mode: CaseMode::Out };
        let cases = (0..100).map(|i| selection.case(i).unwrap());
        let case = cases.into_iter().find(|c| c.output.bytes > 4 * c.output.layout.elements()).unwrap();
        let subject = Subject::new(&case, Isa::current()).unwrap();
        let mut memory = Memory::new(subject.bytes()).unwrap();
        subject.arrange(&mut memory).unwrap();
        subject.check(&mut memory, usize::MAX).unwrap();
        let output = memory.split().1;
        let gap = output.iter().rposition(|&byte| byte == POISON).unwrap();
        output[gap] = 0;
        subject.check_gaps(memory.split().1).unwrap_err();
    }

    /// Every layout equals the reference, and every ISA gives the same bits and writes no gap.
    #[test]
    fn random_layouts_match_the_reference_on_every_isa() {
        let isas: Vec<Isa> = Isa::available().filter(|&isa| isa <= Isa::current()).collect();
        for mode in CaseMode::ALL {
            let dtypes = vec![DType::F32, DType::U8, DType::F16, DType::F64];
            let selection = Selection { seed: 11, elements: 2000, dtypes, mode };
            for index in 0..80 {
                let case = selection.case(index).unwrap();
                let mut first: Option<Vec<u8>> = None;
                for &isa in &isas {
                    let subject = Subject::new(&case, isa).unwrap();
                    let mut memory = Memory::new(subject.bytes()).unwrap();
                    subject.arrange(&mut memory).unwrap();
                    let samples = if first.is_none() { usize::MAX } else { 10 };
                    subject.check(&mut memory, samples).unwrap_or_else(|e| panic!("{isa} {mode} {case}: {e}"));
                    let output = memory.split().1.to_vec();
                    assert!(first.get_or_insert_with(|| output.clone()) == &output, "{isa} {mode} {case}");
                }
            }
        }
    }
}
