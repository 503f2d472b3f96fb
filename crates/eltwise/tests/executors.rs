//! Results do not depend on what runs a plan: threads, pools, the order of tasks, the floating-point control register
//! of the thread. Also cancelling, observers, uninitialised outputs and predicted costs.

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};

use eltwise::{
    Array, Broadcast, Cancel, DType, Error, ErrorKind, Executor, Isa, Layout, Observer, Op, Plan, Program, Rayon,
    RunOptions, RunReport, Serial, Team, set_observer,
};
use eltwise_testkit::executors::{CountingExecutor, Threads};
use half::f16;

const N: usize = 700_003;

/// The input `x`. A third of its numbers is subnormal, which flush-to-zero would change.
fn numbers() -> Array {
    let values: Vec<f32> = (0..N)
        .map(|i| if i % 3 == 0 { f32::from_bits(i as u32 % 0x7f_ffff + 1) } else { (i as f32 - 3e5) * 1e-3 })
        .collect();
    Array::from_slice(&values, [N]).unwrap()
}

fn bind(text: &str, input: &Array) -> Plan {
    Program::parse(text, &[("x", input.dtype())]).unwrap().bind(&[input.layout()]).unwrap()
}

fn run(plan: &Plan, executor: &dyn Executor, input: &Array) -> Vec<u8> {
    let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
    out.bytes_mut().fill(0xa5);
    let status = plan.run_with(executor, &[input.view()], &mut [out.view_mut()]).unwrap();
    assert!(!status.cancelled());
    out.bytes().to_vec()
}

const TEXTS: [&str; 3] = ["x * 0.5", "exp(x * 0.001) + x", "x / 3 - x * x"];

#[test]
fn threads_that_share_a_plan_get_the_same_bits() {
    let x = numbers();
    for text in TEXTS {
        let plan = bind(text, &x);
        let expected = run(&plan, &Serial, &x);
        let (begin, team) = (Barrier::new(64), Team::new(3).unwrap());
        std::thread::scope(|scope| {
            for thread in 0..64 {
                let (plan, x, expected, begin, team) = (&plan, &x, &expected, &begin, &team);
                scope.spawn(move || {
                    begin.wait();
                    let executor: &dyn Executor = [&Serial as &dyn Executor, &Rayon, team][thread % 3];
                    assert!(run(plan, executor, x) == *expected, "{text}, thread {thread}");
                });
            }
        });
    }
}

/// Sets flush-to-zero (on aarch64 also that of `f16`), subnormals-are-zero and rounding toward zero on this thread.
/// Returns the previous value of the control register.
fn set_flushing() -> u64 {
    let old = control();
    #[cfg(target_arch = "x86_64")]
    set_control(old | 0x8040 | 0x6000);
    #[cfg(target_arch = "aarch64")]
    set_control(old | 1 << 24 | 3 << 22 | 1 << 19);
    old
}

#[cfg(target_arch = "x86_64")]
fn control() -> u64 {
    let mut value = 0u32;
    // SAFETY: stmxcsr writes four bytes.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut value) };
    u64::from(value)
}

#[cfg(target_arch = "x86_64")]
fn set_control(value: u64) {
    let value = value as u32;
    // SAFETY: the value was read from the register; the modes changed in it do not affect the arithmetic of the tests.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const value) };
}

#[cfg(target_arch = "aarch64")]
fn control() -> u64 {
    let value: u64;
    // SAFETY: only reads a register.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) value) };
    value
}

#[cfg(target_arch = "aarch64")]
fn set_control(value: u64) {
    // SAFETY: the value was read from the register; the modes changed in it do not affect the arithmetic of the tests.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) value) };
}

/// The bits of the control register that [`set_flushing`] sets.
const FLUSHING: u64 = if cfg!(target_arch = "aarch64") { 1 << 24 | 3 << 22 | 1 << 19 } else { 0xe040 };

/// An executor of this many threads, which flush subnormals and round toward zero.
struct Flushing(usize);

impl Executor for Flushing {
    fn width(&self) -> usize {
        self.0
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for first in 0..self.0 {
                scope.spawn(move || {
                    set_flushing();
                    let mine = control();
                    (first..tasks).step_by(self.0).for_each(f);
                    assert_eq!(control() & FLUSHING, mine & FLUSHING, "a task left the register changed");
                });
            }
        });
    }
}

