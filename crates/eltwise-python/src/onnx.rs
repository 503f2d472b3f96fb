//! A node of ONNX over arrays: [`OnnxNode`], which `onnx.py` makes.

use eltwise::{Accuracy, DType};
use eltwise_onnx::graph::{Graph, GraphNode, Group, Value};
use eltwise_onnx::{Attribute, FourBits, GroupInput, GroupProgram, Node, ShapeCheck, ValueInput, View};
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
    check: ShapeCheck,
    /// The number, the dtype and the view of each operand that the program takes.
    inputs: Vec<(usize, DType, Option<View>)>,
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

/// The value of an operand of a dtype; without a dtype for None. NumPy has elements of four bits in bytes.
fn operand_value(dtype: &Bound<'_, PyAny>) -> PyResult<Value> {
    if dtype.is_none() {
        return Ok(Value::default());
    }
    let four_bits = match dtype.getattr("name").and_then(|name| name.extract::<String>()).as_deref() {
        Ok("int4") => Some(DType::I8),
        Ok("uint4") => Some(DType::U8),
        _ => None,
    };
    match four_bits {
        Some(dtype) => Ok(Value { dtype: Some(dtype), four_bits: Some(FourBits::OnePerByte), ..Value::default() }),
        None => Ok(Value { dtype: Some(dtypes::parse(dtype)?), ..Value::default() }),
    }
}

#[pymethods]
impl OnnxNode {
    /// A node over operands of these dtypes. None stands for an operand that is left out. Raises NotImplementedError for a node that
    /// has no expression.
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
        // A graph of this node. Its operands are the values before its result.
        let mut values: Vec<Value> = dtypes
            .iter()
            .map(|dtype| operand_value(&dtype))
            .collect::<PyResult<_>>()
            .map_err(|error| refused(format!("{op_type}: {error}")))?;
        let dtypes: Vec<Option<DType>> = values.iter().map(|value| value.dtype).collect();
        let count = dtypes.len();
        values.push(Value::default());
        let node = Node { domain, op_type, opset, attributes: &attributes };
        let operands: Vec<Option<usize>> = dtypes.iter().enumerate().map(|(i, dtype)| dtype.map(|_| i)).collect();
        let group = Group { nodes: vec![0], outputs: vec![count] };
        let graph =
            Graph { values, nodes: vec![GraphNode { node, operands, results: vec![Some(count)], is_assigned: false }] };
        let program = GroupProgram::new(&graph, &group, Accuracy::Fast).map_err(|error| match &error.cause {
            Some(cause) => refused(format!("{op_type}: {}", errors::text(cause))),
            None => refused(error.to_string()),
        })?;
        let input = |input| match input {
            GroupInput::Value(ValueInput { value, view, .. }) => Some((value, dtypes[value]?, view)),
            // Only of elements in pairs, which arrays of NumPy do not have.
            GroupInput::NibbleShifts(_) => None,
        };
        let inputs = program.inputs.iter().copied().filter_map(input).collect();
        Ok(OnnxNode {
            name: op_type.into(),
            program: CachedProgram::new(program.program),
            check: program.check,
            inputs,
        })
    }

    /// The result over arrays, in C order.
    #[pyo3(signature = (*operands))]
    fn __call__<'py>(&self, py: Python<'py>, operands: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyUntypedArray>> {
        let first = operands.get_item(0)?.cast_into::<PyUntypedArray>()?;
        let rank = first.ndim();
        let arrays: Vec<Option<Bound<'py, PyUntypedArray>>> =
            operands.iter().map(|operand| operand.cast_into().ok()).collect();
        let shape_of = |value: usize| arrays.get(value)?.as_ref().map(|array| array.shape());
        self.check.check(shape_of).map_err(|why| PyValueError::new_err(format!("{}: {why}", self.name)))?;
        let mut typed = vec![];
        for &(i, dtype, view) in &self.inputs {
            let mut array = operands.get_item(i)?.cast_into::<PyUntypedArray>()?;
            if let Some(view) = view {
                let shape = view
                    .shape(array.shape(), rank)
                    .map_err(|why| PyValueError::new_err(format!("{}: operand {i}: {why}", self.name)))?;
                array = array.call_method1("reshape", (shape.dims(),))?.cast_into()?;
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
        if self.inputs.iter().any(|(_, _, view)| view.is_some_and(View::splits_operand_0)) {
            return Ok(array.call_method1("reshape", (first.shape(),))?.cast_into()?);
        }
        Ok(array)
    }
}
