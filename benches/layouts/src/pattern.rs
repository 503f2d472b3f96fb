//! Patterns: an expression over operands whose layouts are known but for one size.

use eltwise::{Broadcast, DType, Error, Layout, Program, Shape, Strides, broadcast_shapes};

use crate::bar::Bar;
use crate::memory::size_of_layout;
use crate::traffic::{Traffic, moved};

/// An axis that is as long as the bytes of the size allow.
pub const N: usize = usize::MAX;
/// The side of a square that is as large as the bytes of the size allow, a multiple of 32.
pub const S: usize = usize::MAX - 1;

/// How an operand lies in memory.
#[derive(Clone, Debug)]
pub struct Spec {
    dims: Vec<usize>,
    /// The axes in the order of memory, outermost first.
    order: Vec<usize>,
    /// For each axis how many elements of memory a step is, before the sign.
    steps: Vec<usize>,
    flips: Vec<usize>,
    dtype: Option<DType>,
}

/// A dense operand in C order; its axes may be [`N`] or [`S`].
pub fn dense(dims: &[usize]) -> Spec {
    let rank = dims.len();
    Spec { dims: dims.to_vec(), order: (0..rank).collect(), steps: vec![1; rank], flips: vec![], dtype: None }
}

impl Spec {
    /// The same shape with the axes of memory in this order, outermost first.
    pub fn order(mut self, axes: &[usize]) -> Spec {
        self.order = axes.to_vec();
        self
    }

    /// Every `step`-th element along an axis of a larger dense operand.
    pub fn step(mut self, axis: usize, step: usize) -> Spec {
        self.steps[axis] = step;
        self
    }

    /// Backwards along an axis.
    pub fn flip(mut self, axis: usize) -> Spec {
        self.flips.push(axis);
        self
    }

    /// Of this dtype, whatever that of the pattern.
    pub fn dtype(mut self, dtype: DType) -> Spec {
        self.dtype = Some(dtype);
        self
    }

    /// The layout for lengths of [`N`] and [`S`].
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

/// Whose layout the output has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// C order, given.
    C,
    /// The engine's choice.
    Chosen,
}

/// One pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The group: `batch norm`.
    pub family: &'static str,
    /// Which of the group: `HW 49`.
    pub name: String,
    /// Over `x`, `y`, `z`, in the order of the operands.
    pub expression: &'static str,
    /// The operator between two operands of the contiguous operation.
    pub base: &'static str,
    /// The operands.
    pub operands: Vec<Spec>,
    /// The output.
    pub output: Output,
    /// How slow it may be.
    pub bar: Bar,
    /// The dtypes it is for; empty: all.
    pub dtypes: Vec<DType>,
    /// Whether a run plans anew: the sizes that fill no cache.
    pub plans: bool,
}

/// Names of operands.
const NAMES: [&str; 3] = ["x", "y", "z"];

impl Pattern {
    /// A pattern with the output in C order, for all dtypes; the contiguous operation has the expression's operator.
    pub fn new(
        family: &'static str,
        name: impl Into<String>,
        expression: &'static str,
        operands: impl Into<Vec<Spec>>,
        bar: Bar,
    ) -> Pattern {
        let base = expression.split(' ').nth(1).unwrap_or("+");
        let (name, operands, output) = (name.into(), operands.into(), Output::C);
        Pattern { family, name, expression, base, operands, output, bar, dtypes: vec![], plans: false }
    }

    /// With another operator in the contiguous operation.
    pub fn base(mut self, operator: &'static str) -> Pattern {
        self.base = operator;
        self
    }

    /// For these dtypes only.
    pub fn only(mut self, dtypes: &[DType]) -> Pattern {
        self.dtypes = dtypes.to_vec();
        self
    }

    /// With an output of the engine's choice.
    pub fn chosen(mut self) -> Pattern {
        self.output = Output::Chosen;
        self
    }

    /// As a call that plans.
    pub fn planning(mut self) -> Pattern {
        self.plans = true;
        self
    }

    /// `family name`, by which it is found.
    pub fn title(&self) -> String {
        format!("{} {}", self.family, self.name).trim_end().to_string()
    }

    /// The program over operands of a dtype.
    ///
    /// # Errors
    /// When the dtype is not one of the operator's.
    pub fn program(&self, dtype: DType) -> Result<Program, Error> {
        let dtypes = self.operands.iter().map(|o| o.dtype.unwrap_or(dtype));
        Program::parse(self.expression, &NAMES.into_iter().zip(dtypes).collect::<Vec<_>>())
    }

