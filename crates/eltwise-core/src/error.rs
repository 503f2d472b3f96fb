//! The errors of the engine: [`Error`] with what was given and what was expected, [`ErrorKind`] to match on.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::broadcast::Broadcast;
use crate::dtype::DType;
use crate::op::Op;
use crate::shape::{Shape, Strides};

/// The kind of an [`Error`], to match on without its details.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Shapes that do not broadcast.
    Broadcast,
    /// A dtype that an operator does not take, or that a slice does not have.
    DType,
    /// A wrong number of operands, inputs or outputs.
    Arity,
    /// A layout that is not the expected one, or not allowed.
    Layout,
    /// More elements or bytes than the address space holds.
    TooLarge,
    /// A buffer too short for its layout.
    Bounds,
    /// An output that overlaps another operand in memory.
    Alias,
    /// A dtype or operator that this build does not include.
    Unsupported,
    /// An expression that does not parse, an unknown name.
    Parse,
    /// A literal that its dtype cannot hold.
    Literal,
    /// A data condition (division by zero, a negative exponent) in a checked run. The output was written.
    Data,
    /// A run in check mode whose result differs from the reference. The output was written.
    Check,
    /// A cancelled run. The output was written in part.
    Cancelled,
    /// An error of a front end: files, arguments.
    Other,
}

/// An error of planning, binding, running or checking. No input value aborts a run: see [`Error::Data`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Shapes that do not broadcast.
    Broadcast(Box<BroadcastError>),
    /// An operand dtype that the operator does not take.
    Operand {
        /// The operator.
        op: Op,
        /// The dtypes given.
        operands: Vec<DType>,
        /// The position of the operand that the operator does not take.
        operand: usize,
        /// The rule.
        why: &'static str,
    },
    /// A dtype that an operator cannot convert to.
    Target {
        /// The operator.
        op: Op,
        /// The dtype of the operand.
        from: DType,
        /// The dtype to convert to.
        given: DType,
    },
    /// A wrong number of operands.
    Arity {
        /// The operator.
        op: Op,
        /// How many were given.
        given: usize,
    },
    /// A wrong number of inputs or outputs.
    Count {
        /// `inputs`, `outputs` or `operands to broadcast`.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many the program has.
        expected: usize,
    },
    /// A dtype other than the expected one.
    DType {
        /// The operand, such as `input 0`.
        what: String,
        /// The dtype given.
        given: DType,
        /// The dtype expected.
        expected: DType,
    },
    /// A shape other than the expected one.
    Shape {
        /// The operand, such as `output 0`.
        what: String,
        /// The shape given.
        given: Shape,
        /// The shape expected.
        expected: Shape,
    },
    /// Strides other than the expected ones.
    Strides {
        /// The operand.
        what: String,
        /// The strides given.
        given: Strides,
        /// The strides expected.
        expected: Strides,
    },
    /// A layout that is not allowed: an axis that does not exist, unaligned data, a byte that is not a `bool`, outputs of
    /// different shapes.
    Layout {
        /// The message.
        message: String,
    },
    /// Strides and a shape of different rank.
    StrideRank {
        /// The shape.
        shape: Shape,
        /// The strides.
        strides: Strides,
    },
    /// An output whose elements share memory (stride 0, or overlapping axes).
    OverlappingOutput {
        /// The output, such as `output 0`.
        what: String,
        /// Its shape.
        shape: Shape,
        /// Its strides.
        strides: Strides,
    },
    /// More than `isize::MAX` elements or bytes, or more than the available memory.
    TooLarge {
        /// The shape.
        shape: Shape,
        /// Bytes of an element.
        element_bytes: usize,
    },
    /// Strides whose offsets exceed the address space.
    TooFar {
        /// The shape.
        shape: Shape,
        /// The strides.
        strides: Strides,
    },
    /// A buffer that is too short for its layout.
    Bounds {
        /// The buffer and the unit.
        what: String,
        /// Bytes (or elements) that the layout needs.
        needed: usize,
        /// Bytes (or elements) of the buffer.
        given: usize,
    },
    /// An output that shares memory with another output, or with an input that it must not overwrite. An output may
    /// overwrite an input only if both have the same address and strides, and if the plan does not read the input after
    /// it has written the output.
    Alias {
        /// The output, with its layout and address where those are known.
        output: String,
        /// The other operand, described in the same way.
        operand: String,
    },
    /// A kernel that this build does not include.
    Unsupported {
        /// The operator.
        op: Op,
        /// The dtype.
        dtype: DType,
        /// The missing part, such as `the feature f64`.
        why: &'static str,
    },
    /// A value above its maximum.
    Limit {
        /// The limit.
        what: &'static str,
        /// The value given.
        given: usize,
        /// The maximum.
        most: usize,
    },
    /// An expression that does not parse, or that parses but is not valid. In the second case there is a cause, which gives the
    /// kind.
    Parse {
        /// The message.
        message: String,
        /// The text.
        text: String,
        /// The byte range of the text that is wrong.
        at: Range<usize>,
        /// The error of an expression that parses but is not valid: dtypes, literals.
        cause: Option<Box<Error>>,
    },
    /// A literal that does not fit its dtype.
    Literal {
        /// The literal as written.
        given: String,
        /// The dtype it must fit.
        dtype: DType,
    },
    /// An expression whose dtype is undetermined, or another misuse of the builder.
    Expression {
        /// The message.
        message: String,
    },
    /// An unknown dtype name.
    UnknownDType {
        /// The name given.
        given: String,
    },
    /// An unknown operator name.
    UnknownOperator {
        /// The name given.
        given: String,
    },
    /// An unknown tier of accuracy.
    UnknownAccuracy {
        /// The name given.
        given: String,
    },
    /// A data condition in a checked run. The output was written.
    Data {
        /// The condition: `integer division by zero`, `integer to a negative power`.
        condition: &'static str,
    },
    /// A run in check mode (`ELTWISE_CHECK=1`) whose result differs from the reference. The output was written.
    Check {
        /// The first difference: the output or step, the element, its value and the expected one.
        difference: String,
        /// The explained plan: operand layouts, ISA, loops, strategy.
        plan: String,
    },
    /// A cancelled run. The output was written in part.
    Cancelled,
}

