//! Random programs over random layouts, in any broadcast mode and for any target, keep every invariant of plans.

#[path = "common/layouts.rs"]
pub mod layouts;

use eltwise_core::{Broadcast, Constant, DType, Error, Layout, Op, Shape, Signature};
use eltwise_plan::bind::loop_nest::LoopNest;
use eltwise_plan::strategy::{Access, Schedule, Strategy as PlanStrategy};
use eltwise_plan::{BindOptions, CpuModel, Custom, KernelCapabilities, Program, ProgramBuilder, Target, ValueId};
use eltwise_testkit::{broadcast_rules, plan_invariants};
use layouts::{RandomLayout, random_layout};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// A step: the number of an operator, of the earlier values that are its operands, of a dtype and of a broadcast mode.
#[derive(Clone, Debug)]
struct Step {
    op: usize,
    args: [usize; 3],
    dtype: usize,
    mode: u8,
}

/// A program over operands that broadcast to a common shape.
#[derive(Clone, Debug)]
struct Spec {
    common: Vec<usize>,
    inputs: Vec<(usize, RandomLayout)>,
    steps: Vec<Step>,
    outputs: usize,
}

const DTYPES: [DType; 7] = [DType::F32, DType::I32, DType::F64, DType::U8, DType::F16, DType::Bool, DType::Opaque16];

fn step() -> impl Strategy<Value = Step> {
    // Operators that fuse are frequent.
    let frequent = [Op::Multiply, Op::Add, Op::Subtract, Op::Cast, Op::Copy, Op::Where, Op::Relu, Op::Divide];
    let frequent = frequent.map(|op| Op::ALL.iter().position(|&o| o == op).expect("an operator"));
    let op = prop_oneof![3 => prop::sample::select(frequent.to_vec()), 2 => 0..Op::ALL.len()];
    let mode = prop_oneof![6 => Just(0u8), 1 => 1..8u8];
    (op, prop::array::uniform3(0usize..12), 0usize..20, mode).prop_map(|(op, args, dtype, mode)| Step {
        op,
        args,
        dtype,
        mode,
    })
}

/// A program of any steps.
fn any_spec() -> impl Strategy<Value = Spec> {
    let size = prop_oneof![20 => 1usize..5, 4 => 5usize..20, 1 => Just(0usize), 1 => Just(97usize)];
    let large = prop_oneof![Just(700usize), Just(3), Just(5000), Just(64), Just(100_000)];
    let common = prop_oneof![
        7 => prop::collection::vec(size, 0..6),
        3 => prop::collection::vec(large, 1..4),
    ];
    let inputs = prop::collection::vec((0..DTYPES.len(), random_layout()), 1..4);
    let steps = prop_oneof![1 => prop::collection::vec(step(), 1..2), 1 => prop::collection::vec(step(), 2..8)];
    (common, inputs, steps, 1usize..4).prop_map(|(common, inputs, steps, outputs)| Spec {
        common,
        inputs,
        steps,
        outputs,
    })
}

/// One step over operands of one dtype, for which there are most ways to run.
fn single_spec() -> impl Strategy<Value = Spec> {
    let common = prop::collection::vec(prop_oneof![2usize..8, 8usize..80, Just(700usize)], 1..5);
    let inputs = (0..5usize, random_layout(), random_layout()).prop_map(|(dtype, a, b)| vec![(dtype, a), (dtype, b)]);
    let op = prop::sample::select(vec![Op::Add, Op::Multiply, Op::Maximum, Op::Copy]);
    (common, inputs, op).prop_map(|(common, inputs, op)| {
        let op = Op::ALL.iter().position(|&o| o == op).expect("an operator");
        Spec { common, inputs, steps: vec![Step { op, args: [1, 0, 0], dtype: 0, mode: 0 }], outputs: 1 }
    })
}

