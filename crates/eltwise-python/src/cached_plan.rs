//! Runs a [`FastCall`] of any shapes and strides ([`try_run`]) by the last program of its operator and a cached plan of
//! that program: calls in a loop mostly repeat their dtypes and layouts.

use core::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use eltwise::pairs::Pair;
use eltwise::{Broadcast, DType, Expr, Isa, Op, Plan, Program, Signature, Status};
use numpy::PyUntypedArray;
use numpy::npyffi::PY_ARRAY_API;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::array::{self, fields};
use crate::dtypes;
use crate::errors::CallError;
use crate::execute::execute;
use crate::fast_args::{FastCall, FastOperand};
use crate::programs::{CachedProgram, OperandMemory, ProgramKey, program};
use crate::run::NewArrays;

/// The key of a last program: the dtypes of the operands and of the (first) result.
type FastKey = (SmallVec<[DType; 4]>, DType);

type LastProgram = Mutex<Option<(FastKey, Arc<CachedProgram>)>>;

/// The last program of each operator, then of each pair. A comparison here is much cheaper than a lookup in the map of
/// [`program`].
static LAST_PROGRAMS: [LastProgram; Op::ALL.len() + Pair::ALL.len()] =
    [const { Mutex::new(None) }; Op::ALL.len() + Pair::ALL.len()];

/// Runs the call. The object is a new array or, for rank 0, a new scalar, or null with an exception set; or `out` (borrowed)
/// if it is given. `None` if the operands do not fit each other or `out`, or if `out` overlaps an operand that must be copied
/// first; nothing is written then.
pub(crate) fn try_run(py: Python<'_>, call: &FastCall<'_>) -> Option<(*mut PyObject, Status)> {
    let program = last_program(call.op.index(), call, || single(call))?;
    let operands = memory(call);
    let output = call.out.map(|(_, array)| OperandMemory::of(array, call.result));
    match try_run_program(py, &program, &operands, output.as_ref(), call.isa)? {
        Ok((new, status)) => {
            let object = match call.out {
                Some((out, _)) => out,
                None => returned(py, new?),
            };
            Some((object, status))
        }
        Err(error) => {
            error.restore(py);
            Some((ptr::null_mut(), Status::default()))
        }
    }
}

/// What a function returns for a new array: a new reference to the array or, for rank 0, to a scalar, or null with an
/// exception set.
fn returned(py: Python<'_>, new: Bound<'_, PyUntypedArray>) -> *mut PyObject {
    // SAFETY: Return steals the reference to the new array.
    unsafe { PY_ARRAY_API.PyArray_Return(py, new.into_ptr().cast()) }
}

fn memory<'a>(call: &'a FastCall<'_>) -> SmallVec<[OperandMemory<'a>; 4]> {
    let operand = |(i, operand): (usize, &'a FastOperand<'_>)| match operand {
        FastOperand::Array(array) => OperandMemory::of(*array, call.dtypes[i]),
        FastOperand::Number(bits) => OperandMemory::of_scalar(bits, call.dtypes[i]),
    };
    call.operands.iter().enumerate().map(operand).collect()
}

/// Runs both operators of a pair in one pass, given the call of the first, without `out`. Returns the two results, which
/// are new arrays or scalars, or null with an exception set. `None` as for [`try_run`].
pub(crate) fn try_run_pair(py: Python<'_>, pair: Pair, call: &FastCall<'_>) -> Option<([*mut PyObject; 2], Status)> {
    let program = last_program(Op::ALL.len() + pair as usize, call, || both(pair, &call.dtypes))?;
    match run_new(py, &program, &memory(call), call.isa)? {
        Ok((new, status)) => {
            let [first, second] = new.into_inner().ok()?;
            Some(([returned(py, first), returned(py, second)], status))
        }
        Err(error) => {
            error.restore(py);
            Some(([ptr::null_mut(); 2], Status::default()))
        }
    }
}

