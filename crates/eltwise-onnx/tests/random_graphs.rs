//! Random graphs: groups can be scheduled, and their programs compute what the nodes compute one by one.

use std::collections::HashMap;

use eltwise::{Accuracy, Array, DType, Expr, Literal, Program};
use eltwise_onnx::graph::{Dim, Graph, GraphNode, Value};
use eltwise_onnx::partition::partition;
use eltwise_onnx::policy::{PartitionOptions, Policy};
use eltwise_onnx::{Attribute, GroupInput, GroupProgram, Node, Operand, translate};
use support::{run, viewed};

mod support;

// Square: a scale that is aligned with the wrong axis gives other values, and no error.
const SHAPES: [&[usize]; 4] = [&[6, 6], &[6], &[1, 6], &[1]];
const UNARY: [&str; 8] = ["Exp", "Tanh", "Neg", "Relu", "Sigmoid", "Abs", "HardSwish", "Identity"];
const BINARY: [&str; 6] = ["Add", "Sub", "Mul", "Max", "Min", "PRelu"];

/// The attributes of nodes that quantise along axis 0.
const ROWS: &[(&str, Attribute<'_>)] = &[("axis", Attribute::Int(0))];

/// Marsaglia, "Xorshift RNGs" (2003).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }
}

/// The shape of a value.
fn shape(value: &Value) -> Vec<usize> {
    let size = |dim: &Dim| if let Dim::Size(size) = dim { *size } else { 0 };
    value.shape.iter().flatten().map(size).collect()
}

/// A graph of inputs, constants and nodes, among them nodes that have no expression.
fn graph(random: &mut Random) -> Graph<'static> {
    let mut graph = Graph::default();
    let value = |shape: &[usize]| Value {
        dtype: Some(DType::F32),
        shape: Some(shape.iter().map(|&size| Dim::Size(size)).collect()),
        ..Value::default()
    };
    for shape in SHAPES {
        graph.values.push(value(shape));
    }
    graph.values.push(Value { literal: Some(Literal::Float(0.75)), ..value(&[1]) });
    for _ in 0..4 + random.below(32) {
        let of_floats = |random: &mut Random, shapes: &[usize]| {
            let is_one = |value: &Value| {
                let of_shape = shapes.is_empty() || shapes.iter().any(|&i| shape(value) == SHAPES[i]);
                value.dtype == Some(DType::F32) && of_shape
            };
            let floats: Vec<usize> = (0..graph.values.len()).filter(|&i| is_one(&graph.values[i])).collect();
            floats[random.below(floats.len())]
        };
        if random.below(8) == 0 {
            // Quantised by rows, and dequantised with another scale.
            let (x, scales) = (of_floats(random, &[0]), [(); 2].map(|()| of_floats(random, &[1, 3])));
            let bytes = Value { dtype: Some(DType::U8), ..value(SHAPES[0]) };
            for (op_type, operand, scale, result) in [
                ("QuantizeLinear", x, scales[0], bytes),
                ("DequantizeLinear", graph.values.len(), scales[1], value(SHAPES[0])),
            ] {
                graph.values.push(Value { is_live_out: random.below(6) == 0, ..result });
                graph.nodes.push(GraphNode {
                    node: Node { attributes: ROWS, ..Node::new(op_type, 20) },
                    operands: vec![Some(operand), Some(scale)],
                    results: vec![Some(graph.values.len() - 1)],
                    is_assigned: false,
                });
            }
            continue;
        }
        let x = of_floats(random, &[]);
        let (op_type, operands) = match random.below(5) {
            0 => ("Custom", vec![x]),
            1 | 2 => (UNARY[random.below(UNARY.len())], vec![x]),
            _ => (BINARY[random.below(BINARY.len())], vec![x, of_floats(random, &[])]),
        };
        let shapes: Vec<Vec<usize>> = operands.iter().map(|&operand| shape(&graph.values[operand])).collect();
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let size =
            |axis: usize| shapes.iter().filter_map(|s| Some(s[(axis + s.len()).checked_sub(rank)?])).max().unwrap_or(1);
        let result: Vec<usize> = (0..rank).map(size).collect();
        graph.values.push(Value { is_live_out: random.below(6) == 0, ..value(&result) });
        let results = vec![Some(graph.values.len() - 1)];
        graph.nodes.push(GraphNode {
            node: Node::new(op_type, 20),
            operands: operands.into_iter().map(Some).collect(),
            results,
            is_assigned: false,
        });
    }
    graph.values.last_mut().unwrap().is_live_out = true;
    graph
}

