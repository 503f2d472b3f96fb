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
    /// What [`engine::bits`](super::engine::bits) says of its kernels.
    pub(crate) bits: u64,
    pub(crate) outcome: Outcome,
    /// The name of a level, and ns an element; empty when nothing was timed.
    pub(crate) times: Vec<(&'static str, f64)>,
}

impl Verified {
    pub(crate) fn new(job: &Job, bits: u64, outcome: Outcome) -> Verified {
        let isas = job.kernels.iter().map(|k| k.isa).collect();
        Verified { function: job.function, dtype: job.dtype, tier: job.tier, isas, bits, outcome, times: Vec::new() }
    }

    /// Whether this is what a job over so many inputs would find, so that it need not run.
    pub(crate) fn answers(&self, job: &Job, bits: u64, inputs: u64) -> bool {
        self.is_of(job, bits)
            && self.isas.iter().copied().eq(job.kernels.iter().map(|k| k.isa))
            && self.outcome.inputs == inputs
    }

    /// Whether this is of the job's kernels as they are, and has tried more inputs, on two levels at least where the job has as many.
    pub(crate) fn says_more(&self, job: &Job, bits: u64, inputs: u64) -> bool {
        self.is_of(job, bits) && self.isas.len() >= job.kernels.len().min(2) && self.outcome.inputs > inputs
    }

    fn is_of(&self, job: &Job, bits: u64) -> bool {
        (self.function, self.dtype, self.tier) == (job.function, job.dtype, job.tier)
            && self.bits == bits
            && self.outcome.complete
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
