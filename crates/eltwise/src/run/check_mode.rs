//! Check mode: with `ELTWISE_CHECK=1`, every run of a plan is compared with the definitions of its operators. Any value
//! except `0` and the empty one turns it on, as for `ELTWISE_TRACE`. A build without the feature `check` reports that
//! it cannot. [`run`] is the instrumented run.
//!
//! Each step runs alone over dense arrays, on the plan's ISA, and is compared with `eltwise-reference`: exact operators
//! bit for bit (any NaN equals any NaN), math operators within their bound. The outputs of the run are then compared
//! with the results of the last steps, bit for bit. So an error names the step whose kernel is wrong, or the output
//! that planning, packing or threads got wrong. Inputs are copied before the run, which may overwrite them.
//!
//! Not compared: programs with the caller's own operators, which have no definition here; runs whose tasks the caller
//! runs ([`Plan::tasks_over`]); and [`run_dense`](crate::kernels::run_dense).

use core::mem::MaybeUninit;

use eltwise_core::{Accuracy, Broadcast, DType, Error, Layout, Op, Shape};
use eltwise_plan::Hoist;
use eltwise_plan::ir::program::Node;
use eltwise_reference::indexing::Indices;
use eltwise_reference::{Conditions, Tensor, evaluate_with_conditions, is_within};

use super::Addresses;
use crate::plan::{BindOptions, Plan};
use crate::program::Program;
use crate::status::Status;
use crate::threads::{Executor, Serial};

/// Runs a plan and compares the results.
///
/// # Errors
/// [`Error::Check`] if a result differs from the definition; [`Error::TooLarge`] if there is no memory for copies.
///
/// # Safety
/// As for [`Plan::execute`](crate::Plan).
pub(crate) unsafe fn run(
    plan: &Plan,
    executor: &dyn Executor,
    input: impl Fn(usize) -> *mut u8,
    output: impl Fn(usize) -> *mut u8,
    scratch: Option<&mut [MaybeUninit<u8>]>,
) -> Result<Status, Error> {
    if plan.0.program.values().iter().any(|value| matches!(value.node, Node::Custom { .. })) {
        // SAFETY: the caller's contract.
        return unsafe { plan.execute_observed(executor, input, output, scratch) };
    }
    let copy = |layouts: &[Layout], pointer: &dyn Fn(usize) -> *mut u8| -> Result<Vec<Tensor>, Error> {
        // SAFETY: the caller's contract: the pointers are valid for the layouts, and nothing else writes at this time.
        layouts.iter().enumerate().map(|(k, layout)| unsafe { read(pointer(k), layout) }).collect()
    };
    let inputs = copy(plan.input_layouts(), &input)?;
    // SAFETY: the caller's contract.
    let status = unsafe { plan.execute_observed(executor, &input, &output, scratch) }?;
    if status.cancelled() {
        // The outputs are only partly written.
        return Ok(status);
    }
    let outputs = copy(plan.output_layouts(), &output)?;
    match difference(plan, &inputs, &outputs, status)? {
        None => Ok(status),
        Some(difference) => Err(Error::Check { difference, plan: describe(plan, executor.width(), &input, &output) }),
    }
}

/// Copies the elements of a layout into a dense tensor.
///
/// # Safety
/// Every element of the layout is readable, with element `[0, 0, ...]` at `ptr`, and nothing writes to them during the
/// call.
unsafe fn read(ptr: *const u8, layout: &Layout) -> Result<Tensor, Error> {
    let (shape, size) = (layout.shape(), layout.dtype().size());
    let mut data = Vec::new();
    let too_large = |_| Error::TooLarge { shape: shape.clone(), element_bytes: size };
    data.try_reserve_exact(shape.bytes(size)?).map_err(too_large)?;
    let mut indices = Indices::new(shape);
    while let Some(index) = indices.current() {
        let steps = index.iter().zip(layout.strides().iter());
        let offset = steps.fold(0isize, |sum, (&i, &stride)| sum.wrapping_add((i as isize).wrapping_mul(stride)));
        // SAFETY: an element of the layout.
        data.extend_from_slice(unsafe { core::slice::from_raw_parts(ptr.wrapping_offset(offset), size) });
        indices.advance();
    }
    Tensor::new(layout.dtype(), shape.clone(), data)
}

