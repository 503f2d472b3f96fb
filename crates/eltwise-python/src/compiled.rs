//! Expressions from text, as callable objects.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use eltwise::promote::{literal_dtype, promote_all, promote_literal};
use eltwise::{Accuracy, DType, Error, Expr, Isa, Literal, Status, caret};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyString, PyTuple};
use smallvec::SmallVec;

use crate::array::fields;
use crate::dtypes::Elements;
use crate::operand::Operand;
use crate::planned::run_made;
use crate::programs::{Made, Memory, cast_to};
use crate::run::{Failure, Job, Output, Value};
use crate::{apply, array, errors, functions, isa};

/// An expression as a function of arrays: `f = eltwise.compile("a * b + c", "abc")`, then `f(a, b, c, out=None)`.
///
/// expression: numbers, names, `+ - * / // % ** & | ^ ~ << >>`, comparisons, parentheses, every operator of the package by its
/// name, and `cast(x, float32)`; `pi`, `e`, `inf`, `nan`, `true` and `false` where no parameter has the name. Dtypes promote as
/// in NumPy 2, numbers adapt: `/` of integers is true division. All operators run in one walk over the memory.
/// A Python number among the operands of a call takes the dtype that the arrays of the call promote to.
/// names: the parameters: a sequence of names, or a str of one-letter names; without, the names in the order in which
/// they appear.
/// accuracy: "fast" or "exact", of the math operators that have no `accuracy=` of their own in the text.
/// contract: True makes `fma(a, b, c)` of `a * b + c`, `c + a * b` and the differences, of floats: the product is not
/// rounded, and the bits are others.
///
/// Raises ValueError for an expression that does not parse, with the place.
#[pyfunction]
#[pyo3(signature = (expression, names=None, *, accuracy=None, contract=false))]
pub(crate) fn compile(
    expression: &str,
    names: Option<&Bound<'_, PyAny>>,
    accuracy: Option<&Bound<'_, PyAny>>,
    contract: bool,
) -> PyResult<Compiled> {
    let names = match names {
        None => None,
        Some(names) => Some(match names.cast::<PyString>() {
            Ok(letters) => {
                let text = letters.to_cow()?;
                text.chars().filter(|c| !c.is_whitespace() && *c != ',').map(String::from).collect()
            }
            Err(_) => names.extract::<Vec<String>>()?,
        }),
    };
    let inputs: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
    let expr = Expr::parse_named(expression, &inputs).map_err(|e| Failure::Engine(e).raise_at("compile()"))?;
    let accuracy = functions::accuracy(accuracy)?;
    let expr = accuracy.map_or(expr.clone(), |tier| expr.accuracy(tier));
    let used: Vec<String> = expr.names().into_iter().map(String::from).collect();
    let names = names.unwrap_or_else(|| used.clone());
    let list = |names: &[String]| if names.is_empty() { "none".to_string() } else { names.join(", ") };
    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    if let Some(unknown) = used.iter().find(|name| !known.contains(name.as_str())) {
        return Err(PyValueError::new_err(format!(
            "compile(): {expression:?} has the name {unknown:?}, and the parameters are {}",
            list(&names)
        )));
    }
    let mut seen = HashSet::new();
    if let Some((at, name)) = names.iter().enumerate().find(|(_, name)| !seen.insert(name.as_str())) {
        return Err(PyValueError::new_err(format!("compile(): parameter {at} repeats the name {name:?}")));
    }
    Ok(Compiled { text: expression.into(), expr, names, accuracy, contract, programs: Mutex::default() })
}

/// An expression as a function of arrays. See `eltwise.compile`.
#[pyclass(frozen, module = "eltwise")]
pub(crate) struct Compiled {
    text: String,
    expr: Expr,
    names: Vec<String>,
    /// As it was given: what pickles and texts say.
    accuracy: Option<Accuracy>,
    contract: bool,
    programs: Mutex<Programs>,
}

/// Programs by the dtypes of the operands and of the output.
#[derive(Default)]
struct Programs {
    all: HashMap<Dtypes, Arc<Made>>,
    /// That of the last call: finding it costs a fraction of what a look into a map costs.
    last: Option<(Dtypes, Arc<Made>)>,
}

/// The dtypes of the operands in memory, and of the output if it is given.
type Dtypes = (SmallVec<[DType; 4]>, Option<DType>);

/// Combinations of dtypes that are kept.
const MOST: usize = 256;

#[pymethods]
impl Compiled {
    /// The text.
    #[getter]
    fn expression(&self) -> &str {
        &self.text
    }

