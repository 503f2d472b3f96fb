//! `bind`, `bind_with` and `bind_to` give the same plan and the same errors, for plans with a schedule and for single
//! calls; and the strides that a plan accepts at a run.

use eltwise::{
    Array, BindOptions, Broadcast, DType, Error, ErrorKind, Layout, Op, Plan, Program, Serial, View, ViewMut,
};

fn add() -> Program {
    Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap()
}

fn f32s(shape: &[usize]) -> Array {
    let count = shape.iter().product::<usize>();
    let values: Vec<f32> = (0..count).map(|i| i as f32 * 0.5 - 3.0).collect();
    Array::from_slice(&values, shape).unwrap()
}

fn run(plan: &Plan, inputs: &[View<'_>]) -> Result<Vec<f32>, Error> {
    let mut out = Array::with_layout(plan.output_layouts()[0].clone())?;
    let status = plan.run(inputs, &mut [out.view_mut()])?;
    assert!(!status.zero_division());
    Ok(out.as_slice::<f32>()?.to_vec())
}

#[test]
fn every_bind_function_gives_the_same_plan() {
    // A single call; one loop too many for a single call; large enough for several threads; a scalar.
    for (a, b) in [(&[16, 16][..], &[16][..]), (&[2, 3, 4, 5], &[3, 1, 1]), (&[1 << 19], &[1 << 19]), (&[], &[])] {
        let (a, b) = (f32s(a), f32s(b));
        let (layouts, views) = ([a.layout(), b.layout()], [a.view(), b.view()]);
        let options = BindOptions::new().outputs([a.layout().clone()]);
        let plans = [
            add().bind(&layouts).unwrap(),
            add().bind_with(&layouts, &BindOptions::new().c_order()).unwrap(),
            add().bind_with(&layouts, &options).unwrap(),
            add().bind_to(&layouts, &[a.layout()], None).unwrap(),
        ];
        let expected = run(&plans[0], &views).unwrap();
        assert!(expected.iter().zip(a.as_slice::<f32>().unwrap()).any(|(sum, a)| sum != a));
        for plan in &plans[1..] {
            assert_eq!(plan.explain(8).to_string(), plans[0].explain(8).to_string());
            assert_eq!((plan.bytes(), plan.tasks(8)), (plans[0].bytes(), plans[0].tasks(8)));
            assert_eq!(plan.output_layouts(), plans[0].output_layouts());
            assert_eq!(run(plan, &views).unwrap(), expected);
            assert_eq!(run(&plan.clone(), &views).unwrap(), expected);
            let mut out = vec![f32::NAN; expected.len()];
            let mut views_out = [ViewMut::new(&mut out, a.layout().shape().clone()).unwrap()];
            let tasks = plan.tasks_over(3, &views, &mut views_out).unwrap();
            for task in 0..tasks.count() {
                // SAFETY: this thread runs each task once, one after the other.
                let _ = unsafe { tasks.run(task) }.unwrap();
            }
            drop(tasks);
            assert_eq!(out, expected);
        }
    }
}

#[test]
fn bind_to_and_bind_with_give_the_same_errors() {
    let layout = |shape: &[usize]| Layout::contiguous(DType::F32, shape).unwrap();
    let (a, b) = (layout(&[4, 5]), layout(&[5]));
    let repeated = Layout::strided(DType::F32, [4, 5], [0, 4]).unwrap();
    let cases: [(&[&Layout], &[&Layout], ErrorKind); 7] = [
        (&[&a, &b], &[&b], ErrorKind::Layout),
        (&[&a, &b], &[&layout(&[1, 4, 5])], ErrorKind::Layout),
        (&[&a, &b], &[&Layout::contiguous(DType::I32, [4, 5]).unwrap()], ErrorKind::DType),
        (&[&a, &b], &[&repeated], ErrorKind::Layout),
        (&[&a, &layout(&[4])], &[&a], ErrorKind::Broadcast),
        (&[&a], &[&a], ErrorKind::Arity),
        (&[&a, &b], &[&a, &a], ErrorKind::Arity),
    ];
    for (inputs, outputs, kind) in cases {
        let to = add().bind_to(inputs, outputs, None).unwrap_err();
        let owned: Vec<Layout> = outputs.iter().map(|&o| o.clone()).collect();
        let with = add().bind_with(inputs, &BindOptions::new().outputs(owned)).unwrap_err();
        assert_eq!((to.to_string(), to.kind()), (with.to_string(), kind));
    }
}

/// The stride of an axis of size 1 is never used, so a run accepts any value.
#[test]
fn a_run_ignores_the_strides_of_size_1_axes() {
    let mut data: Vec<f32> = (0..32).map(|i| i as f32).collect();
    let bound = Layout::contiguous(DType::F32, [3, 1, 4]).unwrap();
    let plan = add().bind_to(&[&bound, &bound], &[&bound], None).unwrap();
    let view = |strides: [isize; 3]| View::strided(&data, 8, [3, 1, 4], strides).unwrap();
    let doubled: Vec<f32> = data[8..20].iter().map(|x| x + x).collect();
    assert_eq!(run(&plan, &[view([16, 16, 4]), view([16, -1000, 4])]).unwrap(), doubled);
    for wrong in [[16, 16, 8], [-16, 16, 4], [0, 16, 4]] {
        let error = run(&plan, &[view([16, 16, 4]), view(wrong)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Layout, "{error}");
    }
    // The strides of size-1 axes of an output, and of the input that it overwrites, do not matter either.
    let other = View::new(&doubled, [3, 1, 4]).unwrap();
    let mut in_out = ViewMut::strided(&mut data, 8, [3, 1, 4], [16, 3, 4]).unwrap();
    let _ = plan.run_in_place(&Serial, 0, &[other], &mut in_out).unwrap();
    assert!(data[8..20].iter().zip(&doubled).all(|(sum, twice)| *sum == twice * 1.5));
}
