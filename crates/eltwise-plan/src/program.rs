//! Programs: expressions after lowering, as typed steps over values. Shapes are not known yet.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::accuracy::Accuracy;
use crate::bind::{only_step, operand_dtype};
use crate::broadcast::Broadcast;
use crate::composite::{Composer, is_composite, is_exact};
use crate::dtype::DType;
use crate::error::Error;
use crate::op::{Op, Signature};

/// A value of a program: an input, a constant, or the result of a step. Values are numbered in the order of
/// computation: a step's operands have smaller numbers than its result.
///
/// It is a number alone, which does not know its program. One of another program or builder (also of the builder that
/// made the program, which drops what nothing uses) is taken for the value that has the same number, and refused only
/// where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(u32);

impl ValueId {
    /// Position in [`Program::values`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A scalar captured by a program: the bits of one element, in the low bytes of `bits`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Constant {
    /// The dtype.
    pub dtype: DType,
    /// The element's bits, little-endian: byte 0 of the element is the lowest byte.
    pub bits: u128,
}

/// Where a value comes from.
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
        /// How the operands' shapes are brought together.
        broadcast: Broadcast,
    },
    /// A math operator over earlier values of f32, correctly rounded by a kernel of its own; or over values of f64, for a result that is
    /// rounded to a narrower dtype next ([`Accuracy::ToNarrow`]).
    Exact {
        /// The operator.
        op: Op,
        /// Its operands.
        args: SmallVec<[ValueId; 3]>,
        /// How the operands' shapes are brought together.
        broadcast: Broadcast,
    },
    /// A function of the caller's over earlier values.
    Custom {
        /// The function.
        function: Custom,
        /// Its operands.
        args: SmallVec<[ValueId; 3]>,
        /// How the operands' shapes are brought together.
        broadcast: Broadcast,
    },
}

/// A function that the catalogue does not have: what a program knows of it. Its code is somebody else's to find.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Custom {
    /// What tells it from other functions.
    pub id: u32,
    /// Its name, for messages and plans.
    pub name: &'static str,
    /// How many operands it takes.
    pub arity: usize,
    /// The dtype of its operands.
    pub from: DType,
    /// The dtype of its result.
    pub to: DType,
}

impl Node {
    /// The operands of a step; none of an input or a constant.
    pub fn args(&self) -> &[ValueId] {
        match self {
            Node::Step { args, .. } | Node::Exact { args, .. } | Node::Custom { args, .. } => args,
            Node::Input(_) | Node::Constant(_) => &[],
        }
    }

    /// How the operands of a step are brought together.
    pub fn broadcast(&self) -> Option<&Broadcast> {
        match self {
            Node::Step { broadcast, .. } | Node::Exact { broadcast, .. } | Node::Custom { broadcast, .. } => {
                Some(broadcast)
            }
            Node::Input(_) | Node::Constant(_) => None,
        }
    }
}

/// A value: where it comes from, and its dtype.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Value {
    /// Where it comes from.
    pub node: Node,
    /// The dtype of its elements.
    pub dtype: DType,
}

impl Value {
    /// The tier of accuracy of its step.
    pub fn accuracy(&self) -> Accuracy {
        match (&self.node, self.dtype) {
            (Node::Exact { .. }, DType::F64) => Accuracy::ToNarrow,
            (Node::Exact { .. }, _) => Accuracy::Exact,
            _ => Accuracy::Fast,
        }
    }
}

/// The name and dtype of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The name, for messages.
    pub name: Cow<'static, str>,
    /// The dtype.
    pub dtype: DType,
}

/// Typed steps from inputs to outputs. Every value but an input is used; equal values are computed once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    inputs: Vec<Input>,
    values: Vec<Value>,
    outputs: SmallVec<[ValueId; 2]>,
}

impl Program {
    /// A program of one operator over inputs `a`, `b`, `c`, `d`; `target` is `cast`'s parameter.
    ///
    /// # Errors
    /// As [`ProgramBuilder::step`].
    pub fn single(op: Op, operands: &[DType], target: Option<DType>, broadcast: Broadcast) -> Result<Program, Error> {
        Program::single_at(op, operands, target, broadcast, Accuracy::Fast)
    }

