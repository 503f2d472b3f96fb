//! Runs plans and compares results with the reference: [`bind`], [`run`], [`compare_outputs`]; [`operator`] does all
//! three.

use eltwise::{BindOptions, Broadcast, DType, Error, ErrorBound, Executor, Isa, Layout, Plan, Program, Serial, Status};
use eltwise_reference::{Conditions, Tensor, is_within};

use crate::arrangement::Arrangement;
use crate::operand::Operand;
use crate::skips::skipped;

/// The ISAs to test: all that this CPU has and no override disables. Prints them, and reports the ISAs of this
/// architecture that the CPU lacks as skipped.
pub fn isas() -> Vec<Isa> {
    let isas: Vec<Isa> = tested_isas().collect();
    println!("ISAs tested: {isas:?}");
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_native() && !isa.is_available()) {
        skipped(&format!("this CPU has no {isa}: nothing was tested on that ISA"));
    }
    isas
}

/// The ISAs to test, without output.
pub fn tested_isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_available() && *isa <= Isa::current())
}

/// How a plan is run.
#[derive(Clone, Copy)]
pub enum RunMode<'e> {
    /// On an executor.
    On(&'e dyn Executor),
    /// As this many tasks, the last first, by [`Plan::tasks_over`].
    Tasks(usize),
}

/// Runs a plan into outputs.
///
/// # Errors
/// The errors of the run.
///
/// # Panics
/// If the run changes any byte of the buffer of an input.
pub fn run(plan: &Plan, mode: RunMode<'_>, inputs: &[Operand], outputs: &mut [Operand]) -> Result<Status, Error> {
    let before: Vec<Vec<u8>> = inputs.iter().map(|input| input.bytes().to_vec()).collect();
    let views: Vec<_> = inputs.iter().map(Operand::view).collect();
    let mut outputs: Vec<_> = outputs.iter_mut().map(Operand::view_mut).collect();
    let result = match mode {
        RunMode::On(executor) => plan.run_with(executor, &views, &mut outputs),
        RunMode::Tasks(tasks) => run_tasks(plan, tasks, &views, &mut outputs),
    };
    for (i, (input, before)) in inputs.iter().zip(&before).enumerate() {
        assert!(input.bytes() == before, "the run changed input {i} ({})\n{}", input.layout(), plan.explain(1));
    }
    result
}

