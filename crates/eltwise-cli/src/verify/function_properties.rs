//! Properties of functions that are checked without exact values: parity, monotonicity, and the interval of the results.
//! [`check`] counts the inputs at which a kernel violates them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use eltwise_oracle::{Format, Function};

use super::inputs::{BLOCK, Inputs};
use super::job::{Job, Point};

/// The properties of a function of one operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Properties {
    /// -1 for odd functions, `f(-x) = -f(x)`; 1 for even ones, `f(-x) = f(x)`.
    parity: Option<i32>,
    /// 1 for non-decreasing functions, -1 for non-increasing ones, where the result is a number.
    slope: Option<i32>,
    /// The interval of results that are numbers.
    range: (f64, f64),
}

impl Properties {
    pub(crate) fn of(function: Function) -> Properties {
        use Function as F;
        const ALL: f64 = f64::INFINITY;
        let (parity, slope, range) = match function {
            F::Exp | F::Exp2 | F::Exp10 => (None, Some(1), (0.0, ALL)),
            F::Expm1 => (None, Some(1), (-1.0, ALL)),
            F::Log | F::Log2 | F::Log10 | F::Log1p | F::Logit => (None, Some(1), (-ALL, ALL)),
            F::Sin => (Some(-1), None, (-1.0, 1.0)),
            F::Cos => (Some(1), None, (-1.0, 1.0)),
            F::Tan => (Some(-1), None, (-ALL, ALL)),
            // pi / 2, -pi / 2 and pi with a margin: in f16 and bf16 the rounded result may exceed the exact end.
            F::Asin | F::Atan => (Some(-1), Some(1), (-1.571, 1.571)),
            F::Acos => (None, Some(-1), (0.0, 3.15)),
            F::Sinh | F::Asinh | F::Atanh | F::Cbrt => (Some(-1), Some(1), (-ALL, ALL)),
            F::Cosh => (Some(1), None, (1.0, ALL)),
            F::Tanh | F::Erf => (Some(-1), Some(1), (-1.0, 1.0)),
            F::Acosh | F::Sqrt | F::Softplus => (None, Some(1), (0.0, ALL)),
            F::Erfc => (None, Some(-1), (0.0, 2.0)),
            F::Rsqrt => (None, Some(-1), (-ALL, ALL)),
            F::Sigmoid => (None, Some(1), (0.0, 1.0)),
            F::LogSigmoid => (None, Some(1), (-ALL, 0.0)),
            F::Tanhshrink => (Some(-1), Some(1), (-ALL, ALL)),
            F::Exprel => (None, Some(1), (0.0, ALL)),
            // The lowest value is -0.21723..., the largest value of entr is 1 / e.
            F::Sinc => (Some(1), None, (-0.2174, 1.0)),
            F::Erfinv => (Some(-1), Some(1), (-ALL, ALL)),
            F::Erfcinv => (None, Some(-1), (-ALL, ALL)),
            F::Erfcx => (None, Some(-1), (0.0, ALL)),
            F::Ndtr => (None, Some(1), (0.0, 1.0)),
            F::Ndtri => (None, Some(1), (-ALL, ALL)),
            F::LogNdtr => (None, Some(1), (-ALL, 0.0)),
            F::I0 => (Some(1), None, (1.0, ALL)),
            F::I0e => (Some(1), None, (0.0, 1.0)),
            F::I1 => (Some(-1), Some(1), (-ALL, ALL)),
            // The largest value is 0.21907..., with a margin as for asin.
            F::I1e => (Some(-1), None, (-0.22, 0.22)),
            F::Entr => (None, None, (-ALL, 0.369)),
            // The limit at -infinity is -s * a = -1.75809...; see docs/semantics.md.
            F::Selu => (None, Some(1), (-1.7581, ALL)),
            _ => (None, None, (-ALL, ALL)),
        };
        Properties { parity, slope, range }
    }
}

/// The inputs at which a kernel violates the properties of its function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct PropertyViolations {
    /// The number of inputs at which the parity does not hold.
    pub(crate) parity: u64,
    /// The number of inputs whose next larger neighbour has a result that breaks monotonicity.
    pub(crate) order: u64,
    /// The number of results outside the interval.
    pub(crate) range: u64,
    /// The violating input with the smallest bit pattern, compared as an unsigned integer, so that it does not depend on
    /// threads.
    pub(crate) first: Option<u64>,
}

impl PropertyViolations {
    fn merge(&mut self, other: PropertyViolations) {
        self.parity += other.parity;
        self.order += other.order;
        self.range += other.range;
        self.first = self.first.into_iter().chain(other.first).min();
    }
}

