//! Programs: hoisting, and chains of operators, each relative to one of its operators.

use std::hint::black_box;

use eltwise::{Array, BindOptions, DType, Isa, Layout, Plan, Program, View, ViewMut};

use crate::timing::{Comparison, compare, verdict};

/// An expression, bound to the layouts of arrays, and its output.
struct Prepared {
    plan: Plan,
    out: Array,
}

impl Prepared {
    fn new(text: &str, names: &[&str], inputs: &[&Array], options: &BindOptions) -> Prepared {
        let dtypes: Vec<(&str, DType)> = names.iter().zip(inputs).map(|(&n, a)| (n, a.layout().dtype())).collect();
        let layouts: Vec<&Layout> = inputs.iter().map(|a| a.layout()).collect();
        let plan = Program::parse(text, &dtypes).unwrap().bind_with(&layouts, options).unwrap();
        let out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
        Prepared { plan, out }
    }

    fn run(&mut self, inputs: &[View<'_>]) {
        let mut outputs: [ViewMut<'_>; 1] = [self.out.view_mut()];
        let _ = black_box(self.plan.run(black_box(inputs), black_box(&mut outputs))).unwrap();
    }
}

/// Values between 0.5 and 2, none of them special.
fn values(shape: impl Into<eltwise::Shape>) -> Array {
    let shape = shape.into();
    let n = shape.elements().unwrap();
    let values: Vec<f32> = (0..n).map(|i| 0.5 + (i * 37 % 1024) as f32 * (1.5 / 1024.0)).collect();
    Array::from_slice(&values, shape).unwrap()
}

/// Compares a program with a baseline, each over its own inputs.
fn compare_programs(
    calls: usize,
    (ours, inputs): (&mut Prepared, &[View<'_>]),
    (baseline, baseline_inputs): (&mut Prepared, &[View<'_>]),
) -> Comparison {
    compare(calls, || ours.run(inputs), || baseline.run(baseline_inputs))
}

/// ISAs other than `scalar`.
fn vector_isas() -> impl Iterator<Item = Isa> {
    Isa::available().filter(|&isa| isa != Isa::Scalar)
}

/// Calls per sample over `n` elements: 2 ms at 1 ns per element. At least 3, so that a sample is more than one call, and at
/// most 256, which are enough for small arrays.
fn calls_per_sample(n: usize) -> usize {
    (2_000_000 / n).clamp(3, 256)
}

/// Hoisting a sub-expression of a scalar, a row or a column: `x * exp(s)` is within 10 % of `x * s`.
pub(crate) fn hoist() -> usize {
    let mut missed = 0;
    for (n, columns) in [(16 << 10, 256), (128 << 10, 1024), (1 << 20, 1024)] {
        for (what, small) in [("scalar", values([1])), ("row", values([columns])), ("column", values([n / columns, 1]))]
        {
            let x = values([n / columns, columns]);
            let inputs = [&x, &small];
            let options = BindOptions::new();
            let mut hoisted = Prepared::new("x * exp(s)", &["x", "s"], &inputs, &options);
            let mut product = Prepared::new("x * s", &["x", "s"], &inputs, &options);
            let views = [x.view(), small.view()];
            let Comparison { ours, baseline, ratio } =
                compare_programs(calls_per_sample(n), (&mut hoisted, &views), (&mut product, &views));
            let ok = ratio <= 1.10;
            missed += usize::from(!ok);
            println!(
                "hoist       {what:6} {n:8} f32: x * exp(s) {ours:9.1} ns, x * s {baseline:9.1} ns, ratio {ratio:.3} (bound 1.10)  {}",
                verdict(ok)
            );
        }
    }
    missed
}

/// Chains over operands of 16 MiB each, together larger than a last-level cache of 32 MiB, relative to `a + b`. No bounds.
fn chains_in_memory() {
    let n = 4 << 20;
    let (a, b) = (values([n]), values([n]));
    let names = ["a", "b"];
    let views = [a.view(), b.view()];
    for isa in vector_isas() {
        let options = BindOptions::new().isa(isa);
        for text in ["clamp(a * b, -1, 1)", "sqrt(a * a + b * b)", "where(a < b, a, b * 2)", "a * b - 2"] {
            let options = options.clone().outputs([a.layout().clone()]);
            let mut chain = Prepared::new(text, &names, &[&a, &b], &options);
            let mut sum = Prepared::new("a + b", &names, &[&a, &b], &options);
            let times = compare_programs(1, (&mut chain, &views), (&mut sum, &views));
            println!(
                "chains      {isa:10} {text}, {n} f32: {:7.1} us, a + b {:7.1} us, ratio {:.3}",
                times.ours / 1e3,
                times.baseline / 1e3,
                times.ratio
            );
        }
    }
}

/// Chains over 64 KiB per operand, in the L2 cache. No bounds.
fn chains_in_cache() {
    let n = 16 << 10;
    let (x, s, t) = (values([n]), values([1]), values([1]));
    let options = BindOptions::new();
    let all = [&x, &s, &t];
    let mut affine = Prepared::new("x * s + t", &["x", "s", "t"], &all, &options);
    let mut product = Prepared::new("x * s", &["x", "s"], &[&x, &s], &options);
    let (three, two) = ([x.view(), s.view(), t.view()], [x.view(), s.view()]);
    let Comparison { ours, baseline, ratio } = compare_programs(256, (&mut affine, &three), (&mut product, &two));
    println!("chains      x * s + t, {n} f32: {ours:9.1} ns; x * s {baseline:9.1} ns, ratio {ratio:.3}");
    // The baseline runs as two steps: its cast is not fused.
    let mut fused = Prepared::new("cast(x * s + t, f16)", &["x", "s", "t"], &all, &options);
    let mut steps = Prepared::new("cast(x * s - t, f16)", &["x", "s", "t"], &all, &options);
    let Comparison { ours, baseline, ratio } = compare_programs(256, (&mut fused, &three), (&mut steps, &three));
    println!(
        "chains      cast(x * s + t, f16), {n} f32: {ours:9.1} ns; cast of x * s - t {baseline:9.1} ns, ratio {ratio:.3}"
    );
}

/// Prints a line and returns 1 if the ratio is above the bound, otherwise 0.
fn judge(isa: Isa, what: &str, baseline: &str, times: Comparison, bound: f64) -> usize {
    let ok = times.ratio <= bound;
    println!(
        "chains      {isa:10} {what}: {:7.1} us, {baseline} {:7.1} us, ratio {:.3} (bound {bound})  {}",
        times.ours / 1e3,
        times.baseline / 1e3,
        times.ratio,
        verdict(ok)
    );
    usize::from(!ok)
}

/// Chains of operators relative to one of their operators. On each ISA, `gelu(x + bias)` takes at most 1.1 times as long as
/// `gelu(x)` (1.15 times on AVX2), and normalising pixels at most 1.2 times as long as their cast.
pub(crate) fn chains() -> usize {
    chains_in_cache();
    chains_in_memory();
    let mut missed = 0;
    let (x, bias) = (values([8, 128, 3072]), values([3072]));
    for isa in vector_isas() {
        let options = BindOptions::new().isa(isa);
        let mut biased = Prepared::new("gelu(x + bias)", &["x", "bias"], &[&x, &bias], &options);
        let mut gelu = Prepared::new("gelu(x)", &["x"], &[&x], &options);
        let (two, one) = ([x.view(), bias.view()], [x.view()]);
        let times = compare_programs(1, (&mut biased, &two), (&mut gelu, &one));
        let bound = if isa == Isa::Avx2 { 1.15 } else { 1.1 };
        missed += judge(isa, "gelu(x + bias), [8, 128, 3072] f32", "gelu(x)", times, bound);
    }

    let pixels: Vec<u8> = (0..1080 * 1920 * 3).map(|i: u32| (i * 37 % 251) as u8).collect();
    let image = Array::from_slice(&pixels, [1080, 1920, 3]).unwrap();
    let (mean, std) = (values([3]), values([3]));
    for isa in vector_isas() {
        let options = BindOptions::new().isa(isa);
        let all = [&image, &mean, &std];
        let mut normalised = Prepared::new("(cast(img, f32) - mean) / std", &["img", "mean", "std"], &all, &options);
        let mut cast = Prepared::new("cast(img, f32)", &["img"], &[&image], &options);
        let (three, one) = ([image.view(), mean.view(), std.view()], [image.view()]);
        let times = compare_programs(1, (&mut normalised, &three), (&mut cast, &one));
        missed += judge(isa, "(cast(img, f32) - mean) / std, [1080, 1920, 3] u8", "cast(img, f32)", times, 1.2);
    }
    missed
}
