//! Any program over any layouts, run in any way: the result equals the oracle's bit for bit (with math functions: that of
//! the steps one by one over dense arrays on the plainest level), bytes of inputs and between elements stay, and what the
//! oracle refuses is refused with the same kind of error. Some inputs are cases of `just soak` instead.
#![no_main]

use std::sync::atomic::{AtomicUsize, Ordering};

use eltwise::{
    BindOptions, Broadcast, ErrorKind, Executor, Isa, Layout, Plan, Program, Serial, Shape, Status, View, ViewMut,
    broadcast_shapes,
};
use eltwise_fuzz::drawn::DrawnSpec;
use eltwise_fuzz::memory::{Memory, Order, Random};
use eltwise_fuzz::programs::ProgramSpec;
use eltwise_fuzz::steps;
use eltwise_plan::program::Node;
use eltwise_reference::{Conditions, Tensor};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    program: ProgramSpec,
    seed: u64,
    isa: u8,
    c_order: bool,
    /// Lays the outputs out.
    outputs: Option<Order>,
    way: Way,
    /// A case of the soak instead.
    drawn: Option<DrawnSpec>,
}

/// How the plan is run.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Way {
    Serial,
    Backwards(u8),
    Threads,
    Tasks(u8),
    InPlace(u8),
}

/// Tasks last to first, on the calling thread; the most that it was given.
struct Backwards(usize, AtomicUsize);

impl Executor for Backwards {
    fn width(&self) -> usize {
        self.0
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        self.1.fetch_max(tasks, Ordering::Relaxed);
        (0..tasks).rev().for_each(f);
    }
}

/// Three threads that take tasks from a counter; the most tasks that there were.
struct Threads(AtomicUsize);

impl Executor for Threads {
    fn width(&self) -> usize {
        3
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        self.0.fetch_max(tasks, Ordering::Relaxed);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    loop {
                        let task = next.fetch_add(1, Ordering::Relaxed);
                        if task >= tasks {
                            break;
                        }
                        f(task);
                    }
                });
            }
        });
    }
}

/// What a run met, in the oracle's words.
fn conditions(status: Status) -> Conditions {
    Conditions { zero_division: status.zero_division(), negative_exponent: status.negative_exponent() }
}

fn run(plan: &Plan, way: Way, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>]) -> Result<Status, eltwise::Error> {
    match way {
        Way::Serial | Way::InPlace(_) => plan.run(inputs, outputs),
        Way::Backwards(width) => {
            let executor = Backwards(1 + usize::from(width % 9), AtomicUsize::new(0));
            run_shared(plan, &executor, &executor.1, inputs, outputs)
        }
        Way::Threads => {
            let executor = Threads(AtomicUsize::new(0));
            run_shared(plan, &executor, &executor.0, inputs, outputs)
        }
        Way::Tasks(tasks) => {
            let tasks = plan.tasks_over(1 + usize::from(tasks % 9), inputs, outputs)?;
            let mut met = Status::default();
            for task in 0..tasks.count() {
                // SAFETY: each task runs once, on this thread.
                met |= unsafe { tasks.run(task) }?;
            }
            Ok(met)
        }
    }
}

/// Runs in as many tasks as the executor is wide and the plan has units: by its cost it would be one.
fn run_shared(
    plan: &Plan,
    executor: &dyn Executor,
    most: &AtomicUsize,
    inputs: &[View<'_>],
    outputs: &mut [ViewMut<'_>],
) -> Result<Status, eltwise::Error> {
    let plan = plan.clone().shared_at_any_cost()?;
    let done = plan.run_with(executor, inputs, outputs);
    let tasks = plan.tasks(executor.width());
    assert!(tasks == 1 || most.load(Ordering::Relaxed) >= tasks, "{tasks} tasks were planned");
    done
}

/// Runs over input `which` itself; `None` when the plan does not allow it.
fn run_in_place(
    program: &Program,
    options: &BindOptions,
    which: usize,
    memory: &[Memory],
    random: u64,
) -> Option<(Memory, Status)> {
    let layouts: Vec<&Layout> = memory.iter().map(|m| &m.layout).collect();
    let options = options.clone().outputs([layouts[which].clone()]);
    let plan = program.bind_with(&layouts, &options).ok()?;
    // The same values, in memory of its own.
    let spare = Order::default_with(random);
    let mut in_out = spare.memory(layouts[which].clone()).ok()?;
    in_out.copy_from(&memory[which]);
    let others: Vec<View<'_>> = memory.iter().enumerate().filter(|&(i, _)| i != which).map(|(_, m)| m.view()).collect();
    match plan.run_in_place(&Serial, which, &others, &mut in_out.view_mut()) {
        Ok(status) => Some((in_out, status)),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Alias, "{error}");
            None
        }
    }
}

fn compare(found: &Tensor, expected: &Tensor, what: &dyn std::fmt::Debug) {
    match found.difference(expected) {
        Ok(None) => {}
        Ok(Some((at, found, expected))) => panic!("element {at} is {found}, expected {expected}: {what:#?}"),
        Err(error) => panic!("{error}: {what:#?}"),
    }
}

