//! Random programs of up to six steps: shared values, casts, selections, constants, several dtypes and modes; without math
//! functions, whose last bit is not the oracle's, or with them.

use eltwise::{Accuracy, Broadcast, Constant, DType, Op, Program, ProgramBuilder, Shape, Signature};
use eltwise_plan::ValueId;
use proptest::prelude::*;

use crate::arrangement::{Arrangement, MOST_AXES, arrangement};
use crate::cells::Cell;
use crate::shapes::any_shape;
use crate::values::Values;

/// The most steps of a program.
pub const MOST_STEPS: usize = 6;

/// The most elements of a value; only a broadcast of two large ones can have more.
const MOST_ELEMENTS: usize = 500_000;

/// A program, and how its operands lie.
#[derive(Clone, Debug)]
pub struct Made {
    /// The program.
    pub program: Program,
    /// The shape of its outputs.
    pub shape: Shape,
    /// Dtype, shape and arrangement of each input.
    pub inputs: Vec<(DType, Shape, Arrangement)>,
    /// The arrangement of each output.
    pub outputs: Vec<Arrangement>,
}

/// What a program is made of: numbers that are read as choices.
#[derive(Clone, Debug)]
struct Recipe {
    shape: Shape,
    inputs: Vec<(u8, u8, u16, Arrangement)>,
    steps: Vec<[u16; 6]>,
    second: Option<u8>,
    outputs: [Arrangement; 2],
    math: bool,
}

/// Random programs over shapes of at most 20,000 elements.
pub fn program() -> impl Strategy<Value = Made> {
    made_of(shapes(), false)
}

/// As [`program`], with math functions, some of them correctly rounded: most programs have one.
pub fn program_with_math() -> impl Strategy<Value = Made> {
    made_of(shapes(), true)
}

/// Random programs whose largest operand has one of these shapes.
pub fn program_over(shape: impl Strategy<Value = Shape>) -> impl Strategy<Value = Made> {
    made_of(shape, false)
}

/// Shapes of at most 20,000 elements.
fn shapes() -> impl Strategy<Value = Shape> {
    prop_oneof![
        4 => any_shape(),
        2 => (2..2_500usize, 1..8usize).prop_map(|(rows, columns)| Shape::from([rows, columns])),
        1 => (2..60usize, 1..6usize, 2..60usize).prop_map(|(a, b, c)| Shape::from([a, b, c])),
    ]
}

fn made_of(shape: impl Strategy<Value = Shape>, math: bool) -> impl Strategy<Value = Made> {
    let drop = prop_oneof![3 => Just(0u8), 2 => 1..4u8, 1 => 200..=255u8];
    let ones = prop_oneof![3 => Just(0u16), 2 => any::<u16>()];
    let inputs = prop::collection::vec((any::<u8>(), drop, ones, arrangement()), 1..=4);
    let steps = prop::collection::vec(any::<[u16; 6]>(), 1..=MOST_STEPS);
    (shape, inputs, steps, any::<Option<u8>>(), [arrangement(), arrangement()]).prop_map(
        move |(shape, inputs, steps, second, outputs)| {
            let recipe = Recipe { shape, inputs, steps, second, outputs, math };
            Maker::default().make(&recipe)
        },
    )
}

/// A program over inputs of these shapes, whose result at an element depends on the operands' elements there only: all
/// operands broadcast by NumPy's rule. `picks` choose the dtypes.
pub fn elementwise(shapes: &[Shape], picks: [u8; 4], steps: &[[u16; 6]], second: Option<u8>, math: bool) -> Made {
    let mut maker = Maker { math, aligned: true, ..Maker::default() };
    let family = &picks[..shapes.len()];
    for (shape, &pick) in shapes.iter().zip(family) {
        maker.input(maker.dtype_of(pick, family), shape.clone(), Arrangement::dense());
    }
    maker.finish(&Shape::scalar(), steps, second, &[])
}

#[derive(Default)]
struct Maker {
    builder: ProgramBuilder,
    /// Every value so far with its shape; those of the inputs come first.
    values: Vec<(ValueId, Shape)>,
    inputs: Vec<(DType, Shape, Arrangement)>,
    steps: usize,
    /// Whether math functions may be among the steps.
    math: bool,
    /// Whether operands broadcast by NumPy's rule only, and none to a shape of its own.
    aligned: bool,
}

impl Maker {
    fn make(mut self, recipe: &Recipe) -> Made {
        self.math = recipe.math;
        let picks: Vec<u8> = recipe.inputs.iter().map(|input| input.0).collect();
        for (i, (pick, drop, ones, arrangement)) in recipe.inputs.iter().enumerate() {
            let shape = if i == 0 { recipe.shape.clone() } else { lesser(&recipe.shape, *drop, *ones) };
            self.input(self.dtype_of(*pick, &picks), shape, arrangement.clone());
        }
        self.finish(&recipe.shape, &recipe.steps, recipe.second, &recipe.outputs)
    }

