//! A plan's run on the calling thread allocates nothing.

use std::alloc::{GlobalAlloc, Layout as MemoryLayout, System};
use std::cell::Cell;

use eltwise::{
    BindOptions, Broadcast, DType, Layout, Op, Plan, PlanCache, Program, ProgramBuilder, Serial, Shape, View, ViewMut,
};
use eltwise_testkit::{Arrangement, Operand};

/// The system allocator, with a count of calls per thread.
struct Counting;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // The counter of a thread that is ending may be gone.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: MemoryLayout) -> *mut u8 {
        count();
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: MemoryLayout) {
        count();
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(ptr, layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: MemoryLayout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's contract.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocator calls that this thread makes during `f`.
fn calls<R>(f: impl FnOnce() -> R) -> usize {
    let before = CALLS.get();
    let result = f();
    let after = CALLS.get();
    drop(result);
    after - before
}

#[test]
fn an_allocation_is_counted() {
    assert!(calls(|| std::hint::black_box(vec![1u8; 100])) > 0);
}

#[test]
fn a_plan_from_a_cache_allocates_nothing() {
    let program = Program::parse("a * b + 1", &[("a", DType::F32), ("b", DType::F32)]).unwrap();
    let cache = PlanCache::new(program, BindOptions::new(), 64);
    let b = Layout::contiguous(DType::F32, [3]).unwrap();
    let layouts = (1..20).map(|n| Layout::contiguous(DType::F32, [n, 3]).unwrap());
    for a in layouts.collect::<Vec<_>>() {
        // The plan is made, and made again at its third hit.
        for _ in 0..4 {
            cache.plan(&[&a, &b]).unwrap();
        }
        assert_eq!(calls(|| std::mem::forget(cache.plan(&[&a, &b]).unwrap())), 0, "{a:?}");
    }
}

/// Asserts that a run allocates nothing, by each method that stays on the calling thread.
fn assert_no_allocation(what: &str, plan: &Plan, inputs: &[Operand]) {
    let text = plan.explain(1).to_string();
    let views: Vec<View<'_>> = inputs.iter().map(Operand::view).collect();
    let mut outputs: Vec<Operand> = plan.output_layouts().iter().map(|l| Operand::with_layout(l.clone())).collect();
    let mut out_views: Vec<ViewMut<'_>> = outputs.iter_mut().map(Operand::view_mut).collect();
    for repetition in 0..3 {
        let n = calls(|| plan.run(&views, &mut out_views).unwrap());
        assert_eq!(n, 0, "{what}, run {repetition}\n{text}");
        let n = calls(|| plan.run_with(&Serial, &views, &mut out_views).unwrap());
        assert_eq!(n, 0, "{what}, run_with {repetition}\n{text}");
    }
}

/// Asserts that a run in place, which overwrites the first input, allocates nothing.
fn assert_no_allocation_in_place(what: &str, plan: &Plan, inputs: &[Operand]) {
    let others: Vec<View<'_>> = inputs[1..].iter().map(Operand::view).collect();
    let mut first = inputs[0].clone();
    let mut in_out = first.view_mut();
    let n = calls(|| plan.run_in_place(&Serial, 0, &others, &mut in_out).unwrap());
    assert_eq!(n, 0, "{what}, in place\n{}", plan.explain(1));
}

fn operand(dtype: DType, shape: &[usize], arrangement: &Arrangement) -> Operand {
    Operand::input(dtype, &Shape::new(shape), arrangement, 4)
}

/// `x0 + x1 + ...`, from left to right.
fn sum(count: usize, dtype: DType) -> Program {
    let mut b = ProgramBuilder::new();
    let inputs: Vec<_> = (0..count).map(|i| b.input(&format!("x{i}"), dtype)).collect();
    let total = inputs.iter().copied().reduce(|a, x| b.step(Op::Add, &[a, x], None, Broadcast::Numpy).unwrap());
    b.output(total.unwrap());
    Program::from(b.finish().unwrap())
}

fn bind(program: &Program, inputs: &[Operand]) -> Plan {
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    program.bind_with(&layouts, &BindOptions::new().outputs([inputs[0].layout().clone()])).unwrap()
}

#[test]
fn a_run_allocates_nothing() {
    let dense = Arrangement::dense();
    let transposed = Arrangement { order: std::array::from_fn(|a| 15 - a as u8), ..Arrangement::dense() };
    let reversed = Arrangement { flips: u16::MAX, offset: 1, ..Arrangement::dense() };
    let rank_12: [usize; 12] = [2, 1, 3, 2, 1, 2, 2, 3, 1, 2, 2, 3];
    let cases: Vec<(&str, Program, Vec<Operand>)> = vec![
        ("16 elements", sum(2, DType::F32), vec![operand(DType::F32, &[16], &dense); 2]),
        ("a row", sum(2, DType::F64), vec![operand(DType::F64, &[70, 90], &dense), operand(DType::F64, &[90], &dense)]),
        (
            "short rows",
            sum(2, DType::U8),
            vec![operand(DType::U8, &[999, 3], &dense), operand(DType::U8, &[3], &dense)],
        ),
        (
            "transposed",
            sum(2, DType::F16),
            vec![operand(DType::F16, &[61, 67], &dense), operand(DType::F16, &[61, 67], &transposed)],
        ),
        (
            "transposed, several tiles",
            sum(2, DType::F32),
            vec![operand(DType::F32, &[261, 267], &dense), operand(DType::F32, &[261, 267], &transposed)],
        ),
        (
            "reversed",
            sum(2, DType::I64),
            vec![operand(DType::I64, &[61, 67], &reversed), operand(DType::I64, &[61, 1], &dense)],
        ),
        ("20 inputs", sum(20, DType::F32), vec![operand(DType::F32, &[33, 65], &dense); 20]),
        (
            "20 inputs, every second one transposed",
            sum(20, DType::I32),
            (0..20).map(|i| operand(DType::I32, &[33, 65], [&dense, &transposed][i % 2])).collect(),
        ),
        ("rank 12", sum(2, DType::F32), vec![operand(DType::F32, &rank_12, &dense); 2]),
        (
            "rank 12, transposed and reversed",
            sum(3, DType::F32),
            [&transposed, &dense, &reversed].map(|a| operand(DType::F32, &rank_12, a)).to_vec(),
        ),
        ("rank 0", sum(2, DType::F32), vec![operand(DType::F32, &[], &dense); 2]),
        (
            "no elements",
            sum(2, DType::F32),
            vec![operand(DType::F32, &[7, 0, 3], &dense), operand(DType::F32, &[1, 3], &dense)],
        ),
        ("no elements, rank 12", sum(3, DType::F32), vec![operand(DType::F32, &[0; 12], &dense); 3]),
    ];
    for (what, program, inputs) in &cases {
        let plan = bind(program, inputs);
        assert_no_allocation(what, &plan, inputs);
        assert_no_allocation_in_place(what, &plan, inputs);
    }
    let texts: String = cases.iter().map(|(_, p, i)| bind(p, i).explain(1).to_string() + "\n").collect();
    for word in ["direct", "tiled", "nothing to do", "packed each tile", "packed once"] {
        assert!(texts.contains(word), "no plan says {word:?}:\n{texts}");
    }
}

/// The program has casts, a selection and constants. Its output is either unpacked, into a layout with gaps, or dense.
#[test]
fn a_program_of_several_steps_allocates_nothing() {
    let program = Program::parse(
        "where(cast(a, f32) > 100, cast(b, f32) * 0.5 - 1, sqrt(cast(a, f32)))",
        &[("a", DType::U8), ("b", DType::I16)],
    )
    .unwrap();
    let gaps = Arrangement { gaps: [3; 16], ..Arrangement::dense() };
    let inputs = [operand(DType::U8, &[50, 40, 3], &gaps), operand(DType::I16, &[40, 1], &gaps)];
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    for out in [&gaps, &Arrangement::dense()] {
        let out = Operand::canary(DType::F32, &[50, 40, 3].into(), out);
        let options = BindOptions::new().outputs([out.layout().clone()]);
        assert_no_allocation("several steps", &program.bind_with(&layouts, &options).unwrap(), &inputs);
    }
}

/// The memory of hoisted values is on the stack, or the caller passes it, or the plan allocates it at its first run and
/// keeps it.
#[test]
fn a_run_with_hoisted_stages_allocates_at_most_once() {
    let program = Program::parse("x * exp(v + s)", &[("x", DType::F32), ("v", DType::F32), ("s", DType::F32)]).unwrap();
    for columns in [90, 9000] {
        let dense = Arrangement::dense();
        let inputs = [[50, columns].as_slice(), &[columns], &[1]].map(|shape| operand(DType::F32, shape, &dense));
        let plan = bind(&program, &inputs);
        assert!(plan.explain(1).to_string().contains("stage"), "{}", plan.explain(1));
        assert_eq!(plan.scratch() > 0, columns == 9000);
        let views: Vec<View<'_>> = inputs.iter().map(Operand::view).collect();
        let mut outputs = [Operand::with_layout(plan.output_layouts()[0].clone())];
        let mut out_views = outputs.each_mut().map(Operand::view_mut);
        let mut scratch = vec![std::mem::MaybeUninit::uninit(); plan.scratch()];
        let n = calls(|| plan.run_with_scratch(&Serial, &views, &mut out_views, &mut scratch).unwrap());
        assert_eq!(n, 0, "with the caller's scratch");
        let n = calls(|| plan.run(&views, &mut out_views).unwrap());
        assert_eq!(n, usize::from(columns == 9000), "the first run");
        assert_no_allocation("stages", &plan, &inputs);
        assert_no_allocation_in_place("stages", &plan, &inputs);
    }
}

/// A transposing copy, and a division that reports a condition.
#[test]
fn moves_and_conditions_allocate_nothing() {
    let transposed = Arrangement { order: std::array::from_fn(|a| 15 - a as u8), ..Arrangement::dense() };
    for dtype in DType::ALL {
        let inputs = [operand(dtype, &[31, 5, 17], &transposed)];
        let copy = Program::single(Op::Copy, &[dtype], None, Broadcast::Numpy).unwrap();
        let plan = copy.bind_with(&[inputs[0].layout()], &BindOptions::new().c_order()).unwrap();
        assert_no_allocation("copy", &plan, &inputs);
    }
    let inputs = [operand(DType::I32, &[1000], &Arrangement::dense()), operand(DType::I32, &[1000], &transposed)];
    let divide = Program::single(Op::Divide, &[DType::I32; 2], None, Broadcast::None).unwrap();
    assert_no_allocation("divide", &bind(&divide, &inputs), &inputs);
}
