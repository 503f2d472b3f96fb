//! [`Compiled`]: a compiled expression as a callable object of Python.

use std::hash::{DefaultHasher, Hash, Hasher};

use eltwise::{DType, Expr, Isa, Status};
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList, PyString, PyTuple};
use smallvec::{SmallVec, smallvec};

use crate::array::fields;
use crate::bound_call::OPTIONS;
use crate::cached_plan::try_run_program;
use crate::dtypes::{self, ElementKind};
use crate::expression::{Definition, Expression, Key};
use crate::programs::OperandMemory;
use crate::run::ProgramRun;
use crate::{array, conditions, isa, protocols};

/// A compiled expression, which `eltwise.compile` makes: a function of arrays.
///
/// Parameters
/// ----------
/// *operands, **operands : array_like
///     One per name, by position or by name. Any shapes that broadcast, any strides.
/// out : numpy.ndarray or tuple, optional
///     The array to write, as for `eltwise.add`; for several expressions a tuple of arrays or None.
/// where : array_like of bool, optional
///     The elements to compute. It broadcasts with the operands. The others keep their value in `out`, and are 0 in a new
///     array.
/// progress : callable or bool, optional
///     A function that is called with the share of the work that is done, from 0 to 1: about 20 times a second if the call takes
///     longer than a second, and with 1.0 at its end. An exception that it raises stops the call. True shows a bar; it needs
///     the package tqdm.
///
/// Returns
/// -------
/// numpy.ndarray or NumPy scalar, or a tuple of them
///     `out` if it is given; else a new array in the axis order of the operands, or a scalar for rank 0. A tuple for
///     several expressions.
///
/// Raises
/// ------
/// TypeError
///     A dtype that an operator does not take, or a wrong number of operands.
/// ValueError
///     Shapes that do not broadcast; a negative exponent of integers, after out is written.
/// OverflowError
///     A Python integer or a literal that its integer dtype cannot hold.
#[pyclass(frozen, weakref, module = "eltwise")]
pub(crate) struct Compiled(pub(crate) Expression);

#[pymethods]
impl Compiled {
    /// The text of the expression.
    #[getter]
    fn text(&self) -> &str {
        &self.0.definition.text
    }

    /// The text of the expression: another name of `text`.
    #[getter]
    fn expression(&self) -> &str {
        &self.0.definition.text
    }

