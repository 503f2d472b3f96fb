//! A node of ONNX over arrays: [`OnnxNode`], which `onnx.py` makes.

use eltwise::{DType, Expr, Program};
use eltwise_onnx::{Attribute, Node, Operand, View, translate};
use numpy::PyUntypedArray;
use numpy::prelude::*;
use pyo3::exceptions::{PyNotImplementedError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::{self, CallError};
use crate::programs::CachedProgram;
use crate::run::{ProgramRun, TypedOperand};
use crate::{dtypes, isa};

/// A node with operands of given dtypes, ready to run over arrays of any shapes.
#[pyclass(frozen, name = "_OnnxNode", module = "eltwise")]
pub(crate) struct OnnxNode {
    name: String,
    program: CachedProgram,
    /// The number and the dtype of each operand that the program takes.
    used: Vec<(usize, DType)>,
    views: Vec<(usize, View)>,
}

/// An attribute as Python has it. Lists are of no elementwise operator.
#[derive(FromPyObject)]
enum Given {
    Int(i64),
    Float(f64),
    Text(String),
}

impl Given {
    fn attribute(&self) -> Attribute<'_> {
        match self {
            Given::Int(value) => Attribute::Int(*value),
            // Attributes of a model are f32.
            Given::Float(value) => Attribute::Float(*value as f32),
            Given::Text(value) => Attribute::Text(value),
        }
    }
}

#[pymethods]
impl OnnxNode {
    /// A node over operands of these dtypes, of which None is one that is left out. NotImplementedError if it has no expression.
    #[new]
    fn new(
        op_type: &str,
        domain: &str,
        opset: i64,
        attributes: &Bound<'_, PyDict>,
        dtypes: &Bound<'_, PyTuple>,
    ) -> PyResult<OnnxNode> {
        let given: Vec<(String, Given)> =
            attributes.iter().filter_map(|(name, value)| Some((name.extract().ok()?, value.extract().ok()?))).collect();
        let attributes: Vec<(&str, Attribute<'_>)> =
            given.iter().map(|(name, given)| (name.as_str(), given.attribute())).collect();
        let refused = |why: String| PyNotImplementedError::new_err(why);
        let dtypes: Vec<Option<DType>> = dtypes
            .iter()
            .map(|dtype| if dtype.is_none() { Ok(None) } else { dtypes::parse(&dtype).map(Some) })
            .collect::<PyResult<_>>()
            .map_err(|error| refused(format!("{op_type}: {error}")))?;
        let name = |i: usize| format!("operand{i}");
        let operands: Vec<Option<Operand>> = dtypes
            .iter()
            .enumerate()
            .map(|(i, dtype)| dtype.map(|dtype| Operand::new(Expr::input(&name(i)), dtype)))
            .collect();
        let node = Node { domain, op_type, opset, attributes: &attributes };
        let translation = translate(&node, &operands).map_err(|error| refused(error.to_string()))?;
        let names = translation.outputs[0].names();
        let used: Vec<(usize, DType)> = dtypes
            .iter()
            .enumerate()
            .filter_map(|(i, dtype)| Some((i, (*dtype)?)))
            .filter(|(i, _)| names.contains(&name(*i).as_str()))
            .collect();
        let named: Vec<(String, DType)> = used.iter().map(|&(i, dtype)| (name(i), dtype)).collect();
        let inputs: Vec<(&str, DType)> = named.iter().map(|(name, dtype)| (name.as_str(), *dtype)).collect();
        let program = Program::new(&[&translation.outputs[0]], &inputs)
            .map_err(|error| refused(format!("{op_type}: {}", errors::text(&error))))?;
        Ok(OnnxNode { name: op_type.into(), program: CachedProgram::new(program), used, views: translation.views })
    }

    /// The result over arrays, in C order.
    #[pyo3(signature = (*operands))]
    fn __call__<'py>(&self, py: Python<'py>, operands: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyUntypedArray>> {
        let first = operands.get_item(0)?.cast_into::<PyUntypedArray>()?;
        let rank = first.ndim();
        let mut typed = vec![];
        for &(i, dtype) in &self.used {
            let mut array = operands.get_item(i)?.cast_into::<PyUntypedArray>()?;
            if let Some((_, view)) = self.views.iter().find(|(operand, _)| *operand == i)
                && array.ndim() > 0
            {
                let shape = view
                    .shape(array.shape(), rank)
                    .map_err(|why| PyValueError::new_err(format!("{}: operand {i}: {why}", self.name)))?;
                array = array.call_method1("reshape", (shape,))?.cast_into()?;
            }
            typed.push(TypedOperand::Array(array, dtype));
        }
        let run = ProgramRun {
            program: &self.program,
            operands: &typed,
            out: None,
            descr: None,
            order: Some("C"),
            isa: isa::current(py)?,
            progress: None,
        };
        let (array, _) = run.run(py).map_err(|error: CallError| error.into_exception(|| self.name.clone()))?;
        if self.views.iter().any(|(_, view)| matches!(view, View::Split { .. })) {
            return Ok(array.call_method1("reshape", (first.shape(),))?.cast_into()?);
        }
        Ok(array)
    }
}
