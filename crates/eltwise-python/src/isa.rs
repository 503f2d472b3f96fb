//! The instruction set in force: of the machine, lowered for a context.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use eltwise::Isa;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyTuple, PyType};

/// Whether a context was ever entered: until then, no call looks.
static LOWERED: AtomicBool = AtomicBool::new(false);

/// Python's context variable that holds the lowered level's name, or nothing.
fn variable(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static VARIABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let variable = VARIABLE.get_or_try_init(py, || {
        let class = py.import("contextvars")?.getattr("ContextVar")?;
        let default = [("default", py.None())].into_py_dict(py)?;
        PyResult::Ok(class.call(("eltwise_isa",), Some(&default))?.unbind())
    })?;
    Ok(variable.bind(py))
}

/// The level in force in this context.
#[inline]
pub(crate) fn current(py: Python<'_>) -> PyResult<Isa> {
    if !LOWERED.load(Ordering::Relaxed) {
        return Ok(Isa::current());
    }
    static GET: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    // The bound method is kept: to look it up costs more than to call it.
    let get = GET.get_or_try_init(py, || PyResult::Ok(variable(py)?.getattr("get")?.unbind()))?;
    let lowered: Option<u8> = get.bind(py).call0()?.extract()?;
    let lowered = lowered.and_then(|index| Isa::ALL.get(usize::from(index)).copied());
    Ok(lowered.map_or(Isa::current(), |isa| isa.min(Isa::current())))
}

/// The names of the instruction sets that this machine has kernels for, lowest first.
#[pyfunction]
#[pyo3(text_signature = "()")]
pub(crate) fn isas(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let names: Vec<&str> = Isa::available().filter(|&isa| isa <= Isa::current()).map(Isa::name).collect();
    PyTuple::new(py, names)
}

/// The name of the instruction set in force; with a name, a context manager that lowers it.
///
/// `with eltwise.isa("avx2"):` uses kernels of AVX2 in this context (thread, task) and those it starts, until it ends.
/// It only lowers. Results do not depend on it: it is for tests and measurements.
#[pyfunction]
#[pyo3(signature = (name=None))]
pub(crate) fn isa<'py>(py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let now = current(py)?;
    let Some(name) = name else { return Ok(now.name().into_pyobject(py)?.into_any()) };
    let wrong = |why: &str| {
        let names: Vec<&str> = Isa::available().filter(|&isa| isa <= now).map(Isa::name).collect();
        PyValueError::new_err(format!("isa({name:?}): {why}, expected one of {}", names.join(", ")))
    };
    let isa: Isa = name.parse().map_err(|_| wrong("unknown instruction set"))?;
    if !isa.is_available() {
        return Err(wrong("not available on this machine"));
    }
    if isa > now {
        return Err(wrong("an instruction set can only be lowered"));
    }
    Ok(Bound::new(py, LoweredIsa { isa, tokens: Mutex::new(Vec::new()) })?.into_any())
}

/// A context with a lowered instruction set. See `eltwise.isa`.
#[pyclass(frozen, module = "eltwise")]
pub(crate) struct LoweredIsa {
    isa: Isa,
    /// What the context variable gave for each time the context was entered.
    tokens: Mutex<Vec<Py<PyAny>>>,
}

#[pymethods]
impl LoweredIsa {
    fn __enter__(&self, py: Python<'_>) -> PyResult<()> {
        LOWERED.store(true, Ordering::Relaxed);
        let token = variable(py)?.call_method1("set", (self.isa as u8,))?;
        self.tokens.lock().map_err(|_| broken())?.push(token.unbind());
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
        let token = self.tokens.lock().map_err(|_| broken())?.pop();
        match token {
            Some(token) => variable(py)?.call_method1("reset", (token,)).map(drop),
            None => Err(PyRuntimeError::new_err("the context was not entered")),
        }
    }

    fn __repr__(&self) -> String {
        format!("eltwise.isa({:?})", self.isa.name())
    }
}

fn broken() -> PyErr {
    PyRuntimeError::new_err("a thread died in this context")
}
