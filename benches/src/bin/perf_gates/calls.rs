//! Fixed cost of a call: building and binding a program, binding plus one run, and functions such as `eltwise::add` that do
//! all three.

use std::hint::black_box;

use eltwise::{Array, Broadcast, DType, Layout, Op, Program, ProgramBuilder, Serial};

use crate::timing::{judge_ns, min_ns_per_call};

/// The minimum time of a call over many short batches.
fn min_time(f: impl FnMut()) -> f64 {
    min_ns_per_call(400, 200, f)
}

/// A chain of sums: `x + y + y ...`.
fn chain(steps: usize) -> Program {
    let mut builder = ProgramBuilder::new();
    let (mut x, y) = (builder.input("x", DType::F32), builder.input("y", DType::F32));
    for _ in 0..steps {
        x = builder.step(Op::Add, &[x, y], None, Broadcast::Numpy).expect("a sum of floats should be well typed");
    }
    builder.output(x);
    Program::from(builder.finish().expect("a program with an output should be complete"))
}

/// Times calls on small arrays, and returns the number of missed bounds: 300 ns to build and bind an operator, 300 ns to bind
/// one, with or without a broadcast row, and 300 ns for each further step; 150 ns to bind an operator and run it on 64
/// elements; 120 ns for `eltwise::add` on 16 elements.
pub(crate) fn calls() -> usize {
    let mut missed = 0;
    let mut judge = |what: &str, ns: f64, bound: f64| missed += judge_ns("calls", what, ns, bound);
    let layout = |n: usize| Layout::contiguous(DType::F32, [n]).expect("a small array should fit memory");
    let (layout_16, layout_64) = (layout(16), layout(64));
    let add = chain(1);
    let bind = |program: &Program, layout: &Layout| {
        program.bind(black_box(&[layout, layout])).expect("the shapes should broadcast")
    };
    let build_and_bind = min_time(|| {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).expect("add takes f32");
        drop(black_box(bind(&program, &layout_64)));
    });
    judge("build and bind of f32 add, 64 elements", build_and_bind, 300.0);
    judge("bind of f32 add, 16 elements", min_time(|| drop(black_box(bind(&add, &layout_16)))), 300.0);
    let rows = Layout::contiguous(DType::F32, [8, 1000]).expect("a small array should fit memory");
    let row = layout(1000);
    let broadcast =
        min_time(|| drop(black_box(add.bind(black_box(&[&rows, &row])).expect("the shapes should broadcast"))));
    judge("bind of f32 add, [8, 1000] + [1000]", broadcast, 300.0);
    let (short, long) = (chain(2), chain(18));
    let [steps_2, steps_18] = [&short, &long].map(|chain| min_time(|| drop(black_box(bind(chain, &layout_16)))));
    judge("bind, each further step", (steps_18 - steps_2) / 16.0, 300.0);

    let (x, y) = (vec![1.5f32; 64], vec![2.0f32; 64]);
    let mut out = vec![0f32; 64];
    let ins = [x.as_ptr().cast::<u8>(), y.as_ptr().cast()];
    let outs = [out.as_mut_ptr().cast::<u8>()];
    let bind_and_run = min_time(|| {
        let plan = bind(&add, &layout_64);
        // SAFETY: the plan is for 64 f32 elements, and every operand has 64, aligned for f32.
        let _ = black_box(unsafe { plan.run_at(&Serial, black_box(&ins), &outs) }.unwrap());
    });
    assert_eq!(out, [3.5; 64]);
    judge("bind and run_at of f32 add, 64 elements", bind_and_run, 150.0);

    let (x, y) = (Array::from_slice(&[1.5f32; 16], [16]).unwrap(), Array::from_slice(&[2.0f32; 16], [16]).unwrap());
    assert_eq!(eltwise::add(&x, &y).unwrap().as_slice::<f32>().unwrap(), [3.5; 16]);
    judge("eltwise::add, 16 elements", min_time(|| drop(black_box(eltwise::add(black_box(&x), black_box(&y))))), 120.0);
    missed
}
