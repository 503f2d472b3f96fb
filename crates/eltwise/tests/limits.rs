//! Extreme arguments give a result or an error: no operands, ranks up to 1000, sizes whose product overflows, more
//! memory than there is, an executor that panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use eltwise::{
    Array, BindOptions, Broadcast, DType, ErrorKind, Executor, Expr, Hoist, Layout, Op, Program, ProgramBuilder, Shape,
    Strides,
};

fn kind<T>(result: Result<T, eltwise::Error>) -> Option<ErrorKind> {
    result.err().map(|e| {
        assert!(!e.to_string().is_empty());
        e.kind()
    })
}

#[test]
fn no_operands_is_an_error() {
    assert_eq!(kind(eltwise::broadcast(&[])), Some(ErrorKind::Arity));
    assert_eq!(kind(eltwise::broadcast_shapes(&Broadcast::Numpy, &[])), Some(ErrorKind::Arity));
    assert_eq!(kind(Broadcast::Numpy.align(&[])), Some(ErrorKind::Arity));
    for &op in Op::ALL {
        assert!(Program::single(op, &[], None, Broadcast::Numpy).is_err(), "{op} of nothing");
    }
    assert!(Program::new(&[], &[]).is_err() && ProgramBuilder::new().finish().is_err());
    assert_eq!(kind(Expr::parse("")), Some(ErrorKind::Parse));
    // A program with an input cannot be bound to none.
    let program = Program::parse("add(x, x)", &[("x", DType::F32)]).unwrap();
    assert_eq!(kind(program.bind(&[])), Some(ErrorKind::Arity));
}

/// Ranks above 8, up to which shapes are stored inline, without the heap.
#[test]
fn ranks_to_1000_give_the_result_of_dense_operands() {
    for rank in [9, 33, 64, 65, 300, 1000] {
        let mut shape = vec![1usize; rank];
        (shape[0], shape[rank / 2], shape[rank - 1]) = (2, 3, 5);
        let x: Vec<i32> = (0..30).collect();
        let x = Array::from_slice(&x, &shape[..]).unwrap();
        let row = Array::from_slice(&[1i32, 2, 3, 4, 5], [5]).unwrap();
        let sum = eltwise::add(&x, &row).unwrap();
        let expected: Vec<i32> = (0..30).map(|i| i + i % 5 + 1).collect();
        assert_eq!((sum.shape().dims(), sum.as_slice::<i32>().unwrap()), (&shape[..], &expected[..]), "rank {rank}");
        // A different stride for every axis, so that none coalesce by chance.
        let strides: Vec<isize> = (0..rank).map(|axis| if shape[axis] == 1 { axis as isize - 7 } else { 4 }).collect();
        let strided = Layout::strided(DType::I32, Shape::new(&shape), Strides::new(&strides)).unwrap();
        let program = Program::single(Op::Negative, &[DType::I32], None, Broadcast::Numpy).unwrap();
        let plan = program.bind(&[&strided]).unwrap();
        assert_eq!(plan.output_layouts()[0].shape().dims(), shape);
        assert!(!plan.explain(2).to_string().is_empty());
    }
}

#[test]
fn products_of_sizes_that_overflow_are_errors() {
    let max = isize::MAX as usize;
    for shape in [vec![1 << 32, 1 << 32], vec![max, 2], vec![3, max], vec![1 << 16; 4], vec![2; 64], vec![usize::MAX]] {
        assert_eq!(kind(Layout::contiguous(DType::U8, &shape[..])), Some(ErrorKind::TooLarge), "{shape:?}");
        // With an axis of size 0 there are no elements, so nothing overflows.
        let empty: Vec<usize> = shape.iter().copied().chain([0]).collect();
        assert_eq!(kind(Layout::contiguous(DType::F64, &empty[..])), None, "{empty:?}");
        assert_eq!(Array::zeros(DType::F64, &empty[..]).unwrap().layout().span().unwrap(), (0, 0));
    }
    // Each operand is small, but the iteration shape is not.
    let axes: Vec<Layout> = (0..4)
        .map(|axis| {
            let mut shape = [1usize; 4];
            shape[axis] = 1 << 20;
            Layout::contiguous(DType::U8, shape).unwrap()
        })
        .collect();
    let program = Program::parse("a + b + c + d", &["a", "b", "c", "d"].map(|n| (n, DType::U8))).unwrap();
    assert_eq!(kind(program.bind(&axes.iter().collect::<Vec<_>>())), Some(ErrorKind::TooLarge));
}

/// An array larger than any memory is an error, and so is an output of that size from a few bytes that repeat.
#[test]
fn arrays_larger_than_memory_are_errors() {
    assert_eq!(kind(Array::zeros(DType::U8, [1 << 60])), Some(ErrorKind::TooLarge));
    assert_eq!(kind(Array::zeros(DType::F32, [1 << 60])), Some(ErrorKind::TooLarge));
    let one = Array::from_slice(&[1.0f32], [1]).unwrap();
    let huge = one.view().broadcast_to([1 << 58]).unwrap();
    assert_eq!(kind(eltwise::add(&huge, &one)), Some(ErrorKind::TooLarge));
    let plan = Program::parse("x + x", &[("x", DType::F32)]).unwrap().bind(&[huge.layout()]).unwrap();
    assert_eq!(kind(plan.run_to_arrays(&eltwise::Serial, &[huge])), Some(ErrorKind::TooLarge));
}

/// Runs this many tasks, then panics.
struct Panics(usize);

impl Executor for Panics {
    fn width(&self) -> usize {
        4
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        (0..tasks.min(self.0)).for_each(f);
        panic!("the executor panics");
    }
}

