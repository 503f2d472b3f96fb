//! Timing of operations in turn: [`compare`] for two, [`best`] for several.

use std::time::{Duration, Instant};

use eltwise::Error;

use crate::clock;
use crate::memory::Memory;
use crate::operation::{Operation, Ready};

/// The shortest sample in seconds. Reading the clock takes 0.2 us.
const MIN_SAMPLE: f64 = 40e-6;
/// Seconds of samples per operation and round.
const TURN: f64 = 1e-3;
/// The smallest number of rounds.
const MIN_ROUNDS: usize = 3;

/// Times of two operations in the quietest rounds.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Seconds per run of the pattern.
    pub pattern: f64,
    /// Seconds per run of the baseline.
    pub base: f64,
    /// The median of the ratios of the pattern's time to the baseline's.
    pub factor: f64,
    /// Number of all rounds.
    pub rounds: usize,
}

impl Times {
    /// The times relative to `scale` times the baseline.
    pub fn scaled(self, scale: f64) -> Times {
        Times { base: self.base * scale, factor: self.factor / scale, ..self }
    }
}

/// Times two operations over the same memory in turn, for about `seconds`. Two untimed runs before the samples of an
/// operation bring the caches into the state that its own runs leave.
///
/// # Errors
/// Errors of a run.
pub fn compare(pattern: &Operation, base: &Operation, memory: &mut Memory, seconds: f64) -> Result<Times, Error> {
    let rounds = rounds(&[pattern, base], memory, seconds)?;
    Ok(medians_of_quiet_rounds(rounds.into_iter().map(|round| [round[0], round[1]]).collect()))
}

/// Seconds per run of operations over the same memory in their fastest rounds. They are timed in turn, as by [`compare`], for
/// about `seconds`.
///
/// # Errors
/// Errors of a run.
pub fn best(operations: &[&Operation], memory: &mut Memory, seconds: f64) -> Result<Vec<f64>, Error> {
    let mut best = vec![f64::INFINITY; operations.len()];
    for round in rounds(operations, memory, seconds)? {
        for (best, time) in best.iter_mut().zip(round) {
            *best = best.min(time);
        }
    }
    Ok(best)
}

/// Seconds per call of `f`: the fastest of `samples` samples after two untimed calls.
///
/// # Errors
/// Errors of `f`.
pub fn best_call(samples: usize, mut f: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    f()?;
    let calls = calls_of_a_sample(time(&mut f, 1)?);
    let mut best = f64::INFINITY;
    for _ in 0..samples {
        best = best.min(time(&mut f, calls)?);
    }
    Ok(best)
}

/// Seconds per run of each operation in each round.
fn rounds(operations: &[&Operation], memory: &mut Memory, seconds: f64) -> Result<Vec<Vec<f64>>, Error> {
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut rounds: Vec<Vec<f64>> = vec![];
    while rounds.len() < MIN_ROUNDS || Instant::now() < end {
        let mut round = vec![f64::INFINITY; operations.len()];
        // Each round starts with the next operation.
        for turn in 0..operations.len() {
            let which = (turn + rounds.len()) % operations.len();
            round[which] = samples(&mut operations[which].ready(memory)?)?;
        }
        rounds.push(round);
    }
    Ok(rounds)
}

/// Medians over the quarter of the rounds with the smallest product of both times, at least three rounds. The separate
/// minima of the two operations may come from different rounds, with another clock frequency or load.
fn medians_of_quiet_rounds(mut rounds: Vec<[f64; 2]>) -> Times {
    let count = rounds.len();
    rounds.sort_by(|a, b| (a[0] * a[1]).total_cmp(&(b[0] * b[1])));
    rounds.truncate(count.div_ceil(4).max(MIN_ROUNDS));
    let median_of = |f: fn(&[f64; 2]) -> f64| median(rounds.iter().map(f).collect());
    Times { pattern: median_of(|r| r[0]), base: median_of(|r| r[1]), factor: median_of(|r| r[0] / r[1]), rounds: count }
}

/// The median; NaN if there are no values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The median of samples in seconds per run, after two untimed runs.
fn samples(ready: &mut Ready<'_>) -> Result<f64, Error> {
    ready.run()?;
    let mut run = || ready.run();
    let once = time(&mut run, 1)?;
    let calls = calls_of_a_sample(once);
    let count = (TURN / (once * calls as f64)).clamp(3.0, 21.0) as usize;
    let samples = (0..count).map(|_| time(&mut run, calls)).collect::<Result<_, _>>()?;
    // Not the minimum: a virtual machine corrects its thread clock for stolen time, which also makes some samples too
    // short.
    Ok(median(samples))
}

/// How many calls are at least [`MIN_SAMPLE`], if one takes `once` seconds.
fn calls_of_a_sample(once: f64) -> usize {
    (MIN_SAMPLE / once).clamp(1.0, 1e6) as usize
}

/// Seconds per call, over `calls` calls.
fn time(f: &mut impl FnMut() -> Result<(), Error>, calls: usize) -> Result<f64, Error> {
    let start = clock::seconds();
    for _ in 0..calls {
        f()?;
    }
    // At least the clock's resolution.
    Ok((clock::seconds() - start).max(1e-9) / calls as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_rounds_decide() {
        // One round with a very fast baseline, rounds with a disturbance of either, and three quiet rounds with a ratio
        // of 2.
        let mut rounds = vec![[2.0, 1.0], [2.02, 1.01], [2.0, 1.0], [2.0, 0.5]];
        rounds.extend((0..8).map(|i| if i % 2 == 0 { [9.0, 1.0] } else { [2.0, 5.0] }));
        let times = medians_of_quiet_rounds(rounds);
        assert_eq!((times.pattern, times.base, times.factor, times.rounds), (2.0, 1.0, 2.0, 12));
        assert_eq!(medians_of_quiet_rounds(vec![[3.0, 1.0], [2.0, 1.0], [4.0, 1.0]]).factor, 3.0);
    }

    #[test]
    fn scaling_slows_the_base() {
        let times = Times { pattern: 3.0, base: 1.0, factor: 3.0, rounds: 3 }.scaled(1.5);
        assert_eq!((times.pattern, times.base, times.factor), (3.0, 1.5, 2.0));
    }
}
