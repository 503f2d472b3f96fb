//! The verification passes correct kernels and catches wrong ones, for every kind of input. The kernels here are small scalar
//! ones, made from the oracle or from textbook formulas with one mistake.

use eltwise::{Accuracy, DType, Isa};
use eltwise_oracle::{Function, correctly_rounded, hard_inputs};

use super::compare;
use super::function_properties::{self, PropertyViolations};
use super::inputs::{Inputs, Sweep};
use super::job::{Job, Kernel, Point, Run, error_bound, format_of, kernel_of};
use super::job_result::JobResult;
use super::outcome::Outcome;

/// A kernel that applies a function of bits to each element.
fn kernel(dtype: DType, f: impl Fn(Point) -> u64 + Send + Sync + 'static) -> Box<Run> {
    let size = dtype.size();
    Box::new(move |inputs, out| {
        for (i, out) in out.chunks_exact_mut(size).enumerate() {
            let operand = |k: usize| {
                let mut bits = [0; 8];
                inputs.get(k).inspect(|bytes| bits[..size].copy_from_slice(&bytes[i * size..][..size]));
                u64::from_le_bytes(bits)
            };
            out.copy_from_slice(&f([operand(0), operand(1)]).to_le_bytes()[..size]);
        }
    })
}

/// The oracle as a kernel, with its results changed by `change`.
fn altered_oracle(
    function: Function,
    dtype: DType,
    change: impl Fn(Point, u64) -> u64 + Send + Sync + 'static,
) -> Box<Run> {
    kernel(dtype, move |p| change(p, correctly_rounded(format_of(dtype), function, p[0], p[1])))
}

fn job(function: Function, dtype: DType, tier: Accuracy, runs: Vec<Box<Run>>) -> Job {
    let kernels = runs.into_iter().zip(["first", "second"]).map(|(run, isa)| Kernel { isa, run }).collect();
    Job { function, dtype, tier, kernels, error_bound: error_bound(function, dtype), any_nan: false }
}

fn verify(job: &Job, inputs: &Inputs) -> Outcome {
    let outcome = compare::verify(std::slice::from_ref(job), inputs, 2, &|_| ()).remove(0);
    assert!(outcome.complete && outcome.inputs == inputs.len());
    outcome
}

/// Checks that a single wrong result at the input `at` is found, and reported for that input.
fn assert_caught(function: Function, dtype: DType, tier: Accuracy, inputs: &Inputs, at: Point) {
    let good = verify(&job(function, dtype, tier, vec![altered_oracle(function, dtype, |_, r| r)]), inputs);
    assert!(good.passes() && good.misrounded == 0 && good.worst.is_none(), "{function} {dtype}: {good:?}");
    let bad = altered_oracle(function, dtype, move |p, r| if p == at { r ^ 3 } else { r });
    let found = verify(&job(function, dtype, tier, vec![bad]), inputs);
    assert_eq!((found.wrong, found.misrounded, found.differences), (1, 1, 0), "{function} {dtype}");
    assert!(!found.passes() && found.first[0].point == at && found.worst.is_some_and(|w| w.point == at && w.ulp > 0.6));
}

#[test]
fn a_single_wrong_f32_result_is_found() {
    // The whole sweep consists of parts like this one.
    let all = Inputs::of(Function::Exp, DType::F32, false);
    assert_eq!(all.len(), 1 << 32);
    let part = Inputs::part(DType::F32, Sweep::Bits { first: 0x3f80_0000, stride: 1 }, 3 << 16);
    for i in [0, 1, 0x1_2345, (3 << 16) - 1] {
        assert_eq!(part.get(i), all.get(0x3f80_0000 + i));
    }
    assert_caught(Function::Exp, DType::F32, Accuracy::Fast, &part, [0x3f81_2345, 0]);
    assert_caught(Function::Mish, DType::F32, Accuracy::CorrectlyRounded, &part, [0x3f80_0000, 0]);
}

