//! Random programs: fused equals the oracle, which fuses nothing; fused equals step by step; every executor and every
//! number of tasks gives the same bits.

use std::collections::BTreeMap;
use std::sync::Mutex;

use eltwise::{BindOptions, Broadcast, DType, Isa, Layout, Op, Plan, Program, ProgramBuilder, Serial, Shape, Status};
use eltwise_plan::program::Node;
use eltwise_reference::{Conditions, Tensor};
use eltwise_testkit::check::{self, How};
use eltwise_testkit::executors::{Backwards, Counted, Threads};
use eltwise_testkit::programs::{Made, program, program_over, program_with_math};
use eltwise_testkit::{Arrangement, Operand, runner};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

fn inputs_of(made: &Made, seed: u64) -> Vec<Operand> {
    let each = made.inputs.iter().enumerate();
    each.map(|(i, (dtype, shape, a))| Operand::input(*dtype, shape, a, seed.wrapping_add(2 * i as u64))).collect()
}

fn oracle(program: &Program, inputs: &[Operand]) -> (Vec<Tensor>, Conditions) {
    let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
    eltwise_reference::run(program, &tensors).expect("the program is typed and its shapes fit")
}

/// What a plan's text says of its strategy and of how operands appear in a tile.
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

/// How often each of [`WORDS`] was met.
#[derive(Default)]
struct Met(Mutex<BTreeMap<&'static str, usize>>);

impl Met {
    fn note(&self, plan: &Plan) {
        let text = plan.explain(2).to_string();
        let mut met = self.0.lock().unwrap();
        for word in WORDS.into_iter().filter(|w| text.contains(w)) {
            *met.entry(word).or_default() += 1;
        }
    }

    fn assert_all(&self) {
        let met = self.0.lock().unwrap();
        println!("met: {met:?}");
        // Few cases (PROPTEST_CASES) need not meet what is rare, and very few nothing.
        let plans: usize = WORDS[..3].iter().filter_map(|word| met.get(word)).sum();
        let expected = match plans {
            0..400 => &WORDS[..0],
            400..4000 => &WORDS[..3],
            _ => &WORDS[..],
        };
        for word in expected {
            assert!(met.contains_key(word), "no plan was {word:?}; met {met:?}");
        }
    }
}

/// Runs a plan in one way and compares with the oracle's answer.
fn compare(
    plan: &Plan,
    how: How<'_>,
    inputs: &[Operand],
    fresh: &[Operand],
    expected: &(Vec<Tensor>, Conditions),
) -> Result<(), String> {
    let mut outputs = fresh.to_vec();
    let status = check::run(plan, how, inputs, &mut outputs).map_err(|e| e.to_string())?;
    check::outputs_are(&expected.0, &outputs, false).map_err(|e| format!("{e}\n{}", plan.explain(1)))?;
    // A result without elements computes nothing, so nothing of it has a condition.
    let empty = expected.0[0].shape().contains(&0);
    if !empty && check::conditions(status) != expected.1 {
        let met = check::conditions(status);
        return Err(format!("the run met {met:?}, expected {:?}\n{}", expected.1, plan.explain(1)));
    }
    Ok(())
}

#[test]
fn random_programs_equal_the_oracle() {
    let (levels, met) = (check::levels(), Met::default());
    let (backwards, threads) = (Backwards(7), Threads::new(3));
    let (backwards, threads) = (Counted::new(&backwards), Counted::new(&threads));
    let strategy = (program(), any::<bool>(), any::<u64>(), 2..40usize);
    let asked = Mutex::new([0usize; 2]);
    let result = runner(8.0).run(&strategy, |(made, chosen, seed, tasks)| {
        let inputs = inputs_of(&made, seed);
        let expected = oracle(&made.program, &inputs);
        let arrangements = (!chosen).then_some(&made.outputs[..]);
        for (i, &isa) in levels.iter().enumerate() {
            let bound = check::bind(&made.program, &inputs, &made.shape, arrangements, isa);
            let (plan, fresh) = bound.map_err(|e| TestCaseError::fail(format!("bind: {e}")))?;
            met.note(&plan);
            // Shared, most would cost too little for a second task.
            let shared = || plan.clone().shared_at_any_cost().map_err(|e| TestCaseError::fail(e.to_string()));
            let (plan, how) = match (seed as usize / 8 + i) % 4 {
                0 => (plan, How::On(&Serial)),
                1 => {
                    asked.lock().unwrap()[0] += 1;
                    (shared()?, How::On(&backwards))
                }
                2 => {
                    asked.lock().unwrap()[1] += 1;
                    (shared()?, How::On(&threads))
                }
                _ => (plan, How::Tasks(tasks)),
            };
            compare(&plan, how, &inputs, &fresh, &expected).map_err(|e| TestCaseError::fail(format!("{isa}: {e}")))?;
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    met.assert_all();
    let (shared, asked) = ([backwards.shared(), threads.shared()], asked.into_inner().unwrap());
    println!("several tasks: {shared:?} of {asked:?} runs, last first and on threads");
    // Many have few elements, and several stages count more than once; few cases may all be small.
    assert!(
        (0..2).all(|i| asked[i] < 100 || 10 * shared[i] > asked[i]),
        "{shared:?} of {asked:?} runs had several tasks"
    );
}

/// Runs each step as a plan of its own.
fn step_by_step(program: &Program, inputs: &[Operand], isa: Isa) -> (Vec<Tensor>, Conditions) {
    let mut values: Vec<Tensor> = Vec::new();
    let mut met = Conditions::default();
    for value in program.values() {
        let next = match &value.node {
            Node::Input(i) => inputs[*i].tensor(),
            Node::Constant(c) => Tensor::scalar((*c).into()),
            Node::Step { op, args, broadcast } | Node::Exact { op, args, broadcast } => {
                let tier = value.accuracy();
                let operands: Vec<Operand> =
                    args.iter().map(|a| Operand::holding(&values[a.index()], &Arrangement::dense())).collect();
                let dtypes: Vec<_> = operands.iter().map(|o| o.layout().dtype()).collect();
                let one = Program::single_at(*op, &dtypes, Some(value.dtype), broadcast.clone(), tier).unwrap();
                let layouts: Vec<&Layout> = operands.iter().map(Operand::layout).collect();
                let plan = one.bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap();
                let mut out = vec![Operand::with_layout(plan.output_layouts()[0].clone())];
                let status: Status = check::run(&plan, How::On(&Serial), &operands, &mut out).unwrap();
                met |= check::conditions(status);
                out[0].tensor()
            }
            other => panic!("unknown node {other:?}"),
        };
        values.push(next);
    }
    (program.outputs().iter().map(|o| values[o.index()].clone()).collect(), met)
}

#[test]
fn fused_equals_step_by_step() {
    let levels = check::levels();
    let strategy = (program(), any::<u64>());
    let result = runner(2.0).run(&strategy, |(made, seed)| {
        let inputs = inputs_of(&made, seed);
        for &isa in &levels {
            let (plan, fresh) = check::bind(&made.program, &inputs, &made.shape, Some(&made.outputs), isa)
                .map_err(|e| TestCaseError::fail(format!("bind: {e}")))?;
            let expected = step_by_step(&made.program, &inputs, isa);
            compare(&plan, How::On(&Serial), &inputs, &fresh, &expected)
                .map_err(|e| TestCaseError::fail(format!("{isa}: {e}")))?;
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// Over odd layouts a program with math functions has the bits of its steps, one by one over dense copies on the plainest
/// level: fusion, layouts, tasks and levels change none.
#[test]
fn programs_with_math_have_the_bits_of_their_steps() {
    let (levels, backwards) = (check::levels(), Backwards(7));
    // Programs, with a math function, with a kernel of correctly rounded results.
    let met = Mutex::new([0usize; 3]);
    let strategy = (program_with_math(), any::<bool>(), any::<u64>(), 2..40usize);
    let result = runner(4.0).run(&strategy, |(made, chosen, seed, tasks)| {
        let inputs = inputs_of(&made, seed);
        let expected = step_by_step(&made.program, &inputs, Isa::Scalar);
        let values = made.program.values();
        let has = |test: &dyn Fn(&Node, DType) -> bool| usize::from(values.iter().any(|v| test(&v.node, v.dtype)));
        let has_math = has(&|node, dtype| matches!(node, Node::Step { op, .. } if op.info().is_math(dtype)));
        let has_exact = has(&|node, _| matches!(node, Node::Exact { .. }));
        let mut counts = met.lock().unwrap();
        for (count, one) in counts.iter_mut().zip([1, has_math | has_exact, has_exact]) {
            *count += one;
        }
        drop(counts);
        let arrangements = (!chosen).then_some(&made.outputs[..]);
        for (i, &isa) in levels.iter().enumerate() {
            let bound = check::bind(&made.program, &inputs, &made.shape, arrangements, isa);
            let (plan, fresh) = bound.map_err(|e| TestCaseError::fail(format!("bind: {e}")))?;
            let (plan, how) = match (seed as usize / 8 + i) % 3 {
                0 => (plan, How::On(&Serial)),
                1 => (plan.shared_at_any_cost().unwrap(), How::On(&backwards)),
                _ => (plan, How::Tasks(tasks)),
            };
            compare(&plan, how, &inputs, &fresh, &expected).map_err(|e| TestCaseError::fail(format!("{isa}: {e}")))?;
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    let [all, math, exact] = met.into_inner().unwrap();
    println!("{all} programs, {math} with math, {exact} with correctly rounded kernels");
    assert!(
        all < 300 || 2 * math > all && 50 * exact > all,
        "{math} of {all} programs have math, {exact} correctly rounded"
    );
}

/// Work that is worth several threads: the serial run equals the oracle, every executor the serial run.
#[test]
fn every_executor_gives_the_same_bits() {
    let threads = Threads::new(5);
    let large = prop_oneof![
        Just(Shape::from([400_003])),
        Just(Shape::from([133_000, 3])),
        Just(Shape::from([7, 50_021])),
        Just(Shape::from([611, 613])),
        Just(Shape::from([50, 3, 41, 67])),
    ];
    let agree = |program: &Program, inputs: &[Operand], shape: &Shape, outputs: Option<&[Arrangement]>, tasks| {
        let expected = oracle(program, inputs);
        let (plan, fresh) =
            check::bind(program, inputs, shape, outputs, Isa::current()).map_err(|e| format!("bind: {e}"))?;
        #[allow(unused_mut, reason = "without the feature nothing is added")]
        let mut ways = vec![
            How::On(&Serial),
            How::On(&threads),
            How::On(&Backwards(3)),
            How::On(&Backwards(1000)),
            How::Tasks(tasks),
        ];
        #[cfg(feature = "rayon")]
        ways.push(How::On(&eltwise::Rayon));
        ways.into_iter().try_for_each(|how| compare(&plan, how, inputs, &fresh, &expected))
    };

    // Random programs may all be too cheap for a second thread; this one is not.
    let shape = Shape::from([1_000_003]);
    let dear = Program::parse("a / 3 + a * a", &[("a", DType::I64)]).unwrap();
    let input = Operand::input(DType::I64, &shape, &Arrangement::dense(), 1);
    agree(&dear, &[input], &shape, None, 7).unwrap();
    assert!(threads.most() > 1, "no run had more than one task");

    let strategy = (program_over(large), any::<u64>(), 1..300usize);
    let result = runner(1.0 / 16.0).run(&strategy, |(made, seed, tasks)| {
        agree(&made.program, &inputs_of(&made, seed), &made.shape, Some(&made.outputs), tasks)
            .map_err(TestCaseError::fail)
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// Tasks may begin at any tile: also at the short one at the end of a block, after which a longer one reads the same
/// packed operand. The tasks of two runs alternate, so that neither finds its own scratch on the stack.
#[test]
fn tasks_begin_anywhere() {
    let shape = Shape::from([6, 2003, 3]);
    let mut padded = Arrangement::dense();
    (padded.gaps[0], padded.gaps[1]) = (64, 4);
    for (small, text) in
        [(&[3usize][..], "b packed once"), (&[6, 1, 3], "b packed each tile"), (&[2003, 1], "b packed")]
    {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
        let inputs = [4, 40].map(|seed| {
            let b = Operand::input(DType::F32, &Shape::new(small), &Arrangement::dense(), seed + 2);
            [Operand::input(DType::F32, &shape, &padded, seed), b]
        });
        let expected = inputs.each_ref().map(|i| oracle(&program, i).0);
        let (plan, fresh) =
            check::bind(&program, &inputs[0], &shape, Some(std::slice::from_ref(&padded)), Isa::current()).unwrap();
        assert!(plan.explain(1).to_string().contains(text), "{}", plan.explain(1));
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
                    // SAFETY: one thread runs every task.
                    let _ = unsafe { run.run(task) }.unwrap();
                }
            }
            drop(runs);
            for (outputs, expected) in outputs.iter().zip(&expected) {
                check::outputs_are(expected, outputs, false).unwrap_or_else(|e| panic!("{tasks} tasks: {e}"));
            }
        }
    }
}

/// Values between steps lie in scratch that is used again: up and down through all sizes, nothing overwrites what is
/// still read.
#[test]
fn scratch_is_used_again_only_when_it_is_free() {
    let sizes =
        [DType::F64, DType::U8, DType::I16, DType::F64, DType::F32, DType::U8, DType::F64, DType::F16, DType::I32];
    let input = Operand::input(DType::I8, &Shape::from([700, 3]), &Arrangement { flips: 1, ..Arrangement::dense() }, 2);
    for turn in 0..sizes.len() {
        let mut b = ProgramBuilder::new();
        let mut value = b.input("x", DType::I8);
        let mut sum = b.step(Op::Cast, &[value], Some(DType::F64), Broadcast::Numpy).unwrap();
        for i in 0..sizes.len() {
            value = b.step(Op::Cast, &[value], Some(sizes[(i + turn) % sizes.len()]), Broadcast::Numpy).unwrap();
            value = b.step(Op::Negative, &[value], None, Broadcast::Numpy).unwrap();
            if i % 3 == 0 {
                let wide = b.step(Op::Cast, &[value], Some(DType::F64), Broadcast::Numpy).unwrap();
                sum = b.step(Op::Add, &[sum, wide], None, Broadcast::Numpy).unwrap();
            }
        }
        b.output(sum);
        let program = Program::from(b.finish().unwrap());
        let expected = oracle(&program, std::slice::from_ref(&input));
        for isa in check::levels() {
            let inputs = std::slice::from_ref(&input);
            let (plan, fresh) = check::bind(&program, inputs, &Shape::from([700, 3]), None, isa).unwrap();
            compare(&plan, How::On(&Serial), inputs, &fresh, &expected).unwrap_or_else(|e| panic!("{isa}: {e}"));
        }
    }
}

/// One value, an input or a step, that lies on different axes for different readers.
#[test]
fn one_value_at_two_places() {
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
        let expected = oracle(&program, &inputs);
        let (plan, fresh) = check::bind(&program, &inputs, &shape, None, Isa::current()).unwrap();
        compare(&plan, How::Tasks(3), &inputs, &fresh, &expected).unwrap_or_else(|e| panic!("{n}: {e}"));
    }
}

/// More packed operands, and more values alive, than tiles of 16 elements have room for in the usual scratch.
#[test]
fn slots_have_no_limit() {
    let backwards = |count: usize| -> Vec<Operand> {
        let arrangement = Arrangement { flips: 1, ..Arrangement::dense() };
        (0..count).map(|i| Operand::input(DType::F32, &Shape::from([333]), &arrangement, i as u64)).collect()
    };
    let sum = |count: usize| Program::single(Op::Sum, &vec![DType::F32; count], None, Broadcast::Numpy).unwrap();
    let alive = |count: usize| {
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
    // Scratch on the stack of each size, and beyond both.
    for (program, inputs) in [
        (sum(150), backwards(150)),
        (sum(255), backwards(255)),
        (sum(2000), backwards(2000)),
        (alive(300), backwards(1)),
        (alive(2000), backwards(1)),
    ] {
        let expected = oracle(&program, &inputs);
        for isa in check::levels() {
            let (plan, fresh) = check::bind(&program, &inputs, &Shape::from([333]), None, isa).unwrap();
            for how in [How::On(&Serial), How::Tasks(3)] {
                compare(&plan, how, &inputs, &fresh, &expected).unwrap_or_else(|e| panic!("{isa}: {e}"));
            }
        }
    }
}