/// Checks the properties of the job's first kernel. Functions of two operands have none.
pub(crate) fn check(job: &Job, inputs: &Inputs, threads: usize) -> PropertyViolations {
    let properties = Properties::of(job.function);
    if job.function.arity() != 1 || job.kernels.is_empty() {
        return PropertyViolations::default();
    }
    let next = AtomicU64::new(0);
    let total = Mutex::new(PropertyViolations::default());
    let work = || {
        let mut found = PropertyViolations::default();
        let mut buffers = Buffers::default();
        loop {
            let first = next.fetch_add(BLOCK as u64, Ordering::Relaxed);
            if first >= inputs.len() {
                break;
            }
            let last = (first + BLOCK as u64).min(inputs.len());
            inputs.fill(first..last, &mut buffers.points);
            found.merge(buffers.block(job, properties));
        }
        if let Ok(mut total) = total.lock() {
            total.merge(found);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If a thread cannot start, the other threads process its blocks.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    total.into_inner().unwrap_or_default()
}

/// One thread's buffers.
#[derive(Default)]
struct Buffers {
    points: Vec<Point>,
    operand: Vec<u8>,
    bytes: Vec<u8>,
    /// The results for the points, and for their mirrored points or neighbours.
    results: [Vec<f64>; 2],
}

impl Buffers {
    /// The violations of the job's first kernel at the points.
    fn block(&mut self, job: &Job, properties: Properties) -> PropertyViolations {
        let format = job.format();
        let mut violations = PropertyViolations::default();
        self.run(job, 0, |x| x);
        let (low, high) = properties.range;
        violations.range = count(&self.results[0], &self.results[0], |y, _| y < low || y > high);
        self.first_of(violations.range, &mut violations.first, 0, |y, _| y < low || y > high);
        if let Some(parity) = properties.parity {
            self.run(job, 1, |x| x ^ format.sign_bit());
            let sign = f64::from(parity);
            let bad = |y: f64, other: f64| y.to_bits() != (other * sign).to_bits();
            violations.parity = count(&self.results[0], &self.results[1], bad);
            self.first_of(violations.parity, &mut violations.first, 1, bad);
        }
        // Errors of several ULP show between neighbours.
        if let Some(slope) = properties.slope.filter(|_| job.bound().is_none_or(|bound| bound <= 1.0)) {
            self.run(job, 1, |x| above(format, x));
            let sign = f64::from(slope);
            let bad = |y: f64, next: f64| next * sign < y * sign;
            violations.order = count(&self.results[0], &self.results[1], bad);
            self.first_of(violations.order, &mut violations.first, 1, bad);
        }
        violations
    }

    /// Runs the kernel over the points after applying `change` to their bits. Stores the results in `results[into]`.
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

    /// Lowers `first` to the smallest bit pattern among the points whose results are bad. `count` is the number of these
    /// points; 0 skips the search.
    fn first_of(&self, count: u64, first: &mut Option<u64>, other: usize, bad: impl Fn(f64, f64) -> bool) {
        if count > 0 {
            let results = self.results[0].iter().zip(&self.results[other]);
            let points = results.zip(&self.points).filter(|((y, other), _)| is_bad(**y, **other, &bad));
            *first = points.map(|(_, &[x, _])| x).chain(*first).min();
        }
    }
}

/// The number of bad pairs of results. A pair with a NaN is never bad.
fn count(results: &[f64], others: &[f64], bad: impl Fn(f64, f64) -> bool) -> u64 {
    results.iter().zip(others).map(|(&y, &other)| u64::from(is_bad(y, other, &bad))).sum()
}

fn is_bad(y: f64, other: f64, bad: &impl Fn(f64, f64) -> bool) -> bool {
    !y.is_nan() & !other.is_nan() & bad(y, other)
}

/// Writes the points to the operand.
fn write<const SIZE: usize>(operand: &mut [u8], points: &[Point], bytes: impl Fn(u64) -> [u8; SIZE]) {
    operand.as_chunks_mut().0.iter_mut().zip(points).for_each(|(element, &[x, _])| *element = bytes(x));
}

/// Reads results as `f64` values.
fn read<const SIZE: usize>(values: &mut Vec<f64>, bytes: &[u8], value: impl Fn([u8; SIZE]) -> f64) {
    values.clear();
    values.extend(bytes.as_chunks().0.iter().map(|&element| value(element)));
}

/// The bits of the next larger number. NaNs, +infinity and -0 are unchanged; -0 because it equals +0.
fn above(format: Format, x: u64) -> u64 {
    match x {
        _ if x & !format.sign_bit() > format.infinity() || x == format.infinity() || x == format.sign_bit() => x,
        _ if x & format.sign_bit() != 0 => x - 1,
        _ => x + 1,
    }
}
