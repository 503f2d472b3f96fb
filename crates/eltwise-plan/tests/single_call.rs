//! The call of a single step, bound from layouts alone, is the call that binding, loop nest and schedule give.

#[path = "common/layouts.rs"]
pub mod layouts;

use eltwise_core::{Broadcast, Constant, DType, Layout, Op};
use eltwise_plan::single_call::{BoundCall, Operands, SingleCall, SingleStep};
use eltwise_plan::{Binding, CpuModel, KernelCapabilities, Program, ProgramBuilder, Schedule, Target};
use layouts::random_layout;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// A program of one step. Two operands may be the same input, and an operand may be a constant.
fn program(op: Op, dtype: DType, args: [u8; 3], mode: Broadcast) -> Program {
    let mut b = ProgramBuilder::new();
    let dtype_of = |k: usize| if op == Op::Where && k == 0 { DType::Bool } else { dtype };
    let inputs = [0, 1, 2].map(|k| b.input(["x", "y", "z"][k], dtype_of(k)));
    let args: Vec<_> = (0..op.arity())
        .map(|k| match args[k] {
            0 => b.constant(Constant { dtype: dtype_of(k), bits: 1 }),
            1 if op != Op::Where => inputs[0],
            2 if op != Op::Where => inputs[2 - k],
            _ => inputs[k],
        })
        .collect();
    let out = b.step(op, &args, Some(DType::F64), mode).unwrap();
    b.output(out);
    b.finish().unwrap()
}

/// Binds the single step of a program. `None` if the run is no single call.
fn bind(program: &Program, inputs: &[&Layout], output: Option<&Layout>, target: &Target) -> Option<BoundCall> {
    SingleStep::of(program)?.bind(inputs, output, target)
}

/// The default target with kernels for vectors of a size, which permute or not.
fn with_vectors(vector_bytes: usize, permutes: bool) -> Target {
    let kernels = KernelCapabilities { vector_bytes, permutes, ..KernelCapabilities::default() };
    Target { kernels, ..Target::default() }
}

const OPS: [Op; 8] = [Op::Add, Op::Divide, Op::Negative, Op::Less, Op::Where, Op::Fma, Op::Copy, Op::Cast];
const DTYPES: [DType; 4] = [DType::I8, DType::I16, DType::F32, DType::I64];

#[test]
fn a_single_call_equals_the_call_of_the_schedule() {
    let sizes = prop_oneof![8 => 1usize..6, 1 => Just(0usize), 2 => Just(40usize), 1 => Just(130usize)];
    let strategy = (
        (0..OPS.len(), 0..DTYPES.len(), [0u8..8, 0u8..8, 0u8..8], prop::bool::weighted(0.1)),
        prop::collection::vec(sizes, 0..5),
        prop::array::uniform4(random_layout()),
        (
            prop::bool::weighted(0.5),
            any::<bool>(),
            0u8..40,
            prop::sample::select(vec![(16, false), (64, false), (64, true)]),
        ),
    );
    let cases = Config::default().cases.max(2048);
    let (mut given_output, mut chosen_output, mut none) = (0, 0, 0);
    let counts = std::cell::RefCell::new((&mut given_output, &mut chosen_output, &mut none));
    let (dense, chosen_dense) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)).run(
        &strategy,
        |((op, dtype, args, equal), common, random, (given, c_order, wrong, (vector_bytes, permutes)))| {
            let target = with_vectors(vector_bytes, permutes);
            let mode = if equal { Broadcast::None } else { Broadcast::Numpy };
            let program = program(OPS[op], DTYPES[dtype], args, mode);
            let layouts: Vec<Layout> =
                program.inputs().iter().zip(&random).map(|(i, l)| l.layout(i.dtype, &common, false)).collect();
            let inputs: Vec<&Layout> = layouts.iter().collect();
            let to = program.value(program.outputs()[0]).dtype;
            // Some outputs have a wrong dtype, and some may overlap themselves.
            let to = if wrong == 0 { DType::U32 } else { to };
            let output = match given {
                true => Some(random[3].layout(to, &common, wrong > 3)),
                false => None,
            };
            let schedule =
                Binding::new(&program, &inputs, output.as_ref().map(|o| [o]).as_ref().map(|o| &o[..]), c_order)
                    .map(|binding| Schedule::new(binding, &target));
            let bound = bind(&program, &inputs, output.as_ref(), &target);
            let is_dense = bound.as_ref().is_some_and(|bound| matches!(bound.call.ins, Operands::Dense { .. }));
            dense.set(dense.get() + usize::from(is_dense));
            chosen_dense.set(chosen_dense.get() + usize::from(is_dense && !given));
            let mut counts = counts.borrow_mut();
            let Some(bound) = bound else {
                // With a given output and NumPy's mode, the single call is found if there is one. Of short rows, which need a
                // search, the schedule may be a single call too.
                if let (Ok(schedule), true, false) = (&schedule, given, equal) {
                    let call = SingleCall::of_schedule(schedule);
                    let is_found = call.is_some_and(|call| call.rows == 1 || call.cols >= 2048);
                    prop_assert!(!is_found || schedule.max_tasks(&target) > 1, "{schedule:?}");
                }
                *counts.2 += 1;
                return Ok(());
            };
            let schedule =
                schedule.map_err(|e| TestCaseError::fail(format!("a single call, but the binding fails: {e}")))?;
            *(if given { &mut *counts.0 } else { &mut *counts.1 }) += 1;
            let (call, first) = (SingleCall::of_schedule(&schedule), &schedule.binding.steps[0]);
            prop_assert_eq!(Some(&bound.call), call.as_ref());
            prop_assert_eq!(Some(&bound.output), schedule.binding.outputs.first());
            prop_assert_eq!(bound.cost.bytes(), schedule.bytes);
            let step = SingleStep::of(&program).unwrap();
            prop_assert_eq!((step.op.into(), step.from), (first.op, first.from));
            prop_assert_eq!((bound.cost, bound.cost.tasks), (schedule.cost(&target), 1));
            for input in 0..inputs.len() {
                prop_assert_eq!(bound.may_alias[input], schedule.binding.may_alias(0, input), "input {}", input);
            }
            Ok(())
        },
    );
    result.unwrap_or_else(|e| panic!("{e}"));
    let (dense, chosen_dense) = (dense.get(), chosen_dense.get());
    assert!(dense > cases as usize / 40, "only {dense} dense calls of {cases} cases");
    assert!(
        chosen_dense > cases as usize / 400,
        "only {chosen_dense} dense calls with a chosen output of {cases} cases"
    );
    assert!(
        given_output > cases / 20 && chosen_output > cases / 40 && none > cases / 20,
        "calls with a given output {given_output}, with a chosen one {chosen_output}, no call {none}, of {cases} cases"
    );
}

