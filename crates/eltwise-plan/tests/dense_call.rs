//! The call of one operator over dense operands, found from the operands alone, is the call that binding and schedule give.

use eltwise_core::{Broadcast, DType, Layout, Op};
use eltwise_plan::single_call::{DenseCall, Operands, SingleCall, SingleStep, Source};
use eltwise_plan::{Binding, CpuModel, KernelCapabilities, Program, Schedule, Target};

fn f32s(shape: &[usize]) -> Layout {
    Layout::contiguous(DType::F32, shape).unwrap()
}

/// Layouts of all shapes of up to three axes of 0 to 3 elements: dense, and with the strides of a reversed or longer row.
fn layouts() -> Vec<Layout> {
    let mut shapes: Vec<Vec<usize>> = vec![vec![]];
    for rank in 0..3 {
        let longer = |shape: &Vec<usize>| (0..4).map(|size| [&shape[..], &[size]].concat()).collect::<Vec<_>>();
        let next: Vec<_> = shapes.iter().filter(|shape| shape.len() == rank).flat_map(longer).collect();
        shapes.extend(next);
    }
    let strided = |shape: &Vec<usize>, factor: isize| {
        let strides: Vec<isize> = f32s(shape).strides().iter().map(|stride| stride * factor).collect();
        Layout::strided(DType::F32, &shape[..], &strides[..]).unwrap()
    };
    shapes.iter().flat_map(|shape| [1, -1, 2].map(|factor| strided(shape, factor))).collect()
}

fn call<'o>(op: Op, inputs: &[&'o Layout]) -> Option<DenseCall<'o, Layout>> {
    DenseCall::of_layouts(op, inputs.iter().copied())
}

#[test]
fn a_dense_call_equals_the_call_of_the_schedule() {
    let (program, target) =
        (Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap(), Target::default());
    let (layouts, mut found, mut with_splat) = (layouts(), 0, 0);
    for x in &layouts {
        for y in &layouts {
            let is_splat_over = |x: &Layout, y: &Layout| x.elements() == 1 && x.shape().rank() <= y.shape().rank();
            let is_dense = (x.is_contiguous() && (x.places_as(y) || is_splat_over(y, x)))
                || (y.is_contiguous() && is_splat_over(x, y));
            let dense = call(Op::Add, &[x, y]);
            assert_eq!(dense.is_some(), is_dense, "{x}, {y}");
            let Some(dense) = dense else { continue };
            found += 1;
            let binding = Binding::new(&program, &[x, y], None, false).unwrap();
            assert!(binding.outputs[0].places_as(dense.model), "{x}, {y}: {} {}", binding.outputs[0], dense.model);
            assert_eq!((dense.from, dense.to, dense.elements), (DType::F32, DType::F32, binding.outputs[0].elements()));
            let schedule = Schedule::new(binding, &target);
            if dense.elements < 2 {
                continue;
            }
            let single = SingleCall::of_schedule(&schedule).unwrap();
            assert_eq!((single.rows, single.cols), (1, dense.elements), "{x}, {y}");
            match &single.ins {
                Operands::Dense { inputs } => {
                    assert!(*inputs == 2 && !dense.is_splat(0) && !dense.is_splat(1), "{x}, {y}");
                }
                Operands::Any(operands) => {
                    for (i, (source, operand)) in operands.iter().enumerate() {
                        assert_eq!((*source, operand.splat), (Source::Input(i), dense.is_splat(i)), "{x}, {y}");
                        with_splat += usize::from(operand.splat);
                    }
                }
            }
        }
    }
    assert!(found > 500 && with_splat > 100, "{found} calls, {with_splat} with a splat");
}

#[test]
fn the_operand_of_several_elements_is_the_model() {
    let (one, x) = (f32s(&[1]), f32s(&[6]));
    for position in 0..3 {
        let mut inputs = [&one; 3];
        inputs[position] = &x;
        let fma = call(Op::Fma, &inputs).unwrap();
        assert_eq!((fma.elements, [0, 1, 2].map(|i| !fma.is_splat(i))), (6, [0, 1, 2].map(|i| i == position)));
    }
}