/// Predicted times saturate; results of any size that a layout can have are planned.
#[test]
fn layouts_of_petabytes_bind() {
    let program = |text: &str, dtype| Program::parse(text, &[("x", dtype), ("y", dtype)]).unwrap();
    let texts = ["x == y", "x + y", "x * y + x"];
    // The minimal build has no f64.
    let dtypes = if cfg!(feature = "f64") { &[DType::F32, DType::F64][..] } else { &[DType::F32] };
    for (text, &dtype) in texts.into_iter().flat_map(|text| dtypes.iter().map(move |dtype| (text, dtype))) {
        let size = dtype.size() as isize;
        let cases: [([usize; 2], [isize; 2], [isize; 2]); 4] = [
            ([1 << 30, 1 << 29], [size, 0], [0, size]),
            ([2, 200_000_000], [size * 200_000_000, size], [0, size]),
            ([1 << 56, 4], [0, size], [0, 0]),
            ([3, 1 << 56], [size, 0], [2 * size, 0]),
        ];
        for (shape, x, y) in cases {
            let layouts = [x, y].map(|strides| Layout::strided(dtype, shape, strides).unwrap());
            for runs in [0, 1, usize::MAX] {
                let plan = program(text, dtype).bind_with(&layouts.each_ref(), &BindOptions::new().runs(runs)).unwrap();
                assert!(!plan.explain(1).to_string().is_empty());
            }
        }
    }
}

#[test]
fn a_plan_runs_again_after_its_executor_panicked() {
    let x: Vec<f32> = (0..4_000_000).map(|i| i as f32).collect();
    let x = Array::from_slice(&x, [4_000_000]).unwrap();
    let plan = Program::parse("x * 2 + 1", &[("x", DType::F32)]).unwrap().bind(&[x.layout()]).unwrap();
    assert!(plan.tasks(4) > 1, "the plan has one task only");
    let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
    for tasks in [0, 1, 3] {
        let run = || plan.run_with(&Panics(tasks), &[x.view()], &mut [out.view_mut()]).map(|_| ());
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
    let status = plan.run(&[x.view()], &mut [out.view_mut()]).unwrap();
    assert_eq!(status, eltwise::Status::default());
    assert!(out.as_slice::<f32>().unwrap().iter().enumerate().all(|(i, &y)| y == 2.0 * i as f32 + 1.0));
}

/// Whether this is the child process, which may limit its memory. The parent gets `false`, after it has started a child
/// that runs `test` alone and has asserted that the child passed and reached the limit.
///
/// The limit needs a separate process because it holds for all threads. There is no such test on aarch64: its tests run
/// under qemu, which starts no foreign programs and supports no memory limit.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn is_memory_limited_child(test: &str) -> bool {
    const ROLE: &str = "ELTWISE_TEST_LITTLE_MEMORY";
    let child = std::env::var_os(ROLE).is_some();
    if !child {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let out = child.args(["--exact", test, "--nocapture"]).env(ROLE, "1").output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success() && text.contains("the memory limit was reached"), "{out:?}");
    }
    child
}

/// Limits the address space of this process.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn limit_memory(bytes: usize) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the pointer is to a struct that outlives the call.
    assert_eq!(unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) }, 0);
    limit.rlim_cur = (bytes as libc::rlim_t).min(limit.rlim_max);
    // SAFETY: the pointer is to a struct that outlives the call.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
}

/// `try_clone` without memory is an error and `clone` a panic that says so. Neither ends the process.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn clones_without_memory() {
    const BYTES: usize = 1 << 30;
    if !is_memory_limited_child("clones_without_memory") {
        return;
    }
    let small = Array::from_slice(&[1.5f32, -2.0, 3.0, 4.0], [2, 2]).unwrap();
    let copy = small.try_clone().unwrap();
    assert_eq!((copy.bytes(), copy.layout()), (small.bytes(), small.layout()));
    // Zero pages take no memory until they are written. The limit is on addresses, and this array alone exceeds it.
    let large = Array::zeros(DType::U8, [BYTES]).unwrap();
    limit_memory(BYTES);
    assert_eq!(kind(large.try_clone()), Some(ErrorKind::TooLarge));
    let panic = catch_unwind(AssertUnwindSafe(|| large.clone())).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.starts_with("cannot clone an array: ") && message.contains("1073741824"), "{message}");
    println!("the memory limit was reached");
}

/// Without memory for the hoisted values, a run is an error and writes nothing. It succeeds once there is memory.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn stages_without_memory() {
    // More than the freed memory that the allocator keeps.
    const N: usize = 1 << 24;
    if !is_memory_limited_child("stages_without_memory") {
        return;
    }
    let program = Program::parse("sqrt(row) + x", &[("row", DType::F32), ("x", DType::F32)]).unwrap();
    let one = Array::from_slice(&[4.0f32], [1]).unwrap();
    let (row, x) = (Array::zeros(DType::F32, [N]).unwrap(), one.view().broadcast_to([2, N]).unwrap());
    let options = BindOptions::new().hoist(Hoist::Always);
    let plan = program.bind_with(&[row.layout(), x.layout()], &options).unwrap();
    assert!(plan.scratch() >= 4 * N, "{} bytes between the stages", plan.scratch());
    let mut out = Array::zeros(DType::F32, [2, N]).unwrap();
    limit_memory(1 << 20);
    assert_eq!(kind(plan.run(&[row.view(), x.clone()], &mut [out.view_mut()])), Some(ErrorKind::TooLarge));
    assert!(out.bytes().iter().all(|&b| b == 0));
    println!("the memory limit was reached");
    limit_memory(usize::MAX);
    let _ = plan.run(&[row.view(), x], &mut [out.view_mut()]).unwrap();
    assert!(out.as_slice::<f32>().unwrap().iter().all(|&r| r == 4.0));
}
