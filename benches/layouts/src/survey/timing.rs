//! Times of cases: [`repeated`] for repeated calls, [`first_calls`] for the first call of each case.

use std::time::{Duration, Instant};

use eltwise::{DType, Error, Isa, Plan};

use super::case::Case;
use super::subject::Subject;
use crate::clock;
use crate::measure::{best, best_call, median};
use crate::memory::Memory;

/// Elements of a timed result that are compared with the reference.
const SAMPLES: usize = 20_000;
/// Samples of binding.
const BIND_SAMPLES: usize = 25;
/// The smallest number of first calls of each case.
const MIN_PASSES: usize = 5;

/// Seconds of a case. Those of the contiguous operation are multiplied by [`Subject::scale`].
#[derive(Clone, Copy, Debug)]
pub struct CaseTimes {
    /// A run of a plan.
    pub run: f64,
    /// Binding and a run.
    pub call: f64,
    /// Binding.
    pub bind: f64,
    /// A run of the contiguous operation's plan.
    pub base_run: f64,
    /// Binding and a run of the contiguous operation.
    pub base_call: f64,
}

/// The results of a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The number of the case.
    pub index: usize,
    /// The dtype.
    pub dtype: DType,
    /// Expression, shapes and strides.
    pub title: String,
    /// The techniques of the plan, joined.
    pub techniques: String,
    /// The strategy as the plan's text says it.
    pub strategy: String,
    /// The times.
    pub times: CaseTimes,
}

impl Outcome {
    /// The results of a case with these times.
    pub fn new(case: &Case, plan: &Plan, times: CaseTimes) -> Outcome {
        let techniques: Vec<String> = plan.techniques().iter().map(|t| format!("{t:?}")).collect();
        let text = plan.explain(1).to_string();
        let strategy = text.lines().find_map(|line| line.trim_start().strip_prefix("strategy"));
        Outcome {
            index: case.index,
            dtype: case.dtype,
            title: case.to_string(),
            techniques: techniques.join(" + "),
            strategy: strategy.unwrap_or_default().trim().to_string(),
            times,
        }
    }

    /// The run's time over that of the contiguous operation.
    pub fn run_factor(&self) -> f64 {
        self.times.run / self.times.base_run
    }

    /// The time of binding and running over that of binding and running the contiguous operation.
    pub fn call_factor(&self) -> f64 {
        self.times.call / self.times.base_call
    }
}

/// Memory for all cases, and the most bytes that one needs.
///
/// # Errors
/// Errors of binding.
pub fn memory(cases: &[Case], isa: Isa) -> Result<Memory, Error> {
    let mut bytes = 0;
    for case in cases {
        bytes = bytes.max(Subject::new(case, isa)?.bytes());
    }
    Memory::new(bytes)
}

/// Compares every element of a case's results with the reference.
///
/// # Errors
/// As [`Subject::check`].
pub fn check(case: &Case, isa: Isa, memory: &mut Memory) -> Result<(), Error> {
    let subject = Subject::new(case, isa)?;
    subject.arrange(memory)?;
    subject.check(memory, usize::MAX)
}

/// Verifies a case and times repeated calls for about `seconds`, the best of many.
///
/// # Errors
/// As [`Subject::check`].
pub fn repeated(case: &Case, isa: Isa, memory: &mut Memory, seconds: f64) -> Result<Outcome, Error> {
    let subject = Subject::new(case, isa)?;
    subject.arrange(memory)?;
    subject.check(memory, SAMPLES)?;
    let operations = [&subject.case, &subject.case_call, &subject.base, &subject.base_call];
    let times = best(&operations, memory, seconds)?;
    let [run, call, base_run, base_call] = core::array::from_fn(|i| times[i]);
    let ready = subject.case.ready(memory)?;
    let bind = best_call(BIND_SAMPLES, || ready.bind().map(drop))?;
    let (base_run, base_call) = (base_run * subject.scale, base_call * subject.scale);
    Ok(Outcome::new(case, subject.plan(), CaseTimes { run, call, bind, base_run, base_call }))
}

/// Verifies all cases, then times the first call of each case, all cases in turn, for about `seconds` per case. The times are
/// medians over these passes. The operands are filled before each call.
///
/// # Errors
/// As [`Subject::check`].
pub fn first_calls(cases: &[Case], isa: Isa, memory: &mut Memory, seconds: f64) -> Result<Vec<Outcome>, Error> {
    let subjects = cases.iter().map(|case| Subject::new(case, isa)).collect::<Result<Vec<_>, _>>()?;
    for subject in &subjects {
        subject.arrange(memory)?;
        subject.check(memory, SAMPLES)?;
    }
    // For each case, bind and run times of the case and of its contiguous operation in each pass.
    let mut times: Vec<[Vec<f64>; 4]> = vec![Default::default(); cases.len()];
    let end = Instant::now() + Duration::from_secs_f64(seconds * cases.len() as f64);
    let mut passes = 0;
    while passes < MIN_PASSES || Instant::now() < end {
        for (subject, [bind, run, base_bind, base_run]) in subjects.iter().zip(&mut times) {
            for (operation, bind, run) in [(&subject.case, bind, run), (&subject.base, base_bind, base_run)] {
                subject.arrange(memory)?;
                let mut ready = operation.ready(memory)?;
                let start = clock::seconds();
                let plan = ready.bind()?;
                let bound = clock::seconds();
                ready.run_plan(&plan)?;
                run.push(clock::seconds() - bound);
                bind.push(bound - start);
            }
        }
        passes += 1;
    }
    let outcome = |((case, subject), times): ((&Case, &Subject), [Vec<f64>; 4])| {
        let [bind, run, base_bind, base_run] = times.map(median);
        let (base_call, base_run) = ((base_bind + base_run) * subject.scale, base_run * subject.scale);
        Outcome::new(case, subject.plan(), CaseTimes { run, call: bind + run, bind, base_run, base_call })
    };
    Ok(cases.iter().zip(&subjects).zip(times).map(outcome).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::case::{Mode, Selection};

    #[test]
    fn repeated_and_first_calls_have_all_results() {
        let selection = Selection { seed: 1, elements: 5000, dtypes: vec![DType::F32], mode: Mode::Program };
        let cases: Vec<Case> = (0..3).map(|i| selection.case(i).unwrap()).collect();
        let isa = Isa::current();
        let memory = &mut memory(&cases, isa).unwrap();
        let mut outcomes = first_calls(&cases, isa, memory, 0.0).unwrap();
        outcomes.extend(cases.iter().map(|case| repeated(case, isa, memory, 0.0).unwrap()));
        assert_eq!(outcomes.iter().map(|o| o.index).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
        // First calls are the sum of their parts. The parts of repeated calls are measured one after another, so that a busy machine
        // can make binding appear slower than the whole call.
        for outcome in &outcomes[..cases.len()] {
            let CaseTimes { run, call, bind, .. } = outcome.times;
            assert_eq!(call, bind + run, "{outcome:?}");
        }
        for outcome in &outcomes {
            let CaseTimes { run, call, bind, .. } = outcome.times;
            assert!(bind > 0.0 && run > 0.0 && call > 0.0, "{outcome:?}");
            assert!(outcome.run_factor() > 0.0 && outcome.call_factor() > 0.0);
            assert!(outcome.strategy.ends_with("1 task"), "{outcome:?}");
            assert!(!outcome.techniques.is_empty());
        }
    }
}
