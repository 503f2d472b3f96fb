//! Running a program over operands of a call, into a new array or a given one.

use eltwise::{DType, Error, ErrorKind, Isa, Plan, Status};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

use crate::array::{self, fields};
use crate::dtypes::{self, Elements};
use crate::errors;
use crate::operand;
use crate::programs::{Made, Memory};
use crate::threads::Threads;

/// An operand of a program.
pub(crate) enum Value<'py> {
    /// An array, its elements taken as this dtype.
    Array(Bound<'py, PyUntypedArray>, DType),
    /// One element of this dtype.
    Scalar(DType, u128),
}

impl Value<'_> {
    /// The dtype of its elements.
    pub(crate) fn dtype(&self) -> DType {
        match self {
            Value::Array(_, dtype) | Value::Scalar(dtype, _) => *dtype,
        }
    }

    fn memory(&self) -> PyResult<Memory<'_>> {
        match self {
            Value::Array(array, dtype) => memory(array, *dtype),
            Value::Scalar(dtype, bits) => {
                Ok(Memory { ptr: (&raw const *bits).cast_mut().cast(), dtype: *dtype, shape: &[], strides: &[] })
            }
        }
    }
}

/// The memory of an array whose elements were found to be of this dtype. Python code has run since (that of another
/// operand, say), and may have given the array another dtype.
fn memory<'a>(array: &'a Bound<'_, PyUntypedArray>, dtype: DType) -> PyResult<Memory<'a>> {
    if array::element_size(array) != dtype.size() {
        return Err(PyTypeError::new_err("an operand changed its dtype during the call"));
    }
    Ok(Memory::of(fields(array), dtype))
}

type Operands<'a> = SmallVec<[Memory<'a>; 4]>;

/// An array to write.
pub(crate) struct Output<'py> {
    /// The array.
    pub array: Bound<'py, PyUntypedArray>,
    /// Its elements.
    pub dtype: DType,
    /// Whether its bytes are in this machine's order; if not, a copy of the result is written to it.
    pub native: bool,
}

impl<'py> Output<'py> {
    /// Takes an `out` argument: an array, or a tuple of one.
    ///
    /// # Errors
    /// `TypeError` for anything else, `ValueError` for an array that may not be written.
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Output<'py>> {
        let one = match object.cast::<PyTuple>() {
            Ok(tuple) if tuple.len() == 1 => tuple.get_item(0)?,
            _ => object.clone(),
        };
        let Ok(array) = one.cast_into::<PyUntypedArray>() else {
            return Err(PyTypeError::new_err(format!(
                "out is {}, expected a numpy.ndarray",
                object.get_type().name()?
            )));
        };
        if operand::is_masked(array.as_any())? {
            return Err(PyTypeError::new_err("a masked array is no output: its mask would be passed over; use .data"));
        }
        let elements = array::elements(&array)?;
        let (dtype, native) = match elements {
            Elements::Value(dtype) | Elements::Opaque(dtype) => (dtype, true),
            Elements::Swapped(dtype) => (dtype, false),
            Elements::Foreign => {
                return Err(PyTypeError::new_err(format!("out has dtype {}", array::fields_dtype(&array))));
            }
        };
        if !fields(&array).is_writeable() {
            return Err(PyValueError::new_err("out is read-only"));
        }
        Ok(Output { array, dtype, native })
    }

    fn memory(&self) -> PyResult<Memory<'_>> {
        memory(&self.array, self.dtype)
    }
}

/// A run to do.
pub(crate) struct Job<'a, 'py> {
    /// What to compute.
    pub program: &'a Made,
    /// Its operands, in the program's order.
    pub values: &'a [Value<'py>],
    /// Where the result goes.
    pub out: Option<Output<'py>>,
    /// The NumPy dtype of a new result, where the program's own dtype does not say it.
    pub descr: Option<Bound<'py, PyAny>>,
    /// The level in force.
    pub isa: Isa,
}

