//! The shape of a function, for which no exact values are needed: odd and even functions, rising and falling ones, and the interval
//! that results lie in.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use eltwise_oracle::{Format, Function};

use super::engine::BLOCK;
use super::inputs::{Inputs, Point};
use super::job::Job;

/// What is known of a function of one operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// `f(-x)` is `-f(x)` (-1) or `f(x)` (1).
    parity: Option<i32>,
    /// Rises (1) or falls (-1) wherever it is a number.
    slope: Option<i32>,
    /// Results that are numbers lie in this interval.
    range: (f64, f64),
}

impl Shape {
    pub(crate) fn of(function: Function) -> Shape {
        use Function as F;
        const ALL: f64 = f64::INFINITY;
        let (parity, slope, range) = match function {
            F::Exp | F::Exp2 | F::Exp10 => (None, Some(1), (0.0, ALL)),
            F::Expm1 => (None, Some(1), (-1.0, ALL)),
            F::Log | F::Log2 | F::Log10 | F::Log1p | F::Logit => (None, Some(1), (-ALL, ALL)),
            F::Sin => (Some(-1), None, (-1.0, 1.0)),
            F::Cos => (Some(1), None, (-1.0, 1.0)),
            F::Tan => (Some(-1), None, (-ALL, ALL)),
            // Half of pi lies between two floats of every format: a little more than its double is.
            F::Asin | F::Atan => (Some(-1), Some(1), (-1.571, 1.571)),
            F::Acos => (None, Some(-1), (0.0, 3.15)),
            F::Sinh | F::Asinh | F::Atanh | F::Cbrt => (Some(-1), Some(1), (-ALL, ALL)),
            F::Cosh => (Some(1), None, (1.0, ALL)),
            F::Tanh | F::Erf => (Some(-1), Some(1), (-1.0, 1.0)),
            F::Acosh | F::Sqrt | F::Softplus => (None, Some(1), (0.0, ALL)),
            F::Erfc => (None, Some(-1), (0.0, 2.0)),
            F::Rsqrt => (None, Some(-1), (-ALL, ALL)),
            F::Sigmoid => (None, Some(1), (0.0, 1.0)),
            F::Selu => (None, Some(1), (-1.7581, ALL)),
            _ => (None, None, (-ALL, ALL)),
        };
        Shape { parity, slope, range }
    }
}

/// Inputs where a kernel leaves its function's shape.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Breaks {
    /// `f(-x)` is not what the parity says.
    pub(crate) parity: u64,
    /// The result of the next larger input is on the wrong side.
    pub(crate) order: u64,
    /// Results outside the interval.
    pub(crate) range: u64,
    /// The bits of the first such input.
    pub(crate) first: Option<u64>,
}

impl Breaks {
    fn merge(&mut self, other: Breaks) {
        self.parity += other.parity;
        self.order += other.order;
        self.range += other.range;
        self.first = self.first.into_iter().chain(other.first).min();
    }
}