#[test]
fn quick_f32_inputs_contain_boundaries_and_strides() {
    let quick = Inputs::of(Function::Log, DType::F32, true);
    assert_caught(Function::Log, DType::F32, Accuracy::CorrectlyRounded, &quick, [u64::from(1.5f32.to_bits()) + 1, 0]);
    assert_caught(Function::Log, DType::F32, Accuracy::Fast, &quick, [4099 * 200_000, 0]);
}

#[test]
fn f64_inputs_contain_hard_cases_and_samples() {
    let quick = Inputs::of(Function::Expm1, DType::F64, true);
    let hard = hard_inputs(Function::Expm1).last().unwrap().0.to_bits();
    assert_caught(Function::Expm1, DType::F64, Accuracy::Fast, &quick, [hard, 0]);
    assert_caught(Function::Expm1, DType::F64, Accuracy::Fast, &quick, [hard - 3, 0]);
    let sample = quick.get(quick.len() - 7);
    assert!(f64::from_bits(sample[0]).abs() < 710.0);
    assert_caught(Function::Expm1, DType::F64, Accuracy::Fast, &quick, sample);
    // An error over a whole interval is found by the random samples.
    let between = |p: Point, r: u64| if (0.5..0.51).contains(&f64::from_bits(p[0])) { r + 2 } else { r };
    let found = verify(
        &job(Function::Log, DType::F64, Accuracy::Fast, vec![altered_oracle(Function::Log, DType::F64, between)]),
        &Inputs::of(Function::Log, DType::F64, true),
    );
    assert!(found.wrong > 20 && found.largest() > 1.5 && found.largest() < 2.6, "{}", found.largest());
}

#[test]
fn inputs_of_16_bits_are_exhaustive() {
    for dtype in [DType::F16, DType::BF16] {
        let all = Inputs::of(Function::Tanh, dtype, true);
        assert_eq!(all.len(), 1 << 16);
        assert_caught(Function::Tanh, dtype, Accuracy::Fast, &all, [0x2e66, 0]);
        assert_eq!(Inputs::of(Function::Pow, dtype, false).len(), 1 << 32);
        let pairs = Inputs::part(dtype, Sweep::Pairs { first: 0x3c05_0000 }, 2 << 16);
        assert_caught(Function::Hypot, dtype, Accuracy::CorrectlyRounded, &pairs, [0x3c06, 0x3c77]);
    }
}

#[test]
fn pairs_of_f32_and_f64_contain_boundaries_and_samples() {
    for dtype in [DType::F32, DType::F64] {
        let quick = Inputs::of(Function::Atan2, dtype, true);
        let one = format_of(dtype).from_f64(1.0);
        assert_caught(Function::Atan2, dtype, Accuracy::Fast, &quick, [one, one - 1]);
        assert_caught(Function::Atan2, dtype, Accuracy::Fast, &quick, quick.get(quick.len() - 3));
    }
}

/// e^x in f32: Cody and Waite range reduction, and a polynomial by Horner's scheme.
fn textbook_exp(x: f32, fused: bool) -> f32 {
    let multiply_add = |a: f32, b: f32, c: f32| if fused { a.mul_add(b, c) } else { a * b + c };
    if !(-87.0..88.0).contains(&x) {
        return f32::from_bits(correctly_rounded(format_of(DType::F32), Function::Exp, x.to_bits().into(), 0) as u32);
    }
    let n = (x * std::f32::consts::LOG2_E).round_ties_even();
    // The parts of log 2 have full precision, which is correct only with fused multiply-adds.
    let r = multiply_add(n, -std::f32::consts::LN_2, x);
    let r = multiply_add(n, 1.904_654_3e-9, r);
    let mut p = 1.0 / 5040.0;
    for c in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5] {
        p = multiply_add(p, r, c);
    }
    let e = multiply_add(p, r * r, r) + 1.0;
    (f64::from(e) * 2f64.powf(n.into())) as f32
}