/// Describes the first difference of a run from the definition.
fn difference(plan: &Plan, inputs: &[Tensor], outputs: &[Tensor], status: Status) -> Result<Option<String>, Error> {
    let program = &plan.0.program;
    let (mut values, mut expected_conditions): (Vec<Tensor>, _) = (Vec::new(), Conditions::default());
    for (at, value) in program.values().iter().enumerate() {
        let computed = match &value.node {
            Node::Input(i) => inputs.get(*i).cloned(),
            Node::Constant(constant) => Some(Tensor::scalar((*constant).into())),
            Node::Step { op, args, broadcast, .. } => {
                let tier = value.accuracy();
                let args: Vec<&Tensor> = args.iter().map(|a| &values[a.index()]).collect();
                let (defined, met) = evaluate_with_conditions(*op, &args, Some(value.dtype), broadcast)?;
                let (computed, status) = run_step(plan, (*op, tier), &args, value.dtype, broadcast)?;
                let what = || format!("step {at}, {op} of {} to {}, by itself", args[0].dtype(), value.dtype);
                if let Some(position) = first_difference((*op, tier), &defined, &computed)? {
                    return Ok(Some(at_element(&what(), &computed, &defined, position)));
                }
                if !defined.shape().contains(&0) && conditions(status) != met {
                    return Ok(Some(format!("{} met {:?}, expected {met:?}", what(), conditions(status))));
                }
                expected_conditions |= met;
                Some(computed)
            }
            _ => None,
        };
        let unknown = || Error::Expression { message: format!("check mode has no definition of {:?}", value.node) };
        values.push(computed.ok_or_else(unknown)?);
    }
    for (o, (id, output)) in program.outputs().iter().zip(outputs).enumerate() {
        if let Some((position, ..)) = values[id.index()].difference(output)? {
            return Ok(Some(at_element(&format!("output {o}"), output, &values[id.index()], position)));
        }
    }
    let empty = outputs.iter().any(|output| output.shape().contains(&0));
    let wrong = !empty && conditions(status) != expected_conditions;
    Ok(wrong.then(|| format!("the run met {:?}, expected {expected_conditions:?}", conditions(status))))
}

/// Runs one step over dense arrays, as a separate plan on the same ISA.
fn run_step(
    plan: &Plan,
    (op, tier): (Op, Accuracy),
    args: &[&Tensor],
    to: DType,
    mode: &Broadcast,
) -> Result<(Tensor, Status), Error> {
    let dtypes: Vec<DType> = args.iter().map(|a| a.dtype()).collect();
    let layouts: Vec<Layout> =
        args.iter().map(|a| Layout::contiguous(a.dtype(), a.shape().clone())).collect::<Result<_, _>>()?;
    let layouts: Vec<&Layout> = layouts.iter().collect();
    let step = Program::single_at(op, &dtypes, Some(to), mode.clone(), tier)?;
    let options = BindOptions::new().isa(plan.isa()).c_order().non_temporal(false).hoist(Hoist::Never);
    let step = step.bind_with(&layouts, &options)?;
    let shape: Shape = step.output_layouts()[0].shape().clone();
    let mut out = Vec::new();
    let bytes = shape.bytes(to.size())?;
    out.try_reserve_exact(bytes).map_err(|_| Error::TooLarge { shape: shape.clone(), element_bytes: to.size() })?;
    out.resize(bytes, 0u8);
    let memory = out.as_mut_ptr();
    let input = |i: usize| args[i].data().as_ptr().cast_mut();
    // SAFETY: the arrays are dense, as the layouts that the plan was bound to; the output is new and in C order.
    let done = unsafe { step.dispatch(&Serial, None, input, |_| memory, None) }?;
    Ok((Tensor::new(to, shape, out)?, done.status))
}

/// The position of the first element of a step that differs from its definition: by any bit, or for fast math operators
/// by more than their error bound.
fn first_difference((op, tier): (Op, Accuracy), defined: &Tensor, computed: &Tensor) -> Result<Option<usize>, Error> {
    if !op.info().is_math(defined.dtype()) || tier == Accuracy::CorrectlyRounded {
        return Ok(defined.difference(computed)?.map(|(at, ..)| at));
    }
    let bound = op.info().error_bound(defined.dtype());
    Ok(defined.values().zip(computed.values()).position(|(a, b)| !is_within(a, b, bound)))
}

/// `WHAT, element [1, 2]: GIVEN, expected EXPECTED`
fn at_element(what: &str, given: &Tensor, expected: &Tensor, position: usize) -> String {
    let mut index = vec![0; given.shape().rank()];
    let mut rest = position;
    for (i, &size) in index.iter_mut().zip(given.shape().iter()).rev() {
        (*i, rest) = (rest % size.max(1), rest / size.max(1));
    }
    let value = |t: &Tensor| t.values().nth(position).map_or_else(String::new, |v| v.to_string());
    format!("{what}, element {index:?}: {}, expected {}", value(given), value(expected))
}

