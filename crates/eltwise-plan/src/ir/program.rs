//! Programs: [`Program`] is an expression as typed steps over values, without shapes.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use eltwise_core::{Accuracy, Broadcast, Constant, DType, Op, Signature};
use smallvec::SmallVec;

/// A value of a program: an input, a constant, or the result of a step. Values are numbered in the order of computation: the
/// operands of a step have smaller numbers than its result.
///
/// An id is only a number. An id of another program or builder means the value with the same number, and is an error only
/// if there is none. The builder of a program also numbers values differently, because the program has no unused values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(pub(super) u32);

impl ValueId {
    /// Position in [`Program::values`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The origin of a value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Node {
    /// The input with this position.
    Input(usize),
    /// A scalar.
    Constant(Constant),
    /// An operator over earlier values.
    Step {
        /// The operator.
        op: Op,
        /// Its operands.
        args: SmallVec<[ValueId; 3]>,
        /// The broadcast mode of the operands.
        broadcast: Broadcast,
        /// The tier of accuracy. Other than [`Accuracy::Fast`] only for a math operator with a kernel for that tier.
        accuracy: Accuracy,
    },
    /// A function defined by the caller over earlier values.
    Custom {
        /// The function.
        function: Custom,
        /// Its operands.
        args: SmallVec<[ValueId; 3]>,
        /// The broadcast mode of the operands.
        broadcast: Broadcast,
    },
}

/// The signature of a function that is not in the catalogue. The executor finds its code by `id`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Custom {
    /// The number that identifies the function.
    pub id: u32,
    /// Its name, for errors and explanations.
    pub name: &'static str,
    /// The number of operands.
    pub arity: usize,
    /// The dtype of its operands.
    pub from: DType,
    /// The dtype of its result.
    pub to: DType,
}

impl Node {
    /// The operands of a step; empty for an input or a constant.
    pub fn args(&self) -> &[ValueId] {
        match self {
            Node::Step { args, .. } | Node::Custom { args, .. } => args,
            Node::Input(_) | Node::Constant(_) => &[],
        }
    }

    /// The broadcast mode of a step; `None` for an input or a constant.
    pub fn broadcast(&self) -> Option<&Broadcast> {
        match self {
            Node::Step { broadcast, .. } | Node::Custom { broadcast, .. } => Some(broadcast),
            Node::Input(_) | Node::Constant(_) => None,
        }
    }
}

/// A value: its origin and its dtype.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Value {
    /// The origin.
    pub node: Node,
    /// The dtype of its elements.
    pub dtype: DType,
}

impl Value {
    /// The tier of accuracy of the step.
    pub fn accuracy(&self) -> Accuracy {
        match &self.node {
            Node::Step { accuracy, .. } => *accuracy,
            Node::Input(_) | Node::Constant(_) | Node::Custom { .. } => Accuracy::Fast,
        }
    }

    /// The same value over operands with other numbers: `ids` has the new one of every value.
    pub(super) fn renamed(&self, ids: &[ValueId]) -> Value {
        let mut value = self.clone();
        if let Node::Step { args, .. } | Node::Custom { args, .. } = &mut value.node {
            args.iter_mut().for_each(|arg| *arg = ids[arg.index()]);
        }
        value
    }
}

/// The name and dtype of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The name, for errors and explanations.
    pub name: Cow<'static, str>,
    /// The dtype.
    pub dtype: DType,
}

/// Typed steps from inputs to outputs. Every value that is not an input is used; equal values are computed once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub(super) inputs: Vec<Input>,
    pub(super) values: Vec<Value>,
    pub(super) outputs: SmallVec<[ValueId; 2]>,
}

impl Program {
    /// The inputs, in the order in which layouts and data are given.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The values in the order of computation.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// One value.
    ///
    /// # Panics
    /// If no value of this program has this number (see [`ValueId`]).
    pub fn value(&self, id: ValueId) -> &Value {
        &self.values[id.index()]
    }

    /// The outputs, in order.
    pub fn outputs(&self) -> &[ValueId] {
        &self.outputs
    }

    /// The ids of the values, in the order of computation.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ValueId> + use<> {
        (0..self.values.len() as u32).map(ValueId)
    }

    /// The operator and the dtype T of its operands, if the program is one step with one output.
    pub fn only_step(&self) -> Option<(Op, DType)> {
        let step = only_step(self)?;
        Some((step.op, step.from))
    }

    /// The number of steps.
    pub fn step_count(&self) -> usize {
        self.values.iter().filter(|v| v.node.broadcast().is_some()).count()
    }
}

/// The step of a program that has one step and one output.
pub(crate) struct OnlyStep<'p> {
    pub(crate) op: Op,
    pub(crate) args: &'p [ValueId],
    pub(crate) broadcast: &'p Broadcast,
    /// The dtype T of its operands.
    pub(crate) from: DType,
    pub(crate) to: DType,
}

/// The step of a program, if it is the only one and its result is the only output.
pub(crate) fn only_step(program: &Program) -> Option<OnlyStep<'_>> {
    let (last, others) = program.values().split_last()?;
    let Node::Step { op, args, broadcast, accuracy: Accuracy::Fast } = &last.node else { return None };
    let is_only = program.outputs().len() == 1 && !others.iter().any(|v| v.node.broadcast().is_some());
    let from = operand_dtype(program, *op, args, last.dtype);
    is_only.then_some(OnlyStep { op: *op, args, broadcast, from, to: last.dtype })
}

/// The dtype T of a step's operands: the dtype of its first operand, or of its second if the first is a condition.
pub(crate) fn operand_dtype(program: &Program, op: Op, args: &[ValueId], result: DType) -> DType {
    let t = usize::from(op.signature() == Signature::Select);
    args.get(t).map_or(result, |&a| program.value(a).dtype)
}