impl Spec {
    /// Operands whose dtype a step does not take are cast, or replaced by a constant.
    fn program(&self) -> Result<Program, Error> {
        let mut b = ProgramBuilder::new();
        let named = self.inputs.iter().enumerate();
        let mut values: Vec<ValueId> = named.map(|(i, (d, _))| b.input(&format!("x{i}"), DTYPES[*d])).collect();
        for step in &self.steps {
            values.push(self.step(&mut b, &values, step)?);
        }
        let outputs = values.len() - self.outputs.min(values.len());
        values[outputs..].iter().for_each(|&value| b.output(value));
        // One output twice.
        if self.outputs == 3 {
            b.output(values[outputs]);
        }
        b.finish()
    }

    fn step(&self, b: &mut ProgramBuilder, values: &[ValueId], step: &Step) -> Result<ValueId, Error> {
        let op = Op::ALL[step.op];
        let signature = op.signature();
        let args: Vec<ValueId> = (0..op.arity())
            .map(|k| values[values.len() - 1 - (step.args[k % step.args.len()] + k / step.args.len()) % values.len()])
            .collect();
        if step.dtype == 19 {
            let custom = Custom { id: 7, name: "mine", arity: 2, from: DType::F32, to: DType::F64 };
            let args = [args[0], args[args.len() - 1]].map(|arg| as_dtype(b, arg, DType::F32));
            let [x, y] = args;
            return b.custom(custom, &[x?, y?], Broadcast::Numpy);
        }
        let given = b.dtype(args[args.len() - 1]).expect("a value of this builder");
        let taken: Vec<DType> = DTYPES.into_iter().filter(|&d| op.info().takes(d)).collect();
        let taken = if taken.is_empty() { vec![DType::F32] } else { taken };
        let chosen = taken[step.dtype % taken.len()];
        let t = if op.info().takes(given) && step.dtype < 15 { given } else { chosen };
        let mut converted = Vec::new();
        for (k, &arg) in args.iter().enumerate() {
            let wanted = match signature {
                Signature::Select if k == 0 => DType::Bool,
                Signature::Tolerance if k == 4 => DType::Bool,
                _ if !signature.is_t(k) => DType::I32,
                _ => t,
            };
            converted.push(as_dtype(b, arg, wanted)?);
        }
        let mode = match step.mode {
            _ if op == Op::BroadcastTo => Broadcast::Bidirectional { target: Shape::new(&self.common) },
            1 => Broadcast::None,
            2 if op.arity() == 2 => Broadcast::Unidirectional,
            3.. if op.arity() == 2 => Broadcast::Pdpd { axis: i64::from(step.mode) - 4 },
            _ => Broadcast::Numpy,
        };
        let target = match op {
            Op::Bitcast => t,
            _ => chosen,
        };
        b.step(op, &converted, (signature == Signature::Convert).then_some(target), mode)
    }
}

/// A value in a different dtype: cast, or a constant if there is no cast.
fn as_dtype(b: &mut ProgramBuilder, value: ValueId, dtype: DType) -> Result<ValueId, Error> {
    let given = b.dtype(value).expect("a value of this builder");
    if given == dtype {
        Ok(value)
    } else if given.is_opaque() || dtype.is_opaque() {
        Ok(b.constant(Constant { dtype, bits: 1 }))
    } else {
        b.step(Op::Cast, &[value], Some(dtype), Broadcast::Numpy)
    }
}

/// Vectors, blocks and the smallest permuted element: no layout kernels, NEON, AVX2, AVX-512 without VBMI and with it.
const ISAS: [(usize, usize, usize); 5] =
    [(16, 0, usize::MAX), (16, 1, usize::MAX), (32, 2, usize::MAX), (64, 4, 2), (64, 4, 1)];
const CPUS: [CpuModel; 6] =
    [CpuModel::GENERIC, CpuModel::SAPPHIRE_RAPIDS, CpuModel::NEOVERSE, CpuModel::ZEN3, CpuModel::ZEN4, CpuModel::ZEN5];