#[test]
fn the_control_register_of_callers_and_workers_changes_no_bit() {
    let x = numbers();
    // The modes take effect: outside the library, half of a subnormal number is flushed to 0.
    let old = set_flushing();
    let flushed = std::hint::black_box(std::hint::black_box(f32::from_bits(0x100)) * 0.5);
    set_control(old);
    assert_eq!(flushed.to_bits(), 0);
    for text in TEXTS {
        for isa in Isa::available() {
            let program = Program::parse(text, &[("x", DType::F32)]).unwrap();
            let options = eltwise::BindOptions::new().isa(isa).min_task_ns(0);
            let plan = program.bind_with(&[x.layout()], &options).unwrap();
            assert!(plan.tasks(3) > 1, "{text} {isa}: the plan has one task only");
            let expected = run(&plan, &Serial, &x);
            let old = set_flushing();
            let serial = run(&plan, &Serial, &x);
            let threaded = run(&plan, &Threads::new(3), &x);
            set_control(old);
            assert!(serial == expected, "{text} {isa}: a caller that flushes");
            assert!(threaded == expected, "{text} {isa}: a caller that flushes, with threads");
            assert!(run(&plan, &Flushing(3), &x) == expected, "{text} {isa}: workers that flush");
        }
    }
}

/// Constants are parsed and folded with the bits that a thread in the default mode gives, and floating-point exceptions
/// that are not masked do not end the process.
#[test]
fn the_control_register_changes_no_constant() {
    let tiny = f32::from_bits(3);
    let make = |text: &str| Program::parse(text, &[("x", DType::F64)]).unwrap();
    let programs: [(&str, &dyn Fn() -> Program); 8] = [
        ("a literal", &|| make("x * 0.1")),
        ("a product that folds to a subnormal", &|| make("x * (1e-300 * 1e-10)")),
        ("a quotient of integers", &|| make("x + 1 / 3")),
        ("a sum", &|| make("x - (0.1 + 0.2)")),
        ("a step of constants", &|| make("x * exp(sqrt(2)) + log(3)")),
        ("integers, promoted", &|| Program::parse_promoting("x * 0.1 + 7 / 9", &[("x", DType::I64)]).unwrap()),
        ("a composite", &|| {
            Program::single(Op::CastSaturating, &[DType::F64], Some(DType::I64), Broadcast::Numpy).unwrap()
        }),
        ("a subnormal f32", &|| Program::new(&[&(eltwise::Expr::input("x") + tiny)], &[("x", DType::F64)]).unwrap()),
    ];
    #[cfg(target_arch = "x86_64")]
    let modes = [0x8040 | 0x1f80, 0x7f80, 0x5f80, 0x3f80, 0];
    #[cfg(target_arch = "aarch64")]
    let modes = [1 << 24 | 1 << 19, 3 << 22, 1 << 22, 2 << 22];
    let numbers = [1.0, -3.5e-5, 7e300, f64::MIN_POSITIVE];
    for (what, program) in programs {
        let expected = program();
        let x = if expected.inputs()[0].dtype == DType::F64 {
            Array::from_slice(&numbers, [4])
        } else {
            Array::from_slice(&[1i64, -7, 9, 1 << 60], [4])
        };
        let x = x.unwrap();
        let bytes = run(&expected.bind(&[x.layout()]).unwrap(), &Serial, &x);
        for mode in modes {
            let old = control();
            set_control(mode);
            let made = program();
            let plan = made.bind(&[x.layout()]).unwrap();
            let found = run(&plan, &Serial, &x);
            let after = control();
            set_control(old);
            assert_eq!(format!("{:?}", made.values()), format!("{:?}", expected.values()), "{what}: mode {mode:#x}");
            assert!(found == bytes, "{what}: mode {mode:#x}");
            assert_eq!(after & 0xffff_ffc0, mode & 0xffff_ffc0, "{what}: the register was left changed");
        }
    }
}

