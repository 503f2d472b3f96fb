//! A run in place equals the run into a separate output if it is allowed. If not, it is an error and writes nothing.

use eltwise::{
    BindOptions, Broadcast, DType, Error, ErrorKind, Layout, Op, Plan, Program, ProgramBuilder, RawView, Serial, Shape,
    View,
};
use eltwise_reference::Tensor;
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::executors::ReverseOrder;
use eltwise_testkit::programs::program;
use eltwise_testkit::shapes::any_shape;
use eltwise_testkit::{Arrangement, Operand, TypedOp, arrangement, runner, typed_ops};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

fn fail(what: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(what.to_string())
}

/// Binds a program so that its output has the shape and strides of input `index`.
fn bind_onto(program: &Program, inputs: &[Operand], index: usize) -> Result<Plan, Error> {
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    let dtype = program.value(program.outputs()[0]).dtype;
    let (shape, strides) = (layouts[index].shape().clone(), layouts[index].strides().clone());
    let out = Layout::strided(dtype, shape, strides)?;
    program.bind_with(&layouts, &BindOptions::new().outputs([out]))
}

/// Runs a plan with its output over input `index` and returns the result, or asserts that a run that fails writes
/// nothing.
fn in_place(plan: &Plan, inputs: &[Operand], index: usize, reverse_order: bool) -> Result<Operand, Error> {
    let mut in_out = inputs[index].clone();
    let others: Vec<View<'_>> = inputs.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, o)| o.view()).collect();
    let executor: &dyn eltwise::Executor = if reverse_order { &ReverseOrder(64) } else { &Serial };
    let before = in_out.bytes().to_vec();
    let result = plan.run_in_place(executor, index, &others, &mut in_out.view_mut());
    if result.is_err() {
        assert_eq!(in_out.bytes(), before, "a run that failed wrote to its output");
    }
    result.map(|_| in_out)
}

/// Like [`in_place`], but with raw views, where the output may also have a different dtype of the same size.
fn in_place_raw(plan: &Plan, inputs: &[Operand], index: usize) -> Result<Operand, Error> {
    let mut in_out = inputs[index].clone();
    let mut views: Vec<RawView> =
        inputs.iter().map(|o| RawView { ptr: o.view().as_ptr().cast_mut(), layout: o.layout().clone() }).collect();
    let ptr = in_out.view_mut().as_mut_ptr();
    views[index].ptr = ptr;
    let out = RawView { ptr, layout: plan.output_layouts()[0].clone() };
    // SAFETY: every view is of a buffer that outlives the run. `in_out` is borrowed exclusively, and only the output
    // and input `index` are views of it.
    let _ = unsafe { plan.run_raw(&Serial, &views, &[out]) }?;
    Ok(in_out)
}

#[test]
fn every_operator_in_place_equals_out_of_place() {
    for typed_op in typed_ops() {
        let indices: Vec<usize> = (typed_op.operand_dtypes().iter().enumerate())
            .filter(|(_, d)| d.size() == typed_op.result().size())
            .map(|(i, _)| i)
            .collect();
        if indices.is_empty() {
            continue;
        }
        let strategy = (any_shape(), prop::array::uniform5(arrangement()), any::<(u64, u8, bool, u16)>());
        let result = runner(1.0 / 32.0).run(&strategy, |(shape, arrangements, (seed, pick, reverse_order, ones))| {
            one_operator(
                typed_op,
                &shape,
                &arrangements,
                indices[usize::from(pick) % indices.len()],
                seed,
                reverse_order,
                ones,
            )
        });
        result.unwrap_or_else(|e| panic!("{typed_op:?}: {e}"));
    }
}

fn one_operator(
    typed_op: TypedOp,
    shape: &Shape,
    arrangements: &[Arrangement],
    index: usize,
    seed: u64,
    reverse_order: bool,
    ones: u16,
) -> Result<(), TestCaseError> {
    // The operand that is overwritten has the shape of the result. The others may broadcast.
    let inputs: Vec<Operand> = (typed_op.operand_dtypes().into_iter().zip(arrangements).enumerate())
        .map(|(i, (dtype, a))| {
            if i == index {
                return Operand::input(dtype, shape, &a.distinct(), seed);
            }
            let with_ones = (0..shape.rank()).map(|x| if ones >> (x + i) & 1 == 1 { 1 } else { shape[x] });
            Operand::input(dtype, &with_ones.collect::<Shape>(), a, seed.wrapping_add(i as u64))
        })
        .collect();
    let program = typed_op.program(&typed_op.same_shape_mode(shape));
    let plan = bind_onto(&program, &inputs, index).map_err(fail)?;
    let mut separate = vec![Operand::canary(typed_op.result(), shape, &arrangements[index].distinct())];
    let _ = check::run(&plan, RunMode::On(&Serial), &inputs, &mut separate).map_err(fail)?;
    let expected = separate[0].tensor();

    let same_dtype = inputs[index].layout().dtype() == typed_op.result();
    match in_place(&plan, &inputs, index, reverse_order) {
        Ok(result) if same_dtype => {
            check::compare_tensors_within(&expected, &result.tensor(), typed_op.moves_bits(), typed_op.error_bound())
                .map_err(fail)?;
            prop_assert_eq!(result.first_clobbered_byte(), None);
        }
        // A view has one dtype. Only raw views can be read as one dtype and written as another.
        Err(e) if !same_dtype => prop_assert_eq!(e.kind(), ErrorKind::DType),
        other => return Err(fail(format!("in place: {other:?}"))),
    }
    let result = in_place_raw(&plan, &inputs, index).map_err(fail)?;
    let bytes = result.tensor().into_data();
    let result_as = Tensor::new(typed_op.result(), shape.clone(), bytes).map_err(fail)?;
    check::compare_tensors_within(&expected, &result_as, typed_op.moves_bits(), typed_op.error_bound())
        .map_err(|e| fail(format!("raw: {e}\n{}", plan.explain(1))))?;
    prop_assert_eq!(result.first_clobbered_byte(), None);
    Ok(())
}

