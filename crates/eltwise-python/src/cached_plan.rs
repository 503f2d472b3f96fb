//! Runs a [`FastCall`] of any shapes and strides ([`try_run`]) by the last program of its operator and a cached plan of
//! that program: calls in a loop mostly repeat their dtypes and layouts.

use std::sync::{Arc, Mutex, PoisonError};

use eltwise::{Broadcast, DType, Isa, Op, Signature, Status};
use numpy::PyUntypedArray;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::array::{self, fields};
use crate::dtypes;
use crate::fast_args::{FastCall, FastOperand};
use crate::programs::{CachedProgram, OperandMemory, ProgramKey, program};
use crate::run::execute;

/// The key of an operator's last program: T, the dtype of the result, the number of operands.
type FastKey = (DType, DType, usize);

type LastProgram = Mutex<Option<(FastKey, Arc<CachedProgram>)>>;

/// Each operator's last program. A comparison here is much cheaper than a lookup in the map of [`program`].
static LAST_PROGRAMS: [LastProgram; Op::ALL.len()] = [const { Mutex::new(None) }; Op::ALL.len()];

/// Runs the call. The object is a new array, or `out` (borrowed) if it is given. `None` if the operands do not fit each
/// other or `out`, or if `out` overlaps an operand that must be copied first; nothing is written then.
pub(crate) fn try_run(py: Python<'_>, call: &FastCall<'_>) -> Option<(*mut PyObject, Status)> {
    let program = last_program(call)?;
    let operands: SmallVec<[OperandMemory<'_>; 4]> = call
        .operands
        .iter()
        .enumerate()
        .map(|(i, operand)| match operand {
            FastOperand::Array(array) => OperandMemory::of(*array, call.dtype(i)),
            FastOperand::Number(bits) => OperandMemory::of_scalar(bits, call.t),
        })
        .collect();
    let output = call.out.map(|(_, array)| OperandMemory::of(array, call.result));
    let (new, status) = try_run_program(py, &program, &operands, output.as_ref(), call.isa)?;
    Some((call.out.map_or_else(|| new.map(Bound::into_ptr), |(out, _)| Some(out))?, status))
}

/// Runs a program into `out`, or into a new array if there is no `out`. `None` if the operands do not fit, as for
/// [`try_run`].
pub(crate) fn try_run_program<'py>(
    py: Python<'py>,
    program: &CachedProgram,
    operands: &[OperandMemory<'_>],
    out: Option<&OperandMemory<'_>>,
    isa: Isa,
) -> Option<(Option<Bound<'py, PyUntypedArray>>, Status)> {
    let plan = program.plan(operands, out, isa).ok()?;
    if let Some(out) = out {
        return Some((None, execute(py, &plan, operands, out.ptr).ok()?));
    }
    let layout = &plan.output_layouts()[0];
    let result = array::empty(py, &dtypes::descr(py, layout.dtype()).ok()?, layout).ok()?;
    let status = execute(py, &plan, operands, fields(&result).data()).ok()?;
    Some((Some(result), status))
}

/// The program of a call.
fn last_program(call: &FastCall<'_>) -> Option<Arc<CachedProgram>> {
    let key = (call.t, call.result, call.operands.len());
    let mut last = LAST_PROGRAMS[call.op.index()].lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((last_key, program)) = &*last
        && *last_key == key
    {
        return Some(Arc::clone(program));
    }
    let target = (call.op.signature() == Signature::Convert).then_some(call.result);
    let operands = (0..call.operands.len()).map(|i| call.dtype(i)).collect();
    let program =
        program(&ProgramKey { op: call.op, operands, target, out: None, mode: Broadcast::Numpy, accuracy: None })
            .ok()?;
    *last = Some((key, Arc::clone(&program)));
    Some(program)
}
