//! Runs a program over the operands of a call ([`ProgramRun::run`]), into a new array or a given one.

use eltwise::{DType, Error, ErrorKind, Isa, Status};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

use crate::array::{self, fields};
use crate::dtypes::{self, ElementKind};
use crate::errors::CallError;
use crate::execute::{Progress, execute};
use crate::operand;
use crate::programs::{CachedProgram, OperandMemory};

/// An operand after promotion.
pub(crate) enum TypedOperand<'py> {
    /// An array, and the dtype of its elements.
    Array(Bound<'py, PyUntypedArray>, DType),
    /// The dtype and the bits of one element.
    Scalar(DType, u128),
}

impl TypedOperand<'_> {
    /// The dtype of its elements.
    pub(crate) fn dtype(&self) -> DType {
        match self {
            TypedOperand::Array(_, dtype) | TypedOperand::Scalar(dtype, _) => *dtype,
        }
    }

    fn memory(&self) -> PyResult<OperandMemory<'_>> {
        match self {
            TypedOperand::Array(array, dtype) => array_memory(array, *dtype),
            TypedOperand::Scalar(dtype, bits) => Ok(OperandMemory::of_scalar(bits, *dtype)),
        }
    }
}

/// The memory of an array whose elements were found to have this dtype.
///
/// # Errors
/// `TypeError` if the element size has changed. Python code that ran since, such as the `__array__` of another operand,
/// may have given the array another dtype. `out` is such an array too.
fn array_memory<'a>(array: &'a Bound<'_, PyUntypedArray>, dtype: DType) -> PyResult<OperandMemory<'a>> {
    let bytes = array::element_size(array);
    if bytes != dtype.size() {
        return Err(PyTypeError::new_err(format!(
            "an array had dtype {dtype} ({} bytes per element) when the call began and has {bytes} bytes per element now: code that \
             the call ran, such as __array__ of another argument, changed it",
            dtype.size()
        )));
    }
    Ok(OperandMemory::of(fields(array), dtype))
}

/// Adds the mask of a program to its operands, and then the outputs that are given: what a masked program reads.
///
/// # Errors
/// Errors of the copy of an output in another byte order.
pub(crate) fn push_mask<'a, 'py: 'a>(
    operands: &mut SmallVec<[TypedOperand<'py>; 4]>,
    mask: Bound<'py, PyUntypedArray>,
    outs: impl IntoIterator<Item = &'a Output<'py>>,
) -> PyResult<()> {
    operands.push(TypedOperand::Array(mask, DType::Bool));
    for out in outs {
        operands.push(TypedOperand::Array(out.as_operand()?, out.dtype));
    }
    Ok(())
}

/// The argument `out`.
pub(crate) struct Output<'py> {
    /// The array.
    pub array: Bound<'py, PyUntypedArray>,
    /// The dtype of its elements.
    pub dtype: DType,
    /// Whether its elements are in native byte order. If not, NumPy copies the result into the array.
    pub native_order: bool,
}

impl<'py> Output<'py> {
    /// Accepts an array or a tuple of one array.
    ///
    /// # Errors
    /// `TypeError` for anything else and for dtypes that the engine cannot write; `ValueError` for a read-only array.
    pub(crate) fn from_object(object: &Bound<'py, PyAny>) -> PyResult<Output<'py>> {
        let one = match object.cast::<PyTuple>() {
            Ok(tuple) if tuple.len() == 1 => tuple.get_item(0)?,
            _ => object.clone(),
        };
        let array = match one.cast_into::<PyUntypedArray>() {
            Ok(array) => array,
            Err(error) => return Err(not_an_array(&error.into_inner())),
        };
        if operand::is_masked(array.as_any())? {
            return Err(PyTypeError::new_err(
                "out is a masked array, expected a plain numpy.ndarray: its mask would be ignored; use .data",
            ));
        }
        let (dtype, native_order) = match array::element_kind(&array)? {
            ElementKind::Value(dtype) | ElementKind::Opaque(dtype) => (dtype, true),
            ElementKind::Swapped(dtype) => (dtype, false),
            ElementKind::Unsupported => {
                return Err(PyTypeError::new_err(format!(
                    "out has dtype {}, expected bool, an integer or float dtype, or elements of 1, 2, 4, 8 or 16 bytes",
                    array::dtype_text(&array)
                )));
            }
        };
        if !fields(&array).is_writeable() {
            return Err(PyValueError::new_err("out is read-only, expected a writeable array"));
        }
        Ok(Output { array, dtype, native_order })
    }

    fn memory(&self) -> PyResult<OperandMemory<'_>> {
        array_memory(&self.array, self.dtype)
    }

    /// The array as an operand: itself, or a copy in native byte order.
    fn as_operand(&self) -> PyResult<Bound<'py, PyUntypedArray>> {
        if self.native_order { Ok(self.array.clone()) } else { array::to_native_order(&self.array) }
    }
}

/// The error of an `out` that is neither an array nor a tuple of one.
#[cold]
fn not_an_array(given: &Bound<'_, PyAny>) -> PyErr {
    let given = match given.cast::<PyTuple>() {
        Ok(tuple) => format!("a tuple of {}", tuple.len()),
        Err(_) => given.get_type().name().map_or_else(|_| "an object".into(), |name| name.to_string()),
    };
    PyTypeError::new_err(format!("out is {given}, expected a numpy.ndarray or a tuple of one"))
}

