//! Random programs equal the reference, which evaluates one step after the other, and equal plans of their single
//! steps. Every executor and every number of tasks gives the same bits.

use std::collections::BTreeMap;
use std::sync::Mutex;

use eltwise::{
    Accuracy, BindOptions, Broadcast, DType, Isa, Layout, Op, Plan, Program, ProgramBuilder, Serial, Shape, Status,
};
use eltwise_plan::ir::program::Node;
use eltwise_reference::{Conditions, Tensor};
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::executors::{CountingExecutor, ReverseOrder, Threads};
use eltwise_testkit::programs::{ProgramCase, program, program_over, program_with_math};
use eltwise_testkit::{Arrangement, Operand, runner};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

fn inputs_of(made: &ProgramCase, seed: u64) -> Vec<Operand> {
    let each = made.inputs.iter().enumerate();
    each.map(|(i, (dtype, shape, a))| Operand::input(*dtype, shape, a, seed.wrapping_add(2 * i as u64))).collect()
}

fn reference(program: &Program, inputs: &[Operand]) -> (Vec<Tensor>, Conditions) {
    let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
    eltwise_testkit::reference::run(program, &tensors).expect("the program is typed and its shapes fit")
}

/// Words in the text of a plan: its strategy, and how operands appear in a tile.
const WORDS: [&str; 9] = [
    "strategy   direct",
    "strategy   tiled",
    "nothing to do",
    " splat per row",
    " splat",
    " packed once",
    " packed each tile",
    " unpacked",
    " x (",
];

