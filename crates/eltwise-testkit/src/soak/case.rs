//! One case of the soak test: [`Case`] runs a tabulated program over operands with given layouts on an ISA, and
//! compares the result byte by byte.

use std::fmt::Write as _;
use std::sync::Arc;

use eltwise::{
    BindOptions, DType, ErrorKind, Isa, Layout, Plan, Program, Serial, Shape, Status, Strides, View, ViewMut,
};
use eltwise_reference::{Conditions, Value, same};

use super::pool::{Pool, Pools};
use super::random_layout::ElementLayout;
use super::rows::for_each_row;
use super::tabulated::TabulatedProgram;
use crate::check::{conditions, run_tasks};
use crate::executors::ReverseOrder;

/// Canary bytes before and after an output.
const MARGIN: usize = 64;
/// The value of a canary byte.
const CANARY: u8 = 0xa7;

/// An input: a view into a pool.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// The layout.
    pub layout: ElementLayout,
    /// The position in the pool of the input's lowest element in memory.
    pub base: usize,
    /// The pool.
    pub pool: Arc<Pool>,
    /// The dtype.
    pub dtype: DType,
}

/// Where the outputs of a case are stored.
#[derive(Clone, Debug)]
pub(super) enum Output {
    /// The engine chooses the layouts, in the axis order of the inputs.
    New,
    /// The engine chooses the layouts, in C order.
    COrder,
    /// In memory with these layouts, this many bytes from a cache line boundary.
    Given(Vec<ElementLayout>, usize),
    /// In the memory of this input.
    InPlace(usize),
}

impl Output {
    /// The name in the tally.
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
pub(super) enum Execution {
    /// On the calling thread.
    Serial,
    /// As this many tasks, the last first.
    Tasks(usize),
    /// On an executor of this width, as many tasks as it can have, the last first.
    Parallel(usize),
}

/// The end of a run without a difference.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// The result equals the expected one.
    Compared,
    /// The engine refused to run the case in place.
    Refused,
}

/// A program, its operands, and how it is run.
#[derive(Clone, Debug)]
pub(super) struct Case<'a> {
    /// The program that is run. It is the tabulated program, except for `broadcast_to`.
    pub program: &'a Program,
    /// The expected results.
    pub tabulated: &'a TabulatedProgram,
    /// The shape of the outputs.
    pub shape: Vec<usize>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Where the outputs are stored.
    pub output: Output,
    /// How the plan is run.
    pub execution: Execution,
    /// How often the plan is said to run: the planner searches longer for more runs.
    pub runs: usize,
}

/// The memory of an output before the run.
struct Memory {
    layout: Layout,
    before: Vec<u8>,
    /// The byte at which element `[0, 0, ...]` starts.
    first: usize,
}

impl Input {
    fn byte_layout(&self) -> Layout {
        byte_layout(self.dtype, &self.layout)
    }

    /// The byte of the pool at which element `[0, 0, ...]` starts.
    fn first(&self) -> usize {
        self.pool.start + (self.base + self.layout.first) * self.dtype.size()
    }

    fn view(&self) -> View<'_> {
        View::from_bytes(&self.pool.bytes, self.byte_layout(), self.first())
            .expect("an input should be inside its pool")
    }
}

/// A layout with strides in bytes.
fn byte_layout(dtype: DType, layout: &ElementLayout) -> Layout {
    let strides: Vec<isize> = layout.strides.iter().map(|s| s * dtype.size() as isize).collect();
    Layout::strided(dtype, Shape::new(&layout.shape), Strides::new(&strides)).expect("a small layout should be valid")
}

