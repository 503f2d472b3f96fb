//! Millions of random layouts and programs against the reference.
//!
//! The elements of every operand come from an alphabet of some letters, so the reference computes each combination of letters
//! once; of a run only the places are left to check, by a walk of a few nanoseconds an element that follows the definition of
//! strides. That finds an element in the wrong place in any layout, at tens of thousands of layouts a second.
//!
//! [`run`] is what tests and `just soak` call; [`Drawer`] draws and checks one case, as the fuzz target `run` does.

mod case;
pub mod layouts;
mod pool;
mod subject;
mod walk;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use eltwise::{DType, Isa, Op, Program, Shape, Technique};

use self::case::{Case, Input, Output, Way};
use self::layouts::{Choices, Lay, Oddities, common, lay, program_shape, shape};
use self::pool::ELEMENTS;
pub use self::pool::Pools;

use self::subject::{Subject, Subjects, program_into};
use crate::cells::{Cell, cells};
use crate::programs::elementwise;
use crate::values::Random;

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One operator over random layouts.
    Layouts,
    /// Random programs over random layouts.
    Programs,
}

/// Elements of the largest cases.
const LAYOUT_ELEMENTS: usize = 30_000;
const PROGRAM_ELEMENTS: usize = 20_000;
/// Failures that are told in full.
const MOST_TOLD: usize = 20;

/// How often something was met.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases.
    pub cases: u64,
    /// Runs that were compared: one for each ISA of a case that was not refused or left out.
    pub runs: u64,
    /// Runs in place that the engine refused.
    pub refused: u64,
    /// Cases by where the outputs go.
    pub outputs: BTreeMap<&'static str, u64>,
    /// Plans by technique.
    pub techniques: BTreeMap<Technique, u64>,
    /// Cases by operator, of layouts.
    pub operators: BTreeMap<&'static str, u64>,
    /// Descriptions of the cases that failed; of many, the first ones.
    pub failures: Vec<String>,
    /// How many failed.
    pub failed: u64,
}

impl Tally {
    /// Adds what another one met.
    pub fn add(&mut self, other: Tally) {
        self.cases += other.cases;
        self.runs += other.runs;
        self.refused += other.refused;
        self.failed += other.failed;
        other.outputs.into_iter().for_each(|(o, n)| *self.outputs.entry(o).or_default() += n);
        other.techniques.into_iter().for_each(|(t, n)| *self.techniques.entry(t).or_default() += n);
        other.operators.into_iter().for_each(|(o, n)| *self.operators.entry(o).or_default() += n);
        self.failures.extend(other.failures);
        self.failures.truncate(MOST_TOLD);
    }

    /// Techniques of fewer plans than `least`, with their numbers, but for those that no plan for these ISAs uses.
    pub fn rare(&self, least: u64, isas: &[Isa]) -> Vec<(Technique, u64)> {
        let count = |t: Technique| (t, self.techniques.get(&t).copied().unwrap_or(0));
        let permutes = isas.iter().any(|isa| !matches!(isa, Isa::Scalar | Isa::Neon | Isa::NeonFp16));
        let occurs = |t: &Technique| {
            permutes || !matches!(t, Technique::Arranged | Technique::ArrangedBoth | Technique::DirectHeld)
        };
        Technique::ALL.into_iter().filter(occurs).map(count).filter(|&(_, n)| n < least).collect()
    }
}

/// Draws cases and checks them.
#[derive(Debug)]
pub struct Drawer<'p> {
    pools: &'p Pools,
    cells: Vec<Cell>,
    /// Those of [`FREQUENT`].
    frequent: Vec<Cell>,
    subjects: Subjects,
    isas: Vec<Isa>,
    /// What was met so far.
    pub tally: Tally,
}

/// Operators whose kernels take operands in more ways than others.
const FREQUENT: [Op; 6] = [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Maximum, Op::Minimum];

