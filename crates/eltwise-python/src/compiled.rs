//! Expressions from text as callable objects: `eltwise.compile` and [`Compiled`].

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use eltwise::promote::{literal_dtype, promote_all, promote_literal};
use eltwise::{Accuracy, DType, Error, ErrorKind, Expr, Isa, Literal, Status, caret};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyString, PyTuple};
use smallvec::SmallVec;

use crate::arguments::parse_accuracy;
use crate::array::fields;
use crate::cached_plan::try_run_program;
use crate::dtypes::ElementKind;
use crate::operand::Operand;
use crate::programs::{CachedProgram, OperandMemory, program_into};
use crate::run::{CallError, Output, ProgramRun, TypedOperand};
use crate::{array, conditions, errors, isa};

/// Compiles an expression into a function of arrays.
///
/// After `f = eltwise.compile("a * b + c", ["a", "b", "c"])`, call `f(a, b, c)` or `f(a, b, c, out=x)`.
///
/// A call runs all operators in one pass over memory, without temporary arrays. Dtypes promote as in NumPy 2 at
/// every operator, and literals adapt to the arrays: `/` of integers is true division. A Python number among the
/// operands of a call takes the dtype that the arrays of the call promote to.
///
/// Parameters
/// ----------
/// expression : str
///     Numbers, names, `+ - * / // % ** & | ^ ~ << >>`, comparisons, parentheses, every operator of the package by its
///     name, and `cast(x, float32)`. `pi`, `e`, `inf`, `nan`, `largest`, `true` and `false` are constants, unless a parameter has
///     the name.
/// names : sequence of str or str, optional
///     The names of the parameters, or a str of one-letter names. Default: the names in the order in which they appear.
/// accuracy : {"fast", "correct"}, optional
///     The accuracy of the math operators that have no `accuracy=` in the text. See `eltwise.exp`.
/// contract : bool
///     True replaces `a * b + c`, `c + a * b` and the differences by `fma(a, b, c)` for floats. The product is not
///     rounded then, so results may differ in the last bit.
///
/// Returns
/// -------
/// Compiled
///     A callable that can be pickled. It has the attributes `expression` and `names` and the method `explain`.
///
/// Raises
/// ------
/// ValueError
///     An expression that does not parse, with the place; names that do not match the expression.
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
    let expr = Expr::parse_named(expression, &inputs)
        .map_err(|e| CallError::Engine(e).into_exception_with_caret("compile()"))?;
    let accuracy = parse_accuracy(accuracy)?;
    let expr = accuracy.map_or(expr.clone(), |accuracy| expr.accuracy(accuracy));
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
    if let Some((index, name)) = names.iter().enumerate().find(|(_, name)| !seen.insert(name.as_str())) {
        return Err(PyValueError::new_err(format!("compile(): parameter {index} repeats the name {name:?}")));
    }
    Ok(Compiled { text: expression.into(), expr, names, accuracy, contract, programs: Mutex::default() })
}

/// A compiled expression: a function of arrays. See `eltwise.compile`.
#[pyclass(frozen, module = "eltwise")]
pub(crate) struct Compiled {
    text: String,
    expr: Expr,
    names: Vec<String>,
    /// The argument of `compile`, for pickles and `repr`. `expr` already includes it.
    accuracy: Option<Accuracy>,
    contract: bool,
    programs: Mutex<Programs>,
}

/// The programs of an expression, one per combination of dtypes.
#[derive(Default)]
struct Programs {
    all: HashMap<Dtypes, Arc<CachedProgram>>,
    /// The program of the last call. A comparison here is much cheaper than a lookup in the map.
    last: Option<(Dtypes, Arc<CachedProgram>)>,
}

/// The dtypes of the operands in memory, and of the output if one is given.
type Dtypes = (SmallVec<[DType; 4]>, Option<DType>);

/// The most programs kept per expression.
const MAX_PROGRAMS: usize = 256;

#[pymethods]
impl Compiled {
    /// The text of the expression.
    #[getter]
    fn expression(&self) -> &str {
        &self.text
    }