/// The result of one node: of `Custom`, the operand with its elements in reverse order.
fn node(node: &GraphNode<'_>, operands: &[&Array]) -> Array {
    if node.node.op_type == "Custom" {
        let mut elements = operands[0].as_slice::<f32>().unwrap().to_vec();
        elements.reverse();
        return Array::from_slice(&elements, operands[0].shape().clone()).unwrap();
    }
    let names: Vec<String> = (0..operands.len()).map(|i| format!("i{i}")).collect();
    let inputs: Vec<(&str, DType)> =
        names.iter().zip(operands).map(|(name, operand)| (name.as_str(), operand.dtype())).collect();
    let given: Vec<_> = inputs.iter().map(|(name, dtype)| Some(Operand::new(Expr::input(name), *dtype))).collect();
    let translation = translate(&node.node, &given).unwrap();
    let view = |i: usize| translation.views.iter().find(|(operand, _)| *operand == i).map(|(_, view)| *view);
    let rank = operands[0].shape().rank();
    let aligned: Vec<Array> =
        operands.iter().enumerate().map(|(i, operand)| viewed(operand, view(i), operand.shape(), rank)).collect();
    run(&Program::new(&[&translation.expr], &inputs).unwrap(), &aligned.iter().collect::<Vec<_>>()).remove(0)
}

#[test]
fn groups_compute_what_their_nodes_compute() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut grouped = 0;
    for round in 0..3000 {
        let graph = graph(&mut random);
        let inputs = graph.values.iter().take(SHAPES.len() + 1).enumerate().map(|(i, value)| {
            let shape = shape(value);
            let count: usize = shape.iter().product();
            let mut element =
                || value.literal.map_or_else(|| random.below(2000) as f32 / 500.0 - 2.0, |l| l.to_f64() as f32);
            let elements: Vec<f32> = (0..count).map(|_| element()).collect();
            (i, Array::from_slice(&elements, shape.as_slice()).unwrap())
        });
        let inputs: HashMap<usize, Array> = inputs.collect();
        let mut expected = inputs.clone();
        for n in &graph.nodes {
            let operands: Vec<&Array> = n.operands.iter().flatten().map(|value| &expected[value]).collect();
            let result = node(n, &operands);
            expected.insert(n.results[0].unwrap(), result);
        }

        // Groups whose outputs may not broadcast with each other are not merged: of some values, the model does not say the shape.
        let mut graph = graph;
        for value in graph.values.iter_mut().skip(SHAPES.len() + 1) {
            value.shape = value.shape.take().filter(|_| random.below(3) > 0);
        }
        let found = partition(&graph, PartitionOptions::new(Policy::All));
        let mut is_done = vec![false; graph.nodes.len()];
        let mut values = inputs;
        // Groups and other nodes, each as soon as all its operands are there.
        let mut waiting: Vec<(Vec<usize>, Option<GroupProgram>)> =
            found.unclaimed.iter().map(|(n, _)| (vec![*n], None)).collect();
        for group in &found.groups {
            waiting.push((group.nodes.clone(), Some(GroupProgram::new(&graph, group, Accuracy::Fast).unwrap())));
            grouped += usize::from(group.nodes.len() > 1);
        }
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting.retain(|(nodes, program)| {
                let needed: Vec<usize> = match program {
                    None => graph.nodes[nodes[0]].operands.iter().flatten().copied().collect(),
                    Some(program) => {
                        program.inputs.iter().filter_map(GroupInput::value).map(|input| input.value).collect()
                    }
                };
                if !needed.iter().all(|value| values.contains_key(value)) {
                    return true;
                }
                let operands: Vec<&Array> = needed.iter().map(|value| &values[value]).collect();
                let results = match program {
                    None => vec![(graph.nodes[nodes[0]].results[0].unwrap(), node(&graph.nodes[nodes[0]], &operands))],
                    Some(program) => {
                        let shape_of = |value: usize| expected.get(&value).map(|array| &array.shape()[..]);
                        program.check.check(shape_of).unwrap();
                        let inputs = program.inputs.iter().filter_map(GroupInput::value);
                        let rank = |value: usize| expected[&value].shape().rank();
                        let operands: Vec<Array> = inputs
                            .map(|input| {
                                viewed(
                                    &values[&input.value],
                                    input.view,
                                    values[&input.value].shape(),
                                    rank(input.aligned_to),
                                )
                            })
                            .collect();
                        let operands: Vec<&Array> = operands.iter().collect();
                        let group = found.groups.iter().find(|group| group.nodes == *nodes).unwrap();
                        group.outputs.iter().copied().zip(run(&program.program, &operands)).collect()
                    }
                };
                values.extend(results);
                nodes.iter().for_each(|&n| is_done[n] = true);
                false
            });
            assert!(waiting.len() < before, "round {round}: a group waits for itself: {:?}", found.groups);
        }
        assert!(is_done.iter().all(|&done| done));
        for (value, array) in &values {
            assert_eq!(array.shape(), expected[value].shape(), "round {round}, value {value}");
            assert_eq!(array.bytes(), expected[value].bytes(), "round {round}, value {value}: {:?}", graph.nodes);
        }
    }
    assert!(grouped > 3000, "{grouped}");
}
