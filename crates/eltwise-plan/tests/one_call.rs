//! The call that is found at once is the one that the binding and the schedule give, and is found where there is one.

#[path = "common/lies.rs"]
pub mod lies;

use eltwise_plan::one_call::{DenseStep, OneCall};
use eltwise_plan::{Binding, Broadcast, Constant, DType, Layout, Machine, Op, Program, ProgramBuilder, Schedule};
use lies::lie;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// A program of one step: some arguments are the same input, or a constant.
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

const OPS: [Op; 8] = [Op::Add, Op::Divide, Op::Negative, Op::Less, Op::Where, Op::Fma, Op::Copy, Op::Cast];
const DTYPES: [DType; 4] = [DType::I8, DType::I16, DType::F32, DType::I64];

#[test]
fn what_is_found_is_what_the_schedule_says() {
    let sizes = prop_oneof![8 => 1usize..6, 1 => Just(0usize), 2 => Just(40usize), 1 => Just(130usize)];
    let strategy = (
        (0..OPS.len(), 0..DTYPES.len(), [0u8..8, 0u8..8, 0u8..8], prop::bool::weighted(0.1)),
        prop::collection::vec(sizes, 0..5),
        prop::array::uniform4(lie()),
        (
            prop::bool::weighted(0.5),
            any::<bool>(),
            0u8..40,
            prop::sample::select(vec![(16, false), (64, false), (64, true)]),
        ),
    );
    let cases = Config::default().cases.max(2048);
    let (mut found, mut chosen, mut missed) = (0, 0, 0);
    let counts = std::cell::RefCell::new((&mut found, &mut chosen, &mut missed));
    let (alike, chosen_alike) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let result = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)).run(
        &strategy,
        |((op, dtype, args, equal), common, lies, (given, c_order, wrong, (vector_bytes, arranges)))| {
            let machine = Machine { vector_bytes, arranges, ..Machine::default() };
            let mode = if equal { Broadcast::None } else { Broadcast::Numpy };
            let program = program(OPS[op], DTYPES[dtype], args, mode);
            let layouts: Vec<Layout> =
                program.inputs().iter().zip(&lies).map(|(i, l)| l.layout(i.dtype, &common, false)).collect();
            let inputs: Vec<&Layout> = layouts.iter().collect();
            let to = program.value(program.outputs()[0]).dtype;
            // Now and then an output of a wrong dtype, or one that may overlap itself.
            let to = if wrong == 0 { DType::U32 } else { to };
            let output = match given {
                true => Some(lies[3].layout(to, &common, wrong > 3)),
                false => None,
            };
            let slow = Binding::new(&program, &inputs, output.as_ref().map(|o| [o]).as_ref().map(|o| &o[..]), c_order)
                .map(|binding| Schedule::new(binding, &machine));
            let output = output.or_else(|| OneCall::output(&program, &inputs));
            let fast = output.as_ref().and_then(|o| OneCall::find(&program, &inputs, o, &machine));
            let step = DenseStep::of(&program);
            let dense = step.as_ref().zip(output.as_ref()).and_then(|(step, o)| step.find(&inputs, o, &machine));
            if let (false, Some(chosen)) = (given, step.as_ref().and_then(|step| step.output(&inputs))) {
                prop_assert_eq!(Some(&chosen), output.as_ref());
                let over = step.as_ref().and_then(|step| step.over(chosen.elements(), &machine));
                prop_assert_eq!(&over, &dense);
                chosen_alike.set(chosen_alike.get() + 1);
            }
            alike.set(alike.get() + usize::from(dense.is_some()));
            prop_assert!(dense.is_none() || dense == fast, "{dense:?} {fast:?}");
            let mut counts = counts.borrow_mut();
            let Some(fast) = fast else {
                // What was given is found whenever it is there and the mode is NumPy's. (Where operands may be put in order,
                // a schedule looks for them first; rows of two vectors are left to it.)
                if let (Ok(schedule), true, false) = (&slow, given, equal || arranges) {
                    let call = OneCall::of(schedule);
                    prop_assert!(call.is_none() || schedule.most_tasks(&machine) > 1, "{schedule:?}");
                }
                *counts.2 += 1;
                return Ok(());
            };
            let slow = slow.map_err(|e| TestCaseError::fail(format!("found, but {e}")))?;
            *(if given { &mut *counts.0 } else { &mut *counts.1 }) += 1;
            let call = OneCall::of(&slow);
            prop_assert_eq!(Some(&fast.call), call.as_ref());
            prop_assert_eq!(output.as_ref(), slow.binding.outputs.first());
            prop_assert_eq!(fast.bytes, slow.bytes);
            prop_assert_eq!((fast.op.into(), fast.from), (slow.binding.steps[0].op, slow.binding.steps[0].from));
            let cost = slow.cost(&machine);
            prop_assert_eq!((cost.tasks, cost.ns, cost.read + cost.written), (1, fast.ns, fast.bytes));
            for input in 0..inputs.len() {
                prop_assert_eq!(fast.may_alias[input], slow.binding.may_alias(0, input), "input {}", input);
            }
            Ok(())
        },
    );
    result.unwrap_or_else(|e| panic!("{e}"));
    assert!(alike.get() > cases as usize / 40, "{} dense of {cases}", alike.get());
    assert!(chosen_alike.get() > cases as usize / 400, "{} chosen alike of {cases}", chosen_alike.get());
    assert!(found > cases / 20 && chosen > cases / 40 && missed > cases / 20, "{found} {chosen} {missed} of {cases}");
}

