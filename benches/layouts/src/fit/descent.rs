//! [`fit`]: constants that predict samples best. [`Quality`]: how well they do.

use eltwise::CpuModel;

use super::constants::constants;
use super::sample::Sample;
use crate::survey::report::Distribution;

/// The factors by which a constant changes, from one round to the next.
const FACTORS: [f64; 4] = [1.5, 1.25, 1.1, 1.05];
/// Rounds with each factor, at most.
const ROUNDS: usize = 6;
/// An error in the natural logarithm of a time above which more counts in proportion, and no longer by its square.
const LARGE_ERROR: f64 = 0.4;
/// What the mean error of the ways of a case counts.
const MEAN_PART: f64 = 0.3;
/// The loss if all constants are `e` times their first values: constants that hardly matter stay.
const STAYS: f64 = 0.02;

/// How well a model predicts some samples.
#[derive(Clone, Copy, Debug)]
pub struct Quality {
    /// The median of the errors, as a factor of at least 1.
    pub median: f64,
    /// The 90th percentile of the errors.
    pub p90: f64,
    /// The time of the way that the model chooses over the time of the fastest, geometric mean over the cases.
    pub chosen: f64,
    /// The 99th percentile of the same.
    pub chosen_p99: f64,
}

impl Quality {
    /// The quality of a model.
    pub fn of(cpu: &CpuModel, samples: &[Sample]) -> Quality {
        let errors = Distribution::new(samples.iter().map(|sample| sample.error(cpu).abs().exp()));
        let chosen: Vec<f64> = choices(cpu, samples).into_iter().map(|choice| choice.0).collect();
        let mean = (chosen.iter().map(|factor| factor.ln()).sum::<f64>() / chosen.len() as f64).exp();
        Quality {
            median: errors.percentile(50.0),
            p90: errors.percentile(90.0),
            chosen: mean,
            chosen_p99: Distribution::new(chosen).percentile(99.0),
        }
    }
}

/// The way that a model chooses for each case, and the fastest, with the factor between their times; the largest factors first.
pub fn choices<'a>(cpu: &CpuModel, samples: &'a [Sample]) -> Vec<(f64, &'a Sample, &'a Sample)> {
    let choice = |ways: &'a [Sample]| {
        let chosen = ways.iter().min_by(|a, b| a.cost(cpu).total_cmp(&b.cost(cpu)))?;
        let fastest = ways.iter().min_by(|a, b| a.time.total_cmp(&b.time))?;
        Some((chosen.time / fastest.time, chosen, fastest))
    };
    let mut choices: Vec<_> = cases(samples).filter_map(choice).collect();
    choices.sort_by(|a, b| b.0.total_cmp(&a.0));
    choices
}

/// The ways of each case.
fn cases(samples: &[Sample]) -> impl Iterator<Item = &[Sample]> {
    samples.chunk_by(|a, b| (a.case, a.isa) == (b.case, b.isa))
}

/// How badly a model predicts: its errors, and how far its constants are from those of the first model.
pub(super) fn loss(model: &CpuModel, first: &CpuModel, samples: &[Sample]) -> f64 {
    let (mut copy, mut firsts) = (*model, *first);
    let pairs = constants(&mut copy).into_iter().zip(constants(&mut firsts));
    let moved: Vec<f64> = pairs.map(|(c, first)| (f64::from(*c) / f64::from(*first)).ln().powi(2)).collect();
    let count = cases(samples).count() as f64;
    let errors = cases(samples).map(|ways| loss_of_case(model, ways)).sum::<f64>() / count;
    errors + STAYS * moved.iter().sum::<f64>() / moved.len() as f64
}

/// The model whose constants predict the samples best, from a first model on: one constant after the other changes by a factor
/// as long as that helps, by smaller factors in later rounds.
pub fn fit(first: &CpuModel, samples: &[Sample]) -> CpuModel {
    let loss = |model: &CpuModel| loss(model, first, samples);
    let count = constants(&mut { *first }).len();
    let mut model = *first;
    let mut least = loss(&model);
    for factor in FACTORS {
        for _ in 0..ROUNDS {
            let before = least;
            for at in 0..count {
                for factor in [factor, 1.0 / factor] {
                    let mut other = model;
                    let constant = constants(&mut other).swap_remove(at);
                    *constant = ((f64::from(*constant) * factor).round() as u32).max(1);
                    let loss = loss(&other);
                    if loss < least {
                        (model, least) = (other, loss);
                        break;
                    }
                }
            }
            if least > before * 0.999 {
                break;
            }
        }
    }
    model
}

/// The loss of one case: how far apart the errors of its ways are, and a part of their mean, which decides nothing among them. The
/// fastest ways count most: the others need not be predicted well to be left.
fn loss_of_case(model: &CpuModel, ways: &[Sample]) -> f64 {
    let fastest = ways.iter().map(|way| way.time).fold(f64::INFINITY, f64::min);
    let weighted: Vec<(f64, f64)> = ways.iter().map(|way| ((fastest / way.time).powi(2), way.error(model))).collect();
    let all: f64 = weighted.iter().map(|(weight, _)| weight).sum();
    let mean = weighted.iter().map(|(weight, error)| weight * error).sum::<f64>() / all;
    let apart = weighted.iter().map(|(weight, error)| weight * huber(error - mean)).sum::<f64>() / all;
    apart + MEAN_PART * huber(mean)
}

fn huber(error: f64) -> f64 {
    let error = error.abs();
    if error <= LARGE_ERROR { error * error } else { LARGE_ERROR * (2.0 * error - LARGE_ERROR) }
}
