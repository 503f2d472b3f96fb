//! Building programs: [`ProgramBuilder`] adds typed steps, shares equal values and drops unused ones.
//!
//! An operator without a kernel becomes several steps (`composite.rs`), and `pow` by a scalar another operator
//! (`constant_power.rs`). On request, products that are added become fused
//! multiply-adds (`contract.rs`). `single.rs` builds programs of one operator.

mod composite;
mod constant_power;
mod contract;
mod rebuild;
mod single;

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;

pub use composite::is_composite;
use composite::{Composer, has_tier_kernel};
pub use constant_power::constant_power;
use eltwise_core::{Accuracy, Broadcast, Constant, DType, Error, Op, Signature};
use smallvec::SmallVec;

use crate::ir::program::{Custom, Input, Node, Program, Value, ValueId};

/// The dtype of a step's result, and whether the step is needed: a cast of a value to its own dtype is the value itself.
fn typed(op: Op, operands: &[DType], target: Option<DType>, broadcast: &Broadcast) -> Result<(DType, bool), Error> {
    let dtype = op.result(operands, target)?;
    check_mode(op.name(), broadcast, operands.len(), op == Op::BroadcastTo)?;
    Ok((dtype, op.signature() != Signature::Convert || operands[0] != dtype))
}

/// An error for a broadcast mode that a step does not take.
#[inline]
fn check_mode(name: &str, broadcast: &Broadcast, operands: usize, is_broadcast_to: bool) -> Result<(), Error> {
    let fits = match broadcast {
        Broadcast::Pdpd { .. } | Broadcast::Unidirectional => operands == 2,
        Broadcast::Bidirectional { .. } => is_broadcast_to,
        _ => !is_broadcast_to,
    };
    if fits {
        return Ok(());
    }
    Err(Error::Expression { message: alloc::format!("{name} does not take the broadcast mode {broadcast}") })
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
    /// The number of each value, to find equal values; empty while there are few.
    known: BTreeMap<Value, ValueId>,
    /// The tier of steps that are added.
    accuracy: Accuracy,
    contract: bool,
}

impl ProgramBuilder {
    /// An empty program.
    pub fn new() -> ProgramBuilder {
        ProgramBuilder::default()
    }

    /// Sets the tier of accuracy of math operators that are added afterwards. It is [`Accuracy::Fast`] at first.
    pub fn set_accuracy(&mut self, accuracy: Accuracy) {
        self.accuracy = accuracy;
    }

    /// The tier of accuracy of math operators that are added next.
    pub fn accuracy(&self) -> Accuracy {
        self.accuracy
    }

    /// Sets whether the program rounds `a * b + c`, `a * b - c` and `c - a * b` once: see [`Program::contracted`]. Off at first.
    pub fn contract(&mut self, contract: bool) {
        self.contract = contract;
    }

    /// Adds an input. Inputs keep their order, and remain inputs of the program if nothing uses them.
    pub fn input(&mut self, name: &str, dtype: DType) -> ValueId {
        self.inputs.push(Input { name: Cow::Owned(name.to_string()), dtype });
        self.push(Value { node: Node::Input(self.inputs.len() - 1), dtype })
    }

    /// Adds a scalar.
    pub fn constant(&mut self, constant: Constant) -> ValueId {
        self.push(Value { node: Node::Constant(constant), dtype: constant.dtype })
    }

    /// Adds a step; `target` is the dtype parameter of `cast` and similar operators. A cast of a value to its own dtype gives
    /// the value itself. A composite operator ([`Op::is_composite`]) adds several steps; `pow` by a scalar of the program may
    /// become another operator ([`constant_power`](crate::constant_power)).
    ///
    /// # Errors
    /// * [`Error::Arity`], [`Error::Operand`], [`Error::Target`]: a wrong number of operands or wrong dtypes (see
    ///   [`Op::result`]), or a math operator over f64 with [`Accuracy::CorrectlyRounded`].
    /// * [`Error::Expression`]: `Pdpd` or `Unidirectional` with a number of operands other than two; `Bidirectional` for an
    ///   operator other than `broadcast_to`, or `broadcast_to` without it; an operand that is not a value of this builder
    ///   (see [`ValueId`]).
    pub fn step(
        &mut self,
        op: Op,
        args: &[ValueId],
        target: Option<DType>,
        broadcast: Broadcast,
    ) -> Result<ValueId, Error> {
        let dtypes: SmallVec<[DType; 4]> =
            args.iter().map(|&arg| self.dtype(arg).ok_or_else(|| foreign(arg))).collect::<Result<_, _>>()?;
        let (dtype, is_step) = typed(op, &dtypes, target, &broadcast)?;
        if !is_step {
            return Ok(args[0]);
        }
        if op.is_fast_only() && self.accuracy != Accuracy::Fast {
            let message = alloc::format!("{op} has no correctly rounded results: expected accuracy fast");
            return Err(Error::Expression { message });
        }
        // In other modes the scalar counts as an operand: `None` refuses it.
        if op == Op::Pow
            && self.accuracy == Accuracy::Fast
            && broadcast == Broadcast::Numpy
            && let Some(op) = self.scalar(args[1]).and_then(constant_power)
        {
            return match op.arity() {
                1 => self.step(op, &args[..1], None, broadcast),
                _ => self.step(op, args, None, broadcast),
            };
        }
        if is_composite(op, &dtypes, self.accuracy) {
            return Composer { builder: self, mode: broadcast }.compose(op, args, &dtypes, dtype);
        }
        let args = args.into();
        let accuracy = if has_tier_kernel(op, &dtypes, self.accuracy) { self.accuracy } else { Accuracy::Fast };
        let node = Node::Step { op, args, broadcast, accuracy };
        Ok(self.push(Value { node, dtype }))
    }

