//! Random programs: fused equals the oracle, which fuses nothing; fused equals step by step; every executor and every
//! number of tasks gives the same bits.

use std::collections::BTreeMap;
use std::sync::Mutex;

use eltwise::{BindOptions, Isa, Layout, Plan, Program, Serial, Shape, Status};
use eltwise_plan::program::Node;
use eltwise_reference::Tensor;
use eltwise_testkit::check::{self, How};
use eltwise_testkit::executors::{Backwards, Threads};
use eltwise_testkit::programs::{Made, program, program_over};
use eltwise_testkit::{Arrangement, Operand, runner};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

fn inputs_of(made: &Made, seed: u64) -> Vec<Operand> {
    let each = made.inputs.iter().enumerate();
    each.map(|(i, (dtype, shape, a))| Operand::input(*dtype, shape, a, seed.wrapping_add(2 * i as u64))).collect()
}

fn oracle(program: &Program, inputs: &[Operand]) -> (Vec<Tensor>, bool) {
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
        for word in WORDS {
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
    expected: &(Vec<Tensor>, bool),
) -> Result<(), String> {
    let mut outputs = fresh.to_vec();
    let status = check::run(plan, how, inputs, &mut outputs).map_err(|e| e.to_string())?;
    check::outputs_are(&expected.0, &outputs, false).map_err(|e| format!("{e}\n{}", plan.explain(1)))?;
    // A result without elements computes nothing, so nothing of it has a condition.
    let empty = expected.0[0].shape().contains(&0);
    if !empty && status.zero_division() != expected.1 {
        return Err(format!("zero_division {}, expected {}\n{}", status.zero_division(), expected.1, plan.explain(1)));
    }
    Ok(())
}

#[test]
fn random_programs_equal_the_oracle() {
    let (levels, met) = (check::levels(), Met::default());
    let strategy = (program(), any::<bool>(), any::<u64>(), 2..40usize);
    let result = runner(8.0).run(&strategy, |(made, chosen, seed, tasks)| {
        let inputs = inputs_of(&made, seed);
        let expected = oracle(&made.program, &inputs);
        let arrangements = (!chosen).then_some(&made.outputs[..]);
        for (i, &isa) in levels.iter().enumerate() {
            let bound = check::bind(&made.program, &inputs, &made.shape, arrangements, isa);
            let (plan, fresh) = bound.map_err(|e| TestCaseError::fail(format!("bind: {e}")))?;
            met.note(&plan);
            let how = match (seed as usize / 8 + i) % 3 {
                0 => How::On(&Serial),
                1 => How::On(&Backwards(7)),
                _ => How::Tasks(tasks),
            };
            compare(&plan, how, &inputs, &fresh, &expected).map_err(|e| TestCaseError::fail(format!("{isa}: {e}")))?;
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    met.assert_all();
}

/// Runs each step as a plan of its own.
fn step_by_step(program: &Program, inputs: &[Operand], isa: Isa) -> (Vec<Tensor>, bool) {
    let mut values: Vec<Tensor> = Vec::new();
    let mut met = false;
    for value in program.values() {
        let next = match &value.node {
            Node::Input(i) => inputs[*i].tensor(),
            Node::Constant(c) => Tensor::scalar((*c).into()),
            Node::Step { op, args, broadcast } => {
                let operands: Vec<Operand> =
                    args.iter().map(|a| Operand::holding(&values[a.index()], &Arrangement::dense())).collect();
                let dtypes: Vec<_> = operands.iter().map(|o| o.layout().dtype()).collect();
                let one = Program::single(*op, &dtypes, Some(value.dtype), broadcast.clone()).unwrap();
                let layouts: Vec<&Layout> = operands.iter().map(Operand::layout).collect();
                let plan = one.bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap();
                let mut out = vec![Operand::with_layout(plan.output_layouts()[0].clone())];
                let status: Status = check::run(&plan, How::On(&Serial), &operands, &mut out).unwrap();
                met |= status.zero_division();
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
    let strategy = (program_over(large), any::<u64>(), 1..300usize);
    let result = runner(1.0 / 16.0).run(&strategy, |(made, seed, tasks)| {
        let inputs = inputs_of(&made, seed);
        let expected = oracle(&made.program, &inputs);
        let (plan, fresh) = check::bind(&made.program, &inputs, &made.shape, Some(&made.outputs), Isa::current())
            .map_err(|e| TestCaseError::fail(format!("bind: {e}")))?;
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
        for how in ways {
            compare(&plan, how, &inputs, &fresh, &expected).map_err(TestCaseError::fail)?;
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    assert!(threads.most() > 1, "no run had more than one task");
}