/// Half of the smallest normal `f16`, by the CPU's own instruction. `None` on a CPU without arithmetic on `f16`.
#[cfg(target_arch = "aarch64")]
fn halved_f16() -> Option<u16> {
    if !std::arch::is_aarch64_feature_detected!("fp16") {
        eltwise_testkit::skipped("this CPU has no arithmetic on f16, which FZ16 would flush");
        return None;
    }
    let result: u32;
    // SAFETY: the CPU has the instruction.
    unsafe {
        std::arch::asm!(".arch_extension fp16", "fmov {a:h}, {x:w}", "fmov {b:h}, {y:w}", "fmul {a:h}, {a:h}, {b:h}",
            "fmov {r:w}, {a:h}", x = in(reg) 0x0400u32, y = in(reg) 0x3800u32, r = lateout(reg) result,
            a = out(vreg) _, b = out(vreg) _);
    }
    Some(result as u16)
}

#[test]
fn the_control_register_changes_no_bit_of_f16() {
    #[cfg(target_arch = "aarch64")]
    {
        let old = set_flushing();
        let flushed = halved_f16();
        set_control(old);
        assert!(flushed.is_none_or(|bits| bits == 0), "FPCR.FZ16 flushes: {flushed:?}");
        assert!(halved_f16().is_none_or(|bits| bits == 0x0200));
    }
    let values: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    let x = Array::from_slice(&values, [values.len()]).unwrap();
    for text in ["x * 0.5", "x / 3", "x + 0.0001", "sqrt(x)", "maximum(x, 0.00001)", "x > 0", "ceil(x)"] {
        for isa in Isa::available() {
            let program = Program::parse(text, &[("x", DType::F16)]).unwrap();
            let options = eltwise::BindOptions::new().isa(isa).min_task_ns(0);
            let plan = program.bind_with(&[x.layout()], &options).unwrap();
            assert!(plan.tasks(2) > 1, "{text} {isa}: the plan has one task only");
            let expected = run(&plan, &Serial, &x);
            let old = set_flushing();
            let serial = run(&plan, &Serial, &x);
            set_control(old);
            assert!(serial == expected, "{text} {isa}: a caller that flushes");
            assert!(run(&plan, &Flushing(2), &x) == expected, "{text} {isa}: workers that flush");
        }
    }
}

#[test]
fn rayon_runs_on_the_callers_pool_and_inside_its_tasks() {
    let x = numbers();
    let plan = bind(TEXTS[1], &x);
    assert!(plan.tasks(4) > 1);
    let expected = run(&plan, &Serial, &x);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // On the pool, and inside tasks of the pool.
        assert!(pool.install(|| Rayon.width()) == threads && pool.install(|| run(&plan, &Rayon, &x)) == expected);
        pool.scope(|scope| {
            for _ in 0..2 * threads {
                scope.spawn(|_| assert!(run(&plan, &Rayon, &x) == expected));
            }
        });
    }
}

#[test]
fn tasks_in_any_order_on_different_threads_give_the_same_bits() {
    let x = numbers();
    for text in TEXTS {
        let plan = bind(text, &x);
        let expected = run(&plan, &Serial, &x);
        for (count, step) in [(1, 1), (7, 3), (16, 5), (101, 37)] {
            let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
            let (inputs, mut outputs) = ([x.view()], [out.view_mut()]);
            let tasks = plan.tasks_over(count, &inputs, &mut outputs).unwrap();
            for i in 0..count {
                // One thread after the other, each with a task far from the previous one.
                std::thread::scope(|scope| {
                    // SAFETY: `step` and `count` have no common divisor, so no task runs twice, and the scope ends
                    // before the next task starts.
                    let task = scope.spawn(|| unsafe { tasks.run(i * step % count) });
                    assert!(!task.join().unwrap().unwrap().zero_division());
                });
            }
            drop(outputs);
            assert!(out.bytes() == expected, "{text}: {count} tasks");
        }
    }
}

/// Runs this many tasks, then panics.
struct Panicking(usize);

impl Executor for Panicking {
    fn width(&self) -> usize {
        4
    }
    fn parallel_for(&self, _: usize, f: &(dyn Fn(usize) + Sync)) {
        (0..self.0).for_each(f);
        panic!("the executor panics");
    }
}

