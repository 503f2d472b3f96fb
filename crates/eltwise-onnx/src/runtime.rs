//! What ONNX Runtime makes of nodes by itself: [`RuntimeOptimizations`].
//!
//! Its optimiser runs after providers have claimed their nodes. Nodes that it would have fused with a neighbour, and activations that
//! it would have kept in the blocked layout of its convolutions (NCHWc), are faster there than in a group of ours. Which operators keep
//! that layout depends on the version: [`BLOCKED`] has the first version of each, found by counting the nodes of optimised models.

use core::fmt;

use eltwise::DType;

use crate::graph::{Graph, GraphNode};
use crate::operators::supports;

/// The newest version 1.x of the runtime whose fusions are known.
pub(crate) const NEWEST: u32 = 32;

/// Operators whose result is in the blocked layout if their operands are, the condition, and the first version. Its source is `Conv`.
const BLOCKED: &[(&str, Keeps, u32)] = &[
    ("Add", Keeps::AllOperands, 0),
    ("AveragePool", Keeps::Operand0, 0),
    ("BatchNormalization", Keeps::Operand0, 0),
    ("Clip", Keeps::Operand0, 0),
    ("Concat", Keeps::AllOperands, 0),
    ("Gelu", Keeps::Operand0, BLOCKED_ACTIVATIONS),
    ("GlobalAveragePool", Keeps::Operand0, 0),
    ("GlobalMaxPool", Keeps::Operand0, 0),
    ("HardSigmoid", Keeps::Operand0, BLOCKED_ACTIVATIONS),
    ("HardSwish", Keeps::Operand0, BLOCKED_ACTIVATIONS),
    ("LeakyRelu", Keeps::Operand0, 0),
    ("MaxPool", Keeps::Operand0, 0),
    ("Mul", Keeps::AllOperands, 0),
    ("QuickGelu", Keeps::Operand0, BLOCKED_ACTIVATIONS),
    ("Relu", Keeps::Operand0, 0),
    ("Resize", Keeps::Operand0, 0),
    ("Sigmoid", Keeps::Operand0, 0),
    ("Sum", Keeps::AllOperands, 0),
    ("Tanh", Keeps::Operand0, 0),
    ("Upsample", Keeps::Operand0, 0),
];

/// How an operator keeps the blocked layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Keeps {
    /// If operand 0 is blocked. Others are constants.
    Operand0,
    /// If all operands are, and have one shape.
    AllOperands,
    /// If all operands but constants are.
    Computed,
}

/// The first version in which activations that are spelt out, and some others, keep the blocked layout.
const BLOCKED_ACTIVATIONS: u32 = 27;

/// What the runtime fuses a node into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fusion {
    BiasAndGelu,
    Gelu,
    LayerNormalization,
    MatMulInteger,
    Quantised,
    Silu,
    SumAndNormalization,
}

impl fmt::Display for Fusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fusion::BiasAndGelu => "a bias with the gelu behind it",
            Fusion::Gelu => "the parts of gelu",
            Fusion::LayerNormalization => "the parts of a layer normalization",
            Fusion::MatMulInteger => "a product of quantised matrices",
            Fusion::Quantised => "quantised operators",
            Fusion::Silu => "the parts of x * sigmoid(x)",
            Fusion::SumAndNormalization => "a sum with the normalization behind it",
        })
    }
}

/// Operators that move elements of any dtype. The runtime computes other operators over f16 and bf16 in f32.
const MOVES: &[&str] = &[
    "Concat",
    "Flatten",
    "Gather",
    "Reshape",
    "Shape",
    "Size",
    "Slice",
    "Split",
    "Squeeze",
    "Tile",
    "Transpose",
    "Unsqueeze",
];

