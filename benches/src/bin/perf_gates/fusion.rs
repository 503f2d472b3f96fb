//! Programs of several steps, relative to a lower bound for the same work.
//!
//! `x * s + t` is also compared with NumPy's two passes if `ELTWISE_NUMPY=/path/to/python` names a Python that can
//! import NumPy.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use eltwise::{Array, BindOptions, DType, Isa, Plan, Program, Serial, View};

use crate::plain_loops::{map1, map3};
use crate::timing::{Comparison, NOT_SLOWER, SAMPLES, compare, median, min_ns_in_turn, ns_per_call, verdict};

/// The ISAs that have bounds: the best one, and AVX2.
fn isas() -> impl Iterator<Item = Isa> {
    Isa::available().filter(|&isa| isa == Isa::current() || isa == Isa::Avx2)
}

/// All figures of this file; returns the number that missed.
pub(crate) fn fusion() -> usize {
    let mut missed = 0;
    for isa in isas() {
        missed += scale_shift(isa) + biased_gelu(isa) + normalised_image(isa);
    }
    missed
}

/// Prints a line and returns 1 if it missed its bound, otherwise 0.
fn judge(what: &str, isa: Isa, times: Comparison, baseline: &str, bound: f64) -> usize {
    let ok = times.ratio <= bound;
    println!(
        "fusion      {isa:10} {what:34} {:9.2} us, {baseline} {:9.2} us, ratio {:.3} (bound {bound})  {}",
        times.ours / 1e3,
        times.baseline / 1e3,
        times.ratio,
        verdict(ok)
    );
    usize::from(!ok)
}

/// The minimum of both times over single calls, and their ratio. For runs so long that most of them are interrupted.
fn compare_minima(mut ours: impl FnMut(), mut baseline: impl FnMut()) -> Comparison {
    let [ours, baseline] = min_ns_in_turn(4 * SAMPLES, 1, [&mut ours, &mut baseline]);
    Comparison { ours, baseline, ratio: ours / baseline }
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
        let program = Program::parse(text, &dtypes).expect("the expression should parse");
        let plan = program.bind_with(&layouts, &BindOptions::new().isa(isa)).expect("the program should bind");
        let out = Array::with_layout(plan.output_layouts()[0].clone()).expect("the output should fit memory");
        Case { plan, inputs: inputs.into_iter().map(|(_, array)| array).collect(), out }
    }

    fn run(&mut self) {
        let views: smallvec::SmallVec<[View<'_>; 3]> = self.inputs.iter().map(Array::view).collect();
        let _ = black_box(
            self.plan.run_with(&Serial, &views, &mut [self.out.view_mut()]).expect("a bound plan should run"),
        );
    }

    fn slice(&self) -> &[f32] {
        self.out.as_slice().expect("the array should be of f32")
    }
}

/// `count` floats between -2 and 2, with a period of 509, a prime.
fn floats(count: usize, seed: usize) -> Array {
    let values: Vec<f32> = (0..count).map(|i| ((i * 37 + seed * 11) % 509) as f32 / 127.0 - 2.0).collect();
    Array::from_slice(&values, [count]).expect("the values should fill the shape")
}

fn shaped(array: &Array, shape: &[usize]) -> Array {
    Array::from_slice(array.as_slice::<f32>().expect("the array should be of f32"), shape)
        .expect("the shapes should have as many elements")
}

const N: usize = 16384;