    /// The names of the parameters, as a tuple of str.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.names)
    }

    /// The signature, for `inspect.signature`.
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

    /// Computes the expression.
    ///
    /// Parameters
    /// ----------
    /// *operands : array_like
    ///     One per name. Any shapes that broadcast, any strides.
    /// out : numpy.ndarray or tuple of one, optional
    ///     The array to write, as for `eltwise.add`.
    ///
    /// Returns
    /// -------
    /// numpy.ndarray or NumPy scalar
    ///     `out` if it is given; else a new array in the axis order of the operands, or a scalar for rank 0.
    ///
    /// Raises
    /// ------
    /// TypeError
    ///     A dtype that an operator does not take, or a wrong number of operands.
    /// ValueError
    ///     Shapes that do not broadcast; a negative exponent of integers, after out is written.
    /// OverflowError
    ///     A Python integer or a literal that its integer dtype cannot hold.
    #[pyo3(signature = (*operands, out=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let isa = isa::current(py)?;
        let (array, status, overflows) = match self.run_native(operands, out, isa) {
            Some(done) => done,
            None => {
                let call = self.bind(operands, out)?;
                let overflows = call.overflows || call.program.overflows();
                let program_run =
                    ProgramRun { program: &call.program, operands: &call.typed, out: call.out, descr: None, isa };
                let (array, status) = program_run.run(py).map_err(|e| self.exception(e, &call.operands))?;
                (array, status, overflows)
            }
        };
        conditions::report(py, &self.text, status)?;
        conditions::report_overflow(py, overflows)?;
        if out.is_some() { Ok(array.into_any()) } else { array::unwrap_scalar(array) }
    }

    /// Explains the plan of a call with these operands, without running it: loops, tiles, steps.
    ///
    /// Takes the arguments of a call and returns a str.
    #[pyo3(signature = (*operands, out=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        operands: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<String> {
        let call = self.bind(operands, out)?;
        let isa = isa::current(py)?;
        let program_run = ProgramRun { program: &call.program, operands: &call.typed, out: call.out, descr: None, isa };
        program_run.explain().map_err(|e| self.exception(e, &call.operands))
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

/// A function and its arguments, which recreate the object.
type Pickled<'py> = (Bound<'py, PyAny>, (String, Vec<String>));