    /// The names of the parameters, as a tuple of str.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.definition.names)
    }

    /// The names of the parameters, as a tuple of str: another name of `inputs`.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.inputs(py)
    }

    /// The number of expressions.
    #[getter]
    fn outputs(&self) -> usize {
        self.0.exprs.len()
    }

    /// Whether a call returns a tuple.
    #[getter]
    fn returns_tuple(&self) -> bool {
        self.0.definition.returns_tuple
    }

    /// The signature, for `inspect.signature`.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = py.import("inspect")?;
        let class = inspect.getattr("Parameter")?;
        let names = &self.0.definition.names;
        let by_keyword = !names.iter().any(|name| OPTIONS.contains(&name.as_str()));
        let kind = class.getattr(if by_keyword { "POSITIONAL_OR_KEYWORD" } else { "POSITIONAL_ONLY" })?;
        let mut parameters: Vec<Bound<'py, PyAny>> =
            names.iter().map(|name| class.call1((name, &kind))).collect::<PyResult<_>>()?;
        let everywhere = true.into_pyobject(py)?.to_owned().into_any().unbind();
        for (option, default) in [("out", py.None()), ("where", everywhere), ("progress", py.None())] {
            let default = [("default", default)].into_py_dict(py)?;
            if by_keyword || !names.iter().any(|name| name == option) {
                parameters.push(class.call((option, class.getattr("KEYWORD_ONLY")?), Some(&default))?);
            }
        }
        inspect.getattr("Signature")?.call1((parameters,))
    }

    /// Computes the expression: see the class, whose documentation `help` shows.
    #[pyo3(signature = (*operands, **keywords))]
    fn __call__<'py>(
        slf: &Bound<'py, Compiled>,
        operands: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let isa = isa::current(py)?;
        if let Some((array, has_out, status, overflows)) = this.run_native(operands, keywords, isa)? {
            this.report(py, status, overflows)?;
            return if has_out { Ok(array.into_any()) } else { array::unwrap_scalar(array) };
        }
        if let Some(result) = protocols::call(slf.as_any(), operands, keywords)? {
            return Ok(result);
        }
        let mut call = this.0.bind(operands, keywords)?;
        let overflows = call.overflows || call.program.overflows();
        let has_out: SmallVec<[bool; 2]> = call.outs.iter().map(Option::is_some).collect();
        let (arrays, status) = call.run(py, isa).map_err(|e| this.0.exception(e, &call.operands))?;
        this.report(py, status, overflows)?;
        let mut results = SmallVec::<[Bound<'py, PyAny>; 2]>::new();
        for (array, has_out) in arrays.into_iter().zip(has_out) {
            results.push(if has_out { array.into_any() } else { array::unwrap_scalar(array)? });
        }
        match results.pop() {
            Some(result) if !this.0.definition.returns_tuple => Ok(result),
            last => Ok(PyTuple::new(py, results.into_iter().chain(last).collect::<Vec<_>>())?.into_any()),
        }
    }

    /// The dtype of the result for operands of these dtypes; a tuple of dtypes if a call returns a tuple.
    ///
    /// Takes one dtype for each parameter: anything that `numpy.dtype` accepts, or "bfloat16". Raises TypeError for dtypes
    /// that an operator does not take, and for a wrong number of them.
    #[pyo3(signature = (*dtypes))]
    fn result_type<'py>(&self, py: Python<'py>, dtypes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        self.0.check_count(dtypes.len(), "dtypes")?;
        let operands = dtypes.iter().map(|dtype| dtypes::parse(&dtype)).collect::<PyResult<_>>()?;
        let key = Key { operands, outs: smallvec![None; self.0.exprs.len()], is_masked: false };
        let program = self.0.program(key).map_err(|e| self.0.exception(e.into(), &[]))?;
        let results: Vec<Bound<'py, PyAny>> =
            program.result_dtypes().map(|dtype| dtypes::descr(py, dtype)).collect::<PyResult<_>>()?;
        match &results[..] {
            [result] if !self.0.definition.returns_tuple => Ok(result.clone()),
            results => Ok(PyTuple::new(py, results)?.into_any()),
        }
    }

    /// Explains the plan of a call with these operands, without running it: loops, tiles, steps.
    ///
    /// Takes the arguments of a call and returns a str.
    #[pyo3(signature = (*operands, **keywords))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<String> {
        let mut call = self.0.bind(operands, keywords)?;
        let isa = isa::current(py)?;
        let out = if self.0.exprs.len() == 1 { call.outs.pop().flatten() } else { None };
        let program_run = ProgramRun {
            program: &call.program,
            operands: &call.typed,
            out,
            descr: None,
            order: None,
            isa,
            progress: None,
        };
        program_run.explain().map_err(|e| self.0.exception(e, &call.operands))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Definition { text, names, accuracy, contract, returns_tuple } = &self.0.definition;
        let is_sequence = *returns_tuple && self.0.exprs.len() == 1;
        let text = PyString::new(py, text).repr()?;
        let text = if is_sequence { format!("[{text}]") } else { text.to_string() };
        let mut shown = format!("eltwise.compile({text}, {}", PyList::new(py, names)?.repr()?);
        if let Some(accuracy) = accuracy {
            shown += &format!(", accuracy=\"{accuracy}\"");
        }
        if *contract {
            shown += ", contract=True";
        }
        Ok(shown + ")")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Compiled>().is_ok_and(|other| other.get().0.definition == self.0.definition)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.definition.hash(&mut hasher);
        hasher.finish()
    }

    /// "compiled", for libraries that name what they make of a function after it, such as dask.
    #[getter]
    fn __name__(&self) -> &'static str {
        "compiled"
    }

    /// What dask makes names of tasks from: equal for functions that compute the same, in every process.
    fn __dask_tokenize__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Definition { text, names, accuracy, contract, returns_tuple } = &self.0.definition;
        let accuracy = accuracy.map(|accuracy| accuracy.to_string());
        let definition = (text, names.join(" "), accuracy, *contract, *returns_tuple);
        PyTuple::new(py, ["eltwise.compile".into_pyobject(py)?.into_any(), definition.into_pyobject(py)?.into_any()])
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let Definition { text, names, accuracy, contract, returns_tuple } = &self.0.definition;
        let options = [("contract", contract)].into_py_dict(py)?;
        if let Some(accuracy) = accuracy {
            options.set_item("accuracy", accuracy.to_string())?;
        }
        let compile = py.import("eltwise")?.getattr("compile")?;
        let compile = py.import("functools")?.getattr("partial")?.call((compile,), Some(&options))?;
        let is_sequence = *returns_tuple && self.0.exprs.len() == 1;
        let text =
            if is_sequence { vec![text].into_pyobject(py)?.into_any() } else { text.into_pyobject(py)?.into_any() };
        Ok((compile, (text, names.clone())))
    }
}

