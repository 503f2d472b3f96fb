//! The text of plans (`explain`) is that of the golden file.

#[path = "common/golden.rs"]
pub mod golden;

use std::fmt::Write;

use eltwise_core::{Broadcast, Constant, DType, Layout, Op};
use eltwise_plan::bind::Layouts;
use eltwise_plan::bind::hoist::Stored;
use eltwise_plan::explain::Explain;
use eltwise_plan::{
    Binding, CpuModel, Custom, Hoist, KernelCapabilities, Program, ProgramBuilder, Schedule, StagedProgram, Target,
};

fn layout(dtype: DType, shape: &[usize]) -> Layout {
    Layout::contiguous(dtype, shape).unwrap()
}

/// The texts of plans with all their stages.
struct Texts(String);

impl Texts {
    fn plan(&mut self, program: &Program, inputs: &[Layout], output: Option<&Layout>, hoist: Hoist, target: &Target) {
        let layouts: Vec<&Layout> = inputs.iter().collect();
        let mut staging = StagedProgram::new(program, &layouts, hoist).unwrap();
        let mut schedules = Vec::new();
        for stage in 0..staging.stages() {
            let mut binding = Binding::default();
            let given = output.map(|o| [o]);
            staging
                .bind(
                    stage,
                    &mut binding,
                    program,
                    Layouts { inputs: &layouts, outputs: given.as_ref().map(|g| &g[..]), c_order: false },
                )
                .unwrap();
            binding.fuse();
            schedules.push(Schedule::new(binding, target));
        }
        let (stored, _): (Vec<Stored>, usize) = staging.places(program).unwrap();
        let schedule = schedules.pop().unwrap();
        let before: Vec<&Schedule> = schedules.iter().collect();
        let explain = Explain {
            program,
            schedule: &schedule,
            target,
            isa: "isa",
            inputs,
            width: 3,
            before: &before,
            stored: &stored,
            chains: &[],
        };
        writeln!(self.0, "{explain}\n").unwrap();
    }
}

fn steps(build: impl Fn(&mut ProgramBuilder)) -> Program {
    let mut b = ProgramBuilder::new();
    build(&mut b);
    b.finish().unwrap()
}

