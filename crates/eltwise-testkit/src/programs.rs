//! Random programs of up to six steps: [`program`] and its variants. They share values and mix casts, selections,
//! constants, dtypes and broadcast modes.
//!
//! Programs without math functions must equal the reference bit by bit. The last bit of a math function may differ from
//! it, so programs with math functions are compared in other ways.

use eltwise::{Accuracy, Broadcast, Constant, DType, Op, Program, ProgramBuilder, Shape, Signature};
use eltwise_plan::ValueId;
use proptest::prelude::*;

use crate::arrangement::{Arrangement, MAX_AXES, arrangement};
use crate::shapes::any_shape;
use crate::typed_ops::TypedOp;
use crate::values::Values;

/// The largest number of steps of a program.
pub const MAX_STEPS: usize = 6;

/// The largest number of elements of a value. Broadcasts with more are left out.
const MAX_ELEMENTS: usize = 500_000;

/// A program, and the shapes and memory layouts of its operands.
#[derive(Clone, Debug)]
pub struct ProgramCase {
    /// The program.
    pub program: Program,
    /// The shape of its outputs.
    pub shape: Shape,
    /// Dtype, shape and arrangement of each input.
    pub inputs: Vec<(DType, Shape, Arrangement)>,
    /// The arrangement of each output.
    pub outputs: Vec<Arrangement>,
}

/// The numbers from which a program is built.
#[derive(Clone, Debug)]
struct Recipe {
    /// The shape of the first input.
    shape: Shape,
    inputs: Vec<InputRecipe>,
    /// The numbers of each step: see [`StepChoices`].
    steps: Vec<[u16; 6]>,
    /// Chooses a second output, if any.
    second_output: Option<u8>,
    outputs: [Arrangement; 2],
    math: bool,
}

/// The numbers from which an input is built.
#[derive(Clone, Debug)]
struct InputRecipe {
    dtype: u8,
    /// The leading axes that are missing, or from 200 on the trailing ones: see [`reduced`].
    drop: u8,
    /// Bit `i` is set if axis `i` has size 1.
    ones: u16,
    arrangement: Arrangement,
}

/// The numbers from which a step is built.
#[derive(Clone, Copy, Debug)]
struct StepChoices {
    /// Chooses the first operand of dtype T, and whether the operator is a math function.
    first: u16,
    op: u16,
    /// Chooses the second operand of dtype T.
    second: u16,
    /// Chooses the third operand, or the condition of `where`.
    third: u16,
    /// Chooses the broadcast mode and the dtype U of the operator.
    mode: u16,
    /// Chooses the target of a conversion.
    target: u16,
}

impl From<[u16; 6]> for StepChoices {
    fn from([first, op, second, third, mode, target]: [u16; 6]) -> StepChoices {
        StepChoices { first, op, second, third, mode, target }
    }
}

impl StepChoices {
    /// The target of a conversion.
    fn target(self) -> DType {
        DType::VALUES[usize::from(self.target) % 13]
    }

    /// The target of a conversion, or the dtype U of another operator that has one.
    fn second_dtype(self, op: Op) -> Option<DType> {
        let dtypes = op.signature().second_dtypes();
        match op.signature() {
            Signature::Convert => Some(self.target()),
            _ => dtypes.get(usize::from(self.mode >> 4) % dtypes.len().max(1)).copied(),
        }
    }
}

/// Random programs over shapes of at most 20,000 elements.
pub fn program() -> impl Strategy<Value = ProgramCase> {
    programs_over(shapes(), false)
}

/// Like [`program`], with math functions, some of them correctly rounded. Most programs have one.
pub fn program_with_math() -> impl Strategy<Value = ProgramCase> {
    programs_over(shapes(), true)
}

/// Random programs whose largest operand has one of these shapes.
pub fn program_over(shape: impl Strategy<Value = Shape>) -> impl Strategy<Value = ProgramCase> {
    programs_over(shape, false)
}

/// Shapes of at most 20,000 elements.
fn shapes() -> impl Strategy<Value = Shape> {
    prop_oneof![
        4 => any_shape(),
        2 => (2..2_500usize, 1..8usize).prop_map(|(rows, columns)| Shape::from([rows, columns])),
        1 => (2..60usize, 1..6usize, 2..60usize).prop_map(|(a, b, c)| Shape::from([a, b, c])),
    ]
}