#[test]
fn the_shape_of_a_given_output_is_the_model() {
    let (row, one, out) = (f32s(&[1, 6]), f32s(&[1]), f32s(&[2, 3]));
    let into = |x, y, out| DenseCall::of(Op::Add, (DType::F32, DType::F32), [x, y].into_iter(), Some(out));
    let call = into(&one, &out, &out).unwrap();
    assert_eq!((call.is_splat(0), call.is_splat(1), call.elements), (true, false, 6));
    // One element is written to all of a larger output.
    assert!(into(&one, &one, &out).is_some_and(|call| call.is_splat(0) && call.is_splat(1)));
    assert!(into(&row, &out, &out).is_none() && into(&out, &out, &row).is_none() && into(&out, &out, &one).is_none());
    // The columns of the output are apart.
    let apart = Layout::strided(DType::F32, [2, 3], [24, 8]).unwrap();
    assert!(into(&apart, &apart, &apart).is_none() && into(&out, &out, &apart).is_none());
    // An operand of more axes than the output does not broadcast to it.
    assert!(into(&f32s(&[1, 1]), &one, &f32s(&[1])).is_none());
}

#[test]
fn operators_of_several_steps_and_other_dtypes_are_no_dense_call() {
    let (x, ints, halves) = (f32s(&[6]), Layout::contiguous(DType::I32, [6]).unwrap(), DType::F16);
    let halves = Layout::contiguous(halves, [6]).unwrap();
    assert!(call(Op::Add, &[&x, &x]).is_some_and(|call| call.to == DType::F32));
    assert!(call(Op::Less, &[&ints, &ints]).is_some_and(|call| call.to == DType::Bool));
    assert!(call(Op::Exp, &[&x]).is_some() && call(Op::Add, &[&halves, &halves]).is_some());
    // Math over f16 is computed in f32.
    assert!(call(Op::Exp, &[&halves]).is_none() && call(Op::Exp, &[&ints]).is_none());
    assert!(
        call(Op::Add, &[&x]).is_none() && call(Op::Maximum, &[&x, &x, &x]).is_none() && call(Op::Add, &[]).is_none()
    );
    let one = Layout::contiguous(DType::I32, [1]).unwrap();
    assert!(call(Op::Add, &[&x, &ints]).is_none() && call(Op::Add, &[&x, &one]).is_none());
    assert!(call(Op::Add, &[&one, &x]).is_none() && call(Op::Where, &[&x, &x, &x]).is_none());
}

/// The first size that is not inline is the first whose plan is not.
#[test]
fn a_dense_call_costs_as_much_as_its_plan() {
    let kernels = |vector_bytes| KernelCapabilities { vector_bytes, ..KernelCapabilities::default() };
    for cpu in [CpuModel::GENERIC, CpuModel::ZEN3] {
        for (op, vector_bytes) in [(Op::Add, 64), (Op::Add, 32), (Op::Gelu, 64), (Op::Sqrt, 16), (Op::Less, 64)] {
            let target = Target { cpu, kernels: kernels(vector_bytes), ..Target::default() };
            let mut inline = Vec::new();
            for bits in 0..24 {
                let x = f32s(&[2 << bits]);
                let inputs = &[&x, &x][..op.arity()];
                let dtypes = &[DType::F32; 2][..op.arity()];
                let program = Program::single(op, dtypes, None, Broadcast::Numpy).unwrap();
                let dense = call(op, inputs).unwrap();
                let bound = SingleStep::of(&program).unwrap().bind(inputs, None, &target);
                let cost = bound.map(|bound| bound.cost);
                assert!(cost.is_none_or(|cost| cost == dense.cost(&target)), "{op} {x}");
                inline.push(dense.is_inline(|| target));
                assert_eq!(inline.last(), Some(&cost.is_some_and(|cost| cost.is_inline())), "{op} {x}");
            }
            assert!(inline[0] && !inline[23] && inline.is_sorted_by(|a, b| a >= b), "{op}: {inline:?}");
        }
    }
}
