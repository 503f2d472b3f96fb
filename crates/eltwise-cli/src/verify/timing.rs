//! Times kernels for docs/accuracy.md: [`ns_per_element`].

use std::time::{Duration, Instant};

use eltwise_oracle::{Format, Function};

use super::boundary_inputs;
use super::job::{Job, Run};

/// Elements of a run. Operands and result have at most 48 KiB, for functions of two `f64`.
const ELEMENTS: usize = 2048;
/// The time for which a kernel is repeated.
const BUDGET: Duration = Duration::from_millis(20);
/// The length of a timing. The fastest one counts.
const SLICE: Duration = Duration::from_micros(100);
/// Odd, so that `i * MULTIPLIER` modulo [`ELEMENTS`] is a permutation: neighbouring arguments are far apart.
const MULTIPLIER: u64 = 617;

/// The range of arguments to time, within [`interesting_range`](boundary_inputs::interesting_range), which is for `f64`. For
/// narrower formats, exponentials in it are normal numbers: kernels are slower for the others, which are rare in practice.
fn timed_range(function: Function, format: Format) -> (f64, f64) {
    use Function::{Cosh, Exp, Exp2, Exp10, Expm1, Mish, Sigmoid, Silu, Sinh, Softplus};
    let (low, high) = boundary_inputs::interesting_range(function);
    if format.width() == 64 {
        return (low, high);
    }
    let log = match function {
        Exp2 => f64::log2,
        Exp10 => f64::log10,
        Exp | Expm1 | Sinh | Cosh | Sigmoid | Softplus | Silu | Mish => f64::ln,
        _ => return (low, high),
    };
    // The smallest normal number has the exponent field 1; infinity has only the exponent field, all ones.
    let exponent_one = format.infinity() & format.infinity().wrapping_neg();
    let [smallest, largest] = [exponent_one, format.infinity() - 1].map(|bits| log(format.to_f64(bits)));
    // A margin: some kernels leave their fast path shortly before.
    let margin = log(2.0);
    (low.max(smallest + margin), high.min(largest - margin))
}

/// Nanoseconds per element of each kernel, for numbers spread evenly over the [range](timed_range) of the function. Both operands
/// of a function have that range, so half of the results of `pow` are NaN.
pub(crate) fn ns_per_element(job: &Job) -> Vec<(&'static str, f64)> {
    let size = job.dtype.size();
    let format = job.format();
    let (low, high) = timed_range(job.function, format);
    let operand = |k: u64| -> Vec<u8> {
        // Another odd multiplier for each operand.
        let position = |i: u64| 0.5 + ((i * (k * 2 + MULTIPLIER)) % ELEMENTS as u64) as f64;
        let number = |i: u64| format.from_f64(low + (high - low) * position(i) / ELEMENTS as f64);
        (0..ELEMENTS as u64).flat_map(|i| number(i).to_le_bytes()[..size].to_vec()).collect()
    };
    let operands: Vec<Vec<u8>> = (0..job.function.arity() as u64).map(operand).collect();
    let operands: Vec<&[u8]> = operands.iter().map(Vec::as_slice).collect();
    job.kernels.iter().map(|kernel| (kernel.isa, time_kernel(&*kernel.run, &operands))).collect()
}

fn time_kernel(run: &Run, operands: &[&[u8]]) -> f64 {
    let mut out = vec![0; operands[0].len()];
    let mut time_runs = |runs: u32| {
        let start = Instant::now();
        (0..runs).for_each(|_| run(operands, &mut out));
        start.elapsed()
    };
    // The first run binds the plan.
    time_runs(1);
    let runs = (SLICE.as_nanos() / time_runs(1).as_nanos().max(1)).clamp(1, 10_000) as u32;
    let mut fastest = f64::INFINITY;
    let started = Instant::now();
    while started.elapsed() < BUDGET {
        fastest = fastest.min(time_runs(runs).as_nanos() as f64 / f64::from(runs));
    }
    fastest / ELEMENTS as f64
}