/// Runs a plan as `tasks` tasks, the last first.
///
/// # Errors
/// The errors of the run.
pub(crate) fn run_tasks(
    plan: &Plan,
    tasks: usize,
    inputs: &[eltwise::View<'_>],
    outputs: &mut [eltwise::ViewMut<'_>],
) -> Result<Status, Error> {
    let run = plan.tasks_over(tasks, inputs, outputs)?;
    let mut met = Status::default();
    for task in (0..run.count()).rev() {
        // SAFETY: each task runs once, and all on this thread, so no two run at the same time.
        met |= unsafe { run.run(task) }?;
    }
    Ok(met)
}

/// The data conditions of a run, as the reference gives them.
pub fn conditions(status: Status) -> Conditions {
    Conditions { zero_division: status.zero_division(), negative_exponent: status.negative_exponent() }
}

/// Binds a program and makes its outputs. Their layouts are given by arrangements (repeated if they are fewer than the
/// outputs), or without any chosen by the engine.
///
/// # Errors
/// The errors of [`Program::bind_with`].
pub fn bind(
    program: &Program,
    inputs: &[Operand],
    shape: &eltwise::Shape,
    outputs: Option<&[Arrangement]>,
    isa: Isa,
) -> Result<(Plan, Vec<Operand>), Error> {
    bind_with(program, inputs, shape, outputs, BindOptions::new().isa(isa))
}

/// As [`bind`], with options.
///
/// # Errors
/// The errors of [`Program::bind_with`].
pub fn bind_with(
    program: &Program,
    inputs: &[Operand],
    shape: &eltwise::Shape,
    outputs: Option<&[Arrangement]>,
    options: BindOptions,
) -> Result<(Plan, Vec<Operand>), Error> {
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
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

/// Compares outputs with the expected tensors, and checks that no byte outside their elements was written. With
/// `payloads`, NaN payloads have to match as well.
///
/// # Errors
/// A description of the first difference.
pub fn compare_outputs(expected: &[Tensor], outputs: &[Operand], payloads: bool) -> Result<(), String> {
    compare_outputs_within(expected, outputs, payloads, ErrorBound::EXACT)
}

/// Like [`compare_outputs`], but elements may differ from the expected ones by the bound.
///
/// # Errors
/// A description of the first difference.
pub fn compare_outputs_within(
    expected: &[Tensor],
    outputs: &[Operand],
    payloads: bool,
    bound: ErrorBound,
) -> Result<(), String> {
    for (o, (expected, output)) in expected.iter().zip(outputs).enumerate() {
        if let Some(at) = output.first_clobbered_byte() {
            return Err(format!("output {o} ({}): byte {at} belongs to no element and was written", output.layout()));
        }
        compare_tensors_within(expected, &output.tensor(), payloads, bound)
            .map_err(|e| format!("output {o} ({}): {e}", output.layout()))?;
    }
    Ok(())
}

/// Compares two tensors. With `payloads`, NaN payloads have to match as well.
///
/// # Errors
/// A description of the first difference.
pub fn compare_tensors(expected: &Tensor, got: &Tensor, payloads: bool) -> Result<(), String> {
    compare_tensors_within(expected, got, payloads, ErrorBound::EXACT)
}

/// Like [`compare_tensors`], but elements may differ from the expected ones by the bound.
///
/// # Errors
/// A description of the first difference.
pub fn compare_tensors_within(
    expected: &Tensor,
    got: &Tensor,
    payloads: bool,
    bound: ErrorBound,
) -> Result<(), String> {
    if bound != ErrorBound::EXACT && expected.shape() == got.shape() && expected.dtype() == got.dtype() {
        let far = expected.values().zip(got.values()).position(|(a, b)| !is_within(a, b, bound));
        return match far {
            Some(at) => {
                let (a, b) = (expected.values().nth(at), got.values().nth(at));
                Err(format!("element {at} is {b:?}, expected {a:?} or a number at most {} steps from it", bound.ulp))
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
    if payloads && let Some(at) = expected.values().zip(got.values()).position(|(a, b)| a != b) {
        return Err(format!("element {at} is a NaN whose payload changed"));
    }
    Ok(())
}

/// Binds one operator, runs it on the calling thread, and compares the output and the data conditions with the expected
/// ones.
///
/// # Errors
/// A description of the first difference.
pub fn operator(
    typed_op: crate::TypedOp,
    mode: &Broadcast,
    inputs: &[Operand],
    out: Option<&Arrangement>,
    expected: &(Tensor, Conditions),
    isa: Isa,
) -> Result<(), String> {
    let outputs = out.map(std::slice::from_ref);
    let (plan, mut outputs) =
        bind(&typed_op.program_with_operands(mode, inputs.len()), inputs, expected.0.shape(), outputs, isa)
            .map_err(|e| format!("bind: {e}"))?;
    let status = run(&plan, RunMode::On(&Serial), inputs, &mut outputs).map_err(|e| format!("run: {e}"))?;
    let with_plan = |e: String| format!("{isa}: {e}\n{}", plan.explain(1));
    compare_outputs_within(std::slice::from_ref(&expected.0), &outputs, typed_op.moves_bits(), typed_op.error_bound())
        .map_err(with_plan)?;
    if conditions(status) != expected.1 {
        return Err(with_plan(format!("the run met {:?}, expected {:?}", conditions(status), expected.1)));
    }
    Ok(())
}
