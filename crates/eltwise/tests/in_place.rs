//! In place equals out of place, wherever it is allowed; refused, with nothing written, where it is not.

use eltwise::{
    BindOptions, Broadcast, DType, Error, ErrorKind, Layout, Op, Plan, Program, ProgramBuilder, RawView, Serial, Shape,
    View,
};
use eltwise_reference::Tensor;
use eltwise_testkit::check::{self, How};
use eltwise_testkit::executors::Backwards;
use eltwise_testkit::programs::program;
use eltwise_testkit::shapes::any_shape;
use eltwise_testkit::{Arrangement, Cell, Operand, arrangement, cells, runner};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

fn fail(what: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(what.to_string())
}

/// Binds so that the output has the layout of input `index`, in the output's dtype.
fn bind_onto(program: &Program, inputs: &[Operand], index: usize) -> Result<Plan, Error> {
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    let dtype = program.value(program.outputs()[0]).dtype;
    let (shape, strides) = (layouts[index].shape().clone(), layouts[index].strides().clone());
    let out = Layout::strided(dtype, shape, strides)?;
    program.bind_with(&layouts, &BindOptions::new().outputs([out]))
}

/// Runs input `index` of a plan in place; the operand holds the result then.
fn in_place(plan: &Plan, inputs: &[Operand], index: usize, backwards: bool) -> Result<Operand, Error> {
    let mut in_out = inputs[index].clone();
    let others: Vec<View<'_>> = inputs.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, o)| o.view()).collect();
    let executor: &dyn eltwise::Executor = if backwards { &Backwards(64) } else { &Serial };
    let before = in_out.bytes().to_vec();
    let result = plan.run_in_place(executor, index, &others, &mut in_out.view_mut());
    if result.is_err() {
        assert_eq!(in_out.bytes(), before, "a refused run wrote");
    }
    result.map(|_| in_out)
}

/// As [`in_place`] by raw views: an exact alias, also of another dtype of the same size.
fn in_place_raw(plan: &Plan, inputs: &[Operand], index: usize) -> Result<Operand, Error> {
    let mut in_out = inputs[index].clone();
    let mut views: Vec<RawView> =
        inputs.iter().map(|o| RawView { ptr: o.view().as_ptr().cast_mut(), layout: o.layout().clone() }).collect();
    let ptr = in_out.view_mut().as_mut_ptr();
    views[index].ptr = ptr;
    let out = RawView { ptr, layout: plan.output_layouts()[0].clone() };
    // SAFETY: every view is of a buffer that lives here; `in_out` is exclusive and no other view is of it.
    let _ = unsafe { plan.run_raw(&Serial, &views, &[out]) }?;
    Ok(in_out)
}

#[test]
fn every_operator_of_one_size() {
    for cell in cells() {
        let indices: Vec<usize> = (cell.operands().iter().enumerate())
            .filter(|(_, d)| d.size() == cell.result().size())
            .map(|(i, _)| i)
            .collect();
        if indices.is_empty() {
            continue;
        }
        let strategy = (any_shape(), prop::array::uniform3(arrangement()), any::<(u64, u8, bool, u16)>());
        let result = runner(1.0 / 32.0).run(&strategy, |(shape, arrangements, (seed, pick, backwards, ones))| {
            one_operator(cell, &shape, &arrangements, indices[usize::from(pick) % indices.len()], seed, backwards, ones)
        });
        result.unwrap_or_else(|e| panic!("{cell:?}: {e}"));
    }
}

fn one_operator(
    cell: Cell,
    shape: &Shape,
    arrangements: &[Arrangement],
    index: usize,
    seed: u64,
    backwards: bool,
    ones: u16,
) -> Result<(), TestCaseError> {
    // The operand that is overwritten has the result's shape; others may broadcast.
    let inputs: Vec<Operand> = (cell.operands().into_iter().zip(arrangements).enumerate())
        .map(|(i, (dtype, a))| {
            if i == index {
                return Operand::input(dtype, shape, &a.distinct(), seed);
            }
            let less: Shape = (0..shape.rank()).map(|x| if ones >> (x + i) & 1 == 1 { 1 } else { shape[x] }).collect();
            Operand::input(dtype, &less, a, seed.wrapping_add(i as u64))
        })
        .collect();
    let program = cell.program(&cell.plain_mode(shape));
    let plan = bind_onto(&program, &inputs, index).map_err(fail)?;
    let mut outside = vec![Operand::canary(cell.result(), shape, &arrangements[index].distinct())];
    let _ = check::run(&plan, How::On(&Serial), &inputs, &mut outside).map_err(fail)?;
    let expected = outside[0].tensor();

    let same_dtype = inputs[index].layout().dtype() == cell.result();
    match in_place(&plan, &inputs, index, backwards) {
        Ok(result) if same_dtype => {
            check::same_within(&expected, &result.tensor(), cell.moves(), cell.apart()).map_err(fail)?;
            prop_assert_eq!(result.stray(), None);
        }
        // A view has one dtype, so only raw views can be read as one dtype and written as another.
        Err(e) if !same_dtype => prop_assert_eq!(e.kind(), ErrorKind::DType),
        other => return Err(fail(format!("in place: {other:?}"))),
    }
    let result = in_place_raw(&plan, &inputs, index).map_err(fail)?;
    let bytes = result.tensor().into_data();
    let result_as = Tensor::new(cell.result(), shape.clone(), bytes).map_err(fail)?;
    check::same_within(&expected, &result_as, cell.moves(), cell.apart())
        .map_err(|e| fail(format!("raw: {e}\n{}", plan.explain(1))))?;
    prop_assert_eq!(result.stray(), None);
    Ok(())
}

