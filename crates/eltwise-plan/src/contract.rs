//! Contraction: a product that is added is not rounded on the way, where a program asks for it.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::broadcast::Broadcast;
use crate::op::Op;
use crate::program::{Node, Program, ProgramBuilder, Value, ValueId};

impl Program {
    /// The program that rounds once where this one rounds a product of floats and then its sum or difference:
    ///
    /// | steps | become |
    /// |---|---|
    /// | `a * b + c`, `c + a * b` | `fma(a, b, c)` |
    /// | `a * b - c` | `fma(a, b, -c)` |
    /// | `c - a * b` | `fma(-a, b, c)` |
    ///
    /// Only where nothing else reads the product, it is no output, its operands are not both made of constants (their
    /// product is one), and both steps broadcast in one mode, `None` or `Numpy`. Of two products, the first is contracted.
    /// The steps of operators that are made of others count too.
    pub fn contracted(&self) -> Program {
        let mut readers: Vec<u32> = self.values().iter().map(|_| 0).collect();
        let args = self.values().iter().flat_map(|value| value.node.args());
        args.chain(self.outputs()).for_each(|id| readers[id.index()] += 1);
        let mut is_constant: Vec<bool> = Vec::with_capacity(readers.len());
        for value in self.values() {
            is_constant.push(match &value.node {
                Node::Constant(_) => true,
                Node::Step { args, .. } | Node::Exact { args, .. } => args.iter().all(|id| is_constant[id.index()]),
                Node::Input(_) | Node::Custom { .. } => false,
            });
        }
        let mut builder = ProgramBuilder::new();
        let mut renamed: Vec<ValueId> = Vec::with_capacity(readers.len());
        for value in self.values() {
            let dtype = value.dtype;
            renamed.push(match &value.node {
                Node::Input(index) => builder.input(&self.inputs()[*index].name, dtype),
                Node::Constant(constant) => builder.constant(*constant),
                Node::Custom { function, args, broadcast } => {
                    let args = args.iter().map(|id| renamed[id.index()]).collect();
                    let node = Node::Custom { function: *function, args, broadcast: broadcast.clone() };
                    builder.push(Value { node, dtype })
                }
                Node::Exact { op, args, broadcast } => {
                    let args = args.iter().map(|id| renamed[id.index()]).collect();
                    builder.push(Value { node: Node::Exact { op: *op, args, broadcast: broadcast.clone() }, dtype })
                }
                Node::Step { op, args, broadcast } => {
                    let step = |op: Op, args: &[ValueId]| {
                        let broadcast = if op == Op::Negative { Broadcast::Numpy } else { broadcast.clone() };
                        Value { node: Node::Step { op, args: args.into(), broadcast }, dtype }
                    };
                    let new = |id: ValueId| renamed[id.index()];
                    match self.product(value, &readers, &is_constant) {
                        Some(Product { a, b, c, negated }) => {
                            let mut operands = [new(a), new(b), new(c)];
                            if let Some(which) = negated {
                                operands[which] = builder.push(step(Op::Negative, &[operands[which]]));
                            }
                            builder.push(step(Op::Fma, &operands))
                        }
                        None => {
                            let args: SmallVec<[ValueId; 3]> = args.iter().map(|&id| new(id)).collect();
                            builder.push(step(*op, &args))
                        }
                    }
                }
            });
        }
        self.outputs().iter().for_each(|out| builder.output(renamed[out.index()]));
        // A program has outputs, and they are its values.
        builder.finish().unwrap_or_else(|_| self.clone())
    }

    /// The product that a step adds or subtracts, if it is contracted.
    fn product(&self, value: &Value, readers: &[u32], is_constant: &[bool]) -> Option<Product> {
        let Node::Step { op: op @ (Op::Add | Op::Subtract), args, broadcast } = &value.node else { return None };
        if !value.dtype.is_float() || !matches!(broadcast, Broadcast::None | Broadcast::Numpy) {
            return None;
        }
        let [left, right] = args[..] else { return None };
        for (of, c, is_right) in [(left, right, false), (right, left, true)] {
            let Node::Step { op: Op::Multiply, args, broadcast: mode } = &self.value(of).node else { continue };
            let ([a, b], 1) = (&args[..], readers[of.index()]) else { continue };
            if mode != broadcast || (is_constant[a.index()] && is_constant[b.index()]) {
                continue;
            }
            // The sign of a constant is free.
            let of_product = usize::from(matches!(self.value(*b).node, Node::Constant(_)));
            let negated = (*op == Op::Subtract).then_some(if is_right { of_product } else { 2 });
            return Some(Product { a: *a, b: *b, c, negated });
        }
        None
    }
}