/// Operators between quantised tensors for which the runtime has kernels: it fuses them with the nodes that dequantise their operands
/// and quantise their result.
const QUANTISED: &[&str] = &[
    "ArgMax",
    "AveragePool",
    "Concat",
    "Conv",
    "ConvTranspose",
    "Gather",
    "Gemm",
    "GlobalAveragePool",
    "MatMul",
    "MaxPool",
    "Pad",
    "Reshape",
    "Resize",
    "Slice",
    "Softmax",
    "Split",
    "Squeeze",
    "Transpose",
    "Unsqueeze",
    "Where",
];

/// What the runtime would do with each node of a graph.
#[derive(Clone, Debug)]
pub(crate) struct RuntimeOptimizations {
    /// The fusion that each node is part of.
    fused_as: Vec<Option<Fusion>>,
    /// Whether each node stays in the blocked layout.
    is_blocked: Vec<bool>,
    /// Whether each node is over f16 or bf16, and next to one that the runtime computes in f32.
    is_converted: Vec<bool>,
}

impl RuntimeOptimizations {
    /// Those of a runtime without optimizations.
    pub(crate) fn none(graph: &Graph<'_>) -> RuntimeOptimizations {
        let count = graph.nodes.len();
        RuntimeOptimizations {
            fused_as: vec![None; count],
            is_blocked: vec![false; count],
            is_converted: vec![false; count],
        }
    }

    /// Those of ONNX Runtime 1.`version`.
    pub(crate) fn new(graph: &Graph<'_>, version: u32) -> RuntimeOptimizations {
        let mut walk = Walk {
            graph,
            producers: graph.producers(),
            consumers: graph.consumers(),
            found: RuntimeOptimizations::none(graph),
        };
        for number in 0..graph.nodes.len() {
            match walk.op_type(number) {
                "ReduceMean" => walk.layer_normalization(number),
                "Erf" => walk.gelu(number),
                "Sigmoid" => walk.quick_gelu(number),
                "LayerNormalization" | "SimplifiedLayerNormalization" | "RMSNormalization" => walk.skip(number),
                "Gelu" => walk.bias(number),
                "MatMulInteger" => walk.dynamic_quantisation(number),
                "DequantizeLinear" | "QuantizeLinear" => walk.quantised(number),
                _ => {}
            }
        }
        walk.blocked(version);
        for number in 0..graph.nodes.len() {
            let is_in_f32 = |node: usize| {
                let node = &graph.nodes[node].node;
                !supports(node) && !MOVES.contains(&node.op_type)
            };
            let has_one = walk.before(number).any(is_in_f32) || walk.after(number).iter().any(|&node| is_in_f32(node));
            walk.found.is_converted[number] = walk.is_half(number) && has_one;
        }
        walk.found
    }

    /// The fusion that a node is part of.
    pub(crate) fn fused_as(&self, node: usize) -> Option<Fusion> {
        self.fused_as[node]
    }

    /// Whether a node is over f16 or bf16, and next to one that the runtime computes in f32. It then computes both in f32, and converts
    /// nothing between them.
    pub(crate) fn is_converted(&self, node: usize) -> bool {
        self.is_converted[node]
    }

    /// Whether the runtime keeps a node in the blocked layout.
    pub(crate) fn is_blocked(&self, node: usize) -> bool {
        self.is_blocked[node]
    }
}

/// Finds what the runtime fuses.
struct Walk<'g, 'a> {
    graph: &'g Graph<'a>,
    producers: Vec<Option<usize>>,
    consumers: Vec<Vec<usize>>,
    found: RuntimeOptimizations,
}

