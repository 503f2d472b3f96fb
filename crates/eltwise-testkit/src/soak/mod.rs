//! The soak test: millions of random layouts and programs, compared with the reference.
//!
//! The elements of every operand come from a small alphabet, so the reference computes the result of each combination
//! of letters only once. Checking a run is then a table lookup per element, at the position that the definition of
//! strides gives. It takes a few nanoseconds per element and finds misplaced elements in any layout, at tens of
//! thousands of layouts per second.
//!
//! Tests and `just soak` call [`run`]. The fuzz target `run` uses [`CaseRunner`], which draws and checks one case.

mod case;
mod pool;
pub mod random_layout;
mod rows;
mod tabulated;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use eltwise::{DType, Isa, Op, Program, Shape, Technique};
#[cfg(feature = "soak")]
use eltwise_plan::strategy::ways::Ways;

use self::case::{Case, Execution, Input, Outcome, Output};
use self::pool::ELEMENTS;
pub use self::pool::Pools;
use self::random_layout::{
    Choices, ElementLayout, LayoutOdds, common_shape, program_shape, random_layout, shape as random_shape,
};
use self::tabulated::{TabulatedOps, TabulatedProgram, program_for_shape};
use crate::programs::{ElementwiseChoices, MAX_STEPS, elementwise};
use crate::random::Random;
use crate::typed_ops::{TypedOp, typed_ops};

/// A kind of random case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseKind {
    /// One operator with random layouts.
    Layouts,
    /// A random program with random layouts.
    Programs,
}

/// The largest number of elements of an output, for cases with one operator.
const LAYOUT_ELEMENTS: usize = 30_000;
/// The largest number of elements of an output, for cases with a program.
const PROGRAM_ELEMENTS: usize = 20_000;
/// The largest number of failures that are described.
const MAX_DESCRIBED: usize = 20;

/// The largest number of inputs, also of operators that accept more.
const MAX_INPUTS: usize = 4;
/// An input starts at one of this many elements of its pool, if the pool has room.
const INPUT_POSITIONS: usize = 1 << 14;
/// Bytes of a cache line: the first output starts at one of them.
const OUTPUT_OFFSETS: usize = 64;

/// The probabilities of a case's properties, in percent.
struct CaseOdds {
    /// The operator is one of [`FREQUENT`].
    frequent_operator: usize,
    /// One of several operands has the iteration shape, so that the result usually has that shape too.
    full_operand: usize,
    /// An axis of an operand does not broadcast. For cases with one operator.
    kept_axis: usize,
    /// The second operand has the layout of the first.
    equal_layouts: usize,
    /// All axes of an input are kept. For cases with a program.
    full_program_input: usize,
    /// An axis of any other input does not broadcast. For cases with a program.
    kept_program_axis: usize,
    /// A program has a second output.
    second_output: usize,
    /// A program may have math functions.
    math: usize,
    /// The inputs start at an odd address.
    odd_address: usize,
    /// An input begins or ends at a guard page, unless its address is odd.
    at_guard: usize,
    /// An output with a given layout does not start at a cache line.
    unaligned_output: usize,
    /// Plans are restricted to one way of running and one of copying.
    #[cfg(feature = "soak")]
    restricted_ways: usize,
}

const ODDS: CaseOdds = CaseOdds {
    frequent_operator: 60,
    full_operand: 50,
    kept_axis: 60,
    equal_layouts: 8,
    full_program_input: 40,
    kept_program_axis: 65,
    second_output: 30,
    math: 20,
    odd_address: 5,
    at_guard: 50,
    unaligned_output: 10,
    #[cfg(feature = "soak")]
    restricted_ways: 50,
};

/// Operators with the most kernels. They are drawn more often.
const FREQUENT: [Op; 6] = [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Maximum, Op::Minimum];