#[test]
fn the_texts_of_plans_are_those_of_the_golden_file() {
    let mut texts = Texts(String::new());
    let target = Target {
        cpu: CpuModel { l2: 1 << 20, ..CpuModel::default() },
        kernels: KernelCapabilities {
            vector_bytes: 64,
            blocks: 4,
            smallest_permuted: 1,
            ..KernelCapabilities::default()
        },
        ..Target::default()
    };
    let permutes = Target { kernels: KernelCapabilities { permutes: true, ..target.kernels }, ..target };
    let f = |shape: &[usize]| layout(DType::F32, shape);
    let single = |op: Op, dtypes: &[DType], target: Option<DType>, mode: Broadcast| {
        Program::single(op, dtypes, target, mode).unwrap()
    };
    let two = [DType::F32; 2];
    // Operator symbols, broadcast modes, sizes, tasks.
    for op in [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Maximum, Op::Less] {
        texts.plan(&single(op, &two, None, Broadcast::Numpy), &[f(&[1000]), f(&[1000])], None, Hoist::Gain, &target);
    }
    for (mode, shapes) in [
        (Broadcast::None, [&[4usize, 5][..], &[4, 5]]),
        (Broadcast::Unidirectional, [&[4, 5], &[5]]),
        (Broadcast::Pdpd { axis: 0 }, [&[4, 5], &[4]]),
        (Broadcast::Numpy, [&[4, 0], &[4, 1]]),
        (Broadcast::Numpy, [&[], &[]]),
        (Broadcast::Numpy, [&[1000], &[]]),
        (Broadcast::Numpy, [&[8, 64, 56, 56], &[64, 1, 1]]),
        (Broadcast::Numpy, [&[100_000, 3], &[3]]),
        (Broadcast::Numpy, [&[6000, 17], &[6000, 1]]),
        (Broadcast::Numpy, [&[3000, 1], &[1, 2000]]),
    ] {
        let program = single(Op::Add, &two, None, mode);
        texts.plan(&program, &shapes.map(f), None, Hoist::Gain, &target);
        texts.plan(&program, &shapes.map(f), None, Hoist::Gain, &permutes);
    }
    let transposed =
        |rows: usize, cols: usize| Layout::strided(DType::F32, [rows, cols], [4, 4 * rows as isize]).unwrap();
    texts.plan(
        &single(Op::Add, &two, None, Broadcast::Numpy),
        &[transposed(2048, 2048), f(&[2048, 2048])],
        None,
        Hoist::Gain,
        &target,
    );
    // One operand: casts, copies, broadcast targets, given outputs.
    texts.plan(
        &single(Op::Cast, &[DType::U8], Some(DType::F32), Broadcast::Numpy),
        &[layout(DType::U8, &[100])],
        None,
        Hoist::Gain,
        &target,
    );
    let onto = Broadcast::Bidirectional { target: [50, 300].into() };
    let gaps = Layout::strided(DType::F32, [50, 300], [2400, 8]).unwrap();
    let copy = single(Op::Copy, &[DType::F32], None, Broadcast::Numpy);
    texts.plan(&single(Op::BroadcastTo, &[DType::F32], None, onto), &[f(&[50, 1])], Some(&gaps), Hoist::Gain, &target);
    for (input, output) in [
        (f(&[50, 300]), &gaps),
        (gaps.clone(), &f(&[50, 300])),
        (transposed(50, 300), &f(&[50, 300])),
        (transposed(50, 300), &gaps),
    ] {
        texts.plan(&copy, &[input], Some(output), Hoist::Gain, &target);
    }
    texts.plan(
        &single(Op::Negative, &[DType::F32], None, Broadcast::Numpy),
        &[f(&[1000])],
        Some(&Layout::strided(DType::F32, [1000], [8]).unwrap()),
        Hoist::Gain,
        &target,
    );
    // Several steps: constants of every class of dtypes, several outputs, one of them twice, a custom operator.
    let program = steps(|b| {
        let (x, k) = (b.input("x", DType::F32), b.input("k", DType::I8));
        let constants = [
            (DType::F32, u128::from(1.5f32.to_bits())),
            (DType::F64, u128::from((-0.25f64).to_bits())),
            (DType::I8, 0xFE),
            (DType::I64, u128::from(u64::MAX - 1)),
            (DType::U16, 65_535),
            (DType::Bool, 1),
            (DType::Bool, 0),
            (DType::BF16, 0x3F80),
        ];
        for (dtype, bits) in constants {
            let c = b.constant(Constant { dtype, bits });
            let v = if dtype == DType::I8 {
                k
            } else if dtype == DType::F32 {
                x
            } else {
                b.step(Op::Cast, &[k], Some(dtype), Broadcast::Numpy).unwrap()
            };
            let out = b.step(Op::Equal, &[v, c], None, Broadcast::Numpy).unwrap();
            b.output(out);
        }
        let custom = Custom { id: 1, name: "mine", arity: 1, from: DType::F32, to: DType::F64 };
        let mine = b.custom(custom, &[x], Broadcast::Numpy).unwrap();
        b.output(mine);
        b.output(mine);
    });
    texts.plan(&program, &[f(&[30, 7]), layout(DType::I8, &[7])], None, Hoist::Never, &target);
    let fused = steps(|b| {
        let (x, s, y) = (b.input("x", DType::U8), b.input("s", DType::F32), b.input("y", DType::F32));
        let x = b.step(Op::Cast, &[x], Some(DType::F32), Broadcast::Numpy).unwrap();
        let product = b.step(Op::Multiply, &[x, s], None, Broadcast::Numpy).unwrap();
        let sum = b.step(Op::Add, &[product, y], None, Broadcast::Numpy).unwrap();
        b.output(sum);
        let exp = b.step(Op::Exp, &[sum], None, Broadcast::Numpy).unwrap();
        let half = b.step(Op::Divide, &[exp, sum], None, Broadcast::Numpy).unwrap();
        let half = b.step(Op::Cast, &[half], Some(DType::F64), Broadcast::Numpy).unwrap();
        b.output(half);
    });
    texts.plan(&fused, &[layout(DType::U8, &[40, 90]), f(&[40, 1]), f(&[90])], None, Hoist::Gain, &target);
    // Two operators fused to one step; one step with two outputs.
    let pair = steps(|b| {
        let [x, y, z] = ["x", "y", "z"].map(|name| b.input(name, DType::F32));
        let product = b.step(Op::Multiply, &[x, y], None, Broadcast::Numpy).unwrap();
        let sum = b.step(Op::Add, &[product, z], None, Broadcast::Numpy).unwrap();
        b.output(sum);
    });
    texts.plan(&pair, &[f(&[90]), f(&[90]), f(&[90])], None, Hoist::Gain, &target);
    let twice = steps(|b| {
        let x = b.input("x", DType::F32);
        let root = b.step(Op::Sqrt, &[x], None, Broadcast::Numpy).unwrap();
        b.output(root);
        b.output(root);
    });
    texts.plan(&twice, &[f(&[90])], None, Hoist::Gain, &target);
    // The text names no mode if the steps have several.
    let modes = steps(|b| {
        let (x, y) = (b.input("x", DType::F32), b.input("y", DType::F32));
        let sum = b.step(Op::Add, &[x, y], None, Broadcast::Unidirectional).unwrap();
        let out = b.step(Op::Divide, &[sum, y], None, Broadcast::Numpy).unwrap();
        b.output(out);
    });
    texts.plan(&modes, &[f(&[40, 90]), f(&[90])], None, Hoist::Gain, &target);
    // Stages: hoisted values in scratch, outputs of two shapes.
    for hoist in [Hoist::Always, Hoist::Never] {
        let staged = steps(|b| {
            let (x, v, t) = (b.input("x", DType::F32), b.input("v", DType::F32), b.input("t", DType::F32));
            let scalar = b.step(Op::Exp, &[t], None, Broadcast::Numpy).unwrap();
            let sum = b.step(Op::Add, &[v, scalar], None, Broadcast::Numpy).unwrap();
            let root = b.step(Op::Sqrt, &[sum], None, Broadcast::Numpy).unwrap();
            let product = b.step(Op::Multiply, &[x, root], None, Broadcast::Numpy).unwrap();
            b.output(product);
        });
        texts.plan(&staged, &[f(&[300, 500]), f(&[500]), f(&[1])], None, hoist, &target);
    }
    let shapes = steps(|b| {
        let (x, v) = (b.input("x", DType::F32), b.input("v", DType::F32));
        let root = b.step(Op::Sqrt, &[v], None, Broadcast::Numpy).unwrap();
        let product = b.step(Op::Multiply, &[x, root], None, Broadcast::Numpy).unwrap();
        b.output(root);
        b.output(product);
    });
    texts.plan(&shapes, &[f(&[300, 500]), f(&[500])], None, Hoist::Gain, &target);
    golden::compare("explained", &texts.0);
}
