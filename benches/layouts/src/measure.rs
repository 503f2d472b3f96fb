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

/// Seconds of a run of each, in the quietest rounds.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Of the pattern.
    pub pattern: f64,
    /// Of the contiguous operation.
    pub base: f64,
    /// The median of the ratios of both.
    pub factor: f64,
    /// The rounds.
    pub rounds: usize,
}

impl Times {
    /// The same for a base of which `scale` times as much is meant.
    pub fn scaled(self, scale: f64) -> Times {
        Times { base: self.base * scale, factor: self.factor / scale, ..self }
    }
}

/// Times two operations over the same memory in turn, for about `seconds`. Before its samples each runs twice without a
/// clock, so that the caches are as after many runs of its own.
///
/// # Errors
/// Those of a run.
pub fn compare(pattern: &Work, base: &Work, memory: &mut Memory, seconds: f64) -> Result<Times, Error> {
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut rounds: Vec<[f64; 2]> = vec![];
    while rounds.len() < ROUNDS || Instant::now() < end {
        let mut round = [f64::INFINITY; 2];
        // Every other round begins with the second.
        for turn in 0..2 {
            let which = (turn + rounds.len()) % 2;
            round[which] = samples(&mut [pattern, base][which].ready(memory)?)?;
        }
        rounds.push(round);
    }
    Ok(quiet(rounds))
}

/// Medians over the quietest quarter of the rounds, and over three rounds at least: those in which both took least.
/// The shortest times of each alone may come from rounds of which one saw a faster clock, or a core to itself.
fn quiet(mut rounds: Vec<[f64; 2]>) -> Times {
    let count = rounds.len();
    rounds.sort_by(|a, b| (a[0] * a[1]).total_cmp(&(b[0] * b[1])));
    rounds.truncate(count.div_ceil(4).max(ROUNDS));
    let over = |f: fn(&[f64; 2]) -> f64| median(rounds.iter().map(f).collect());
    Times { pattern: over(|r| r[0]), base: over(|r| r[1]), factor: over(|r| r[0] / r[1]), rounds: count }
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The median of some samples, in seconds a run, after two runs that are not timed.
fn samples(ready: &mut Ready<'_>) -> Result<f64, Error> {
    ready.run()?;
    let once = time(ready, 1)?;
    let calls = (SAMPLE / once).clamp(1.0, 1e6) as usize;
    let count = (TURN / (once * calls as f64)).clamp(3.0, 21.0) as usize;
    let samples = (0..count).map(|_| time(ready, calls)).collect::<Result<_, _>>()?;
    // A virtual machine's clock of a thread makes up for time that it lent: single samples are too short as well.
    Ok(median(samples))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_rounds_decide() {
        // One lucky base, disturbed rounds of either, and three quiet ones with a ratio of 2.
        let mut rounds = vec![[2.0, 1.0], [2.02, 1.01], [2.0, 1.0], [2.0, 0.5]];
        rounds.extend((0..8).map(|i| if i % 2 == 0 { [9.0, 1.0] } else { [2.0, 5.0] }));
        let times = quiet(rounds);
        assert_eq!((times.pattern, times.base, times.factor, times.rounds), (2.0, 1.0, 2.0, 12));
        assert_eq!(quiet(vec![[3.0, 1.0], [2.0, 1.0], [4.0, 1.0]]).factor, 3.0);
    }

    #[test]
    fn scaling_slows_the_base() {
        let times = Times { pattern: 3.0, base: 1.0, factor: 3.0, rounds: 3 }.scaled(1.5);
        assert_eq!((times.pattern, times.base, times.factor), (3.0, 1.5, 2.0));
    }
}
