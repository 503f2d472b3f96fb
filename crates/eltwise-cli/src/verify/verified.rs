//! A function of a dtype and tier, verified.

use eltwise::{Accuracy, DType};
use eltwise_oracle::{Format, Function};

use super::job::{Job, format_of};
use super::outcome::Outcome;

/// A row of every table, and an object of the JSON.
#[derive(Clone, Debug)]
pub(crate) struct Verified {
    pub(crate) function: Function,
    pub(crate) dtype: DType,
    pub(crate) tier: Accuracy,
    /// The names of the levels that were compared.
    pub(crate) isas: Vec<&'static str>,
    pub(crate) outcome: Outcome,
    /// The name of a level, and ns an element; empty when nothing was timed.
    pub(crate) times: Vec<(&'static str, f64)>,
}

impl Verified {
    pub(crate) fn new(job: &Job, outcome: Outcome, times: Vec<(&'static str, f64)>) -> Verified {
        let isas = job.kernels.iter().map(|k| k.isa).collect();
        Verified { function: job.function, dtype: job.dtype, tier: job.tier, isas, outcome, times }
    }

    /// Whether this is what a job over so many inputs would find, so that it need not run.
    pub(crate) fn answers(&self, job: &Job, inputs: u64) -> bool {
        (self.function, self.dtype, self.tier) == (job.function, job.dtype, job.tier)
            && self.isas.iter().copied().eq(job.kernels.iter().map(|k| k.isa))
            && self.outcome.complete
            && self.outcome.inputs == inputs
    }

    /// Whether the outcome passes, and the results have the shape of the function. Order is not asked of `f64`, whose neighbours are often
    /// so close that only correct rounding would keep it; what was found is printed.
    pub(crate) fn passes(&self) -> bool {
        let breaks = self.outcome.breaks;
        let in_order = breaks.order == 0 || self.dtype == DType::F64;
        self.outcome.passes() && breaks.parity == 0 && breaks.range == 0 && in_order
    }

    pub(crate) fn format(&self) -> Format {
        format_of(self.dtype)
    }
}
