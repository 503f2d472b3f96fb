//! What a verification found.

use super::inputs::Point;
use super::shape::Breaks;

/// How many failures are kept.
const KEPT: usize = 4;

/// The largest error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst {
    pub(crate) ulp: f64,
    pub(crate) index: u64,
    pub(crate) point: Point,
    pub(crate) got: u64,
}

impl Worst {
    /// Larger, or as large at an earlier input: the same worst one, whatever thread finds it first.
    pub(crate) fn is_before(&self, other: &Worst) -> bool {
        self.ulp > other.ulp || (self.ulp == other.ulp && self.index < other.index)
    }
}

/// A result that does not pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    pub(crate) index: u64,
    pub(crate) isa: &'static str,
    pub(crate) point: Point,
    pub(crate) got: u64,
    pub(crate) expected: u64,
    pub(crate) ulp: f64,
    /// Whether another level has another result.
    pub(crate) differs: bool,
}

/// What a verification found.
#[derive(Clone, Default, Debug)]
pub(crate) struct Outcome {
    /// Inputs tried.
    pub(crate) inputs: u64,
    /// Whether every input was tried.
    pub(crate) complete: bool,
    /// Results that are not the correctly rounded ones.
    pub(crate) misrounded: u64,
    /// Results beyond the tier's bound.
    pub(crate) wrong: u64,
    /// Results that differ between levels.
    pub(crate) differences: u64,
    /// The largest error among results that are not correctly rounded.
    pub(crate) worst: Option<Worst>,
    /// The first failures.
    pub(crate) first: Vec<Failure>,
    /// Where the results have not the shape of the function.
    pub(crate) breaks: Breaks,
}

impl Outcome {
    /// Whether everything was tried, and every result is within the bound and the same on every level.
    pub(crate) fn passes(&self) -> bool {
        self.complete && self.wrong == 0 && self.differences == 0
    }

    /// The largest error in ULP: up to 0.5 when every result is correctly rounded.
    pub(crate) fn largest(&self) -> f64 {
        self.worst.map_or(0.5, |w| w.ulp)
    }

    /// Keeps a failure, if it is one of the first.
    pub(crate) fn failed(&mut self, failure: Failure) {
        let at = self.first.partition_point(|f| f.index <= failure.index);
        if at < KEPT {
            self.first.insert(at, failure);
            self.first.truncate(KEPT);
        }
    }

    /// Adds what another thread found.
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
        other.first.into_iter().for_each(|f| self.failed(f));
    }
}