/// The data conditions of a run, as the reference gives them.
fn conditions(status: Status) -> Conditions {
    Conditions { zero_division: status.zero_division(), negative_exponent: status.negative_exponent() }
}

/// Describes the operands, a line each, and the plan.
fn describe(plan: &Plan, width: usize, input: Addresses<'_>, output: Addresses<'_>) -> String {
    let line = |kind: &str, k: usize, layout: &Layout, ptr: *mut u8, in_place: &str| {
        format!("  {kind} {k}: {layout}, {} bytes past a cache line{in_place}\n", ptr.addr() % 64)
    };
    let (inputs, outputs) = (plan.input_layouts(), plan.output_layouts());
    let mut text: String =
        inputs.iter().enumerate().map(|(i, layout)| line("input", i, layout, input(i), "")).collect();
    for (o, layout) in outputs.iter().enumerate() {
        let same = (0..inputs.len()).find(|&i| input(i) == output(o));
        let in_place = same.map_or_else(String::new, |i| format!(", the memory of input {i}"));
        text += &line("output", o, layout, output(o), &in_place);
    }
    text + &format!("  {}, {width} threads\n{}", plan.isa(), plan.explain(width))
}

#[cfg(test)]
mod tests {
    use eltwise_reference::{Value, evaluate};

    use super::*;
    use crate::view::{View, ViewMut};

