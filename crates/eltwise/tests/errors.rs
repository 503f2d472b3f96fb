//! No safe call panics or reads out of bounds. Each misuse gives its own error, which has the names, shapes and sizes
//! in its message, and leaves the outputs unchanged.

use std::sync::atomic::{AtomicUsize, Ordering};

use eltwise::{
    Array, BindOptions, Broadcast, DType, Error, ErrorKind, Executor, Layout, Op, Plan, Program, ProgramBuilder,
    Serial, Shape, Strides, View, ViewMut,
};
use eltwise_testkit::{Arrangement, Operand, runner};
use proptest::prelude::*;

fn layout(dtype: DType, shape: &[usize]) -> Layout {
    Layout::contiguous(dtype, shape).unwrap()
}

/// Asserts that a result is an error of a kind, with these words in its message.
#[track_caller]
fn fails<T>(result: Result<T, Error>, kind: ErrorKind, words: &[&str]) {
    let error = result.err().expect("expected an error");
    let text = error.to_string();
    assert_eq!(error.kind(), kind, "{text}");
    for word in words {
        assert!(text.contains(word), "{word:?} is not in {text:?}");
    }
}

fn add() -> Program {
    Program::parse("left + right", &[("left", DType::F32), ("right", DType::F32)]).unwrap()
}

#[test]
fn shapes_that_do_not_broadcast_are_errors() {
    let bind = |a: &[usize], b: &[usize]| add().bind(&[&layout(DType::F32, a), &layout(DType::F32, b)]);
    fails(bind(&[3, 4], &[5, 4]), ErrorKind::Broadcast, &["[3, 4]", "[5, 4]", "numpy", "axis 0 is 3 and 5"]);
    fails(bind(&[2], &[2, 0]), ErrorKind::Broadcast, &["[2]", "[2, 0]", "axis 1 is 2 and 0"]);
    let mut modes: Vec<(Broadcast, &str)> =
        vec![(Broadcast::None, "none"), (Broadcast::Unidirectional, "unidirectional")];
    modes.extend([-2, -1, 0, 1, 2, 3, i64::MIN, i64::MAX].map(|axis| (Broadcast::Pdpd { axis }, "pdpd axis")));
    for (mode, name) in modes {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, mode).unwrap();
        let bound = program.bind(&[&layout(DType::F32, &[7, 5]), &layout(DType::F32, &[6])]);
        fails(bound, ErrorKind::Broadcast, &["[7, 5]", "[6]", name]);
    }
    let target = Broadcast::Bidirectional { target: [4, 3].into() };
    let program = Program::single(Op::BroadcastTo, &[DType::F32], None, target).unwrap();
    fails(program.bind(&[&layout(DType::F32, &[2, 3])]), ErrorKind::Broadcast, &["[2, 3]", "[4, 3]", "bidirectional"]);
    let (x, y) = (Array::zeros(DType::F32, [3]).unwrap(), Array::zeros(DType::F32, [4]).unwrap());
    fails(eltwise::add(&x, &y), ErrorKind::Broadcast, &["[3]", "[4]"]);
    fails(x.view().broadcast_to([3, 1]), ErrorKind::Broadcast, &["[3]", "[3, 1]"]);
    fails(eltwise::broadcast(&[x.view(), y.view()]), ErrorKind::Broadcast, &["[3]", "[4]"]);
}

