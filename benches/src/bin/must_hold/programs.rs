//! Programs: what binding costs a step, what hoisting saves, and chains of operators beside one of them.

use std::hint::black_box;

use eltwise::{Array, BindOptions, Broadcast, DType, Isa, Layout, Op, Plan, Program, View, ViewMut};

use crate::timing::{pairs, times, verdict};

/// A program of a text, bound to the layouts of arrays.
struct Bound {
    plan: Plan,
    out: Array,
}

impl Bound {
    fn new(text: &str, names: &[&str], inputs: &[&Array], options: &BindOptions) -> Bound {
        let dtypes: Vec<(&str, DType)> = names.iter().zip(inputs).map(|(&n, a)| (n, a.layout().dtype())).collect();
        let layouts: Vec<&Layout> = inputs.iter().map(|a| a.layout()).collect();
        let plan = Program::parse(text, &dtypes).unwrap().bind_with(&layouts, options).unwrap();
        let out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
        Bound { plan, out }
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

/// Medians of a program and of another, over their inputs, and of the ratio.
fn compare(calls: usize, a: (&mut Bound, &[View<'_>]), b: (&mut Bound, &[View<'_>])) -> (f64, f64, f64) {
    let ((a, over_a), (b, over_b)) = (a, b);
    pairs(calls, || a.run(over_a), || b.run(over_b))
}

/// Calls that take about 2 ms on `n` elements of a nanosecond each.
fn calls(n: usize) -> usize {
    (2_000_000 / n).clamp(3, 256)
}

/// Nanoseconds a call, the best of many.
fn best(f: &mut dyn FnMut()) -> f64 {
    times(1000, f).into_iter().fold(f64::INFINITY, f64::min)
}

/// A binary operator bound from nothing in at most 300 ns, and each further step in at most 300 ns.
pub(crate) fn binding() -> usize {
    let layout = Layout::contiguous(DType::F32, [64]).unwrap();
    let bind = |program: &Program| {
        let inputs = [&layout, &layout];
        best(&mut || drop(black_box(program.bind(black_box(&inputs)).unwrap())))
    };
    let nothing = best(&mut || {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
        drop(black_box(program.bind(black_box(&[&layout, &layout])).unwrap()));
    });
    let chain = |steps: usize| {
        let text = (1..steps).fold("a + b".to_string(), |text, i| format!("({text}) {} b", ["*", "-"][i % 2]));
        Program::parse(&text, &[("a", DType::F32), ("b", DType::F32)]).unwrap()
    };
    let [one, two, ten] = [1, 2, 10].map(|steps| bind(&chain(steps)));
    let step = (ten - two) / 8.0;
    let ok = nothing <= 300.0 && step <= 300.0;
    println!(
        "binding     a + b: program and plan {nothing:6.1} ns (bound 300), plan {one:6.1} ns; 2 steps {two:6.1} ns, 10 steps {ten:6.1} ns, a further step {step:5.1} ns (bound 300)  {}",
        verdict(ok)
    );
    usize::from(!ok)
}

/// Sub-expressions of a scalar, a row and a column computed once: `x * exp(s)` within 10 % of `x * s`.
pub(crate) fn hoist() -> usize {
    let mut missed = 0;
    for (n, columns) in [(16 << 10, 256), (128 << 10, 1024), (1 << 20, 1024)] {
        for (what, small) in [("scalar", values([1])), ("row", values([columns])), ("column", values([n / columns, 1]))]
        {
            let x = values([n / columns, columns]);
            let inputs = [&x, &small];
            let options = BindOptions::new();
            let mut fused = Bound::new("x * exp(s)", &["x", "s"], &inputs, &options);
            let mut plain = Bound::new("x * s", &["x", "s"], &inputs, &options);
            let views = [x.view(), small.view()];
            let (ours, theirs, ratio) = compare(calls(n), (&mut fused, &views), (&mut plain, &views));
            let ok = ratio <= 1.10;
            missed += usize::from(!ok);
            println!(
                "hoist       {what:6} {n:8} f32: x * exp(s) {ours:9.1} ns, x * s {theirs:9.1} ns, ratio {ratio:.3} (bound 1.10)  {}",
                verdict(ok)
            );
        }
    }
    missed
}

/// Chains over memory beyond the caches beside one operator of the same operands.
fn beyond_caches() {
    let n = 4 << 20;
    let (a, b) = (values([n]), values([n]));
    let names = ["a", "b"];
    let two = [a.view(), b.view()];
    for isa in Isa::available().filter(|&isa| isa != Isa::Scalar) {
        let options = BindOptions::new().isa(isa);
        for text in ["clamp(a * b, -1, 1)", "sqrt(a * a + b * b)", "where(a < b, a, b * 2)", "a * b - 2"] {
            let options = options.clone().outputs([a.layout().clone()]);
            let mut chain = Bound::new(text, &names, &[&a, &b], &options);
            let mut sum = Bound::new("a + b", &names, &[&a, &b], &options);
            let (ours, theirs, ratio) = compare(1, (&mut chain, &two), (&mut sum, &two));
            println!(
                "chains      {isa:10} {text}, {n} f32: {:7.1} us, a + b {:7.1} us, ratio {ratio:.3}",
                ours / 1e3,
                theirs / 1e3
            );
        }
    }
}

/// Chains beside one of their operators.
pub(crate) fn chains() -> usize {
    let mut missed = 0;
    let n = 16 << 10;
    let (x, s, t) = (values([n]), values([1]), values([1]));
    let mut line = Bound::new("x * s + t", &["x", "s", "t"], &[&x, &s, &t], &BindOptions::new());
    let mut scale = Bound::new("x * s", &["x", "s"], &[&x, &s], &BindOptions::new());
    let (three, two) = ([x.view(), s.view(), t.view()], [x.view(), s.view()]);
    let (ours, theirs, ratio) = compare(256, (&mut line, &three), (&mut scale, &two));
    println!("chains      x * s + t, {n} f32: {ours:9.1} ns; x * s {theirs:9.1} ns, ratio {ratio:.3}");
    // The second is two steps: there is no superinstruction for its cast.
    let mut stored = Bound::new("cast(x * s + t, f16)", &["x", "s", "t"], &[&x, &s, &t], &BindOptions::new());
    let mut steps = Bound::new("cast(x * s - t, f16)", &["x", "s", "t"], &[&x, &s, &t], &BindOptions::new());
    let (ours, theirs, ratio) = compare(256, (&mut stored, &three), (&mut steps, &three));
    println!(
        "chains      cast(x * s + t, f16), {n} f32: {ours:9.1} ns; cast of x * s - t {theirs:9.1} ns, ratio {ratio:.3}"
    );

    beyond_caches();
    let (x, bias) = (values([8, 128, 3072]), values([3072]));
    for isa in Isa::available().filter(|&isa| isa != Isa::Scalar) {
        let options = BindOptions::new().isa(isa);
        let mut both = Bound::new("gelu(x + bias)", &["x", "bias"], &[&x, &bias], &options);
        let mut gelu = Bound::new("gelu(x)", &["x"], &[&x], &options);
        let (two, one) = ([x.view(), bias.view()], [x.view()]);
        let (ours, theirs, ratio) = compare(1, (&mut both, &two), (&mut gelu, &one));
        let bound = if isa == Isa::Avx2 { 1.15 } else { 1.1 };
        let ok = ratio <= bound;
        missed += usize::from(!ok);
        println!(
            "chains      {isa:10} gelu(x + bias), [8, 128, 3072] f32: {:7.1} us, gelu(x) {:7.1} us, ratio {ratio:.3} (bound {bound})  {}",
            ours / 1e3,
            theirs / 1e3,
            verdict(ok)
        );
    }

    let pixels: Vec<u8> = (0..1080 * 1920 * 3).map(|i: u32| (i * 37 % 251) as u8).collect();
    let image = Array::from_slice(&pixels, [1080, 1920, 3]).unwrap();
    let (mean, std) = (values([3]), values([3]));
    for isa in Isa::available().filter(|&isa| isa != Isa::Scalar) {
        let options = BindOptions::new().isa(isa);
        let all = [&image, &mean, &std];
        let mut normalised = Bound::new("(cast(img, f32) - mean) / std", &["img", "mean", "std"], &all, &options);
        let mut cast = Bound::new("cast(img, f32)", &["img"], &[&image], &options);
        let (three, one) = ([image.view(), mean.view(), std.view()], [image.view()]);
        let (ours, theirs, ratio) = compare(1, (&mut normalised, &three), (&mut cast, &one));
        let ok = ratio <= 1.2;
        missed += usize::from(!ok);
        println!(
            "chains      {isa:10} (cast(img, f32) - mean) / std, [1080, 1920, 3] u8: {:7.1} us, cast(img, f32) {:7.1} us, ratio {ratio:.3} (bound 1.2)  {}",
            ours / 1e3,
            theirs / 1e3,
            verdict(ok)
        );
    }
    missed
}