fn target() -> impl Strategy<Value = Target> {
    let parts = (prop::sample::select(&ISAS[..]), prop::sample::select(&CPUS[..]), 8u32..24, any::<[bool; 3]>());
    parts.prop_map(|((vector_bytes, blocks, smallest_permuted), cpu, l2, [fma, permutes, double_pumped_512])| Target {
        cpu: CpuModel {
            l1: if l2.is_multiple_of(2) { 32 << 10 } else { 48 << 10 },
            l2: 1 << l2,
            llc: 1 << (l2 + 4),
            double_pumped_512,
            ..cpu
        },
        kernels: KernelCapabilities { vector_bytes, fma, permutes, blocks, smallest_permuted },
        options: BindOptions { non_temporal: !l2.is_multiple_of(3), runs: [1, 8, 1000][l2 as usize % 3] },
    })
}

/// What random plans must have, and the cases for each such plan, at most.
const WAYS: [(&str, usize); 12] = [
    ("an error", 20),
    ("no elements", 100),
    ("rows", 8),
    ("tiles", 4),
    ("moves", 40),
    ("packed inputs", 8),
    ("unpacked outputs", 100),
    ("fused kernels", 80),
    ("permuted operands", 100),
    ("a permuted copy", 1000),
    ("two permuted operands", 1000),
    ("loops that follow the inputs", 200),
];

/// Which of [`WAYS`] a plan has.
fn ways(schedule: Option<&Schedule>) -> [bool; 12] {
    let Some(schedule) = schedule else { return core::array::from_fn(|way| way == 0) };
    let (strategy, binding) = (schedule.strategy, &schedule.binding);
    let packs = |output: bool| {
        let mut accesses = schedule.access.iter().zip(&binding.operands);
        accesses.any(|(access, operand)| matches!(access, Access::Packed { .. }) && operand.output == output)
    };
    let permuted = schedule.access.iter().filter(|access| matches!(access, Access::Permuted { .. })).count();
    let has_copy = |access: &Access| matches!(access, Access::Permuted { copy: Some(_) });
    let is_empty = strategy == PlanStrategy::Empty;
    [
        false,
        is_empty,
        strategy == PlanStrategy::Direct,
        strategy == PlanStrategy::Tiled,
        strategy == PlanStrategy::Tiled && schedule.is_move,
        packs(false) && !schedule.is_move,
        packs(true) && !schedule.is_move,
        schedule.tile.unit.is_some(),
        permuted > 0,
        schedule.access.iter().any(has_copy),
        permuted > 1,
        !is_empty && schedule.nest != LoopNest::new(&binding.shape, &binding.operands),
    ]
}

#[test]
fn random_plans_keep_every_invariant() {
    let given = (prop::bool::weighted(0.4), random_layout(), any::<bool>());
    let config = Config { cases: Config::default().cases.max(2048), failure_persistence: None, ..Config::default() };
    let cases = config.cases as usize;
    let count = std::cell::Cell::new([0; WAYS.len()]);
    let result = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)).run(
        &(prop_oneof![any_spec(), single_spec()], target(), given),
        |(spec, target, (given, out, c_order))| {
            // An operator may not take the mode or the dtype.
            let Ok(program) = spec.program() else { return Ok(()) };
            let layouts: Vec<Layout> =
                spec.inputs.iter().map(|(d, random)| random.layout(DTYPES[*d], &spec.common, false)).collect();
            let dims: Vec<Vec<usize>> = layouts.iter().map(|l| l.shape().to_vec()).collect();
            let outputs: Option<Vec<Layout>> =
                broadcast_rules::shapes(&program, &dims).filter(|_| given).map(|shapes| {
                    let layout_of = |o: &ValueId| out.layout(program.value(*o).dtype, &shapes[o.index()], true);
                    program.outputs().iter().map(layout_of).collect()
                });
            let planned = plan_invariants::plan(&program, &layouts, outputs.as_deref(), c_order, &target);
            let mut counts = count.get();
            counts.iter_mut().zip(ways(planned.as_ref())).for_each(|(count, has)| *count += usize::from(has));
            count.set(counts);
            Ok(())
        },
    );
    result.unwrap_or_else(|e| panic!("{e}"));
    let counts = count.get();
    for ((way, each), count) in WAYS.into_iter().zip(counts) {
        assert!(count * each > cases, "{count} plans of {cases} have {way}: {counts:?}");
    }
}
