//! The time per element of each kernel; see [`ns_per_element`].

use std::time::{Duration, Instant};

use super::boundary_inputs;
use super::job::{Job, Run};

/// Elements of a run. Operands and result fit in the L1 cache.
const ELEMENTS: usize = 2048;
/// The time for which a kernel is repeated. The fastest slice of 0.1 ms counts.
const BUDGET: Duration = Duration::from_millis(20);

/// Nanoseconds per element of each kernel, for numbers spread evenly over the range where the function is neither trivial nor
/// constant.
pub(crate) fn ns_per_element(job: &Job) -> Vec<(&'static str, f64)> {
    let size = job.dtype.size();
    let format = job.format();
    let (low, high) = boundary_inputs::interesting_range(job.function);
    let operand = |k: u64| -> Vec<u8> {
        let even =
            |i: u64| low + (high - low) * (0.5 + ((i * (k * 2 + 617)) % ELEMENTS as u64) as f64) / ELEMENTS as f64;
        // Avoids overflow and underflow of narrow dtypes.
        let number = |i| format.from_f64(if format.width() < 64 { even(i).clamp(-80.0, 80.0) } else { even(i) });
        (0..ELEMENTS as u64).flat_map(|i| number(i).to_le_bytes()[..size].to_vec()).collect()
    };
    let operands: Vec<Vec<u8>> = (0..job.function.arity() as u64).map(operand).collect();
    let operands: Vec<&[u8]> = operands.iter().map(Vec::as_slice).collect();
    job.kernels.iter().map(|kernel| (kernel.isa, time_kernel(&*kernel.run, &operands))).collect()
}

fn time_kernel(run: &Run, operands: &[&[u8]]) -> f64 {
    let mut out = vec![0; operands[0].len()];
    let mut fastest = f64::INFINITY;
    let started = Instant::now();
    while started.elapsed() < BUDGET {
        let (slice, mut runs) = (Instant::now(), 0);
        while slice.elapsed() < Duration::from_micros(100) {
            run(operands, &mut out);
            runs += 1;
        }
        fastest = fastest.min(slice.elapsed().as_nanos() as f64 / f64::from(runs));
    }
    fastest / ELEMENTS as f64
}