impl<'g, 'a> Walk<'g, 'a> {
    fn op_type(&self, node: usize) -> &'a str {
        self.graph.nodes[node].node.op_type
    }

    /// The nodes that compute the operands of a node.
    fn before(&self, node: usize) -> impl Iterator<Item = usize> {
        self.graph.nodes[node].operands.iter().flatten().filter_map(|&operand| self.producers[operand])
    }

    /// The nodes that use the first result of a node.
    fn after(&self, node: usize) -> &[usize] {
        let result = self.graph.nodes[node].results.first().copied().flatten();
        result.map_or(&[], |result| &self.consumers[result])
    }

    /// The node of an operator among those that use a node's result.
    fn next(&self, node: usize, op_types: &[&str]) -> Option<usize> {
        self.after(node).iter().copied().find(|&next| op_types.contains(&self.op_type(next)))
    }

    /// The node of an operator among those that compute a node's operands.
    fn previous(&self, node: usize, op_types: &[&str]) -> Option<usize> {
        self.before(node).find(|&previous| op_types.contains(&self.op_type(previous)))
    }

    fn mark(&mut self, nodes: &[usize], fusion: Fusion) {
        for &node in nodes {
            self.found.fused_as[node].get_or_insert(fusion);
        }
    }

    /// `(x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon)`, scaled and shifted, from its first or only mean; without the first
    /// mean, the root mean square.
    fn layer_normalization(&mut self, mean: usize) {
        let Some(variance) = self.next(mean, &["Add"]) else { return };
        let Some(root) = self.next(variance, &["Sqrt"]) else { return };
        let Some(quotient) = self.next(root, &["Div", "Reciprocal"]) else { return };
        let mut nodes = vec![variance, root, quotient];
        if let Some(square) = self.previous(mean, &["Pow", "Mul"]) {
            nodes.push(square);
            nodes.extend(self.previous(square, &["Sub"]));
        }
        nodes.extend(self.previous(quotient, &["Sub"]));
        if let Some(scaled) = self.next(quotient, &["Mul"]) {
            nodes.push(scaled);
            nodes.extend(self.next(scaled, &["Add"]));
        }
        self.mark(&nodes, Fusion::LayerNormalization);
        // What is normalised may be a sum with a residual.
        let differences = nodes.iter().filter(|&&node| self.op_type(node) == "Sub");
        let before: Vec<usize> = differences.flat_map(|&difference| self.before(difference)).collect();
        let sums: Vec<usize> = before.into_iter().filter(|&node| self.op_type(node) == "Add").collect();
        self.mark(&sums, Fusion::SumAndNormalization);
    }

    /// `x * (erf(x / sqrt(2)) + 1) * 0.5`, with a bias before it.
    fn gelu(&mut self, erf: usize) {
        let Some(scaled) = self.previous(erf, &["Div", "Mul"]) else { return };
        let Some(sum) = self.next(erf, &["Add"]) else { return };
        let Some(product) = self.next(sum, &["Mul"]).filter(|_| !self.is_half(erf)) else { return };
        let mut nodes = vec![scaled, erf, sum, product];
        nodes.extend(self.next(product, &["Mul"]).or_else(|| self.previous(product, &["Mul"])));
        self.mark(&nodes, Fusion::Gelu);
        self.bias(scaled);
    }

    /// `x * sigmoid(alpha * x)`.
    fn quick_gelu(&mut self, sigmoid: usize) {
        let Some(product) = self.next(sigmoid, &["Mul"]).filter(|_| !self.is_half(sigmoid)) else { return };
        let operands = |node: usize| self.graph.nodes[node].operands.iter().flatten();
        let scaled = self.previous(sigmoid, &["Mul"]).filter(|&scaled| {
            operands(scaled).any(|value| self.graph.values[*value].literal.is_some())
                && operands(scaled).any(|value| operands(product).any(|other| other == value))
        });
        let is_silu = operands(sigmoid).any(|value| operands(product).any(|other| other == value));
        if self.after(sigmoid).len() == 1 && (is_silu || scaled.is_some()) {
            let nodes: Vec<usize> = [Some(sigmoid), Some(product), scaled].into_iter().flatten().collect();
            self.mark(&nodes, Fusion::Silu);
        }
    }

    /// A bias between a product of matrices and an activation.
    fn bias(&mut self, activation: usize) {
        if let Some(sum) = self.previous(activation, &["Add"])
            && self.previous(sum, &["MatMul"]).is_some()
        {
            self.mark(&[sum], Fusion::BiasAndGelu);
        }
    }

    /// Sums before a layer normalization: of a residual, and of a bias.
    fn skip(&mut self, normalization: usize) {
        if let Some(sum) = self.previous(normalization, &["Add"]) {
            self.mark(&[sum], Fusion::SumAndNormalization);
            if let Some(bias) = self.previous(sum, &["Add"])
                && self.previous(bias, &["MatMul"]).is_some()
            {
                self.mark(&[bias], Fusion::SumAndNormalization);
            }
        }
    }

    /// The factors of a product of quantised matrices.
    fn dynamic_quantisation(&mut self, product: usize) {
        let Some(cast) = self.next(product, &["Cast"]) else { return };
        let Some(scaled) = self.next(cast, &["Mul"]) else { return };
        let mut nodes = vec![cast, scaled];
        nodes.extend(self.before(scaled).filter(|&node| self.op_type(node) == "Mul"));
        nodes.extend(self.next(scaled, &["Add"]));
        self.mark(&nodes, Fusion::MatMulInteger);
    }

    /// A node that dequantises the operand, or quantises the result, of an operator that has a quantised kernel.
    fn quantised(&mut self, node: usize) {
        let is_quantised = |&node: &usize| QUANTISED.contains(&self.op_type(node));
        let is_next_to_one = match self.op_type(node) {
            "DequantizeLinear" => self.after(node).iter().any(is_quantised),
            _ => self.before(node).any(|node| is_quantised(&node)),
        };
        if is_next_to_one {
            self.mark(&[node], Fusion::Quantised);
        }
    }

    /// Marks the nodes that stay in the blocked layout.
    fn blocked(&mut self, version: u32) {
        let mut is_blocked = vec![false; self.graph.values.len()];
        for (number, GraphNode { node, results, .. }) in self.graph.nodes.iter().enumerate() {
            let row = BLOCKED.iter().find(|(op_type, _, _)| *op_type == node.op_type);
            let keeps = match self.found.fused_as[number] {
                Some(Fusion::Gelu | Fusion::Silu) => Some(Keeps::Computed).filter(|_| version >= BLOCKED_ACTIVATIONS),
                _ => row.filter(|(_, _, since)| *since <= version).map(|(_, keeps, _)| *keeps),
            };
            let is_kept = !self.is_half(number) && keeps.is_some_and(|keeps| self.keeps(number, keeps, &is_blocked));
            if is_kept || matches!(node.op_type, "Conv" | "FusedConv") {
                results.iter().flatten().for_each(|&value| is_blocked[value] = true);
            }
            self.found.is_blocked[number] = is_kept;
        }
    }

    /// Whether the operands of a node are so that it keeps the blocked layout.
    fn keeps(&self, node: usize, keeps: Keeps, is_blocked: &[bool]) -> bool {
        let operands: Vec<usize> = self.graph.nodes[node].operands.iter().flatten().copied().collect();
        let Some(&first) = operands.first() else { return false };
        let shape = |value: usize| self.graph.values[value].shape.as_ref();
        match keeps {
            Keeps::Operand0 => is_blocked[first],
            Keeps::AllOperands => operands.iter().all(|&value| is_blocked[value] && shape(value) == shape(first)),
            Keeps::Computed => operands.iter().all(|&value| is_blocked[value] || self.producers[value].is_none()),
        }
    }

    /// Whether a node is over f16 or bf16, which the runtime's activations and convolutions do not have.
    fn is_half(&self, node: usize) -> bool {
        let is_half = |&value: &usize| matches!(self.graph.values[value].dtype, Some(DType::F16 | DType::BF16));
        self.graph.nodes[node].operands.iter().flatten().any(is_half)
    }
}
