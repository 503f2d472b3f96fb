//! The result of a job; see [`JobResult`].

use eltwise::{Accuracy, DType};
use eltwise_oracle::{Format, Function};

use super::job::{Job, format_of};
use super::outcome::Outcome;

/// The result of a job: a row of the tables, an object of the JSON.
#[derive(Clone, Debug)]
pub(crate) struct JobResult {
    pub(crate) function: Function,
    pub(crate) dtype: DType,
    pub(crate) tier: Accuracy,
    /// The names of the ISAs that were compared.
    pub(crate) isas: Vec<&'static str>,
    /// The [hash](super::compare::result_hash) of the results of the kernels.
    pub(crate) bits: u64,
    pub(crate) outcome: Outcome,
    /// Nanoseconds per element by ISA; empty if nothing was timed.
    pub(crate) times: Vec<(&'static str, f64)>,
}

impl JobResult {
    pub(crate) fn new(job: &Job, bits: u64, outcome: Outcome) -> JobResult {
        let isas = job.kernels.iter().map(|k| k.isa).collect();
        JobResult { function: job.function, dtype: job.dtype, tier: job.tier, isas, bits, outcome, times: Vec::new() }
    }

    /// Whether a run of `job` over `inputs` inputs would give this result, so that it need not run.
    pub(crate) fn answers(&self, job: &Job, bits: u64, inputs: u64) -> bool {
        self.is_of(job, bits)
            && self.isas.iter().copied().eq(job.kernels.iter().map(|k| k.isa))
            && self.outcome.inputs == inputs
    }

    /// Whether this is a result of the same kernels over more inputs, on at least two ISAs if the job has several.
    pub(crate) fn covers_more(&self, job: &Job, bits: u64, inputs: u64) -> bool {
        self.is_of(job, bits) && self.isas.len() >= job.kernels.len().min(2) && self.outcome.inputs > inputs
    }

    fn is_of(&self, job: &Job, bits: u64) -> bool {
        (self.function, self.dtype, self.tier) == (job.function, job.dtype, job.tier)
            && self.bits == bits
            && self.outcome.complete
    }

    /// Whether the outcome passes and the properties of the function hold. Monotonicity is reported but not required for
    /// `f64`: neighbouring results are often so close that only correct rounding would keep their order.
    pub(crate) fn passes(&self) -> bool {
        let violations = self.outcome.violations;
        let is_monotonic = violations.order == 0 || self.dtype == DType::F64;
        self.outcome.passes() && violations.parity == 0 && violations.range == 0 && is_monotonic
    }

    pub(crate) fn format(&self) -> Format {
        format_of(self.dtype)
    }
}