/// A call, ready to run.
struct BoundCall<'py> {
    program: Arc<CachedProgram>,
    /// The operands after promotion.
    typed: SmallVec<[TypedOperand<'py>; 4]>,
    /// Whether a Python number among the operands became infinite.
    overflows: bool,
    out: Option<Output<'py>>,
    /// The operands before promotion, for messages.
    operands: SmallVec<[Operand<'py>; 4]>,
}

impl Compiled {
    /// Runs a call whose operands and output are arrays in native byte order. `None` for other calls, and if something
    /// is wrong with the call: [`Compiled::bind`] then handles it or reports the error. Nothing is written then.
    fn run_native<'py>(
        &self,
        given: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
        isa: Isa,
    ) -> Option<(Bound<'py, PyUntypedArray>, Status, bool)> {
        let py = given.py();
        if given.len() != self.names.len() {
            return None;
        }
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
        let dtypes = (arrays.iter().map(|array| array.1).collect(), out.as_ref().map(|out| out.1));
        let program = self.program(dtypes).ok()?;
        let operands: SmallVec<[OperandMemory<'_>; 4]> =
            arrays.iter().map(|(array, dtype)| OperandMemory::of(fields(array), *dtype)).collect();
        let output = out.as_ref().map(|(array, dtype)| OperandMemory::of(fields(array), *dtype));
        let (new, status) = try_run_program(py, &program, &operands, output.as_ref(), isa)?;
        Some((new.or(out.map(|(array, _)| array))?, status, program.overflows()))
    }

    /// Converts the operands of any call, and finds the program for their dtypes.
    fn bind<'py>(&self, given: &Bound<'py, PyTuple>, out: Option<&Bound<'py, PyAny>>) -> PyResult<BoundCall<'py>> {
        let in_argument =
            |name: &str, error: PyErr| errors::with_context(error, || format!("{}: {name}", self.short_text()));
        if given.len() != self.names.len() {
            return Err(PyTypeError::new_err(format!(
                "{} takes {} operands ({}), {} given",
                self.short_text(),
                self.names.len(),
                errors::join_operands(self.names.iter().cloned()),
                given.len()
            )));
        }
        let operands: SmallVec<[Operand<'py>; 4]> = given
            .iter()
            .zip(&self.names)
            .map(|(object, name)| Operand::from_object(&object).map_err(|e| in_argument(name, e)))
            .collect::<PyResult<_>>()?;
        let out = out.map(Output::from_object).transpose().map_err(|e| in_argument("out", e))?;
        let (typed, overflows) = typed_operands(&operands).map_err(|e| self.exception(e, &operands))?;
        let dtypes: Dtypes = (typed.iter().map(TypedOperand::dtype).collect(), out.as_ref().map(|out| out.dtype));
        let program = self.program(dtypes).map_err(|e| self.exception(e.into(), &operands))?;
        Ok(BoundCall { program, typed, overflows, out, operands })
    }

    /// The program for these dtypes, built on the first use.
    fn program(&self, key: Dtypes) -> Result<Arc<CachedProgram>, Error> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        let Programs { all, last } = &mut *programs;
        if let Some((_, program)) = last.as_ref().filter(|(last_key, _)| *last_key == key) {
            return Ok(Arc::clone(program));
        }
        let program = match all.get(&key) {
            Some(program) => Arc::clone(program),
            None => {
                let inputs: Vec<(&str, DType)> =
                    self.names.iter().map(String::as_str).zip(key.0.iter().copied()).collect();
                let program = program_into(&self.expr, &inputs, key.1)?.contract(self.contract);
                let program = Arc::new(CachedProgram::new(program));
                if all.len() >= MAX_PROGRAMS {
                    all.clear();
                }
                all.insert(key.clone(), Arc::clone(&program));
                program
            }
        };
        *last = Some((key, Arc::clone(&program)));
        Ok(program)
    }

    fn exception(&self, error: CallError, operands: &[Operand<'_>]) -> PyErr {
        let texts = self.names.iter().zip(operands).map(|(name, operand)| format!("{name}: {}", operand.describe()));
        error.into_exception_with_caret(&format!("{} ({})", self.short_text(), errors::join_operands(texts)))
    }

    /// The text for messages: the beginning of a long one.
    fn short_text(&self) -> Cow<'_, str> {
        const MAX_CHARS: usize = 200;
        match self.text.char_indices().nth(MAX_CHARS) {
            None => Cow::Borrowed(&self.text),
            Some((end, _)) => Cow::Owned(format!("{}...", &self.text[..end])),
        }
    }
}

/// The operands with their dtypes in memory, and whether a Python number became infinite. A Python number takes the
/// dtype that the arrays promote to.
fn typed_operands<'py>(operands: &[Operand<'py>]) -> Result<(SmallVec<[TypedOperand<'py>; 4]>, bool), CallError> {
    let arrays: SmallVec<[(&Bound<'py, PyUntypedArray>, ElementKind); 4]> =
        operands.iter().filter_map(Operand::array).collect();
    if let Some((array, _)) = arrays.iter().find(|a| !matches!(a.1, ElementKind::Value(_))) {
        let text = format!("an expression does not take arrays of dtype {}", array::dtype_text(array));
        return Err(PyTypeError::new_err(text).into());
    }
    let dtypes: SmallVec<[DType; 4]> =
        arrays.iter().filter_map(|a| if let ElementKind::Value(dtype) = a.1 { Some(dtype) } else { None }).collect();
    let common = promote_all(&dtypes);
    let dtype_of = |literal: &Literal| match common {
        Some(common) => promote_literal(common, literal),
        None => Some(literal_dtype(literal)),
    };
    let (mut typed, mut overflows) = (SmallVec::new(), false);
    for operand in operands {
        typed.push(match operand {
            Operand::Array(array, ElementKind::Value(dtype)) => TypedOperand::Array(array.clone(), *dtype),
            Operand::Array(..) => continue,
            Operand::Weak(number) => {
                let dtype = dtype_of(&number.literal()).unwrap_or(DType::F64);
                let (bits, is_infinite) = number.bits(dtype)?;
                overflows |= is_infinite;
                TypedOperand::Scalar(dtype, bits)
            }
        });
    }
    Ok((typed, overflows))
}

impl CallError {
    /// As [`CallError::into_exception`]. An error in an expression is followed by the text with a caret at its place.
    fn into_exception_with_caret(self, context: &str) -> PyErr {
        match &self {
            CallError::Engine(error @ Error::Parse { text, at, .. }) => {
                // A wrong number of operands is a `ValueError`, like all errors of syntax.
                let kind = if error.kind() == ErrorKind::Arity { ErrorKind::Parse } else { error.kind() };
                errors::exception_of(kind, format!("{}\n{}", errors::text(error), caret(text, at)))
            }
            _ => self.into_exception(|| context.into()),
        }
    }
}
