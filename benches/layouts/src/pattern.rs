//! [`Pattern`]: an expression over operands whose layouts have one free size. [`Pattern::fit`] chooses it for a number
//! of bytes.

use eltwise::{Broadcast, DType, Error, Layout, Program, Shape, Strides, broadcast_shapes};

use crate::bar::Bar;
use crate::memory::size_of_layout;
use crate::traffic::{Traffic, bytes_moved};

/// The length of an axis that [`Pattern::fit`] chooses.
pub const N: usize = usize::MAX;
/// The side of a square, a multiple of 32, that [`Pattern::fit`] chooses.
pub const S: usize = usize::MAX - 1;

/// The layout of an operand.
#[derive(Clone, Debug)]
pub struct OperandSpec {
    dims: Vec<usize>,
    /// The axes in memory order, outermost first.
    order: Vec<usize>,
    /// For each axis, the distance of neighbouring elements in elements of a contiguous operand.
    steps: Vec<usize>,
    /// The reversed axes.
    flips: Vec<usize>,
    dtype: Option<DType>,
}

/// A contiguous operand in C order. Axes may be [`N`] or [`S`].
pub fn dense(dims: &[usize]) -> OperandSpec {
    let rank = dims.len();
    OperandSpec { dims: dims.to_vec(), order: (0..rank).collect(), steps: vec![1; rank], flips: vec![], dtype: None }
}

impl OperandSpec {
    /// This operand with its axes in this memory order, outermost first.
    pub fn order(mut self, axes: &[usize]) -> OperandSpec {
        self.order = axes.to_vec();
        self
    }

    /// Every `step`-th element along an axis of a larger operand.
    pub fn step(mut self, axis: usize, step: usize) -> OperandSpec {
        self.steps[axis] = step;
        self
    }

    /// Reversed along an axis.
    pub fn flip(mut self, axis: usize) -> OperandSpec {
        self.flips.push(axis);
        self
    }

    /// With this dtype instead of the pattern's.
    pub fn dtype(mut self, dtype: DType) -> OperandSpec {
        self.dtype = Some(dtype);
        self
    }

    /// The layout with `n` for [`N`] and `side` for [`S`].
    fn layout(&self, dtype: DType, n: usize, side: usize) -> Result<Layout, Error> {
        let dtype = self.dtype.unwrap_or(dtype);
        let length = |dim: usize| match dim {
            N => n,
            S => side,
            fixed => fixed,
        };
        let shape: Shape = self.dims.iter().map(|&dim| length(dim)).collect();
        let mut strides = vec![0isize; shape.rank()];
        let mut next = dtype.size();
        for &axis in self.order.iter().rev() {
            let stride = (next * self.steps[axis]) as isize;
            strides[axis] = if self.flips.contains(&axis) { -stride } else { stride };
            next *= self.steps[axis] * shape[axis];
        }
        Layout::strided(dtype, shape, Strides::new(&strides))
    }
}

/// The layout of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// C order.
    C,
    /// The engine's choice.
    EngineChoice,
}

/// An expression and the layouts of its operands.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The group, such as `batch norm`.
    pub family: &'static str,
    /// The name within the group, such as `HW 49`.
    pub name: String,
    /// An expression over the operands `x`, `y`, `z`.
    pub expression: &'static str,
    /// The operator of the contiguous operation.
    pub base_operator: &'static str,
    /// The operands.
    pub operands: Vec<OperandSpec>,
    /// The output.
    pub output: Output,
    /// The largest allowed factor.
    pub bar: Bar,
    /// The dtypes; empty for all.
    pub dtypes: Vec<DType>,
    /// Whether each run binds the program again, for operands of a few elements.
    pub replans: bool,
}

/// Names of operands.
const NAMES: [&str; 3] = ["x", "y", "z"];

