//! Calls of any shapes and strides, by the operator's last program and that program's last plan.

use std::sync::{Arc, Mutex, PoisonError};

use eltwise::{Broadcast, DType, Isa, Op, Signature, Status};
use numpy::PyUntypedArray;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::array::{self, fields};
use crate::dtypes;
use crate::programs::{Key, Made, Memory, program};
use crate::run::execute;
use crate::short::{Operand, Short};

/// What decides the program of an operator: T, the dtype of the result, the number of operands.
type Dtypes = (DType, DType, usize);

type Last = Mutex<Option<(Dtypes, Arc<Made>)>>;

/// Each operator's last program: finding it costs a fraction of what a look into a map costs.
static LAST: [Last; Op::ALL.len()] = [const { Mutex::new(None) }; Op::ALL.len()];

/// The result, a new reference if there is no `out`; `None` if something is wrong with the call, or an operand must be
/// copied first.
pub(crate) fn run(py: Python<'_>, call: &Short<'_>) -> Option<(*mut PyObject, Status)> {
    let made = last(call)?;
    let operands: SmallVec<[Memory<'_>; 4]> = call
        .operands
        .iter()
        .enumerate()
        .map(|(i, operand)| match operand {
            Operand::Array(array) => Memory::of(*array, call.dtype(i)),
            Operand::Number(bits) => {
                Memory { ptr: (&raw const *bits).cast_mut().cast(), dtype: call.t, shape: &[], strides: &[] }
            }
        })
        .collect();
    let to = call.out.map(|(_, array)| Memory::of(array, call.result));
    let (new, status) = run_made(py, &made, &operands, to.as_ref(), call.isa)?;
    Some((call.out.map_or_else(|| new.map(Bound::into_ptr), |(out, _)| Some(out))?, status))
}

/// Runs a program over operands, into memory that is given or else into a new array; `None` if something is wrong with them.
pub(crate) fn run_made<'py>(
    py: Python<'py>,
    made: &Made,
    operands: &[Memory<'_>],
    out: Option<&Memory<'_>>,
    isa: Isa,
) -> Option<(Option<Bound<'py, PyUntypedArray>>, Status)> {
    let plan = made.plan(operands, out, isa).ok()?;
    if let Some(out) = out {
        return Some((None, execute(py, &plan, operands, out.ptr).ok()?));
    }
    let layout = &plan.output_layouts()[0];
    let result = array::empty(py, &dtypes::descr(py, layout.dtype()).ok()?, layout).ok()?;
    let status = execute(py, &plan, operands, fields(&result).data()).ok()?;
    Some((Some(result), status))
}

/// The program of a call.
fn last(call: &Short<'_>) -> Option<Arc<Made>> {
    let dtypes = (call.t, call.result, call.operands.len());
    let mut last = LAST[call.op.index()].lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, made)) = &*last
        && *of == dtypes
    {
        return Some(Arc::clone(made));
    }
    let target = (call.op.signature() == Signature::Convert).then_some(call.result);
    let operands = (0..call.operands.len()).map(|i| call.dtype(i)).collect();
    let made =
        program(&Key { op: call.op, operands, target, out: None, mode: Broadcast::Numpy, accuracy: None }).ok()?;
    *last = Some((dtypes, Arc::clone(&made)));
    Some(made)
}