    fn f32s(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    fn tensor(values: &[f32]) -> Tensor {
        Tensor::new(DType::F32, [values.len()], f32s(values)).unwrap()
    }

    fn plan(text: &str, n: usize) -> Plan {
        let layout = Layout::contiguous(DType::F32, [n]).unwrap();
        Program::parse(text, &[("x", DType::F32), ("y", DType::F32)]).unwrap().bind(&[&layout, &layout]).unwrap()
    }

    /// The difference that is reported for a run of `x` and `y` that gives `out`.
    fn found(text: &str, x: &[f32], y: &[f32], out: &[f32]) -> Option<String> {
        let inputs = [tensor(x), tensor(y)];
        difference(&plan(text, x.len()), &inputs, &[tensor(out)], Status::default()).unwrap()
    }

    #[test]
    fn correct_results_pass_and_wrong_elements_are_named() {
        let (x, y) = ([1.0, 2.0, f32::NAN], [0.5, 0.25, 1.0]);
        assert_eq!(found("x * y + x", &x, &y, &[1.5, 2.5, f32::NAN]), None);
        let wrong = found("x * y + x", &x, &y, &[1.5, 2.5000002, f32::NAN]).unwrap();
        assert!(
            wrong.starts_with("output 0, element [1]: f32 2.500000238418579 (0x40200001), expected f32 2.5"),
            "{wrong}"
        );
        assert!(found("x * y + x", &x, &y, &[1.5, 2.5, 0.0]).is_some(), "a number for a NaN");
        assert!(found("x * y", &[-1.0; 3], &[0.0; 3], &[0.0; 3]).is_some(), "the sign of a zero");
    }

    #[test]
    fn a_program_with_math_must_have_the_bits_of_its_steps() {
        let x = [0.1f32, 0.7, 3.0];
        let right =
            run_step(&plan("x + y", 3), (Op::Exp, Accuracy::Fast), &[&tensor(&x)], DType::F32, &Broadcast::Numpy)
                .unwrap()
                .0;
        let right: Vec<f32> = right.values().map(Value::to_f32).collect();
        assert_eq!(found("exp(x) + y * 0", &x, &[0.0; 3], &right), None);
        let above: Vec<f32> = right.iter().map(|x| x.next_up()).collect();
        assert!(found("exp(x) + y * 0", &x, &[0.0; 3], &above).unwrap().starts_with("output 0, element [0]"));
    }

    #[test]
    fn math_steps_that_exceed_their_bound_are_found() {
        let x = tensor(&[0.5, -2.0, 40.0]);
        let defined = evaluate(Op::Exp, &[&x], None, &Broadcast::Numpy).unwrap();
        let off = |by: u128| {
            let values: Vec<Value> = defined.values().map(|v| Value::new(v.dtype, v.bits + by)).collect();
            Tensor::from_values(DType::F32, [3], &values).unwrap()
        };
        let first = |got: &Tensor| first_difference((Op::Exp, Accuracy::Fast), &defined, got).unwrap();
        assert_eq!([first(&off(0)), first(&off(1)), first(&off(2))], [None, None, Some(0)]);
    }

    #[test]
    fn missing_data_conditions_are_found() {
        let layout = Layout::contiguous(DType::I32, [2]).unwrap();
        let program = Program::parse("x / y", &[("x", DType::I32), ("y", DType::I32)]).unwrap();
        let plan = program.bind(&[&layout, &layout]).unwrap();
        let ints =
            |a: [i128; 2]| Tensor::from_values(DType::I32, [2], &a.map(|x| Value::from_i128(DType::I32, x))).unwrap();
        let found = difference(&plan, &[ints([1, 2]), ints([0, 1])], &[ints([0, 2])], Status::default()).unwrap();
        assert!(found.unwrap().contains("zero_division: false"));
    }

    /// `x + y` with the kernel of a subtraction.
    fn damaged() -> Plan {
        let mut plan = plan("x + y", 3);
        let wrong = eltwise_kernels::table::kernel(Op::Subtract, DType::F32, DType::F32, plan.isa()).unwrap().kernel;
        plan.0.single.as_mut().unwrap().kernel = wrong;
        plan
    }

    /// Runs itself in child processes with and without the variable. With it, every way to run a damaged plan reports
    /// the damage, and an intact plan passes. The error names the element, the layouts, the ISA and the plan.
    #[test]
    fn the_variable_turns_check_mode_on_for_every_way_to_run() {
        const ROLE: &str = "ELTWISE_TEST_DAMAGED_PLAN";
        if std::env::var_os(ROLE).is_some() {
            let found = |plan: &Plan| -> Vec<bool> {
                let bytes = [f32s(&[1.0, 2.0, 3.0]), f32s(&[0.0, 5.0, 0.0])];
                let layout = plan.input_layouts()[0].clone();
                let views = bytes.each_ref().map(|b| View::from_bytes(b, layout.clone(), 0).unwrap());
                let mut out = f32s(&[0.0; 3]);
                let mut out = [ViewMut::from_bytes(&mut out, layout.clone(), 0).unwrap()];
                let mut in_out = bytes[0].clone();
                let mut in_out = ViewMut::from_bytes(&mut in_out, layout.clone(), 0).unwrap();
                let (ins, to) = (bytes.each_ref().map(|b| b.as_ptr()), [out[0].as_mut_ptr()]);
                let results = [
                    plan.run(&views, &mut out).map(drop),
                    plan.run_with(&Serial, &views, &mut out).map(drop),
                    plan.run_with_scratch(&Serial, &views, &mut out, &mut []).map(drop),
                    plan.run_checked(&Serial, &views, &mut out),
                    plan.run_to_arrays(&Serial, &views).map(drop),
                    plan.run_in_place(&Serial, 0, &views[1..], &mut in_out).map(drop),
                    // SAFETY: the operands' own memory, of the plan's layouts.
                    unsafe { plan.run_at(&Serial, &ins, &to) }.map(drop),
                ];
                let is_found = |r: Result<(), Error>| match r {
                    Ok(()) => false,
                    Err(error @ Error::Check { .. }) => {
                        println!("{error}");
                        true
                    }
                    Err(other) => panic!("{other}"),
                };
                results.into_iter().map(is_found).collect()
            };
            println!("damaged {:?} sound {:?}", found(&damaged()), found(&plan("x + y", 3)));
            return;
        }
        let module = module_path!().split_once("::").unwrap().1;
        let name = format!("{module}::the_variable_turns_check_mode_on_for_every_way_to_run");
        for (value, on) in [("1", true), ("true", true), ("0", false), ("", false)] {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", &name, "--nocapture"]).env(ROLE, "1").env("ELTWISE_CHECK", value);
            let out = child.output().unwrap();
            let text = String::from_utf8_lossy(&out.stdout);
            let expected = format!("damaged {:?} sound {:?}", [on; 7], [false; 7]);
            assert!(
                out.status.success() && text.contains(&expected),
                "ELTWISE_CHECK={value:?}: no {expected} in {text}"
            );
            for part in [
                "output 0, element [1]: f32 -3.0",
                "expected f32 7.0",
                "input 1: f32[3]",
                "memory of input 0",
                "add f32",
                plan("x + y", 3).isa().name(),
            ] {
                assert_eq!(text.contains(part), on, "ELTWISE_CHECK={value:?}: {part:?} in {text}");
            }
        }
    }
}
