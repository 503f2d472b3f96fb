//! Layouts by name, chains of operators, and targets: what tests of plans have in common.

use eltwise_core::{Broadcast, DType, Layout, Op, Shape, Strides};
use eltwise_plan::{Binding, CpuModel, KernelCapabilities, Program, ProgramBuilder, Schedule, Target};

/// The layout of an operand for a shape.
#[derive(Clone, Copy, Debug)]
pub enum OperandLayout {
    /// Dense, in C order.
    Dense,
    /// Dense, with the last two axes exchanged.
    Transposed,
    /// Dense, with these axes from the outermost to the innermost in memory.
    Axes(&'static [usize]),
    /// Neighbours along the innermost axis are this many elements apart.
    Gap(isize),
    /// Reversed along the innermost axis.
    Reversed,
    /// Stride 0 along the axes with a bit set. The lowest bit is the innermost axis.
    Repeated(u32),
}

use OperandLayout::{Axes, Dense, Gap, Repeated, Reversed, Transposed};

impl OperandLayout {
    /// The layout for a shape.
    pub fn layout(self, dtype: DType, dims: &[usize]) -> Layout {
        let rank = dims.len();
        let mut order: Vec<usize> = (0..rank).collect();
        match self {
            Transposed => order.swap(rank - 1, rank - 2),
            Axes(axes) => order = axes.to_vec(),
            _ => {}
        }
        let mut step = dtype.size() as isize * if let Gap(gap) = self { gap } else { 1 };
        let mut strides = vec![0; rank];
        for &axis in order.iter().rev() {
            if !matches!(self, Repeated(bits) if bits >> (rank - 1 - axis) & 1 == 1) {
                strides[axis] = step;
                step *= dims[axis] as isize;
            }
        }
        if let Reversed = self {
            strides[rank - 1] = -strides[rank - 1];
        }
        Layout::strided(dtype, Shape::new(dims), Strides::new(&strides)).unwrap()
    }
}

/// A chain of steps. Each has new inputs, and the previous value as its first operand (of `where`: its second one).
pub fn chain(ops: &[Op], dtype: DType) -> Program {
    let mut b = ProgramBuilder::new();
    let mut value = b.input("x", dtype);
    let mut names = ('a'..='z').map(String::from);
    for &op in ops {
        let mut args = vec![value];
        let is_where = op == Op::Where;
        if is_where {
            args.insert(0, b.input("condition", DType::Bool));
        }
        (args.len()..op.arity()).for_each(|_| args.push(b.input(&names.next().unwrap(), dtype)));
        value = b.step(op, &args, None, Broadcast::Numpy).unwrap();
    }
    b.output(value);
    b.finish().unwrap()
}

/// The layouts of the inputs of a chain, and of its output.
pub fn layouts(
    program: &Program,
    dims: &[usize],
    operands: &[OperandLayout],
    out: OperandLayout,
) -> (Vec<Layout>, Layout) {
    let inputs = program.inputs().iter().zip(operands).map(|(input, operand)| operand.layout(input.dtype, dims));
    (inputs.collect(), out.layout(program.value(program.outputs()[0]).dtype, dims))
}

/// The plan of a chain of steps into a dense output, without fusion of steps.
pub fn plan(ops: &[Op], dtype: DType, dims: &[usize], operands: &[OperandLayout], target: &Target) -> Schedule {
    let program = chain(ops, dtype);
    let (inputs, output) = layouts(&program, dims, operands, Dense);
    let inputs: Vec<&Layout> = inputs.iter().collect();
    Schedule::new(Binding::new(&program, &inputs, Some(&[&output]), false).unwrap(), target)
}

/// A CPU whose kernels have AVX-512 with VBMI and permute operands.
pub fn avx512(cpu: CpuModel) -> Target {
    let kernels = KernelCapabilities { vector_bytes: 64, fma: true, permutes: true, blocks: 4, smallest_permuted: 1 };
    Target { cpu, kernels, ..Target::default() }
}

/// A CPU whose kernels have AVX2 and permute operands.
pub fn avx2(cpu: CpuModel) -> Target {
    let kernels =
        KernelCapabilities { vector_bytes: 32, fma: true, permutes: true, blocks: 2, smallest_permuted: usize::MAX };
    Target { cpu, kernels, ..Target::default() }
}

/// A target with a different CPU model.
pub fn with_cpu(target: &Target, change: impl Fn(&mut CpuModel)) -> Target {
    let mut changed = *target;
    change(&mut changed.cpu);
    changed
}