/// The first size without a single call is the first with a second task.
#[test]
fn runs_worth_several_threads_are_no_single_call() {
    let target = Target::default();
    for (op, dtype) in [(Op::Add, DType::F32), (Op::Divide, DType::I32)] {
        let program = Program::single(op, &[dtype; 2], None, Broadcast::Numpy).unwrap();
        let mut last = None;
        for bits in 10..24 {
            for eighths in 8..16 {
                let layout = Layout::contiguous(dtype, [eighths << (bits - 3)]).unwrap();
                let binding = Binding::new(&program, &[&layout, &layout], Some(&[&layout]), false).unwrap();
                let tasks = Schedule::new(binding, &target).max_tasks(&target);
                let found = bind(&program, &[&layout, &layout], Some(&layout), &target).is_some();
                assert_eq!(found, tasks == 1, "{layout}: {tasks} tasks");
                assert_eq!(
                    bind(&program, &[&layout, &layout], None, &target).is_some(),
                    found,
                    "{layout}: {tasks} tasks"
                );
                last = Some(found);
            }
        }
        assert_eq!(last, Some(false));
    }
}

#[test]
fn dense_operands_of_two_and_more_elements_are_a_dense_call() {
    let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
    let target = Target::default();
    for shape in [&[][..], &[0], &[1], &[2], &[1, 1], &[1, 2], &[2, 1], &[3, 0], &[3, 2], &[2, 1, 1, 1, 1, 1, 1, 3]] {
        let layout = Layout::contiguous(DType::F32, shape).unwrap();
        for output in [None, Some(&layout)] {
            let bound = bind(&program, &[&layout, &layout], output, &target);
            assert_eq!(
                bound.as_ref().map(|bound| &bound.output),
                (layout.elements() > 0).then_some(&layout),
                "{layout}"
            );
            let expected = (layout.elements() > 1, layout.elements());
            assert!(bound.is_none_or(|bound| (matches!(bound.call.ins, Operands::Dense { .. }), bound.call.cols) == expected), "{layout}");
        }
    }
}

/// The stride of overlapping rows is smaller than a row, so NumPy's axis order makes their axis the inner one of the
/// output, and the output is not like the input.
#[test]
fn overlapping_rows_are_no_single_call() {
    let negative = Program::single(Op::Negative, &[DType::F32], None, Broadcast::Numpy).unwrap();
    for (row, is_single) in [(2, false), (-2, false), (4, true), (64, true), (400, true), (0, true)] {
        let input = Layout::strided(DType::F32, [20, 16], [row, 4]).unwrap();
        let chosen = Binding::new(&negative, &[&input], None, false).unwrap().outputs[0].clone();
        let bound = bind(&negative, &[&input], None, &Target::default());
        assert_eq!(bound.map(|bound| bound.output), is_single.then_some(chosen), "{row}");
    }
}

