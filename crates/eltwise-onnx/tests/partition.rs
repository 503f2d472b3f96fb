//! Groups of graphs: convex, of shapes that broadcast, and worth it.

use eltwise::{Accuracy, Array, DType, Layout, Literal};
use eltwise_onnx::graph::{Dim, Graph, GraphNode, Group, Value};
use eltwise_onnx::partition::partition;
use eltwise_onnx::policy::{PartitionOptions, Policy};
use eltwise_onnx::{Alignment, Attribute, GroupInput, GroupProgram, Node, View};

/// A graph that is written down node by node.
#[derive(Default)]
struct Builder {
    graph: Graph<'static>,
}

impl Builder {
    fn value(&mut self, dtype: DType, shape: &[usize]) -> usize {
        let shape = Some(shape.iter().map(|&size| Dim::Size(size)).collect());
        self.graph.values.push(Value { dtype: Some(dtype), shape, ..Value::default() });
        self.graph.values.len() - 1
    }

    /// A node whose result has the shape and dtype of `like`.
    fn node(&mut self, node: Node<'static>, operands: &[usize], like: usize) -> usize {
        let value = self.graph.values[like].clone();
        self.graph.values.push(Value { literal: None, is_live_out: false, ..value });
        let result = self.graph.values.len() - 1;
        let operands = operands.iter().copied().map(Some).collect();
        self.graph.nodes.push(GraphNode { node, operands, results: vec![Some(result)], is_assigned: false });
        result
    }

    fn op(&mut self, op_type: &'static str, operands: &[usize]) -> usize {
        self.node(Node::new(op_type, 20), operands, operands[0])
    }

    fn groups(&mut self, output: usize, policy: Policy) -> Vec<Group> {
        self.graph.values[output].is_live_out = true;
        partition(&self.graph, PartitionOptions::new(policy)).groups
    }
}

/// The values that a program takes.
fn values(inputs: &[GroupInput]) -> Vec<usize> {
    inputs.iter().filter_map(GroupInput::value).map(|input| input.value).collect()
}

#[test]
fn a_chain_is_one_group() {
    let mut b = Builder::default();
    let (x, three, six) = (b.value(DType::F32, &[2, 8]), b.value(DType::F32, &[]), b.value(DType::F32, &[]));
    // A hard swish spelt out, as exporters of mobile networks do.
    let sum = b.op("Add", &[x, three]);
    let clipped = b.op("Clip", &[sum]);
    let product = b.op("Mul", &[clipped, x]);
    let quotient = b.op("Div", &[product, six]);
    let groups = b.groups(quotient, Policy::All);
    assert_eq!(groups, [Group { nodes: vec![0, 1, 2, 3], outputs: vec![quotient] }]);
}

#[test]
fn a_path_through_another_node_splits_a_group() {
    let mut b = Builder::default();
    let x = b.value(DType::F32, &[4, 4]);
    let a = b.op("Exp", &[x]);
    let c = b.op("Sqrt", &[a]);
    let m = b.op("MatMul", &[c, c]);
    let s = b.op("Add", &[a, m]);
    let t = b.op("Tanh", &[s]);
    let groups = b.groups(t, Policy::All);
    // Exp, Sqrt, Add and Tanh in one group would need MatMul's result before it exists.
    assert_eq!(groups.iter().map(|g| g.nodes.clone()).collect::<Vec<_>>(), [vec![0, 1], vec![3, 4]]);
    assert_eq!(groups[0].outputs, [a, c]);
}

#[test]
fn groups_do_not_wait_for_each_other() {
    let mut b = Builder::default();
    let x = b.value(DType::F32, &[8]);
    let a = b.op("Exp", &[x]);
    let c = b.op("Tanh", &[x]);
    let d = b.op("Custom", &[c]);
    let e = b.op("Add", &[a, d]);
    // If Tanh and this node were a group, it and the group of Exp and Add would each need the other's result.
    let f = b.op("Mul", &[c, a]);
    let g = b.op("Add", &[e, f]);
    let groups = b.groups(g, Policy::All);
    assert_eq!(groups.iter().map(|g| g.nodes.clone()).collect::<Vec<_>>(), [vec![0, 3, 4, 5], vec![1]]);
}

