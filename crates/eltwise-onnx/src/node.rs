//! What a front end gives, [`Node`] and [`Operand`], and what it gets, [`Translation`] or [`Unsupported`].

use std::fmt;

use eltwise::{DType, Error, Expr, Shape};

/// The dtype with a number of ONNX's `TensorProto.DataType`; `None` for those that have no elements of ours.
pub const fn data_type(number: i64) -> Option<DType> {
    Some(match number {
        1 => DType::F32,
        2 => DType::U8,
        3 => DType::I8,
        4 => DType::U16,
        5 => DType::I16,
        6 => DType::I32,
        7 => DType::I64,
        9 => DType::Bool,
        10 => DType::F16,
        11 => DType::F64,
        12 => DType::U32,
        13 => DType::U64,
        16 => DType::BF16,
        _ => return None,
    })
}

/// The dtype of the bytes that hold elements of four bits, for a number of ONNX's `TensorProto.DataType`; `None` for other types.
pub const fn four_bit_data_type(number: i64) -> Option<DType> {
    match number {
        21 => Some(DType::U8),
        22 => Some(DType::I8),
        _ => None,
    }
}

/// How elements of four bits lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FourBits {
    /// One in each byte, as a byte of the same value.
    OnePerByte,
    /// Two in each byte, as in ONNX: the first in the lower half.
    TwoPerByte,
}

/// An attribute of a node. ONNX's attributes are 64-bit integers and 32-bit floats, whatever the dtype of the operands.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Attribute<'a> {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f32),
    /// A text.
    Text(&'a str),
}

/// An operator with its attributes.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The domain: empty for ONNX's own operators, `com.microsoft` for those of ONNX Runtime.
    pub domain: &'a str,
    /// The operator, such as `HardSigmoid`.
    pub op_type: &'a str,
    /// An opset in which the operator is defined as in the model: the one that the model imports, or the first one with that definition.
    pub opset: i64,
    /// The attributes that the model sets.
    pub attributes: &'a [(&'a str, Attribute<'a>)],
}

impl<'a> Node<'a> {
    /// An operator of ONNX's own domain without attributes.
    pub const fn new(op_type: &'a str, opset: i64) -> Node<'a> {
        Node { domain: "", op_type, opset, attributes: &[] }
    }

    /// The attribute `name`, if the model sets it.
    pub fn attribute(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes.iter().find(|(given, _)| *given == name).map(|(_, attribute)| *attribute)
    }

    /// The float attribute `name`, or its default.
    pub(crate) fn float(&self, name: &str, default: f32) -> Result<f32, Unsupported> {
        match self.attribute(name) {
            None => Ok(default),
            Some(Attribute::Float(value)) => Ok(value),
            Some(other) => Err(self.unsupported(format!("attribute {name} is {other:?}, expected a float"))),
        }
    }

    /// The integer attribute `name`, or its default.
    pub(crate) fn int(&self, name: &str, default: i64) -> Result<i64, Unsupported> {
        match self.attribute(name) {
            None => Ok(default),
            Some(Attribute::Int(value)) => Ok(value),
            Some(other) => Err(self.unsupported(format!("attribute {name} is {other:?}, expected an integer"))),
        }
    }

    /// The text attribute `name`, or its default.
    pub(crate) fn text(&self, name: &str, default: &'a str) -> Result<&'a str, Unsupported> {
        match self.attribute(name) {
            None => Ok(default),
            Some(Attribute::Text(value)) => Ok(value),
            Some(other) => Err(self.unsupported(format!("attribute {name} is {other:?}, expected a text"))),
        }
    }

    /// The error for this node, because of one of the engine.
    pub(crate) fn refused(&self, cause: Error) -> Unsupported {
        Unsupported { why: cause.to_string(), cause: Some(cause), ..self.unsupported("") }
    }

    /// The error for this node.
    pub(crate) fn unsupported(&self, why: impl Into<String>) -> Unsupported {
        Unsupported { op_type: self.op_type.into(), why: why.into(), cause: None }
    }
}

/// An operand: an expression and the dtype of its elements.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The expression: an input of the program, or an output of another node.
    pub expr: Expr,
    /// The dtype, as the model has it.
    pub dtype: DType,
    /// How its elements lie in memory, if they have four bits; `dtype` is that of their bytes.
    pub four_bits: Option<FourBits>,
    /// The elements of a constant vector of integers.
    pub integers: Option<Vec<i64>>,
}

impl Operand {
    /// An operand that is no constant vector of integers, and has elements of whole bytes.
    pub const fn new(expr: Expr, dtype: DType) -> Operand {
        Operand { expr, dtype, four_bits: None, integers: None }
    }
}

/// The shape in which a program takes an operand of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct View {
    /// How the operand is aligned with the others.
    pub alignment: Alignment,
    /// Whether the last axis becomes two, because operand 0 has elements of four bits in pairs.
    pub pairs: Pairs,
}

/// How an operand of a node is aligned with the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Alignment {
    /// As in NumPy.
    #[default]
    Numpy,
    /// One element: the shape is `[]`.
    Scalar,
    /// A vector along an axis of operand 0, which may be negative: the shape is `[n, 1, ..., 1]`, with a 1 for every axis after that
    /// one. A scalar and a vector of one element have any axis: the shape is `[]`.
    AlongAxis(i64),
    /// Operand 0 in blocks along an axis: an axis of n elements becomes two, of `n / size` and `size`.
    Split {
        /// The axis, which may be negative.
        axis: i64,
        /// The elements of a block.
        size: usize,
    },
    /// An operand with one element for each block of an axis of operand 0: a 1 follows the axis.
    Blocks {
        /// The axis, which may be negative.
        axis: i64,
        /// The elements of a block.
        size: usize,
    },
}

