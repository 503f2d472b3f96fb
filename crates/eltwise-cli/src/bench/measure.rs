//! Times of cases: every case once in each round, in another order and at another place of the memory each time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use eltwise::{Executor, Isa, Layout, Rayon, Serial, View, ViewMut};

use crate::error::{CliError, Result};

use super::arena::Arena;
use super::case::{Bound, What};
use super::check;
use super::stats::Summary;
use super::values;

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Rounds.
    pub(crate) rounds: usize,
    /// Time for the samples of a case in a round.
    pub(crate) turn: Duration,
    /// The shortest sample: reading the clock costs some dozen nanoseconds.
    pub(crate) sample: Duration,
}

impl Effort {
    /// About a minute and a half for all cases on two cores.
    pub(crate) const FULL: Effort =
        Effort { rounds: 25, turn: Duration::from_millis(12), sample: Duration::from_micros(40) };
    /// Some seconds.
    pub(crate) const QUICK: Effort =
        Effort { rounds: 5, turn: Duration::from_micros(600), sample: Duration::from_micros(20) };
}

/// The fewest samples of a case in a round.
const FEWEST: usize = 3;

/// What it takes to run a case.
pub(crate) struct Bench {
    pub(crate) isa: Isa,
    pub(crate) arena: Arena,
    /// The threads of [`What::RunOnAll`].
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) effort: Effort,
}

impl Bench {
    /// Measures cases over all rounds; `progress` is called after each round.
    ///
    /// # Errors
    /// A result that is wrong, and those of a run.
    pub(crate) fn measure(&mut self, cases: &[&Bound], progress: &dyn Fn()) -> Result<Vec<Summary>> {
        let mut times = vec![Vec::with_capacity(self.effort.rounds); cases.len()];
        for round in 0..self.effort.rounds {
            for which in order(cases.len(), round) {
                times[which].push(self.round(cases[which], round == 0)?);
            }
            progress();
        }
        Ok(times.into_iter().map(Summary::of).collect())
    }

    /// Nanoseconds of one run in this round: the shortest sample.
    fn round(&mut self, bound: &Bound, check: bool) -> Result<f64> {
        let (case, isa, effort) = (&bound.case, self.isa, self.effort);
        match case.what {
            What::Bind => {
                return shortest(effort, || case.plan(&bound.program, isa).map(|plan| drop(black_box(plan))));
            }
            What::Parse => {
                return shortest(effort, || case.plan(&case.program()?, isa).map(|plan| drop(black_box(plan))));
            }
            What::Run | What::RunOnAll => {}
        }
        let no_room = || CliError::Argument(format!("{}: no room for its operands", case.name));
        let mut memory = self.arena.place(&bound.sizes()?).ok_or_else(no_room)?;
        let (output, inputs) = memory.split_last_mut().ok_or_else(no_room)?;
        for (k, (bytes, layout)) in inputs.iter_mut().zip(&case.operands).enumerate() {
            values::fill(bytes, layout.dtype(), 12345 + k as u32);
        }
        let inputs: Vec<&[u8]> = inputs.iter().map(|i| &**i).collect();
        let start = |layout: &Layout| layout.span().map(|(low, _)| low.unsigned_abs());
        let views = inputs.iter().zip(&case.operands).map(|(bytes, l)| View::from_bytes(bytes, l.clone(), start(l)?));
        let views: Vec<View<'_>> = views.collect::<std::result::Result<_, _>>()?;
        let layout = bound.output();
        let executor: &dyn Executor = if case.what == What::RunOnAll { &Rayon } else { &Serial };
        if check {
            // Bytes that no result has, so that elements which a run leaves out are found.
            output.fill(0xd5);
            let outputs = &mut [ViewMut::from_bytes(output, layout.clone(), start(layout)?)?];
            self.pool.install(|| bound.plan.run_with(executor, &views, outputs)?.check())?;
            check::result(bound, &inputs, output)?;
        }
        let mut outputs = [ViewMut::from_bytes(output, layout.clone(), start(layout)?)?];
        let run = || Ok(bound.plan.run_with(executor, &views, &mut outputs).map(drop)?);
        if case.what == What::RunOnAll { self.pool.install(|| shortest(effort, run)) } else { shortest(effort, run) }
    }
}

/// The cases in the order of a round: all of them, from another one on and in another step each time.
fn order(cases: usize, round: usize) -> impl Iterator<Item = usize> {
    // Steps that are primes larger than most numbers of cases meet each case once, unless they divide the number.
    let steps = [101, 103, 107, 109, 113, 127, 131];
    let step =
        steps.iter().cycle().skip(round).take(steps.len()).find(|&s| !cases.is_multiple_of(*s)).copied().unwrap_or(1);
    (0..cases).map(move |k| (k * step + 17 * round) % cases)
}

/// The shortest of some samples, in nanoseconds a run, after a run that is not timed.
fn shortest(effort: Effort, mut run: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut time = |runs: usize| -> Result<f64> {
        let start = Instant::now();
        for _ in 0..runs {
            run()?;
        }
        Ok(start.elapsed().as_nanos().max(1) as f64 / runs as f64)
    };
    time(1)?;
    let once = time(2)?;
    let runs = (effort.sample.as_nanos() as f64 / once).ceil().clamp(1.0, 1e7) as usize;
    let samples = (effort.turn.as_nanos() as f64 / (once * runs as f64)) as usize;
    let mut shortest = f64::INFINITY;
    for _ in 0..samples.max(FEWEST) {
        shortest = shortest.min(time(runs)?);
    }
    Ok(shortest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_every_case_once() {
        for cases in [1, 2, 7, 80, 101, 101 * 103] {
            for round in [0, 1, 6, 20] {
                let mut seen: Vec<usize> = order(cases, round).collect();
                assert!(cases < 5 || seen != (0..cases).collect::<Vec<_>>() || round == 0);
                seen.sort_unstable();
                assert_eq!(seen, (0..cases).collect::<Vec<_>>(), "{cases} {round}");
            }
        }
    }

    #[test]
    fn the_shortest_sample_counts() {
        let effort = Effort { rounds: 1, turn: Duration::from_millis(20), sample: Duration::from_micros(500) };
        let mut calls = 0;
        let ns = shortest(effort, || {
            calls += 1;
            std::thread::sleep(Duration::from_millis(if calls % 4 == 0 { 9 } else { 1 }));
            Ok(())
        });
        let ns = ns.unwrap();
        assert!((1e6..8e6).contains(&ns), "{ns}");
    }
}