    /// The layouts that move about `bytes` bytes: the longest `N` that stays below, at least 1.
    ///
    /// # Errors
    /// Those of typing and broadcasting.
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
            reads: inputs.iter().map(moved).sum(),
            writes: moved(&output),
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
    /// What it moves.
    pub traffic: Traffic,
}

/// What both operations, the pattern and the contiguous one, need of memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Places {
    /// The inputs of the pattern over whose memory the contiguous operation goes, the longer one first.
    pub streamed: [usize; 2],
    /// Dtype and bytes of each input.
    pub inputs: Vec<(DType, usize)>,
}

impl Fitted {
    /// The memory for both operations. The contiguous one streams the two longest operands of the dtype that is computed
    /// with (a mask's is another), which are lengthened where it reads more.
    ///
    /// # Errors
    /// As [`Layout::span`].
    pub fn places(&self) -> Result<Places, Error> {
        let place = |layout: &Layout| Ok((layout.dtype(), size_of_layout(layout)?));
        let mut inputs = self.inputs.iter().map(place).collect::<Result<Vec<_>, Error>>()?;
        let computed = inputs.last().map_or(DType::F32, |last| last.0);
        let mut longest: Vec<usize> = (0..inputs.len()).filter(|&k| inputs[k].0 == computed).collect();
        longest.sort_by_key(|&k| core::cmp::Reverse(inputs[k].1));
        let streamed = [longest[0], longest.get(1).copied().unwrap_or(longest[0])];
        for (operand, k) in streamed.into_iter().enumerate() {
            inputs[k].1 = inputs[k].1.max(self.traffic.streamed(operand));
        }
        Ok(Places { streamed, inputs })
    }

    /// `[13107, 5] [5]`, with a letter for what is not in C order.
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
        let strides = |s: Spec| s.layout(DType::F32, 6, 4).unwrap().strides().values().to_vec();
        assert_eq!(strides(dense(&[N, 3])), [12, 4]);
        assert_eq!(strides(dense(&[2, 5, 7, 3]).order(&[0, 2, 3, 1])), [420, 4, 60, 20]);
        assert_eq!(strides(dense(&[S, S]).order(&[1, 0])), [4, 16]);
        assert_eq!(strides(dense(&[N, 8]).step(1, 2)), [64, 8]);
        assert_eq!(strides(dense(&[N, 8]).flip(0).flip(1)), [-32, -4]);
    }

    #[test]
    fn patterns_fill_the_bytes_and_no_more() {
        let pixels = Pattern::new("pixels", "", "x + y", [dense(&[N, 3]), dense(&[3])], Bar::None);
        let fitted = pixels.fit(DType::F32, 1 << 20).unwrap();
        let total = fitted.traffic.total() as usize;
        assert!(total <= 1 << 20 && total > (1 << 20) - 24, "{total}");
        let squares = Pattern::new("t", "", "x + y", [dense(&[S, S]).order(&[1, 0]), dense(&[S, S])], Bar::None);
        assert_eq!(squares.fit(DType::F32, 1 << 20).unwrap().shapes(), "[288, 288]* [288, 288]");
    }

    #[test]
    fn places_serve_the_contiguous_operation() {
        let places = |pattern: Pattern, dtype| pattern.fit(dtype, 1 << 20).unwrap().places().unwrap();
        // Stretched: all of the second operand, and as much of the first, is streamed where it lies.
        let stretch = Pattern::new("", "", "x + y", [dense(&[N, 1]), dense(&[N, 4])], Bar::None);
        let stretched = places(stretch, DType::F32);
        assert_eq!(stretched.streamed, [1, 0]);
        assert_eq!(stretched.inputs[1].1, 4 * stretched.inputs[0].1);
        // A mask is of another dtype: the value that stands beside it is the second.
        let operands = [dense(&[1, 64]).dtype(DType::Bool), dense(&[N, 64]), dense(&[])];
        let masked = places(Pattern::new("", "", "where(x, y, z)", operands, Bar::None), DType::F16);
        assert_eq!(masked.streamed, [1, 2]);
        assert_eq!((masked.inputs[0], masked.inputs[2]), ((DType::Bool, 64), (DType::F16, 2)));
    }
}