/// Runs every fourth task, twice, and no other.
struct Careless;

impl Executor for Careless {
    fn width(&self) -> usize {
        8
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        for task in (0..tasks).step_by(4) {
            (0..2).for_each(|_| f(task));
        }
    }
}

#[test]
fn rayon_calls_each_task_once() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for tasks in [0, 1, 2, 3, 100] {
        let check = || {
            let calls: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
            Rayon.parallel_for(tasks, &|task| {
                calls[task].fetch_add(1, Ordering::Relaxed);
            });
            assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) == 1), "{tasks} tasks: {calls:?}");
        };
        check();
        pool.install(check);
    }
    let calls = AtomicUsize::new(0);
    let panicking = || {
        Rayon.parallel_for(8, &|_| {
            calls.fetch_add(1, Ordering::Relaxed);
            panic!("a task panics");
        });
    };
    assert!(catch_unwind(AssertUnwindSafe(panicking)).is_err());
    assert!(calls.load(Ordering::Relaxed) >= 1);
}

#[test]
fn a_plan_survives_executors_that_panic_and_tolerates_careless_ones() {
    let x = numbers();
    let plan = bind(TEXTS[2], &x);
    let expected = run(&plan, &Serial, &x);
    for tasks in [0, 1, 3] {
        let old = control();
        let caught = catch_unwind(AssertUnwindSafe(|| run(&plan, &Panicking(tasks), &x)));
        assert_eq!(*caught.unwrap_err().downcast_ref::<&str>().unwrap(), "the executor panics");
        assert_eq!(control() & 0xe040, old & 0xe040);
        assert!(run(&plan, &Rayon, &x) == expected);
    }
    assert!(run(&plan, &Careless, &x) == expected);
    // A task that ran twice in place would read its own results.
    let mut in_out = x;
    let _ = plan.run_in_place(&Careless, 0, &[], &mut in_out.view_mut()).unwrap();
    assert!(in_out.bytes() == expected);
}

#[test]
fn a_team_shares_runs_that_are_too_short_for_other_executors() {
    // A run that is worth two threads if they start at once, but not worth waking a pool.
    let plan = |n: usize| {
        let x = Array::zeros(DType::F32, [n]).unwrap();
        (bind("x * 0.5", &x), x)
    };
    let (plan, x) = (1..).map(|i| plan(i << 12)).find(|(plan, _)| plan.cost().ns > 25_000).unwrap();
    assert_eq!(plan.cost().tasks, 1, "{:?}", plan.cost());
    let (threads, team) = (Threads::new(3), Team::new(3).unwrap());
    for (executor, expected) in [(&threads as &dyn Executor, 0), (&team, 1), (&Serial, 0)] {
        let counted = CountingExecutor::new(executor);
        assert!(run(&plan, &counted, &x) == run(&plan, &Serial, &x));
        assert_eq!(counted.parallel_calls(), expected);
    }
}

/// Cancels the run after `after` tasks.
struct Cancelling<'a> {
    cancel: &'a Cancel,
    after: usize,
}

impl Executor for Cancelling<'_> {
    fn width(&self) -> usize {
        8
    }
    fn parallel_for(&self, tasks: usize, f: &(dyn Fn(usize) + Sync)) {
        for task in 0..tasks {
            if task == self.after {
                self.cancel.cancel();
            }
            f(task);
        }
    }
}

