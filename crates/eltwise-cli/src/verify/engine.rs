//! Runs kernels over inputs, block after block, and compares them with the oracle and with each other.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use eltwise_oracle::{Format, correct, ulp_error};

use super::inputs::{Inputs, Point};
use super::job::Job;
use super::outcome::{Failure, Outcome, Worst};

/// Inputs of a block.
pub(crate) const BLOCK: usize = 1 << 16;

/// Verifies a job on so many threads; `step` is called with the number of blocks done.
pub(crate) fn verify(job: &Job, inputs: &Inputs, threads: usize, step: &(dyn Fn(u64) + Sync)) -> Outcome {
    let blocks = inputs.len().div_ceil(BLOCK as u64);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let total = Mutex::new(Outcome::default());
    let work = || {
        let mut worker = Worker::new(job, inputs);
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                break;
            }
            worker.block(block * BLOCK as u64);
            step(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        if let Ok(mut total) = total.lock() {
            total.merge(worker.outcome);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that cannot be made is no loss: the others take its blocks.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut outcome = total.into_inner().unwrap_or_default();
    // A worker that panicked leaves its inputs uncounted.
    outcome.complete = outcome.inputs == inputs.len();
    outcome
}

/// One thread's buffers and findings.
struct Worker<'a> {
    job: &'a Job,
    inputs: &'a Inputs,
    format: Format,
    size: usize,
    points: Vec<Point>,
    operands: [Vec<u8>; 2],
    expected: Vec<u64>,
    results: Vec<Vec<u8>>,
    outcome: Outcome,
}

impl<'a> Worker<'a> {
    fn new(job: &'a Job, inputs: &'a Inputs) -> Worker<'a> {
        let size = job.dtype.size();
        let bytes = || vec![0u8; BLOCK * size];
        Worker {
            job,
            inputs,
            format: job.format(),
            size,
            points: Vec::with_capacity(BLOCK),
            operands: [bytes(), bytes()],
            expected: Vec::with_capacity(BLOCK),
            results: job.kernels.iter().map(|_| bytes()).collect(),
            outcome: Outcome::default(),
        }
    }

    /// Verifies the inputs from number `first` on.
    fn block(&mut self, first: u64) {
        let count = (self.inputs.len() - first).min(BLOCK as u64) as usize;
        self.points.clear();
        self.points.extend((first..first + count as u64).map(|i| self.inputs.get(i)));
        for (k, operand) in self.operands.iter_mut().enumerate() {
            for (bytes, point) in operand.chunks_exact_mut(self.size).zip(&self.points) {
                bytes.copy_from_slice(&point[k].to_le_bytes()[..self.size]);
            }
        }
        let arity = self.job.function.arity();
        let operands: Vec<&[u8]> = self.operands[..arity].iter().map(|o| &o[..count * self.size]).collect();
        for (kernel, result) in self.job.kernels.iter().zip(&mut self.results) {
            // What a kernel leaves out must not look like the result of the block before.
            result.fill(0x55);
            (kernel.run)(&operands, &mut result[..count * self.size]);
        }
        self.expected.clear();
        let expected = self.points.iter().map(|p| correct(self.format, self.job.function, p[0], p[1]));
        self.expected.extend(expected);
        self.outcome.inputs += count as u64;
        for level in 0..self.results.len() {
            // Levels that agree with the first one are judged with it.
            if level == 0 || self.results[level] != self.results[0] {
                self.compare(level, first);
            }
        }
    }

    fn result(&self, level: usize, i: usize) -> u64 {
        let mut bits = [0; 8];
        bits[..self.size].copy_from_slice(&self.results[level][i * self.size..][..self.size]);
        u64::from_le_bytes(bits)
    }

    fn is_nan(&self, bits: u64) -> bool {
        bits & !self.format.sign() > self.format.infinity()
    }

    /// Compares the results of a level with those expected, and with those of the first level.
    fn compare(&mut self, level: usize, first: u64) {
        for i in 0..self.points.len() {
            let (got, expected) = (self.result(level, i), self.expected[i]);
            let differs = level > 0 && got != self.result(0, i);
            if got == expected && !differs {
                continue;
            }
            if self.job.any_nan
                && self.is_nan(got)
                && self.is_nan(expected)
                && (level == 0 || self.is_nan(self.result(0, i)))
            {
                continue;
            }
            self.count(level, first + i as u64, self.points[i], got, expected, differs);
        }
    }

    /// Counts a result that is not the expected one, or not that of the first level.
    fn count(&mut self, level: usize, index: u64, point: Point, got: u64, expected: u64, differs: bool) {
        let mut ulp = 0.0;
        if got != expected {
            ulp = ulp_error(self.format, got, self.job.function, point[0], point[1]);
            if self.is_nan(got) && self.is_nan(expected) && !self.job.any_nan {
                // NaN it must be, but with other bits.
                ulp = f64::INFINITY;
            }
            self.outcome.misrounded += u64::from(level == 0 || differs);
            let worst = Worst { ulp, index, point, got };
            if self.outcome.worst.is_none_or(|w| worst.is_before(&w)) {
                self.outcome.worst = Some(worst);
            }
        }
        // The correctly rounded result is never wrong, whatever rounding makes of its error.
        let too_far = got != expected && self.job.tier.bound(self.job.dtype).is_none_or(|bound| ulp > bound);
        self.outcome.wrong += u64::from(too_far);
        self.outcome.differences += u64::from(differs);
        if too_far || differs {
            let isa = self.job.kernels[level].isa;
            self.outcome.failed(Failure { index, isa, point, got, expected, ulp, differs });
        }
    }
}
