//! [`Case`]: a program over operands with random layouts. [`Selection`] draws it.

use core::fmt;

use clap::ValueEnum;
use eltwise::{Broadcast, DType, Error, Layout, Program, broadcast_shapes};

use super::layout::{Placed, operand, output, shape};
use super::random::Random;

/// A result with fewer elements is drawn again, because its run is mostly the call.
const MIN_RESULT: usize = 1000;

/// The operation of a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Mode {
    /// `a + b` into a contiguous output
    Binary,
    /// `a + b` into an output that is strided, permuted, cropped or reversed
    Out,
    /// `where(cond, a, b)` into a contiguous output
    Where,
    /// A program of three steps over three operands, into a contiguous output
    Program,
}

/// The expressions of [`Mode::Program`]. Each has three steps.
const PROGRAMS: [&str; 4] = ["(a * b + c) * 2", "maximum(a - b, c) * 2", "minimum(a + b, c) - a", "a * b + c * a"];

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 4] = [Mode::Binary, Mode::Out, Mode::Where, Mode::Program];

    /// The operands of an expression of this mode.
    fn names(self) -> &'static [&'static str] {
        match self {
            Mode::Binary | Mode::Out => &["a", "b"],
            Mode::Where => &["cond", "a", "b"],
            Mode::Program => &["a", "b", "c"],
        }
    }

    fn expression(self, random: &mut Random) -> &'static str {
        match self {
            Mode::Binary | Mode::Out => "a + b",
            Mode::Where => "where(cond, a, b)",
            Mode::Program => random.pick(&PROGRAMS),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Mode::Binary => "binary",
            Mode::Out => "out",
            Mode::Where => "where",
            Mode::Program => "program",
        })
    }
}

/// The parameters from which cases are drawn. Equal parameters draw equal cases.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The seed.
    pub seed: u64,
    /// About the number of elements of the common shape.
    pub elements: usize,
    /// The dtypes of the cases, which take turns.
    pub dtypes: Vec<DType>,
    /// The operation.
    pub mode: Mode,
}

/// A program over operands with random layouts.
#[derive(Clone, Debug)]
pub struct Case {
    /// The number of the case.
    pub index: usize,
    /// The dtype of the operands, except for a condition.
    pub dtype: DType,
    /// The program.
    pub program: Program,
    /// The text of the program.
    pub expression: &'static str,
    /// The inputs.
    pub inputs: Vec<Placed>,
    /// The output.
    pub output: Placed,
}

impl Selection {
    /// Case number `index`.
    ///
    /// # Errors
    /// If an operator does not take the dtype, or an operand does not fit the address space.
    pub fn case(&self, index: usize) -> Result<Case, Error> {
        let random = &mut Random::new(self.seed, index);
        let dtype = self.dtypes[index % self.dtypes.len()];
        let names = self.mode.names();
        let dtype_of = |name: &str| if name == "cond" { DType::Bool } else { dtype };
        let expression = self.mode.expression(random);
        let program = Program::parse(expression, &names.iter().map(|&n| (n, dtype_of(n))).collect::<Vec<_>>())?;
        let (inputs, shape) = loop {
            let shape = shape(random, self.elements);
            // At most one operand is full by choice, half of the time.
            let full = random.chance(0.5).then(|| random.below(names.len()));
            let mut inputs = vec![];
            for (k, name) in names.iter().enumerate() {
                inputs.push(operand(random, &shape, dtype_of(name), full == Some(k))?);
            }
            let shapes: Vec<_> = inputs.iter().map(|i| i.layout.shape()).collect();
            let shape = broadcast_shapes(&Broadcast::Numpy, &shapes)?;
            if shape.elements()? >= MIN_RESULT.min(self.elements / 2) {
                break (inputs, shape);
            }
        };
        let to = program.value(program.outputs()[0]).dtype;
        let output = match self.mode {
            Mode::Out => output(random, &shape, to)?,
            _ => Placed::contiguous(to, &shape)?,
        };
        Ok(Case { index, dtype, program, expression, inputs, output })
    }
}

/// Shape and strides: `[64, 3](12, 4)`, with strides in bytes.
struct Text<'a>(&'a Layout);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strides: Vec<String> = self.0.strides().iter().map(isize::to_string).collect();
        write!(f, "{}({})", self.0.shape(), strides.join(", "))
    }
}

impl fmt::Display for Case {
    /// `12 f32 a + b: [64, 3](12, 4) [64, 1](4, 4) -> [64, 3](12, 4)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}:", self.index, self.dtype, self.expression)?;
        for input in &self.inputs {
            write!(f, " {}", Text(&input.layout))?;
        }
        write!(f, " -> {}", Text(&self.output.layout))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(mode: Mode, elements: usize, seed: u64) -> Selection {
        Selection { seed, elements, dtypes: vec![DType::F32, DType::U8, DType::F16, DType::F64], mode }
    }

    #[test]
    fn a_seed_gives_the_same_layouts() {
        for mode in Mode::ALL {
            let texts = |seed| (0..50).map(|i| selection(mode, 60_000, seed).case(i).unwrap().to_string()).collect();
            let (first, again, other): (Vec<String>, Vec<String>, Vec<String>) = (texts(7), texts(7), texts(8));
            assert_eq!(first, again);
            assert!(first.iter().zip(&other).all(|(a, b)| a != b));
        }
    }

    /// Printed figures can be compared with those of another version only if the layouts do not change.
    #[test]
    fn a_case_is_the_same_in_every_version() {
        let case = selection(Mode::Out, 60_000, 11).case(3).unwrap();
        let expected = "3 f64 a + b: [26, 12, 24, 8](224, 5824, 8, 69888) [26, 1, 24, 1](192, 192, 8, 192) \
                        -> [26, 12, 24, 8](36864, 3072, 64, 8)";
        assert_eq!(case.to_string(), expected);
    }

    #[test]
    fn layouts_are_within_their_arrays() {
        for mode in Mode::ALL {
            for index in 0..300 {
                let case = selection(mode, 20_000, 1).case(index).unwrap();
                for placed in case.inputs.iter().chain([&case.output]) {
                    let (low, high) = placed.layout.span().unwrap();
                    let offset = placed.offset as isize;
                    assert!(offset + low >= 0 && offset + high <= placed.bytes as isize, "{case}");
                }
            }
        }
    }

    #[test]
    fn outputs_have_the_shape_of_the_result_and_do_not_overlap() {
        for mode in Mode::ALL {
            for index in 0..300 {
                let case = selection(mode, 20_000, 1).case(index).unwrap();
                let shapes: Vec<_> = case.inputs.iter().map(|i| i.layout.shape()).collect();
                let shape = broadcast_shapes(&Broadcast::Numpy, &shapes).unwrap();
                let output = &case.output.layout;
                assert_eq!(output.shape().dims(), shape.dims());
                assert!(shape.elements().unwrap() >= MIN_RESULT);
                assert_eq!(output.is_contiguous(), mode != Mode::Out, "{case}");
                assert!(!output.overlaps_itself(), "{case}");
            }
        }
    }

    #[test]
    fn programs_have_three_steps() {
        for expression in PROGRAMS {
            for dtype in [DType::U8, DType::F32] {
                let program = Program::parse(expression, &[("a", dtype), ("b", dtype), ("c", dtype)]).unwrap();
                assert_eq!(program.step_count(), 3, "{expression}");
            }
        }
    }
}
