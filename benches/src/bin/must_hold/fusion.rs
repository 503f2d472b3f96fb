//! Programs of several steps: what the steps cost beside the least that the same work can cost.
//!
//! `x * s + t` is compared with NumPy's two passes, which `ELTWISE_NUMPY=/path/to/python` runs (a Python that can import
//! NumPy); without it the line is not judged.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use eltwise::{Array, BindOptions, DType, Isa, Plan, Program, Serial, View};

use crate::plain::{each1, each3};
use crate::timing::{PAIRS, SAME, pairs, time, verdict};

/// The levels that are judged: the best, and AVX2.
fn levels() -> impl Iterator<Item = Isa> {
    Isa::available().filter(|&isa| isa == Isa::current() || isa == Isa::Avx2)
}

/// Every figure; the number that missed.
pub(crate) fn fusion() -> usize {
    let mut missed = 0;
    for isa in levels() {
        missed += scale_shift(isa) + biased_gelu(isa) + normalised_image(isa);
    }
    missed
}

/// Prints a line and gives whether it missed.
fn judge(what: &str, isa: Isa, (ours, theirs, ratio): (f64, f64, f64), against: &str, bound: f64) -> usize {
    let ok = ratio <= bound;
    println!(
        "fusion      {isa:10} {what:34} {:9.2} us, {against} {:9.2} us, ratio {ratio:.3} (bound {bound})  {}",
        ours / 1e3,
        theirs / 1e3,
        verdict(ok)
    );
    usize::from(!ok)
}

/// The least time of both, one call at a time, and their ratio: for runs so long that other programs are in most of them.
fn least(mut a: impl FnMut(), mut b: impl FnMut()) -> (f64, f64, f64) {
    let (mut x, mut y) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..4 * PAIRS {
        x = x.min(time(1, &mut a));
        y = y.min(time(1, &mut b));
    }
    (x, y, x / y)
}

/// An expression over arrays, ready to run.
struct Case {
    plan: Plan,
    inputs: Vec<Array>,
    out: Array,
}

impl Case {
    fn new(text: &str, isa: Isa, inputs: Vec<(&str, Array)>) -> Case {
        let dtypes: Vec<(&str, DType)> = inputs.iter().map(|(name, array)| (*name, array.dtype())).collect();
        let layouts: Vec<_> = inputs.iter().map(|(_, array)| array.layout()).collect();
        let program = Program::parse(text, &dtypes).expect("it parses");
        let plan = program.bind_with(&layouts, &BindOptions::new().isa(isa)).expect("it binds");
        let out = Array::with_layout(plan.output_layouts()[0].clone()).expect("it fits");
        Case { plan, inputs: inputs.into_iter().map(|(_, array)| array).collect(), out }
    }