    /// Adds a step of a function that is not in the catalogue.
    ///
    /// # Errors
    /// [`Error::Count`] or [`Error::DType`] for operands whose number or dtypes are not the function's; [`Error::Expression`]
    /// for a broadcast mode that it does not take, or an operand that is not a value of this builder (see [`ValueId`]).
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
        check_mode(function.name, &broadcast, args.len(), false)?;
        Ok(self.push(Value { node: Node::Custom { function, args: args.into(), broadcast }, dtype: function.to }))
    }

    /// A value; `None` if it is not one of this builder (see [`ValueId`]).
    pub fn value(&self, id: ValueId) -> Option<&Value> {
        self.values.get(id.index())
    }

    /// The scalar that a value is; `None` if it is not one.
    fn scalar(&self, id: ValueId) -> Option<Constant> {
        match self.value(id)?.node {
            Node::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// The dtype of a value; `None` if it is not one of this builder.
    pub fn dtype(&self, id: ValueId) -> Option<DType> {
        self.value(id).map(|value| value.dtype)
    }

    /// Marks a value as the next output.
    pub fn output(&mut self, id: ValueId) {
        self.outputs.push(id);
    }

    /// The program, without unused values. An output that is an input or a constant is copied.
    ///
    /// # Errors
    /// [`Error::Count`] without an output; [`Error::Expression`] for one that is not a value of this builder (see
    /// [`ValueId`]).
    pub fn finish(mut self) -> Result<Program, Error> {
        if self.outputs.is_empty() {
            return Err(Error::Count { what: "outputs", given: 0, expected: 1 });
        }
        for i in 0..self.outputs.len() {
            let out = self.outputs[i];
            let value = self.value(out).ok_or_else(|| foreign(out))?;
            if value.node.broadcast().is_none() {
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
        let mut values = Vec::new();
        for (value, is_used) in self.values.iter().zip(used) {
            renamed.push(ValueId(values.len() as u32));
            if is_used {
                values.push(value.renamed(&renamed));
            }
        }
        let outputs = self.outputs.iter().map(|o| renamed[o.index()]).collect();
        let program = Program { inputs: self.inputs, values, outputs };
        Ok(if self.contract { program.contracted() } else { program })
    }

    /// Adds a value, unless an equal one exists.
    pub(crate) fn push(&mut self, value: Value) -> ValueId {
        // Linear search is faster for a few values, and does not allocate. The map keeps long programs linear.
        const MAX_SEARCHED: usize = 16;
        let new = ValueId(self.values.len() as u32);
        if self.values.len() < MAX_SEARCHED {
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
    fn equal_values_are_shared_and_unused_ones_dropped() {
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
    fn single_programs_equal_those_of_a_builder() {
        let bidirectional = Broadcast::Bidirectional { target: [2, 3].into() };
        let mut programs = 0;
        for &op in Op::ALL {
            for dtype in DType::ALL {
                for mode in [Broadcast::Numpy, Broadcast::Pdpd { axis: 0 }, bidirectional.clone()] {
                    for count in 0..6 {
                        let mut dtypes = alloc::vec![dtype; count];
                        for (_, other) in dtypes.iter_mut().enumerate().filter(|(i, _)| !op.signature().is_t(*i)) {
                            *other = if matches!(op, Op::Where | Op::IsClose) { DType::Bool } else { DType::I32 };
                        }
                        let mut b = ProgramBuilder::new();
                        let names = ["a", "b", "c", "d", "e"].iter();
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
    fn broadcast_modes_that_a_step_does_not_take_are_errors() {
        let mut b = ProgramBuilder::new();
        let x = b.input("x", DType::F32);
        assert!(b.step(Op::Negative, &[x], None, Broadcast::Pdpd { axis: 0 }).is_err());
        assert!(b.step(Op::BroadcastTo, &[x], None, Broadcast::Numpy).is_err());
        assert!(b.step(Op::Add, &[x, x], None, Broadcast::Bidirectional { target: [1].into() }).is_err());
        assert_eq!(b.step(Op::Cast, &[x], Some(DType::F32), Broadcast::Numpy).unwrap(), x);
    }
}
