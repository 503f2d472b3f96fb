//! [`Sample`]: a plan with its time. [`samples`] draws cases and times each of their ways.

use eltwise::{CpuModel, DType, Error, Isa, Plan, cpu_model};
use eltwise_plan::strategy::ways::Ways;

use crate::measure::best;
use crate::memory::Memory;
use crate::operation::{Mode as Binding, Operation};
use crate::survey::case::{Case, Mode, Selection};

/// Dtypes, which take turns. Not f16, whose additions take longer than those that the model counts.
const DTYPES: [DType; 4] = [DType::F32, DType::U8, DType::I16, DType::F64];
/// The ways of copying, all and each by itself.
const COPYING: [Ways; 4] =
    [Ways::RUNS.with(Ways::PERMUTES).with(Ways::TRANSPOSES), Ways::RUNS, Ways::PERMUTES, Ways::TRANSPOSES];
/// Elements of the cases, and the part of them that has this size: 1 of `1 << shift`.
const SIZES: [(usize, u32); 4] = [(16_000, 0), (60_000, 0), (1_000_000, 2), (12_000_000, 3)];
/// Picoseconds of a run without its tiles, which the model does not have: all ways take them.
const RUN: f64 = 60_000.0;
/// The cost of a way that is not allowed.
const FORBIDDEN: u64 = 1 << 39;

/// A plan with its time.
pub struct Sample {
    /// Plans with equal numbers and ISAs run the same case.
    pub case: usize,
    /// The ISA.
    pub isa: Isa,
    /// The ways that the plan was restricted to.
    ways: Ways,
    plan: Plan,
    /// Picoseconds of a run.
    pub time: f64,
    /// The case and the text of the plan.
    pub text: String,
}

impl Sample {
    /// Whether the sample tells how well constants predict that were fitted to the others: every second group of cases, each of
    /// all dtypes.
    pub fn is_test(&self) -> bool {
        self.case / DTYPES.len() % 2 == 1
    }

    /// The natural logarithm of the predicted time over the measured one.
    pub fn error(&self, cpu: &CpuModel) -> f64 {
        ((self.cost(cpu) + RUN) / self.time).ln()
    }

    /// Picoseconds that a model predicts for the layouts of the run.
    pub fn cost(&self, cpu: &CpuModel) -> f64 {
        self.ways.restrict_to();
        let cost = self.plan.layout_cost(cpu);
        Ways::ALL.restrict_to();
        cost.map_or(f64::INFINITY, |cost| cost as f64)
    }
}

/// Times every way of `cases` random cases of each mode and of the smaller sizes, and of fewer larger ones, for `seconds`
/// each.
///
/// # Errors
/// Errors of binding and of runs.
pub fn samples(seed: u64, cases: usize, isas: &[Isa], seconds: f64) -> Result<Vec<Sample>, Error> {
    let (mut samples, mut number) = (vec![], 0);
    for (elements, shift) in SIZES {
        for mode in Mode::ALL {
            let selection = Selection { seed, elements, dtypes: DTYPES.to_vec(), mode };
            for index in 0..(cases >> shift).max(2 * DTYPES.len()) {
                let case = selection.case(index)?;
                for &isa in isas {
                    samples.extend(ways_of(&case, number, isa, seconds)?);
                }
                number += 1;
            }
        }
    }
    Ok(samples)
}

/// Times every way of a case.
fn ways_of(case: &Case, number: usize, isa: Isa, seconds: f64) -> Result<Vec<Sample>, Error> {
    let inputs: Vec<_> = case.inputs.iter().map(|i| (i.layout.dtype(), i.bytes)).collect();
    let mut memory = Memory::new(inputs.iter().map(|i| i.1).sum::<usize>() + case.output.bytes)?;
    memory.arrange(&inputs, case.output.bytes)?;
    // The model has no non-temporal stores.
    let binding = Binding { isa, replans: false, non_temporal: Some(false) };
    let (mut seen, mut operations, mut samples) = (vec![], vec![], vec![]);
    // Of equal plans the first is kept: that of a single way of copying, whose prediction can be for no other way.
    for ways in COPYING.iter().rev().flat_map(|&copying| Ways::of_running().map(move |running| running.with(copying))) {
        ways.restrict_to();
        let operation = case.operation(binding);
        let text = operation.as_ref().map_or_else(|_| String::new(), |op| op.plan().explain(1).to_string());
        Ways::ALL.restrict_to();
        let operation = operation?;
        let text: String =
            text.lines().filter(|line| !line.starts_with("  search")).map(|l| format!("{l}\n")).collect();
        let text = format!("case {case}\n{text}");
        let sample = Sample { case: number, isa, ways, plan: operation.plan().clone(), time: 0.0, text };
        let cost = sample.cost(&cpu_model());
        let key = (sample.text.clone(), cost.to_bits());
        if cost < FORBIDDEN as f64 && !seen.contains(&key) {
            operation.check(&mut memory, 1000)?;
            seen.push(key);
            operations.push(operation);
            samples.push(sample);
        }
    }
    let all: Vec<&Operation> = operations.iter().collect();
    let times = best(&all, &mut memory, seconds * all.len() as f64)?;
    for (sample, time) in samples.iter_mut().zip(times) {
        sample.time = time * 1e12;
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::descent::{Quality, choices, fit, loss};

    /// The fit of a few plans predicts them no worse, and the choices of a model are among them.
    #[test]
    fn a_fit_predicts_its_plans() {
        let mode = Mode::Binary;
        let selection = Selection { seed: 3, elements: 3000, dtypes: vec!["f32".parse().unwrap()], mode };
        let mut samples = vec![];
        for index in 0..4 {
            samples.extend(ways_of(&selection.case(index).unwrap(), index, Isa::current(), 0.0).unwrap());
        }
        assert!(samples.len() > 4 && samples.iter().all(|sample| sample.time > 0.0 && sample.cost(&cpu_model()) > 0.0));
        let fitted = fit(&cpu_model(), &samples);
        let first = cpu_model();
        assert!(loss(&fitted, &first, &samples) <= loss(&first, &first, &samples));
        let quality = Quality::of(&fitted, &samples);
        assert!(quality.median >= 1.0 && quality.chosen >= 1.0, "{quality:?}");
        assert_eq!(choices(&fitted, &samples).len(), 4);
    }
}
