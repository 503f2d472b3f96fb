//! Shared by the criterion benches: settings, and a [`Group`] that verifies and times a case and its peers.
#![allow(dead_code, reason = "each bench uses only some of the functions")]

#[cfg(feature = "peers")]
mod peers;

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use eltwise::{DType, Error};
use eltwise_benches::level::elements;
use eltwise_benches::{Case, Level, Operand};

/// The largest number of bytes of operands with `--test`, which runs each case once.
const MAX_TEST_BYTES: usize = 1 << 20;

/// About one second per case. Options of the command line override these.
pub(crate) fn settings() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .sample_size(30)
}

/// The value of a result, or a panic with the error and the case.
pub(crate) fn require<T>(what: &str, result: Result<T, Error>) -> T {
    result.unwrap_or_else(|e| panic!("{what}: {e}"))
}

/// Whether each case runs once without timing.
pub(crate) fn is_test() -> bool {
    std::env::args().any(|arg| arg == "--test")
}

/// A criterion group whose cases are named `eltwise ISA/PARAMETER`.
pub(crate) struct Group<'a>(BenchmarkGroup<'a, WallTime>);

impl<'a> Group<'a> {
    /// A group with this name.
    pub(crate) fn new(c: &'a mut Criterion, name: &str) -> Group<'a> {
        Group(c.benchmark_group(name))
    }

    /// Times an expression over contiguous operands of one shape, at each of these levels that the machine has.
    pub(crate) fn levels(&mut self, expression: &str, dtypes: &[DType], levels: &[Level]) {
        self.levels_over(expression, dtypes, levels, |operand| operand);
    }

    /// As [`Group::levels`], with operands modified by `change`.
    pub(crate) fn levels_over(
        &mut self,
        expression: &str,
        dtypes: &[DType],
        levels: &[Level],
        change: impl Fn(Operand) -> Operand,
    ) {
        for &level in levels {
            let Some(bytes) = level.bytes() else { continue };
            let bytes = if is_test() { bytes.min(MAX_TEST_BYTES) } else { bytes };
            let count = require(expression, elements(expression, dtypes, bytes));
            let operands = dtypes.iter().map(|&dtype| Operand::dense(dtype, &[count]).map(&change));
            self.case(level.name(), expression, require(expression, operands.collect()));
        }
    }

    /// Verifies and times an expression over operands, and each peer that supports it.
    pub(crate) fn case(&mut self, parameter: &str, expression: &str, operands: Vec<Operand>) {
        let what = format!("{parameter}: {expression}");
        let mut case = require(&what, Case::new(expression, operands));
        let id = BenchmarkId::new(format!("eltwise {}", case.isa()), parameter);
        self.0.throughput(Throughput::ElementsAndBytes { elements: case.elements(), bytes: case.bytes() });
        let mut ready = require(&what, case.checked());
        self.0.bench_function(id, |b| b.iter(|| ready.run()));
        #[cfg(feature = "peers")]
        {
            drop(ready);
            peers::measure(&mut self.0, parameter, &case);
        }
    }

    /// Times a call without a throughput.
    pub(crate) fn call<T>(&mut self, name: &str, mut call: impl FnMut() -> T) {
        self.0.bench_function(name, |b| b.iter(&mut call));
    }
}
