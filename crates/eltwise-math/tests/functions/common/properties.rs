//! The properties. The failure messages have the input, the ISA and both results.
//!
//! `special_values`, `edge_values`, `representable_results`, `hard_inputs` and `same_bits` run every ISA. The
//! properties with many inputs run the highest one: `same_bits` checks that the others return the same bits.

use eltwise_oracle::{self as oracle, Format};

use super::compiled::{Compiled, Kernel};
use super::float::Float;
use super::samples::{Random, Range, at, edges, order, samples};

/// One operand, or two.
pub(crate) trait Operands: Copy {
    /// As a pair of `f64`.
    fn pair(self) -> [f64; 2];
}

impl Operands for f64 {
    fn pair(self) -> [f64; 2] {
        [self, 0.0]
    }
}

impl Operands for [f64; 2] {
    fn pair(self) -> [f64; 2] {
        self
    }
}

/// The result of a kernel, for a failure message.
fn describe<C: Float>(function: &Compiled<C>, kernel: &Kernel<C>, [x, y]: [C; 2], got: C) -> String {
    let operands = if function.function.arity() == 1 { format!("{x:e}") } else { format!("{x:e}, {y:e}") };
    format!("{}({operands}) is {got:e} on {}", function.function, kernel.isa)
}

/// Each operand, rounded to the dtype, has the given result, rounded to the dtype: the same bits, zeros with their
/// sign.
pub(crate) fn special_values<C: Float, X: Operands>(function: &Compiled<C>, values: &[(X, f64)]) {
    let inputs: Vec<[C; 2]> = values.iter().map(|(x, _)| x.pair().map(C::from_f64)).collect();
    for kernel in &function.kernels {
        for ((input, got), (_, expected)) in inputs.iter().zip(kernel.run(&inputs)).zip(values) {
            let expected = C::from_f64(*expected);
            let same = got.to_bits() == expected.to_bits();
            assert!(same, "{}, expected {expected:e}", describe(function, kernel, *input, got));
        }
    }
}

/// The results of the edges of the dtype (zeros, subnormal numbers, infinities, NaN), alone or in all pairs, are
/// correctly rounded where the function is exact or has a limit, and within 1 ULP elsewhere.
pub(crate) fn edge_values<C: Float>(function: &Compiled<C>, (): ()) {
    edge_values_within(function, 1.0);
}

/// As [`edge_values`], with another bound in ULP.
pub(crate) fn edge_values_within<C: Float>(function: &Compiled<C>, bound: f64) {
    let edges = edges::<C>();
    let inputs: Vec<[C; 2]> = match function.function.arity() {
        1 => edges.iter().map(|&x| [x, C::ZERO]).collect(),
        _ => edges.iter().flat_map(|&x| edges.iter().map(move |&y| [x, y])).collect(),
    };
    for kernel in &function.kernels {
        for (&input, got) in inputs.iter().zip(kernel.run(&inputs)) {
            let error = error(function, input, got);
            assert!(error <= bound, "{}: {error} ULP", describe(function, kernel, input, got));
        }
    }
}

/// The result grows, or stays the same, from each float to the next: in 1,000 runs of 1,024 consecutive floats in each
/// range, and between these and 20,000 other floats.
pub(crate) fn increasing<C: Float>(function: &Compiled<C>, ranges: &[[f64; 2]]) {
    for range in ranges {
        monotone(function, &close::<C>(*range), false);
    }
}

/// As [`increasing`], for functions that fall.
pub(crate) fn decreasing<C: Float>(function: &Compiled<C>, ranges: &[[f64; 2]]) {
    for range in ranges {
        monotone(function, &close::<C>(*range), true);
    }
}

/// The result grows, or stays the same, between 20,000 floats in each range that are at least 300 positions apart. For
/// functions whose error may show between neighbours.
pub(crate) fn increasing_between_samples<C: Float>(function: &Compiled<C>, ranges: &[[f64; 2]]) {
    for range in ranges {
        monotone(function, &apart::<C>(*range), false);
    }
}

/// As [`increasing_between_samples`], for functions that fall.
pub(crate) fn decreasing_between_samples<C: Float>(function: &Compiled<C>, ranges: &[[f64; 2]]) {
    for range in ranges {
        monotone(function, &apart::<C>(*range), true);
    }
}

/// The positions of runs of consecutive floats in a range, and of single ones between them, in increasing order.
fn close<C: Float>(range: [f64; 2]) -> Vec<i64> {
    let last = order(C::from_f64(range[1]));
    let starts = positions::<C>(range, 1000, 7);
    let mut positions: Vec<i64> = starts.into_iter().flat_map(|start| start..(start + 1024).min(last + 1)).collect();
    positions.extend(self::positions::<C>(range, 20_000, 8));
    positions.sort_unstable();
    positions
}