/// A function and its arguments, which recreate the object.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyAny>, Vec<String>));

/// A finished call: the result, whether it is `out`, its data conditions, and whether a number became infinite.
type Finished<'py> = (Bound<'py, PyUntypedArray>, bool, Status, bool);

impl Compiled {
    pub(crate) fn new(definition: Definition, exprs: Vec<Expr>) -> Compiled {
        Compiled(Expression::new(definition, exprs))
    }

    /// Runs a call of one expression whose operands and output are arrays in native byte order, without other keywords than
    /// `out`. `None` for other calls, and if something is wrong with the call: [`Compiled::bind`] then handles it or reports
    /// the error. Nothing is written then.
    fn run_native<'py>(
        &self,
        given: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
        isa: Isa,
    ) -> PyResult<Option<Finished<'py>>> {
        let py = given.py();
        if given.len() != self.0.definition.names.len() || self.0.definition.returns_tuple {
            return Ok(None);
        }
        let out = match keywords.filter(|keywords| !keywords.is_empty()) {
            None => None,
            // A parameter may have the name.
            Some(_) if self.0.definition.names.iter().any(|name| name == "out") => return Ok(None),
            Some(keywords) if keywords.len() == 1 => match keywords.get_item("out")? {
                Some(out) => Some(out).filter(|out| !out.is_none()),
                None => return Ok(None),
            },
            Some(_) => return Ok(None),
        };
        self.run_arrays(py, given, out.as_ref(), isa).transpose()
    }

    fn run_arrays<'py>(
        &self,
        py: Python<'py>,
        given: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
        isa: Isa,
    ) -> Option<PyResult<Finished<'py>>> {
        let native = |object: &Bound<'py, PyAny>| {
            let array = object.cast::<PyUntypedArray>().ok()?;
            match array::element_kind(array).ok()? {
                ElementKind::Value(dtype) if object.get_type_ptr() == array::array_type(py) => {
                    Some((array.clone(), dtype))
                }
                _ => None,
            }
        };
        let arrays: SmallVec<[(Bound<'py, PyUntypedArray>, DType); 4]> =
            given.iter().map(|object| native(&object)).collect::<Option<_>>()?;
        let out = match out {
            Some(object) => Some(native(object).filter(|(array, _)| fields(array).is_writeable())?),
            None => None,
        };
        let operands = arrays.iter().map(|array| array.1).collect();
        let key = Key { operands, outs: smallvec![out.as_ref().map(|out| out.1)], is_masked: false };
        let program = self.0.program(key).ok()?;
        let operands: SmallVec<[OperandMemory<'_>; 4]> =
            arrays.iter().map(|(array, dtype)| OperandMemory::of(fields(array), *dtype)).collect();
        let output = out.as_ref().map(|(array, dtype)| OperandMemory::of(fields(array), *dtype));
        let (new, status) = match try_run_program(py, &program, &operands, output.as_ref(), isa)? {
            Ok(done) => done,
            Err(error) => return Some(Err(error)),
        };
        let has_out = out.is_some();
        Some(Ok((new.or(out.map(|(array, _)| array))?, has_out, status, program.overflows())))
    }

    /// Reports the data conditions of a call.
    fn report(&self, py: Python<'_>, status: Status, overflows: bool) -> PyResult<()> {
        conditions::report(py, &self.0.definition.text, status)?;
        conditions::report_overflow(py, overflows)
    }
}