fn scale_shift(isa: Isa) -> usize {
    let inputs = || vec![("x", floats(N, 1)), ("s", floats(N, 2)), ("t", floats(N, 3))];
    let mut case = Case::new("x * s + t", isa, inputs());
    case.run();
    let [x, s, t] = [0, 1, 2].map(|i| case.inputs[i].as_slice::<f32>().expect("the array should be of f32"));
    assert!(case.slice().iter().enumerate().all(|(i, &r)| r == x[i] * s[i] + t[i]));
    // One loop with the same reads and writes is the lower bound.
    let mut array = Array::zeros(DType::F32, [N]).expect("a small array should fit memory");
    let out = array.as_mut_slice().expect("the array should be of f32");
    let views: Vec<View<'_>> = case.inputs.iter().map(Array::view).collect();
    let mut outputs = [case.out.view_mut()];
    let mut run = || {
        let _ = black_box(case.plan.run(&views, &mut outputs).expect("a bound plan should run"));
    };
    let result = compare(500, &mut run, || map3(isa, black_box(&mut *out), x, s, t, |x, s, t| x * s + t));
    let missed = judge("x * s + t, 16384 f32", isa, result, "a plain loop", NOT_SLOWER);
    let Some(mut numpy) = NumPy::new() else {
        println!("fusion      {isa:10} x * s + t, {N} f32: not compared with NumPy, ELTWISE_NUMPY is not set");
        return missed;
    };
    let times: Vec<(f64, f64)> = (0..SAMPLES).map(|_| (ns_per_call(200, &mut run), numpy.time())).collect();
    let median_of = |f: fn(&(f64, f64)) -> f64| median(times.iter().map(f).collect());
    let result = Comparison { ours: median_of(|t| t.0), baseline: median_of(|t| t.1), ratio: median_of(|t| t.0 / t.1) };
    missed + judge("x * s + t, 16384 f32", isa, result, "NumPy", 0.35)
}

fn biased_gelu(isa: Isa) -> usize {
    let shape = [8, 128, 3072];
    let x = shaped(&floats(shape.iter().product(), 4), &shape);
    let mut gelu = Case::new("gelu(x)", isa, vec![("x", shaped(&x, &shape))]);
    let mut biased = Case::new("gelu(x + b)", isa, vec![("x", x), ("b", floats(shape[2], 5))]);
    let result = compare_minima(|| biased.run(), || gelu.run());
    let bound = if isa.vector_bytes() == 32 { 1.15 } else { 1.1 };
    judge("gelu(x + b), [8,128,3072] f32", isa, result, "gelu(x)", bound)
}

fn normalised_image(isa: Isa) -> usize {
    let shape = [1080, 1920, 3];
    let count: usize = shape.iter().product();
    let bytes: Vec<u8> = (0..count).map(|i| (i * 37 % 251) as u8).collect();
    let image = || Array::from_slice(&bytes, shape).expect("the values should fill the shape");
    let mean = [123.675f32, 116.28, 103.53];
    let std = [58.395f32, 57.12, 57.375];
    let row = |values: [f32; 3]| Array::from_slice(&values, [3]).expect("the values should fill the shape");
    let mut convert = Case::new("cast(x, f32)", isa, vec![("x", image())]);
    let mut plain = vec![0f32; count];
    let casts = compare_minima(|| convert.run(), || map1(isa, black_box(&mut plain), &bytes, f32::from));
    let is_plan_faster = casts.ours < casts.baseline;
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
        // The baseline is the faster of the two conversions.
        let result = if is_plan_faster {
            compare_minima(|| case.run(), || convert.run())
        } else {
            compare_minima(|| case.run(), || map1(isa, black_box(&mut plain), &bytes, f32::from))
        };
        assert!(case.slice().iter().all(|r| r.is_finite()));
        missed += judge(name, isa, result, if is_plan_faster { "cast" } else { "plain loop" }, 1.2);
    }
    missed
}

/// A Python process that times `x * s + t` for each line that it reads.
struct NumPy {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
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
        let mut child = piped.expect("ELTWISE_NUMPY should name a program");
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (stdin, stdout) =
            (stdin.expect("the stream should be piped"), BufReader::new(stdout.expect("the stream should be piped")));
        Some(NumPy { child, stdin, stdout })
    }

    /// Nanoseconds per call.
    fn time(&mut self) -> f64 {
        self.stdin.write_all(b"time\n").expect("NumPy's process should read requests");
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("NumPy's process should answer");
        line.trim().parse().expect("ELTWISE_NUMPY's Python should import NumPy")
    }
}

impl Drop for NumPy {
    fn drop(&mut self) {
        // Errors do not matter: the process also exits when its input is closed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