/// Looks for breaks of the job's first kernel; nothing for functions of two operands.
pub(crate) fn check(job: &Job, inputs: &Inputs, threads: usize) -> Breaks {
    let shape = Shape::of(job.function);
    if job.function.arity() != 1 || job.kernels.is_empty() {
        return Breaks::default();
    }
    let next = AtomicU64::new(0);
    let total = Mutex::new(Breaks::default());
    let work = || {
        let mut found = Breaks::default();
        let mut buffers = Buffers::default();
        loop {
            let first = next.fetch_add(BLOCK as u64, Ordering::Relaxed);
            if first >= inputs.len() {
                break;
            }
            let last = (first + BLOCK as u64).min(inputs.len());
            inputs.fill(first..last, &mut buffers.points);
            found.merge(buffers.block(job, shape));
        }
        if let Ok(mut total) = total.lock() {
            total.merge(found);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that cannot be made is no loss: the others take its blocks.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    total.into_inner().unwrap_or_default()
}

/// One thread's memory.
#[derive(Default)]
struct Buffers {
    points: Vec<Point>,
    operand: Vec<u8>,
    bytes: Vec<u8>,
    /// The results at the points, and at the points changed.
    results: [Vec<f64>; 2],
}

impl Buffers {
    /// Breaks of the job's first kernel at the points.
    fn block(&mut self, job: &Job, shape: Shape) -> Breaks {
        let format = job.format();
        let mut breaks = Breaks::default();
        self.run(job, 0, |x| x);
        let (low, high) = shape.range;
        breaks.range = count(&self.results[0], &self.results[0], |y, _| y < low || y > high);
        self.first_of(breaks.range, &mut breaks.first, 0, |y, _| y < low || y > high);
        if let Some(parity) = shape.parity {
            self.run(job, 1, |x| x ^ format.sign());
            let sign = f64::from(parity);
            let bad = |y: f64, other: f64| y.to_bits() != (other * sign).to_bits();
            breaks.parity = count(&self.results[0], &self.results[1], bad);
            self.first_of(breaks.parity, &mut breaks.first, 1, bad);
        }
        if let Some(slope) = shape.slope {
            self.run(job, 1, |x| above(format, x));
            let sign = f64::from(slope);
            let bad = |y: f64, next: f64| next * sign < y * sign;
            breaks.order = count(&self.results[0], &self.results[1], bad);
            self.first_of(breaks.order, &mut breaks.first, 1, bad);
        }
        breaks
    }

    /// Runs the kernel over the points, each changed.
    fn run(&mut self, job: &Job, into: usize, change: impl Fn(u64) -> u64) {
        let (size, format) = (job.dtype.size(), job.format());
        self.operand.resize(self.points.len() * size, 0);
        match size {
            4 => write(&mut self.operand, &self.points, |x| (change(x) as u32).to_le_bytes()),
            2 => write(&mut self.operand, &self.points, |x| (change(x) as u16).to_le_bytes()),
            _ => write(&mut self.operand, &self.points, |x| change(x).to_le_bytes()),
        }
        self.bytes.clear();
        self.bytes.resize(self.operand.len(), 0x55);
        (job.kernels[0].run)(&[&self.operand], &mut self.bytes);
        match size {
            4 => read(&mut self.results[into], &self.bytes, |bytes| f64::from(f32::from_le_bytes(bytes))),
            2 => read(&mut self.results[into], &self.bytes, |bytes| format.to_f64(u16::from_le_bytes(bytes).into())),
            _ => read(&mut self.results[into], &self.bytes, f64::from_le_bytes),
        }
    }

    /// Makes `first` the first of the points whose results are bad, of which there are `count`, if it is less.
    fn first_of(&self, count: u64, first: &mut Option<u64>, other: usize, bad: impl Fn(f64, f64) -> bool) {
        if count > 0 {
            let results = self.results[0].iter().zip(&self.results[other]);
            let points = results.zip(&self.points).filter(|((y, other), _)| is_bad(**y, **other, &bad));
            *first = points.map(|(_, &[x, _])| x).chain(*first).min();
        }
    }
}

/// How many pairs of results, both numbers, are bad.
fn count(results: &[f64], others: &[f64], bad: impl Fn(f64, f64) -> bool) -> u64 {
    results.iter().zip(others).map(|(&y, &other)| u64::from(is_bad(y, other, &bad))).sum()
}

fn is_bad(y: f64, other: f64, bad: &impl Fn(f64, f64) -> bool) -> bool {
    !y.is_nan() & !other.is_nan() & bad(y, other)
}

/// The points' bytes.
fn write<const SIZE: usize>(operand: &mut [u8], points: &[Point], bytes: impl Fn(u64) -> [u8; SIZE]) {
    operand.as_chunks_mut().0.iter_mut().zip(points).for_each(|(element, &[x, _])| *element = bytes(x));
}

/// The values of bytes.
fn read<const SIZE: usize>(values: &mut Vec<f64>, bytes: &[u8], value: impl Fn([u8; SIZE]) -> f64) {
    values.clear();
    values.extend(bytes.as_chunks().0.iter().map(|&element| value(element)));
}

/// The bits of the next larger number; of the largest, infinities and NaN as they are, and of -0, which is no number less than +0.
fn above(format: Format, x: u64) -> u64 {
    match x {
        _ if x & !format.sign() > format.infinity() || x == format.infinity() || x == format.sign() => x,
        _ if x & format.sign() != 0 => x - 1,
        _ => x + 1,
    }
}