fn programs_over(shape: impl Strategy<Value = Shape>, math: bool) -> impl Strategy<Value = ProgramCase> {
    let drop = prop_oneof![3 => Just(0u8), 2 => 1..4u8, 1 => 200..=255u8];
    let ones = prop_oneof![3 => Just(0u16), 2 => any::<u16>()];
    let input = (any::<u8>(), drop, ones, arrangement()).prop_map(|(dtype, drop, ones, arrangement)| InputRecipe {
        dtype,
        drop,
        ones,
        arrangement,
    });
    let inputs = prop::collection::vec(input, 1..=4);
    let steps = prop::collection::vec(any::<[u16; 6]>(), 1..=MAX_STEPS);
    (shape, inputs, steps, any::<Option<u8>>(), [arrangement(), arrangement()]).prop_map(
        move |(shape, inputs, steps, second_output, outputs)| {
            let recipe = Recipe { shape, inputs, steps, second_output, outputs, math };
            CaseBuilder::default().build(&recipe)
        },
    )
}

/// A program over inputs of these shapes in which all operands broadcast by NumPy's rule. An element of the result then
/// depends only on the elements of the operands at the same index.
pub fn elementwise(shapes: &[Shape], choices: &ElementwiseChoices) -> ProgramCase {
    let ElementwiseChoices { dtypes, steps, second_output, math } = choices;
    let mut builder = CaseBuilder { math: *math, aligned: true, ..CaseBuilder::default() };
    let dtypes = &dtypes[..shapes.len()];
    for (shape, &number) in shapes.iter().zip(dtypes) {
        builder.input(builder.choose_dtype(number, dtypes), shape.clone(), Arrangement::dense());
    }
    builder.finish(&Shape::scalar(), steps, *second_output, &[])
}

/// Random numbers that choose a program of [`elementwise`].
#[derive(Clone, Debug)]
pub struct ElementwiseChoices {
    /// Choose the dtypes of the inputs.
    pub dtypes: [u8; 4],
    /// Each chooses a step: its operator and operands.
    pub steps: Vec<[u16; 6]>,
    /// Chooses a second output.
    pub second_output: Option<u8>,
    /// Whether math functions may be among the steps.
    pub math: bool,
}

/// Builds a [`ProgramCase`].
#[derive(Default)]
struct CaseBuilder {
    builder: ProgramBuilder,
    /// Every value so far with its shape, the inputs first.
    values: Vec<(ValueId, Shape)>,
    inputs: Vec<(DType, Shape, Arrangement)>,
    steps: usize,
    /// Whether math functions may be among the steps.
    math: bool,
    /// Whether operands broadcast by NumPy's rule only, and there is no `broadcast_to`.
    aligned: bool,
}

impl CaseBuilder {
    fn build(mut self, recipe: &Recipe) -> ProgramCase {
        self.math = recipe.math;
        let dtypes: Vec<u8> = recipe.inputs.iter().map(|input| input.dtype).collect();
        for (i, input) in recipe.inputs.iter().enumerate() {
            let shape = if i == 0 { recipe.shape.clone() } else { reduced(&recipe.shape, input.drop, input.ones) };
            self.input(self.choose_dtype(input.dtype, &dtypes), shape, input.arrangement.clone());
        }
        self.finish(&recipe.shape, &recipe.steps, recipe.second_output, &recipe.outputs)
    }

    /// The dtype of an input. The inputs of a program often share a dtype, so that steps can combine them. In programs
    /// with math functions, about half of the inputs are floats.
    fn choose_dtype(&self, number: u8, numbers: &[u8]) -> DType {
        let floats = [DType::F32, DType::F16, DType::F64, DType::BF16];
        let shared = numbers[usize::from(number / 13) % numbers.len()];
        match shared % 2 {
            1 if self.math => floats[usize::from(shared / 2) % 4],
            _ => DType::VALUES[usize::from(shared) % 13],
        }
    }

    fn input(&mut self, dtype: DType, shape: Shape, arrangement: Arrangement) {
        let id = self.builder.input(["a", "b", "c", "d"][self.inputs.len()], dtype);
        self.values.push((id, shape.clone()));
        self.inputs.push((dtype, shape, arrangement));
    }

    /// Adds the steps and the outputs. `common` is the shape of `broadcast_to`.
    fn finish(
        mut self,
        common: &Shape,
        steps: &[[u16; 6]],
        second_output: Option<u8>,
        outputs: &[Arrangement],
    ) -> ProgramCase {
        for &numbers in steps {
            if self.steps < MAX_STEPS {
                self.step(common, numbers);
            }
        }
        let (last, shape) = self.values.last().expect("there should be an input").clone();
        self.builder.output(last);
        if let Some(number) = second_output {
            let same_shape = self.values[self.inputs.len()..].iter().filter(|v| v.1 == shape);
            let same_shape: Vec<&(ValueId, Shape)> = same_shape.collect();
            if !same_shape.is_empty() {
                self.builder.output(same_shape[usize::from(number) % same_shape.len()].0);
            }
        }
        let program = Program::from(self.builder.finish().expect("a program with an output should be complete"));
        ProgramCase { program, shape, inputs: self.inputs, outputs: outputs.to_vec() }
    }