/// Counts of cases, runs and plans.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases drawn.
    pub cases: u64,
    /// Runs that were compared: one per ISA and case, without refused runs, and without cases that need kernels that
    /// this build lacks or more memory than a pool has.
    pub runs: u64,
    /// Runs in place that the engine refused.
    pub refused: u64,
    /// Cases by where the outputs are stored.
    pub outputs: BTreeMap<&'static str, u64>,
    /// Plans by technique.
    pub techniques: BTreeMap<Technique, u64>,
    /// Cases of [`CaseKind::Layouts`] by operator.
    pub operators: BTreeMap<&'static str, u64>,
    /// Descriptions of the first failures.
    pub failure_texts: Vec<String>,
    /// Cases that failed, and one more if a run wrote to an input.
    pub failures: u64,
}

impl Tally {
    /// Adds the counts of another tally.
    pub fn add(&mut self, other: Tally) {
        self.cases += other.cases;
        self.runs += other.runs;
        self.refused += other.refused;
        self.failures += other.failures;
        other.outputs.into_iter().for_each(|(o, n)| *self.outputs.entry(o).or_default() += n);
        other.techniques.into_iter().for_each(|(t, n)| *self.techniques.entry(t).or_default() += n);
        other.operators.into_iter().for_each(|(o, n)| *self.operators.entry(o).or_default() += n);
        self.failure_texts.extend(other.failure_texts);
        self.failure_texts.truncate(MAX_DESCRIBED);
    }

    /// The techniques used by fewer than `min_plans` plans, with their counts.
    pub fn rarely_used(&self, min_plans: u64) -> Vec<(Technique, u64)> {
        let count = |t: Technique| (t, self.techniques.get(&t).copied().unwrap_or(0));
        Technique::ALL.into_iter().map(count).filter(|&(_, n)| n < min_plans).collect()
    }
}

/// Draws cases and checks them on some ISAs.
#[derive(Debug)]
pub struct CaseRunner<'p> {
    pools: &'p Pools,
    typed_ops: Vec<TypedOp>,
    /// The `typed_ops` whose operator is in [`FREQUENT`].
    frequent: Vec<TypedOp>,
    tabulated: TabulatedOps,
    isas: Vec<Isa>,
    /// The counts so far.
    pub tally: Tally,
}