    /// As [`Program::single`], at a tier of accuracy.
    ///
    /// # Errors
    /// As [`ProgramBuilder::step`].
    pub fn single_at(
        op: Op,
        operands: &[DType],
        target: Option<DType>,
        broadcast: Broadcast,
        accuracy: Accuracy,
    ) -> Result<Program, Error> {
        const NAMES: [&str; 4] = ["a", "b", "c", "d"];
        let name = |i: usize| NAMES.get(i).copied().unwrap_or("x");
        if is_composite(op, operands, accuracy) || is_exact(op, operands, accuracy) {
            let mut builder = ProgramBuilder::new();
            builder.set_accuracy(accuracy);
            let args: SmallVec<[ValueId; 4]> =
                operands.iter().enumerate().map(|(i, &dtype)| builder.input(name(i), dtype)).collect();
            let out = builder.step(op, &args, target, broadcast)?;
            builder.output(out);
            return builder.finish();
        }
        let (dtype, is_step) = typed(op, operands, target, &broadcast)?;
        let mut program = Program {
            inputs: Vec::with_capacity(operands.len()),
            values: Vec::with_capacity(operands.len() + 1),
            outputs: SmallVec::new(),
        };
        let mut args = SmallVec::new();
        for (i, &dtype) in operands.iter().enumerate() {
            program.inputs.push(Input { name: Cow::Borrowed(name(i)), dtype });
            program.values.push(Value { node: Node::Input(i), dtype });
            args.push(ValueId(i as u32));
        }
        // A cast to the same dtype is no step, and an output must be one.
        let (op, broadcast) = if is_step { (op, broadcast) } else { (Op::Copy, Broadcast::Numpy) };
        program.outputs.push(ValueId(operands.len() as u32));
        program.values.push(Value { node: Node::Step { op, args, broadcast }, dtype });
        Ok(program)
    }

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
    /// When no value of this program has this number: it is of another, or of its builder, which also numbers values that
    /// nothing uses.
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

    /// The operator and the dtype T of its operands, of a program of one step into one output.
    pub fn only_step(&self) -> Option<(Op, DType)> {
        let step = only_step(self)?;
        Some((step.op, operand_dtype(self, step.op, step.args, step.to)))
    }

    /// How many values are steps.
    pub fn step_count(&self) -> usize {
        self.values.iter().filter(|v| v.node.broadcast().is_some()).count()
    }
}

/// The dtype of a step's result, and whether the step is one: a cast of a value to its own dtype is the value itself.
fn typed(op: Op, operands: &[DType], target: Option<DType>, broadcast: &Broadcast) -> Result<(DType, bool), Error> {
    let dtype = op.result(operands, target)?;
    let fits = match broadcast {
        Broadcast::Pdpd { .. } | Broadcast::Unidirectional => operands.len() == 2,
        Broadcast::Bidirectional { .. } => op == Op::BroadcastTo,
        _ => op != Op::BroadcastTo,
    };
    if !fits {
        return Err(Error::Expression { message: alloc::format!("{op} does not take the broadcast mode {broadcast}") });
    }
    Ok((dtype, op.signature() != Signature::Convert || operands[0] != dtype))
}

#[cold]
fn foreign(value: ValueId) -> Error {
    Error::Expression { message: alloc::format!("value {} is not of this program", value.index()) }
}

/// Builds a [`Program`] value by value. Equal values are found and shared.
#[derive(Clone, Debug, Default)]
pub struct ProgramBuilder {
    inputs: Vec<Input>,
    values: Vec<Value>,
    outputs: Vec<ValueId>,
    /// Finds equal values; unused while there are few.
    known: BTreeMap<Value, ValueId>,
    /// Of the steps that are added.
    accuracy: Accuracy,
    contract: bool,
}

impl ProgramBuilder {
    /// An empty program.
    pub fn new() -> ProgramBuilder {
        ProgramBuilder::default()
    }

    /// The tier of the math operators that are added from here on: [`Accuracy::Fast`] at first.
    pub fn set_accuracy(&mut self, accuracy: Accuracy) {
        self.accuracy = accuracy;
    }

    /// The tier of the math operators that are added next.
    pub fn accuracy(&self) -> Accuracy {
        self.accuracy
    }

    /// Whether the program rounds `a * b + c`, `a * b - c` and `c - a * b` once: see [`Program::contracted`]. Not at first.
    pub fn contract(&mut self, contract: bool) {
        self.contract = contract;
    }

    /// Adds an input. Inputs keep their order, and stay inputs of the program when nothing uses them.
    pub fn input(&mut self, name: &str, dtype: DType) -> ValueId {
        self.inputs.push(Input { name: Cow::Owned(name.to_string()), dtype });
        self.push(Value { node: Node::Input(self.inputs.len() - 1), dtype })
    }

    /// Adds a scalar.
    pub fn constant(&mut self, constant: Constant) -> ValueId {
        self.push(Value { node: Node::Constant(constant), dtype: constant.dtype })
    }

