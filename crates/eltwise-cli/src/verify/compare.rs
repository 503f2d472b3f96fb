//! Runs kernels over blocks of inputs and compares their results with the oracle and with each other. See [`verify`].

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use eltwise_oracle::{Format, Function, correctly_rounded, is_nearly_representable, ulp_error};

use super::inputs::{BLOCK, Inputs};
use super::job::{Job, Kernel, Point};
use super::outcome::{Failure, LargestError, Outcome};

/// Verifies the jobs of one function and dtype. The expected results are computed once for all jobs. Calls `step` with the
/// number of blocks done after each block.
pub(crate) fn verify(jobs: &[Job], inputs: &Inputs, threads: usize, step: &(dyn Fn(u64) + Sync)) -> Vec<Outcome> {
    let blocks = inputs.len().div_ceil(BLOCK as u64);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let total = Mutex::new(vec![Outcome::default(); jobs.len()]);
    let work = || {
        let Some(first) = jobs.first() else { return };
        let mut worker = Worker::new(first, inputs);
        let mut found = vec![Outcome::default(); jobs.len()];
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                break;
            }
            worker.prepare(block * BLOCK as u64);
            jobs.iter().zip(&mut found).for_each(|(job, outcome)| worker.run(job, outcome));
            step(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        if let Ok(mut total) = total.lock() {
            total.iter_mut().zip(found).for_each(|(total, found)| total.merge(found));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If a thread cannot start, the other threads process its blocks.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut outcomes = total.into_inner().unwrap_or_default();
    // The inputs of a worker that panicked are not counted.
    outcomes.iter_mut().for_each(|outcome| outcome.complete = outcome.inputs == inputs.len());
    outcomes
}

/// A hash of the results of a job's kernels: FNV-1a over the results of the last kernel for the inputs of a quick run. All NaNs
/// count as the same. One kernel is enough, because a passing job has the same bits on every ISA.
pub(crate) fn result_hash(job: &Job) -> u64 {
    let inputs = Inputs::of(job.function, job.dtype, true);
    let mut worker = Worker::new(job, &inputs);
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for block in 0..inputs.len().div_ceil(BLOCK as u64) {
        worker.load(block * BLOCK as u64);
        worker.compute(&job.kernels[job.kernels.len().saturating_sub(1)..]);
        let results = (0..worker.results.len()).flat_map(|kernel| (0..worker.points.len()).map(move |i| (kernel, i)));
        for (kernel, i) in results {
            let bits = worker.result(kernel, i);
            hash = (hash ^ if worker.is_nan(bits) { worker.format.infinity() + 1 } else { bits })
                .wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// One thread's buffers.
struct Worker<'a> {
    inputs: &'a Inputs,
    function: Function,
    format: Format,
    size: usize,
    /// The number of the first input of the block.
    first: u64,
    points: Vec<Point>,
    operands: [Vec<u8>; 2],
    expected: Vec<u64>,
    /// The results of each kernel.
    results: Vec<Vec<u8>>,
}

impl<'a> Worker<'a> {
    fn new(job: &Job, inputs: &'a Inputs) -> Worker<'a> {
        let size = job.dtype.size();
        let bytes = || vec![0u8; BLOCK * size];
        Worker {
            inputs,
            function: job.function,
            format: job.format(),
            size,
            first: 0,
            points: Vec::with_capacity(BLOCK),
            operands: [bytes(), bytes()],
            expected: Vec::with_capacity(BLOCK),
            results: Vec::new(),
        }
    }

    /// Loads the block that starts at input `first`, and computes its correctly rounded results.
    fn prepare(&mut self, first: u64) {
        self.load(first);
        self.expected.clear();
        self.expected.extend(self.points.iter().map(|p| correctly_rounded(self.format, self.function, p[0], p[1])));
    }

    /// Loads the block that starts at input `first`.
    fn load(&mut self, first: u64) {
        let count = (self.inputs.len() - first).min(BLOCK as u64);
        self.first = first;
        self.inputs.fill(first..first + count, &mut self.points);
        for (k, operand) in self.operands.iter_mut().enumerate().take(self.function.arity()) {
            let bits = self.points.iter().map(|point| point[k]);
            match self.size {
                2 => store(operand, bits.map(|b| (b as u16).to_le_bytes())),
                4 => store(operand, bits.map(|b| (b as u32).to_le_bytes())),
                _ => store(operand, bits.map(u64::to_le_bytes)),
            }
        }
    }

    /// Runs kernels over the block.
    fn compute(&mut self, kernels: &[Kernel]) {
        let bytes = self.points.len() * self.size;
        let operands: Vec<&[u8]> = self.operands[..self.function.arity()].iter().map(|o| &o[..bytes]).collect();
        self.results.resize_with(kernels.len(), Vec::new);
        for (kernel, result) in kernels.iter().zip(&mut self.results) {
            // Overwrites the results of the last block, so that elements which a kernel does not write are found.
            result.clear();
            result.resize(bytes, 0x55);
            (kernel.run)(&operands, result);
        }
    }

    /// Runs the kernels of a job over the block and compares their results.
    fn run(&mut self, job: &Job, outcome: &mut Outcome) {
        self.compute(&job.kernels);
        outcome.inputs += self.points.len() as u64;
        for kernel in 0..self.results.len() {
            // Kernels whose results equal those of the first one need no comparison of their own.
            if kernel == 0 || self.results[kernel] != self.results[0] {
                self.compare(job, kernel, outcome);
            }
        }
    }

    /// Result `i` of a kernel.
    fn result(&self, kernel: usize, i: usize) -> u64 {
        let bytes = &self.results[kernel];
        match self.size {
            2 => u64::from(u16::from_le_bytes(load(bytes, i))),
            4 => u64::from(u32::from_le_bytes(load(bytes, i))),
            _ => u64::from_le_bytes(load(bytes, i)),
        }
    }

    fn is_nan(&self, bits: u64) -> bool {
        bits & !self.format.sign_bit() > self.format.infinity()
    }

    /// Compares the results of a kernel with the expected results, and with the first kernel's.
    fn compare(&self, job: &Job, kernel: usize, outcome: &mut Outcome) {
        for (i, &expected) in self.expected.iter().enumerate() {
            let got = self.result(kernel, i);
            let first = if kernel == 0 { got } else { self.result(0, i) };
            if got == expected && got == first {
                continue;
            }
            if job.any_nan && [got, expected, first].into_iter().all(|bits| self.is_nan(bits)) {
                continue;
            }
            self.count(job, kernel, i, got, got != first, outcome);
        }
    }

    /// Records a result that differs from the expected one or from the first kernel's.
    fn count(&self, job: &Job, kernel: usize, i: usize, got: u64, differs: bool, outcome: &mut Outcome) {
        let (index, point, expected) = (self.first + i as u64, self.points[i], self.expected[i]);
        let mut ulp = 0.0;
        let is_counted = got != expected && !job.passes_absolutely(point[0], got, expected);
        outcome.misrounded += u64::from(got != expected && (kernel == 0 || differs));
        if is_counted {
            ulp = ulp_error(self.format, got, self.function, point[0], point[1]);
            if self.is_nan(got) && self.is_nan(expected) && !job.any_nan {
                // A NaN with the wrong bits.
                ulp = f64::INFINITY;
            }
            let worst = LargestError { ulp, index, point, got };
            if outcome.worst.is_none_or(|w| worst.is_worse_than(&w)) {
                outcome.worst = Some(worst);
            }
        }
        // The correctly rounded result always passes, even if its computed error exceeds the bound by rounding. If the exact
        // value is representable, or nearly so, no other result within 1 ULP passes.
        let near = || is_nearly_representable(self.format, self.function, point[0], point[1]);
        let is_wrong = |bound: f64| ulp > bound || (bound <= 1.0 && ulp > 0.99 && near());
        let too_far = is_counted && job.bound().is_none_or(is_wrong);
        outcome.wrong += u64::from(too_far);
        outcome.differences += u64::from(differs);
        if too_far || differs {
            let isa = job.kernels[kernel].isa;
            outcome.add_failure(Failure { index, isa, point, got, expected, ulp, differs });
        }
    }
}

/// Stores elements as consecutive bytes.
fn store<const S: usize>(into: &mut [u8], elements: impl Iterator<Item = [u8; S]>) {
    into.chunks_exact_mut(S).zip(elements).for_each(|(bytes, element)| bytes.copy_from_slice(&element));
}

/// Loads element `i` of elements of `S` bytes.
fn load<const S: usize>(from: &[u8], i: usize) -> [u8; S] {
    from[i * S..].first_chunk().copied().unwrap_or([0; S])
}