/// Work worth sharing has a schedule: the first size at which it is not found is the first with a second task.
#[test]
fn large_work_is_not_found() {
    let machine = Machine::default();
    for (op, dtype) in [(Op::Add, DType::F32), (Op::Divide, DType::I32)] {
        let program = Program::single(op, &[dtype; 2], None, Broadcast::Numpy).unwrap();
        let mut last = None;
        for bits in 10..24 {
            for eighths in 8..16 {
                let layout = Layout::contiguous(dtype, [eighths << (bits - 3)]).unwrap();
                let binding = Binding::new(&program, &[&layout, &layout], Some(&[&layout]), false).unwrap();
                let tasks = Schedule::new(binding, &machine).most_tasks(&machine);
                let found = OneCall::find(&program, &[&layout, &layout], &layout, &machine).is_some();
                assert_eq!(found, tasks == 1, "{layout}: {tasks} tasks");
                let dense = DenseStep::of(&program).unwrap();
                assert_eq!(dense.over(layout.elements(), &machine).is_some(), found, "{layout}: {tasks} tasks");
                assert_eq!(
                    dense.find(&[&layout, &layout], &layout, &machine).is_some(),
                    found,
                    "{layout}: {tasks} tasks"
                );
                last = Some(found);
            }
        }
        assert_eq!(last, Some(false));
    }
}

/// Where dense operands of one step have a call: from two elements on.
#[test]
fn dense_steps_are_of_two_elements_and_more() {
    let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
    let (dense, machine) = (DenseStep::of(&program).unwrap(), Machine::default());
    for shape in [&[][..], &[0], &[1], &[2], &[1, 1], &[1, 2], &[2, 1], &[3, 0], &[3, 2], &[2, 1, 1, 1, 1, 1, 1, 3]] {
        let layout = Layout::contiguous(DType::F32, shape).unwrap();
        let few = layout.elements() < 2;
        assert_eq!(dense.output(&[&layout, &layout]), (!few).then(|| layout.clone()), "{layout}");
        assert_eq!(dense.over(layout.elements(), &machine).is_none(), few, "{layout}");
        assert_eq!(dense.find(&[&layout, &layout], &layout, &machine).is_none(), few, "{layout}");
    }
}

/// Rows that overlap: NumPy's order makes their axis the inner one of an output, though a row is contiguous.
#[test]
fn overlapping_rows_have_no_simple_output() {
    let negative = Program::single(Op::Negative, &[DType::F32], None, Broadcast::Numpy).unwrap();
    for (row, simple) in [(2, false), (-2, false), (4, true), (64, true), (400, true), (0, true)] {
        let input = Layout::strided(DType::F32, [20, 16], [row, 4]).unwrap();
        let chosen = Binding::new(&negative, &[&input], None, false).unwrap().outputs[0].clone();
        assert_eq!(OneCall::output(&negative, &[&input]), simple.then_some(chosen), "{row}");
    }
}

/// Short rows that are packed once, or put in order, are no single call; the first longer one is.
#[test]
fn short_rows_are_not_found() {
    let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
    for (arranges, b_of, longest) in [
        (false, [1, 0], 256),
        (true, [1, 0], 256),
        (false, [0, 1], 16),
        (true, [0, 1], 128),
        (false, [1, 1], 0),
        (true, [1, 1], 0),
        (false, [0, 0], 16),
        (true, [0, 0], 32),
    ] {
        let machine = Machine { vector_bytes: 64, arranges, ..Machine::default() };
        for columns in [15, 16, 17, 32, 33, 127, 128, 129, 255, 256, 257] {
            // Enough bytes that rows count, and too few to share.
            let rows = 24 * 1024 / columns;
            let dims = [rows, columns];
            let of = |kept: [usize; 2]| [0, 1].map(|axis| if kept[axis] == 1 { 1 } else { dims[axis] });
            let a = Layout::contiguous(DType::F32, dims).unwrap();
            let b = match b_of {
                // Of the same shape, its rows apart.
                [0, 0] => Layout::strided(DType::F32, dims, [4 * columns as isize + 12, 4]).unwrap(),
                _ => Layout::contiguous(DType::F32, of(b_of)).unwrap(),
            };
            let found = OneCall::find(&program, &[&a, &b], &a, &machine);
            assert_eq!(found.is_some(), columns > longest, "{columns} columns, {b}, {arranges}");
            if let Some(found) = found {
                let cost = found.cost();
                assert_eq!((cost.written, cost.read), (a.shape().bytes(4).unwrap(), found.bytes - found.written));
                assert_eq!((cost.ns, cost.tasks), (found.ns, 1));
            }
        }
    }
}

