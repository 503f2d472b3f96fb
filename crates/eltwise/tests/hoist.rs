//! Hoisting does not change results: programs whose values of lower rank are computed once, in a stage before the loops
//! that read them, equal the reference. This holds for outputs of several shapes, on every ISA and executor, in place,
//! and with the caller's scratch for the hoisted values.

use std::cell::Cell;
use std::mem::MaybeUninit;

use eltwise::{
    BindOptions, Broadcast, DType, ErrorKind, Hoist, Isa, Layout, Op, Plan, Program, ProgramBuilder, Serial, Shape,
    View, ViewMut,
};
use eltwise_plan::ValueId;
use eltwise_plan::ir::program::Node;
use eltwise_reference::{Conditions, Tensor};
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::executors::{ReverseOrder, Threads};
use eltwise_testkit::programs::{program, reads_sign};
use eltwise_testkit::{Arrangement, Operand, runner};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

fn fail(what: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(what.to_string())
}

/// A builder with all values of a program, and the ids that they have in it.
fn rebuild(program: &Program) -> (ProgramBuilder, Vec<ValueId>) {
    let mut b = ProgramBuilder::new();
    let mut renamed: Vec<ValueId> = Vec::new();
    for value in program.values() {
        renamed.push(match &value.node {
            Node::Input(index) => b.input(&program.inputs()[*index].name, value.dtype),
            Node::Constant(constant) => b.constant(*constant),
            Node::Step { op, args, broadcast, .. } => {
                let args: Vec<ValueId> = args.iter().map(|a| renamed[a.index()]).collect();
                b.step(*op, &args, Some(value.dtype), broadcast.clone()).unwrap()
            }
            other => panic!("unknown node {other:?}"),
        });
    }
    (b, renamed)
}

/// The program with these values as outputs.
fn with_outputs(program: &Program, outputs: &[usize]) -> Program {
    let (mut b, values) = rebuild(program);
    outputs.iter().for_each(|&out| b.output(values[out]));
    Program::from(b.finish().unwrap())
}

/// `where(condition, y, other)`, where y is the first output of the program. With a `condition` of higher rank, the
/// program is a value that repeats.
fn repeated(program: &Program) -> Program {
    let (mut b, values) = rebuild(program);
    let out = program.outputs()[0];
    let (condition, other) = (b.input("condition", DType::Bool), b.input("other", program.value(out).dtype));
    let chosen = b.step(Op::Where, &[condition, values[out.index()], other], None, Broadcast::Numpy).unwrap();
    b.output(chosen);
    Program::from(b.finish().unwrap())
}

/// The program with more of its steps as outputs, whose shapes broadcast together, and the outputs and conditions of
/// the reference. The bits of `picks` choose the steps, but not within composites that read the sign of a NaN or compute
/// a math function on the way (`spacing`, `round_decimals`).
fn with_more_outputs(program: &Program, inputs: &[Tensor], picks: u64) -> (Program, Vec<Tensor>, Conditions) {
    let steps: Vec<usize> = (program.values().iter().enumerate())
        .filter(|(_, value)| matches!(value.node, Node::Step { .. }))
        .map(|(at, _)| at)
        .collect();
    let all = eltwise_testkit::reference::run(&with_outputs(program, &steps), inputs).unwrap().0;
    let mut outputs: Vec<usize> = program.outputs().iter().map(|out| out.index()).collect();
    // Whether the bits of each value are unspecified.
    let mut is_loose = vec![false; program.values().len()];
    for &step in &steps {
        if let Node::Step { op, args, .. } = &program.values()[step].node {
            let is_math = op.info().is_math(program.values()[step].dtype);
            is_loose[step] = reads_sign(*op) || is_math || args.iter().any(|arg| is_loose[arg.index()]);
        }
    }
    for (i, &step) in steps.iter().enumerate() {
        if picks >> (i % 64) & 1 == 0 || is_loose[step] {
            continue;
        }
        let shape_of = |at: &usize| all[steps.iter().position(|s| s == at).unwrap()].shape();
        let mut shapes: Vec<&Shape> = outputs.iter().map(shape_of).collect();
        shapes.push(all[i].shape());
        if Broadcast::Numpy.align(&shapes).is_ok() {
            // The first or the last output.
            outputs.insert(if picks >> 63 == 1 { 0 } else { outputs.len() }, step);
        }
    }
    let made = with_outputs(program, &outputs);
    let (expected, conditions) = eltwise_testkit::reference::run(&made, inputs).unwrap();
    (made, expected, conditions)
}

