//! Contraction: [`Program::contracted`] replaces products that are added by a fused multiply-add, if the caller asks for it.

use alloc::vec::Vec;

use eltwise_core::{Accuracy, Broadcast, Op};

use crate::ir::program::{Node, Program, Value, ValueId};

impl Program {
    /// This program with one rounding instead of two for a product of floats and its sum or difference:
    ///
    /// | steps | become |
    /// |---|---|
    /// | `a * b + c`, `c + a * b` | `fma(a, b, c)` |
    /// | `a * b - c` | `fma(a, b, -c)` |
    /// | `c - a * b` | `fma(-a, b, c)` |
    ///
    /// A product is contracted if nothing else uses it, it is not an output, at least one of its operands depends on an input,
    /// and both steps have the same broadcast mode, `None` or `Numpy`. If both operands of a sum are products, the first is
    /// contracted. The steps of composite operators are included.
    pub fn contracted(&self) -> Program {
        let mut uses: Vec<u32> = self.values().iter().map(|_| 0).collect();
        let args = self.values().iter().flat_map(|value| value.node.args());
        args.chain(self.outputs()).for_each(|id| uses[id.index()] += 1);
        let mut is_constant: Vec<bool> = Vec::with_capacity(uses.len());
        for value in self.values() {
            is_constant.push(match &value.node {
                Node::Constant(_) => true,
                Node::Step { args, .. } => args.iter().all(|id| is_constant[id.index()]),
                Node::Input(_) | Node::Custom { .. } => false,
            });
        }
        self.rebuilt(|builder, renamed, value| {
            let Product { operands, negated, broadcast } = self.product(value, &uses, &is_constant)?;
            let mut step = |op: Op, args: &[ValueId], broadcast: Broadcast| {
                let node = Node::Step { op, args: args.into(), broadcast, accuracy: Accuracy::Fast };
                builder.push(Value { node, dtype: value.dtype })
            };
            let mut operands = operands.map(|id| renamed[id.index()]);
            if let Some(operand) = negated.map(|which| &mut operands[which]) {
                *operand = step(Op::Negative, &[*operand], Broadcast::Numpy);
            }
            Some(step(Op::Fma, &operands, broadcast))
        })
    }

    /// The product that a step adds or subtracts, if it can be contracted.
    fn product(&self, value: &Value, uses: &[u32], is_constant: &[bool]) -> Option<Product> {
        let Node::Step { op: op @ (Op::Add | Op::Subtract), args, broadcast, .. } = &value.node else { return None };
        if !value.dtype.is_float() || !matches!(broadcast, Broadcast::None | Broadcast::Numpy) {
            return None;
        }
        let [left, right] = args[..] else { return None };
        for (product, c, is_right) in [(left, right, false), (right, left, true)] {
            let Node::Step { op: Op::Multiply, args, broadcast: mode, .. } = &self.value(product).node else {
                continue;
            };
            let ([a, b], 1) = (&args[..], uses[product.index()]) else { continue };
            if mode != broadcast || (is_constant[a.index()] && is_constant[b.index()]) {
                continue;
            }
            // Prefer to negate a constant: it is folded.
            let factor = usize::from(matches!(self.value(*b).node, Node::Constant(_)));
            let negated = (*op == Op::Subtract).then_some(if is_right { factor } else { 2 });
            return Some(Product { operands: [*a, *b, c], negated, broadcast: broadcast.clone() });
        }
        None
    }
}

/// `a * b + c`.
struct Product {
    operands: [ValueId; 3],
    /// The position of the operand that is negated, if any.
    negated: Option<usize>,
    /// The broadcast mode of both steps.
    broadcast: Broadcast,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::builder::ProgramBuilder;
    use alloc::string::String;
    use eltwise_core::{Constant, DType};

    /// The operators of a program after contraction. The builder's contraction must give the same program.
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
    fn a_contracted_step_keeps_its_broadcast_mode() {
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
    fn other_products_are_not_contracted() {
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