impl Pattern {
    /// A pattern for all dtypes with an output in C order. The contiguous operation uses the operator of the
    /// expression.
    pub fn new(
        family: &'static str,
        name: impl Into<String>,
        expression: &'static str,
        operands: impl Into<Vec<OperandSpec>>,
        bar: Bar,
    ) -> Pattern {
        let base_operator = expression.split(' ').nth(1).unwrap_or("+");
        let (name, operands, output) = (name.into(), operands.into(), Output::C);
        Pattern { family, name, expression, base_operator, operands, output, bar, dtypes: vec![], replans: false }
    }

    /// Sets the operator of the contiguous operation.
    pub fn base_operator(mut self, operator: &'static str) -> Pattern {
        self.base_operator = operator;
        self
    }

    /// Restricts the pattern to these dtypes.
    pub fn only(mut self, dtypes: &[DType]) -> Pattern {
        self.dtypes = dtypes.to_vec();
        self
    }

    /// Lets the engine choose the layout of the output.
    pub fn engine_output(mut self) -> Pattern {
        self.output = Output::EngineChoice;
        self
    }

    /// Binds the program in each run.
    pub fn replanning(mut self) -> Pattern {
        self.replans = true;
        self
    }

    /// `family name`, which `--pattern` selects by.
    pub fn title(&self) -> String {
        format!("{} {}", self.family, self.name).trim_end().to_string()
    }

    /// The program over operands of a dtype.
    ///
    /// # Errors
    /// If an operator does not take the dtype.
    pub fn program(&self, dtype: DType) -> Result<Program, Error> {
        let dtypes = self.operands.iter().map(|o| o.dtype.unwrap_or(dtype));
        Program::parse(self.expression, &NAMES.into_iter().zip(dtypes).collect::<Vec<_>>())
    }

    /// The layouts for the largest `N` with a traffic of at most `bytes` bytes, and at least 1.
    ///
    /// # Errors
    /// Errors of type inference and broadcasting.
    pub fn fit(&self, dtype: DType, bytes: usize) -> Result<Fitted, Error> {
        let side = (bytes as f64 / (3 * dtype.size()) as f64).sqrt() as usize / 32 * 32;
        let program = self.program(dtype)?;
        let at = |n: usize| self.at(&program, dtype, n, side.max(32));
        let (one, two) = (at(1)?.traffic.total(), at(2)?.traffic.total());
        let n = if two > one { 1 + (bytes as u64).saturating_sub(one) / (two - one) } else { 1 };
        at(n as usize)
    }

    fn at(&self, program: &Program, dtype: DType, n: usize, side: usize) -> Result<Fitted, Error> {
        let inputs = self.operands.iter().map(|o| o.layout(dtype, n, side)).collect::<Result<Vec<_>, _>>()?;
        let shape = broadcast_shapes(&Broadcast::Numpy, &inputs.iter().map(Layout::shape).collect::<Vec<_>>())?;
        let output = Layout::contiguous(program.value(program.outputs()[0]).dtype, shape)?;
        let traffic = Traffic {
            reads: inputs.iter().map(bytes_moved).sum(),
            writes: bytes_moved(&output),
            read_size: dtype.size(),
            write_size: output.dtype().size(),
        };
        Ok(Fitted { program: program.clone(), inputs, output, traffic })
    }
}

/// A pattern with layouts.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The program.
    pub program: Program,
    /// The layouts of the inputs.
    pub inputs: Vec<Layout>,
    /// The output in C order.
    pub output: Layout,
    /// The bytes that it reads and writes.
    pub traffic: Traffic,
}

/// The memory that the pattern and its contiguous operation need.
#[derive(Clone, PartialEq, Debug)]
pub struct Buffers {
    /// The inputs whose memory the contiguous operation reads, the longer one first.
    pub baseline_inputs: [usize; 2],
    /// Dtype and bytes of each input.
    pub inputs: Vec<(DType, usize)>,
}