#[test]
fn outputs_of_a_group_broadcast_with_each_other() {
    let mut b = Builder::default();
    let (x, row) = (b.value(DType::F32, &[64, 8]), b.value(DType::F32, &[8]));
    let e = b.op("Exp", &[row]);
    let f = b.op("Sqrt", &[e]);
    let product = b.node(Node::new("Mul", 14), &[x, f], x);
    let t = b.op("Tanh", &[product]);
    // The row is used inside of the group only.
    let all = Group { nodes: vec![0, 1, 2, 3], outputs: vec![t] };
    assert_eq!(b.groups(t, Policy::All), core::slice::from_ref(&all));
    // It may be an output, too.
    let both = Group { outputs: vec![e, t], ..all };
    assert_eq!(b.groups(e, Policy::All), core::slice::from_ref(&both));
    let program = GroupProgram::new(&b.graph, &both, Accuracy::Fast).unwrap().program;
    let layouts = [&[8][..], &[64, 8]].map(|shape| Layout::contiguous(DType::F32, shape).unwrap());
    let plan = program.bind(&[&layouts[0], &layouts[1]]).unwrap();
    let shapes: Vec<&[usize]> = plan.output_layouts().iter().map(|layout| layout.shape().dims()).collect();
    assert_eq!(shapes, [&[8][..], &[64, 8]]);
    // Nothing says that a shape that is not known broadcasts with another.
    b.graph.values[product].is_live_out = true;
    b.graph.values[product].shape = None;
    let groups = b.groups(t, Policy::All);
    assert_eq!(groups.iter().map(|g| g.nodes.clone()).collect::<Vec<_>>(), [vec![0, 1], vec![2], vec![3]]);
}

#[test]
fn scales_along_an_axis_are_inputs_of_a_group() {
    let mut b = Builder::default();
    let (x, scale) = (b.value(DType::F32, &[4]), b.value(DType::F32, &[4]));
    let zero_point = b.value(DType::U8, &[4]);
    let computed = b.op("Exp", &[scale]);
    let doubled = b.op("Mul", &[x, x]);
    let quantised = b.node(Node::new("QuantizeLinear", 13), &[doubled, computed, zero_point], zero_point);
    let groups = b.groups(quantised, Policy::All);
    assert_eq!(groups.iter().map(|g| g.nodes.clone()).collect::<Vec<_>>(), [vec![0], vec![1, 2]]);
}

