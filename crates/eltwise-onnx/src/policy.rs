//! Which groups are worth it: [`Policy`], and the rules of [`Policy::Auto`], which were measured.
//!
//! A call of a group takes some 0.8 us longer than one of the runtime's own nodes (Zen 4), so a node alone is claimed only if the runtime
//! computes it slowly, and a few nodes only over enough elements. What the runtime fuses by itself is left to it: see `runtime.rs`.

use eltwise::{Accuracy, DType};

use crate::graph::{Dim, Graph, GraphNode};
use crate::runtime::{self, RuntimeOptimizations};

/// Which groups are claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Policy {
    /// The groups that are faster than the runtime's own nodes.
    #[default]
    Auto,
    /// All groups.
    All,
    /// No group.
    None,
}

/// Which groups are made of a graph, and for which runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PartitionOptions {
    /// Which groups.
    pub policy: Policy,
    /// The tier of math operators. A node without an algorithm of the tier is not claimed.
    pub accuracy: Accuracy,
    /// The version of ONNX Runtime, 1.x: which nodes it fuses changes from version to version.
    pub runtime: u32,
}

impl Default for PartitionOptions {
    /// [`Policy::Auto`], the fast tier, for the newest runtime whose fusions are known.
    fn default() -> PartitionOptions {
        PartitionOptions { policy: Policy::Auto, accuracy: Accuracy::Fast, runtime: runtime::NEWEST }
    }
}

impl PartitionOptions {
    /// Options with a policy, otherwise as by default.
    pub fn new(policy: Policy) -> PartitionOptions {
        PartitionOptions { policy, ..PartitionOptions::default() }
    }

    /// With this tier.
    pub fn accuracy(self, accuracy: Accuracy) -> PartitionOptions {
        PartitionOptions { accuracy, ..self }
    }

    /// For ONNX Runtime 1.x.
    pub fn runtime(self, runtime: u32) -> PartitionOptions {
        PartitionOptions { runtime, ..self }
    }

    /// What the policy needs to know about the runtime; nothing unless it is [`Policy::Auto`].
    pub(crate) fn optimizations(&self, graph: &Graph<'_>) -> RuntimeOptimizations {
        if self.policy == Policy::Auto {
            RuntimeOptimizations::new(graph, self.runtime)
        } else {
            RuntimeOptimizations::none(graph)
        }
    }

    /// Why a node is in no group, whatever the others; `None` if it may be in one.
    pub(crate) fn node_refusal(&self, optimizations: &RuntimeOptimizations, node: usize) -> Option<String> {
        if self.policy == Policy::None {
            return Some("the policy claims nothing".into());
        }
        optimizations.fused_as(node).map(|what| format!("the runtime fuses {what}"))
    }

    /// Why a group is not claimed; `None` if it is.
    pub(crate) fn group_refusal(
        &self,
        graph: &Graph<'_>,
        optimizations: &RuntimeOptimizations,
        nodes: &[usize],
    ) -> Option<String> {
        if self.policy != Policy::Auto {
            return None;
        }
        if nodes.iter().all(|&node| optimizations.is_blocked(node)) {
            return Some("the runtime keeps it in the blocked layout of its convolutions (NCHWc)".into());
        }
        if nodes.iter().any(|&node| optimizations.is_converted(node)) {
            return Some("16-bit floats next to a node that the runtime computes in float32".into());
        }
        if nodes.iter().any(|&node| is_slow(graph, node)) {
            return None;
        }
        match (nodes.len(), elements(graph, nodes)) {
            (1, _) => Some("a single node that the runtime computes as fast".into()),
            (..MIN_NODES, Some(elements @ ..MIN_ELEMENTS)) => {
                Some(format!("too little work for a call: {} nodes over {elements} elements", nodes.len()))
            }
            _ => None,
        }
    }
}

/// A call of a group takes as long as so many nodes of the runtime over few elements: measured in the body of a loop, 1.07 us and
/// 0.28 us for a node.
const MIN_NODES: usize = 4;

/// Over so many elements, fewer nodes are worth a call.
const MIN_ELEMENTS: usize = 1024;

/// The elements of the largest result of some nodes, if all their sizes are known.
fn elements(graph: &Graph<'_>, nodes: &[usize]) -> Option<usize> {
    let results = nodes.iter().flat_map(|&node| graph.nodes[node].results.iter().flatten());
    let elements = |&value: &usize| {
        let shape = graph.values[value].shape.as_ref()?;
        shape.iter().try_fold(1usize, |product, dim| match dim {
            Dim::Size(size) => product.checked_mul(*size),
            Dim::Symbol(_) => None,
        })
    };
    results.map(elements).try_fold(0, |largest, elements| Some(largest.max(elements?)))
}

/// Whether the runtime's own kernel of a node is slow: of f16 and bf16, which it converts to f32 and back, and of elements of 8 bits and
/// fewer that are dequantised (0.15 to 0.6 of its time over a million elements; quantising takes 2 times its time).
fn is_slow(graph: &Graph<'_>, number: usize) -> bool {
    let GraphNode { node, operands, .. } = &graph.nodes[number];
    let has =
        |value: &usize, dtypes: [DType; 2]| graph.values[*value].dtype.is_some_and(|dtype| dtypes.contains(&dtype));
    let has_halves = operands.iter().flatten().any(|value| has(value, [DType::F16, DType::BF16]));
    let has_bytes = operands.iter().take(1).flatten().any(|value| has(value, [DType::I8, DType::U8]));
    has_halves || has_bytes && node.op_type == "DequantizeLinear"
}
