//! Running any program over any layouts, in any way. The result equals the reference bit by bit; with math functions it
//! equals the steps run one by one over contiguous arrays on the scalar ISA. Inputs and bytes between elements stay
//! unchanged. If the reference gives an error, the engine gives one of the same kind. Some fuzzer inputs are cases of
//! `just soak` instead.
#![no_main]

use std::sync::atomic::{AtomicUsize, Ordering};

use eltwise::{
    BindOptions, Broadcast, Error, ErrorKind, Executor, Isa, Layout, Plan, Program, Serial, Shape, Status, View,
    ViewMut, broadcast_shapes,
};
use eltwise_fuzz::memory::{GuardedOperand, LayoutSpec, Random};
use eltwise_fuzz::programs::ProgramSpec;
use eltwise_fuzz::soak_case::SoakSpec;
use eltwise_fuzz::stepwise;
use eltwise_plan::ir::program::Node;
use eltwise_reference::{Conditions, Tensor};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    program: ProgramSpec,
    seed: u64,
    isa: u8,
    c_order: bool,
    /// The layout of the outputs; `None` if the engine chooses.
    outputs: Option<LayoutSpec>,
    execution: Execution,
    /// A case of the soak test, to be run instead.
    soak: Option<SoakSpec>,
}

/// How the plan is run.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Execution {
    Serial,
    ReverseOrder(u8),
    Threads,
    Tasks(u8),
    InPlace(u8),
}

/// Runs tasks on the calling thread, the last first. Has a width, and records the largest number of tasks.
struct ReverseOrder(usize, AtomicUsize);

impl Executor for ReverseOrder {
    fn width(&self) -> usize {
        self.0
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        self.1.fetch_max(tasks, Ordering::Relaxed);
        (0..tasks).rev().for_each(f);
    }
}

/// Runs tasks on three threads that take them from a counter. Records the largest number of tasks.
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

/// The data conditions of a run, as the reference gives them.
fn conditions(status: Status) -> Conditions {
    Conditions { zero_division: status.zero_division(), negative_exponent: status.negative_exponent() }
}