    /// The names of the parameters.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.names)
    }

    /// The parameters, for `inspect.signature`.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inspect = py.import("inspect")?;
        let class = inspect.getattr("Parameter")?;
        let operand = |name: &String| class.call1((name, class.getattr("POSITIONAL_ONLY")?));
        let mut parameters: Vec<Bound<'py, PyAny>> = self.names.iter().map(operand).collect::<PyResult<_>>()?;
        let default = [("default", py.None())].into_py_dict(py)?;
        parameters.push(class.call(("out", class.getattr("KEYWORD_ONLY")?), Some(&default))?);
        inspect.getattr("Signature")?.call1((parameters,))
    }

    /// Computes the expression; `out` as for every operator.
    #[pyo3(signature = (*operands, out=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let isa = isa::current(py)?;
        let (array, status, overflows) = match self.run_plain(operands, out, isa) {
            Some(done) => done,
            None => {
                let call = self.call(operands, out)?;
                let overflows = call.overflows || call.program.overflows();
                let job = Job { program: &call.program, values: &call.values, out: call.out, descr: None, isa };
                let (array, status) = job.run(py).map_err(|e| self.raise(e, &call.operands))?;
                (array, status, overflows)
            }
        };
        apply::report(py, &self.text, status)?;
        apply::report_overflow(py, overflows)?;
        if out.is_some() { Ok(array.into_any()) } else { array::unwrap_scalar(array) }
    }

    /// What a call with these operands would do: loops, tiles, steps.
    #[pyo3(signature = (*operands, out=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<String> {
        let call = self.call(operands, out)?;
        let job =
            Job { program: &call.program, values: &call.values, out: call.out, descr: None, isa: isa::current(py)? };
        job.explain().map_err(|e| self.raise(e, &call.operands))
    }

    fn __repr__(&self) -> String {
        let mut text = format!("eltwise.compile({:?}, {:?}", self.text, self.names);
        if let Some(accuracy) = self.accuracy {
            text += &format!(", accuracy=\"{accuracy}\"");
        }
        if self.contract {
            text += ", contract=True";
        }
        text + ")"
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let options = [("contract", self.contract)].into_py_dict(py)?;
        if let Some(accuracy) = self.accuracy {
            options.set_item("accuracy", accuracy.to_string())?;
        }
        let compile = py.import("eltwise")?.getattr("compile")?;
        let compile = py.import("functools")?.getattr("partial")?.call((compile,), Some(&options))?;
        Ok((compile, (self.text.clone(), self.names.clone())))
    }
}

/// A function and its arguments that make an object again.
type Pickled<'py> = (Bound<'py, PyAny>, (String, Vec<String>));