    /// Adds a step; `target` is the dtype parameter of `cast` and its like. A cast of a value to its own dtype is the
    /// value itself; an operator that is made of others ([`Op::is_composite`]) adds the steps of those.
    ///
    /// # Errors
    /// Wrong arity or dtypes (see [`Op::result`]); `Pdpd` or `Unidirectional` on a step that is not binary;
    /// `Bidirectional` on another operator than `broadcast_to`, or `broadcast_to` without it; a math operator over f64
    /// with [`Accuracy::Exact`]; an operand whose number no value here has (see [`ValueId`]).
    pub fn step(
        &mut self,
        op: Op,
        args: &[ValueId],
        target: Option<DType>,
        broadcast: Broadcast,
    ) -> Result<ValueId, Error> {
        if let Some(&bad) = args.iter().find(|a| a.index() >= self.values.len()) {
            return Err(foreign(bad));
        }
        let dtypes: SmallVec<[DType; 4]> = args.iter().map(|a| self.values[a.index()].dtype).collect();
        let (dtype, is_step) = typed(op, &dtypes, target, &broadcast)?;
        if !is_step {
            return Ok(args[0]);
        }
        if is_composite(op, &dtypes, self.accuracy) {
            return Composer { builder: self, mode: broadcast }.compose(op, args, &dtypes, dtype);
        }
        let args = args.into();
        let exact = is_exact(op, &dtypes, self.accuracy);
        let node = if exact { Node::Exact { op, args, broadcast } } else { Node::Step { op, args, broadcast } };
        Ok(self.push(Value { node, dtype }))
    }

    /// Adds a step of a function that the catalogue does not have.
    ///
    /// # Errors
    /// Another number of operands than the function takes, operands of another dtype; a broadcast mode as in
    /// [`ProgramBuilder::step`]; an operand whose number no value here has (see [`ValueId`]).
    pub fn custom(&mut self, function: Custom, args: &[ValueId], broadcast: Broadcast) -> Result<ValueId, Error> {
        if args.len() != function.arity {
            return Err(Error::Count { what: "operands", given: args.len(), expected: function.arity });
        }
        for (i, arg) in args.iter().enumerate() {
            let given = self.dtype(*arg).ok_or_else(|| foreign(*arg))?;
            if given != function.from {
                let what = alloc::format!("operand {i} of {}", function.name);
                return Err(Error::DType { what, given, expected: function.from });
            }
        }
        let binary = matches!(broadcast, Broadcast::Pdpd { .. } | Broadcast::Unidirectional);
        if matches!(broadcast, Broadcast::Bidirectional { .. }) || (binary && args.len() != 2) {
            let message = alloc::format!("{} does not take the broadcast mode {broadcast}", function.name);
            return Err(Error::Expression { message });
        }
        Ok(self.push(Value { node: Node::Custom { function, args: args.into(), broadcast }, dtype: function.to }))
    }

    /// The dtype of a value; `None` for a number that no value here has (see [`ValueId`]).
    pub fn dtype(&self, id: ValueId) -> Option<DType> {
        Some(self.values.get(id.index())?.dtype)
    }

    /// Marks a value as the next output.
    pub fn output(&mut self, id: ValueId) {
        self.outputs.push(id);
    }

    /// The program: dead values dropped. An output that no step makes (an input or a constant) gets a `copy`.
    ///
    /// # Errors
    /// Without an output, or with one whose number no value here has (see [`ValueId`]).
    pub fn finish(mut self) -> Result<Program, Error> {
        if self.outputs.is_empty() {
            return Err(Error::Count { what: "outputs", given: 0, expected: 1 });
        }
        for i in 0..self.outputs.len() {
            let out = self.outputs[i];
            if out.index() >= self.values.len() {
                return Err(foreign(out));
            }
            if self.values[out.index()].node.broadcast().is_none() {
                self.outputs[i] = self.step(Op::Copy, &[out], None, Broadcast::Numpy)?;
            }
        }
        let mut used: Vec<bool> = self.values.iter().map(|v| matches!(v.node, Node::Input(_))).collect();
        self.outputs.iter().for_each(|o| used[o.index()] = true);
        for i in (0..self.values.len()).rev() {
            if used[i] {
                self.values[i].node.args().iter().for_each(|a| used[a.index()] = true);
            }
        }
        let mut renamed: Vec<ValueId> = Vec::with_capacity(used.len());
        let mut next = 0;
        for &u in &used {
            renamed.push(ValueId(next));
            next += u32::from(u);
        }
        let mut values = Vec::with_capacity(next as usize);
        for (value, &u) in self.values.into_iter().zip(&used) {
            if u {
                let mut node = value.node;
                if let Node::Step { args, .. } | Node::Exact { args, .. } | Node::Custom { args, .. } = &mut node {
                    args.iter_mut().for_each(|a| *a = renamed[a.index()]);
                }
                values.push(Value { node, dtype: value.dtype });
            }
        }
        let outputs = self.outputs.iter().map(|o| renamed[o.index()]).collect();
        let program = Program { inputs: self.inputs, values, outputs };
        Ok(if self.contract { program.contracted() } else { program })
    }