/// Programs of several steps and one output, which overwrites each input that has its layout.
#[test]
fn random_programs_in_place_equal_the_reference() {
    let accepted = std::cell::Cell::new(0u32);
    let strategy = (program(), any::<u64>(), any::<bool>());
    let mut runner = runner(8.0);
    let cases = runner.config().cases;
    let result = runner.run(&strategy, |(made, seed, reverse_order)| {
        if made.program.outputs().len() != 1 {
            return Ok(());
        }
        let dtype = made.program.value(made.program.outputs()[0]).dtype;
        for index in 0..made.inputs.len() {
            let inputs: Vec<Operand> = (made.inputs.iter().enumerate())
                .map(|(i, (d, s, a))| {
                    let a = if i == index { a.distinct() } else { a.clone() };
                    Operand::input(*d, s, &a, seed.wrapping_add(i as u64))
                })
                .collect();
            if inputs[index].layout().dtype() != dtype || *inputs[index].layout().shape() != made.shape {
                continue;
            }
            let plan = bind_onto(&made.program, &inputs, index).map_err(fail)?;
            let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
            let expected = eltwise_testkit::reference::run(&made.program, &tensors).map_err(fail)?.0;
            match in_place(&plan, &inputs, index, reverse_order) {
                Ok(result) => {
                    accepted.set(accepted.get() + 1);
                    let with_plan = |e: String| fail(format!("{e}\n{}", plan.explain(1)));
                    check::compare_tensors(&expected[0], &result.tensor(), false).map_err(with_plan)?;
                    prop_assert_eq!(result.first_clobbered_byte(), None);
                }
                // With one output, no step reads the input after the output is written, so every run is allowed.
                Err(e) => return Err(fail(e)),
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    println!("{} runs in place of {cases} cases", accepted.get());
    // About a quarter as many runs as cases. There may be none if the cases are few.
    assert!(accepted.get() >= cases / 20, "{} runs in place of {cases} cases", accepted.get());
}

fn f32s(shape: &[usize]) -> Operand {
    Operand::input(DType::F32, &Shape::new(shape), &Arrangement::dense(), 8)
}

#[test]
fn a_run_in_place_that_would_change_the_result_is_an_error() {
    let kind = |plan: &Plan, inputs: &[Operand], index: usize| {
        in_place(plan, inputs, index, false).map(|_| ()).map_err(|e| e.kind())
    };

    // The output's layout differs from the input's.
    let add = Program::parse("a + b", &[("a", DType::F32), ("b", DType::F32)]).unwrap();
    let inputs = [f32s(&[4, 5]), f32s(&[5])];
    let plan = bind_onto(&add, &inputs, 0).unwrap();
    assert_eq!(kind(&plan, &inputs, 0), Ok(()));
    assert_eq!(kind(&plan, &inputs, 1), Err(ErrorKind::Layout));
    let transposed = Arrangement { order: std::array::from_fn(|a| 15 - a as u8), ..Arrangement::dense() };
    let other = Operand::canary(DType::F32, &[4, 5].into(), &transposed);
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    let plan = add.bind_with(&layouts, &BindOptions::new().outputs([other.layout().clone()])).unwrap();
    assert_eq!(kind(&plan, &inputs, 0), Err(ErrorKind::Layout));

    // The input is read both as a row and as a column, and is within the output.
    let mut b = ProgramBuilder::new();
    let (x, y) = (b.input("x", DType::F32), b.input("y", DType::F32));
    let rows = b.step(Op::Add, &[y, x], None, Broadcast::Numpy).unwrap();
    let both = b.step(Op::Add, &[rows, x], None, Broadcast::Pdpd { axis: 0 }).unwrap();
    b.output(both);
    let twice = Program::from(b.finish().unwrap());
    let (mut square, line) = (f32s(&[5, 5]), Layout::contiguous(DType::F32, [5]).unwrap());
    let before = square.bytes().to_vec();
    let plan = twice.bind(&[&line, square.layout()]).unwrap();
    let whole = RawView { ptr: square.view_mut().as_mut_ptr(), layout: square.layout().clone() };
    for first in 0..20 {
        let part = RawView { ptr: whole.ptr.wrapping_add(4 * first), layout: line.clone() };
        // SAFETY: both views are of `square`, which outlives the run.
        let result = unsafe { plan.run_raw(&Serial, &[part, whole.clone()], std::slice::from_ref(&whole)) };
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Alias, "x is within the output");
    }
    assert_eq!(square.bytes(), before, "a run that failed wrote to its output");

    // A step reads the input after an earlier step has written the output.
    let mut b = ProgramBuilder::new();
    let x = b.input("x", DType::F32);
    let first = b.step(Op::Negative, &[x], None, Broadcast::Numpy).unwrap();
    let second = b.step(Op::Add, &[first, x], None, Broadcast::Numpy).unwrap();
    b.output(first);
    b.output(second);
    let two = Program::from(b.finish().unwrap());
    let input = f32s(&[300]);
    let plan = two.bind(&[input.layout()]).unwrap();
    let mut outs: Vec<Operand> = plan.output_layouts().iter().map(|l| Operand::with_layout(l.clone())).collect();
    let mut in_out = input.clone();
    let raw = |o: &mut Operand| {
        let layout = o.layout().clone();
        RawView { ptr: o.view_mut().as_mut_ptr(), layout }
    };
    let (x, out0, out1) = (raw(&mut in_out), raw(&mut outs[0]), raw(&mut outs[1]));
    // SAFETY: the views are of buffers of this test, with the layouts of the plan.
    let run = |outs: [&RawView; 2]| unsafe {
        plan.run_raw(&Serial, std::slice::from_ref(&x), &outs.map(RawView::clone)).map_err(|e| e.kind())
    };
    assert_eq!(run([&x, &out1]).unwrap_err(), ErrorKind::Alias, "x is read after output 0 is written");
    assert_eq!(run([&out0, &out0]).unwrap_err(), ErrorKind::Alias, "two outputs in the same memory");
    assert!(run([&out0, &x]).is_ok(), "no step reads x after output 1 is written");
    let expected = eltwise_testkit::reference::run(&two, &[input.tensor()]).unwrap().0;
    check::compare_tensors(&expected[1], &in_out.tensor(), false).unwrap();
    assert!(outs[1].untouched(), "a run that failed wrote to an output");
}

#[test]
fn a_wrong_index_or_number_of_operands_is_an_error() {
    let add = Program::parse("a + b", &[("a", DType::F32), ("b", DType::F32)]).unwrap();
    let inputs = [f32s(&[6]), f32s(&[6])];
    let plan = bind_onto(&add, &inputs, 0).unwrap();
    let mut in_out = inputs[0].clone();
    for (index, others) in [(0, vec![]), (2, vec![inputs[1].view()]), (1, vec![inputs[0].view(), inputs[0].view()])] {
        let error = plan.run_in_place(&Serial, index, &others, &mut in_out.view_mut()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arity, "{error}");
    }
    assert_eq!(in_out.bytes(), inputs[0].bytes());
}

/// Two dense arrays in one buffer, at every distance: equal, overlapping or disjoint.
#[test]
fn partial_overlap_of_raw_views_is_an_error() {
    let negative = Program::parse("-a", &[("a", DType::F32)]).unwrap();
    let layout = Layout::contiguous(DType::F32, [8]).unwrap();
    let plan = negative.bind(&[&layout]).unwrap();
    for shift in -40isize..=40 {
        let mut bytes: Vec<u8> = (0..256u32).map(|i| i as u8).collect();
        let before = bytes.clone();
        let base = bytes.as_mut_ptr().wrapping_add(100);
        let input = RawView { ptr: base, layout: layout.clone() };
        let output = RawView { ptr: base.wrapping_offset(shift), layout: layout.clone() };
        // SAFETY: both views are within `bytes`.
        let result = unsafe { plan.run_raw(&Serial, &[input], &[output]) };
        if shift == 0 || shift.abs() >= 32 {
            assert!(result.is_ok(), "shift {shift}");
            let at = (100 + shift) as usize;
            for i in 0..32 {
                let sign = if i % 4 == 3 { 0x80 } else { 0 };
                assert_eq!(bytes[at + i], before[100 + i] ^ sign, "shift {shift} byte {i}");
            }
            assert!(bytes[..at] == before[..at] && bytes[at + 32..] == before[at + 32..]);
        } else {
            let error = result.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Alias);
            assert!(error.to_string().contains("output 0") && error.to_string().contains("input a"), "{error}");
            assert_eq!(bytes, before, "shift {shift}");
        }
    }
}