/// Whether the last axis becomes two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pairs {
    /// It does not.
    #[default]
    None,
    /// An axis of n elements becomes two, of `n / 2` and 2; one of a single element, two of 1.
    Elements,
    /// The operand is in bytes of two elements: an axis of n elements becomes two, of `n / 2` and 1.
    TwoPerByte,
}

impl From<Alignment> for View {
    fn from(alignment: Alignment) -> View {
        View { alignment, pairs: Pairs::None }
    }
}

impl View {
    /// The view for an operand 0 of this rank: its axis is negative, and counts from the last one.
    pub(crate) fn counted_from_end(self, rank: usize) -> View {
        // An axis that operand 0 does not have stays one.
        let negative = |axis: i64| if (0..rank as i64).contains(&axis) { axis - rank as i64 } else { axis };
        let alignment = match self.alignment {
            alignment @ (Alignment::Numpy | Alignment::Scalar) => alignment,
            Alignment::AlongAxis(axis) => Alignment::AlongAxis(negative(axis)),
            Alignment::Split { axis, size } => Alignment::Split { axis: negative(axis), size },
            Alignment::Blocks { axis, size } => Alignment::Blocks { axis: negative(axis), size },
        };
        View { alignment, ..self }
    }

    /// Whether this is operand 0 with more axes than it has in the graph. The result has them in the program, too, and gets operand
    /// 0's shape back.
    pub fn splits_operand_0(self) -> bool {
        matches!(self.alignment, Alignment::Split { .. }) || self.pairs == Pairs::TwoPerByte
    }

    /// The shape in which a program takes an operand. `shape` is the operand's shape, `rank` the rank of operand 0 of its node.
    ///
    /// # Errors
    /// An operand that is no vector, an axis that operand 0 does not have, an axis that is no whole number of blocks, and a last axis
    /// that is no whole number of pairs.
    pub fn shape(self, shape: &[usize], rank: usize) -> Result<Shape, String> {
        let aligned = self.alignment.shape(shape, rank)?;
        let split = match (self.pairs, aligned.last()) {
            (Pairs::None, _) | (Pairs::Elements, None) => return Ok(aligned),
            (Pairs::Elements, Some(1)) => [1, 1],
            (Pairs::Elements, Some(size)) if size.is_multiple_of(2) => [size / 2, 2],
            (Pairs::TwoPerByte, Some(size)) if size.is_multiple_of(2) => [size / 2, 1],
            (_, size) => {
                let size = size.copied().unwrap_or(1);
                return Err(format!("elements of four bits in rows or blocks of {size}, expected an even number"));
            }
        };
        Ok(aligned[..aligned.len() - 1].iter().chain(&split).copied().collect())
    }
}

impl Alignment {
    fn shape(self, shape: &[usize], rank: usize) -> Result<Shape, String> {
        let axis = match self {
            Alignment::Numpy => return Ok(shape.into()),
            Alignment::Scalar if shape.iter().product::<usize>() == 1 => return Ok(Shape::scalar()),
            Alignment::Scalar => return Err(format!("an operand has shape {shape:?}, expected one element")),
            Alignment::AlongAxis(axis) | Alignment::Split { axis, .. } | Alignment::Blocks { axis, .. } => axis,
        };
        let at = axis_index(axis, rank);
        match (self, shape) {
            (Alignment::AlongAxis(_), [] | [1]) => Ok(Shape::scalar()),
            (Alignment::AlongAxis(_), [size]) => {
                Ok((at?..rank).enumerate().map(|(i, _)| if i == 0 { *size } else { 1 }).collect())
            }
            (Alignment::AlongAxis(_), _) => {
                Err(format!("an operand along axis {axis} has shape {shape:?}, expected a vector"))
            }
            _ if shape.len() != rank => Err(format!("an operand of blocks has shape {shape:?}, expected rank {rank}")),
            (Alignment::Split { size, .. }, _) => {
                let at = at?;
                if size == 0 || !shape[at].is_multiple_of(size) {
                    return Err(format!("axis {axis} has {} elements, expected a multiple of {size}", shape[at]));
                }
                Ok(shape[..at].iter().chain(&[shape[at] / size, size]).chain(&shape[at + 1..]).copied().collect())
            }
            (Alignment::Blocks { .. } | Alignment::Numpy | Alignment::Scalar, _) => {
                let at = at?;
                Ok(shape[..=at].iter().chain(&[1]).chain(&shape[at + 1..]).copied().collect())
            }
        }
    }
}

/// The index of an axis, which may be negative, of an operand of this rank.
pub(crate) fn axis_index(axis: i64, rank: usize) -> Result<usize, String> {
    let number = if axis < 0 { axis + rank as i64 } else { axis };
    let index = usize::try_from(number).ok().filter(|&index| index < rank);
    index.ok_or_else(|| format!("axis {axis} is not an axis of an operand of rank {rank}"))
}

/// The first result of a node as an expression. Others are not supported.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The expression.
    pub expr: Expr,
    /// The dtype.
    pub dtype: DType,
    /// The operands that are not aligned as in NumPy, by their index in the node. Such an operand must be an input of the program.
    pub views: Vec<(usize, View)>,
}

impl Translation {
    /// A result whose operands are aligned as in NumPy.
    pub(crate) const fn new(expr: Expr, dtype: DType) -> Translation {
        Translation { expr, dtype, views: vec![] }
    }
}

/// Why a node cannot be translated.
#[derive(Clone, PartialEq, Debug)]
pub struct Unsupported {
    /// The operator.
    pub op_type: String,
    /// What was given and what was expected.
    pub why: String,
    /// The engine's error, if that is the reason.
    pub cause: Option<Error>,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.op_type, self.why)
    }
}

impl std::error::Error for Unsupported {}
