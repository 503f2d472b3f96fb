//! Arrays, operators and programs over them: whole arrays, value by value, nothing fused.

use eltwise_plan::program::Node;
use eltwise_plan::{Broadcast, DType, Error, Op, Program, Shape, ValueId};

use crate::define::{Conditions, conditions, definition, may_meet_conditions};
use crate::value::{Value, same};
use crate::walk::{Indices, Source};

/// An array, dense in C order (last axis fastest), elements little-endian.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tensor {
    dtype: DType,
    shape: Shape,
    data: Vec<u8>,
}

impl Tensor {
    /// An array with these bytes.
    ///
    /// # Errors
    /// [`Error::Bounds`] when the number of bytes is not the shape's, [`Error::TooLarge`] for more than `isize::MAX`.
    pub fn new(dtype: DType, shape: impl Into<Shape>, data: Vec<u8>) -> Result<Tensor, Error> {
        let shape = shape.into();
        let needed = shape.bytes(dtype.size())?;
        if data.len() != needed {
            return Err(Error::Bounds { what: format!("{dtype}{shape} (bytes)"), needed, given: data.len() });
        }
        Ok(Tensor { dtype, shape, data })
    }

    /// An array with these elements, in C order.
    ///
    /// # Errors
    /// As [`Tensor::new`], and [`Error::DType`] for an element of another dtype.
    pub fn from_values(dtype: DType, shape: impl Into<Shape>, values: &[Value]) -> Result<Tensor, Error> {
        if let Some((i, v)) = values.iter().enumerate().find(|(_, v)| v.dtype != dtype) {
            return Err(Error::DType { what: format!("element {i}"), given: v.dtype, expected: dtype });
        }
        let mut data = Vec::with_capacity(dtype.size() * values.len());
        values.iter().for_each(|v| v.write(&mut data));
        Tensor::new(dtype, shape, data)
    }

    /// An array without axes.
    pub fn scalar(value: Value) -> Tensor {
        let mut data = Vec::new();
        value.write(&mut data);
        Tensor { dtype: value.dtype, shape: Shape::scalar(), data }
    }

    /// The dtype of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The bytes of the elements.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// The bytes of the elements, by value.
    pub fn into_data(self) -> Vec<u8> {
        self.data
    }

    /// The element with this index.
    ///
    /// # Panics
    /// As slices do: when the index has another rank, or is past the end of an axis.
    pub fn get(&self, index: &[usize]) -> Value {
        let inside = index.len() == self.shape.rank() && index.iter().zip(self.shape.iter()).all(|(i, d)| i < d);
        assert!(inside, "index {index:?} is outside shape {}", self.shape);
        self.at(index.iter().zip(self.shape.iter()).fold(0, |at, (i, d)| at * d + i))
    }

    /// The elements, in C order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value> + '_ {
        self.data.chunks_exact(self.dtype.size()).map(|bytes| Value::read(self.dtype, bytes))
    }

    /// The first difference to `other` in C order as (position, own, other's), where NaNs of one dtype are the same;
    /// none for equal arrays.
    ///
    /// # Errors
    /// [`Error::DType`] or [`Error::Shape`] when those differ already.
    pub fn difference(&self, other: &Tensor) -> Result<Option<(usize, Value, Value)>, Error> {
        if self.dtype != other.dtype {
            return Err(Error::DType { what: "the other array".into(), given: other.dtype, expected: self.dtype });
        }
        if self.shape != other.shape {
            let (given, expected) = (other.shape.clone(), self.shape.clone());
            return Err(Error::Shape { what: "the other array".into(), given, expected });
        }
        let pairs = self.values().zip(other.values()).enumerate();
        Ok(pairs.map(|(i, (a, b))| (i, a, b)).find(|&(_, a, b)| !same(a, b)))
    }

    /// The element at a position in C order.
    fn at(&self, position: usize) -> Value {
        let size = self.dtype.size();
        Value::read(self.dtype, &self.data[position * size..(position + 1) * size])
    }
}

/// Room for the bytes of an array.
fn room(dtype: DType, shape: &Shape) -> Result<Vec<u8>, Error> {
    let mut data = Vec::new();
    let too_large = |_| Error::TooLarge { shape: shape.clone(), element_bytes: dtype.size() };
    data.try_reserve_exact(shape.bytes(dtype.size())?).map_err(too_large)?;
    Ok(data)
}

/// The operator over arrays that `mode` brings together; `target` is the dtype parameter of `cast`.
///
/// # Errors
/// Operands that the operator does not take ([`Op::result`]) or the mode refuses ([`Broadcast::align`]).
pub fn evaluate(op: Op, inputs: &[&Tensor], target: Option<DType>, mode: &Broadcast) -> Result<Tensor, Error> {
    evaluate_with_conditions(op, inputs, target, mode).map(|(out, _)| out)
}