impl Fitted {
    /// The memory for both operations. The contiguous one reads the two longest operands of the dtype that the operator
    /// computes with (so not a mask), extended if it reads more.
    ///
    /// # Errors
    /// As [`Layout::span`].
    pub fn buffers(&self) -> Result<Buffers, Error> {
        let place = |layout: &Layout| Ok((layout.dtype(), size_of_layout(layout)?));
        let mut inputs = self.inputs.iter().map(place).collect::<Result<Vec<_>, Error>>()?;
        let computed = inputs.last().map_or(DType::F32, |last| last.0);
        let mut longest: Vec<usize> = (0..inputs.len()).filter(|&k| inputs[k].0 == computed).collect();
        longest.sort_by_key(|&k| core::cmp::Reverse(inputs[k].1));
        let baseline_inputs = [longest[0], longest.get(1).copied().unwrap_or(longest[0])];
        for (operand, k) in baseline_inputs.into_iter().enumerate() {
            inputs[k].1 = inputs[k].1.max(self.traffic.input_bytes(operand));
        }
        Ok(Buffers { baseline_inputs, inputs })
    }

    /// The shapes of the inputs, such as `[13107, 5] [5]`, with a `*` for each that is not in C order.
    pub fn shapes(&self) -> String {
        let mark = |l: &Layout| if l.is_contiguous() { "" } else { "*" };
        let texts: Vec<String> = self.inputs.iter().map(|l| format!("{}{}", l.shape(), mark(l))).collect();
        texts.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_follow_order_step_and_flip() {
        let strides = |s: OperandSpec| s.layout(DType::F32, 6, 4).unwrap().strides().values().to_vec();
        assert_eq!(strides(dense(&[N, 3])), [12, 4]);
        assert_eq!(strides(dense(&[2, 5, 7, 3]).order(&[0, 2, 3, 1])), [420, 4, 60, 20]);
        assert_eq!(strides(dense(&[S, S]).order(&[1, 0])), [4, 16]);
        assert_eq!(strides(dense(&[N, 8]).step(1, 2)), [64, 8]);
        assert_eq!(strides(dense(&[N, 8]).flip(0).flip(1)), [-32, -4]);
    }

    #[test]
    fn fitted_patterns_use_at_most_the_bytes() {
        let pixels = Pattern::new("pixels", "", "x + y", [dense(&[N, 3]), dense(&[3])], Bar::None);
        let fitted = pixels.fit(DType::F32, 1 << 20).unwrap();
        let total = fitted.traffic.total() as usize;
        assert!(total <= 1 << 20 && total > (1 << 20) - 24, "{total}");
        let squares = Pattern::new("t", "", "x + y", [dense(&[S, S]).order(&[1, 0]), dense(&[S, S])], Bar::None);
        assert_eq!(squares.fit(DType::F32, 1 << 20).unwrap().shapes(), "[288, 288]* [288, 288]");
    }

    #[test]
    fn buffers_are_large_enough_for_the_contiguous_operation() {
        let buffers = |pattern: Pattern, dtype| pattern.fit(dtype, 1 << 20).unwrap().buffers().unwrap();
        // The contiguous operation reads all of the second operand, and an equal part of the first.
        let stretch = Pattern::new("", "", "x + y", [dense(&[N, 1]), dense(&[N, 4])], Bar::None);
        let stretched = buffers(stretch, DType::F32);
        assert_eq!(stretched.baseline_inputs, [1, 0]);
        assert_eq!(stretched.inputs[1].1, 4 * stretched.inputs[0].1);
        // A mask has another dtype, so the scalar is the second input.
        let operands = [dense(&[1, 64]).dtype(DType::Bool), dense(&[N, 64]), dense(&[])];
        let masked = buffers(Pattern::new("", "", "where(x, y, z)", operands, Bar::None), DType::F16);
        assert_eq!(masked.baseline_inputs, [1, 2]);
        assert_eq!((masked.inputs[0], masked.inputs[2]), ((DType::Bool, 64), (DType::F16, 2)));
    }
}
