//! Which groups are worth it: [`Policy`], a table of rules that were measured.

use eltwise::DType;

use crate::graph::{Graph, GraphNode};

/// Which groups are claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Policy {
    /// The groups that the rules of [`RULES`] do not refuse.
    #[default]
    Auto,
    /// All groups.
    All,
    /// No group.
    None,
}

/// A reason to leave a group to the runtime.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The reason, for reports.
    pub why: &'static str,
    /// Whether it holds for nodes of a graph.
    pub refuses: fn(&Graph<'_>, &[usize]) -> bool,
}

/// The rules of [`Policy::Auto`].
///
/// A node of a plug-in costs some 30 ns more than one of the runtime, so a node alone is claimed only if it is one that the runtime
/// computes slowly. ONNX Runtime keeps convolutions in a blocked layout and lets only activations that it knows stay inside it:
/// a group between two of them would cost two reorders.
pub const RULES: &[Rule] = &[
    Rule {
        why: "a single node that the runtime computes as fast",
        refuses: |graph, nodes| nodes.len() == 1 && !is_slow(graph, nodes[0]),
    },
    Rule { why: "an activation behind a convolution, which the runtime fuses", refuses: is_fused_activation },
];

impl Policy {
    /// Why a node is in no group, whatever the others; `None` if it may be in one.
    pub(crate) fn node_refusal(self, _graph: &Graph<'_>, _node: usize) -> Option<String> {
        (self == Policy::None).then(|| "the policy claims nothing".into())
    }

    /// Why a group is not claimed; `None` if it is.
    pub(crate) fn group_refusal(self, graph: &Graph<'_>, nodes: &[usize]) -> Option<String> {
        match self {
            Policy::All | Policy::None => None,
            Policy::Auto => RULES.iter().find(|rule| (rule.refuses)(graph, nodes)).map(|rule| rule.why.into()),
        }
    }
}

/// Whether the runtime's own kernel of a node is slow: f16 and bf16, which it converts to f32 and back, and quantised dtypes, whose
/// kernels are scalar.
fn is_slow(graph: &Graph<'_>, number: usize) -> bool {
    let GraphNode { node, operands, .. } = &graph.nodes[number];
    let half = |value: &usize| matches!(graph.values[*value].dtype, Some(DType::F16 | DType::BF16));
    operands.iter().flatten().any(half) || matches!(node.op_type, "DequantizeLinear" | "QuantizeLinear")
}

/// Operators whose results ONNX Runtime keeps in the blocked layout of its convolutions.
const BLOCKED: &[&str] = &["Conv", "FusedConv", "MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool"];
/// Activations that it fuses into a convolution or computes in the blocked layout.
const FUSED: &[&str] =
    &["Relu", "LeakyRelu", "Sigmoid", "Tanh", "HardSigmoid", "HardSwish", "Clip", "Gelu", "QuickGelu", "Mul", "Add"];

/// Whether a group is one activation, or `x sigmoid(x)` spelt out, over the result of a convolution.
fn is_fused_activation(graph: &Graph<'_>, nodes: &[usize]) -> bool {
    if nodes.len() > 2 {
        return false;
    }
    let producers = graph.producers();
    let op_type = |number: usize| graph.nodes[number].node.op_type;
    let from = |number: usize| graph.nodes[number].operands.iter().flatten().filter_map(|&operand| producers[operand]);
    let is_behind = |number: usize| from(number).any(|node| BLOCKED.contains(&op_type(node)));
    match *nodes {
        [only] => FUSED.contains(&op_type(only)) && is_behind(only),
        [gate, product] => {
            matches!(op_type(gate), "Sigmoid" | "HardSigmoid")
                && op_type(product) == "Mul"
                && is_behind(gate)
                && is_behind(product)
        }
        _ => false,
    }
}