fn run(
    plan: &Plan,
    execution: Execution,
    inputs: &[View<'_>],
    outputs: &mut [ViewMut<'_>],
) -> Result<Status, eltwise::Error> {
    match execution {
        Execution::Serial | Execution::InPlace(_) => plan.run(inputs, outputs),
        Execution::ReverseOrder(width) => {
            let executor = ReverseOrder(1 + usize::from(width % 9), AtomicUsize::new(0));
            run_in_parallel(plan, &executor, &executor.1, inputs, outputs)
        }
        Execution::Threads => {
            let executor = Threads(AtomicUsize::new(0));
            run_in_parallel(plan, &executor, &executor.0, inputs, outputs)
        }
        Execution::Tasks(tasks) => {
            let tasks = plan.tasks_over(1 + usize::from(tasks % 9), inputs, outputs)?;
            let mut met = Status::default();
            for task in 0..tasks.count() {
                // SAFETY: each task runs once, and all on this thread, so no two run at the same time.
                met |= unsafe { tasks.run(task) }?;
            }
            Ok(met)
        }
    }
}

/// Runs a plan that was bound without a least work per task, and checks that it is shared.
fn run_in_parallel(
    plan: &Plan,
    executor: &dyn Executor,
    max_tasks: &AtomicUsize,
    inputs: &[View<'_>],
    outputs: &mut [ViewMut<'_>],
) -> Result<Status, eltwise::Error> {
    let done = plan.run_with(executor, inputs, outputs);
    let tasks = plan.tasks(executor.width());
    assert!(tasks == 1 || max_tasks.load(Ordering::Relaxed) >= tasks, "{tasks} tasks were planned");
    done
}

/// Runs in the memory of input `which`. `None` if the engine returns an error.
fn run_in_place(
    program: &Program,
    options: &BindOptions,
    which: usize,
    memory: &[GuardedOperand],
    random: u64,
) -> Option<(GuardedOperand, Status)> {
    let layouts: Vec<&Layout> = memory.iter().map(|m| &m.layout).collect();
    let options = options.clone().outputs([layouts[which].clone()]);
    let plan = program.bind_with(&layouts, &options).ok()?;
    // A copy of the input.
    let spec = LayoutSpec::contiguous(random);
    let mut in_out = spec.memory(layouts[which].clone()).ok()?;
    in_out.copy_elements_from(&memory[which]);
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
    if let Some(case) = &input.soak {
        return case.check();
    }
    let common = input.program.shape();
    let Ok(program) = input.program.program(&common) else { return };
    let mut random = Random(input.seed);
    let mut memory = Vec::new();
    for (spec, (dtype, shape)) in input.program.inputs().zip(input.program.operands(&common)) {
        let layout = spec.layout.layout(dtype, &shape, true).expect("small layouts fit");
        let mut operand = spec.layout.memory(layout).expect("small layouts fit");
        operand.fill(&mut random);
        memory.push(operand);
    }
    let tensors: Vec<Tensor> = memory.iter().map(GuardedOperand::tensor).collect();
    let before: Vec<Vec<u8>> = memory.iter().map(|m| m.bytes().to_vec()).collect();
    let has_math = program.values().iter().any(|value| match &value.node {
        Node::Step { op, .. } => op.info().is_math(value.dtype),
        _ => false,
    });
    let expected =
        if has_math { stepwise::run(&program, &tensors) } else { eltwise_testkit::reference::run(&program, &tensors) };
    // Without elements the engine computes nothing, but single steps may have elements.
    let counts = |outs: &[GuardedOperand]| !has_math || outs.iter().all(|out| !out.layout.shape().contains(&0));
    let one_shape = expected.as_ref().is_ok_and(|(outs, _)| outs.iter().all(|t| t.shape() == outs[0].shape()));
    // Outputs of different shapes are expanded to a common shape.
    let have_common_shape = expected.as_ref().is_ok_and(|(outs, _)| {
        let shapes: Vec<&Shape> = outs.iter().map(Tensor::shape).collect();
        broadcast_shapes(&Broadcast::Numpy, &shapes).is_ok()
    });

    let program = Program::from(program);
    let layouts: Vec<&Layout> = memory.iter().map(|m| &m.layout).collect();
    let isas: Vec<Isa> = Isa::available().collect();
    let mut options = BindOptions::new().isa(isas[usize::from(input.isa) % isas.len()]);
    if input.c_order {
        options = options.c_order();
    }
    if matches!(input.execution, Execution::ReverseOrder(_) | Execution::Threads) {
        // By default, a small plan is a single task.
        options = options.min_task_ns(0);
    }
    if let (Some(spec), true, Ok((outs, _))) = (&input.outputs, one_shape, &expected) {
        let layout = |t: &Tensor| spec.layout(t.dtype(), t.shape(), false).expect("small layouts fit");
        options = options.outputs(outs.iter().map(layout).collect::<Vec<_>>());
    }

    let bound = program.bind_with(&layouts, &options);
    // A build without all dtypes lacks the cast to u8 in `bitwise_count`, and others.
    let lacks_kernels = |error: &Error| !cfg!(feature = "all-dtypes") && error.kind() == ErrorKind::Unsupported;
    let ((expected, condition), plan) = match (expected, bound) {
        (Ok(expected), Ok(plan)) if have_common_shape => (expected, plan),
        (Ok(_), Err(_)) if !have_common_shape => return,
        (Ok(_), Err(error)) | (Err(error), _) if lacks_kernels(&error) => return,
        (Ok(_), Ok(_)) => panic!("outputs without a common shape were bound: {input:#?}"),
        (Ok(_), Err(error)) => panic!("an error: {error}: {input:#?}"),
        (Err(error), Ok(_)) => panic!("not an error: {error}: {input:#?}"),
        (Err(expected), Err(error)) => return assert_eq!(expected.kind(), error.kind(), "{expected}; {error}"),
    };
    assert!(!plan.explain(3).to_string().is_empty());

    let spec = input.outputs.clone().unwrap_or_else(|| LayoutSpec::contiguous(input.seed));
    let mut results: Vec<GuardedOperand> =
        plan.output_layouts().iter().map(|l| spec.memory(l.clone()).expect("small layouts fit")).collect();
    let views: Vec<View<'_>> = memory.iter().map(GuardedOperand::view).collect();
    let status = {
        let mut outputs: Vec<ViewMut<'_>> = results.iter_mut().map(GuardedOperand::view_mut).collect();
        run(&plan, input.execution, &views, &mut outputs).unwrap_or_else(|e| panic!("{e}: {input:#?}"))
    };
    for (found, expected) in results.iter().zip(&expected) {
        compare(&found.tensor(), expected, &input);
        assert!(found.has_intact_canaries(), "bytes between elements were written: {input:#?}");
    }
    assert!(!counts(&results) || conditions(status) == condition, "{status:?}, expected {condition:?}: {input:#?}");

    if let (Execution::InPlace(which), [expected]) = (input.execution, &expected[..]) {
        let which = usize::from(which) % memory.len();
        let fits = memory[which].layout.shape() == expected.shape() && memory[which].layout.dtype() == expected.dtype();
        if fits && let Some((found, status)) = run_in_place(&program, &options, which, &memory, input.seed) {
            compare(&found.tensor(), expected, &input);
            assert!(found.has_intact_canaries(), "bytes between elements were written: {input:#?}");
            let counts = counts(core::slice::from_ref(&found));
            assert!(!counts || conditions(status) == condition, "{status:?}, expected {condition:?}: {input:#?}");
        }
    }
    let changed = memory.iter().zip(&before).position(|(now, before)| now.bytes() != before);
    assert_eq!(changed, None, "an input was written: {input:#?}");
});