/// Programs of many steps and one output: over any input of the output's layout.
#[test]
fn random_programs() {
    let accepted = std::cell::Cell::new(0u32);
    let strategy = (program(), any::<u64>(), any::<bool>());
    let mut runner = runner(8.0);
    let cases = runner.config().cases;
    let result = runner.run(&strategy, |(made, seed, backwards)| {
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
            let expected = eltwise_reference::run(&made.program, &tensors).map_err(fail)?.0;
            match in_place(&plan, &inputs, index, backwards) {
                Ok(result) => {
                    accepted.set(accepted.get() + 1);
                    let tell = |e: String| fail(format!("{e}\n{}", plan.explain(1)));
                    check::same(&expected[0], &result.tensor(), false).map_err(tell)?;
                    prop_assert_eq!(result.stray(), None);
                }
                // With one output, nothing reads after it is written.
                Err(e) => return Err(fail(e)),
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    println!("{} runs in place of {cases} cases", accepted.get());
    // Usually about a quarter as many runs as cases; of a few cases there may be none.
    assert!(accepted.get() >= cases / 20, "{} runs in place of {cases} cases", accepted.get());
}

fn f32s(shape: &[usize]) -> Operand {
    Operand::input(DType::F32, &Shape::new(shape), &Arrangement::dense(), 8)
}

#[test]
fn refused_where_it_would_change_the_result() {
    let kind = |plan: &Plan, inputs: &[Operand], index: usize| {
        in_place(plan, inputs, index, false).map(|_| ()).map_err(|e| e.kind())
    };

    // The output's layout is another one.
    let add = Program::parse("a + b", &[("a", DType::F32), ("b", DType::F32)]).unwrap();
    let inputs = [f32s(&[4, 5]), f32s(&[5])];
    let plan = bind_onto(&add, &inputs, 0).unwrap();
    assert_eq!(kind(&plan, &inputs, 0), Ok(()));
    assert_eq!(kind(&plan, &inputs, 1), Err(ErrorKind::Layout));
    let turned = Arrangement { order: std::array::from_fn(|a| 15 - a as u8), ..Arrangement::dense() };
    let other = Operand::canary(DType::F32, &[4, 5].into(), &turned);
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    let plan = add.bind_with(&layouts, &BindOptions::new().outputs([other.layout().clone()])).unwrap();
    assert_eq!(kind(&plan, &inputs, 0), Err(ErrorKind::Layout));

    // The input is walked twice, as a row and as a column, and the output lies on it.
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
        // SAFETY: both views are of `square`.
        let result = unsafe { plan.run_raw(&Serial, &[part, whole.clone()], std::slice::from_ref(&whole)) };
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Alias, "x lies within the output");
    }
    assert_eq!(square.bytes(), before, "a refused run wrote");

    // Read by a step after the one that writes the output.
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
    // SAFETY: buffers of this test, of the layouts given.
    let run = |outs: [&RawView; 2]| unsafe {
        plan.run_raw(&Serial, std::slice::from_ref(&x), &outs.map(RawView::clone)).map_err(|e| e.kind())
    };
    assert_eq!(run([&x, &out1]).unwrap_err(), ErrorKind::Alias, "x is read after output 0 is written");
    assert_eq!(run([&out0, &out0]).unwrap_err(), ErrorKind::Alias, "two outputs in one place");
    assert!(run([&out0, &x]).is_ok(), "output 1 is written when nothing reads x any more");
    let expected = eltwise_reference::run(&two, &[input.tensor()]).unwrap().0;
    check::same(&expected[1], &in_out.tensor(), false).unwrap();
    assert!(outs[1].untouched(), "refused runs wrote");
}

/// Two outputs have no in-place run; an index that is no input, and a wrong number of operands, are told apart.
#[test]
fn wrong_counts() {
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

/// Every way in which two dense arrays of one buffer can meet: exactly, partly, not at all.
#[test]
fn partial_overlap_of_raw_views_is_refused() {
    let negative = Program::parse("-a", &[("a", DType::F32)]).unwrap();
    let layout = Layout::contiguous(DType::F32, [8]).unwrap();
    let plan = negative.bind(&[&layout]).unwrap();
    for shift in -40isize..=40 {
        let mut bytes: Vec<u8> = (0..256u32).map(|i| i as u8).collect();
        let before = bytes.clone();
        let base = bytes.as_mut_ptr().wrapping_add(100);
        let input = RawView { ptr: base, layout: layout.clone() };
        let output = RawView { ptr: base.wrapping_offset(shift), layout: layout.clone() };
        // SAFETY: both lie within `bytes`.
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