/// Why shapes do not broadcast.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BroadcastError {
    /// The mode.
    pub mode: Broadcast,
    /// The shapes of the operands (for `Bidirectional`: the input's and the target).
    pub shapes: Vec<Shape>,
    /// The two operands that do not broadcast, as positions in `shapes`.
    pub operands: (usize, usize),
    /// The reason, such as `axis 0 is 3 and 5`.
    pub rule: String,
}

impl Error {
    /// The kind of this error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Broadcast(_) => ErrorKind::Broadcast,
            Error::Operand { .. } | Error::Target { .. } | Error::DType { .. } | Error::UnknownDType { .. } => {
                ErrorKind::DType
            }
            Error::Arity { .. } | Error::Count { .. } => ErrorKind::Arity,
            Error::Shape { .. }
            | Error::Strides { .. }
            | Error::Layout { .. }
            | Error::StrideRank { .. }
            | Error::OverlappingOutput { .. } => ErrorKind::Layout,
            Error::TooLarge { .. } | Error::TooFar { .. } | Error::Limit { .. } => ErrorKind::TooLarge,
            Error::Bounds { .. } => ErrorKind::Bounds,
            Error::Alias { .. } => ErrorKind::Alias,
            Error::Unsupported { .. } => ErrorKind::Unsupported,
            Error::Parse { cause: Some(cause), .. } => cause.kind(),
            Error::Parse { .. }
            | Error::UnknownOperator { .. }
            | Error::UnknownAccuracy { .. }
            | Error::Expression { .. } => ErrorKind::Parse,
            Error::Literal { .. } => ErrorKind::Literal,
            Error::Data { .. } => ErrorKind::Data,
            Error::Check { .. } => ErrorKind::Check,
            Error::Cancelled => ErrorKind::Cancelled,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Broadcast(e) => e.fmt(f),
            Error::Operand { op, operands, operand, why } => {
                write!(f, "{op}(")?;
                for (i, d) in operands.iter().enumerate() {
                    write!(f, "{}{d}", if i == 0 { "" } else { ", " })?;
                }
                write!(f, "): operand {operand}: {why}")?;
                match op.signature().is_t(*operand) {
                    false => Ok(()),
                    true => write!(f, "; {op} takes {}", op.info().dtypes()),
                }
            }
            Error::Target { op, from, given } => {
                let size = if *op == Op::Bitcast { " of the same size" } else { "" };
                write!(f, "cannot {op} {from} to {given}; {op} takes {}{size}", op.info().dtypes())
            }
            Error::Arity { op, given } => {
                write!(f, "{op} takes {}, {given} given{}", op.operands_in_words(), op.advice_on_count(*given))
            }
            Error::Count { what, given, expected } => write!(f, "expected {expected} {what}, {given} given"),
            Error::DType { what, given, expected } => write!(f, "{what} is {given}, expected {expected}"),
            Error::Shape { what, given, expected } => write!(f, "{what} has shape {given}, expected {expected}"),
            Error::Strides { what, given, expected } => {
                write!(f, "{what} has strides {given:?} (bytes), expected {expected:?}")
            }
            Error::StrideRank { shape, strides } => {
                write!(f, "shape {shape} has rank {}, strides {strides:?} have {}", shape.rank(), strides.len())
            }
            Error::OverlappingOutput { what, shape, strides } => write!(
                f,
                "{what} with shape {shape} and strides {strides:?} (bytes) has elements that share memory: it cannot be written"
            ),
            Error::TooLarge { shape, element_bytes } => {
                write!(
                    f,
                    "shape {shape} with elements of {element_bytes} bytes does not fit in memory: it is larger than the address space or the available memory"
                )
            }
            Error::TooFar { shape, strides } => {
                write!(f, "strides {strides:?} of shape {shape} have offsets outside the address space")
            }
            Error::Bounds { what, needed, given } => write!(f, "{what} needs {needed}, {given} given"),
            Error::Alias { output, operand } => {
                write!(
                    f,
                    "{output} overlaps {operand}: an output may share memory only with an input that has the same address and strides, and that the plan does not read after it has written the output"
                )
            }
            Error::Unsupported { op, dtype, why } => {
                write!(f, "{op} of {dtype} is not in this build, which lacks {why}")
            }
            Error::Limit { what, given, most } => write!(f, "{what}: {given}, at most {most}"),
            Error::Parse { message, .. } | Error::Expression { message } | Error::Layout { message } => {
                f.write_str(message)
            }
            Error::Literal { given, dtype } => write!(f, "the literal {given} does not fit {dtype}"),
            Error::UnknownDType { given } => {
                write!(f, "unknown dtype {given:?}; expected one of")?;
                DType::ALL.iter().try_for_each(|d| write!(f, " {d}"))
            }
            Error::UnknownOperator { given } => write!(f, "unknown operator or function {given:?}"),
            Error::UnknownAccuracy { given } => write!(f, "unknown accuracy {given:?}; expected fast or correct"),
            Error::Data { condition } => write!(f, "{condition} (the output was written)"),
            Error::Check { difference, plan } => write!(f, "check mode: {difference}\n{plan}"),
            Error::Cancelled => f.write_str("the run was cancelled (the output was written in part)"),
        }
    }
}

impl fmt::Display for BroadcastError {
    /// `cannot broadcast [3, 4] with [5, 4] (numpy): axis 0 is 3 and 5`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = self.operands;
        let shape = |i: usize| self.shapes.get(i).cloned().unwrap_or_default();
        write!(f, "cannot broadcast {} with {} ({}): {}", shape(a), shape(b), self.mode, self.rule)
    }
}

impl core::error::Error for Error {}
impl core::error::Error for BroadcastError {}