    fn run(&mut self) {
        let views: smallvec::SmallVec<[View<'_>; 3]> = self.inputs.iter().map(Array::view).collect();
        let _ = black_box(self.plan.run_with(&Serial, &views, &mut [self.out.view_mut()]).expect("it runs"));
    }

    fn slice(&self) -> &[f32] {
        self.out.as_slice().expect("floats")
    }
}

/// `count` floats between -2 and 2 that repeat after a prime number.
fn floats(count: usize, seed: usize) -> Array {
    let values: Vec<f32> = (0..count).map(|i| ((i * 37 + seed * 11) % 509) as f32 / 127.0 - 2.0).collect();
    Array::from_slice(&values, [count]).expect("a dense array")
}

fn shaped(array: &Array, shape: &[usize]) -> Array {
    Array::from_slice(array.as_slice::<f32>().expect("floats"), shape).expect("as many elements")
}

const N: usize = 16384;

fn scale_shift(isa: Isa) -> usize {
    let inputs = || vec![("x", floats(N, 1)), ("s", floats(N, 2)), ("t", floats(N, 3))];
    let mut case = Case::new("x * s + t", isa, inputs());
    case.run();
    let [x, s, t] = [0, 1, 2].map(|i| case.inputs[i].as_slice::<f32>().expect("floats"));
    assert!(case.slice().iter().enumerate().all(|(i, &r)| r == x[i] * s[i] + t[i]));
    // What a loop takes that reads the same memory and writes as much: no plan can take less.
    let mut array = Array::zeros(DType::F32, [N]).expect("it is small");
    let out = array.as_mut_slice().expect("floats");
    let views: Vec<View<'_>> = case.inputs.iter().map(Array::view).collect();
    let mut to = [case.out.view_mut()];
    let mut run = || {
        let _ = black_box(case.plan.run(&views, &mut to).expect("it runs"));
    };
    let result = pairs(500, &mut run, || each3(isa, black_box(&mut *out), x, s, t, |x, s, t| x * s + t));
    let missed = judge("x * s + t, 16384 f32", isa, result, "a plain loop", SAME);
    let Some(mut numpy) = NumPy::new() else {
        println!("fusion      {isa:10} x * s + t, {N} f32: ELTWISE_NUMPY names no Python with NumPy");
        return missed;
    };
    let times: Vec<(f64, f64)> = (0..31).map(|_| (time(200, &mut run), numpy.time())).collect();
    let middle = |f: fn(&(f64, f64)) -> f64| crate::timing::median(times.iter().map(f).collect());
    let result = (middle(|t| t.0), middle(|t| t.1), middle(|t| t.0 / t.1));
    missed + judge("x * s + t, 16384 f32", isa, result, "NumPy", 0.35)
}

fn biased_gelu(isa: Isa) -> usize {
    let shape = [8, 128, 3072];
    let x = shaped(&floats(shape.iter().product(), 4), &shape);
    let mut alone = Case::new("gelu(x)", isa, vec![("x", shaped(&x, &shape))]);
    let mut biased = Case::new("gelu(x + b)", isa, vec![("x", x), ("b", floats(shape[2], 5))]);
    let result = least(|| biased.run(), || alone.run());
    let bound = if isa.vector_bytes() == 32 { 1.15 } else { 1.1 };
    judge("gelu(x + b), [8,128,3072] f32", isa, result, "gelu(x)", bound)
}

fn normalised_image(isa: Isa) -> usize {
    let shape = [1080, 1920, 3];
    let count: usize = shape.iter().product();
    let bytes: Vec<u8> = (0..count).map(|i| (i * 37 % 251) as u8).collect();
    let image = || Array::from_slice(&bytes, shape).expect("an image");
    let mean = [123.675f32, 116.28, 103.53];
    let std = [58.395f32, 57.12, 57.375];
    let row = |values: [f32; 3]| Array::from_slice(&values, [3]).expect("a row");
    let mut convert = Case::new("cast(x, f32)", isa, vec![("x", image())]);
    let mut plain = vec![0f32; count];
    let (kernel, by_hand, _) = least(|| convert.run(), || each1(isa, black_box(&mut plain), &bytes, f32::from));
    let mut missed = 0;
    for (name, text, operands) in [
        ("(u8 - mean) / std, rgb 1080p", "(cast(x, f32) - m) / s", vec![("m", row(mean)), ("s", row(std))]),
        (
            "(u8 - mean) * r, rgb 1080p",
            "(cast(x, f32) - m) * s",
            vec![("m", row(mean)), ("s", row(std.map(f32::recip)))],
        ),
        ("(u8 - 127.5) / 58, rgb 1080p", "(cast(x, f32) - 127.5) / 58", vec![]),
    ] {
        let mut inputs = vec![("x", image())];
        inputs.extend(operands);
        let mut case = Case::new(text, isa, inputs);
        // The better of the two ways to convert.
        let result = if kernel < by_hand {
            least(|| case.run(), || convert.run())
        } else {
            least(|| case.run(), || each1(isa, black_box(&mut plain), &bytes, f32::from))
        };
        assert!(case.slice().iter().all(|r| r.is_finite()));
        missed += judge(name, isa, result, if kernel < by_hand { "cast" } else { "plain loop" }, 1.2);
    }
    missed
}

/// A Python process that times `x * s + t` when asked.
struct NumPy {
    child: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

impl NumPy {
    fn new() -> Option<NumPy> {
        const PROGRAM: &str = "
import sys, time, numpy as np
x, s, t = (np.random.default_rng(i).random(16384, dtype=np.float32) for i in range(3))
o = np.empty_like(x)
for line in sys.stdin:
    start = time.perf_counter_ns()
    for _ in range(200):
        np.add(np.multiply(x, s, out=o), t, out=o)
    print((time.perf_counter_ns() - start) / 200, flush=True)
";
        let python = std::env::var_os("ELTWISE_NUMPY")?;
        let piped = Command::new(python).args(["-c", PROGRAM]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = piped.expect("ELTWISE_NUMPY names a program");
        let (ask, answer) = (child.stdin.take(), child.stdout.take());
        let (ask, answer) = (ask.expect("it is piped"), BufReader::new(answer.expect("it is piped")));
        Some(NumPy { child, ask, answer })
    }

    /// Nanoseconds a call.
    fn time(&mut self) -> f64 {
        self.ask.write_all(b"time\n").expect("the process listens");
        let mut line = String::new();
        self.answer.read_line(&mut line).expect("the process answers");
        line.trim().parse().expect("ELTWISE_NUMPY's Python imports NumPy")
    }
}

impl Drop for NumPy {
    fn drop(&mut self) {
        // It ends by itself when nobody asks any more; not waiting long for it is no error.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