/// A call, ready to run.
struct Call<'py> {
    program: Arc<Made>,
    values: SmallVec<[Value<'py>; 4]>,
    /// Whether a number among the operands became infinite.
    overflows: bool,
    out: Option<Output<'py>>,
    /// For messages.
    operands: SmallVec<[Operand<'py>; 4]>,
}

impl Compiled {
    /// A call whose operands and output are arrays of elements that are read where they lie; `None` if it is another one, or something is
    /// wrong with it, before anything is written: the general way then does the same, or says what is wrong.
    fn run_plain<'py>(
        &self,
        given: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
        isa: Isa,
    ) -> Option<(Bound<'py, PyUntypedArray>, Status, bool)> {
        let py = given.py();
        if given.len() != self.names.len() {
            return None;
        }
        let plain = |object: &Bound<'py, PyAny>| {
            let array = object.cast::<PyUntypedArray>().ok()?;
            match array::elements(array).ok()? {
                Elements::Value(dtype) if object.get_type_ptr() == array::array_type(py) => {
                    Some((array.clone(), dtype))
                }
                _ => None,
            }
        };
        let arrays: SmallVec<[(Bound<'py, PyUntypedArray>, DType); 4]> =
            given.iter().map(|object| plain(&object)).collect::<Option<_>>()?;
        let out = match out {
            Some(object) => Some(plain(object).filter(|(array, _)| fields(array).is_writeable())?),
            None => None,
        };
        let dtypes = (arrays.iter().map(|array| array.1).collect(), out.as_ref().map(|out| out.1));
        let program = self.program(dtypes).ok()?;
        let operands: SmallVec<[Memory<'_>; 4]> =
            arrays.iter().map(|(array, dtype)| Memory::of(fields(array), *dtype)).collect();
        let to = out.as_ref().map(|(array, dtype)| Memory::of(fields(array), *dtype));
        let (new, status) = run_made(py, &program, &operands, to.as_ref(), isa)?;
        Some((new.or(out.map(|(array, _)| array))?, status, program.overflows()))
    }

    fn call<'py>(&self, given: &Bound<'py, PyTuple>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Call<'py>> {
        let of = |name: &str, error: PyErr| errors::with_context(error, || format!("{}: {name}", self.shown()));
        if given.len() != self.names.len() {
            return Err(PyTypeError::new_err(format!(
                "{} takes {} operands ({}), {} given",
                self.shown(),
                self.names.len(),
                errors::listed(self.names.iter().cloned()),
                given.len()
            )));
        }
        let operands: SmallVec<[Operand<'py>; 4]> = given
            .iter()
            .zip(&self.names)
            .map(|(object, name)| Operand::of(&object).map_err(|e| of(name, e)))
            .collect::<PyResult<_>>()?;
        let out = out.map(Output::of).transpose().map_err(|e| of("out", e))?;
        let (values, overflows) = self.values(&operands).map_err(|e| self.raise(e, &operands))?;
        let dtypes: Dtypes = (values.iter().map(Value::dtype).collect(), out.as_ref().map(|out| out.dtype));
        let program = self.program(dtypes).map_err(|e| self.raise(e.into(), &operands))?;
        Ok(Call { program, values, overflows, out, operands })
    }

    /// The operands with their dtypes; a Python number takes the dtype that the arrays promote to. Whether one became infinite.
    fn values<'py>(&self, operands: &[Operand<'py>]) -> Result<(SmallVec<[Value<'py>; 4]>, bool), Failure> {
        let arrays: SmallVec<[(&Bound<'py, PyUntypedArray>, Elements); 4]> =
            operands.iter().filter_map(Operand::array).collect();
        if let Some((array, _)) = arrays.iter().find(|a| !matches!(a.1, Elements::Value(_))) {
            let text = format!("an expression does not take arrays of dtype {}", array::fields_dtype(array));
            return Err(PyTypeError::new_err(text).into());
        }
        let dtypes: SmallVec<[DType; 4]> =
            arrays.iter().filter_map(|a| if let Elements::Value(d) = a.1 { Some(d) } else { None }).collect();
        let common = promote_all(&dtypes);
        let number = |literal: &Literal| match common {
            Some(common) => promote_literal(common, literal),
            None => Some(literal_dtype(literal)),
        };
        let (mut values, mut overflows) = (SmallVec::new(), false);
        for operand in operands {
            values.push(match operand {
                Operand::Array(array, Elements::Value(dtype)) => Value::Array(array.clone(), *dtype),
                Operand::Array(..) => continue,
                Operand::Weak(weak) => {
                    let dtype = number(&weak.kind()).unwrap_or(DType::F64);
                    let (bits, infinite) = weak.bits(dtype)?;
                    overflows |= infinite;
                    Value::Scalar(dtype, bits)
                }
            });
        }
        Ok((values, overflows))
    }

    fn program(&self, key: Dtypes) -> Result<Arc<Made>, Error> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let Programs { all, last } = &mut *programs;
        if let Some((_, made)) = last.as_ref().filter(|(of, _)| *of == key) {
            return Ok(Arc::clone(made));
        }
        let made = match all.get(&key) {
            Some(made) => Arc::clone(made),
            None => {
                let inputs: Vec<(&str, DType)> =
                    self.names.iter().map(String::as_str).zip(key.0.iter().copied()).collect();
                let made = Arc::new(Made::new(cast_to(&self.expr, &inputs, key.1)?.contract(self.contract)));
                if all.len() >= MOST {
                    all.clear();
                }
                all.insert(key.clone(), Arc::clone(&made));
                made
            }
        };
        *last = Some((key, Arc::clone(&made)));
        Ok(made)
    }

    fn raise(&self, failure: Failure, operands: &[Operand<'_>]) -> PyErr {
        let texts = self.names.iter().zip(operands).map(|(name, operand)| format!("{name}: {}", operand.describe()));
        failure.raise_at(&format!("{} ({})", self.shown(), errors::listed(texts)))
    }

    /// The text for messages: of a long one the beginning.
    fn shown(&self) -> Cow<'_, str> {
        const MOST: usize = 200;
        match self.text.char_indices().nth(MOST) {
            None => Cow::Borrowed(&self.text),
            Some((end, _)) => Cow::Owned(format!("{}...", &self.text[..end])),
        }
    }
}

impl Failure {
    /// The exception; the place of an error in an expression is shown under it.
    fn raise_at(self, context: &str) -> PyErr {
        match &self {
            Failure::Engine(error @ Error::Parse { text, at, .. }) => {
                errors::exception(error.kind(), format!("{error}\n{}", caret(text, at)))
            }
            _ => self.raise(|| context.into()),
        }
    }
}