#[test]
fn wrong_dtypes_are_errors() {
    let (f, i) = (Array::zeros(DType::F32, [3]).unwrap(), Array::zeros(DType::I32, [3]).unwrap());
    fails(eltwise::add(&f, &i), ErrorKind::DType, &["add", "f32", "i32"]);
    fails(eltwise::sqrt(&i), ErrorKind::DType, &["sqrt", "i32"]);
    fails(eltwise::where_(&f, &f, &f), ErrorKind::DType, &["where", "f32", "bool"]);
    fails(eltwise::cast(&f, DType::Opaque4), ErrorKind::DType, &["cast", "f32"]);
    fails(add().bind(&[f.layout(), i.layout()]), ErrorKind::DType, &["right", "i32", "f32"]);
    let mut out = Array::zeros(DType::I32, [3]).unwrap();
    fails(eltwise::into::add(&f, &f, &mut out.view_mut()), ErrorKind::DType, &["output 0", "i32", "f32"]);
    fails(f.as_slice::<i32>(), ErrorKind::DType, &["f32", "i32"]);
    let wrong = Program::single(Op::Add, &[DType::F32], None, Broadcast::Numpy);
    fails(wrong, ErrorKind::Arity, &["add", "1", "2"]);
}

/// The plan is bound to `[4, 5] + [5]` and run with other views. Nothing is written.
#[test]
fn a_run_with_views_of_other_layouts_is_an_error() {
    let dense = Arrangement::dense();
    let operand = |dtype, shape: &[usize]| Operand::input(dtype, &Shape::new(shape), &dense, 2);
    let (a, b) = (operand(DType::F32, &[4, 5]), operand(DType::F32, &[5]));
    let plan = add().bind(&[a.layout(), b.layout()]).unwrap();
    let transposed = Arrangement { order: std::array::from_fn(|x| 15 - x as u8), ..dense.clone() };
    let strided = Operand::input(DType::F32, &[4, 5].into(), &transposed, 2);
    let (short, other) = (operand(DType::F32, &[4, 4]), operand(DType::I32, &[5]));
    let mut out = Operand::canary(DType::F32, &[4, 5].into(), &dense);
    let mut small = Operand::canary(DType::F32, &[5, 4].into(), &dense);
    let cases: [(&[View<'_>], ErrorKind, &[&str]); 6] = [
        (&[], ErrorKind::Arity, &["inputs", "0", "2"]),
        (&[a.view()], ErrorKind::Arity, &["inputs", "1", "2"]),
        (&[a.view(), b.view(), b.view()], ErrorKind::Arity, &["inputs", "3", "2"]),
        (&[short.view(), b.view()], ErrorKind::Layout, &["left", "[4, 4]", "[4, 5]"]),
        (&[a.view(), other.view()], ErrorKind::DType, &["right", "i32", "f32"]),
        (&[strided.view(), b.view()], ErrorKind::Layout, &["left", "strides", "[4, 16]", "[20, 4]"]),
    ];
    for (inputs, kind, words) in cases {
        fails(plan.run(inputs, &mut [out.view_mut()]), kind, words);
        fails(plan.run_checked(&Serial, inputs, &mut [out.view_mut()]), kind, words);
        fails(plan.tasks_over(3, inputs, &mut [out.view_mut()]).map(|_| ()), kind, words);
        fails(plan.run_to_arrays(&Serial, inputs), kind, words);
    }
    let good = [a.view(), b.view()];
    fails(plan.run(&good, &mut []), ErrorKind::Arity, &["outputs", "0", "1"]);
    fails(plan.run(&good, &mut [small.view_mut()]), ErrorKind::Layout, &["output 0", "[5, 4]", "[4, 5]"]);
    fails(plan.run(&good, &mut [out.view_mut(), small.view_mut()]), ErrorKind::Arity, &["outputs", "2", "1"]);
    assert!(out.untouched() && small.untouched(), "a run that failed wrote to an output");

    let mut views = [out.view_mut()];
    let tasks = plan.tasks_over(3, &good, &mut views).unwrap();
    // SAFETY: no other thread runs a task.
    fails(unsafe { tasks.run(3) }, ErrorKind::TooLarge, &["task", "3", "2"]);
}

#[test]
fn views_past_the_end_of_a_buffer_are_errors() {
    let data = [0.0f32; 12];
    fails(View::new(&data, [3, 5]), ErrorKind::Bounds, &["[3, 5]", "15", "12"]);
    fails(View::new(&data, [3, 3]), ErrorKind::Bounds, &["[3, 3]", "9", "12"]);
    fails(View::strided(&data, 0, [3, 4], [16, 8]), ErrorKind::Bounds, &["f32[3, 4]", "[16, 8]", "48"]);
    fails(View::strided(&data, 12, [1], [4]), ErrorKind::Bounds, &["f32[1]", "52", "48"]);
    fails(View::strided(&data, 1, [3], [-4]), ErrorKind::Bounds, &["f32[3]"]);
    fails(View::strided(&data, usize::MAX, [1], [4]), ErrorKind::Bounds, &["f32[1]", "48"]);
    fails(View::strided(&data, 0, [3], [4, 4]), ErrorKind::Layout, &["[3]", "rank 1", "[4, 4]"]);
    fails(View::from_bytes(&[0; 5], layout(DType::U16, &[3]), 0), ErrorKind::Bounds, &["u16[3]", "6", "5"]);
    fails(View::from_bytes(&[], layout(DType::U8, &[0]), 1), ErrorKind::Bounds, &["u8[0]"]);
    assert!(View::strided(&data, 11, [12], [-4]).is_ok());
    assert!(View::strided(&data, 11, [1 << 40], [0]).is_ok());
    let mut data = data;
    fails(ViewMut::new(&mut data, [13]), ErrorKind::Bounds, &["[13]", "13", "12"]);
    fails(ViewMut::strided(&mut data, 0, [13], [4]), ErrorKind::Bounds, &["f32[13]", "52", "48"]);
    fails(Array::from_slice(&data, [5]), ErrorKind::Bounds, &["[5]", "5", "12"]);
    fails(ViewMut::bools(&mut [0; 3], [2]), ErrorKind::Bounds, &["[2]", "2", "3"]);
}

#[test]
fn outputs_whose_elements_share_memory_are_errors() {
    let mut data = [0u32; 64];
    for (shape, strides) in [([4usize, 4], [0isize, 4]), ([4, 4], [8, 4]), ([2, 2], [2, 8]), ([3, 2], [4, -4])] {
        let view = ViewMut::strided(&mut data, 32, shape, strides);
        fails(view, ErrorKind::Layout, &["share memory", &format!("{shape:?}"), &format!("{strides:?}")]);
        let out = Layout::strided(DType::F32, shape, strides).unwrap();
        let input = layout(DType::F32, &shape);
        let bound = add().bind_with(&[&input, &input], &BindOptions::new().outputs([out.clone()]));
        fails(bound, ErrorKind::Layout, &["output 0", "share memory", &format!("{strides:?}")]);
        fails(Array::with_layout(out), ErrorKind::Layout, &[&format!("{strides:?}")]);
    }
    assert!(ViewMut::strided(&mut data, 32, [4, 4], [-16, -4]).is_ok());
    assert!(ViewMut::strided(&mut data, 32, [1, 4], [0, -4]).is_ok());
}

#[test]
fn sizes_past_the_address_space_are_errors() {
    let huge = [1usize << 40, 1 << 40];
    fails(Layout::contiguous(DType::U8, huge), ErrorKind::TooLarge, &["[1099511627776, 1099511627776]"]);
    fails(Layout::strided(DType::U8, huge, [0, 0]), ErrorKind::TooLarge, &["1099511627776"]);
    fails(Layout::contiguous(DType::F64, [1 << 61]), ErrorKind::TooLarge, &["2305843009213693952", "8"]);
    fails(
        Layout::strided(DType::U8, [3], [isize::MAX]),
        ErrorKind::TooLarge,
        &["[3]", "strides", "[9223372036854775807]"],
    );
    fails(Array::zeros(DType::U8, [usize::MAX]), ErrorKind::TooLarge, &["18446744073709551615"]);
    fails(View::new(&[0u8; 4], [usize::MAX, 2]), ErrorKind::TooLarge, &["18446744073709551615"]);
    // A view may repeat one byte 2^40 times, but the output of their sum is too large.
    let byte = [1u8];
    let wide = |shape: [usize; 2]| View::strided(&byte, 0, shape, [0, 0]).unwrap();
    let (a, b) = (wide([1 << 40, 1]), wide([1, 1 << 40]));
    fails(eltwise::add(&a, &b), ErrorKind::TooLarge, &["1099511627776"]);
    fails(eltwise::broadcast(&[a.clone(), b]), ErrorKind::TooLarge, &["1099511627776"]);
    fails(a.broadcast_to([1 << 40, 1 << 40]), ErrorKind::TooLarge, &["1099511627776"]);
    let wide = wide([1 << 40, 1 << 20]);
    let to_f64 = Program::single(Op::Cast, &[DType::U8], Some(DType::F64), Broadcast::Numpy).unwrap();
    fails(to_f64.bind(&[wide.layout()]), ErrorKind::TooLarge, &["1099511627776", "8"]);
}

/// The sizes are within the address space but larger than any memory.
#[test]
fn an_allocation_that_fails_is_an_error_and_no_abort() {
    for shape in [[isize::MAX as usize], [isize::MAX as usize - 63], [1 << 61]] {
        fails(Array::zeros(DType::U8, shape), ErrorKind::TooLarge, &[&shape[0].to_string()]);
    }
    let byte = [1u8];
    let view = View::strided(&byte, 0, [1 << 40, 1 << 21], [0, 0]).unwrap();
    fails(eltwise::negative(&view), ErrorKind::TooLarge, &["[1099511627776, 2097152]"]);
    fails(eltwise::copy(&view), ErrorKind::TooLarge, &["[1099511627776, 2097152]"]);
}

/// A shape with an axis of size 0 has no elements, so the product of its other sizes must not count.
#[test]
fn shapes_with_a_zero_never_overflow() {
    let big = 1usize << 63;
    for shape in [vec![0, big, big], vec![big, big, 0], vec![usize::MAX, 0, usize::MAX], vec![big, 1, 0]] {
        let mut array = Array::zeros(DType::F64, &shape[..]).unwrap();
        assert_eq!(array.bytes().len() + array.bytes_mut().len(), 0);
        assert!(array.as_slice::<f64>().unwrap().is_empty());
        for axis in 0..shape.len() {
            assert_eq!(array.view().flipped(axis).unwrap().shape().dims(), shape);
        }
        assert_eq!(array.view().transposed().shape().rank(), shape.len());
        assert!(eltwise::negative(&array).unwrap().bytes().is_empty());
        let strings = eltwise::broadcasting::Elements::<String>::new(Vec::new(), &shape[..]).unwrap();
        assert!(eltwise::broadcasting::broadcast_of(&[&strings, &strings]).unwrap()[1].data().is_empty());
        assert!(eltwise::broadcasting::equal_of(&strings, &strings).unwrap().data().is_empty());
    }
}

/// `as_slice` of a view without elements does not check the alignment of its address.
#[test]
fn empty_slices_need_no_alignment() {
    let bytes = [0u8; 64];
    for offset in 0..=64 {
        let view = View::from_bytes(&bytes, layout(DType::F64, &[3, 0]), offset).unwrap();
        assert!(view.as_slice::<f64>().is_ok_and(<[f64]>::is_empty));
    }
    let view = View::from_bytes(&bytes[..], layout(DType::U8, &[64]), 0).unwrap();
    assert_eq!(view.as_slice::<u8>().unwrap().len(), 64);
    let odd = usize::from(bytes.as_ptr().addr().is_multiple_of(2));
    let view = View::from_bytes(&bytes, layout(DType::U16, &[2]), odd).unwrap();
    assert!(view.as_slice::<u16>().unwrap_err().to_string().contains("aligned to 2"));
}

#[test]
fn axes_out_of_range_or_repeated_are_errors() {
    let array = Array::zeros(DType::F32, [2, 3]).unwrap();
    for axes in [&[0usize][..], &[0, 0], &[0, 2], &[0, 1, 2], &[usize::MAX, 0]] {
        fails(array.view().permuted(axes), ErrorKind::Layout, &[&format!("{axes:?}"), "[2, 3]"]);
    }
    fails(array.view().flipped(2), ErrorKind::Layout, &["axis 2", "[2, 3]"]);
    fails(array.view().flipped(usize::MAX), ErrorKind::Layout, &["[2, 3]"]);
}

#[test]
fn a_value_of_another_builder_is_an_error() {
    let mut other = ProgramBuilder::new();
    let foreign = (0..9).map(|i| other.input(&format!("x{i}"), DType::F32)).last().unwrap();
    let mut builder = ProgramBuilder::new();
    builder.input("x", DType::F32);
    assert!(builder.step(Op::Negative, &[foreign], None, Broadcast::Numpy).is_err());
    builder.output(foreign);
    assert!(builder.finish().is_err());
    assert!(ProgramBuilder::new().finish().is_err());
}

#[test]
fn programs_of_up_to_3000_operands_run() {
    let sum = |count: usize| {
        let mut b = ProgramBuilder::new();
        let inputs: Vec<_> = (0..count).map(|i| b.input(&format!("x{i}"), DType::F64)).collect();
        let total = inputs.into_iter().reduce(|a, x| b.step(Op::Add, &[a, x], None, Broadcast::Numpy).unwrap());
        b.output(total.unwrap());
        Program::from(b.finish().unwrap())
    };
    let one = layout(DType::F64, &[10]);
    for count in [255, 256, 3000] {
        let (program, x) = (sum(count), Array::from_slice(&[1f64; 10], [10]).unwrap());
        let mut out = Array::from_slice(&[0f64; 10], [10]).unwrap();
        let plan = program.bind(&vec![&one; count]).unwrap();
        let _ = plan.run(&vec![x.view(); count], &mut [out.view_mut()]).unwrap();
        assert_eq!(out.as_slice::<f64>().unwrap(), [count as f64; 10]);
    }
    // Every operand is packed, which may leave no room for a tile.
    let strided = Layout::strided(DType::F64, [10], [24]).unwrap();
    match sum(255).bind(&vec![&strided; 255]) {
        Ok(plan) => assert!(!plan.explain(1).to_string().is_empty()),
        Err(e) => assert_eq!(e.kind(), ErrorKind::TooLarge, "{e}"),
    }
}

/// Integer division by zero and negative exponents.
#[test]
fn data_conditions_are_reported_after_the_output_is_written() {
    let (x, y) = (Array::from_slice(&[7i32, 8], [2]).unwrap(), Array::from_slice(&[0i32, 2], [2]).unwrap());
    fails(eltwise::divide(&x, &y), ErrorKind::Data, &["division by zero", "written"]);
    let mut out = Array::from_slice(&[-1i32; 2], [2]).unwrap();
    fails(eltwise::into::divide(&x, &y, &mut out.view_mut()), ErrorKind::Data, &["division by zero"]);
    assert_eq!(out.as_slice::<i32>().unwrap(), [0, 4]);

    let (x, y) = (Array::from_slice(&[-1i32, 2], [2]).unwrap(), Array::from_slice(&[-3i32, -1], [2]).unwrap());
    fails(eltwise::pow(&x, &y), ErrorKind::Data, &["negative power", "written"]);
    let mut out = Array::from_slice(&[7i32; 2], [2]).unwrap();
    fails(eltwise::into::pow(&x, &y, &mut out.view_mut()), ErrorKind::Data, &["negative power"]);
    assert_eq!(out.as_slice::<i32>().unwrap(), [-1, 0]);
}

/// Runs wrong task numbers: too many, too few, or one twice. `Executor` is a safe trait, so no implementation may cause
/// an access out of bounds.
struct Wrong(Order);

/// The task numbers to run, for a number of tasks.
type Order = fn(usize) -> Vec<usize>;

impl Executor for Wrong {
    fn width(&self) -> usize {
        8
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        (self.0)(tasks).into_iter().for_each(f);
    }
}

#[test]
fn an_executor_that_runs_wrong_tasks_writes_nothing_outside_the_output() {
    let shape = Shape::from([700_000]);
    let input = Operand::input(DType::I32, &shape, &Arrangement::dense(), 1);
    let program = Program::parse("a / 3 + a * a", &[("a", DType::I32)]).unwrap();
    let plan = program.bind(&[input.layout()]).unwrap();
    assert!(plan.tasks(8) > 1);
    let mut expected = Operand::canary(DType::I32, &shape, &Arrangement::dense());
    let _ = plan.run(&[input.view()], &mut [expected.view_mut()]).unwrap();
    let orders: [(bool, Order); 4] = [
        (true, |n| (0..3 * n).collect()),
        (true, |n| (0..n).chain([usize::MAX, usize::MAX - 1, n, n + 1]).collect()),
        (true, |n| (0..n).chain(0..n).collect()),
        (false, |_| vec![]),
    ];
    for (complete, order) in orders {
        let mut out = Operand::canary(DType::I32, &shape, &Arrangement::dense());
        let _ = plan.run_with(&Wrong(order), &[input.view()], &mut [out.view_mut()]).unwrap();
        assert_eq!(out.first_clobbered_byte(), None);
        assert!(!complete || out.tensor() == expected.tensor());
        // A task that ran twice in place would read its own results.
        let mut in_out = input.clone();
        let _ = plan.run_in_place(&Wrong(order), 0, &[], &mut in_out.view_mut()).unwrap();
        assert_eq!(in_out.first_clobbered_byte(), None);
        assert!(!complete || in_out.tensor() == expected.tensor());
    }
}

/// Any number of tasks writes every element once.
#[test]
fn a_run_may_have_more_tasks_than_elements() {
    let input = Operand::input(DType::U8, &[1000, 3].into(), &Arrangement::dense(), 1);
    let plan = Program::parse("-a * a", &[("a", DType::U8)]).unwrap().bind(&[input.layout()]).unwrap();
    let tasks_run = AtomicUsize::new(0);
    for tasks in [0, 1, 5000, usize::MAX / 3, usize::MAX] {
        let mut out = Operand::canary(DType::U8, &[1000, 3].into(), &Arrangement::dense());
        let (inputs, mut outputs) = ([input.view()], [out.view_mut()]);
        let run = plan.tasks_over(tasks, &inputs, &mut outputs).unwrap();
        let count = run.count();
        // Tasks without elements do nothing. Of very many tasks only some from both ends are run.
        let some = (0..count.min(6000)).chain(count.saturating_sub(2)..count);
        for task in some {
            // SAFETY: one thread runs every task.
            let _ = unsafe { run.run(task) }.unwrap();
            tasks_run.fetch_add(1, Ordering::Relaxed);
        }
        drop(run);
        assert_eq!(out.first_clobbered_byte(), None);
        if count <= 6000 {
            let mut expected = Operand::canary(DType::U8, &[1000, 3].into(), &Arrangement::dense());
            let _ = plan.run(&[input.view()], &mut [expected.view_mut()]).unwrap();
            assert_eq!(out.tensor(), expected.tensor(), "{tasks} tasks");
        }
    }
}

/// Mostly small numbers; also powers of two, the largest number, and any.
fn any_usize() -> impl Strategy<Value = usize> {
    prop_oneof![6 => 0..9usize, 1 => (0..64u32).prop_map(|s| 1 << s), 1 => Just(usize::MAX), 1 => any::<usize>()]
}

fn any_isize() -> impl Strategy<Value = isize> {
    prop_oneof![
        6 => -40..41isize,
        1 => (0..63u32, any::<bool>()).prop_map(|(s, n)| if n { -(1 << s) } else { 1 << s }),
        1 => Just(isize::MIN),
        1 => Just(isize::MAX),
        1 => any::<isize>(),
    ]
}

/// Calls every method of a view. Each gives a result or an error and reads only within the buffer.
fn call_every_method(view: &View<'_>, shape: &[usize], axes: &[usize]) {
    for axis in axes {
        if let Ok(flipped) = view.flipped(*axis) {
            assert_eq!(flipped.flipped(*axis).unwrap().as_ptr(), view.as_ptr());
        }
    }
    let _ = view.permuted(axes);
    assert_eq!(view.transposed().shape().rank(), view.shape().rank());
    let _ = view.broadcast_to(shape);
    let _ = (view.as_slice::<u8>(), view.as_slice::<f64>(), view.as_slice::<bool>());
    let _ = eltwise::broadcast(&[view.clone(), view.clone()]);
    let small = view.shape().elements().is_ok_and(|n| n < 10_000);
    let copy = Program::single(Op::Copy, &[view.dtype()], None, Broadcast::Numpy).unwrap();
    let plan: Result<Plan, Error> = copy.bind(&[view.layout()]);
    if let (Ok(plan), true) = (plan, small) {
        let arrays = plan.run_to_arrays(&Serial, std::slice::from_ref(view)).unwrap();
        assert_eq!(arrays[0].shape(), view.shape());
        let _ = (arrays[0].as_slice::<u8>(), plan.explain(3).to_string(), plan.bytes());
    }
}

#[test]
fn views_and_arrays_of_arbitrary_numbers_never_panic() {
    let axes = prop::collection::vec(prop_oneof![4 => 0..6usize, 1 => any_usize()], 0..6);
    let strategy = (
        prop::sample::select(DType::ALL.to_vec()),
        prop::collection::vec(any_usize(), 0..6),
        prop::collection::vec(any_isize(), 0..6),
        (any_usize(), prop::collection::vec(any_usize(), 0..6), axes, 0..300usize),
    );
    let result = runner(40.0).run(&strategy, |(dtype, shape, strides, (offset, other, axes, length))| {
        let mut bytes = vec![1u8; length];
        if shape.iter().try_fold(dtype.size(), |n, &d| n.checked_mul(d)).is_none_or(|n| n < 1 << 20) {
            // A system that overcommits memory would grant larger ones.
            let array = Array::zeros(dtype, &shape[..]);
            if let Ok(array) = array {
                call_every_method(&array.view(), &other, &axes);
                let _ = array.bytes().len();
            }
        }
        let strides = Strides::new(&strides);
        let _ = View::strided(&[0u32; 40], offset, &shape[..], strides.clone())
            .map(|v| call_every_method(&v, &other, &axes));
        let _ = ViewMut::strided(&mut [0u32; 40], offset, &shape[..], strides.clone());
        let _ = View::new(&bytes, &shape[..]).map(|v| call_every_method(&v, &other, &axes));
        let Ok(layout) = Layout::strided(dtype, &shape[..], strides) else { return Ok(()) };
        let _ = (layout.overlaps_itself(), layout.is_contiguous(), layout.to_string());
        if let Ok(view) = View::from_bytes(&bytes, layout.clone(), offset) {
            call_every_method(&view, &other, &axes);
        }
        let _ = Array::with_layout(layout.clone()).map(|a| a.bytes().len());
        let _ = ViewMut::from_bytes(&mut bytes, layout, offset);
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn elements_must_be_as_many_as_their_shape_has() {
    use eltwise::broadcasting::Elements;
    assert_eq!(Elements::new(vec![1, 2, 3], [3]).unwrap().into_data(), [1, 2, 3]);
    fails(Elements::new(vec![1, 2], [3]), ErrorKind::Bounds, &["[3]", "3", "2"]);
}