#[test]
fn a_cancelled_run_reports_it_and_stops() {
    let x = numbers();
    for text in TEXTS {
        let plan = bind(text, &x);
        let expected = run(&plan, &Serial, &x);
        let tasks = plan.tasks(8);
        assert!(tasks > 1, "{text}");
        for after in 0..=tasks {
            let cancel = Cancel::new();
            let inner = Cancelling { cancel: &cancel, after };
            let executor = RunOptions::new().cancel(&cancel).on(&inner);
            let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
            out.bytes_mut().fill(0xa5);
            let status = plan.run_with(&executor, &[x.view()], &mut [out.view_mut()]).unwrap();
            // Only the tasks before the cancellation have written. A run that is cancelled after its last task is
            // complete.
            assert_eq!(status.cancelled(), after < tasks, "{text}: {after} of {tasks}");
            let same = out.bytes().iter().zip(&expected).take_while(|(a, b)| a == b).count();
            let least = expected.len() / tasks * after.saturating_sub(1);
            assert!(
                same >= least && (same == expected.len()) == (after >= tasks),
                "{text}: {same} bytes after {after}"
            );
            assert!(after > 0 || out.bytes().iter().all(|&b| b == 0xa5));
            assert_eq!(status.check().is_err(), after < tasks);
        }
        // A small run: not cancelled, then cancelled and checked.
        let small = Array::from_slice(&[1.5f32; 5], [5]).unwrap();
        let plan = bind(text, &small);
        let cancel = Cancel::new();
        let executor = RunOptions::new().cancel(&cancel).on(&Serial);
        assert!(run(&plan, &executor, &small) == run(&plan, &Serial, &small));
        cancel.cancel();
        let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
        let error = plan.run_checked(&executor, &[small.view()], &mut [out.view_mut()]).unwrap_err();
        assert_eq!((error.kind(), &error), (ErrorKind::Cancelled, &Error::Cancelled));
        assert_eq!(out.as_slice::<f32>().unwrap(), [0.0; 5]);
    }
}

#[test]
fn a_run_counts_the_work_that_is_done() {
    let x = numbers();
    for text in TEXTS {
        let plan = bind(text, &x);
        let cancel = Cancel::new();
        for runs in 1..=3 {
            let before = cancel.done_ns();
            run(&plan, &RunOptions::new().cancel(&cancel).on(&Serial), &x);
            let done = cancel.done_ns() - before;
            // Each batch is rounded down.
            let expected = plan.cost().ns;
            assert!(done <= expected && done > expected * 9 / 10, "{text}, run {runs}: {done} of {expected}");
        }
        let inner = Cancelling { cancel: &Cancel::new(), after: usize::MAX };
        let halves = Cancel::new();
        let executor = RunOptions::new().cancel(&halves).on(&inner);
        run(&plan, &executor, &x);
        assert!(halves.done_ns() > plan.cost().ns * 9 / 10, "{text}: tasks");
    }
}

/// A serial run also reads its token, which another thread cancels.
#[test]
fn a_serial_run_can_be_cancelled_from_another_thread() {
    let x = Array::zeros(DType::F32, [1 << 20]).unwrap();
    for text in ["exp(x)", "gelu(sin(exp(x) + tanh(x)))"] {
        let plan = bind(text, &x);
        let (cancel, runs) = (Cancel::new(), AtomicUsize::new(0));
        let executor = RunOptions::new().cancel(&cancel).on(&Serial);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while runs.load(Ordering::Relaxed) < 3 {
                    std::thread::yield_now();
                }
                cancel.cancel();
            });
            let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
            let mut cancelled = false;
            while !cancelled {
                cancelled = plan.run_with(&executor, &[x.view()], &mut [out.view_mut()]).unwrap().cancelled();
                assert!(runs.fetch_add(1, Ordering::Relaxed) < 1 << 20, "{text} was never cancelled");
            }
        });
        assert!(runs.into_inner() >= 3);
    }
}

/// An observer that keeps the text, the tasks and the cancellation of each report.
#[derive(Default)]
struct Lines(Mutex<Vec<(String, usize, bool)>>);

impl Observer for Lines {
    fn ran(&self, report: &RunReport<'_>) {
        assert!(report.elapsed.as_nanos() > 0 && report.plan.cost().ns > 0);
        self.0.lock().unwrap().push((report.to_string(), report.tasks, report.status.cancelled()));
    }
}

