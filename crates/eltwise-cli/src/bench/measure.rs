//! Timing of cases. [`CaseTimer::measure`] runs every case once in each round, in a different order and at different addresses
//! each time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use eltwise::{Executor, Isa, Layout, Rayon, Serial, View, ViewMut};

use crate::error::{CliError, Result};

use super::arena::Arena;
use super::case::{Action, PlannedCase};
use super::check;
use super::operand_values;
use super::stats::Summary;

/// How long cases are measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) rounds: usize,
    /// The time for the samples of a case in each round.
    pub(crate) budget: Duration,
    /// The shortest sample. Reading the clock takes some tens of nanoseconds.
    pub(crate) min_sample: Duration,
}

impl Effort {
    /// About a minute and a half for all cases on two cores.
    pub(crate) const FULL: Effort =
        Effort { rounds: 25, budget: Duration::from_millis(12), min_sample: Duration::from_micros(40) };
    /// A few seconds.
    pub(crate) const QUICK: Effort =
        Effort { rounds: 5, budget: Duration::from_micros(600), min_sample: Duration::from_micros(20) };
}

/// The smallest number of samples of a case in a round.
const MIN_SAMPLES: usize = 3;

/// Runs and times cases.
pub(crate) struct CaseTimer {
    pub(crate) isa: Isa,
    pub(crate) arena: Arena,
    /// The threads of [`Action::RunOnAll`].
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) effort: Effort,
}

impl CaseTimer {
    /// Times each case over all rounds. Calls `progress` after each round.
    ///
    /// # Errors
    /// A wrong result, and errors of a run.
    pub(crate) fn measure(&mut self, cases: &[&PlannedCase], progress: &dyn Fn()) -> Result<Vec<Summary>> {
        let mut times = vec![Vec::with_capacity(self.effort.rounds); cases.len()];
        for round in 0..self.effort.rounds {
            for which in case_order(cases.len(), round) {
                times[which].push(self.round(cases[which], round == 0)?);
            }
            progress();
        }
        Ok(times.into_iter().map(Summary::of).collect())
    }

    /// The time of a case in one round, in nanoseconds per run: the shortest sample. Checks the result first if `check`.
    fn round(&mut self, planned: &PlannedCase, check: bool) -> Result<f64> {
        let (case, isa, effort) = (&planned.case, self.isa, self.effort);
        match case.action {
            Action::Bind => {
                return shortest_sample(effort, || case.plan(&planned.program, isa).map(|plan| drop(black_box(plan))));
            }
            Action::Parse => {
                return shortest_sample(effort, || case.plan(&case.program()?, isa).map(|plan| drop(black_box(plan))));
            }
            Action::Run | Action::RunOnAll => {}
        }
        let no_room = || CliError::Argument(format!("{}: no room for its operands", case.name));
        let mut memory = self.arena.place(&planned.sizes()?).ok_or_else(no_room)?;
        let (output, inputs) = memory.split_last_mut().ok_or_else(no_room)?;
        for (k, (bytes, layout)) in inputs.iter_mut().zip(&case.operands).enumerate() {
            operand_values::fill(bytes, layout.dtype(), 12345 + k as u32);
        }
        let inputs: Vec<&[u8]> = inputs.iter().map(|i| &**i).collect();
        let start = |layout: &Layout| layout.span().map(|(low, _)| low.unsigned_abs());
        let views = inputs.iter().zip(&case.operands).map(|(bytes, l)| View::from_bytes(bytes, l.clone(), start(l)?));
        let views: Vec<View<'_>> = views.collect::<std::result::Result<_, _>>()?;
        let layout = planned.output();
        let executor: &dyn Executor = if case.action == Action::RunOnAll { &Rayon } else { &Serial };
        if check {
            // Bytes that no result has, so that elements which the run does not write are found.
            output.fill(0xd5);
            let outputs = &mut [ViewMut::from_bytes(output, layout.clone(), start(layout)?)?];
            self.pool.install(|| planned.plan.run_with(executor, &views, outputs)?.check())?;
            check::check_result(planned, &inputs, output)?;
        }
        let mut outputs = [ViewMut::from_bytes(output, layout.clone(), start(layout)?)?];
        let run = || Ok(planned.plan.run_with(executor, &views, &mut outputs).map(drop)?);
        if case.action == Action::RunOnAll {
            self.pool.install(|| shortest_sample(effort, run))
        } else {
            shortest_sample(effort, run)
        }
    }
}

/// The indices of all cases in the order of a round: with a start and a step that depend on the round.
fn case_order(cases: usize, round: usize) -> impl Iterator<Item = usize> {
    // A prime step visits each case once unless it divides the number of cases.
    let steps = [101, 103, 107, 109, 113, 127, 131];
    let step =
        steps.iter().cycle().skip(round).take(steps.len()).find(|&s| !cases.is_multiple_of(*s)).copied().unwrap_or(1);
    (0..cases).map(move |k| (k * step + 17 * round) % cases)
}

/// The shortest of several samples, in nanoseconds per run, after a warm-up run.
fn shortest_sample(effort: Effort, mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut time = |runs: usize| -> Result<f64> {
        let start = Instant::now();
        for _ in 0..runs {
            run()?;
        }
        Ok(start.elapsed().as_nanos().max(1) as f64 / runs as f64)
    };
    time(1)?;
    let once = time(2)?;
    let runs = (effort.min_sample.as_nanos() as f64 / once).ceil().clamp(1.0, 1e7) as usize;
    let samples = (effort.budget.as_nanos() as f64 / (once * runs as f64)) as usize;
    let mut shortest = f64::INFINITY;
    for _ in 0..samples.max(MIN_SAMPLES) {
        shortest = shortest.min(time(runs)?);
    }
    Ok(shortest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_has_each_case_once() {
        for cases in [1, 2, 7, 80, 101, 101 * 103] {
            for round in [0, 1, 6, 20] {
                let mut seen: Vec<usize> = case_order(cases, round).collect();
                assert!(cases < 5 || seen != (0..cases).collect::<Vec<_>>() || round == 0);
                seen.sort_unstable();
                assert_eq!(seen, (0..cases).collect::<Vec<_>>(), "{cases} {round}");
            }
        }
    }

    #[test]
    fn the_shortest_sample_counts() {
        let effort = Effort { rounds: 1, budget: Duration::from_millis(20), min_sample: Duration::from_micros(500) };
        let mut calls = 0;
        let ns = shortest_sample(effort, || {
            calls += 1;
            std::thread::sleep(Duration::from_millis(if calls % 4 == 0 { 9 } else { 1 }));
            Ok(())
        });
        let ns = ns.unwrap();
        assert!((1e6..8e6).contains(&ns), "{ns}");
    }
}
