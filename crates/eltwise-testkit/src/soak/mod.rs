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

use self::case::{Case, Execution, Input, Output};
use self::pool::ELEMENTS;
pub use self::pool::Pools;
use self::random_layout::{Choices, ElementLayout, LayoutOdds, common_shape, program_shape, random_layout, shape};
use self::tabulated::{TabulatedOps, TabulatedProgram, program_into};
use crate::programs::elementwise;
use crate::typed_ops::{TypedOp, typed_ops};
use crate::values::Random;

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

/// Counts of cases, runs and plans.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases drawn.
    pub cases: u64,
    /// Runs that were compared: one per ISA and case, except for refused cases and those left out.
    pub runs: u64,
    /// Runs in place that the engine refused.
    pub refused: u64,
    /// Cases by where the outputs are stored.
    pub outputs: BTreeMap<&'static str, u64>,
    /// Plans by technique.
    pub techniques: BTreeMap<Technique, u64>,
    /// Cases of [`CaseKind::Layouts`] by operator.
    pub operators: BTreeMap<&'static str, u64>,
    /// Descriptions of the first cases that failed.
    pub failures: Vec<String>,
    /// Cases that failed.
    pub failed: u64,
}

impl Tally {
    /// Adds the counts of another tally.
    pub fn add(&mut self, other: Tally) {
        self.cases += other.cases;
        self.runs += other.runs;
        self.refused += other.refused;
        self.failed += other.failed;
        other.outputs.into_iter().for_each(|(o, n)| *self.outputs.entry(o).or_default() += n);
        other.techniques.into_iter().for_each(|(t, n)| *self.techniques.entry(t).or_default() += n);
        other.operators.into_iter().for_each(|(o, n)| *self.operators.entry(o).or_default() += n);
        self.failures.extend(other.failures);
        self.failures.truncate(MAX_DESCRIBED);
    }

    /// The techniques used by fewer than `min_plans` plans, with their counts. Techniques that these ISAs do not have
    /// are left out.
    pub fn rarely_used(&self, min_plans: u64, isas: &[Isa]) -> Vec<(Technique, u64)> {
        let count = |t: Technique| (t, self.techniques.get(&t).copied().unwrap_or(0));
        let permutes = isas.iter().any(|isa| !matches!(isa, Isa::Scalar | Isa::Neon | Isa::NeonFp16));
        let is_available = |t: &Technique| {
            permutes || !matches!(t, Technique::Permuted | Technique::PermutedBoth | Technique::DirectRowReuse)
        };
        Technique::ALL.into_iter().filter(is_available).map(count).filter(|&(_, n)| n < min_plans).collect()
    }
}

/// Draws cases and checks them on some ISAs.
#[derive(Debug)]
pub struct CaseRunner<'p> {
    pools: &'p Pools,
    typed_ops: Vec<TypedOp>,
    /// Those whose operator is in [`FREQUENT`].
    frequent: Vec<TypedOp>,
    tabulated: TabulatedOps,
    isas: Vec<Isa>,
    /// The counts so far.
    pub tally: Tally,
}