/// How many plans have each of [`WORDS`] in their text.
#[derive(Default)]
struct WordCounts(Mutex<BTreeMap<&'static str, usize>>);

impl WordCounts {
    fn add(&self, plan: &Plan) {
        let text = plan.explain(2).to_string();
        let mut counts = self.0.lock().unwrap();
        for word in WORDS.into_iter().filter(|w| text.contains(w)) {
            *counts.entry(word).or_default() += 1;
        }
    }

    fn assert_all(&self) {
        let counts = self.0.lock().unwrap();
        println!("plans by word: {counts:?}");
        // With few cases (PROPTEST_CASES) the rare words need not occur, and with very few cases none need.
        let plans: usize = WORDS[..3].iter().filter_map(|word| counts.get(word)).sum();
        let expected = match plans {
            0..400 => &WORDS[..0],
            400..4000 => &WORDS[..3],
            _ => &WORDS[..],
        };
        for word in expected {
            assert!(counts.contains_key(word), "no plan says {word:?}: {counts:?}");
        }
    }
}

/// Runs a plan and compares its outputs and conditions with the expected ones.
fn compare(
    plan: &Plan,
    mode: RunMode<'_>,
    inputs: &[Operand],
    fresh: &[Operand],
    expected: &(Vec<Tensor>, Conditions),
) -> Result<(), String> {
    let mut outputs = fresh.to_vec();
    let status = check::run(plan, mode, inputs, &mut outputs).map_err(|e| e.to_string())?;
    check::compare_outputs(&expected.0, &outputs, false).map_err(|e| format!("{e}\n{}", plan.explain(1)))?;
    // A result without elements computes nothing, so it reports no condition.
    let empty = expected.0[0].shape().contains(&0);
    if !empty && check::conditions(status) != expected.1 {
        let reported = check::conditions(status);
        return Err(format!("the run reports {reported:?}, expected {:?}\n{}", expected.1, plan.explain(1)));
    }
    Ok(())
}

#[test]
fn random_programs_equal_the_reference() {
    let (isas, counts) = (check::isas(), WordCounts::default());
    let (reverse_order, threads) = (ReverseOrder(7), Threads::new(3));
    let (reverse_order, threads) = (CountingExecutor::new(&reverse_order), CountingExecutor::new(&threads));
    let strategy = (program(), any::<bool>(), any::<u64>(), 2..40usize);
    let runs = Mutex::new([0usize; 2]);
    let result = runner(8.0).run(&strategy, |(made, chosen, seed, tasks)| {
        let inputs = inputs_of(&made, seed);
        let expected = reference(&made.program, &inputs);
        let arrangements = (!chosen).then_some(&made.outputs[..]);
        for (i, &isa) in isas.iter().enumerate() {
            // By default, most programs are too small for a second task.
            let options = BindOptions::new().isa(isa).min_task_ns(0);
            let bound = check::bind_with(&made.program, &inputs, &made.shape, arrangements, options);
            let (plan, fresh) = bound.map_err(|e| TestCaseError::fail(format!("bind: {e}")))?;
            counts.add(&plan);
            let mode = match (seed as usize / 8 + i) % 4 {
                0 => RunMode::On(&Serial),
                1 => {
                    runs.lock().unwrap()[0] += 1;
                    RunMode::On(&reverse_order)
                }
                2 => {
                    runs.lock().unwrap()[1] += 1;
                    RunMode::On(&threads)
                }
                _ => RunMode::Tasks(tasks),
            };
            compare(&plan, mode, &inputs, &fresh, &expected).map_err(|e| TestCaseError::fail(format!("{isa}: {e}")))?;
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    counts.assert_all();
    let (shared, runs) = ([reverse_order.parallel_calls(), threads.parallel_calls()], runs.into_inner().unwrap());
    println!("several tasks: {shared:?} of {runs:?} runs, last task first and on threads");
    // Many programs have too few elements for several tasks, and a run of several stages counts more than once. A few
    // cases may all be small.
    assert!(
        (0..2).all(|i| runs[i] < 100 || 10 * shared[i] > runs[i]),
        "only {shared:?} of {runs:?} runs had several tasks"
    );
}

/// The outputs and conditions of a program whose steps run as separate plans over dense operands.
fn step_by_step(program: &Program, inputs: &[Operand], isa: Isa) -> (Vec<Tensor>, Conditions) {
    let mut values: Vec<Tensor> = Vec::new();
    let mut conditions = Conditions::default();
    for value in program.values() {
        let next = match &value.node {
            Node::Input(i) => inputs[*i].tensor(),
            Node::Constant(c) => Tensor::scalar((*c).into()),
            Node::Step { op, args, broadcast, .. } => {
                let tier = value.accuracy();
                let operands: Vec<Operand> =
                    args.iter().map(|a| Operand::from_tensor(&values[a.index()], &Arrangement::dense())).collect();
                let dtypes: Vec<_> = operands.iter().map(|o| o.layout().dtype()).collect();
                let one = Program::single_at(*op, &dtypes, Some(value.dtype), broadcast.clone(), tier).unwrap();
                let layouts: Vec<&Layout> = operands.iter().map(Operand::layout).collect();
                let plan = one.bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap();
                let mut out = vec![Operand::with_layout(plan.output_layouts()[0].clone())];
                let status: Status = check::run(&plan, RunMode::On(&Serial), &operands, &mut out).unwrap();
                conditions |= check::conditions(status);
                out[0].tensor()
            }
            other => panic!("unknown node {other:?}"),
        };
        values.push(next);
    }
    (program.outputs().iter().map(|o| values[o.index()].clone()).collect(), conditions)
}

#[test]
fn random_programs_equal_their_single_steps() {
    let isas = check::isas();
    let strategy = (program(), any::<u64>());
    let result = runner(2.0).run(&strategy, |(made, seed)| {
        let inputs = inputs_of(&made, seed);
        for &isa in &isas {
            let (plan, fresh) = check::bind(&made.program, &inputs, &made.shape, Some(&made.outputs), isa)
                .map_err(|e| TestCaseError::fail(format!("bind: {e}")))?;
            let expected = step_by_step(&made.program, &inputs, isa);
            compare(&plan, RunMode::On(&Serial), &inputs, &fresh, &expected)
                .map_err(|e| TestCaseError::fail(format!("{isa}: {e}")))?;
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// Over any layouts, in tasks and on every ISA, a program with math functions has the bits of its single steps over
/// dense copies on the ISA `scalar`.
#[test]
fn programs_with_math_have_the_bits_of_their_steps() {
    let (isas, reverse_order) = (check::isas(), ReverseOrder(7));
    // All programs, programs with a math function, programs with a correctly rounded kernel.
    let counts = Mutex::new([0usize; 3]);
    let strategy = (program_with_math(), any::<bool>(), any::<u64>(), 2..40usize);
    let result = runner(4.0).run(&strategy, |(made, chosen, seed, tasks)| {
        let inputs = inputs_of(&made, seed);
        let expected = step_by_step(&made.program, &inputs, Isa::Scalar);
        let values = made.program.values();
        let has = |test: &dyn Fn(&Node, DType) -> bool| usize::from(values.iter().any(|v| test(&v.node, v.dtype)));
        let has_math = has(&|node, dtype| matches!(node, Node::Step { op, .. } if op.info().is_math(dtype)));
        let has_exact = has(&|node, _| matches!(node, Node::Step { accuracy, .. } if *accuracy != Accuracy::Fast));
        let mut locked = counts.lock().unwrap();
        for (count, one) in locked.iter_mut().zip([1, has_math | has_exact, has_exact]) {
            *count += one;
        }
        drop(locked);
        let arrangements = (!chosen).then_some(&made.outputs[..]);
        for (i, &isa) in isas.iter().enumerate() {
            let options = BindOptions::new().isa(isa).min_task_ns(0);
            let bound = check::bind_with(&made.program, &inputs, &made.shape, arrangements, options);
            let (plan, fresh) = bound.map_err(|e| TestCaseError::fail(format!("bind: {e}")))?;
            let mode = match (seed as usize / 8 + i) % 3 {
                0 => RunMode::On(&Serial),
                1 => RunMode::On(&reverse_order),
                _ => RunMode::Tasks(tasks),
            };
            compare(&plan, mode, &inputs, &fresh, &expected).map_err(|e| TestCaseError::fail(format!("{isa}: {e}")))?;
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    let [all, math, exact] = counts.into_inner().unwrap();
    println!("{all} programs, {math} with math, {exact} with correctly rounded kernels");
    assert!(
        all < 300 || 2 * math > all && 50 * exact > all,
        "{math} of {all} programs have math, {exact} correctly rounded"
    );
}

/// Programs that are large enough for several threads.
#[test]
fn every_executor_equals_the_reference() {
    let threads = Threads::new(5);
    let large = prop_oneof![
        Just(Shape::from([400_003])),
        Just(Shape::from([133_000, 3])),
        Just(Shape::from([7, 50_021])),
        Just(Shape::from([611, 613])),
        Just(Shape::from([50, 3, 41, 67])),
    ];
    let agree = |program: &Program, inputs: &[Operand], shape: &Shape, outputs: Option<&[Arrangement]>, tasks| {
        let expected = reference(program, inputs);
        let (plan, fresh) =
            check::bind(program, inputs, shape, outputs, Isa::current()).map_err(|e| format!("bind: {e}"))?;
        #[allow(unused_mut, reason = "without the feature `rayon` nothing is added")]
        let mut modes = vec![
            RunMode::On(&Serial),
            RunMode::On(&threads),
            RunMode::On(&ReverseOrder(3)),
            RunMode::On(&ReverseOrder(1000)),
            RunMode::Tasks(tasks),
        ];
        #[cfg(feature = "rayon")]
        modes.push(RunMode::On(&eltwise::Rayon));
        modes.into_iter().try_for_each(|mode| compare(&plan, mode, inputs, &fresh, &expected))
    };

    // Random programs may all be too cheap for a second thread. This one is not.
    let shape = Shape::from([1_000_003]);
    let expensive = Program::parse("a / 3 + a * a", &[("a", DType::I64)]).unwrap();
    let input = Operand::input(DType::I64, &shape, &Arrangement::dense(), 1);
    agree(&expensive, &[input], &shape, None, 7).unwrap();
    assert!(threads.max_tasks() > 1, "no run had more than one task");

    let strategy = (program_over(large), any::<u64>(), 1..300usize);
    let result = runner(1.0 / 16.0).run(&strategy, |(made, seed, tasks)| {
        agree(&made.program, &inputs_of(&made, seed), &made.shape, Some(&made.outputs), tasks)
            .map_err(TestCaseError::fail)
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// A task may start at a short tile at the end of a block; the next tile is longer and reads the same packed operand.
/// The tasks of two runs alternate, so that no task finds on the stack what the previous task of its run left there.
#[test]
fn tasks_may_start_at_any_tile() {
    let shape = Shape::from([6, 2003, 3]);
    let mut padded = Arrangement::dense();
    (padded.gaps[0], padded.gaps[1]) = (64, 4);
    for small in [&[3usize][..], &[6, 1, 3], &[2003, 1]] {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
        let inputs = [4, 40].map(|seed| {
            let b = Operand::input(DType::F32, &Shape::new(small), &Arrangement::dense(), seed + 2);
            [Operand::input(DType::F32, &shape, &padded, seed), b]
        });
        let expected = inputs.each_ref().map(|i| reference(&program, i).0);
        let (plan, fresh) =
            check::bind(&program, &inputs[0], &shape, Some(std::slice::from_ref(&padded)), Isa::current()).unwrap();
        assert!(plan.explain(1).to_string().contains("b packed"), "{}", plan.explain(1));
        for tasks in 1..40 {
            let mut outputs = [fresh.clone(), fresh.clone()];
            let views = inputs.each_ref().map(|i| i.each_ref().map(Operand::view));
            let [first, second] = &mut outputs;
            let (mut first, mut second) = ([first[0].view_mut()], [second[0].view_mut()]);
            let runs = [
                plan.tasks_over(tasks, &views[0], &mut first).unwrap(),
                plan.tasks_over(tasks, &views[1], &mut second).unwrap(),
            ];
            for task in 0..tasks {
                for run in &runs {
                    // SAFETY: this thread runs every task once.
                    let _ = unsafe { run.run(task) }.unwrap();
                }
            }
            drop(runs);
            for (outputs, expected) in outputs.iter().zip(&expected) {
                check::compare_outputs(expected, outputs, false).unwrap_or_else(|e| panic!("{tasks} tasks: {e}"));
            }
        }
    }
}

/// Intermediate values share scratch. The programs cast through wider and narrower dtypes.
#[test]
fn scratch_is_reused_only_after_its_last_read() {
    let sizes =
        [DType::F64, DType::U8, DType::I16, DType::F64, DType::F32, DType::U8, DType::F64, DType::F16, DType::I32];
    let input = Operand::input(DType::I8, &Shape::from([700, 3]), &Arrangement { flips: 1, ..Arrangement::dense() }, 2);
    for rotation in 0..sizes.len() {
        let mut b = ProgramBuilder::new();
        let mut value = b.input("x", DType::I8);
        let mut sum = b.step(Op::Cast, &[value], Some(DType::F64), Broadcast::Numpy).unwrap();
        for i in 0..sizes.len() {
            value = b.step(Op::Cast, &[value], Some(sizes[(i + rotation) % sizes.len()]), Broadcast::Numpy).unwrap();
            value = b.step(Op::Negative, &[value], None, Broadcast::Numpy).unwrap();
            if i % 3 == 0 {
                let wide = b.step(Op::Cast, &[value], Some(DType::F64), Broadcast::Numpy).unwrap();
                sum = b.step(Op::Add, &[sum, wide], None, Broadcast::Numpy).unwrap();
            }
        }
        b.output(sum);
        let program = Program::from(b.finish().unwrap());
        let expected = reference(&program, std::slice::from_ref(&input));
        for isa in check::isas() {
            let inputs = std::slice::from_ref(&input);
            let (plan, fresh) = check::bind(&program, inputs, &Shape::from([700, 3]), None, isa).unwrap();
            compare(&plan, RunMode::On(&Serial), inputs, &fresh, &expected).unwrap_or_else(|e| panic!("{isa}: {e}"));
        }
    }
}

/// The value is an input or the result of a step.
#[test]
fn one_value_may_broadcast_along_different_axes() {
    for n in [1, 5, 40, 300] {
        let mut b = ProgramBuilder::new();
        let (y, x) = (b.input("y", DType::I32), b.input("x", DType::I32));
        let step = b.step(Op::BitwiseNot, &[x], None, Broadcast::Numpy).unwrap();
        let mut sum = y;
        for (value, mode) in [
            (x, Broadcast::Numpy),
            (x, Broadcast::Pdpd { axis: 0 }),
            (step, Broadcast::Pdpd { axis: 0 }),
            (step, Broadcast::Pdpd { axis: 1 }),
            (step, Broadcast::Unidirectional),
        ] {
            sum = b.step(Op::Fma, &[sum, sum, sum], None, Broadcast::None).unwrap();
            sum = b.step(Op::Add, &[sum, value], None, mode).unwrap();
        }
        b.output(sum);
        let program = Program::from(b.finish().unwrap());
        let shape = Shape::from([n, n, 2]);
        let inputs = [
            Operand::input(DType::I32, &shape, &Arrangement::dense(), 4),
            Operand::input(DType::I32, &Shape::from([n, 1]), &Arrangement { flips: 1, ..Arrangement::dense() }, 6),
        ];
        let expected = reference(&program, &inputs);
        let (plan, fresh) = check::bind(&program, &inputs, &shape, None, Isa::current()).unwrap();
        compare(&plan, RunMode::Tasks(3), &inputs, &fresh, &expected).unwrap_or_else(|e| panic!("{n}: {e}"));
    }
}

/// There are more packed operands, or more live values, than tiles of 16 elements have room for in the usual scratch.
#[test]
fn programs_may_need_more_than_the_usual_scratch() {
    let reversed = |count: usize| -> Vec<Operand> {
        let arrangement = Arrangement { flips: 1, ..Arrangement::dense() };
        (0..count).map(|i| Operand::input(DType::F32, &Shape::from([333]), &arrangement, i as u64)).collect()
    };
    let sum = |count: usize| Program::single(Op::Sum, &vec![DType::F32; count], None, Broadcast::Numpy).unwrap();
    let live = |count: usize| {
        let mut b = ProgramBuilder::new();
        let x = b.input("x", DType::F32);
        let mut values = vec![x];
        for _ in 0..count {
            values.push(b.step(Op::Sqrt, &[values[values.len() - 1]], None, Broadcast::None).unwrap());
        }
        let value = values.into_iter().reduce(|a, v| b.step(Op::Subtract, &[v, a], None, Broadcast::None).unwrap());
        b.output(value.unwrap());
        Program::from(b.finish().unwrap())
    };
    // Scratch of both sizes on the stack, and larger scratch.
    for (program, inputs) in [
        (sum(150), reversed(150)),
        (sum(255), reversed(255)),
        (sum(2000), reversed(2000)),
        (live(300), reversed(1)),
        (live(2000), reversed(1)),
    ] {
        let expected = reference(&program, &inputs);
        for isa in check::isas() {
            let (plan, fresh) = check::bind(&program, &inputs, &Shape::from([333]), None, isa).unwrap();
            for mode in [RunMode::On(&Serial), RunMode::Tasks(3)] {
                compare(&plan, mode, &inputs, &fresh, &expected).unwrap_or_else(|e| panic!("{isa}: {e}"));
            }
        }
    }
}
