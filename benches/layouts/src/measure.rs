//! Times of two operations in turn.

use std::time::{Duration, Instant};

use eltwise::Error;

use crate::clock;
use crate::memory::Memory;
use crate::work::{Ready, Work};

/// The shortest sample: reading the clock costs a fifth of a microsecond.
const SAMPLE: f64 = 40e-6;
/// The samples that follow the untimed runs of a turn: as many as take this long.
const TURN: f64 = 1e-3;
/// The fewest rounds.
const ROUNDS: usize = 3;

/// Seconds of a run of each.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The shortest sample of the pattern.
    pub pattern: f64,
    /// The shortest sample of the contiguous operation.
    pub base: f64,
    /// The median over the rounds of the ratio of the shortest samples of a round.
    pub median: f64,
    /// The rounds.
    pub rounds: usize,
}

impl Times {
    /// The shortest time of the pattern over the shortest of the base.
    pub fn factor(&self) -> f64 {
        self.pattern / self.base
    }
}

/// Times two operations over the same memory in turn, for about `seconds`. Before its samples each runs twice without a
/// clock, so that the caches are as after many runs of its own.
///
/// # Errors
/// Those of a run.
pub fn compare(pattern: &Work, base: &Work, memory: &mut Memory, seconds: f64) -> Result<Times, Error> {
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut shortest = [f64::INFINITY; 2];
    let mut ratios = vec![];
    while ratios.len() < ROUNDS || Instant::now() < end {
        let mut round = [f64::INFINITY; 2];
        // Every other round begins with the second.
        for turn in 0..2 {
            let which = (turn + ratios.len()) % 2;
            round[which] = samples(&mut [pattern, base][which].ready(memory)?)?;
            shortest[which] = shortest[which].min(round[which]);
        }
        ratios.push(round[0] / round[1]);
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    Ok(Times { pattern: shortest[0], base: shortest[1], median, rounds: ratios.len() })
}

/// The shortest of some samples, in seconds a run, after two runs that are not timed.
fn samples(ready: &mut Ready<'_>) -> Result<f64, Error> {
    ready.run()?;
    let once = time(ready, 1)?;
    let calls = (SAMPLE / once).clamp(1.0, 1e6) as usize;
    let count = (TURN / (once * calls as f64)).clamp(2.0, 20.0) as usize;
    let mut shortest = f64::INFINITY;
    for _ in 0..count {
        shortest = shortest.min(time(ready, calls)?);
    }
    Ok(shortest)
}

/// Seconds a run, over some runs.
fn time(ready: &mut Ready<'_>, calls: usize) -> Result<f64, Error> {
    let start = clock::seconds();
    for _ in 0..calls {
        ready.run()?;
    }
    // A run that is shorter than the clock's step takes the step.
    Ok((clock::seconds() - start).max(1e-9) / calls as f64)
}