    fn dtype(&self, value: usize) -> DType {
        self.builder.dtype(self.values[value].0).expect("the value should be of this program")
    }

    /// Adds one step, and perhaps casts before it. `common` is the shape of `broadcast_to`.
    fn step(&mut self, common: &Shape, numbers: [u16; 6]) {
        let choices = StepChoices::from(numbers);
        // The last value is frequent as the first operand, so that programs get deep.
        let n = self.values.len();
        let first = if choices.first % 3 == 0 { usize::from(choices.first / 3) % n } else { n - 1 };
        let dtype = self.dtype(first);
        // Some math functions of the narrower dtypes are correctly rounded. Such functions of f64 are rarely built.
        let is_rounded = self.math && dtype.is_float() && dtype != DType::F64 && choices.first >> 14 == 0;
        let op = self.choose_op(first, is_rounded, choices);
        let mut args = self.choose_operands(op, first, choices);
        if reads_sign(op) {
            // The sign of a computed NaN is unspecified: take inputs only.
            let inputs = &self.values[..self.inputs.len()];
            let is_input = |arg: &(ValueId, Shape)| inputs.iter().any(|input| input.0 == arg.0);
            let first = args[0].clone();
            args.iter_mut().filter(|arg| !is_input(arg)).for_each(|arg| *arg = first.clone());
        }
        let Some((mode, shape)) = self.choose_mode(op, &args, common, choices.mode) else { return };
        let ids: Vec<ValueId> = args.iter().map(|a| a.0).collect();
        let is_rounded = is_rounded && op.info().is_math(dtype);
        self.builder.set_accuracy(if is_rounded { Accuracy::CorrectlyRounded } else { Accuracy::Fast });
        let target = (op.signature() == Signature::Convert).then(|| choices.target());
        let id = self.builder.step(op, &ids, target, mode).expect("a chosen step should be well typed");
        self.steps += 1;
        self.values.push((id, shape));
    }

    /// The first suitable operator from the chosen one on in the catalogue, or `copy`.
    fn choose_op(&self, first: usize, is_rounded: bool, choices: StepChoices) -> Op {
        let dtype = self.dtype(first);
        let is_allowed = |op: &Op| {
            // Without `math`: the last bit of a math function may differ from the reference, so later steps would have
            // other operands.
            let known = (first < self.inputs.len() || !reads_sign(*op)) && (self.math || !op.info().is_math(dtype));
            let known = known && !(self.aligned && *op == Op::BroadcastTo) && !(is_rounded && op.is_fast_only());
            // In `dequantize_linear`, the first operand has dtype U and the others dtype T.
            let t = if op.signature().is_t(0) { dtype } else { DType::F32 };
            let fits = match op.signature() {
                Signature::Dequantize => op.signature().second_dtypes().contains(&dtype),
                _ => op.info().takes(dtype),
            };
            let target = if op.signature() == Signature::Dequantize { Some(dtype) } else { choices.second_dtype(*op) };
            fits && known && TypedOp { op: *op, dtype: t, target }.is_built()
        };
        let prefers_math = self.math && dtype.is_float() && choices.first & 0x100 != 0;
        // Functions with a kernel for correct rounding are as frequent as the others.
        let is_wanted = |op: &Op| match (is_rounded && choices.first & 0x200 != 0, prefers_math) {
            (true, _) => op.has_tier_kernel(DType::F32, Accuracy::CorrectlyRounded),
            (_, true) => op.info().is_math(dtype),
            _ => true,
        };
        let ops = Op::ALL.iter().cycle().skip(usize::from(choices.op) % Op::ALL.len()).take(Op::ALL.len());
        ops.copied().find(|op| is_wanted(op) && is_allowed(op)).unwrap_or(Op::Copy)
    }