impl<'py> Job<'_, 'py> {
    /// What the run would do, in words.
    ///
    /// # Errors
    /// Shapes that do not fit.
    pub(crate) fn explain(&self) -> Result<String, Failure> {
        let out = self.out.as_ref().filter(|out| out.native).map(Output::memory).transpose()?;
        let plan = self.program.plan(&self.operands()?, out.as_ref(), self.isa)?;
        Ok(plan.explain(plan.tasks(crate::threads::width())).to_string())
    }

    /// The memory of the operands.
    fn operands(&self) -> PyResult<Operands<'_>> {
        self.values.iter().map(Value::memory).collect()
    }

    /// Runs the program. The array is `out` if there was one.
    ///
    /// # Errors
    /// Shapes that do not fit.
    pub(crate) fn run(self, py: Python<'py>) -> Result<(Bound<'py, PyUntypedArray>, Status), Failure> {
        let operands = self.operands()?;
        let Some(out) = &self.out else { return self.run_new(py, &operands) };
        if out.native {
            let to = out.memory()?;
            match self.program.plan(&operands, Some(&to), self.isa) {
                // As NumPy: the result may be repeated to a larger output.
                Err(Error::Shape { given, expected, .. }) => check_repeats(&given, &expected)?,
                plan => match execute(py, &*plan?, &operands, to.ptr) {
                    Err(Failure::Engine(error)) if error.kind() == ErrorKind::Alias => {}
                    status => return Ok((out.array.clone(), status?)),
                },
            }
        }
        // The output is larger, overlaps an operand that is still needed, or has its bytes swapped.
        let (result, status) = self.run_new(py, &operands)?;
        check_repeats(fields(&out.array).shape(), fields(&result).shape())?;
        array::copy_into(&out.array, &result)?;
        Ok((out.array.clone(), status))
    }

    /// Runs into a new array in the operands' axis order.
    fn run_new(
        &self,
        py: Python<'py>,
        operands: &[Memory<'_>],
    ) -> Result<(Bound<'py, PyUntypedArray>, Status), Failure> {
        let plan = self.program.plan(operands, None, self.isa)?;
        let layout = &plan.output_layouts()[0];
        let descr = match &self.descr {
            Some(descr) => descr.clone(),
            None => dtypes::descr(py, layout.dtype())?,
        };
        let result = array::empty(py, &descr, layout)?;
        let status = execute(py, &plan, operands, fields(&result).data())?;
        Ok((result, status))
    }
}

/// Checks that a result can be repeated to the shape of an output.
fn check_repeats(out: &[usize], result: &[usize]) -> Result<(), Failure> {
    let fits = out
        .len()
        .checked_sub(result.len())
        .is_some_and(|added| out[added..].iter().zip(result).all(|(&o, &r)| r == o || r == 1));
    if fits {
        return Ok(());
    }
    let text =
        format!("out has shape {out:?}, expected {result:?}, the operands' common shape, or one that it broadcasts to");
    Err(PyValueError::new_err(text).into())
}

/// Why a run was not done.
pub(crate) enum Failure {
    /// The engine refused.
    Engine(Error),
    /// Python has an exception already.
    Python(PyErr),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Engine(error)
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Failure {
        Failure::Python(error)
    }
}

impl Failure {
    /// The exception, with the call that failed.
    pub(crate) fn raise(self, context: impl FnOnce() -> String) -> PyErr {
        match self {
            Failure::Engine(error) => errors::described(&error, &context()),
            Failure::Python(error) => errors::with_context(error, context),
        }
    }
}

/// Runs that touch less than this keep Python's lock: giving it up and taking it back costs more.
const UNLOCKED_BYTES: usize = 64 << 10;

/// A run over memory of arrays that are kept alive by the caller.
struct Run<'a> {
    plan: &'a Plan,
    inputs: SmallVec<[*const u8; 4]>,
    output: *mut u8,
    threads: Threads,
}

// SAFETY: the pointers are to memory of arrays that the caller holds references to.
unsafe impl Send for Run<'_> {}

impl Run<'_> {
    fn go(self) -> Result<Status, Error> {
        // SAFETY: memory of live arrays, whose shapes and strides the plan was made for. Other Python threads may write
        // the elements meanwhile, as they may during any operation of NumPy's; the result is then any mixture.
        unsafe { self.plan.run_at(&self.threads, &self.inputs, &[self.output]) }
    }
}

/// Runs a plan, with the package's threads and without Python's lock where that pays.
///
/// # Errors
/// An output that overlaps an operand, before anything is written.
pub(crate) fn execute(
    py: Python<'_>,
    plan: &Plan,
    operands: &[Memory<'_>],
    output: *mut u8,
) -> Result<Status, Failure> {
    let inputs: SmallVec<[*const u8; 4]> = operands.iter().map(|operand| operand.ptr.cast_const()).collect();
    // Before the lock is given up: what follows an overlap reads the arrays again.
    plan.check_at(&inputs, &[output])?;
    let threads = Threads::new(plan.cost().ns);
    let run = Run { plan, inputs, output, threads };
    let status = if plan.bytes() < UNLOCKED_BYTES { run.go() } else { py.detach(move || run.go()) };
    Ok(status?)
}