    /// The value, or the one that is equal.
    pub(crate) fn push(&mut self, value: Value) -> ValueId {
        // A look through a few values costs less than a map, which allocates; a map keeps long programs linear.
        const FEW: usize = 16;
        let new = ValueId(self.values.len() as u32);
        if self.values.len() < FEW {
            if let Some(found) = self.values.iter().position(|v| *v == value) {
                return ValueId(found as u32);
            }
        } else {
            if self.known.is_empty() {
                self.known = self.values.iter().cloned().zip((0..).map(ValueId)).collect();
            }
            if let Some(&found) = self.known.get(&value) {
                return found;
            }
            self.known.insert(value.clone(), new);
        }
        self.values.push(value);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_shared_and_dead_ones_dropped() {
        let mut b = ProgramBuilder::new();
        let x = b.input("x", DType::F32);
        let y = b.input("y", DType::F32);
        let dead = b.step(Op::Sqrt, &[y], None, Broadcast::Numpy).unwrap();
        let s = b.step(Op::Add, &[x, x], None, Broadcast::Numpy).unwrap();
        let t = b.step(Op::Add, &[x, x], None, Broadcast::Numpy).unwrap();
        assert_eq!(s, t);
        assert_ne!(s, dead);
        let out = b.step(Op::Multiply, &[s, t], None, Broadcast::Numpy).unwrap();
        b.output(out);
        let p = b.finish().unwrap();
        assert_eq!(p.step_count(), 2);
        assert_eq!(p.inputs().len(), 2);
        assert_eq!(p.values().len(), 4);
    }

    #[test]
    fn a_single_step_is_what_a_builder_builds() {
        let bidirectional = Broadcast::Bidirectional { target: [2, 3].into() };
        let mut programs = 0;
        for &op in Op::ALL {
            for dtype in DType::ALL {
                for mode in [Broadcast::Numpy, Broadcast::Pdpd { axis: 0 }, bidirectional.clone()] {
                    for count in 0..5 {
                        let mut dtypes = alloc::vec![dtype; count];
                        for (_, other) in dtypes.iter_mut().enumerate().filter(|(i, _)| !op.signature().is_t(*i)) {
                            *other = if op == Op::Where { DType::Bool } else { DType::I32 };
                        }
                        let mut b = ProgramBuilder::new();
                        let names = ["a", "b", "c", "d"].iter();
                        let args: Vec<ValueId> = names.zip(&dtypes).map(|(n, &d)| b.input(n, d)).collect();
                        let built = b.step(op, &args, Some(DType::F32), mode.clone()).and_then(|out| {
                            b.output(out);
                            b.finish()
                        });
                        let single = Program::single(op, &dtypes, Some(DType::F32), mode.clone());
                        match (built, single) {
                            (Ok(built), Ok(single)) => assert_eq!(built, single),
                            (built, single) => {
                                assert_eq!(built.unwrap_err().to_string(), single.unwrap_err().to_string());
                                continue;
                            }
                        }
                        programs += 1;
                    }
                }
            }
        }
        assert!(programs > 300, "{programs}");
    }

    #[test]
    fn an_input_as_output_is_copied() {
        let mut b = ProgramBuilder::new();
        let x = b.input("x", DType::Opaque16);
        b.output(x);
        let p = b.finish().unwrap();
        assert!(matches!(&p.value(p.outputs()[0]).node, Node::Step { op: Op::Copy, .. }));
    }

    #[test]
    fn modes_belong_to_the_steps_that_take_them() {
        let mut b = ProgramBuilder::new();
        let x = b.input("x", DType::F32);
        assert!(b.step(Op::Negative, &[x], None, Broadcast::Pdpd { axis: 0 }).is_err());
        assert!(b.step(Op::BroadcastTo, &[x], None, Broadcast::Numpy).is_err());
        assert!(b.step(Op::Add, &[x, x], None, Broadcast::Bidirectional { target: [1].into() }).is_err());
        assert_eq!(b.step(Op::Cast, &[x], Some(DType::F32), Broadcast::Numpy).unwrap(), x);
    }
}
