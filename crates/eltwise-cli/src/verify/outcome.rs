//! What a comparison over all inputs found: [`Outcome`] counts the results beyond their bound and keeps the largest error.

use super::function_properties::PropertyViolations;
use super::job::Point;

/// The largest number of failures kept.
const MAX_FAILURES: usize = 4;

/// The largest error of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LargestError {
    /// The error in ULP.
    pub(crate) ulp: f64,
    /// The position of the input among the job's inputs.
    pub(crate) index: u64,
    /// The bits of the operands.
    pub(crate) point: Point,
    /// The bits of the result.
    pub(crate) got: u64,
}

impl LargestError {
    /// Whether this error is larger, or equally large at an earlier input. The order makes the outcome independent of threads.
    pub(crate) fn is_worse_than(&self, other: &LargestError) -> bool {
        self.ulp > other.ulp || (self.ulp == other.ulp && self.index < other.index)
    }
}

/// A result that fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    /// The position of the input among the job's inputs.
    pub(crate) index: u64,
    /// The ISA of the kernel.
    pub(crate) isa: &'static str,
    /// The bits of the operands.
    pub(crate) point: Point,
    /// The bits of the result.
    pub(crate) got: u64,
    /// The bits of the correctly rounded result.
    pub(crate) expected: u64,
    /// The error in ULP.
    pub(crate) ulp: f64,
    /// Whether the result differs from the first kernel's.
    pub(crate) differs: bool,
}

/// The outcome of a comparison.
#[derive(Clone, Default, Debug)]
pub(crate) struct Outcome {
    /// The number of inputs tried.
    pub(crate) inputs: u64,
    /// Whether every input was tried.
    pub(crate) complete: bool,
    /// The number of results that are not correctly rounded.
    pub(crate) misrounded: u64,
    /// The number of results beyond the bound of the tier.
    pub(crate) wrong: u64,
    /// The number of results that differ between ISAs.
    pub(crate) differences: u64,
    /// The largest error; `None` if every result is correctly rounded.
    pub(crate) worst: Option<LargestError>,
    /// The first failures, by input.
    pub(crate) first: Vec<Failure>,
    /// The violations of function properties.
    pub(crate) violations: PropertyViolations,
}

impl Outcome {
    /// Whether every input was tried, and every result is within the bound and the same on every ISA.
    /// [`JobResult::passes`](super::job_result::JobResult::passes) also requires the function properties to hold.
    pub(crate) fn passes(&self) -> bool {
        self.complete && self.wrong == 0 && self.differences == 0
    }

    /// The largest error in ULP; 0.5 if every result is correctly rounded.
    pub(crate) fn largest(&self) -> f64 {
        self.worst.map_or(0.5, |w| w.ulp)
    }

    /// Keeps a failure if it is one of the first.
    pub(crate) fn add_failure(&mut self, failure: Failure) {
        let at = self.first.partition_point(|f| f.index <= failure.index);
        if at < MAX_FAILURES {
            self.first.insert(at, failure);
            self.first.truncate(MAX_FAILURES);
        }
    }

    /// Adds the outcome of one more thread. Does not change `complete` and `violations`, which are set once per job.
    pub(crate) fn merge(&mut self, other: Outcome) {
        self.inputs += other.inputs;
        self.misrounded += other.misrounded;
        self.wrong += other.wrong;
        self.differences += other.differences;
        if let Some(worst) = other.worst
            && self.worst.is_none_or(|w| worst.is_worse_than(&w))
        {
            self.worst = Some(worst);
        }
        other.first.into_iter().for_each(|f| self.add_failure(f));
    }
}
