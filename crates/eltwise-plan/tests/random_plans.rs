//! Random programs over random layouts, in any broadcast mode and for any target, keep every invariant of plans.

#[path = "common/layouts.rs"]
pub mod layouts;

use eltwise_core::{Broadcast, Constant, DType, Error, Layout, Op, Shape, Signature};
use eltwise_plan::strategy::Strategy as PlanStrategy;
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

fn spec() -> impl Strategy<Value = Spec> {
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
        let args: Vec<ValueId> =
            (0..op.arity()).map(|k| values[values.len() - 1 - step.args[k] % values.len()]).collect();
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

#[test]
fn random_plans_keep_every_invariant() {
    let target = (prop::sample::select(vec![16usize, 32, 64]), 8u32..24, any::<bool>(), any::<bool>(), any::<bool>());
    let given = (prop::bool::weighted(0.4), random_layout(), any::<bool>());
    let config = Config { cases: Config::default().cases.max(1024), failure_persistence: None, ..Config::default() };
    let cases = config.cases as usize;
    let count = std::cell::Cell::new([0; 5]);
    let result = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)).run(
        &(spec(), target, given),
        |(spec, (vector_bytes, l2, fuses, arranges, halves), (given, out, c_order))| {
            let target = Target {
                cpu: CpuModel {
                    l1: if l2 % 2 == 0 { 32 << 10 } else { 48 << 10 },
                    l2: 1 << l2,
                    llc: 1 << (l2 + 4),
                    double_pumped_512: halves,
                    ..CpuModel::default()
                },
                kernels: KernelCapabilities {
                    vector_bytes,
                    fma: fuses,
                    permutes: arranges,
                    ..KernelCapabilities::default()
                },
                options: BindOptions { non_temporal: l2 % 3 != 0 },
            };
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
            let mut seen = count.get();
            match planned {
                None => seen[3] += 1,
                Some(schedule) => {
                    seen[match schedule.strategy {
                        PlanStrategy::Empty => 0,
                        PlanStrategy::Direct => 1,
                        _ => 2,
                    }] += 1;
                    seen[4] += usize::from(schedule.tile.rows > 1);
                }
            }
            count.set(seen);
            Ok(())
        },
    );
    result.unwrap_or_else(|e| panic!("{e}"));
    let [empty, direct, tiled, errors, tiled_2d] = count.get();
    let all = [empty * 50, direct * 20, tiled * 4, errors * 8, tiled_2d * 50];
    let names = "empty, direct, tiled, errors, with 2-D tiles";
    assert!(all.iter().all(|&n| n > cases), "too few plans of {cases} are {names}: {:?}", count.get());
}
