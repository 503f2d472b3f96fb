//! One case: a subject over operands that lie in some way, run on every ISA, compared with the right results byte by byte.

use std::fmt::Write as _;
use std::sync::Arc;

use eltwise::{
    BindOptions, DType, ErrorKind, Isa, Layout, Plan, Program, Serial, Shape, Status, Strides, View, ViewMut,
};
use eltwise_reference::{Conditions, Value, same};

use super::layouts::Lay;
use super::pool::{Pool, Pools};
use super::subject::Subject;
use super::walk;
use crate::check::{conditions, run_tasks};
use crate::executors::Backwards;

/// Bytes around an output, and what they hold.
const MARGIN: usize = 64;
const CANARY: u8 = 0xa7;

/// An input: a window of a pool.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// How it lies.
    pub lay: Lay,
    /// The element of the pool that is its lowest.
    pub base: usize,
    /// The pool.
    pub pool: Arc<Pool>,
    /// Its dtype.
    pub dtype: DType,
}

/// Where the outputs go.
#[derive(Clone, Debug)]
pub(super) enum Output {
    /// The engine chooses, in the axis order of the inputs.
    New,
    /// The engine chooses, in C order.
    COrder,
    /// Memory with these layouts, so many bytes past a cache line.
    Given(Vec<Lay>, usize),
    /// The memory of this input.
    InPlace(usize),
}

impl Output {
    /// Its kind.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Output::New => "new",
            Output::COrder => "new, in C order",
            Output::Given(..) => "given",
            Output::InPlace(_) => "in place",
        }
    }
}

/// How the plan is run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// On this thread.
    Serial,
    /// As so many tasks, the last one first.
    Tasks(usize),
    /// In as many tasks as an executor of this width can have, the last one first.
    Shared(usize),
}

/// A case.
#[derive(Clone, Debug)]
pub(super) struct Case<'a> {
    /// The program that is run: the subject's, but for `broadcast_to`.
    pub program: &'a Program,
    /// Its right results.
    pub subject: &'a Subject,
    /// The shape of the outputs.
    pub shape: Vec<usize>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Where the outputs go.
    pub output: Output,
    /// How it is run.
    pub way: Way,
}

/// Memory of an output before the run, and where it lies.
struct Memory {
    layout: Layout,
    before: Vec<u8>,
    /// The byte of element `[0, 0, ...]`.
    first: usize,
}

impl Input {
    fn layout(&self) -> Layout {
        layout(self.dtype, &self.lay)
    }

    /// The byte of element `[0, 0, ...]` in the pool.
    fn first(&self) -> usize {
        self.pool.start + (self.base + self.lay.first) * self.dtype.size()
    }

    fn view(&self) -> View<'_> {
        View::from_bytes(&self.pool.bytes, self.layout(), self.first()).expect("a window of the pool")
    }
}

fn layout(dtype: DType, lay: &Lay) -> Layout {
    let strides: Vec<isize> = lay.strides.iter().map(|s| s * dtype.size() as isize).collect();
    Layout::strided(dtype, Shape::new(&lay.shape), Strides::new(&strides)).expect("a small layout")
}