/// [`evaluate`], and the data conditions that elements met.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_with_conditions(
    op: Op,
    inputs: &[&Tensor],
    target: Option<DType>,
    mode: &Broadcast,
) -> Result<(Tensor, Conditions), Error> {
    let dtypes: Vec<DType> = inputs.iter().map(|t| t.dtype).collect();
    let shapes: Vec<&Shape> = inputs.iter().map(|t| &t.shape).collect();
    let dtype = op.result(&dtypes, target)?;
    let alignment = mode.align(&shapes)?;
    let sources: Vec<Source> = shapes.iter().enumerate().map(|(k, s)| Source::new(s, &alignment, k)).collect();
    let mut data = room(dtype, &alignment.shape)?;
    let (define, may_fail) = (definition(op), dtypes.iter().any(|&d| may_meet_conditions(op, d)));
    let mut args: Vec<Value> = dtypes.iter().map(|&d| Value::new(d, 0)).collect();
    let mut met = Conditions::default();
    let mut indices = Indices::new(&alignment.shape);
    while let Some(i) = indices.current() {
        for ((arg, input), source) in args.iter_mut().zip(inputs).zip(&sources) {
            *arg = input.at(source.position(i));
        }
        if may_fail {
            met |= conditions(op, &args);
        }
        define(&args, target).write(&mut data);
        indices.advance();
    }
    Ok((Tensor { dtype, shape: alignment.shape, data }, met))
}

/// The program's outputs, and the data conditions that its steps met. Every value is computed as a whole array
/// at its own shape; a constant is a scalar.
///
/// # Errors
/// Inputs of another number or dtype than the program's; shapes that a step's mode refuses.
pub fn run(program: &Program, inputs: &[Tensor]) -> Result<(Vec<Tensor>, Conditions), Error> {
    let expected = program.inputs();
    if inputs.len() != expected.len() {
        return Err(Error::Count { what: "inputs", given: inputs.len(), expected: expected.len() });
    }
    for (i, (input, expected)) in inputs.iter().zip(expected).enumerate() {
        if input.dtype != expected.dtype {
            return Err(Error::DType { what: format!("input {i}"), given: input.dtype, expected: expected.dtype });
        }
    }
    let mut met = Conditions::default();
    let mut values: Vec<Tensor> = Vec::with_capacity(program.values().len());
    for value in program.values() {
        let tensor = match &value.node {
            Node::Input(i) => inputs[*i].clone(),
            Node::Constant(constant) => Tensor::scalar((*constant).into()),
            Node::Step { op, args, broadcast } | Node::Exact { op, args, broadcast } => {
                let args: Vec<&Tensor> = args.iter().map(|a| &values[a.index()]).collect();
                let (out, conditions) = evaluate_with_conditions(*op, &args, Some(value.dtype), broadcast)?;
                met |= conditions;
                out
            }
            other => return Err(Error::Expression { message: format!("the oracle has no definition of {other:?}") }),
        };
        values.push(tensor);
    }
    let output = |id: &ValueId| values[id.index()].clone();
    Ok((program.outputs().iter().map(output).collect(), met))
}

/// SONNX's n-ary Broadcast: every input at the common shape, bits as they are, dtypes mixed at will.
///
/// # Errors
/// Without inputs, or shapes that do not fit ([`Broadcast::Numpy`]).
pub fn broadcast(inputs: &[&Tensor]) -> Result<Vec<Tensor>, Error> {
    let shapes: Vec<&Shape> = inputs.iter().map(|t| &t.shape).collect();
    let alignment = Broadcast::Numpy.align(&shapes)?;
    let expand = |(k, input): (usize, &&Tensor)| {
        let source = Source::new(&input.shape, &alignment, k);
        let mut data = room(input.dtype, &alignment.shape)?;
        let mut indices = Indices::new(&alignment.shape);
        while let Some(i) = indices.current() {
            input.at(source.position(i)).write(&mut data);
            indices.advance();
        }
        Ok(Tensor { dtype: input.dtype, shape: alignment.shape.clone(), data })
    };
    inputs.iter().enumerate().map(expand).collect()
}

/// [`broadcast`](fn@broadcast) for any type, such as strings: the common shape and each input's elements at it. An input is its shape
/// and its elements in C order.
///
/// # Errors
/// As [`broadcast`](fn@broadcast), and [`Error::Bounds`] for a number of elements that is not the shape's.
pub fn broadcast_of<T: Clone>(inputs: &[(&Shape, &[T])]) -> Result<(Shape, Vec<Vec<T>>), Error> {
    for (k, (shape, elements)) in inputs.iter().enumerate() {
        let needed = shape.elements()?;
        if elements.len() != needed {
            return Err(Error::Bounds { what: format!("input {k} (elements)"), needed, given: elements.len() });
        }
    }
    let shapes: Vec<&Shape> = inputs.iter().map(|(shape, _)| *shape).collect();
    let alignment = Broadcast::Numpy.align(&shapes)?;
    let count = alignment.shape.elements()?;
    let expand = |(k, (shape, elements)): (usize, &(&Shape, &[T]))| {
        let source = Source::new(shape, &alignment, k);
        let mut out = Vec::new();
        let too_large = |_| Error::TooLarge { shape: alignment.shape.clone(), element_bytes: size_of::<T>() };
        out.try_reserve_exact(count).map_err(too_large)?;
        let mut indices = Indices::new(&alignment.shape);
        while let Some(i) = indices.current() {
            out.push(elements[source.position(i)].clone());
            indices.advance();
        }
        Ok(out)
    };
    let expanded = inputs.iter().enumerate().map(expand).collect::<Result<_, Error>>()?;
    Ok((alignment.shape, expanded))
}