    /// The operands of `op`; value number `first` is the first of dtype T.
    fn choose_operands(&mut self, op: Op, first: usize, choices: StepChoices) -> Vec<(ValueId, Shape)> {
        let StepChoices { second, third, mode, .. } = choices;
        let dtype = self.dtype(first);
        let mut args = vec![self.values[first].clone()];
        match op.signature() {
            Signature::Binary | Signature::BinaryPredicate => args.push(self.operand(dtype, second)),
            Signature::Fold => {
                args.extend((0..=(mode >> 3) % 3).map(|i| self.operand(dtype, second.rotate_left(i.into()))));
            }
            Signature::Scale => args.push(self.operand(choices.second_dtype(op).unwrap_or(DType::I32), second)),
            Signature::Quantize => {
                args.push(self.operand(dtype, second));
                args.push(self.operand(choices.second_dtype(op).unwrap_or(DType::I32), choices.target));
            }
            Signature::Dequantize => args.extend([self.operand(DType::F32, second), self.operand(dtype, mode)]),
            Signature::ToF64 => args.push(self.operand(dtype, second)),
            Signature::Ternary => args.extend([self.operand(dtype, second), self.operand(dtype, third)]),
            Signature::Quaternary | Signature::Tolerance => {
                args.extend([second, third, mode].map(|choice| self.operand(dtype, choice)));
                if op.signature() == Signature::Tolerance {
                    args.push(self.operand(DType::Bool, choices.target));
                }
            }
            // The condition of `where` is its first operand.
            Signature::Select => {
                let condition = self.operand(DType::Bool, third);
                args = vec![condition, args[0].clone(), self.operand(dtype, second)];
            }
            _ => {}
        }
        args
    }

    /// The chosen broadcast mode if the operands fit it, otherwise NumPy's; with the shape of the result. `None` if
    /// neither fits.
    fn choose_mode(&self, op: Op, args: &[(ValueId, Shape)], common: &Shape, mode: u16) -> Option<(Broadcast, Shape)> {
        let chosen = match (op, args.len(), mode % 8) {
            _ if self.aligned => Broadcast::Numpy,
            (Op::BroadcastTo, ..) => Broadcast::Bidirectional { target: reduced(common, (mode >> 8) as u8 % 3, mode) },
            (_, _, 0) => Broadcast::None,
            (_, 2, 1 | 2) => Broadcast::Unidirectional,
            (_, 2, 3..=5) => Broadcast::Pdpd { axis: i64::from(mode >> 3) % (args[0].1.rank() as i64 + 2) - 1 },
            _ => Broadcast::Numpy,
        };
        let fits = |mode: Broadcast| {
            let shapes: Vec<&Shape> = args.iter().map(|a| &a.1).collect();
            let shape = mode.align(&shapes).ok()?.shape;
            shape.elements().is_ok_and(|n| n <= MAX_ELEMENTS).then_some((mode, shape))
        };
        let found = fits(chosen).or_else(|| fits(Broadcast::Numpy));
        found.filter(|(mode, _)| op != Op::BroadcastTo || matches!(mode, Broadcast::Bidirectional { .. }))
    }

    /// An operand of dtype `dtype`: an earlier value, a cast of one, or a constant.
    fn operand(&mut self, dtype: DType, choice: u16) -> (ValueId, Shape) {
        let rest = usize::from(choice / 8);
        let same_dtype: Vec<usize> = (0..self.values.len()).filter(|&v| self.dtype(v) == dtype).collect();
        if choice % 8 < 5 && !same_dtype.is_empty() {
            return self.values[same_dtype[rest % same_dtype.len()]].clone();
        }
        let (id, shape) = self.values[rest % self.values.len()].clone();
        let cast = TypedOp {
            op: Op::Cast,
            dtype: self.builder.dtype(id).expect("the value should be of this program"),
            target: Some(dtype),
        };
        if choice % 8 < 7 && self.steps + 1 < MAX_STEPS && Op::Cast.info().takes(dtype) && cast.is_built() {
            let id = self
                .builder
                .step(Op::Cast, &[id], Some(dtype), Broadcast::Numpy)
                .expect("every pair of dtypes should cast");
            self.steps += 1;
            self.values.push((id, shape.clone()));
            return (id, shape);
        }
        let bits = Values::new(dtype, u64::from(choice)).bits();
        (self.builder.constant(Constant { dtype, bits }), Shape::scalar())
    }
}

/// Whether the result of `op` depends on the sign of a NaN, which is unspecified unless the NaN is an input's.
pub fn reads_sign(op: Op) -> bool {
    matches!(op, Op::SignBit | Op::Copysign | Op::Bitcast)
}

/// A shape that broadcasts to `shape`. `drop` leading axes are missing, or if `drop` is at least 200, `drop - 200`
/// trailing axes (for PDPD). Axis `i` has size 1 if bit `i` of `ones` is set.
fn reduced(shape: &Shape, drop: u8, ones: u16) -> Shape {
    let rank = shape.rank();
    let axes = match usize::from(drop) {
        drop @ 0..200 => drop.min(rank)..rank,
        drop => 0..rank - (drop - 200).min(rank),
    };
    axes.map(|a| if ones >> (a % MAX_AXES) & 1 == 1 { 1 } else { shape[a] }).collect()
}