/// Long rows that all take the same operand are planes within the second level; other operands that stand still, and moves, are not.
#[test]
fn long_rows_that_share_an_operand_are_not_found() {
    let add = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
    let copy = Program::single(Op::Copy, &[DType::F32], None, Broadcast::Numpy).unwrap();
    let machine = Machine { vector_bytes: 64, l2: 4 << 20, arranges: false, ..Machine::default() };
    let f = |shape: [usize; 2]| Layout::contiguous(DType::F32, shape).unwrap();
    let padded = |rows, columns| Layout::strided(DType::F32, [rows, columns], [4 * columns as isize + 64, 4]).unwrap();
    let (mut shared, mut found) = (0, 0);
    for (rows, columns) in [(2, 4096), (3, 8192), (8, 512), (8, 2048), (8, 4096), (16, 4096), (8, 16384), (16, 16384)] {
        let whole = f([rows, columns]);
        for (program, inputs, is_row) in [
            (&add, vec![whole.clone(), f([1, columns])], true),
            (&add, vec![f([1, columns]), whole.clone()], true),
            (&add, vec![whole.clone(), f([rows, 1])], false),
            (&add, vec![whole.clone(), f([1, 1])], false),
            (&add, vec![whole.clone(), padded(rows, columns)], false),
            (&copy, vec![Layout::strided(DType::F32, [rows, columns], [0, 4]).unwrap()], false),
        ] {
            let inputs: Vec<&Layout> = inputs.iter().collect();
            let binding = Binding::new(program, &inputs, Some(&[&whole]), false).unwrap();
            let schedule = Schedule::new(binding, &machine);
            let call = OneCall::of(&schedule).filter(|_| schedule.most_tasks(&machine) == 1);
            let fast = OneCall::find(program, &inputs, &whole, &machine);
            let what = format!("{rows} of {columns}: {inputs:?}");
            assert_eq!(fast.map(|found| found.call), call, "{what}");
            assert!(is_row || call.is_some() || schedule.most_tasks(&machine) > 1, "{what}");
            shared += usize::from(call.is_none());
            found += usize::from(call.is_some());
        }
    }
    assert!(shared > 4 && found > 12, "{shared} shared, {found} found");
}

#[test]
fn what_does_not_fit_the_program_is_not_found() {
    let machine = Machine::default();
    let add = |mode| Program::single(Op::Add, &[DType::F32; 2], None, mode).unwrap();
    let program = add(Broadcast::Numpy);
    let f = |shape: &[usize]| Layout::contiguous(DType::F32, shape).unwrap();
    let (a, ints) = (f(&[2, 3]), Layout::contiguous(DType::I32, [2, 3]).unwrap());
    let find =
        |program: &Program, inputs: &[&Layout], out: &Layout| OneCall::find(program, inputs, out, &machine).is_some();
    assert!(find(&program, &[&a, &a], &a));
    assert!(!find(&program, &[&a], &a) && !find(&program, &[&a, &a, &a], &a));
    assert!(
        !find(&program, &[&a, &ints], &a) && !find(&program, &[&ints, &a], &a) && !find(&program, &[&a, &a], &ints)
    );
    assert!(!find(&add(Broadcast::None), &[&a, &a], &a));
    assert!(OneCall::output(&program, &[&a]).is_none());
    // Up to rank 8.
    for rank in [8, 9] {
        let high = f(&vec![1; rank]);
        assert_eq!(find(&program, &[&high, &high], &high), rank == 8);
    }
    // The output has the shape of the operand that has the most sizes.
    assert_eq!(OneCall::output(&program, &[&f(&[4, 1]), &f(&[4, 5])]), Some(f(&[4, 5])));
    assert_eq!(OneCall::output(&program, &[&f(&[4, 5]), &f(&[1, 5])]), Some(f(&[4, 5])));
    assert_eq!(OneCall::output(&program, &[&f(&[7]), &f(&[1, 1])]), Some(f(&[1, 1])));
    // Dense in another dtype, if that fits.
    let cast = Program::single(Op::Cast, &[DType::I16], Some(DType::F64), Broadcast::Numpy).unwrap();
    let large = Layout::contiguous(DType::I16, [(isize::MAX / 2) as usize]).unwrap();
    assert_eq!(OneCall::output(&cast, &[&large]), None);
}
