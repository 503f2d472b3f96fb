//! Which groups are worth it: [`Policy`], and the rules of [`Policy::Auto`], which were measured.
//!
//! A node of a plug-in costs some 30 ns more than one of the runtime, so a node alone is claimed only if the runtime computes it
//! slowly. What the runtime fuses by itself is left to it: see `runtime.rs`.

use eltwise::{Accuracy, DType};

use crate::graph::{Graph, GraphNode};
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

/// What is claimed, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Claim {
    /// Which groups.
    pub policy: Policy,
    /// The tier of math operators. A node without an algorithm of the tier is not claimed.
    pub accuracy: Accuracy,
    /// The version of ONNX Runtime, 1.x: which nodes it fuses changes from version to version.
    pub runtime: u32,
}

impl Default for Claim {
    /// [`Policy::Auto`], the fast tier, for the newest runtime whose fusions are known.
    fn default() -> Claim {
        Claim { policy: Policy::Auto, accuracy: Accuracy::Fast, runtime: runtime::NEWEST }
    }
}

impl Claim {
    /// A claim by a policy, otherwise as by default.
    pub fn new(policy: Policy) -> Claim {
        Claim { policy, ..Claim::default() }
    }

    /// With this tier.
    pub fn accuracy(self, accuracy: Accuracy) -> Claim {
        Claim { accuracy, ..self }
    }

    /// For ONNX Runtime 1.x.
    pub fn runtime(self, runtime: u32) -> Claim {
        Claim { runtime, ..self }
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
            return Some("the runtime keeps it in the blocked layout of its convolutions".into());
        }
        if nodes.iter().any(|&node| optimizations.is_converted(node)) {
            return Some("16-bit floats next to a node that the runtime computes in float32".into());
        }
        match *nodes {
            [node] if !is_slow(graph, node) => Some("a single node that the runtime computes as fast".into()),
            _ => None,
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