impl<'p> Drawer<'p> {
    /// Checks cases on these ISAs.
    pub fn new(pools: &'p Pools, isas: &[Isa]) -> Drawer<'p> {
        let cells = cells();
        let frequent = cells.iter().copied().filter(|cell| FREQUENT.contains(&cell.op)).collect();
        let (isas, subjects) = (isas.to_vec(), Subjects::default());
        Drawer { pools, cells, frequent, subjects, isas, tally: Tally::default() }
    }

    /// Draws a case and checks it.
    ///
    /// # Errors
    /// The first difference.
    pub fn draw(&mut self, kind: Kind, from: &mut impl Choices) -> Result<(), String> {
        self.tally.cases += 1;
        match kind {
            Kind::Layouts => self.draw_layouts(from),
            Kind::Programs => self.draw_program(from),
        }
    }

    fn draw_layouts(&mut self, from: &mut impl Choices) -> Result<(), String> {
        let cell = if from.percent(60) { from.one(&self.frequent) } else { from.one(&self.cells) };
        let counts = cell.op.counts();
        let operands = *counts.start() + from.below(counts.end().min(&4) + 1 - counts.start());
        let subject = self.subjects.of(self.pools, cell, operands);
        let whole = shape(from, LAYOUT_ELEMENTS);
        let full = from.below(operands);
        let mut lays: Vec<Lay> = (0..operands)
            .map(|i| {
                // Often one operand has all elements.
                let all = i == full && (operands == 1 || from.percent(50)) && cell.op != Op::BroadcastTo;
                lay(from, &whole, Oddities::input(if all { 100 } else { 60 }))
            })
            .collect();
        if operands > 1 && from.percent(8) {
            // Operands that lie alike.
            lays[1] = lays[0].clone();
        }
        let shape = if cell.op == Op::BroadcastTo { whole } else { common(&lays) };
        let program = program_into(cell, &subject, &shape);
        *self.tally.operators.entry(cell.op.name()).or_default() += 1;
        self.check(&program, &subject, shape, lays, from)
    }

    fn draw_program(&mut self, from: &mut impl Choices) -> Result<(), String> {
        let whole = program_shape(from, PROGRAM_ELEMENTS);
        let inputs = 1 + from.below(4);
        let lays: Vec<Lay> = (0..inputs)
            .map(|_| {
                let kept = if from.percent(40) { 100 } else { 65 };
                lay(from, &whole, Oddities::input(kept))
            })
            .collect();
        let shapes: Vec<Shape> = lays.iter().map(|lay| Shape::new(&lay.shape)).collect();
        let steps: Vec<[u16; 6]> = (0..1 + from.below(6)).map(|_| [0; 6].map(|_| from.bits() as u16)).collect();
        let (dtypes, second) = ([0; 4].map(|_| from.bits() as u8), from.percent(30).then(|| from.bits() as u8));
        let made = elementwise(&shapes, dtypes, &steps, second, from.percent(20));
        let dtypes: Vec<DType> = made.inputs.iter().map(|input| input.0).collect();
        // A small build leaves out kernels that a math function may need.
        let Ok(subject) = Subject::new(self.pools, made.program.clone(), dtypes, false) else { return Ok(()) };
        self.check(&made.program, &subject, made.shape.to_vec(), lays, from)
    }

    fn check(
        &mut self,
        program: &Program,
        subject: &Subject,
        shape: Vec<usize>,
        lays: Vec<Lay>,
        from: &mut impl Choices,
    ) -> Result<(), String> {
        if lays.iter().any(|lay| lay.span > ELEMENTS) {
            return Ok(());
        }
        let odd = from.percent(5);
        let inputs: Vec<Input> = (lays.into_iter().zip(&subject.inputs))
            .map(|(lay, &dtype)| {
                let base = from.below((ELEMENTS - lay.span + 1).min(1 << 14));
                Input { pool: self.pools.get(dtype, subject.letters, odd), lay, base, dtype }
            })
            .collect();
        let output = draw_output(program, &shape, &inputs, from);
        *self.tally.outputs.entry(output.name()).or_default() += 1;
        let way = match from.below(16) {
            0 => Way::Tasks(2 + from.below(8)),
            1 => Way::Shared(2 + from.below(4)),
            _ => Way::Serial,
        };
        let case = Case { program, subject, shape, inputs, output, way };
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

/// Where the outputs go: half of the time where the engine chooses, else into a permuted array, any layout, or an input.
fn draw_output(program: &Program, shape: &[usize], inputs: &[Input], from: &mut impl Choices) -> Output {
    let outputs = program.outputs();
    let dtype = program.value(outputs[0]).dtype;
    let choice = from.below(10);
    let oddities = match choice {
        0..5 => return Output::New,
        5 => return Output::COrder,
        6 => Oddities::PERMUTED,
        7 | 8 => Oddities::OUTPUT,
        _ => {
            // Every element of the input has a place of its own.
            let fits = |input: &Input| {
                let mut axes = input.lay.shape.iter().zip(&input.lay.strides);
                input.dtype == dtype && input.lay.shape == shape && axes.all(|(&n, &stride)| n == 1 || stride != 0)
            };
            let fitting: Vec<usize> = (0..inputs.len()).filter(|&i| fits(&inputs[i])).collect();
            return match outputs.len() {
                1 if !fitting.is_empty() => Output::InPlace(from.one(&fitting)),
                _ => Output::New,
            };
        }
    };
    let lays = outputs.iter().map(|_| lay(from, shape, oddities)).collect();
    let offset = if from.percent(10) { from.below(64) } else { 0 };
    Output::Given(lays, offset)
}

/// Draws and checks so many cases on these ISAs, on all threads of the machine. Case `i` of a seed is the same in every run; the alphabets are the seed's, too.
pub fn run(kind: Kind, cases: u64, seed: u64, isas: &[Isa]) -> Tally {
    let (pools, next, all) = (Pools::new(seed), AtomicU64::new(0), Mutex::new(Tally::default()));
    let work = || {
        let mut drawer = Drawer::new(&pools, isas);
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                break;
            }
            let mut random = Random(Random(seed).bits() ^ Random(case).bits());
            if let Err(error) = drawer.draw(kind, &mut random) {
                drawer.tally.failed += 1;
                if drawer.tally.failures.len() < MOST_TOLD {
                    drawer.tally.failures.push(format!("{kind:?}, seed {seed}, case {case}: {error}"));
                }
            }
        }
        all.lock().expect("no thread panics with it").add(drawer.tally);
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

/// The number of cases of a test: `usual`, or in the proportion that the environment variable `PROPTEST_CASES` has to 256.
pub fn cases_of(usual: u64) -> u64 {
    let share = f64::from(proptest::test_runner::Config::default().cases) / 256.0;
    ((usual as f64 * share) as u64).max(1)
}
