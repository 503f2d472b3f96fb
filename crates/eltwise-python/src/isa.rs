//! The ISA whose kernels a call uses ([`current`]): the best of this machine, or a lower one in a `with
//! eltwise.isa(...)` block.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use eltwise::Isa;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyTuple, PyType};

/// Whether a block was ever entered in this process. Until then, calls do not read the context variable.
static EVER_LOWERED: AtomicBool = AtomicBool::new(false);

/// The Python context variable that holds the index of the lowered ISA, or None.
fn context_variable(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static VARIABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let variable = VARIABLE.get_or_try_init(py, || {
        let class = py.import("contextvars")?.getattr("ContextVar")?;
        let default = [("default", py.None())].into_py_dict(py)?;
        PyResult::Ok(class.call(("eltwise_isa",), Some(&default))?.unbind())
    })?;
    Ok(variable.bind(py))
}

/// The ISA to use in the current Python context.
#[inline]
pub(crate) fn current(py: Python<'_>) -> PyResult<Isa> {
    if !EVER_LOWERED.load(Ordering::Relaxed) {
        return Ok(Isa::current());
    }
    static GET: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    // Keep the bound method: looking it up costs more than calling it.
    let get = GET.get_or_try_init(py, || PyResult::Ok(context_variable(py)?.getattr("get")?.unbind()))?;
    let lowered: Option<u8> = get.bind(py).call0()?.extract()?;
    let lowered = lowered.and_then(|index| Isa::ALL.get(usize::from(index)).copied());
    Ok(lowered.map_or(Isa::current(), |isa| isa.min(Isa::current())))
}

/// The names of the instruction sets (ISAs) that this machine has kernels for, lowest first, as a tuple of str.
#[pyfunction]
#[pyo3(text_signature = "()")]
pub(crate) fn isas(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let names: Vec<&str> = Isa::available().filter(|&isa| isa <= Isa::current()).map(Isa::name).collect();
    PyTuple::new(py, names)
}

/// The name of the instruction set (ISA) in use; with a name, a context manager that lowers it.
///
/// `with eltwise.isa("avx2"):` uses AVX2 kernels in this context (a thread or an asyncio task) and in contexts copied
/// from it, until the block ends. Results do not depend on the ISA: lowering it is for tests and measurements.
///
/// Parameters
/// ----------
/// name : str, optional
///     One of `eltwise.isas()`, at most the ISA in use.
///
/// Returns
/// -------
/// str or context manager
///
/// Raises
/// ------
/// ValueError
///     An unknown name, an ISA that this machine does not have, or one above the ISA in use.
#[pyfunction]
#[pyo3(signature = (name=None))]
pub(crate) fn isa<'py>(py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let now = current(py)?;
    let Some(name) = name else { return Ok(now.name().into_pyobject(py)?.into_any()) };
    let error = |why: &str| {
        let names: Vec<&str> = Isa::available().filter(|&isa| isa <= now).map(Isa::name).collect();
        PyValueError::new_err(format!("isa({name:?}): {why}, expected one of {}", names.join(", ")))
    };
    let isa: Isa = name.parse().map_err(|_| error("unknown instruction set"))?;
    if !isa.is_available() {
        return Err(error("not available on this target"));
    }
    if isa > now {
        return Err(error("an instruction set can only be lowered"));
    }
    Ok(Bound::new(py, LoweredIsa { isa, tokens: Mutex::new(Vec::new()) })?.into_any())
}

/// A context manager that lowers the instruction set. See `eltwise.isa`.
#[pyclass(frozen, module = "eltwise")]
pub(crate) struct LoweredIsa {
    isa: Isa,
    /// The token of the context variable for each entry that has not exited.
    tokens: Mutex<Vec<Py<PyAny>>>,
}

#[pymethods]
impl LoweredIsa {
    fn __enter__(&self, py: Python<'_>) -> PyResult<()> {
        EVER_LOWERED.store(true, Ordering::Relaxed);
        let token = context_variable(py)?.call_method1("set", (self.isa as u8,))?;
        self.tokens.lock().map_err(|_| poisoned())?.push(token.unbind());
        Ok(())
    }

    #[pyo3(signature = (_type=None, _value=None, _traceback=None))]
    fn __exit__(
        &self,
        py: Python<'_>,
        _type: Option<&Bound<'_, PyType>>,
        _value: Option<&Bound<'_, PyAny>>,
        _traceback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let token = self.tokens.lock().map_err(|_| poisoned())?.pop();
        match token {
            Some(token) => context_variable(py)?.call_method1("reset", (token,)).map(drop),
            None => Err(PyRuntimeError::new_err("the context was not entered")),
        }
    }

    fn __repr__(&self) -> String {
        format!("eltwise.isa({:?})", self.isa.name())
    }
}

fn poisoned() -> PyErr {
    PyRuntimeError::new_err("a thread died in this context")
}
