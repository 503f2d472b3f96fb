//! A call of a compiled expression with any operands: its arguments bound to names, converted and typed ([`Expression::bind`]),
//! and its run ([`BoundCall::run`]).

use std::sync::Arc;

use eltwise::promote::{literal_dtype, promote_all, promote_literal};
use eltwise::{DType, Isa, Literal, Status};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::{SmallVec, smallvec};

use crate::array::{self, fields};
use crate::dtypes::ElementKind;
use crate::errors::{self, CallError};
use crate::expression::{Expression, Key};
use crate::operand::Operand;
use crate::overlap::may_overlap;
use crate::programs::CachedProgram;
use crate::run::{NewArrays, Output, ProgramRun, TypedOperand, check_broadcast, push_mask};
use crate::ufunc_options::parse_mask;

/// The keywords of a call that are not operands, unless an operand has the name.
pub(crate) const OPTIONS: [&str; 3] = ["out", "where", "progress"];

/// A call, ready to run.
pub(crate) struct BoundCall<'py> {
    /// The program.
    pub program: Arc<CachedProgram>,
    /// The operands after promotion; under a mask also the mask and the given outputs.
    pub typed: SmallVec<[TypedOperand<'py>; 4]>,
    /// Whether a Python number among the operands became infinite.
    pub overflows: bool,
    /// Each output, if it is given.
    pub outs: SmallVec<[Option<Output<'py>>; 1]>,
    /// The operands before promotion, for messages.
    pub operands: SmallVec<[Operand<'py>; 4]>,
    /// The argument `progress`.
    progress: Option<Bound<'py, PyAny>>,
}

impl<'py> BoundCall<'py> {
    /// Runs into the outputs that are given, which it takes, and new arrays for the others.
    pub(crate) fn run(&mut self, py: Python<'py>, isa: Isa) -> Result<(NewArrays<'py>, Status), CallError> {
        let mut outs = core::mem::take(&mut self.outs);
        let one = if outs.len() == 1 { outs.pop().flatten() } else { None };
        let progress = self.progress.as_ref().map_or(Ok(None), parse_progress)?;
        let progress = progress.as_ref();
        let run = ProgramRun {
            program: &self.program,
            operands: &self.typed,
            out: one,
            descr: None,
            order: None,
            isa,
            progress,
        };
        if outs.is_empty() {
            let (array, status) = run.run(py)?;
            return Ok((smallvec![array], status));
        }
        // One output may be an operand of the expression of another: all results are complete before they are written.
        let (mut arrays, status) = run.run_several(py)?;
        for (i, out) in outs.iter().enumerate() {
            let Some(out) = out else { continue };
            check_broadcast(fields(&out.array).shape(), fields(&arrays[i]).shape())?;
            for (j, other) in outs[..i].iter().enumerate() {
                if let Some(other) = other
                    && may_overlap(out.array.as_any(), other.array.as_any())?
                {
                    let text = format!("outputs {j} and {i} share memory, expected arrays that share none");
                    return Err(PyValueError::new_err(text).into());
                }
            }
        }
        for (array, out) in arrays.iter_mut().zip(outs) {
            let Some(out) = out else { continue };
            array::copy_into(&out.array, array)?;
            *array = out.array;
        }
        Ok((arrays, status))
    }
}

/// The arguments of a call.
struct Arguments<'py> {
    /// One for each parameter.
    operands: SmallVec<[Bound<'py, PyAny>; 4]>,
    out: Option<Bound<'py, PyAny>>,
    mask: Option<Bound<'py, PyAny>>,
    progress: Option<Bound<'py, PyAny>>,
}

impl Expression {
    /// The operands of a call in the order of the parameters, and its options.
    fn arguments<'py>(
        &self,
        given: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Arguments<'py>> {
        let names = &self.definition.names;
        if given.len() > names.len() {
            self.check_count(given.len(), "operands")?;
        }
        let mut operands: SmallVec<[Option<Bound<'py, PyAny>>; 4]> = given.iter().map(Some).collect();
        operands.resize(names.len(), None);
        let (mut out, mut mask, mut progress) = (None, None, None);
        for (name, value) in keywords.into_iter().flatten() {
            let name: String = name.extract()?;
            match names.iter().position(|n| *n == name) {
                Some(index) if operands[index].is_none() => operands[index] = Some(value),
                Some(_) => {
                    let text = format!("{} got multiple values for operand '{name}'", self.short_text());
                    return Err(PyTypeError::new_err(text));
                }
                None if name == "out" => out = Some(value).filter(|out| !out.is_none()),
                None if name == "where" => mask = Some(value),
                None if name == "progress" => progress = Some(value),
                None => {
                    return Err(PyTypeError::new_err(format!(
                        "{} got an unexpected keyword argument '{name}', expected {}",
                        self.short_text(),
                        names.iter().map(String::as_str).chain(OPTIONS).collect::<Vec<_>>().join(", ")
                    )));
                }
            }
        }
        let found = operands.iter().flatten().count();
        self.check_count(found, "operands")?;
        Ok(Arguments { operands: operands.into_iter().flatten().collect(), out, mask, progress })
    }

    /// Converts the operands of any call, and finds the program for their dtypes.
    pub(crate) fn bind<'py>(
        &self,
        given: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<BoundCall<'py>> {
        let in_argument =
            |name: &str, error: PyErr| errors::with_context(error, || format!("{}: {name}", self.short_text()));
        let arguments = self.arguments(given, keywords)?;
        let operands: SmallVec<[Operand<'py>; 4]> = arguments
            .operands
            .iter()
            .zip(&self.definition.names)
            .map(|(object, name)| Operand::from_object(object).map_err(|e| in_argument(name, e)))
            .collect::<PyResult<_>>()?;
        let outs = self.given_outputs(arguments.out.as_ref()).map_err(|e| in_argument("out", e))?;
        let mask = arguments.mask.map_or(Ok(None), |mask| parse_mask(&mask)).map_err(|e| in_argument("where", e))?;
        let (mut typed, overflows) = typed_operands(&operands).map_err(|e| self.exception(e, &operands))?;
        let key = Key {
            operands: typed.iter().map(TypedOperand::dtype).collect(),
            outs: outs.iter().map(|out| out.as_ref().map(|out| out.dtype)).collect(),
            is_masked: mask.is_some(),
        };
        let program = self.program(key).map_err(|e| self.exception(e.into(), &operands))?;
        if let Some(mask) = mask {
            push_mask(&mut typed, mask, outs.iter().flatten())?;
        }
        Ok(BoundCall { program, typed, overflows, outs, operands, progress: arguments.progress })
    }

    /// Each output that the argument `out` gives.
    fn given_outputs<'py>(&self, out: Option<&Bound<'py, PyAny>>) -> PyResult<SmallVec<[Option<Output<'py>>; 1]>> {
        let count = self.exprs.len();
        let Some(out) = out else { return Ok((0..count).map(|_| None).collect()) };
        if count == 1 {
            return Ok(smallvec![Some(Output::from_object(out)?)]);
        }
        match out.cast::<PyTuple>() {
            Ok(tuple) if tuple.len() == count => tuple
                .iter()
                .map(|out| if out.is_none() { Ok(None) } else { Output::from_object(&out).map(Some) })
                .collect(),
            _ => Err(PyTypeError::new_err(format!(
                "expected a tuple of {count} arrays or None, one for each expression"
            ))),
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

/// The function that the argument `progress` gives: none for None and False, the package's bar for True.
fn parse_progress(progress: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
    let py = progress.py();
    if progress.is_callable() {
        return Ok(Some(progress.clone().unbind()));
    }
    match progress.extract() {
        _ if progress.is_none() => Ok(None),
        Ok(true) => Ok(Some(py.import("eltwise._progress")?.call_method0("bar")?.unbind())),
        Ok(false) => Ok(None),
        Err(_) => {
            let given = progress.get_type().name()?;
            Err(PyTypeError::new_err(format!("progress is of type {given}, expected a function, True or None")))
        }
    }
}