/// `a * b + c`, with one operand negated or none.
struct Product {
    a: ValueId,
    b: ValueId,
    c: ValueId,
    negated: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constant, DType};
    use alloc::string::String;

    /// The operators of a program after contraction, and of one that is built so.
    fn ops(build: impl Fn(&mut ProgramBuilder, [ValueId; 4]) -> Vec<ValueId>) -> Vec<Op> {
        let make = |contract: bool| {
            let mut b = ProgramBuilder::new();
            b.contract(contract);
            let inputs = ["a", "b", "c", "d"].map(|name| b.input(name, DType::F32));
            build(&mut b, inputs).into_iter().for_each(|out| b.output(out));
            b.finish().unwrap()
        };
        let program = make(true);
        assert_eq!(program, make(false).contracted());
        let names: Vec<String> = program.inputs().iter().map(|i| i.name.clone().into_owned()).collect();
        assert_eq!(names, ["a", "b", "c", "d"]);
        program
            .values()
            .iter()
            .filter_map(|value| match value.node {
                Node::Step { op, .. } => Some(op),
                _ => None,
            })
            .collect()
    }

    fn step(b: &mut ProgramBuilder, op: Op, args: &[ValueId]) -> ValueId {
        b.step(op, args, Some(DType::F32), Broadcast::Numpy).unwrap()
    }

    #[test]
    fn products_with_one_reader_are_contracted() {
        let sum = |op: Op, product_first: bool| {
            ops(|b, [x, y, z, _]| {
                let p = step(b, Op::Multiply, &[x, y]);
                alloc::vec![step(b, op, &if product_first { [p, z] } else { [z, p] })]
            })
        };
        assert_eq!(sum(Op::Add, true), [Op::Fma]);
        assert_eq!(sum(Op::Add, false), [Op::Fma]);
        assert_eq!(sum(Op::Subtract, true), [Op::Negative, Op::Fma]);
        assert_eq!(sum(Op::Subtract, false), [Op::Negative, Op::Fma]);
        let twice = ops(|b, [x, y, z, w]| {
            let (p, q) = (step(b, Op::Multiply, &[x, y]), step(b, Op::Multiply, &[z, w]));
            alloc::vec![step(b, Op::Add, &[p, q])]
        });
        assert_eq!(twice, [Op::Multiply, Op::Fma]);
    }

    #[test]
    fn what_is_contracted_keeps_its_mode() {
        for mode in [Broadcast::None, Broadcast::Numpy] {
            let mut b = ProgramBuilder::new();
            b.contract(true);
            let [x, y, z] = ["x", "y", "z"].map(|name| b.input(name, DType::F32));
            let p = b.step(Op::Multiply, &[x, y], None, mode.clone()).unwrap();
            let d = b.step(Op::Subtract, &[p, z], None, mode.clone()).unwrap();
            b.output(d);
            let program = b.finish().unwrap();
            let steps: Vec<(Op, Broadcast)> = program
                .values()
                .iter()
                .filter_map(|value| match &value.node {
                    Node::Step { op, broadcast, .. } => Some((*op, broadcast.clone())),
                    _ => None,
                })
                .collect();
            assert_eq!(steps, [(Op::Negative, Broadcast::Numpy), (Op::Fma, mode)]);
        }
    }

    #[test]
    fn products_with_one_constant_are_contracted() {
        for first in [true, false] {
            let scaled = ops(|b, [x, y, ..]| {
                let three = b.constant(Constant { dtype: DType::F32, bits: 0x4040_0000 });
                let p = step(b, Op::Multiply, &if first { [three, x] } else { [x, three] });
                alloc::vec![step(b, Op::Add, &[p, y])]
            });
            assert_eq!(scaled, [Op::Fma]);
        }
    }

    #[test]
    fn other_products_stay() {
        let read_twice = ops(|b, [x, y, z, _]| {
            let p = step(b, Op::Multiply, &[x, y]);
            let sum = step(b, Op::Add, &[p, z]);
            alloc::vec![step(b, Op::Divide, &[sum, p])]
        });
        assert_eq!(read_twice, [Op::Multiply, Op::Add, Op::Divide]);
        let doubled = ops(|b, [x, y, ..]| {
            let p = step(b, Op::Multiply, &[x, y]);
            alloc::vec![step(b, Op::Add, &[p, p])]
        });
        assert_eq!(doubled, [Op::Multiply, Op::Add]);
        let output = ops(|b, [x, y, z, _]| {
            let p = step(b, Op::Multiply, &[x, y]);
            alloc::vec![p, step(b, Op::Add, &[p, z])]
        });
        assert_eq!(output, [Op::Multiply, Op::Add]);
        let constants = ops(|b, [x, ..]| {
            let three = b.constant(Constant { dtype: DType::F32, bits: 0x4040_0000 });
            let minus = step(b, Op::Negative, &[three]);
            let p = step(b, Op::Multiply, &[three, minus]);
            alloc::vec![step(b, Op::Add, &[x, p])]
        });
        assert_eq!(constants, [Op::Negative, Op::Multiply, Op::Add]);
        let modes = ops(|b, [x, y, z, _]| {
            let p = b.step(Op::Multiply, &[x, y], None, Broadcast::Pdpd { axis: 0 }).unwrap();
            alloc::vec![b.step(Op::Add, &[p, z], None, Broadcast::Pdpd { axis: 0 }).unwrap()]
        });
        assert_eq!(modes, [Op::Multiply, Op::Add]);
        let integers = ops(|b, [x, y, z, _]| {
            let ints: Vec<ValueId> = [x, y, z]
                .iter()
                .map(|&v| b.step(Op::Cast, &[v], Some(DType::I32), Broadcast::Numpy).unwrap())
                .collect();
            let p = step(b, Op::Multiply, &ints[..2]);
            alloc::vec![step(b, Op::Add, &[p, ints[2]])]
        });
        assert_eq!(integers, [Op::Cast, Op::Cast, Op::Cast, Op::Multiply, Op::Add]);
    }
}