fuzz_target!(|input: Input| {
    if let Some(drawn) = &input.drawn {
        return drawn.check();
    }
    let common = input.program.shape();
    let Ok(program) = input.program.program(&common) else { return };
    let mut random = Random(input.seed);
    let mut memory = Vec::new();
    for (spec, (dtype, shape)) in input.program.inputs().zip(input.program.operands(&common)) {
        let layout = spec.order.layout(dtype, &shape, true).expect("small layouts fit");
        let mut operand = spec.order.memory(layout).expect("small layouts fit");
        operand.fill(&mut random);
        memory.push(operand);
    }
    let tensors: Vec<Tensor> = memory.iter().map(Memory::tensor).collect();
    let before: Vec<Vec<u8>> = memory.iter().map(|m| m.bytes().to_vec()).collect();
    let has_math = program.values().iter().any(|value| match &value.node {
        Node::Step { op, .. } | Node::Exact { op, .. } => op.info().is_math(value.dtype),
        _ => false,
    });
    let expected = if has_math { steps::run(&program, &tensors) } else { eltwise_reference::run(&program, &tensors) };
    // What has no elements is not computed, but its steps may be.
    let counts = |outs: &[Memory]| !has_math || outs.iter().all(|out| !out.layout.shape().contains(&0));
    let one_shape = expected.as_ref().is_ok_and(|(outs, _)| outs.iter().all(|t| t.shape() == outs[0].shape()));
    // Outputs of several shapes broadcast with each other.
    let one_space = expected.as_ref().is_ok_and(|(outs, _)| {
        let shapes: Vec<&Shape> = outs.iter().map(Tensor::shape).collect();
        broadcast_shapes(&Broadcast::Numpy, &shapes).is_ok()
    });

    let program = Program::from(program);
    let layouts: Vec<&Layout> = memory.iter().map(|m| &m.layout).collect();
    let levels: Vec<Isa> = Isa::available().collect();
    let mut options = BindOptions::new().isa(levels[usize::from(input.isa) % levels.len()]);
    if input.c_order {
        options = options.c_order();
    }
    if let (Some(order), true, Ok((outs, _))) = (&input.outputs, one_shape, &expected) {
        let layout = |t: &Tensor| order.layout(t.dtype(), t.shape(), false).expect("small layouts fit");
        options = options.outputs(outs.iter().map(layout).collect::<Vec<_>>());
    }

    let bound = program.bind_with(&layouts, &options);
    let ((expected, condition), plan) = match (expected, bound) {
        (Ok(expected), Ok(plan)) if one_space => (expected, plan),
        (Ok(_), Err(_)) if !one_space => return,
        // A small build lacks the cast to u8 of `bitwise_count`.
        (Ok(_), Err(error)) if !cfg!(feature = "all-dtypes") && error.kind() == ErrorKind::Unsupported => return,
        (Ok(_), Ok(_)) => panic!("outputs without a common shape were bound: {input:#?}"),
        (Ok(_), Err(error)) => panic!("refused: {error}: {input:#?}"),
        (Err(error), Ok(_)) => panic!("not refused: {error}: {input:#?}"),
        (Err(oracle), Err(error)) => return assert_eq!(oracle.kind(), error.kind(), "{oracle}; {error}"),
    };
    assert!(!plan.explain(3).to_string().is_empty());

    let order = input.outputs.clone().unwrap_or_else(|| Order::default_with(input.seed));
    let mut results: Vec<Memory> =
        plan.output_layouts().iter().map(|l| order.memory(l.clone()).expect("small layouts fit")).collect();
    let views: Vec<View<'_>> = memory.iter().map(Memory::view).collect();
    let status = {
        let mut outputs: Vec<ViewMut<'_>> = results.iter_mut().map(Memory::view_mut).collect();
        run(&plan, input.way, &views, &mut outputs).unwrap_or_else(|e| panic!("{e}: {input:#?}"))
    };
    for (found, expected) in results.iter().zip(&expected) {
        compare(&found.tensor(), expected, &input);
        assert!(found.is_untouched_between(), "bytes between elements were written: {input:#?}");
    }
    assert!(!counts(&results) || conditions(status) == condition, "{status:?}, expected {condition:?}: {input:#?}");

    if let (Way::InPlace(which), [expected]) = (input.way, &expected[..]) {
        let which = usize::from(which) % memory.len();
        let fits = memory[which].layout.shape() == expected.shape() && memory[which].layout.dtype() == expected.dtype();
        if fits && let Some((found, status)) = run_in_place(&program, &options, which, &memory, input.seed) {
            compare(&found.tensor(), expected, &input);
            assert!(found.is_untouched_between(), "bytes between elements were written: {input:#?}");
            let counts = counts(core::slice::from_ref(&found));
            assert!(!counts || conditions(status) == condition, "{status:?}, expected {condition:?}: {input:#?}");
        }
    }
    let changed = memory.iter().zip(&before).position(|(now, before)| now.bytes() != before);
    assert_eq!(changed, None, "an input was written: {input:#?}");
});
