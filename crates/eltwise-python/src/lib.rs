//! The Python package `eltwise`: elementwise operators and expressions over NumPy arrays.
//!
//! | question | module |
//! |---|---|
//! | one function an operator | `functions`; `arguments` places what is given |
//! | the shortest way for small dense arrays | `flat` |
//! | every other call: promotion, a program, a run | `operand`, `apply`, `programs`, `run` |
//! | expressions from text | `compiled` |
//! | shapes and views | `broadcasting` |
//! | NumPy's arrays and dtypes | `array`, `dtypes` |
//! | threads, instruction sets | `threads`, `isa` |
//! | exceptions | `errors` |
//!
//! Python calls in with its lock held, and it is given up only around larger runs (`run`). `unsafe` stands where NumPy's
//! and Python's C structures are touched.

mod apply;
mod arguments;
mod array;
mod broadcasting;
mod compiled;
mod dtypes;
mod errors;
mod flat;
mod functions;
mod isa;
mod operand;
mod planned;
mod programs;
mod run;
mod short;
mod threads;

use eltwise::Op;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The names of all operators.
#[pyfunction]
#[pyo3(text_signature = "()")]
fn operators(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Op::ALL.iter().map(|op| op.name()))
}

/// The compiled part of the package `eltwise`.
// The short ways rely on Python's lock.
#[pymodule(gil_used = true)]
fn _eltwise(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    functions::add(module)?;
    module.add_function(wrap_pyfunction!(operators, module)?)?;
    module.add_function(wrap_pyfunction!(broadcasting::broadcast_shapes, module)?)?;
    module.add_function(wrap_pyfunction!(broadcasting::broadcast_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(broadcasting::broadcast_to, module)?)?;
    module.add_function(wrap_pyfunction!(compiled::compile, module)?)?;
    module.add_function(wrap_pyfunction!(isa::isas, module)?)?;
    module.add_function(wrap_pyfunction!(isa::isa, module)?)?;
    module.add_function(wrap_pyfunction!(threads::set_num_threads, module)?)?;
    module.add_function(wrap_pyfunction!(threads::get_num_threads, module)?)?;
    module.add_class::<compiled::Compiled>()?;
    module.add_class::<isa::LoweredIsa>()
}
