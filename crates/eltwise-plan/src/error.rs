//! What can go wrong, with what was given and what was expected.

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
    /// Shapes that do not fit together.
    Broadcast,
    /// Dtypes that an operator, or a borrowed slice, does not take.
    DType,
    /// A wrong number of operands, inputs or outputs.
    Arity,
    /// A layout that is not the one expected, or not allowed.
    Layout,
    /// More elements or bytes than the address space holds.
    TooLarge,
    /// A buffer too short for its layout.
    Bounds,
    /// Memory of an output that overlaps an operand's.
    Alias,
    /// A dtype family or operator that this build leaves out.
    Unsupported,
    /// An expression text that does not parse, an unknown name.
    Parse,
    /// A literal that its dtype cannot hold.
    Literal,
    /// A data condition (division by zero, a negative exponent) in a checked run; the output was written.
    Data,
    /// A run in check mode whose result is not the definition's; the output was written.
    Check,
    /// A run that was cancelled; the output was written in part.
    Cancelled,
    /// Anything a front door adds: files, arguments.
    Other,
}

/// An error of planning, binding or checking. No run panics; data never stops a run.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Shapes that a broadcast mode refuses.
    Broadcast(Box<BroadcastError>),
    /// An operand dtype that the operator does not take.
    Operand {
        /// The operator.
        op: Op,
        /// The dtypes given.
        operands: Vec<DType>,
        /// The operand at fault.
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
    /// A wrong number of inputs or outputs for a plan.
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
        /// What has it, such as `input 0`.
        what: String,
        /// The dtype given.
        given: DType,
        /// The dtype expected.
        expected: DType,
    },
    /// A shape other than the expected one.
    Shape {
        /// What has it, such as `output 0`.
        what: String,
        /// The shape given.
        given: Shape,
        /// The shape expected.
        expected: Shape,
    },
    /// Strides other than the expected ones.
    Strides {
        /// What has them.
        what: String,
        /// The strides given.
        given: Strides,
        /// The strides expected.
        expected: Strides,
    },
    /// A view that cannot be had: no such axis, not aligned, a byte that is no `bool`, outputs of different shapes.
    Layout {
        /// What is wrong.
        message: String,
    },
    /// Strides of another rank than the shape.
    StrideRank {
        /// The shape.
        shape: Shape,
        /// The strides.
        strides: Strides,
    },
    /// An output whose elements share memory (stride 0, or overlapping axes).
    OverlappingOutput {
        /// What it is, such as `output 0`.
        what: String,
        /// Its shape.
        shape: Shape,
        /// Its strides.
        strides: Strides,
    },
    /// More elements or bytes than `isize::MAX`, or than there is memory for.
    TooLarge {
        /// The shape.
        shape: Shape,
        /// Bytes of an element.
        element_bytes: usize,
    },
    /// Strides that lead further than the address space.
    TooFar {
        /// The shape.
        shape: Shape,
        /// The strides.
        strides: Strides,
    },
    /// A buffer too short for its layout.
    Bounds {
        /// What it is.
        what: String,
        /// Bytes (or elements) the layout needs.
        needed: usize,
        /// Bytes (or elements) there are.
        given: usize,
    },
    /// Memory of an output that overlaps another operand's without being the same operand.
    Alias {
        /// The output.
        output: String,
        /// The other operand.
        operand: String,
    },
    /// A kernel that this build leaves out.
    Unsupported {
        /// The operator.
        op: Op,
        /// The dtype.
        dtype: DType,
        /// What is missing, such as `the feature f64`.
        why: &'static str,
    },
    /// A value above its maximum.
    Limit {
        /// The limit.
        what: &'static str,
        /// What was asked.
        given: usize,
        /// The most there is.
        most: usize,
    },
    /// An expression text that does not parse, or that has no program; the kind is then that of the cause.
    Parse {
        /// What is wrong.
        message: String,
        /// The text.
        text: String,
        /// The bytes of the text at fault.
        at: Range<usize>,
        /// The error that has its place here, for a text that parses but has no program: dtypes, literals.
        cause: Option<Box<Error>>,
    },
    /// A literal that does not fit its dtype.
    Literal {
        /// The literal as written.
        given: String,
        /// The dtype it must fit.
        dtype: DType,
    },
    /// An expression whose dtypes nothing decides, or another misuse of the builder.
    Expression {
        /// What is wrong.
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
        /// What happened: `integer division by zero`, `integer to a negative power`.
        condition: &'static str,
    },
    /// A run in check mode (`ELTWISE_CHECK=1`) whose result is not the definition's. The output was written.
    Check {
        /// The first difference: the output or step, the element, its value and the expected one.
        difference: String,
        /// The plan in words: operand layouts, ISA, loops, strategy.
        plan: String,
    },
    /// A run that was cancelled before it was complete. The output was written in part.
    Cancelled,
}

/// The details of a refused broadcast.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BroadcastError {
    /// The mode.
    pub mode: Broadcast,
    /// The shapes of the operands (for `Bidirectional`: the input's and the target).
    pub shapes: Vec<Shape>,
    /// The two operands at fault, positions in `shapes`.
    pub operands: (usize, usize),
    /// The rule that failed, such as `axis 0 is 3 and 5`.
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
                    "shape {shape} with elements of {element_bytes} bytes is larger than the address space, or than the memory there is"
                )
            }
            Error::TooFar { shape, strides } => {
                write!(f, "strides {strides:?} of shape {shape} lead further than the address space")
            }
            Error::Bounds { what, needed, given } => write!(f, "{what} needs {needed}, {given} given"),
            Error::Alias { output, operand } => {
                write!(f, "{output} overlaps {operand} without being the same memory with the same layout")
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
            Error::UnknownAccuracy { given } => write!(f, "unknown accuracy {given:?}; expected fast or exact"),
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