#[test]
fn observers_get_a_report_of_every_run() {
    let x = numbers();
    let plan = bind("exp(x * 0.25)", &x);
    let mine = Lines::default();
    let cancel = Cancel::new();
    let options = RunOptions::new().observer(&mine);
    run(&plan, &options.on(&Serial), &x);
    run(&plan, &options.on(&Threads::new(2)), &x);
    // Options on an executor that already has options are added to them.
    let inner = options.on(&Serial);
    let both = RunOptions::new().cancel(&cancel).on(&inner);
    cancel.cancel();
    let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
    assert!(plan.run_with(&both, &[x.view()], &mut [out.view_mut()]).unwrap().cancelled());
    let lines = mine.0.into_inner().unwrap();
    assert_eq!(lines.iter().map(|l| (l.1, l.2)).collect::<Vec<_>>(), [(1, false), (2, false), (1, true)]);
    let (line, isa) = (&lines[1].0, plan.isa());
    let head = format!("multiply exp  f32[{N}] -> f32[{N}]  {isa} tiled, 2 tasks  predicted ");
    assert!(line.starts_with(&head) && line.contains(" us on one thread, took ") && line.ends_with(" us"), "{line}");
    assert!(lines[2].0.ends_with(", cancelled"), "{}", lines[2].0);

    // The observer of the process also gets the reports of other tests that run at the same time.
    let all = Arc::new(Lines::default());
    let before = set_observer(Some(all.clone()));
    let a = Array::from_slice(&[1i32, 2, 3, 4, 5, 6, 7], [7]).unwrap();
    let seven = eltwise::add(&a, &a).unwrap();
    set_observer(before);
    assert_eq!(seven.as_slice::<i32>().unwrap()[6], 14);
    let seen = all.0.lock().unwrap().iter().filter(|l| l.0.starts_with("add  i32[7], i32[7] -> i32[7]")).count();
    assert_eq!(seen, 1);
    let _ = eltwise::add(&a, &a).unwrap();
    let after = all.0.lock().unwrap().iter().filter(|l| l.0.starts_with("add  i32[7]")).count();
    assert_eq!(after, 1, "the observer got a report after it was removed");
}

#[test]
fn run_at_writes_uninitialised_outputs() {
    let x = numbers();
    for (text, executor) in [(TEXTS[0], &Serial as &dyn Executor), (TEXTS[1], &Threads::new(3)), (TEXTS[2], &Rayon)] {
        let plan = bind(text, &x);
        let expected = run(&plan, &Serial, &x);
        let mut out: Box<[MaybeUninit<f32>]> = Box::new_uninit_slice(N);
        // SAFETY: `x` has the layout of the input, `out` has room for the output, and both outlive the run.
        let status = unsafe { plan.run_at(executor, &[x.bytes().as_ptr()], &[out.as_mut_ptr().cast()]) }.unwrap();
        assert!(!status.cancelled());
        // SAFETY: the run, which was not cancelled, wrote every element.
        let out = unsafe { out.assume_init() };
        assert!(bytemuck::cast_slice::<f32, u8>(&out) == expected, "{text}");
    }
}

#[test]
fn a_plan_predicts_bytes_time_and_tasks_from_layouts() {
    let f32s = |n: usize| Layout::contiguous(DType::F32, [n]).unwrap();
    let cost = |text: &str, n: usize| {
        let plan = Program::parse(text, &[("x", DType::F32)]).unwrap().bind(&[&f32s(n)]).unwrap();
        assert_eq!(plan.cost().read + plan.cost().written, plan.bytes());
        assert_eq!(plan.tasks(usize::MAX), plan.cost().tasks);
        plan.cost()
    };
    for n in [5, 1000, 100_000, 10_000_000] {
        assert_eq!((cost("x + 1", n).read, cost("x + 1", n).written), (4 * n, 4 * n));
    }
    let nothing = cost("x + 1", 0);
    assert_eq!((nothing.read, nothing.written, nothing.ns, nothing.tasks), (0, 0, 0, 1));
    // Math functions cost more: `gelu` is worth more threads than a sum of the same size.
    assert!(cost("exp(x)", 20_000).ns > 2 * cost("x + 1", 20_000).ns);
    assert!(cost("gelu(x)", 400_000).tasks > cost("x + 1", 400_000).tasks);
    assert_eq!(cost("exp(x)", 5).tasks, 1);
    let both = Program::single(Op::Add, &[DType::I16; 2], None, Broadcast::Numpy).unwrap();
    let (a, b) = (Layout::contiguous(DType::I16, [100, 70]).unwrap(), Layout::contiguous(DType::I16, [70]).unwrap());
    let cost = both.bind(&[&a, &b]).unwrap().cost();
    assert_eq!((cost.read, cost.written), (14_000 + 140, 14_000));
}