impl<'p> CaseRunner<'p> {
    /// A runner for these ISAs.
    pub fn new(pools: &'p Pools, isas: &[Isa]) -> CaseRunner<'p> {
        let typed_ops = typed_ops();
        let frequent = typed_ops.iter().copied().filter(|typed_op| FREQUENT.contains(&typed_op.op)).collect();
        let (isas, tabulated) = (isas.to_vec(), TabulatedOps::default());
        CaseRunner { pools, typed_ops, frequent, tabulated, isas, tally: Tally::default() }
    }

    /// Draws a case and checks it.
    ///
    /// # Errors
    /// A description of the first difference.
    pub fn draw_and_check(&mut self, kind: CaseKind, choices: &mut impl Choices) -> Result<(), String> {
        self.tally.cases += 1;
        match kind {
            CaseKind::Layouts => self.check_layouts(choices),
            CaseKind::Programs => self.check_program(choices),
        }
    }

    fn check_layouts(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let is_frequent = choices.percent(ODDS.frequent_operator);
        let typed_op = choices.one(if is_frequent { &self.frequent } else { &self.typed_ops });
        let counts = typed_op.op.counts();
        let operands = *counts.start() + choices.below(counts.end().min(&MAX_INPUTS) + 1 - counts.start());
        let tabulated = self.tabulated.get(self.pools, typed_op, operands);
        let iteration_shape = random_shape(choices, LAYOUT_ELEMENTS);
        let full_operand = choices.below(operands);
        let mut layouts: Vec<ElementLayout> = (0..operands)
            .map(|i| {
                let keeps_all_axes = i == full_operand
                    && (operands == 1 || choices.percent(ODDS.full_operand))
                    && typed_op.op != Op::BroadcastTo;
                let kept = if keeps_all_axes { 100 } else { ODDS.kept_axis };
                random_layout(choices, &iteration_shape, LayoutOdds::input(kept))
            })
            .collect();
        if operands > 1 && choices.percent(ODDS.equal_layouts) {
            layouts[1] = layouts[0].clone();
        }
        let shape = if typed_op.op == Op::BroadcastTo { iteration_shape } else { common_shape(&layouts) };
        let program = program_for_shape(typed_op, &tabulated, &shape);
        *self.tally.operators.entry(typed_op.op.name()).or_default() += 1;
        self.check(&program, &tabulated, shape, layouts, choices)
    }

    fn check_program(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let iteration_shape = program_shape(choices, PROGRAM_ELEMENTS);
        let inputs = 1 + choices.below(MAX_INPUTS);
        let layouts: Vec<ElementLayout> = (0..inputs)
            .map(|_| {
                let kept = if choices.percent(ODDS.full_program_input) { 100 } else { ODDS.kept_program_axis };
                random_layout(choices, &iteration_shape, LayoutOdds::input(kept))
            })
            .collect();
        let shapes: Vec<Shape> = layouts.iter().map(|layout| Shape::new(&layout.shape)).collect();
        // The fields are drawn in this order.
        let drawn = ElementwiseChoices {
            steps: (0..1 + choices.below(MAX_STEPS)).map(|_| [0; 6].map(|_| choices.bits() as u16)).collect(),
            dtypes: [0; 4].map(|_| choices.bits() as u8),
            second_output: choices.percent(ODDS.second_output).then(|| choices.bits() as u8),
            math: choices.percent(ODDS.math),
        };
        let case = elementwise(&shapes, &drawn);
        let dtypes: Vec<DType> = case.inputs.iter().map(|input| input.0).collect();
        // A build without all dtypes lacks kernels that a math function may need.
        let Ok(tabulated) = TabulatedProgram::new(self.pools, case.program.clone(), dtypes, false) else {
            return Ok(());
        };
        self.check(&case.program, &tabulated, case.shape.to_vec(), layouts, choices)
    }

    fn check(
        &mut self,
        program: &Program,
        tabulated: &TabulatedProgram,
        shape: Vec<usize>,
        layouts: Vec<ElementLayout>,
        choices: &mut impl Choices,
    ) -> Result<(), String> {
        if layouts.iter().any(|layout| layout.span > ELEMENTS) {
            return Ok(());
        }
        let at_odd_address = choices.percent(ODDS.odd_address);
        let inputs: Vec<Input> = (layouts.into_iter().zip(&tabulated.inputs))
            .map(|(layout, &dtype)| {
                let room = ELEMENTS - layout.span;
                let base = if choices.percent(ODDS.at_guard) {
                    choices.one(&[0, room])
                } else {
                    choices.below((room + 1).min(INPUT_POSITIONS))
                };
                let pool = self.pools.get(dtype, tabulated.alphabet_size, at_odd_address);
                Input { pool, layout, base, dtype }
            })
            .collect();
        let output = draw_output(program, &shape, &inputs, choices);
        *self.tally.outputs.entry(output.name()).or_default() += 1;
        let execution = match choices.below(16) {
            0 => Execution::Tasks(2 + choices.below(8)),
            1 => Execution::Parallel(2 + choices.below(4)),
            _ => Execution::Serial,
        };
        draw_ways(choices);
        let runs = [1, 1000][choices.below(2)];
        let case = Case { program, tabulated, shape, inputs, output, execution, runs };
        for &isa in &self.isas {
            let techniques = &mut self.tally.techniques;
            let outcome = case.check(self.pools, isa, &mut |plan| {
                plan.techniques().into_iter().for_each(|t| *techniques.entry(t).or_default() += 1);
            })?;
            match outcome {
                Outcome::Compared => self.tally.runs += 1,
                Outcome::Refused => self.tally.refused += 1,
            }
        }
        Ok(())
    }
}

/// Restricts the next plans to one way of running and one of copying, in half of the cases.
#[cfg(feature = "soak")]
fn draw_ways(choices: &mut impl Choices) {
    let ways = if choices.percent(ODDS.restricted_ways) {
        let way = choices.one(&[Ways::DIRECT, Ways::UNITS, Ways::LINEAR, Ways::BOXES]);
        way.with(choices.one(&[Ways::RUNS, Ways::PERMUTES, Ways::TRANSPOSES]))
    } else {
        Ways::ALL
    };
    ways.restrict_to();
}

#[cfg(not(feature = "soak"))]
fn draw_ways(_: &mut impl Choices) {}

/// Draws where the outputs are stored: in layouts that the engine chooses (60 %, a sixth of them in C order), in
/// permuted arrays (10 %), in random layouts (20 %), or in an input (10 %, if one fits; otherwise the engine chooses).
fn draw_output(program: &Program, shape: &[usize], inputs: &[Input], choices: &mut impl Choices) -> Output {
    let outputs = program.outputs();
    let dtype = program.value(outputs[0]).dtype;
    let choice = choices.below(10);
    let odds = match choice {
        0..5 => return Output::New,
        5 => return Output::COrder,
        6 => LayoutOdds::PERMUTED,
        7 | 8 => LayoutOdds::OUTPUT,
        _ => {
            // An input can be overwritten if no two of its elements share memory.
            let fits = |input: &Input| {
                let mut axes = input.layout.shape.iter().zip(&input.layout.strides);
                input.dtype == dtype && input.layout.shape == shape && axes.all(|(&n, &stride)| n == 1 || stride != 0)
            };
            let fitting: Vec<usize> = (0..inputs.len()).filter(|&i| fits(&inputs[i])).collect();
            return match outputs.len() {
                1 if !fitting.is_empty() => Output::InPlace(choices.one(&fitting)),
                _ => Output::New,
            };
        }
    };
    let layouts = outputs.iter().map(|_| random_layout(choices, shape, odds)).collect();
    let offset = if choices.percent(ODDS.unaligned_output) { choices.below(OUTPUT_OFFSETS) } else { 0 };
    Output::Given(layouts, offset)
}

/// Draws and checks `cases` cases on these ISAs, on all CPUs of the machine. Case `i` of a seed is the same in every
/// run; the seed also chooses the alphabets.
pub fn run(kind: CaseKind, cases: u64, seed: u64, isas: &[Isa]) -> Tally {
    let pools = Pools::new(seed);
    let next = AtomicU64::new(0);
    let total = Mutex::new(Tally::default());
    let work = || {
        let mut runner = CaseRunner::new(&pools, isas);
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                break;
            }
            let mut random = Random(Random(seed).bits() ^ Random(case).bits());
            if let Err(error) = runner.draw_and_check(kind, &mut random) {
                runner.tally.failures += 1;
                if runner.tally.failure_texts.len() < MAX_DESCRIBED {
                    runner.tally.failure_texts.push(format!("{kind:?}, seed {seed}, case {case}: {error}"));
                }
            }
        }
        total.lock().expect("a thread panicked while it held the tally").add(runner.tally);
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        (0..threads).for_each(|_| {
            scope.spawn(work);
        });
    });
    let mut total = total.into_inner().expect("a thread panicked while it held the tally");
    if !pools.are_untouched() {
        total.failures += 1;
        total.failure_texts.push(format!("{kind:?}, seed {seed}: a run wrote to an input"));
    }
    total
}

/// The number of cases of a test: `usual * PROPTEST_CASES / 256`, or `usual` if that environment variable is not set.
pub fn scaled_cases(usual: u64) -> u64 {
    let scale = f64::from(proptest::test_runner::Config::default().cases) / 256.0;
    ((usual as f64 * scale) as u64).max(1)
}