    /// The dtype of the input with this pick, one of a family of few dtypes, so that values meet; of programs with math half of
    /// them are floats, which it takes.
    fn dtype_of(&self, pick: u8, picks: &[u8]) -> DType {
        let floats = [DType::F32, DType::F16, DType::F64, DType::BF16];
        let member = picks[usize::from(pick / 13) % picks.len()];
        match member % 2 {
            1 if self.math => floats[usize::from(member / 2) % 4],
            _ => DType::VALUES[usize::from(member) % 13],
        }
    }

    fn input(&mut self, dtype: DType, shape: Shape, arrangement: Arrangement) {
        let id = self.builder.input(["a", "b", "c", "d"][self.inputs.len()], dtype);
        self.values.push((id, shape.clone()));
        self.inputs.push((dtype, shape, arrangement));
    }

    /// The program of these steps; `common` is the shape that modes broadcast to.
    fn finish(mut self, common: &Shape, steps: &[[u16; 6]], second: Option<u8>, outputs: &[Arrangement]) -> Made {
        for numbers in steps {
            if self.steps < MOST_STEPS {
                self.step(common, numbers);
            }
        }
        let (last, shape) = self.values.last().expect("there is an input").clone();
        self.builder.output(last);
        if let Some(second) = second {
            let others = self.values[self.inputs.len()..].iter().filter(|v| v.1 == shape);
            let others: Vec<&(ValueId, Shape)> = others.collect();
            if !others.is_empty() {
                self.builder.output(others[usize::from(second) % others.len()].0);
            }
        }
        let program = Program::from(self.builder.finish().expect("it has an output"));
        Made { program, shape, inputs: self.inputs, outputs: outputs.to_vec() }
    }

    fn dtype(&self, at: usize) -> DType {
        self.builder.dtype(self.values[at].0).expect("a value of this program")
    }