impl Case<'_> {
    /// Runs the case on an ISA and compares; `None`: the engine refuses to run it in place. Tells `note` of the plan.
    ///
    /// # Errors
    /// The first difference, with what is needed to see it again.
    pub(super) fn check(&self, pools: &Pools, isa: Isa, note: &mut dyn FnMut(&Plan)) -> Result<Option<()>, String> {
        let layouts: Vec<Layout> = self.inputs.iter().map(Input::layout).collect();
        let dtypes: Vec<DType> = self.program.outputs().iter().map(|&o| self.program.value(o).dtype).collect();
        let options = BindOptions::new().isa(isa);
        let options = match &self.output {
            Output::New => options,
            Output::COrder => options.c_order(),
            Output::Given(lays, _) => {
                options.outputs(dtypes.iter().zip(lays).map(|(&d, lay)| layout(d, lay)).collect::<Vec<_>>())
            }
            Output::InPlace(input) => options.outputs([layouts[*input].clone()]),
        };
        let bound = self.program.bind_with(&layouts.iter().collect::<Vec<_>>(), &options);
        let plan = bound.map_err(|e| format!("bind: {e}\n{}", self.describe(isa)))?;
        note(&plan);
        let memory: Vec<Memory> = plan.output_layouts().iter().enumerate().map(|(o, l)| self.memory(o, l)).collect();
        let mut after: Vec<Vec<u8>> = memory.iter().map(|m| m.before.clone()).collect();
        let met = match self.run(&plan, &memory, &mut after) {
            Ok(met) => met,
            Err(e) if matches!(self.output, Output::InPlace(_)) && e.kind() == ErrorKind::Alias => return Ok(None),
            Err(e) => return Err(format!("run: {e}\n{}", self.describe(isa))),
        };
        let tell = |e: String| format!("{e}\n{}\n{}", self.describe(isa), plan.explain(1));
        let mut expected_met = Conditions::default();
        for (o, (memory, after)) in memory.iter().zip(&after).enumerate() {
            let expected = self.expected(pools, o, memory, &mut expected_met);
            self.compare(o, memory, &expected, after).map_err(tell)?;
        }
        let known = self.subject.never_meets || self.subject.conditions.is_some();
        if known && conditions(met) != expected_met {
            return Err(tell(format!("the run met {:?}, expected {expected_met:?}", conditions(met))));
        }
        Ok(Some(()))
    }

    fn memory(&self, output: usize, layout: &Layout) -> Memory {
        let layout = layout.clone();
        if let Output::InPlace(input) = self.output {
            let Input { lay, base, pool, dtype } = &self.inputs[input];
            let from = pool.start + base * dtype.size();
            let mut before = vec![CANARY; MARGIN];
            before.extend_from_slice(&pool.bytes[from..from + lay.span * dtype.size()]);
            before.resize(before.len() + MARGIN, CANARY);
            return Memory { layout, before, first: MARGIN + lay.first * dtype.size() };
        }
        let (low, high) = layout.span().expect("a small layout");
        let offset = if let Output::Given(_, offset) = self.output { offset + output } else { 0 };
        let before = vec![CANARY; high.abs_diff(low) + 2 * MARGIN + offset];
        Memory { layout, before, first: MARGIN + offset + low.unsigned_abs() }
    }

    fn run(&self, plan: &Plan, memory: &[Memory], after: &mut [Vec<u8>]) -> Result<Status, eltwise::Error> {
        let mut outputs: Vec<ViewMut<'_>> = Vec::new();
        for (memory, bytes) in memory.iter().zip(after) {
            outputs.push(ViewMut::from_bytes(bytes, memory.layout.clone(), memory.first)?);
        }
        let others = |skip: usize| self.inputs.iter().enumerate().filter(move |&(i, _)| i != skip);
        if let Output::InPlace(input) = self.output {
            let others: Vec<View<'_>> = others(input).map(|(_, other)| other.view()).collect();
            return plan.run_in_place(&Serial, input, &others, &mut outputs[0]);
        }
        let views: Vec<View<'_>> = self.inputs.iter().map(Input::view).collect();
        match self.way {
            Way::Serial => plan.run_with(&Serial, &views, &mut outputs),
            Way::Tasks(tasks) => run_tasks(plan, tasks, &views, &mut outputs),
            Way::Shared(width) => plan.clone().shared_at_any_cost()?.run_with(&Backwards(width), &views, &mut outputs),
        }
    }

    /// The memory of an output after a right run; the conditions that its elements meet are added.
    fn expected(&self, pools: &Pools, output: usize, memory: &Memory, met: &mut Conditions) -> Vec<u8> {
        let rank = self.shape.len();
        let mut strides: Vec<Vec<isize>> = Vec::new();
        let mut firsts = Vec::new();
        for input in &self.inputs {
            // An input that is not read may have any shape.
            let fits = input.lay.shape.len() <= rank
                && input.lay.shape.iter().rev().zip(self.shape.iter().rev()).all(|(&n, &of)| n == 1 || n == of);
            strides.push(if fits { input.lay.broadcast(rank) } else { vec![0; rank] });
            firsts.push(input.base + input.lay.first);
        }
        strides.push(memory.layout.strides().to_vec());
        firsts.push(memory.first);
        let strides: Vec<&[isize]> = strides.iter().map(Vec::as_slice).collect();
        let (column, step) = self.subject.column(output);
        let size = memory.layout.dtype().size();
        let mut after = memory.before.clone();
        let (letters, count) = (self.subject.letters, self.inputs.len());
        let mut combinations = vec![0usize; self.shape.last().copied().unwrap_or(1)];
        walk::rows(&self.shape, &firsts, &strides, |columns, places, along| {
            combinations.fill(0);
            for (&place, &stride) in places[..count].iter().zip(along) {
                let mut at = place;
                for combination in &mut combinations {
                    *combination = *combination * letters + usize::from(pools.letters()[at]) % letters;
                    at = at.wrapping_add_signed(stride);
                }
            }
            let mut at = places[count];
            for &combination in &combinations[..columns] {
                let from = combination * step;
                copy(&mut after[at..at + size], &column[from..from + size]);
                at = at.wrapping_add_signed(along[count]);
            }
            if let Some(each) = &self.subject.conditions {
                combinations.iter().for_each(|&combination| *met |= each[combination]);
            }
        });
        after
    }

    /// The first element that is wrong, or the first byte that no element has and that was written.
    fn compare(&self, output: usize, memory: &Memory, expected: &[u8], after: &[u8]) -> Result<(), String> {
        if expected == after {
            return Ok(());
        }
        let dtype = memory.layout.dtype();
        let size = dtype.size();
        let (mut wrong, mut count) = (None, 0usize);
        let mut rest = after.to_vec();
        let read = |bytes: &[u8], at: usize| Value::read(dtype, &bytes[at..at + size]);
        let mut row = 0;
        walk::rows(&self.shape, &[memory.first], &[memory.layout.strides()], |columns, places, along| {
            let mut at = places[0];
            for column in 0..columns {
                if rest[at..at + size] != expected[at..at + size] {
                    let (found, right) = (read(after, at), read(expected, at));
                    if self.subject.payloads || !same(found, right) {
                        wrong = wrong.or(Some((row, column, found, right)));
                        count += 1;
                    }
                    rest[at..at + size].copy_from_slice(&expected[at..at + size]);
                }
                at = at.wrapping_add_signed(along[0]);
            }
            row += 1;
        });
        if let Some((row, column, found, right)) = wrong {
            let all = self.shape.iter().product::<usize>();
            return Err(format!(
                "output {output}: {count} of {all} elements are wrong, first row {row}, column {column}: {found}, expected {right}"
            ));
        }
        match rest.iter().zip(expected).position(|(a, b)| a != b) {
            Some(at) => Err(format!("output {output}: byte {at} belongs to no element and was written")),
            None => Ok(()),
        }
    }

    /// What is run, in words.
    fn describe(&self, isa: Isa) -> String {
        let mut text = format!("{isa}, {:?}", self.way);
        let lay = |text: &mut String, dtype: DType, lay: &Lay| {
            let _ = write!(text, "{dtype} {:?} strides {:?} of elements", lay.shape, lay.strides);
        };
        for (i, input) in self.inputs.iter().enumerate() {
            let _ = write!(text, "; input {i}: ");
            lay(&mut text, input.dtype, &input.lay);
            let _ = write!(text, " at element {}", input.base);
        }
        match &self.output {
            Output::Given(lays, offset) => {
                for one in lays {
                    let _ = write!(text, "; out at {offset}: {:?} strides {:?} of elements", one.shape, one.strides);
                }
            }
            other => {
                let _ = write!(text, "; out {other:?}");
            }
        }
        text
    }
}

/// Copies an element: of a known size, which is much faster than a call of `memcpy`.
#[inline(always)]
fn copy(into: &mut [u8], from: &[u8]) {
    match into.len() {
        1 => into[0] = from[0],
        2 => into.copy_from_slice(&from[..2]),
        4 => into[..4].copy_from_slice(&from[..4]),
        8 => into[..8].copy_from_slice(&from[..8]),
        _ => into.copy_from_slice(from),
    }
}