/// The program of both operators of a pair.
fn both(pair: Pair, dtypes: &[DType]) -> Option<Arc<CachedProgram>> {
    let inputs: SmallVec<[(&str, DType); 4]> = ["x", "y"].into_iter().zip(dtypes.iter().copied()).collect();
    let operands: SmallVec<[Expr; 4]> = inputs.iter().map(|(name, _)| Expr::input(name)).collect();
    let [first, second] = pair.expressions(&operands).ok()?;
    Some(Arc::new(CachedProgram::new(Program::promoting(&[&first, &second], &inputs).ok()?)))
}

/// Runs a program into `out`, or into a new array if there is no `out`. `None` if the operands do not fit, as for
/// [`try_run`].
/// The error is an exception of a signal handler.
pub(crate) fn try_run_program<'py>(
    py: Python<'py>,
    program: &CachedProgram,
    operands: &[OperandMemory<'_>],
    out: Option<&OperandMemory<'_>>,
    isa: Isa,
) -> Option<PyResult<(Option<Bound<'py, PyUntypedArray>>, Status)>> {
    let Some(out) = out else {
        return run_new(py, program, operands, isa).map(|done| done.map(|(mut new, status)| (new.pop(), status)));
    };
    let plan = program.plan(operands, Some(out), isa).ok()?;
    try_execute(py, &plan, operands, &[out.ptr]).map(|done| done.map(|status| (None, status)))
}

/// Runs a plan. `None` if the engine refuses the operands.
fn try_execute(
    py: Python<'_>,
    plan: &Plan,
    operands: &[OperandMemory<'_>],
    outputs: &[*mut u8],
) -> Option<PyResult<Status>> {
    match execute(py, plan, operands, outputs, None) {
        Ok(status) => Some(Ok(status)),
        Err(CallError::Engine(_)) => None,
        Err(CallError::Python(error) | CallError::Raised(error)) => Some(Err(error)),
    }
}

/// Runs a program into new arrays, one for each output.
fn run_new<'py>(
    py: Python<'py>,
    program: &CachedProgram,
    operands: &[OperandMemory<'_>],
    isa: Isa,
) -> Option<PyResult<(NewArrays<'py>, Status)>> {
    let plan = program.plan(operands, None, isa).ok()?;
    let mut new = SmallVec::new();
    let mut outputs: SmallVec<[*mut u8; 2]> = SmallVec::new();
    for layout in plan.output_layouts() {
        let array = array::empty(py, &dtypes::descr(py, layout.dtype()).ok()?, layout).ok()?;
        outputs.push(fields(&array).data());
        new.push(array);
    }
    let status = try_execute(py, &plan, operands, &outputs)?;
    Some(status.map(|status| (new, status)))
}

/// The program of a call, `LAST_PROGRAMS[index]` if that is for the same dtypes; else it is built, and kept there.
fn last_program(
    index: usize,
    call: &FastCall<'_>,
    build: impl FnOnce() -> Option<Arc<CachedProgram>>,
) -> Option<Arc<CachedProgram>> {
    let mut last = LAST_PROGRAMS[index].lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(((dtypes, result), program)) = &*last
        && *dtypes == call.dtypes
        && *result == call.result
    {
        return Some(Arc::clone(program));
    }
    let program = build()?;
    *last = Some(((call.dtypes.clone(), call.result), Arc::clone(&program)));
    Some(program)
}

/// The program of one operator.
fn single(call: &FastCall<'_>) -> Option<Arc<CachedProgram>> {
    let target = (call.op.signature() == Signature::Convert).then_some(call.result);
    let key = ProgramKey {
        op: call.op,
        operands: call.dtypes.clone(),
        exponent: None,
        target,
        out: None,
        mode: Broadcast::Numpy,
        accuracy: None,
        compute: None,
        is_masked: false,
        casts_out: false,
    };
    program(&key).ok()
}