/// The positions of floats in a range, at least 300 apart, in increasing order.
fn apart<C: Float>(range: [f64; 2]) -> Vec<i64> {
    let mut positions = positions::<C>(range, 20_000, 7);
    positions.sort_unstable();
    positions.dedup_by(|next, last| *next - *last < 300);
    positions
}

/// The positions of random floats in a range.
fn positions<C: Float>(range: [f64; 2], count: usize, seed: u64) -> Vec<i64> {
    samples::<C, _>(&[range], count, seed).into_iter().map(|[x, _]| order(x)).collect()
}

/// Checks the results at positions in increasing order.
fn monotone<C: Float>(function: &Compiled<C>, positions: &[i64], falls: bool) {
    let inputs: Vec<[C; 2]> = positions.iter().map(|&position| [at(position), C::ZERO]).collect();
    let kernel = function.fastest();
    let results = kernel.run(&inputs);
    for (&input, pair) in inputs[1..].iter().zip(results.windows(2)) {
        let [smaller, got] = [pair[0], pair[1]];
        let ordered = if falls { smaller >= got } else { smaller <= got };
        assert!(ordered, "{}, {smaller:e} at a smaller input", describe(function, kernel, input, got));
    }
}

/// Where the exact result is a number of the dtype, or within 1/4096 ULP of one, the function returns that number.
/// There are at least `count` of these inputs.
pub(crate) fn representable_results<C: Float>(function: &Compiled<C>, count: usize) {
    let inputs = oracle::representable_inputs(C::FORMAT, function.function);
    assert!(inputs.len() >= count, "{} inputs", inputs.len());
    let floats: Vec<[C; 2]> = inputs.iter().map(|input| input.map(C::from_bits)).collect();
    let expected: Vec<u64> =
        inputs.iter().map(|&[x, y]| oracle::correctly_rounded(C::FORMAT, function.function, x, y)).collect();
    for kernel in &function.kernels {
        for ((&input, got), &expected) in floats.iter().zip(kernel.run(&floats)).zip(&expected) {
            let expected = C::from_bits(expected);
            let same = got.to_bits() == expected.to_bits();
            assert!(same, "{}, expected {expected:e}", describe(function, kernel, input, got));
        }
    }
}

fn error<C: Float>(function: &Compiled<C>, input: [C; 2], got: C) -> f64 {
    let [x, y] = input.map(Float::to_bits);
    oracle::ulp_error(C::FORMAT, got.to_bits(), function.function, x, y)
}

/// The error is at most `bound` ULP, at 1,500 random inputs of each range.
pub(crate) fn ulp_error_at_most<C: Float, R: Range>(function: &Compiled<C>, (bound, ranges): (f64, &[R])) {
    let inputs = samples::<C, R>(ranges, 1500, 1);
    let kernel = function.fastest();
    for (&input, got) in inputs.iter().zip(kernel.run(&inputs)) {
        let error = error(function, input, got);
        assert!(error <= bound, "{}: {error} ULP", describe(function, kernel, input, got));
    }
}

/// The error is at most `bound` ULP, or `absolute`, at 1,500 random inputs of each range.
pub(crate) fn ulp_or_absolute_error_at_most<C: Float, R: Range>(
    function: &Compiled<C>,
    (bound, absolute, ranges): (f64, f64, &[R]),
) {
    let inputs = samples::<C, R>(ranges, 1500, 1);
    let kernel = function.fastest();
    for (&input, got) in inputs.iter().zip(kernel.run(&inputs)) {
        let [x, y] = input.map(Float::to_bits);
        let expected = C::FORMAT.to_f64(oracle::correctly_rounded(C::FORMAT, function.function, x, y));
        let is_near = (expected - C::FORMAT.to_f64(got.to_bits())).abs() <= absolute;
        assert!(is_near || error(function, input, got) <= bound, "{}", describe(function, kernel, input, got));
    }
}

/// The results are correctly rounded, at 200,000 random inputs of each range and at the edges of the dtype.
pub(crate) fn correctly_rounded<C: Float, R: Range>(function: &Compiled<C>, ranges: &[R]) {
    let mut inputs = samples::<C, R>(ranges, 200_000, 2);
    let edges = edges::<C>();
    inputs.extend(edges.iter().flat_map(|&x| edges.iter().map(move |&y| [x, y])));
    let kernel = function.fastest();
    for (&input, got) in inputs.iter().zip(kernel.run(&inputs)) {
        let [x, y] = input.map(Float::to_bits);
        let expected = oracle::correctly_rounded(C::FORMAT, function.function, x, y);
        let expected = C::from_bits(expected);
        let same = got.to_bits() == expected.to_bits();
        assert!(same, "{}, expected {expected:e}", describe(function, kernel, input, got));
    }
}