/// New arrays, one for each output of a program.
pub(crate) type NewArrays<'py> = SmallVec<[Bound<'py, PyUntypedArray>; 2]>;

/// A program with operands and an output, ready to run.
pub(crate) struct ProgramRun<'a, 'py> {
    /// The program.
    pub program: &'a CachedProgram,
    /// Its operands, in the program's order.
    pub operands: &'a [TypedOperand<'py>],
    /// The output, if one is given.
    pub out: Option<Output<'py>>,
    /// The NumPy dtype of a new result if the engine's dtype does not determine it: for opaque elements.
    pub descr: Option<Bound<'py, PyAny>>,
    /// The order of a new result as NumPy's function `empty` takes it; `None` for that of the operands.
    pub order: Option<&'static str>,
    /// The ISA to use.
    pub isa: Isa,
    /// The function that a long run reports its progress to.
    pub progress: Progress<'a>,
}

impl<'py> ProgramRun<'_, 'py> {
    /// The explanation of the plan, as text.
    ///
    /// # Errors
    /// [`CallError::Engine`] for operands that do not broadcast, an `out` of another shape, or dtypes that this build lacks;
    /// [`CallError::Python`] with `TypeError` if an array changed its element size during the call.
    pub(crate) fn explain(&self) -> Result<String, CallError> {
        let out = self.out.as_ref().filter(|out| out.native_order).map(Output::memory).transpose()?;
        let plan = self.program.plan(&self.operand_memory()?, out.as_ref(), self.isa)?;
        Ok(plan.explain(plan.tasks(crate::threads::width())).to_string())
    }

    fn operand_memory(&self) -> PyResult<SmallVec<[OperandMemory<'_>; 4]>> {
        self.operands.iter().map(TypedOperand::memory).collect()
    }

    /// Runs the program. Returns `out` if one was given, else a new array.
    ///
    /// # Errors
    /// [`CallError::Engine`] for operands that do not broadcast or dtypes that this build lacks. [`CallError::Python`] with
    /// `ValueError` if the result does not broadcast to `out`, `TypeError` if an array changed its element size during the call,
    /// and what NumPy raises while it allocates the result or copies it into `out`.
    pub(crate) fn run(self, py: Python<'py>) -> Result<(Bound<'py, PyUntypedArray>, Status), CallError> {
        let operands = self.operand_memory()?;
        let Some(out) = &self.out else { return self.run_new(py, &operands) };
        if out.native_order {
            let output = out.memory()?;
            match self.program.plan(&operands, Some(&output), self.isa) {
                // As in NumPy, the result may broadcast to a larger output.
                Err(Error::Shape { given, expected, .. }) => check_broadcast(&given, &expected)?,
                plan => match execute(py, &*plan?, &operands, &[output.ptr], self.progress) {
                    Err(CallError::Engine(error)) if error.kind() == ErrorKind::Alias => {}
                    status => return Ok((out.array.clone(), status?)),
                },
            }
        }
        // The output is larger than the result, overlaps an operand that is read later, or has the other byte order.
        let (result, status) = self.run_new(py, &operands)?;
        check_broadcast(fields(&out.array).shape(), fields(&result).shape())?;
        array::copy_into(&out.array, &result)?;
        Ok((out.array.clone(), status))
    }

    /// Runs a program of any number of outputs into new arrays in the axis order of the operands.
    ///
    /// # Errors
    /// As for [`ProgramRun::run`].
    pub(crate) fn run_several(&self, py: Python<'py>) -> Result<(NewArrays<'py>, Status), CallError> {
        let operands = self.operand_memory()?;
        let plan = self.program.plan(&operands, None, self.isa)?;
        let arrays: NewArrays<'py> = plan
            .output_layouts()
            .iter()
            .map(|layout| array::empty(py, &dtypes::descr(py, layout.dtype())?, layout))
            .collect::<PyResult<_>>()?;
        let outputs: SmallVec<[*mut u8; 2]> = arrays.iter().map(|array| fields(array).data()).collect();
        let status = execute(py, &plan, &operands, &outputs, self.progress)?;
        Ok((arrays, status))
    }

    /// Runs into a new array, in the axis order of the operands unless another one is wanted.
    fn run_new(
        &self,
        py: Python<'py>,
        operands: &[OperandMemory<'_>],
    ) -> Result<(Bound<'py, PyUntypedArray>, Status), CallError> {
        let plan = self.program.plan(operands, None, self.isa)?;
        let layout = &plan.output_layouts()[0];
        let descr = match &self.descr {
            Some(descr) => descr.clone(),
            None => dtypes::descr(py, layout.dtype())?,
        };
        let Some(order) = self.order else {
            let result = array::empty(py, &descr, layout)?;
            let status = execute(py, &plan, operands, &[fields(&result).data()], self.progress)?;
            return Ok((result, status));
        };
        let result = array::empty_in_order(py, &descr, layout.shape(), order)?;
        let output = array_memory(&result, layout.dtype())?;
        let plan = self.program.plan(operands, Some(&output), self.isa)?;
        let status = execute(py, &plan, operands, &[output.ptr], self.progress)?;
        Ok((result, status))
    }
}

/// Checks that a result broadcasts to the shape of an output.
pub(crate) fn check_broadcast(out: &[usize], result: &[usize]) -> Result<(), CallError> {
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