    /// Adds one step, and perhaps a cast before it.
    fn step(&mut self, common: &Shape, &[which, op, first, more, mode, target]: &[u16; 6]) {
        // The last value more often than others, so that programs get deep.
        let n = self.values.len();
        let a = if which % 3 == 0 { usize::from(which / 3) % n } else { n - 1 };
        let dtype = self.dtype(a);
        let third = target;
        let target = DType::VALUES[usize::from(target) % 13];
        let second = |op: Op| {
            let all = op.signature().second_dtypes();
            match op.signature() {
                Signature::Convert => Some(target),
                _ => all.get(usize::from(mode >> 4) % all.len().max(1)).copied(),
            }
        };
        let built = |op: &Op| {
            // A math function's last bit is not the oracle's: the steps behind it would have other operands.
            let known = (a < self.inputs.len() || !reads_sign(*op)) && (self.math || !op.info().is_math(dtype));
            let known = known && !(self.aligned && *op == Op::BroadcastTo);
            // The first operand of `dequantize_linear` is of U; the others' is T.
            let t = if op.signature().is_t(0) { dtype } else { DType::F32 };
            let fits = match op.signature() {
                Signature::Dequantize => op.signature().second_dtypes().contains(&dtype),
                _ => op.info().takes(dtype),
            };
            let target = if op.signature() == Signature::Dequantize { Some(dtype) } else { second(*op) };
            fits && known && Cell { op: *op, dtype: t, target }.is_built()
        };
        let ops = Op::ALL.iter().cycle().skip(usize::from(op) % Op::ALL.len()).take(Op::ALL.len());
        let prefers_math = self.math && dtype.is_float() && which & 0x100 != 0;
        // Most correctly rounded functions are steps of f64; those with a kernel of their own come as often as the others.
        let rounds = self.math && dtype.is_float() && dtype != DType::F64 && which >> 14 == 0;
        let wanted = |op: &Op| match (rounds && which & 0x200 != 0, prefers_math) {
            (true, _) => op.has_exact_kernel(DType::F32),
            (_, true) => op.info().is_math(dtype),
            _ => true,
        };
        let op = ops.copied().find(|op| wanted(op) && built(op)).unwrap_or(Op::Copy);
        let mut args = vec![self.values[a].clone()];
        match op.signature() {
            Signature::Same2 | Signature::Test2 => args.push(self.operand(dtype, first)),
            Signature::Fold => {
                args.extend((0..=(mode >> 3) % 3).map(|i| self.operand(dtype, first.rotate_left(i.into()))));
            }
            Signature::Scale => args.push(self.operand(second(op).unwrap_or(DType::I32), first)),
            Signature::Quantize => {
                args.push(self.operand(dtype, first));
                args.push(self.operand(second(op).unwrap_or(DType::I32), third));
            }
            Signature::Dequantize => args.extend([self.operand(DType::F32, first), self.operand(dtype, mode)]),
            Signature::Same3 => args.extend([self.operand(dtype, first), self.operand(dtype, more)]),
            // `where` has its condition first.
            Signature::Select => {
                let condition = self.operand(DType::Bool, more);
                args = vec![condition, args[0].clone(), self.operand(dtype, first)];
            }
            _ => {}
        }
        if reads_sign(op) {
            // The sign of a computed NaN is nothing to compare.
            let inputs = &self.values[..self.inputs.len()];
            let given = |arg: &(ValueId, Shape)| inputs.iter().any(|input| input.0 == arg.0);
            let first = args[0].clone();
            args.iter_mut().filter(|arg| !given(arg)).for_each(|arg| *arg = first.clone());
        }
        let target = (op.signature() == Signature::Convert).then_some(target);
        let wanted = match (op, args.len(), mode % 8) {
            _ if self.aligned => Broadcast::Numpy,
            (Op::BroadcastTo, ..) => Broadcast::Bidirectional { target: lesser(common, (mode >> 8) as u8 % 3, mode) },
            (_, _, 0) => Broadcast::None,
            (_, 2, 1 | 2) => Broadcast::Unidirectional,
            (_, 2, 3..=5) => Broadcast::Pdpd { axis: i64::from(mode >> 3) % (args[0].1.rank() as i64 + 2) - 1 },
            _ => Broadcast::Numpy,
        };
        let fits = |mode: &Broadcast, args: &[(ValueId, Shape)]| {
            let shapes: Vec<&Shape> = args.iter().map(|a| &a.1).collect();
            mode.align(&shapes).ok().map(|a| a.shape).filter(|s| s.elements().is_ok_and(|n| n <= MOST_ELEMENTS))
        };
        let found = fits(&wanted, &args).map(|shape| (wanted, shape));
        let found = found.or_else(|| fits(&Broadcast::Numpy, &args).map(|shape| (Broadcast::Numpy, shape)));
        let Some((mode, shape)) =
            found.filter(|(mode, _)| op != Op::BroadcastTo || matches!(mode, Broadcast::Bidirectional { .. }))
        else {
            return;
        };
        let ids: Vec<ValueId> = args.iter().map(|a| a.0).collect();
        self.builder.set_accuracy(if rounds && op.info().is_math(dtype) { Accuracy::Exact } else { Accuracy::Fast });
        let id = self.builder.step(op, &ids, target, mode).expect("a well typed step");
        self.steps += 1;
        self.values.push((id, shape));
    }

    /// A value of a dtype: an earlier one, one that is cast, or a constant.
    fn operand(&mut self, dtype: DType, choice: u16) -> (ValueId, Shape) {
        let rest = usize::from(choice / 8);
        let alike: Vec<usize> = (0..self.values.len()).filter(|&v| self.dtype(v) == dtype).collect();
        if choice % 8 < 5 && !alike.is_empty() {
            return self.values[alike[rest % alike.len()]].clone();
        }
        let (id, shape) = self.values[rest % self.values.len()].clone();
        let cast =
            Cell { op: Op::Cast, dtype: self.builder.dtype(id).expect("a value of this program"), target: Some(dtype) };
        if choice % 8 < 7 && self.steps + 1 < MOST_STEPS && Op::Cast.info().takes(dtype) && cast.is_built() {
            let id = self.builder.step(Op::Cast, &[id], Some(dtype), Broadcast::Numpy).expect("every pair casts");
            self.steps += 1;
            self.values.push((id, shape.clone()));
            return (id, shape);
        }
        let bits = Values::new(dtype, u64::from(choice)).bits();
        (self.builder.constant(Constant { dtype, bits }), Shape::scalar())
    }
}

/// Whether the result depends on the sign of a NaN.
fn reads_sign(op: Op) -> bool {
    matches!(op, Op::SignBit | Op::Copysign | Op::Bitcast)
}

/// A shape that broadcasts to `shape`: without some of its first axes (or, from 200 on, of its last axes: for PDPD), and
/// with ones.
fn lesser(shape: &Shape, drop: u8, ones: u16) -> Shape {
    let rank = shape.rank();
    let axes = match usize::from(drop) {
        drop @ 0..200 => drop.min(rank)..rank,
        drop => 0..rank - (drop - 200).min(rank),
    };
    axes.map(|a| if ones >> (a % MOST_AXES) & 1 == 1 { 1 } else { shape[a] }).collect()
}