#[test]
fn a_missing_fused_multiply_add_is_caught() {
    let inputs = Inputs::of(Function::Exp, DType::F32, true);
    let exp =
        |fused| kernel(DType::F32, move |p| u64::from(textbook_exp(f32::from_bits(p[0] as u32), fused).to_bits()));
    let nan = |run: Box<Run>| Job { any_nan: true, ..job(Function::Exp, DType::F32, Accuracy::Fast, vec![run]) };
    let good = verify(&nan(exp(true)), &inputs);
    assert!(good.passes() && good.misrounded > 1000 && good.largest() < 1.0, "{}", good.largest());
    let bad = verify(&nan(exp(false)), &inputs);
    assert!(bad.wrong > 1000 && bad.largest() > 2.0, "{}", bad.largest());
    // In the correctly rounded tier every misrounded result fails.
    let exact = verify(&Job { tier: Accuracy::CorrectlyRounded, ..nan(exp(true)) }, &inputs);
    assert_eq!((exact.wrong, exact.passes()), (good.misrounded, false));
    // A kernel without fused multiply-add has other bits.
    let both = job(Function::Exp, DType::F32, Accuracy::Fast, vec![exp(true), exp(false)]);
    assert!(verify(&both, &inputs).differences > 1000);
}

/// 2^x in f64 from a table of 16 powers, two of them swapped if `swapped`.
fn table_exp2(x: f64, swapped: bool) -> f64 {
    let rows: Vec<f64> =
        (0..16).map(|i| eltwise_oracle::correctly_rounded_f64(Function::Exp2, f64::from(i) / 16.0, 0.0)).collect();
    let n = (x * 16.0).floor();
    let row = match n.rem_euclid(16.0) as usize {
        10 if swapped => 11,
        11 if swapped => 10,
        i => i,
    };
    rows[row] * eltwise_oracle::correctly_rounded_f64(Function::Exp2, x - n / 16.0, 0.0) * 2f64.powf((n / 16.0).floor())
}

#[test]
fn a_swapped_table_row_is_caught() {
    let f32_of = |swapped| {
        kernel(DType::F32, move |p| {
            let x = f32::from_bits(p[0] as u32);
            if (-100.0..100.0).contains(&x) {
                u64::from((table_exp2(x.into(), swapped) as f32).to_bits())
            } else {
                correctly_rounded(format_of(DType::F32), Function::Exp2, p[0], 0)
            }
        })
    };
    let part = Inputs::part(DType::F32, Sweep::Bits { first: 0x3f00_0000, stride: 64 }, 1 << 17);
    assert!(verify(&job(Function::Exp2, DType::F32, Accuracy::Fast, vec![f32_of(false)]), &part).passes());
    let bad = verify(&job(Function::Exp2, DType::F32, Accuracy::Fast, vec![f32_of(true)]), &part);
    assert!(bad.wrong > 1000 && bad.largest() > 1e5, "{}", bad.largest());
}

#[test]
fn isas_that_disagree_are_caught() {
    let inputs = Inputs::of(Function::Sin, DType::F32, true);
    // Both results are within the bound, so only the comparison of ISAs finds it.
    let at = [u64::from(1.5f32.to_bits()), 0];
    let first = altered_oracle(Function::Sin, DType::F32, |_, r| r);
    let second = altered_oracle(Function::Sin, DType::F32, move |p, r| if p == at { r + 1 } else { r });
    let job = job(Function::Sin, DType::F32, Accuracy::Fast, vec![first, second]);
    let found = verify(&job, &inputs);
    assert_eq!((found.differences, found.misrounded), (1, 1), "{found:?}");
    assert!(!found.passes() && found.first[0].isa == "second" && found.first[0].differs);
    let v = JobResult::new(&job, compare::result_hash(&job), found);
    assert!(super::table::failure(&v, &v.outcome.first[0]).contains("differs from first"));
}