#[test]
fn scales_of_blocks_make_a_group_alone() {
    let mut b = Builder::default();
    let (q, scales) = (b.value(DType::I8, &[2, 4]), b.value(DType::F32, &[2, 2]));
    let like = b.value(DType::F32, &[2, 4]);
    const BLOCKS: &[(&str, Attribute<'_>)] = &[("block_size", Attribute::Int(2))];
    let x = b.node(Node { attributes: BLOCKS, ..Node::new("DequantizeLinear", 21) }, &[q, scales], like);
    let y = b.op("Exp", &[x]);
    let z = b.op("Tanh", &[y]);
    let groups = b.groups(z, Policy::All);
    assert_eq!(groups.iter().map(|g| g.nodes.clone()).collect::<Vec<_>>(), [vec![0], vec![1, 2]]);
    // The last block may be shorter.
    for shape in [Some(vec![Dim::Size(2), Dim::Size(5)]), Some(vec![Dim::Size(2), Dim::Symbol(0)]), None] {
        b.graph.values[q].shape = shape;
        assert_eq!(b.groups(z, Policy::All).iter().map(|g| g.nodes.clone()).collect::<Vec<_>>(), [[1, 2]]);
    }
}

#[test]
fn groups_that_would_need_each_other_through_other_nodes_are_not_merged() {
    let mut b = Builder::default();
    let (x, y) = (b.value(DType::F32, &[4]), b.value(DType::F32, &[4]));
    let p = b.op("Add", &[x, y]);
    let q = b.op("Neg", &[x]);
    let r = b.op("Add", &[p, y]);
    let s = b.op("Custom", &[r]);
    let sum = b.op("Add", &[s, q]);
    let u = b.op("Custom", &[q]);
    // With p and r, it would need u, and so the group of q and the sum, which needs s, and so r.
    let z = b.op("Add", &[u, p]);
    b.graph.values[sum].is_live_out = true;
    let groups = b.groups(z, Policy::All);
    assert_eq!(groups.iter().map(|g| g.nodes.clone()).collect::<Vec<_>>(), [vec![0, 2], vec![1, 4], vec![6]]);
}

#[test]
fn nodes_that_nothing_needs_are_in_no_group() {
    let mut b = Builder::default();
    let x = b.value(DType::F32, &[4]);
    let y = b.op("Tanh", &[x]);
    let dead = b.op("Exp", &[y]);
    b.op("Neg", &[dead]);
    let groups = b.groups(y, Policy::All);
    assert_eq!(groups, [Group { nodes: vec![0], outputs: vec![y] }]);
    assert_eq!(left(&b, PartitionOptions::new(Policy::All)), ["nothing uses its result"; 2]);
}

#[test]
fn constants_keep_their_dtypes() {
    let mut b = Builder::default();
    let constant = |b: &mut Builder, dtype: DType, number: Literal| {
        let value = b.value(dtype, &[]);
        b.graph.values[value].literal = Some(number);
        value
    };
    // A zero point decides the dtype of the result.
    let x = b.value(DType::F32, &[4]);
    let (scale, zero) = (constant(&mut b, DType::F32, 0.5.into()), constant(&mut b, DType::I8, (-3).into()));
    let like = b.value(DType::I8, &[4]);
    let quantised = b.node(Node::new("QuantizeLinear", 13), &[x, scale, zero], like);
    // Nothing but constants has the dtype of the result.
    let condition = b.value(DType::Bool, &[4]);
    let (three, five) = (constant(&mut b, DType::U64, u64::MAX.into()), constant(&mut b, DType::U64, 5.into()));
    let like = b.value(DType::U64, &[4]);
    let selected = b.node(Node::new("Where", 16), &[condition, three, five], like);
    // A scale of f16 makes floats of f16.
    let (bytes, half) = (b.value(DType::I8, &[4]), constant(&mut b, DType::F16, 0.25.into()));
    let like = b.value(DType::F16, &[4]);
    let floats = b.node(Node::new("DequantizeLinear", 19), &[bytes, half], like);
    for value in [quantised, selected, floats] {
        b.graph.values[value].is_live_out = true;
    }
    let groups = b.groups(floats, Policy::All);
    for (group, dtype) in groups.iter().zip([DType::I8, DType::U64, DType::F16]) {
        let program = GroupProgram::new(&b.graph, group, Accuracy::Fast).unwrap().program;
        assert_eq!(program.value(program.outputs()[0]).dtype, dtype);
    }
    // A model that declares another dtype than the operator's is not taken at its word.
    b.graph.values[floats].dtype = Some(DType::F32);
    assert!(
        left(&b, PartitionOptions::new(Policy::All))[0].contains("a result has dtype f16, and the model declares f32")
    );
    const TO_F16: &[(&str, Attribute<'_>)] = &[("output_dtype", Attribute::Int(10))];
    let scale = constant(&mut b, DType::F32, 0.25.into());
    let like = b.value(DType::F16, &[4]);
    let other = b.node(Node { attributes: TO_F16, ..Node::new("DequantizeLinear", 23) }, &[bytes, scale], like);
    b.graph.values[other].is_live_out = true;
    let why = left(&b, PartitionOptions::new(Policy::All));
    assert!(why.iter().any(|why| why.contains("output_dtype is 10, expected the dtype of the scale")), "{why:?}");
}

#[test]
fn values_that_are_used_twice_are_computed_once() {
    // 60 times x + tanh(x): copied at each use, its program would have 2^60 steps.
    let mut b = Builder::default();
    let mut x = b.value(DType::F32, &[4]);
    for _ in 0..60 {
        let y = b.op("Tanh", &[x]);
        x = b.op("Add", &[x, y]);
    }
    for accuracy in [Accuracy::Fast, Accuracy::CorrectlyRounded] {
        b.graph.values[x].is_live_out = true;
        let groups = partition(&b.graph, PartitionOptions::new(Policy::All).accuracy(accuracy)).groups;
        assert_eq!(groups[0].nodes.len(), 120);
        let program = GroupProgram::new(&b.graph, &groups[0], accuracy).unwrap().program;
        assert_eq!(program.step_count(), 120);
    }
}

#[test]
fn expand_takes_a_constant_shape() {
    let mut b = Builder::default();
    let (x, shape) = (b.value(DType::F32, &[3, 1]), b.value(DType::I64, &[3]));
    let like = b.value(DType::F32, &[2, 3, 4]);
    let expanded = b.node(Node::new("Expand", 13), &[x, shape], like);
    let y = b.op("Exp", &[expanded]);
    b.graph.values[y].is_live_out = true;
    assert!(left(&b, PartitionOptions::default())[0].contains("Expand: the shape is not a constant"));
    b.graph.values[shape].integers = Some(vec![2, 1, 4]);
    let groups = b.groups(y, Policy::All);
    assert_eq!(groups[0].nodes, [0, 1]);
    let GroupProgram { program, inputs, .. } = GroupProgram::new(&b.graph, &groups[0], Accuracy::Fast).unwrap();
    assert_eq!(values(&inputs), [x]);
    let plan = program.bind(&[&Layout::contiguous(DType::F32, [3, 1]).unwrap()]).unwrap();
    assert_eq!(plan.output_layouts()[0].shape().dims(), [2, 3, 4]);
}

#[test]
fn the_policy_keeps_its_hands_off() {
    let mut b = Builder::default();
    let x = b.value(DType::F32, &[1, 8, 4, 4]);
    let conv = b.op("Conv", &[x]);
    let gate = b.op("Sigmoid", &[conv]);
    let silu = b.op("Mul", &[conv, gate]);
    let other = b.op("Conv", &[silu]);
    let lone = b.op("Relu", &[other]);
    let last = b.op("Softmax", &[lone]);
    let end = b.op("Exp", &[last]);
    assert_eq!(b.groups(end, Policy::Auto), []);
    let left = partition(&b.graph, PartitionOptions::new(Policy::Auto)).unclaimed;
    assert_eq!(left[0], (0, "Conv: not an operator that is supported in opset 20 of ai.onnx".into()));
    assert_eq!(left[1], (1, "the runtime fuses the parts of x * sigmoid(x)".into()));
    assert_eq!(left[4], (4, "the runtime keeps it in the blocked layout of its convolutions (NCHWc)".into()));
    assert_eq!(left[6], (6, "a single node that the runtime computes as fast".into()));
    assert_eq!(b.groups(end, Policy::All).len(), 3);
    assert_eq!(b.groups(end, Policy::None), []);
    // A single node over f16 is worth it.
    let mut b = Builder::default();
    let x = b.value(DType::F16, &[8]);
    let y = b.op("Tanh", &[x]);
    assert_eq!(b.groups(y, Policy::Auto).len(), 1);
    // Next to a node that the runtime computes in f32, it would be converted twice.
    let conv = b.op("Conv", &[y]);
    assert_eq!(b.groups(conv, Policy::Auto), []);
    assert_eq!(b.groups(conv, Policy::All).len(), 1);
    // A transpose moves elements as they are.
    let moved = b.op("Transpose", &[y]);
    b.graph.nodes.retain(|node| node.node.op_type != "Conv");
    assert_eq!(b.groups(moved, Policy::Auto).len(), 1);
    // A node of another provider is not.
    b.graph.nodes[0].is_assigned = true;
    assert_eq!(b.groups(y, Policy::All), []);
}

#[test]
fn few_nodes_need_elements_for_a_call() {
    // Of 2 and 3 nodes over 400 elements, of as many over 2,048, and of 4 over one.
    for (nodes, shape, groups) in [(2, [1, 400], 0), (3, [1, 400], 0), (2, [1, 2048], 1), (4, [1, 1], 1)] {
        let mut b = Builder::default();
        let mut x = b.value(DType::F32, &shape);
        for _ in 0..nodes {
            x = b.op("Exp", &[x]);
        }
        assert_eq!(b.groups(x, Policy::Auto).len(), groups, "{nodes} nodes over {shape:?}");
        if groups == 0 {
            let why = format!("too little work for a call: {nodes} nodes over 400 elements");
            assert_eq!(left(&b, PartitionOptions::default()), vec![why; nodes]);
        }
        // A symbol may be any number.
        b.graph.values.iter_mut().for_each(|value| value.shape = Some(vec![Dim::Symbol(0), Dim::Size(1)]));
        assert_eq!(b.groups(x, Policy::Auto).len(), 1);
    }
}

/// Why nodes of a graph are in no group.
fn left(b: &Builder, claim: PartitionOptions) -> Vec<String> {
    partition(&b.graph, claim).unclaimed.into_iter().map(|(_, why)| why).collect()
}

#[test]
fn what_the_runtime_fuses_depends_on_its_version() {
    let mut b = Builder::default();
    let x = b.value(DType::F32, &[1, 8, 16, 16]);
    let conv = b.op("Conv", &[x]);
    let gate = b.op("HardSigmoid", &[conv]);
    let product = b.op("Mul", &[conv, gate]);
    let last = b.op("Conv", &[product]);
    assert_eq!(b.groups(last, Policy::Auto), []);
    let old = partition(&b.graph, PartitionOptions::default().runtime(24)).groups;
    assert_eq!(old.iter().map(|group| group.nodes.clone()).collect::<Vec<_>>(), [[1, 2]]);
    // A residual stays in the layout of convolutions only if it is in it already.
    let residual = b.value(DType::F32, &[1, 8, 16, 16]);
    let sum = b.op("Add", &[product, residual]);
    assert_eq!(b.groups(sum, Policy::Auto)[0].nodes, [1, 2, 4]);
}

#[test]
fn parts_of_the_operators_of_the_runtime_are_left_to_it() {
    let mut b = Builder::default();
    let x = b.value(DType::F32, &[4, 8]);
    let [epsilon, two, half, one] = [1e-5, 2.0, 0.5, 1.0].map(|number| {
        let value = b.value(DType::F32, &[1]);
        b.graph.values[value].literal = Some(Literal::Float(number));
        value
    });
    let (weight, bias) = (b.value(DType::F32, &[8]), b.value(DType::F32, &[8]));
    let product = b.op("MatMul", &[x, x]);
    let biased = b.op("Add", &[product, bias]);
    // Gelu, spelt out.
    let scaled = b.op("Div", &[biased, two]);
    let erf = b.op("Erf", &[scaled]);
    let sum = b.op("Add", &[erf, one]);
    let twice = b.op("Mul", &[biased, sum]);
    let gelu = b.op("Mul", &[twice, half]);
    // The sum with a residual, normalised.
    let residual = b.op("Add", &[gelu, x]);
    let mean = b.op("ReduceMean", &[residual]);
    let difference = b.op("Sub", &[residual, mean]);
    let square = b.op("Pow", &[difference, two]);
    let variance = b.op("ReduceMean", &[square]);
    let shifted = b.op("Add", &[variance, epsilon]);
    let root = b.op("Sqrt", &[shifted]);
    let quotient = b.op("Div", &[difference, root]);
    let weighted = b.op("Mul", &[quotient, weight]);
    let normalised = b.op("Add", &[weighted, bias]);
    // A product of quantised matrices.
    let integers = b.op("MatMulInteger", &[normalised, x]);
    let cast = b.node(Node { attributes: &[("to", Attribute::Int(1))], ..Node::new("Cast", 13) }, &[integers], x);
    let factor = b.op("Mul", &[weight, half]);
    let rescaled = b.op("Mul", &[cast, factor]);
    // A quantised convolution, and a sum of its own.
    let (like, bytes) = (b.value(DType::F32, &[4, 8]), b.value(DType::U8, &[4, 8]));
    let quantised = b.node(Node::new("QuantizeLinear", 13), &[rescaled, half], bytes);
    let operand = b.node(Node::new("DequantizeLinear", 13), &[quantised, half], like);
    let conv = b.op("Conv", &[operand]);
    let result = b.node(Node::new("QuantizeLinear", 13), &[conv, half], bytes);
    let own = b.node(Node::new("DequantizeLinear", 13), &[result, half], like);
    let exp = b.op("Exp", &[own]);
    let groups = b.groups(exp, Policy::Auto);
    let claimed: Vec<&str> =
        groups.iter().flat_map(|group| &group.nodes).map(|&node| b.graph.nodes[node].node.op_type).collect();
    assert_eq!(claimed, ["DequantizeLinear", "Exp"], "{:?}", left(&b, PartitionOptions::default()));
    let count = |why: &str| left(&b, PartitionOptions::default()).iter().filter(|left| left.contains(why)).count();
    assert_eq!(count("fuses the parts of gelu"), 5);
    assert_eq!(count("fuses a bias with the gelu behind it"), 1);
    assert_eq!(count("fuses the parts of a layer normalization"), 7);
    assert_eq!(count("fuses a sum with the normalization behind it"), 1);
    assert_eq!(count("fuses a product of quantised matrices"), 3);
    assert_eq!(count("fuses quantised operators"), 2);
}

#[test]
fn nodes_that_cannot_be_computed_are_left_with_the_reason() {
    let mut b = Builder::default();
    let (x, text) = (b.value(DType::I32, &[8]), b.value(DType::F32, &[8]));
    b.graph.values[text].dtype = None;
    let a = b.op("Exp", &[x]);
    let c = b.op("Equal", &[text, text]);
    let bad = Node { attributes: &[("approximate", Attribute::Text("sin"))], ..Node::new("Gelu", 20) };
    let g = b.node(bad, &[x], x);
    for value in [a, c, g] {
        b.graph.values[value].is_live_out = true;
    }
    let left = partition(&b.graph, PartitionOptions::new(Policy::All)).unclaimed;
    assert_eq!(left.len(), 3, "{left:?}");
    assert!(left[0].1.contains("exp takes float"), "{}", left[0].1);
    assert_eq!(left[1].1, "Equal: operand 0 has a dtype that is not supported");
    assert!(left[2].1.contains("expected none or tanh"));
}

#[test]
fn a_group_is_one_program_with_its_constants() {
    let mut b = Builder::default();
    let x = b.value(DType::F32, &[2, 3]);
    let [three, low, six] = [3.0, 0.0, 6.0].map(|number| {
        let value = b.value(DType::F32, &[1]);
        b.graph.values[value].literal = Some(Literal::Float(number));
        value
    });
    let row = b.value(DType::F32, &[3]);
    let sum = b.op("Add", &[x, three]);
    let clipped = b.op("Clip", &[sum, low, six]);
    let product = b.op("Mul", &[clipped, x]);
    let quotient = b.op("Div", &[product, six]);
    let scaled = b.op("Mul", &[quotient, row]);
    b.graph.values[quotient].is_live_out = true;
    let groups = b.groups(scaled, Policy::Auto);
    assert_eq!(groups.len(), 1);
    let GroupProgram { program, inputs, .. } = GroupProgram::new(&b.graph, &groups[0], Accuracy::Fast).unwrap();
    assert_eq!(values(&inputs), [x, row]);
    let numbers = [-4.0f32, -1.0, 0.5, 1.0, 3.0, 7.0];
    let array = Array::from_slice(&numbers, [2, 3]).unwrap();
    let factors = Array::from_slice(&[1.0f32, 10.0, 100.0], [3]).unwrap();
    let plan = program.bind(&[array.layout(), factors.layout()]).unwrap();
    let mut outs: Vec<Array> = plan.output_layouts().iter().map(|l| Array::with_layout(l.clone()).unwrap()).collect();
    let [first, second] = &mut outs[..] else { panic!("two outputs") };
    let _ = plan.run(&[array.view(), factors.view()], &mut [first.view_mut(), second.view_mut()]).unwrap();
    let expected = numbers.map(|x| (x + 3.0).clamp(0.0, 6.0) * x / 6.0);
    assert_eq!(first.as_slice::<f32>().unwrap(), expected);
    let factors = [1.0, 10.0, 100.0];
    let expected: Vec<f32> = expected.iter().enumerate().map(|(i, x)| x * factors[i % 3]).collect();
    assert_eq!(second.as_slice::<f32>().unwrap(), expected);
}

#[test]
fn a_constant_that_gives_the_result_its_axes_is_an_input() {
    let mut b = Builder::default();
    let (x, one) = (b.value(DType::F32, &[]), b.value(DType::F32, &[1]));
    b.graph.values[one].literal = Some(Literal::Float(1.0));
    let sum = b.node(Node::new("Add", 14), &[x, one], one);
    let groups = b.groups(sum, Policy::All);
    let program = GroupProgram::new(&b.graph, &groups[0], Accuracy::Fast).unwrap();
    assert_eq!(values(&program.inputs), [x, one]);
}

#[test]
fn an_operand_that_nodes_align_in_two_ways_is_two_inputs() {
    let mut b = Builder::default();
    let (q, zero, scale) = (b.value(DType::I8, &[4, 4]), b.value(DType::I8, &[4]), b.value(DType::F32, &[4]));
    let like = b.value(DType::F32, &[4, 4]);
    const ROWS: &[(&str, Attribute<'_>)] = &[("axis", Attribute::Int(0))];
    let x = b.node(Node { attributes: ROWS, ..Node::new("DequantizeLinear", 13) }, &[q, scale, zero], like);
    let y = b.op("Mul", &[x, scale]);
    let groups = b.groups(y, Policy::All);
    let inputs = GroupProgram::new(&b.graph, &groups[0], Accuracy::Fast).unwrap().inputs;
    assert_eq!(values(&inputs), [q, scale, zero, scale]);
    // Axis 0 of two is the second from the end.
    let rows = Some(View::from(Alignment::AlongAxis(-2)));
    assert_eq!(
        inputs.iter().filter_map(GroupInput::value).map(|input| input.view).collect::<Vec<_>>(),
        [None, rows, rows, None]
    );
}

#[test]
fn one_value_along_two_axes_is_two_inputs_even_if_the_rank_is_unknown() {
    let mut b = Builder::default();
    let (x, scale) = (b.value(DType::I8, &[3, 3]), b.value(DType::F32, &[3]));
    b.graph.values[x].shape = None;
    let like = b.value(DType::F32, &[3, 3]);
    b.graph.values[like].shape = None;
    const ROWS: &[(&str, Attribute<'_>)] = &[("axis", Attribute::Int(0))];
    let rows = b.node(Node { attributes: ROWS, ..Node::new("DequantizeLinear", 13) }, &[x, scale], like);
    let columns = b.node(Node::new("DequantizeLinear", 13), &[x, scale], like);
    let sum = b.op("Add", &[rows, columns]);
    let groups = b.groups(sum, Policy::All);
    assert_eq!(groups[0].nodes, [0, 1, 2]);
    let inputs = GroupProgram::new(&b.graph, &groups[0], Accuracy::Fast).unwrap().inputs;
    assert_eq!(values(&inputs), [x, scale, scale]);
    let views: Vec<Option<View>> = inputs.iter().filter_map(GroupInput::value).map(|input| input.view).collect();
    assert_eq!(views, [None, Some(View::from(Alignment::AlongAxis(0))), Some(View::from(Alignment::AlongAxis(1)))]);
}

#[test]
fn sums_and_activations_next_to_operators_of_the_runtime_are_left_to_it() {
    let fused = |build: &dyn Fn(&mut Builder) -> usize| {
        let mut b = Builder::default();
        let end = build(&mut b);
        b.graph.values[end].is_live_out = true;
        left(&b, PartitionOptions::default()).into_iter().filter(|why| why.starts_with("the runtime fuses")).count()
    };
    let matrix = |b: &mut Builder| b.value(DType::F32, &[64, 64]);
    // A residual and a bias before a normalization that is one node; a bias before a Gelu that is one node.
    for normalization in ["LayerNormalization", "SimplifiedLayerNormalization", "RMSNormalization"] {
        let count = fused(&|b| {
            let [x, bias, residual] = [matrix(b), matrix(b), matrix(b)];
            let product = b.op("MatMul", &[x, x]);
            let biased = b.op("Add", &[product, bias]);
            let sum = b.op("Add", &[biased, residual]);
            b.op(normalization, &[sum])
        });
        assert_eq!(count, 2, "{normalization}");
    }
    let biased_gelu = |b: &mut Builder| {
        let [x, bias] = [matrix(b), matrix(b)];
        let product = b.op("MatMul", &[x, x]);
        let biased = b.op("Add", &[product, bias]);
        b.op("Gelu", &[biased])
    };
    assert_eq!(fused(&biased_gelu), 1);
    // x * sigmoid(alpha x), with a number for alpha.
    let quick_gelu = |b: &mut Builder, is_number: bool| {
        let (x, alpha) = (matrix(b), b.value(DType::F32, &[1]));
        b.graph.values[alpha].literal = is_number.then_some(Literal::Float(1.702));
        let scaled = b.op("Mul", &[x, alpha]);
        let gate = b.op("Sigmoid", &[scaled]);
        b.op("Mul", &[x, gate])
    };
    assert_eq!(fused(&|b| quick_gelu(b, true)), 3);
    assert_eq!(fused(&|b| quick_gelu(b, false)), 0);
}

#[test]
fn shapes_of_a_call_are_those_that_the_nodes_accept() {
    let mut b = Builder::default();
    let (q, scale, y) = (b.value(DType::I8, &[4, 6]), b.value(DType::F32, &[6]), b.value(DType::F32, &[4, 6]));
    let x = b.node(Node::new("DequantizeLinear", 13), &[q, scale], y);
    let sum = b.op("Add", &[x, y]);
    let groups = b.groups(sum, Policy::All);
    let program = GroupProgram::new(&b.graph, &groups[0], Accuracy::Fast).unwrap();
    let check = |shapes: [&'static [usize]; 3]| {
        program.check.check(|value| [q, scale, y].iter().position(|&other| other == value).map(|i| shapes[i]))
    };
    assert_eq!(check([&[4, 6], &[6], &[4, 6]]), Ok(()));
    assert_eq!(check([&[4, 6], &[1], &[6]]), Ok(()));
    let why = "DequantizeLinear: operand 1 has shape [4], expected [6] for an operand of shape [4, 6]";
    assert_eq!(check([&[4, 6], &[4], &[4, 6]]), Err(why.into()));
    assert_eq!(
        check([&[4, 6], &[6], &[5, 6]]),
        Err("Add: cannot broadcast [4, 6] with [5, 6] (numpy): axis 0 is 4 and 5".into())
    );
}
