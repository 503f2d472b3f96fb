//! The engine against the oracle.

use eltwise::{BindOptions, Broadcast, DType, Error, Executor, Isa, Layout, Plan, Program, Serial, Status};
use eltwise_reference::{Conditions, Tensor, near};

use crate::arrangement::Arrangement;
use crate::operand::Operand;
use crate::skips::skipped;

/// The levels to test: those that this CPU can run and no override lowers. Says which of its architecture it lacks.
pub fn levels() -> Vec<Isa> {
    let run: Vec<Isa> = available().collect();
    println!("levels run: {run:?}");
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_native() && !isa.is_available()) {
        skipped(&format!("this CPU has no {isa}: nothing was run on that level"));
    }
    run
}

/// The levels to test, in silence.
pub fn available() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_available() && *isa <= Isa::current())
}

/// How a plan is run.
#[derive(Clone, Copy)]
pub enum How<'e> {
    /// On an executor.
    On(&'e dyn Executor),
    /// As this many tasks, last first, by [`Plan::tasks_over`].
    Tasks(usize),
}

/// Runs a plan into outputs.
///
/// # Errors
/// The plan's.
///
/// # Panics
/// When the run changes a byte of an input, or of what lies around it.
pub fn run(plan: &Plan, how: How<'_>, inputs: &[Operand], outputs: &mut [Operand]) -> Result<Status, Error> {
    let before: Vec<Vec<u8>> = inputs.iter().map(|input| input.bytes().to_vec()).collect();
    let views: Vec<_> = inputs.iter().map(Operand::view).collect();
    let mut outputs: Vec<_> = outputs.iter_mut().map(Operand::view_mut).collect();
    let done = match how {
        How::On(executor) => plan.run_with(executor, &views, &mut outputs),
        How::Tasks(tasks) => run_tasks(plan, tasks, &views, &mut outputs),
    };
    for (i, (input, before)) in inputs.iter().zip(&before).enumerate() {
        assert!(input.bytes() == before, "the run changed input {i} ({})\n{}", input.layout(), plan.explain(1));
    }
    done
}

/// Runs a plan as so many tasks, the last one first.
///
/// # Errors
/// The plan's.
pub(crate) fn run_tasks(
    plan: &Plan,
    tasks: usize,
    inputs: &[eltwise::View<'_>],
    outputs: &mut [eltwise::ViewMut<'_>],
) -> Result<Status, Error> {
    let run = plan.tasks_over(tasks, inputs, outputs)?;
    let mut met = Status::default();
    for task in (0..run.count()).rev() {
        // SAFETY: one thread runs every task.
        met |= unsafe { run.run(task) }?;
    }
    Ok(met)
}

/// What a run met, in the oracle's words.
pub fn conditions(status: Status) -> Conditions {
    Conditions { zero_division: status.zero_division(), negative_exponent: status.negative_exponent() }
}

/// Binds a program, its outputs laid out by arrangements, or chosen by the engine without.
///
/// # Errors
/// The engine's.
pub fn bind(
    program: &Program,
    inputs: &[Operand],
    shape: &eltwise::Shape,
    outputs: Option<&[Arrangement]>,
    isa: Isa,
) -> Result<(Plan, Vec<Operand>), Error> {
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    let options = BindOptions::new().isa(isa);
    let dtypes: Vec<DType> = program.outputs().iter().map(|&o| program.value(o).dtype).collect();
    let Some(arrangements) = outputs else {
        let plan = program.bind_with(&layouts, &options)?;
        let chosen: Vec<Operand> = plan.output_layouts().iter().map(|l| Operand::with_layout(l.clone())).collect();
        return Ok((plan, chosen));
    };
    let given: Vec<Operand> = (dtypes.iter().zip(arrangements.iter().cycle()))
        .map(|(&dtype, arrangement)| Operand::canary(dtype, shape, &arrangement.distinct()))
        .collect();
    let layouts_out: Vec<Layout> = given.iter().map(|o| o.layout().clone()).collect();
    Ok((program.bind_with(&layouts, &options.outputs(layouts_out))?, given))
}

/// The first difference between what was computed and what is right, with nothing written elsewhere. `bits`: NaN
/// payloads count.
///
/// # Errors
/// The difference, in words.
pub fn outputs_are(expected: &[Tensor], outputs: &[Operand], bits: bool) -> Result<(), String> {
    outputs_are_within(expected, outputs, bits, 0)
}

/// As [`outputs_are`], for results that may be `apart` numbers from what is right: see [`Cell::apart`](crate::Cell::apart).
///
/// # Errors
/// The difference, in words.
pub fn outputs_are_within(expected: &[Tensor], outputs: &[Operand], bits: bool, apart: u64) -> Result<(), String> {
    for (o, (expected, output)) in expected.iter().zip(outputs).enumerate() {
        if let Some(at) = output.stray() {
            return Err(format!("output {o} ({}): byte {at} is no element and was written", output.layout()));
        }
        same_within(expected, &output.tensor(), bits, apart)
            .map_err(|e| format!("output {o} ({}): {e}", output.layout()))?;
    }
    Ok(())
}

/// Whether two arrays are the same answer.
///
/// # Errors
/// The first difference, in words.
pub fn same(expected: &Tensor, got: &Tensor, bits: bool) -> Result<(), String> {
    same_within(expected, got, bits, 0)
}

/// As [`same`], for results that may be `apart` numbers from what is right.
///
/// # Errors
/// The first difference, in words.
pub fn same_within(expected: &Tensor, got: &Tensor, bits: bool, apart: u64) -> Result<(), String> {
    if apart > 0 && expected.shape() == got.shape() && expected.dtype() == got.dtype() {
        let far = expected.values().zip(got.values()).position(|(a, b)| !near(a, b, apart));
        return match far {
            Some(at) => {
                let (a, b) = (expected.values().nth(at), got.values().nth(at));
                Err(format!("element {at} is {b:?}, expected {a:?} or at most {apart} numbers beside it"))
            }
            None => Ok(()),
        };
    }
    if expected.shape() == got.shape() && expected.dtype() == got.dtype() && expected.data() == got.data() {
        return Ok(());
    }
    if let Some((at, expected, got)) = expected.difference(got).map_err(|e| e.to_string())? {
        return Err(format!("element {at} is {got}, expected {expected}"));
    }
    if bits {
        let at = expected.values().zip(got.values()).position(|(a, b)| a != b);
        return Err(format!("the payload of NaN {at:?} changed"));
    }
    Ok(())
}

/// Runs one operator of one plan on the calling thread and compares.
///
/// # Errors
/// The difference, in words.
pub fn operator(
    cell: crate::Cell,
    mode: &Broadcast,
    inputs: &[Operand],
    out: Option<&Arrangement>,
    expected: &(Tensor, Conditions),
    isa: Isa,
) -> Result<(), String> {
    let outputs = out.map(std::slice::from_ref);
    let (plan, mut outputs) = bind(&cell.program_of(mode, inputs.len()), inputs, expected.0.shape(), outputs, isa)
        .map_err(|e| format!("bind: {e}"))?;
    let status = run(&plan, How::On(&Serial), inputs, &mut outputs).map_err(|e| format!("run: {e}"))?;
    let tell = |e: String| format!("{isa}: {e}\n{}", plan.explain(1));
    outputs_are_within(std::slice::from_ref(&expected.0), &outputs, cell.moves(), cell.apart()).map_err(tell)?;
    if conditions(status) != expected.1 {
        return Err(tell(format!("the run met {:?}, expected {:?}", conditions(status), expected.1)));
    }
    Ok(())
}
