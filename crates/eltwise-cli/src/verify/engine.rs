//! Runs kernels over inputs, block after block, and compares them with the oracle and with each other.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use eltwise_oracle::{Format, Function, correct, is_nearly_exact, ulp_error};

use super::inputs::{Inputs, Point};
use super::job::{Job, Kernel};
use super::outcome::{Failure, Outcome, Worst};

/// Inputs of a block: with what is found for them, within the second level of caches.
pub(crate) const BLOCK: usize = 1 << 13;

/// Verifies jobs of one function and dtype on so many threads; `step` is called with the number of blocks done. The exact results are
/// found once for all jobs.
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
            // A thread that cannot be made is no loss: the others take its blocks.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut outcomes = total.into_inner().unwrap_or_default();
    // A worker that panicked leaves its inputs uncounted.
    outcomes.iter_mut().for_each(|outcome| outcome.complete = outcome.inputs == inputs.len());
    outcomes
}

/// A number that says which bits a job's kernels give: FNV-1a over the results of the fastest one at the inputs of a quick run, every NaN
/// as one. (That levels agree is verified.)
pub(crate) fn bits(job: &Job) -> u64 {
    let inputs = Inputs::of(job.function, job.dtype, true);
    let mut worker = Worker::new(job, &inputs);
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for block in 0..inputs.len().div_ceil(BLOCK as u64) {
        worker.load(block * BLOCK as u64);
        worker.compute(&job.kernels[job.kernels.len().saturating_sub(1)..]);
        let results = (0..worker.results.len()).flat_map(|level| (0..worker.points.len()).map(move |i| (level, i)));
        for (level, i) in results {
            let bits = worker.result(level, i);
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
    /// The number of the block's first input.
    first: u64,
    points: Vec<Point>,
    operands: [Vec<u8>; 2],
    expected: Vec<u64>,
    /// Results of each level.
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

    /// The inputs from number `first` on, and the results that are right.
    fn prepare(&mut self, first: u64) {
        self.load(first);
        self.expected.clear();
        self.expected.extend(self.points.iter().map(|p| correct(self.format, self.function, p[0], p[1])));
    }

    /// The inputs from number `first` on.
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

    /// Runs kernels: their results.
    fn compute(&mut self, kernels: &[Kernel]) {
        let bytes = self.points.len() * self.size;
        let operands: Vec<&[u8]> = self.operands[..self.function.arity()].iter().map(|o| &o[..bytes]).collect();
        self.results.resize_with(kernels.len(), Vec::new);
        for (kernel, result) in kernels.iter().zip(&mut self.results) {
            // What a kernel leaves out must not look like the result of the block before.
            result.clear();
            result.resize(bytes, 0x55);
            (kernel.run)(&operands, result);
        }
    }

    /// Runs the kernels of a job, and compares.
    fn run(&mut self, job: &Job, outcome: &mut Outcome) {
        self.compute(&job.kernels);
        outcome.inputs += self.points.len() as u64;
        for level in 0..self.results.len() {
            // Levels that agree with the first one are judged with it.
            if level == 0 || self.results[level] != self.results[0] {
                self.compare(job, level, outcome);
            }
        }
    }

    /// Result `i` of a level.
    fn result(&self, level: usize, i: usize) -> u64 {
        let bytes = &self.results[level];
        match self.size {
            2 => u64::from(u16::from_le_bytes(load(bytes, i))),
            4 => u64::from(u32::from_le_bytes(load(bytes, i))),
            _ => u64::from_le_bytes(load(bytes, i)),
        }
    }

    fn is_nan(&self, bits: u64) -> bool {
        bits & !self.format.sign() > self.format.infinity()
    }

    /// Compares the results of a level with those expected, and with those of the first level.
    fn compare(&self, job: &Job, level: usize, outcome: &mut Outcome) {
        for (i, &expected) in self.expected.iter().enumerate() {
            let got = self.result(level, i);
            let first = if level == 0 { got } else { self.result(0, i) };
            if got == expected && got == first {
                continue;
            }
            if job.any_nan && [got, expected, first].into_iter().all(|bits| self.is_nan(bits)) {
                continue;
            }
            self.count(job, level, i, got, got != first, outcome);
        }
    }

    /// Counts a result that is not the expected one, or not that of the first level.
    fn count(&self, job: &Job, level: usize, i: usize, got: u64, differs: bool, outcome: &mut Outcome) {
        let (index, point, expected) = (self.first + i as u64, self.points[i], self.expected[i]);
        let mut ulp = 0.0;
        if got != expected {
            ulp = ulp_error(self.format, got, self.function, point[0], point[1]);
            if self.is_nan(got) && self.is_nan(expected) && !job.any_nan {
                // NaN it must be, but with other bits.
                ulp = f64::INFINITY;
            }
            outcome.misrounded += u64::from(level == 0 || differs);
            let worst = Worst { ulp, index, point, got };
            if outcome.worst.is_none_or(|w| worst.is_before(&w)) {
                outcome.worst = Some(worst);
            }
        }
        // The correctly rounded result is never wrong, whatever rounding makes of its error; where the exact value is a number, or next to
        // one, no other is right.
        let near = || is_nearly_exact(self.format, self.function, point[0], point[1]);
        let too_far = got != expected && (job.bound().is_none_or(|bound| ulp > bound) || ulp > 0.99 && near());
        outcome.wrong += u64::from(too_far);
        outcome.differences += u64::from(differs);
        if too_far || differs {
            let isa = job.kernels[level].isa;
            outcome.failed(Failure { index, isa, point, got, expected, ulp, differs });
        }
    }
}

/// Elements as bytes, one after the other.
fn store<const S: usize>(into: &mut [u8], elements: impl Iterator<Item = [u8; S]>) {
    into.chunks_exact_mut(S).zip(elements).for_each(|(bytes, element)| bytes.copy_from_slice(&element));
}

/// Element `i` of elements of S bytes.
fn load<const S: usize>(from: &[u8], i: usize) -> [u8; S] {
    from[i * S..].first_chunk().copied().unwrap_or([0; S])
}