/// The plan of short rows is searched. In small runs, rows of a vector are long enough.
#[test]
fn short_rows_are_no_single_call() {
    let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
    // Floats of a run, and of its shortest rows.
    for (elements, shortest) in [(1200, 16), (24 << 10, 512)] {
        for columns in [15, 16, 17, 128, 511, 512, 513] {
            let dims = [elements / columns, columns];
            let a = Layout::contiguous(DType::F32, dims).unwrap();
            let gap = 4 * columns as isize + 12;
            for strides in [[4, 0], [0, 4], [0, 0], [gap, 4]] {
                let b = Layout::strided(DType::F32, dims, strides).unwrap();
                for permutes in [false, true] {
                    let target = with_vectors(64, permutes);
                    let found = bind(&program, &[&a, &b], Some(&a), &target);
                    // One element is the same for all rows: one row.
                    let expected = columns >= shortest || strides == [0, 0];
                    assert_eq!(found.is_some(), expected, "{columns} columns, {b}, permutes {permutes}");
                    let Some(found) = found else { continue };
                    let bytes =
                        Binding::new(&program, &[&a, &b], Some(&[&a]), false).map(|b| Schedule::new(b, &target).bytes);
                    let (cost, written) = (found.cost, a.shape().bytes(4).unwrap());
                    assert_eq!((cost.written, cost.bytes(), cost.tasks), (written, bytes.unwrap(), 1));
                }
            }
        }
    }
}

/// Within the L2 cache, the plan of rows that all read the same row of more than 8 KiB is searched. Rows with a splat or their
/// own row are a single call, and so is a copy.
#[test]
fn long_rows_that_share_a_row_are_no_single_call() {
    let add = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
    let copy = Program::single(Op::Copy, &[DType::F32], None, Broadcast::Numpy).unwrap();
    let f = |dims: [usize; 2], strides: [isize; 2]| Layout::strided(DType::F32, dims, strides).unwrap();
    for (rows, columns, l2) in
        [(2, 4096, 1 << 20), (8, 512, 1 << 20), (8, 2048, 1 << 20), (8, 4096, 1 << 20), (8, 4096, 100 << 10)]
    {
        let target = Target { cpu: CpuModel { l2, ..CpuModel::default() }, ..with_vectors(64, false) };
        let (dims, row) = ([rows, columns], 4 * columns as isize);
        let [whole, shared, splat, padded] = [[row, 4], [0, 4], [4, 0], [row + 64, 4]].map(|strides| f(dims, strides));
        let is_long = columns > 2048 && l2 == 1 << 20;
        for (program, inputs, is_searched) in [
            (&add, vec![&whole, &shared], is_long),
            (&add, vec![&shared, &whole], is_long),
            (&add, vec![&whole, &splat], false),
            (&add, vec![&whole, &padded], false),
            (&copy, vec![&shared], is_long),
        ] {
            let bound = bind(program, &inputs, Some(&whole), &target);
            let what = format!("{rows} rows of {columns}: {inputs:?}");
            assert_eq!(bound.is_none(), is_searched, "{what}");
            let Some(bound) = bound else { continue };
            let schedule = Schedule::new(Binding::new(program, &inputs, Some(&[&whole]), false).unwrap(), &target);
            assert_eq!(Some(bound.call), SingleCall::of_schedule(&schedule), "{what}");
        }
    }
}

#[test]
fn operands_that_do_not_fit_the_program_are_no_single_call() {
    let target = Target::default();
    let add = |mode| Program::single(Op::Add, &[DType::F32; 2], None, mode).unwrap();
    let program = add(Broadcast::Numpy);
    let f = |shape: &[usize]| Layout::contiguous(DType::F32, shape).unwrap();
    let (a, ints) = (f(&[2, 3]), Layout::contiguous(DType::I32, [2, 3]).unwrap());
    let is_single =
        |program: &Program, inputs: &[&Layout], out: &Layout| bind(program, inputs, Some(out), &target).is_some();
    let chosen = |program: &Program, inputs: &[&Layout]| Some(bind(program, inputs, None, &target)?.output);
    assert!(is_single(&program, &[&a, &a], &a));
    assert!(!is_single(&program, &[&a], &a) && !is_single(&program, &[&a, &a, &a], &a));
    assert!(
        !is_single(&program, &[&a, &ints], &a)
            && !is_single(&program, &[&ints, &a], &a)
            && !is_single(&program, &[&a, &a], &ints)
    );
    assert!(!is_single(&add(Broadcast::None), &[&a, &a], &a));
    assert!(chosen(&program, &[&a]).is_none());
    // Single calls have at most rank 8.
    for rank in [8, 9] {
        let high = f(&vec![1; rank]);
        assert_eq!(is_single(&program, &[&high, &high], &high), rank == 8);
    }
    // The output has the shape of the operand with the most axes.
    assert_eq!(chosen(&program, &[&f(&[4, 1]), &f(&[4, 50])]), Some(f(&[4, 50])));
    assert_eq!(chosen(&program, &[&f(&[4, 50]), &f(&[1, 50])]), Some(f(&[4, 50])));
    assert_eq!(chosen(&program, &[&f(&[4, 1]), &f(&[1, 50])]), None);
    // An output in a different dtype may be too large for the address space.
    let cast = Program::single(Op::Cast, &[DType::I16], Some(DType::F64), Broadcast::Numpy).unwrap();
    let large = Layout::contiguous(DType::I16, [(isize::MAX / 2) as usize]).unwrap();
    assert_eq!(chosen(&cast, &[&large]), None);
}
