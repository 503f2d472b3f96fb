//! The Python package `eltwise`: elementwise operators and expressions over NumPy arrays.
//!
//! # From a Python call to a kernel
//!
//! `eltwise.add(x, y, out=out)` goes through these modules, in this order:
//!
//! 1. `functions`: `entry::<OP>` is the C function of an operator. It tries the fast path (steps 2 to 4); if that
//!    declines the call, it takes the general path (steps 5 and 6). It also catches panics.
//! 2. `fast_args`: `read` accepts arrays of one native dtype, Python numbers, and the keywords `out` and `dtype`. It
//!    reads NumPy's structures directly, without calling into Python, and gets the ISA from `isa`.
//! 3. `dense_call`: `try_run` makes one kernel call, without a plan, if the engine finds that the operands are contiguous
//!    in one axis order or splats, and the run inline. It holds the GIL and uses the calling thread.
//! 4. `cached_plan`: `try_run` finds the operator's last program and a plan in its cache (`programs`), binds a new plan if
//!    dtypes or layouts differ, and continues with step 7.
//! 5. `arguments`, `operand`, `promotion`: the general path binds the arguments to parameters, converts operands to
//!    arrays, and resolves their dtypes as NumPy 2 does.
//! 6. `general_call`, `programs`, `run`: the program for these dtypes comes from a map, its plan from
//!    `CachedProgram::plan`. `ProgramRun::run` handles an `out` that is larger than the result, overlaps an operand or
//!    is byte-swapped: it runs into a new array, which NumPy copies to `out`.
//! 7. `execute` checks for overlap with the engine's test, chooses threads (`threads`) and releases the GIL
//!    unless the run is inline, and calls `eltwise::Plan::run_at`, which runs the kernels.
//! 8. `conditions`: reports data conditions, such as integer division by zero, through `numpy.errstate`. A result of
//!    rank 0 becomes a NumPy scalar.
//!
//! A compiled expression (`compile` makes a `compiled`, which has an `expression`) takes `run_native` (steps 4 and 7) if all
//! operands are arrays in native byte order, else `bound_call` (steps 5 to 7), then step 8. Operands of other libraries go
//! through `protocols` first, on both general paths.
//!
//! # Other modules
//!
//! | module | contents |
//! |---|---|
//! | `array`, `dtypes` | NumPy's arrays and element types |
//! | `broadcasting` | `broadcast_shapes`, `broadcast_arrays`, `broadcast_to` |
//! | `docstrings` | the documentation of the operators' functions |
//! | `ufunc_options` | the keywords of NumPy's ufuncs: `where`, `dtype`, `casting`, `order` |
//! | `errors` | Python exceptions for the engine's errors |
//! | `protocols` | operands of other libraries |
//! | `onnx` | a node of ONNX over arrays, for `onnx.py` |
//! | `overlap` | the engine's overlap test, for functions with two outputs |
//! | `isa`, `threads` | `eltwise.isa`, `eltwise.set_num_threads` |
//!
//! `unsafe` is only for the C structures and functions of NumPy and Python, and for the engine's calls over raw
//! pointers.

mod arguments;
mod array;
mod bound_call;
mod broadcasting;
mod cached_plan;
mod compile;
mod compiled;
mod conditions;
mod dense_call;
mod docstrings;
mod dtypes;
mod errors;
mod execute;
mod expression;
mod fast_args;
mod functions;
mod general_call;
mod isa;
mod onnx;
mod operand;
mod overlap;
mod programs;
mod promotion;
mod protocols;
mod run;
mod threads;
mod ufunc_options;

use eltwise::Op;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The names of all operators, as a tuple of str.
#[pyfunction]
#[pyo3(text_signature = "()")]
fn operators(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Op::ALL.iter().map(|op| op.name()))
}

/// The compiled part of the package `eltwise`.
// The fast path reads arrays without locking them: it needs the GIL, in free-threaded builds too.
#[pymodule(gil_used = true)]
fn _eltwise(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    functions::add_to(module)?;
    module.add_function(wrap_pyfunction!(operators, module)?)?;
    module.add_function(wrap_pyfunction!(broadcasting::broadcast_shapes, module)?)?;
    module.add_function(wrap_pyfunction!(broadcasting::broadcast_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(broadcasting::broadcast_to, module)?)?;
    module.add_function(wrap_pyfunction!(overlap::may_overlap, module)?)?;
    module.add_function(wrap_pyfunction!(compile::compile, module)?)?;
    module.add_function(wrap_pyfunction!(threads::_limit_threads, module)?)?;
    module.add_function(wrap_pyfunction!(protocols::is_foreign, module)?)?;
    module.add_function(wrap_pyfunction!(isa::isas, module)?)?;
    module.add_function(wrap_pyfunction!(isa::isa, module)?)?;
    module.add_function(wrap_pyfunction!(threads::set_num_threads, module)?)?;
    module.add_function(wrap_pyfunction!(threads::get_num_threads, module)?)?;
    module.add_class::<compiled::Compiled>()?;
    module.add_class::<onnx::OnnxNode>()?;
    module.add_class::<isa::LoweredIsa>()
}