impl Case<'_> {
    /// Runs the case on an ISA and compares the result. Calls `note` with the plan.
    ///
    /// # Errors
    /// A description of the first difference, and of the case.
    pub(super) fn check(&self, pools: &Pools, isa: Isa, note: &mut dyn FnMut(&Plan)) -> Result<Outcome, String> {
        let layouts: Vec<Layout> = self.inputs.iter().map(Input::byte_layout).collect();
        let dtypes: Vec<DType> = self.program.outputs().iter().map(|&o| self.program.value(o).dtype).collect();
        // Small operands are worth no second task unless any work is.
        let options = BindOptions::new().isa(isa).runs(self.runs);
        let options = match self.execution {
            Execution::Parallel(_) => options.min_task_ns(0),
            _ => options,
        };
        let options = match &self.output {
            Output::New => options,
            Output::COrder => options.c_order(),
            Output::Given(given, _) => {
                options.outputs(dtypes.iter().zip(given).map(|(&d, layout)| byte_layout(d, layout)).collect::<Vec<_>>())
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
            Err(e) if matches!(self.output, Output::InPlace(_)) && e.kind() == ErrorKind::Alias => {
                return Ok(Outcome::Refused);
            }
            Err(e) => return Err(format!("run: {e}\n{}", self.describe(isa))),
        };
        let with_plan = |e: String| format!("{e}\n{}\n{}", self.describe(isa), plan.explain(1));
        let mut expected_met = Conditions::default();
        for (o, (memory, after)) in memory.iter().zip(&after).enumerate() {
            let expected = self.expected(pools, o, memory, &mut expected_met);
            self.compare(o, memory, &expected, after).map_err(with_plan)?;
        }
        let known = self.tabulated.never_meets || self.tabulated.conditions.is_some();
        if known && conditions(met) != expected_met {
            return Err(with_plan(format!("the run met {:?}, expected {expected_met:?}", conditions(met))));
        }
        Ok(Outcome::Compared)
    }

    fn memory(&self, output: usize, layout: &Layout) -> Memory {
        let layout = layout.clone();
        if let Output::InPlace(input) = self.output {
            let Input { layout: window, base, pool, dtype } = &self.inputs[input];
            let from = pool.start + base * dtype.size();
            let mut before = vec![CANARY; MARGIN];
            before.extend_from_slice(&pool.bytes[from..from + window.span * dtype.size()]);
            before.resize(before.len() + MARGIN, CANARY);
            return Memory { layout, before, first: MARGIN + window.first * dtype.size() };
        }
        let (low, high) = layout.span().expect("a small layout should be valid");
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
        match self.execution {
            Execution::Serial => plan.run_with(&Serial, &views, &mut outputs),
            Execution::Tasks(tasks) => run_tasks(plan, tasks, &views, &mut outputs),
            Execution::Parallel(width) => plan.run_with(&ReverseOrder(width), &views, &mut outputs),
        }
    }

    /// The memory of an output after a correct run. Adds the conditions that its elements meet to `met`.
    fn expected(&self, pools: &Pools, output: usize, memory: &Memory, met: &mut Conditions) -> Vec<u8> {
        let rank = self.shape.len();
        let mut strides: Vec<Vec<isize>> = Vec::new();
        let mut firsts = Vec::new();
        for input in &self.inputs {
            // An input that the program does not read may have any shape.
            let shape = &input.layout.shape;
            let fits = shape.len() <= rank
                && shape.iter().rev().zip(self.shape.iter().rev()).all(|(&n, &of)| n == 1 || n == of);
            strides.push(if fits { input.layout.broadcast(rank) } else { vec![0; rank] });
            firsts.push(input.base + input.layout.first);
        }
        strides.push(memory.layout.strides().to_vec());
        firsts.push(memory.first);
        let strides: Vec<&[isize]> = strides.iter().map(Vec::as_slice).collect();
        let (results, step) = self.tabulated.results_of(output);
        let size = memory.layout.dtype().size();
        let mut after = memory.before.clone();
        let (alphabet_size, count) = (self.tabulated.alphabet_size, self.inputs.len());
        let mut combinations = vec![0usize; self.shape.last().copied().unwrap_or(1)];
        for_each_row(&self.shape, &firsts, &strides, |columns, positions, along| {
            combinations.fill(0);
            for (&position, &stride) in positions[..count].iter().zip(along) {
                let mut element = position;
                for combination in &mut combinations {
                    *combination = *combination * alphabet_size + usize::from(pools.letters()[element]) % alphabet_size;
                    element = element.wrapping_add_signed(stride);
                }
            }
            let mut byte = positions[count];
            for &combination in &combinations[..columns] {
                let from = combination * step;
                copy(&mut after[byte..byte + size], &results[from..from + size]);
                byte = byte.wrapping_add_signed(along[count]);
            }
            if let Some(conditions) = &self.tabulated.conditions {
                combinations.iter().for_each(|&combination| *met |= conditions[combination]);
            }
        });
        after
    }

    /// Compares the memory of an output with the expected memory.
    ///
    /// # Errors
    /// The first wrong element, or the first byte that belongs to no element and was written.
    fn compare(&self, output: usize, memory: &Memory, expected: &[u8], after: &[u8]) -> Result<(), String> {
        if expected == after {
            return Ok(());
        }
        let dtype = memory.layout.dtype();
        let size = dtype.size();
        let (mut wrong, mut count) = (None, 0usize);
        // The memory after the run, with its elements replaced by the expected ones.
        let mut between = after.to_vec();
        let read = |bytes: &[u8], first: usize| Value::read(dtype, &bytes[first..first + size]);
        let mut row = 0;
        for_each_row(&self.shape, &[memory.first], &[memory.layout.strides()], |columns, positions, along| {
            let mut byte = positions[0];
            for column in 0..columns {
                if between[byte..byte + size] != expected[byte..byte + size] {
                    let (found, right) = (read(after, byte), read(expected, byte));
                    if self.tabulated.payloads || !same(found, right) {
                        wrong = wrong.or(Some((row, column, found, right)));
                        count += 1;
                    }
                    between[byte..byte + size].copy_from_slice(&expected[byte..byte + size]);
                }
                byte = byte.wrapping_add_signed(along[0]);
            }
            row += 1;
        });
        if let Some((row, column, found, right)) = wrong {
            let all = self.shape.iter().product::<usize>();
            return Err(format!(
                "output {output}: {count} of {all} elements are wrong, first row {row}, column {column}: {found}, expected {right}"
            ));
        }
        match between.iter().zip(expected).position(|(a, b)| a != b) {
            Some(byte) => Err(format!("output {output}: byte {byte} belongs to no element and was written")),
            None => Ok(()),
        }
    }

    /// A description of the case.
    fn describe(&self, isa: Isa) -> String {
        let mut text = format!("{isa}, {:?}", self.execution);
        for (i, input) in self.inputs.iter().enumerate() {
            let Input { layout: ElementLayout { shape, strides, .. }, base, dtype, .. } = input;
            let _ = write!(text, "; input {i}: {dtype} {shape:?}, strides {strides:?} in elements, at element {base}");
        }
        match &self.output {
            Output::Given(layouts, offset) => {
                for ElementLayout { shape, strides, .. } in layouts {
                    let _ = write!(text, "; output at {offset}: {shape:?}, strides {strides:?} in elements");
                }
            }
            other => {
                let _ = write!(text, "; output {other:?}");
            }
        }
        text
    }
}

/// Copies an element. A copy of a constant size is much faster than a call of `memcpy`.
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
