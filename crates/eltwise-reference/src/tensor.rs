//! Arrays ([`Tensor`]), and operators and broadcasts over whole arrays ([`evaluate`], [`broadcast`](fn@broadcast)).

use eltwise_core::{Broadcast, DType, Error, Op, Shape};

use crate::definitions::{Conditions, conditions, definition, may_meet_conditions};
use crate::indexing::{BroadcastIndex, Indices};
use crate::value::{Value, same};

/// An array, contiguous in C order (last axis fastest), with little-endian elements.
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
    /// [`Error::Bounds`] if the shape needs another number of bytes, [`Error::TooLarge`] if it needs more than
    /// `isize::MAX`.
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
    /// The errors of [`Tensor::new`], and [`Error::DType`] if an element has another dtype.
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
    /// If the index has another rank or is past the end of an axis.
    pub fn get(&self, index: &[usize]) -> Value {
        let inside = index.len() == self.shape.rank() && index.iter().zip(self.shape.iter()).all(|(i, d)| i < d);
        assert!(inside, "index {index:?} is outside shape {}", self.shape);
        self.at(index.iter().zip(self.shape.iter()).fold(0, |at, (i, d)| at * d + i))
    }

    /// The elements, in C order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = Value> + '_ {
        self.data.chunks_exact(self.dtype.size()).map(|bytes| Value::read(self.dtype, bytes))
    }

    /// The first element, in C order, that differs from `other`: its position, the element of `self`, the element of
    /// `other`. NaNs of one dtype are the same. `None` if there is no difference.
    ///
    /// # Errors
    /// [`Error::DType`] or [`Error::Shape`] if the dtypes or shapes differ.
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

/// An empty vector with capacity for the bytes of an array.
fn with_capacity(dtype: DType, shape: &Shape) -> Result<Vec<u8>, Error> {
    let mut data = Vec::new();
    let too_large = |_| Error::TooLarge { shape: shape.clone(), element_bytes: dtype.size() };
    data.try_reserve_exact(shape.bytes(dtype.size())?).map_err(too_large)?;
    Ok(data)
}

/// The result of `op` over arrays, broadcast by `mode`. `target` is the dtype parameter of `cast`.
///
/// # Errors
/// The errors of [`Op::result`] for the dtypes, and of [`Broadcast::align`] for the shapes.
pub fn evaluate(op: Op, inputs: &[&Tensor], target: Option<DType>, mode: &Broadcast) -> Result<Tensor, Error> {
    evaluate_with_conditions(op, inputs, target, mode).map(|(out, _)| out)
}

/// Like [`evaluate`]; also returns the data conditions that elements met.
///
/// # Errors
/// The errors of [`evaluate`].
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
    let sources: Vec<BroadcastIndex> =
        shapes.iter().enumerate().map(|(k, s)| BroadcastIndex::new(s, &alignment, k)).collect();
    let mut data = with_capacity(dtype, &alignment.shape)?;
    let (define, may_meet) = (definition(op), dtypes.iter().any(|&d| may_meet_conditions(op, d)));
    let mut args: Vec<Value> = dtypes.iter().map(|&d| Value::new(d, 0)).collect();
    let mut met = Conditions::default();
    let mut indices = Indices::new(&alignment.shape);
    while let Some(i) = indices.current() {
        for ((arg, input), source) in args.iter_mut().zip(inputs).zip(&sources) {
            *arg = input.at(source.position(i));
        }
        if may_meet {
            met |= conditions(op, &args);
        }
        define(&args, target).write(&mut data);
        indices.advance();
    }
    Ok((Tensor { dtype, shape: alignment.shape, data }, met))
}

/// SONNX's n-ary Broadcast: every input expanded to the common shape, bits unchanged. The inputs may have different
/// dtypes.
///
/// # Errors
/// If there are no inputs, or if the shapes do not broadcast by [`Broadcast::Numpy`].
pub fn broadcast(inputs: &[&Tensor]) -> Result<Vec<Tensor>, Error> {
    let shapes: Vec<&Shape> = inputs.iter().map(|t| &t.shape).collect();
    let alignment = Broadcast::Numpy.align(&shapes)?;
    let expand = |(k, input): (usize, &&Tensor)| {
        let source = BroadcastIndex::new(&input.shape, &alignment, k);
        let mut data = with_capacity(input.dtype, &alignment.shape)?;
        let mut indices = Indices::new(&alignment.shape);
        while let Some(i) = indices.current() {
            input.at(source.position(i)).write(&mut data);
            indices.advance();
        }
        Ok(Tensor { dtype: input.dtype, shape: alignment.shape.clone(), data })
    };
    inputs.iter().enumerate().map(expand).collect()
}

/// [`broadcast`](fn@broadcast) for elements of any type, for example strings. An input is a shape and its elements in C
/// order. Returns the common shape and the elements of each input expanded to it.
///
/// # Errors
/// The errors of [`broadcast`](fn@broadcast), and [`Error::Bounds`] if an input has another number of elements than its
/// shape.
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
        let source = BroadcastIndex::new(shape, &alignment, k);
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