#[test]
fn violations_of_function_properties_are_caught() {
    let violations = |function, dtype, change: fn(Point, u64) -> u64| {
        let job = job(function, dtype, Accuracy::CorrectlyRounded, vec![altered_oracle(function, dtype, change)]);
        function_properties::check(&job, &Inputs::of(function, dtype, true), 2)
    };
    let counts = |v: PropertyViolations| (v.parity, v.order, v.range);
    for &function in Function::ALL.iter().filter(|f| f.arity() == 1) {
        for dtype in [DType::F16, DType::BF16] {
            assert_eq!(violations(function, dtype, |_, r| r), PropertyViolations::default(), "{function} {dtype}");
        }
    }
    let found = violations(Function::Sinh, DType::F16, |p, r| if p[0] == 0x3c00 { r + 9 } else { r });
    assert_eq!(counts(found), (2, 1, 0), "{found:?}");
    assert_eq!(found.first, Some(0x3c00));
    assert_eq!(counts(violations(Function::Cos, DType::F16, |p, r| if p[0] == 0 { r + 1 } else { r })), (2, 0, 1));
    assert_eq!(
        counts(violations(Function::Erfc, DType::BF16, |p, r| if p[0] == 0x3f80 { r + 9 } else { r })),
        (0, 1, 0)
    );
    // Neighbours are checked even if the sweep skips them.
    let below_two = |p: Point, r: u64| if p[0] % 4099 == 1 && p[0] < 0x4000_0000 { r - 9 } else { r };
    let found = violations(Function::Exp, DType::F32, below_two);
    assert!(found.order > (1 << 30) / 4099 && (found.parity, found.range) == (0, 0), "{found:?}");
}

#[test]
fn wrong_zero_signs_nan_bits_and_missing_results_are_caught() {
    let inputs = Inputs::of(Function::Silu, DType::F16, true);
    let positive = |_: Point, r: u64| if r == 0x8000 { 0 } else { r };
    let unsigned =
        job(Function::Silu, DType::F16, Accuracy::Fast, vec![altered_oracle(Function::Silu, DType::F16, positive)]);
    assert!(verify(&unsigned, &inputs).wrong > 1);
    let negative = || altered_oracle(Function::Silu, DType::F16, |_, r| if r == 0x7e00 { 0xfe00 } else { r });
    let strict = job(Function::Silu, DType::F16, Accuracy::CorrectlyRounded, vec![negative()]);
    assert_eq!(verify(&strict, &inputs).wrong, 2046);
    assert!(verify(&Job { any_nan: true, ..strict }, &inputs).passes());
    let nothing: Box<Run> = Box::new(|_, _| ());
    assert!(verify(&job(Function::Silu, DType::F16, Accuracy::Fast, vec![nothing]), &inputs).wrong > 60_000);
}

#[test]
fn kernels_of_the_engine_run() {
    let isas: Vec<Isa> = Isa::available().filter(|&isa| isa <= Isa::current()).collect();
    for dtype in super::job::DTYPES {
        let job = Job::new(Function::Sqrt, dtype, Accuracy::CorrectlyRounded, &isas).expect("sqrt is there");
        assert_eq!(job.kernels.len(), isas.len());
        let found = verify(&job, &Inputs::of(Function::Sqrt, dtype, true));
        assert!(found.passes(), "{dtype}: {found:?}");
    }
    assert!(kernel_of(Function::Sqrt, DType::I32, Accuracy::Fast, Isa::Scalar).is_none());
}

#[test]
fn the_page_and_the_json_contain_the_results() {
    let job = Job::new(Function::Sqrt, DType::F32, Accuracy::Fast, &[Isa::Scalar]).expect("sqrt is there");
    let outcome = verify(&job, &Inputs::of(Function::Sqrt, DType::F32, true));
    let times = super::timing::ns_per_element(&job);
    assert!(times[0].0 == "scalar" && times[0].1 > 0.0);
    let done = [JobResult { times, ..JobResult::new(&job, compare::result_hash(&job), outcome) }];
    let page = super::markdown::page(&done, true);
    for part in ["# Accuracy", "## f32", "--quick", "| `sqrt` | fast | 0.5 |", "ns, scalar"] {
        assert!(page.contains(part), "{part} is missing:\n{page}");
    }
    let json: serde_json::Value = serde_json::from_str(&super::json::text(&done)).unwrap();
    assert_eq!((&json["results"][0]["passes"], &json["results"][0]["misrounded"]), (&true.into(), &0.into()));
}