/// Operators with the most kernels. They are drawn more often.
const FREQUENT: [Op; 6] = [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Maximum, Op::Minimum];

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
        let typed_op = if choices.percent(60) { choices.one(&self.frequent) } else { choices.one(&self.typed_ops) };
        let counts = typed_op.op.counts();
        let operands = *counts.start() + choices.below(counts.end().min(&4) + 1 - counts.start());
        let tabulated = self.tabulated.get(self.pools, typed_op, operands);
        let whole = shape(choices, LAYOUT_ELEMENTS);
        let full = choices.below(operands);
        let mut layouts: Vec<ElementLayout> = (0..operands)
            .map(|i| {
                // Often one operand does not broadcast.
                let all = i == full && (operands == 1 || choices.percent(50)) && typed_op.op != Op::BroadcastTo;
                random_layout(choices, &whole, LayoutOdds::input(if all { 100 } else { 60 }))
            })
            .collect();
        if operands > 1 && choices.percent(8) {
            // Two operands with equal layouts.
            layouts[1] = layouts[0].clone();
        }
        let shape = if typed_op.op == Op::BroadcastTo { whole } else { common_shape(&layouts) };
        let program = program_into(typed_op, &tabulated, &shape);
        *self.tally.operators.entry(typed_op.op.name()).or_default() += 1;
        self.check(&program, &tabulated, shape, layouts, choices)
    }

    fn check_program(&mut self, choices: &mut impl Choices) -> Result<(), String> {
        let whole = program_shape(choices, PROGRAM_ELEMENTS);
        let inputs = 1 + choices.below(4);
        let layouts: Vec<ElementLayout> = (0..inputs)
            .map(|_| {
                let kept = if choices.percent(40) { 100 } else { 65 };
                random_layout(choices, &whole, LayoutOdds::input(kept))
            })
            .collect();
        let shapes: Vec<Shape> = layouts.iter().map(|layout| Shape::new(&layout.shape)).collect();
        let steps: Vec<[u16; 6]> = (0..1 + choices.below(6)).map(|_| [0; 6].map(|_| choices.bits() as u16)).collect();
        let (dtypes, second) =
            ([0; 4].map(|_| choices.bits() as u8), choices.percent(30).then(|| choices.bits() as u8));
        let case = elementwise(&shapes, dtypes, &steps, second, choices.percent(20));
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
        let at_odd_address = choices.percent(5);
        let inputs: Vec<Input> = (layouts.into_iter().zip(&tabulated.inputs))
            .map(|(layout, &dtype)| {
                let base = choices.below((ELEMENTS - layout.span + 1).min(1 << 14));
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
        let case = Case { program, tabulated, shape, inputs, output, execution };
        for &isa in &self.isas {
            let techniques = &mut self.tally.techniques;
            let done = case.check(self.pools, isa, &mut |plan| {
                plan.techniques().into_iter().for_each(|t| *techniques.entry(t).or_default() += 1);
            })?;
            match done {
                Some(()) => self.tally.runs += 1,
                None => self.tally.refused += 1,
            }
        }
        Ok(())
    }
}

/// Where to store the outputs: half of the time where the engine chooses, otherwise in a permuted array, any layout, or
/// an input.
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
    let offset = if choices.percent(10) { choices.below(64) } else { 0 };
    Output::Given(layouts, offset)
}

/// Draws and checks `cases` cases on these ISAs, on all CPUs of the machine. Case `i` of a seed is the same in every
/// run; the seed also chooses the alphabets.
pub fn run(kind: CaseKind, cases: u64, seed: u64, isas: &[Isa]) -> Tally {
    let (pools, next, all) = (Pools::new(seed), AtomicU64::new(0), Mutex::new(Tally::default()));
    let work = || {
        let mut runner = CaseRunner::new(&pools, isas);
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                break;
            }
            let mut random = Random(Random(seed).bits() ^ Random(case).bits());
            if let Err(error) = runner.draw_and_check(kind, &mut random) {
                runner.tally.failed += 1;
                if runner.tally.failures.len() < MAX_DESCRIBED {
                    runner.tally.failures.push(format!("{kind:?}, seed {seed}, case {case}: {error}"));
                }
            }
        }
        all.lock().expect("no thread panics with it").add(runner.tally);
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        (0..threads).for_each(|_| {
            scope.spawn(work);
        });
    });
    let mut all = all.into_inner().expect("no thread panics with it");
    if !pools.are_untouched() {
        all.failed += 1;
        all.failures.push(format!("{kind:?}, seed {seed}: a run wrote to an input"));
    }
    all
}

/// The number of cases of a test: `usual`, scaled by the environment variable `PROPTEST_CASES` / 256 if it is set.
pub fn scaled_cases(usual: u64) -> u64 {
    let share = f64::from(proptest::test_runner::Config::default().cases) / 256.0;
    ((usual as f64 * share) as u64).max(1)
}