/// The results of these inputs, given as bits, are correctly rounded. Their exact results are so close to a midpoint of
/// two floats that the first step of the method rounds them to the wrong one, or that only a list of exceptions is
/// right.
pub(crate) fn hard_inputs<C: Float>(function: &Compiled<C>, inputs: &[u64]) {
    let floats: Vec<[C; 2]> = inputs.iter().map(|&bits| [C::from_bits(bits), C::ZERO]).collect();
    for kernel in &function.kernels {
        for (&input, got) in floats.iter().zip(kernel.run(&floats)) {
            let expected = oracle::correctly_rounded(C::FORMAT, function.function, input[0].to_bits(), 0);
            let expected = C::from_bits(expected);
            let same = got.to_bits() == expected.to_bits();
            assert!(same, "{}, expected {expected:e}", describe(function, kernel, input, got));
        }
    }
}

/// Rounding the `f64` results to `f32`, `f16` or `bf16` gives the correctly rounded results of these dtypes, at 5,000
/// random inputs of each range and dtype, and at all inputs with a representable result.
pub(crate) fn narrows_correctly<R: Range>(function: &Compiled<f64>, ranges: &[R]) {
    let kernel = function.fastest();
    for format in [Format::F32, Format::F16, Format::BF16] {
        let random = samples::<f64, R>(ranges, 5000, 3);
        let mut operands: Vec<[u64; 2]> = random.into_iter().map(|input| input.map(|v| format.from_f64(v))).collect();
        operands.extend(oracle::representable_inputs(format, function.function));
        let inputs: Vec<[f64; 2]> = operands.iter().map(|operands| operands.map(|bits| format.to_f64(bits))).collect();
        for ((&[x, y], &input), got) in operands.iter().zip(&inputs).zip(kernel.run(&inputs)) {
            let expected = oracle::correctly_rounded(format, function.function, x, y);
            let narrow = format.from_f64(got);
            let [rounded, expected_value] = [narrow, expected].map(|bits| format.to_f64(bits));
            let same = narrow == expected || got.is_nan() && expected_value.is_nan();
            let message = || describe(function, kernel, input, got);
            assert!(same, "{}, rounded to {rounded:e}, expected {expected_value:e}", message());
        }
    }
}

/// Every ISA returns the bits of the scalar code, at each position of the vector, next to ordinary lanes as well as
/// next to edges and random inputs.
pub(crate) fn same_bits<C: Float, R: Range>(function: &Compiled<C>, ranges: &[R]) {
    let mut inputs = samples::<C, R>(ranges, 300, 4);
    let edges = edges::<C>();
    inputs.extend(edges.iter().enumerate().map(|(i, &x)| [x, edges[i * 5 % edges.len()]]));
    let random = inputs.clone();
    inputs.extend(edges.iter().zip(random.chunks(7)).map(|(&y, random)| [random[0][0], y]));
    let expected: Vec<u64> = function.kernels[0].run(&inputs).into_iter().map(Float::to_bits).collect();
    let ordinary = ranges[0].sample::<C>(&mut Random(5));
    for kernel in &function.kernels[1..] {
        let check = |i: usize, lane: usize, got: C| {
            let expected = C::from_bits(expected[i]);
            let same = got.to_bits() == expected.to_bits();
            let message = || describe(function, kernel, inputs[i], got);
            assert!(same, "{} in lane {lane}, and {expected:e} in scalar code", message());
        };
        for shift in 0..kernel.lanes {
            // All inputs, shifted; each input among ordinary lanes.
            let mut shifted = vec![ordinary; shift];
            shifted.extend(&inputs);
            kernel.run(&shifted)[shift..]
                .iter()
                .enumerate()
                .for_each(|(i, &got)| check(i, (i + shift) % kernel.lanes, got));
            let apart: Vec<[C; 2]> = (0..inputs.len() * kernel.lanes)
                .map(|i| if i % kernel.lanes == shift { inputs[i / kernel.lanes] } else { ordinary })
                .collect();
            let got = kernel.run(&apart);
            (0..inputs.len()).for_each(|i| check(i, shift, got[i * kernel.lanes + shift]));
        }
    }
}