/// Runs with the caller's scratch, `skew` bytes after the start of an allocation.
fn run_with_scratch(plan: &Plan, inputs: &[Operand], outputs: &mut [Operand], skew: usize) -> eltwise::Status {
    let inputs: Vec<View<'_>> = inputs.iter().map(Operand::view).collect();
    let mut outputs: Vec<ViewMut<'_>> = outputs.iter_mut().map(Operand::view_mut).collect();
    let mut memory = vec![MaybeUninit::new(0xa5u8); plan.scratch() + skew];
    if let Some(fewer) = plan.scratch().checked_sub(1) {
        let error = plan.run_with_scratch(&Serial, &inputs, &mut outputs, &mut memory[..fewer]);
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Bounds);
    }
    plan.run_with_scratch(&Serial, &inputs, &mut outputs, &mut memory[skew..]).unwrap()
}

/// The number of plans of several stages, and of such plans whose scratch is not on the stack.
#[derive(Default)]
struct Counts {
    staged: Cell<u32>,
    with_scratch: Cell<u32>,
}

#[test]
fn random_programs_equal_the_reference() {
    let (isas, counts, threads) = (check::isas(), Counts::default(), Threads::new(3));
    let mut runner = runner(4.0);
    let cases = runner.config().cases;
    let strategy = (program(), any::<(u64, u64, bool)>(), 1..20usize, 0..6usize);
    let result = runner.run(&strategy, |(made, (seed, picks, chosen), tasks, times)| {
        let each = made.inputs.iter().enumerate();
        let mut inputs: Vec<Operand> =
            each.map(|(i, (d, s, a))| Operand::input(*d, s, a, seed.wrapping_add(2 * i as u64))).collect();
        let mut whole = made.program.clone();
        if times < 4 {
            whole = repeated(&made.program);
            let shape: Shape = [times].into_iter().chain(made.shape.iter().copied()).collect();
            for input in &whole.inputs()[inputs.len()..] {
                inputs.push(Operand::input(input.dtype, &shape, &Arrangement::dense(), seed.wrapping_sub(1)));
            }
        }
        let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
        let (program, expected, conditions) = with_more_outputs(&whole, &tensors, picks);
        let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
        let arranged: Vec<Operand> = (expected.iter().zip(made.outputs.iter().cycle()))
            .map(|(t, a)| Operand::canary(t.dtype(), t.shape(), &a.distinct()))
            .collect();
        for (i, &isa) in isas.iter().enumerate() {
            let hoist = [Hoist::Always, Hoist::Always, Hoist::Gain, Hoist::Never][(seed as usize + i) % 4];
            let mut options = BindOptions::new().isa(isa).hoist(hoist);
            if !chosen {
                options = options.outputs(arranged.iter().map(|o| o.layout().clone()).collect::<Vec<_>>());
            }
            let plan = program.bind_with(&layouts, &options).map_err(fail)?;
            let text = plan.explain(2).to_string();
            counts.staged.set(counts.staged.get() + u32::from(text.contains("\n  stage ")));
            counts.with_scratch.set(counts.with_scratch.get() + u32::from(plan.scratch() > 0));
            let mut outputs: Vec<Operand> = if chosen {
                plan.output_layouts().iter().map(|l| Operand::with_layout(l.clone())).collect()
            } else {
                arranged.clone()
            };
            let status = match (seed as usize / 8 + i) % 5 {
                0 => check::run(&plan, RunMode::On(&Serial), &inputs, &mut outputs),
                1 => check::run(&plan, RunMode::On(&ReverseOrder(7)), &inputs, &mut outputs),
                2 => check::run(&plan, RunMode::On(&threads), &inputs, &mut outputs),
                3 => check::run(&plan, RunMode::Tasks(tasks), &inputs, &mut outputs),
                _ => Ok(run_with_scratch(&plan, &inputs, &mut outputs, tasks)),
            };
            let status = status.map_err(fail)?;
            let with_plan = |e: String| fail(format!("{isa}, {hoist:?}: {e}\n{text}"));
            check::compare_outputs(&expected, &outputs, false).map_err(with_plan)?;
            // A result without elements computes nothing, so it reports no condition.
            let empty = expected.iter().any(|t| t.shape().contains(&0));
            if !empty && check::conditions(status) != conditions {
                return Err(with_plan(format!("the run reports {status:?}, expected {conditions:?}")));
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    let (staged, with_scratch) = (counts.staged.get(), counts.with_scratch.get());
    println!("{staged} plans of several stages, {with_scratch} with scratch, of {cases} cases");
    // About two in five plans have stages on each ISA. Emulators run too few cases for a reliable count.
    let plans = cases * isas.len() as u32;
    assert!(plans < 256 || staged > plans / 5, "only {staged} of {plans} plans have stages");
    assert!(cases < 500 || with_scratch > 0, "no plan needs scratch");
}

/// Programs of one output, which overwrites each input that has its layout.
#[test]
fn random_programs_in_place_equal_the_reference() {
    let accepted = Cell::new(0u32);
    let mut runner = runner(4.0);
    let cases = runner.config().cases;
    let strategy = (program(), any::<u64>(), any::<bool>());
    let result = runner.run(&strategy, |(made, seed, repeat)| {
        let mut program = with_outputs(&made.program, &[made.program.outputs()[0].index()]);
        let (mut given, mut shape) = (made.inputs.clone(), made.shape.clone());
        if repeat {
            // The original program is hoisted, and the input `other` may be overwritten.
            program = repeated(&program);
            shape = [3].into_iter().chain(made.shape.iter().copied()).collect();
            given
                .extend(program.inputs()[given.len()..].iter().map(|i| (i.dtype, shape.clone(), Arrangement::dense())));
        }
        let dtype = program.value(program.outputs()[0]).dtype;
        for index in 0..given.len() {
            if given[index].0 != dtype || given[index].1 != shape {
                continue;
            }
            let each = given.iter().enumerate();
            let inputs: Vec<Operand> = each
                .map(|(i, (d, s, a))| {
                    let a = if i == index { a.distinct() } else { a.clone() };
                    Operand::input(*d, s, &a, seed.wrapping_add(i as u64))
                })
                .collect();
            let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
            let expected = eltwise_testkit::reference::run(&program, &tensors).unwrap().0;
            let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
            let options = BindOptions::new().hoist(Hoist::Always).outputs([layouts[index].clone()]);
            let plan = program.bind_with(&layouts, &options).map_err(fail)?;
            let mut in_out = inputs[index].clone();
            let others = inputs.iter().enumerate().filter(|(i, _)| *i != index);
            let others: Vec<View<'_>> = others.map(|(_, o)| o.view()).collect();
            let run = plan.run_in_place(&ReverseOrder(5), index, &others, &mut in_out.view_mut());
            let _ = run.map_err(|e| fail(format!("{e}\n{}", plan.explain(1))))?;
            check::compare_tensors(&expected[0], &in_out.tensor(), false)
                .map_err(|e| fail(format!("{e}\n{}", plan.explain(1))))?;
            accepted.set(accepted.get() + u32::from(plan.explain(1).to_string().contains("\n  stage ")));
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    println!("{} runs in place with stages, of {cases} cases", accepted.get());
    assert!(
        cases < 256 || accepted.get() >= cases / 8,
        "only {} runs in place have stages, of {cases} cases",
        accepted.get()
    );
}

fn f32s(shape: &[usize], seed: u64) -> Operand {
    Operand::input(DType::F32, &Shape::new(shape), &Arrangement::dense(), seed)
}

fn parse(texts: &[&str], inputs: &[(&str, DType)]) -> Program {
    let outputs: Vec<eltwise::Expr> = texts.iter().map(|t| eltwise::Expr::parse(t).unwrap()).collect();
    Program::new(&outputs.iter().collect::<Vec<_>>(), inputs).unwrap()
}

#[test]
fn an_output_may_overwrite_an_input_that_no_later_stage_reads() {
    let names = [("x", DType::F32), ("v", DType::F32)];
    let (x, v) = (f32s(&[300, 40], 2), f32s(&[40], 4));
    let root = Operand::canary(DType::F32, &[40].into(), &Arrangement::dense());
    for (text, is_allowed) in [("x * sqrt(v)", true), ("x * sqrt(v) + v", false)] {
        let program = parse(&["sqrt(v)", text], &names);
        let plan = program.bind_with(&[x.layout(), v.layout()], &BindOptions::new()).unwrap();
        assert_eq!(plan.output_layouts(), [v.layout().clone(), x.layout().clone()]);
        let expected = eltwise_testkit::reference::run(&program, &[x.tensor(), v.tensor()]).unwrap().0;
        let at = |o: &Operand| o.view().as_ptr();
        // The last stage writes output 1. It may overwrite x, which that stage reads once.
        let (mut x2, mut root2) = (x.clone(), root.clone());
        let (px, pr) = (x2.view_mut().as_mut_ptr(), root2.view_mut().as_mut_ptr());
        // SAFETY: the pointers are to operands that have the layouts of the plan and outlive the run.
        let _ = unsafe { plan.run_at(&Serial, &[px, at(&v)], &[pr, px]) }.unwrap();
        check::compare_outputs(&expected, &[root2, x2], false).unwrap();
        // The first stage writes output 0. It may overwrite v if the last stage does not read v.
        let (mut v2, mut out) = (v.clone(), x.clone());
        let (pv, po) = (v2.view_mut().as_mut_ptr(), out.view_mut().as_mut_ptr());
        // SAFETY: the pointers are to operands that have the layouts of the plan and outlive the run.
        let run = unsafe { plan.run_at(&Serial, &[at(&x), pv], &[pv, po]) };
        if is_allowed {
            let _ = run.unwrap();
            check::compare_outputs(&expected, &[v2, out], false).unwrap();
        } else {
            assert_eq!(run.unwrap_err().kind(), ErrorKind::Alias);
            assert_eq!(v2.bytes(), v.bytes());
        }
    }
}

/// Every method of running a plan reports the conditions that its stages met.
#[test]
fn a_run_reports_the_conditions_of_its_stages() {
    let program = Program::parse("x + a / b", &[("x", DType::I32), ("a", DType::I32), ("b", DType::I32)]).unwrap();
    for divisor in [0i32, 3] {
        let input = |shape: &[usize], x: i32| {
            let n = shape.iter().product();
            eltwise::Array::from_slice(&vec![x; n], Shape::new(shape)).unwrap()
        };
        let inputs = [input(&[200, 500], 7), input(&[1], 12), input(&[1], divisor)];
        let layouts = inputs.each_ref().map(|a| a.layout());
        let plan = program.bind(&layouts).unwrap();
        assert!(plan.explain(1).to_string().contains("stage"));
        let views = inputs.each_ref().map(|a| a.view());
        let mut out = eltwise::Array::zeros(DType::I32, [200, 500]).unwrap();
        assert_eq!(plan.run(&views, &mut [out.view_mut()]).unwrap().zero_division(), divisor == 0);
        assert_eq!(
            plan.run_with(&ReverseOrder(4), &views, &mut [out.view_mut()]).unwrap().zero_division(),
            divisor == 0
        );
        assert_eq!(plan.run_checked(&Serial, &views, &mut [out.view_mut()]).is_err(), divisor == 0);
        let mut outputs = [out.view_mut()];
        let tasks = plan.tasks_over(2, &views, &mut outputs).unwrap();
        // SAFETY: this thread runs every task once.
        let status = unsafe { tasks.run(0).unwrap() | tasks.run(1).unwrap() };
        assert_eq!(status.zero_division(), divisor == 0);
        drop(tasks);
        drop(outputs);
        assert_eq!(out.as_slice::<i32>().unwrap()[99_999], if divisor == 0 { 7 } else { 11 });
    }
}

/// The plan needs scratch that is not on the stack.
#[test]
fn threads_that_share_a_plan_with_stages_get_the_same_bits() {
    let program = Program::parse("x * exp(v)", &[("x", DType::F32), ("v", DType::F32)]).unwrap();
    let (x, v) = (f32s(&[20, 9000], 2), f32s(&[9000], 4));
    let plan = program.bind(&[x.layout(), v.layout()]).unwrap();
    assert!(plan.scratch() > 9000 * 4);
    let run = |v: &Operand| {
        let mut out = vec![Operand::with_layout(plan.output_layouts()[0].clone())];
        let _ = check::run(&plan, RunMode::On(&Serial), &[x.clone(), v.clone()], &mut out).unwrap();
        out[0].tensor()
    };
    std::thread::scope(|scope| {
        for seed in 0..8 {
            let run = &run;
            scope.spawn(move || {
                let v = f32s(&[9000], 2 * seed);
                let first = run(&v);
                (0..50).for_each(|_| assert!(check::compare_tensors(&first, &run(&v), true).is_ok()));
            });
        }
    });
}

#[test]
fn explain_lists_the_stages() {
    let program = parse(&["x * exp(v + s)", "sqrt(s)"], &[("x", DType::F32), ("v", DType::F32), ("s", DType::F32)]);
    // No decision of this plan depends on the host, but the costs of its search do.
    let layouts = [&[500, 640][..], &[640], &[1]].map(|shape| Layout::contiguous(DType::F32, shape).unwrap());
    let plan = program.bind_with(&layouts.each_ref(), &BindOptions::new().isa(Isa::Scalar)).unwrap();
    let text = plan.explain(1).to_string();
    let (searches, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("  search "));
    assert_eq!(searches.len(), 1, "{text}");
    let expected = "\
program of 4 steps  x f32[500, 640], v f32[640], s f32[1]  (numpy)  scalar
  stage      out1 f32[1]  direct 1 x 1, s splat; 1 task
  step       out1 = sqrt(s)  f32
  stage      s1 f32[640]  tiled 1 x (640), 2560 bytes of scratch, s splat; 1 task
  step       t0 = add(v, s)  f32
  step       s1 = exp(t0)  f32
  coalesced  (500, 640)   out0 (2560, 4)  x (2560, 4)  s1 (0, 4)     bytes
  strategy   direct 500 x 640; 1 task
  step       out0 = multiply(x, s1)  f32";
    assert_eq!(lines.join("\n"), expected);
}

#[test]
fn contract_rounds_a_product_and_a_sum_once() {
    let names = [("a", DType::F32), ("b", DType::F32), ("c", DType::F32)];
    let rows = [f32s(&[1000], 2), f32s(&[1000], 4), f32s(&[1000], 6)];
    let layouts: Vec<&Layout> = rows.iter().map(Operand::layout).collect();
    let run = |program: Program| {
        let plan = program.bind(&layouts).unwrap();
        let mut out = vec![Operand::with_layout(plan.output_layouts()[0].clone())];
        let _ = check::run(&plan, RunMode::On(&Serial), &rows, &mut out).unwrap();
        out[0].tensor()
    };
    for (text, contracted) in [
        ("a * b + c", "fma(a, b, c)"),
        ("c + a * b", "fma(a, b, c)"),
        ("a * b - c", "fma(a, b, -c)"),
        ("c - a * b", "fma(-a, b, c)"),
        ("c - a * 3", "fma(a, -3, c)"),
    ] {
        let plain = Program::parse(text, &names).unwrap();
        let fma = run(Program::parse(contracted, &names).unwrap());
        check::compare_tensors(&fma, &run(plain.clone().contract(true)), false)
            .unwrap_or_else(|e| panic!("{text}: {e}"));
        let rounded_twice = run(plain.clone().contract(false));
        check::compare_tensors(&run(plain), &rounded_twice, false).unwrap();
        assert!(check::compare_tensors(&fma, &rounded_twice, false).is_err(), "{text} rounds once without contract");
    }
}

#[test]
fn equal_subexpressions_are_one_step_across_outputs() {
    let program = parse(&["exp(x) + exp(x)", "sqrt(exp(x))"], &[("x", DType::F32), ("y", DType::F32)]);
    assert_eq!(program.step_count(), 3);
    let ops: Vec<Op> = (program.values().iter())
        .filter_map(|v| if let Node::Step { op, .. } = v.node { Some(op) } else { None })
        .collect();
    assert_eq!(ops.iter().filter(|&&op| op == Op::Exp).count(), 1);
}
