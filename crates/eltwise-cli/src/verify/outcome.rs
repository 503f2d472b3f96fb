//! The outcome of a comparison over all inputs; see [`Outcome`].

use super::function_properties::PropertyViolations;
use super::job::Point;

/// The largest number of failures kept.
const MAX_FAILURES: usize = 4;

/// The largest error of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LargestError {
    pub(crate) ulp: f64,
    pub(crate) index: u64,
    pub(crate) point: Point,
    pub(crate) got: u64,
}

impl LargestError {
    /// Whether this error is larger, or equally large at an earlier input. The order makes the outcome independent of threads.
    pub(crate) fn is_before(&self, other: &LargestError) -> bool {
        self.ulp > other.ulp || (self.ulp == other.ulp && self.index < other.index)
    }
}

/// A result that fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    pub(crate) index: u64,
    pub(crate) isa: &'static str,
    pub(crate) point: Point,
    pub(crate) got: u64,
    pub(crate) expected: u64,
    pub(crate) ulp: f64,
    /// Whether the first kernel has another result.
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

    /// Adds the outcome of another thread.
    pub(crate) fn merge(&mut self, other: Outcome) {
        self.inputs += other.inputs;
        self.misrounded += other.misrounded;
        self.wrong += other.wrong;
        self.differences += other.differences;
        if let Some(worst) = other.worst
            && self.worst.is_none_or(|w| worst.is_before(&w))
        {
            self.worst = Some(worst);
        }
        other.first.into_iter().for_each(|f| self.add_failure(f));
    }
}
