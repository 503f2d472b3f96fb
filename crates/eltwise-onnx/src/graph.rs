//! A graph as plain lists, [`Graph`], and some nodes of it, [`Group`].

use eltwise::{DType, Literal};
use half::{bf16, f16};

use crate::node::{FourBits, Node};

/// The size of an axis, as a model declares it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    /// A number.
    Size(usize),
    /// A symbol: equal symbols are equal sizes in every run.
    Symbol(u32),
}

/// A value of a graph: an input, a constant, or an output of a node.
#[derive(Clone, Debug, Default)]
pub struct Value {
    /// The dtype; `None` if it has no elements of ours.
    pub dtype: Option<DType>,
    /// How the elements lie in memory, if they have four bits; `dtype` is that of their bytes.
    pub four_bits: Option<FourBits>,
    /// The shape; `None` if an axis is neither a number nor a symbol.
    pub shape: Option<Vec<Dim>>,
    /// The element of a constant of one element. Programs have it as an immediate operand.
    pub literal: Option<Literal>,
    /// The elements of a constant vector of 64-bit integers, such as the shape of `Expand`.
    pub integers: Option<Vec<i64>>,
    /// Whether the value must exist after its group: an output of the graph, or captured by a graph inside of it.
    pub is_live_out: bool,
}

impl Value {
    /// The number of axes, if the shape is known.
    pub fn rank(&self) -> Option<usize> {
        self.shape.as_ref().map(Vec::len)
    }
}

/// The element of a tensor of one element, from its bytes in the order of this machine. `None` for another number of bytes.
pub fn literal(dtype: DType, bytes: &[u8]) -> Option<Literal> {
    macro_rules! number {
        ($type:ty, $literal:expr) => {
            bytes.try_into().ok().map(<$type>::from_ne_bytes).map($literal)
        };
    }
    match dtype {
        DType::Bool => number!(u8, |x| Literal::Bool(x != 0)),
        DType::I8 => number!(i8, |x| Literal::Int(x.into())),
        DType::I16 => number!(i16, |x| Literal::Int(x.into())),
        DType::I32 => number!(i32, |x| Literal::Int(x.into())),
        DType::I64 => number!(i64, |x| Literal::Int(x.into())),
        DType::U8 => number!(u8, |x| Literal::Int(x.into())),
        DType::U16 => number!(u16, |x| Literal::Int(x.into())),
        DType::U32 => number!(u32, |x| Literal::Int(x.into())),
        DType::U64 => number!(u64, |x| Literal::Int(x.into())),
        DType::F16 => number!(f16, |x| Literal::Float(x.into())),
        DType::BF16 => number!(bf16, |x| Literal::Float(x.into())),
        DType::F32 => number!(f32, |x| Literal::Float(x.into())),
        DType::F64 => number!(f64, Literal::Float),
        _ => None,
    }
}

/// A node of a graph.
#[derive(Clone, Debug)]
pub struct GraphNode<'a> {
    /// The operator.
    pub node: Node<'a>,
    /// The operands, as indices into [`Graph::values`]; `None` for one that is left out.
    pub operands: Vec<Option<usize>>,
    /// The results, as indices into [`Graph::values`]; `None` for one that is left out.
    pub results: Vec<Option<usize>>,
    /// Whether the node is assigned to another execution provider, so that it is in no group.
    pub is_assigned: bool,
}

/// A graph. Every node comes after the nodes whose results it uses.
#[derive(Clone, Debug, Default)]
pub struct Graph<'a> {
    /// The values.
    pub values: Vec<Value>,
    /// The nodes, in topological order.
    pub nodes: Vec<GraphNode<'a>>,
}

impl Graph<'_> {
    /// The node whose result each value is.
    pub(crate) fn producers(&self) -> Vec<Option<usize>> {
        let mut producers = vec![None; self.values.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            for &result in node.results.iter().flatten() {
                producers[result] = Some(number);
            }
        }
        producers
    }

    /// The nodes that use each value, in order, each once.
    pub(crate) fn consumers(&self) -> Vec<Vec<usize>> {
        let mut consumers = vec![vec![]; self.values.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            for &operand in node.operands.iter().flatten() {
                if consumers[operand].last() != Some(&number) {
                    consumers[operand].push(number);
                }
            }
        }
        consumers
    }
}

/// Nodes that become one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The nodes, as indices into [`Graph::nodes`], in topological order.
    pub nodes: Vec<usize>,
    /// The values of the group that are used after it, as indices into [`Graph::values`].
    pub outputs: Vec<usize>,
}
