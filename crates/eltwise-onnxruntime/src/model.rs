//! A graph of the runtime as plain lists: [`Model`].

use core::ffi::CStr;
use std::collections::HashMap;

use eltwise::DType;
use eltwise_onnx::graph::{Dim, Graph, GraphNode, Value, literal};
use eltwise_onnx::{Attribute, FourBits, Node, supports};

use crate::api::Outcome;
use crate::handles::{AttributeValue, GraphHandle, NodeHandle, Tensor, ValueHandle};

/// Elements of the longest vector of integers whose elements matter: a shape.
const MAX_RANK: usize = 64;

/// A graph of the runtime.
pub(crate) struct Model<'a> {
    pub(crate) name: &'a str,
    pub(crate) nodes: Vec<ModelNode<'a>>,
    /// The values, numbered as in [`Graph`].
    values: Vec<Value>,
    /// Whether each value has its dtype and shape.
    is_described: Vec<bool>,
    /// The numbers of the values.
    numbers: HashMap<&'a CStr, usize>,
    /// The constants, by number.
    constants: HashMap<usize, Tensor<'a>>,
    symbols: Symbols<'a>,
}

/// A node of the runtime.
pub(crate) struct ModelNode<'a> {
    pub(crate) handle: NodeHandle<'a>,
    pub(crate) name: &'a str,
    pub(crate) op_type: &'a str,
    /// Whether a provider has claimed the node already.
    is_assigned: bool,
    domain: &'a str,
    opset: i64,
    attributes: Vec<(&'a str, AttributeValue)>,
    operands: Vec<Option<usize>>,
    /// The number of operands that are the node's own, before those of graphs inside of it.
    own_operands: usize,
    results: Vec<Option<usize>>,
}

/// The numbers of symbolic sizes.
#[derive(Default)]
struct Symbols<'a> {
    named: HashMap<&'a str, u32>,
    next: u32,
}

impl<'a> Symbols<'a> {
    /// The size of an axis. Each size that nothing is known of is a symbol of its own.
    fn dim(&mut self, size: i64, symbol: &'a str) -> Dim {
        if let Ok(size) = usize::try_from(size) {
            return Dim::Size(size);
        }
        let next = self.next;
        let number = if symbol.is_empty() { next } else { *self.named.entry(symbol).or_insert(next) };
        self.next += u32::from(number == next);
        Dim::Symbol(number)
    }
}

impl<'a> Model<'a> {
    /// Reads a graph.
    ///
    /// # Errors
    /// Those of the runtime.
    pub(crate) fn read(graph: GraphHandle<'a>) -> Outcome<Model<'a>> {
        let mut model = Model {
            name: graph.name()?,
            nodes: vec![],
            values: vec![],
            is_described: vec![],
            numbers: HashMap::new(),
            constants: HashMap::new(),
            symbols: Symbols::default(),
        };
        for node in graph.nodes()? {
            model.add(node)?;
        }
        model.sort();
        model.unpack_zero_points();
        model.values = model.with_graph(|graph| {
            graph.infer_shapes();
            core::mem::take(&mut graph.values)
        });
        Ok(model)
    }

    fn add(&mut self, node: NodeHandle<'a>) -> Outcome<()> {
        let (op_type, domain, opset) = (node.op_type()?, node.domain()?, node.since_version()?);
        // Other nodes are asked for their names only: the runtime takes a while to describe all weights of a model.
        let is_ours = supports(&Node { domain, op_type, opset, attributes: &[] });
        let mut operands = self.numbers_of(node.inputs()?, is_ours)?;
        let own_operands = operands.len();
        // A node with graphs inside of it uses their operands, too.
        for value in self.numbers_of(node.implicit_inputs()?, false)?.into_iter().flatten() {
            self.values[value].is_live_out = true;
            operands.push(Some(value));
        }
        let results = self.numbers_of(node.outputs()?, is_ours)?;
        self.nodes.push(ModelNode {
            handle: node,
            name: node.name()?,
            op_type,
            is_assigned: !node.provider()?.is_empty(),
            domain,
            opset,
            own_operands,
            attributes: if is_ours { node.attributes()? } else { vec![] },
            operands,
            results,
        });
        Ok(())
    }

    /// Puts every node after those whose results it uses. The runtime lists them in another order.
    fn sort(&mut self) {
        let mut producers = vec![None; self.values.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            node.results.iter().flatten().for_each(|&result| producers[result] = Some(number));
        }
        // Nodes to put, each again after those that it needs.
        let mut waiting: Vec<(usize, bool)> = (0..self.nodes.len()).rev().map(|node| (node, false)).collect();
        let mut is_seen = vec![false; self.nodes.len()];
        let mut order = vec![];
        while let Some((number, has_operands)) = waiting.pop() {
            if has_operands {
                order.push(number);
            } else if !core::mem::replace(&mut is_seen[number], true) {
                waiting.push((number, true));
                let needed = self.nodes[number].operands.iter().flatten().filter_map(|&operand| producers[operand]);
                waiting.extend(needed.map(|node| (node, false)));
            }
        }
        let mut nodes: Vec<Option<ModelNode<'a>>> = core::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        self.nodes = order.into_iter().filter_map(|number| nodes[number].take()).collect();
    }

    /// The numbers of values, which are added if they are new, and described if they are of a node of ours.
    fn numbers_of(&mut self, values: Vec<Option<ValueHandle<'a>>>, are_ours: bool) -> Outcome<Vec<Option<usize>>> {
        let mut number = |value: ValueHandle<'a>| -> Outcome<usize> {
            let new = self.values.len();
            let number = *self.numbers.entry(value.name()?).or_insert(new);
            if number == new {
                self.values.push(Value { is_live_out: value.is_graph_output()?, ..Value::default() });
                self.is_described.push(false);
            }
            if are_ours && !core::mem::replace(&mut self.is_described[number], true) {
                self.describe(number, value)?;
            }
            Ok(number)
        };
        values.into_iter().map(|value| value.map(&mut number).transpose()).collect()
    }

    /// Reads dtype, shape and constant of a value.
    fn describe(&mut self, number: usize, handle: ValueHandle<'a>) -> Outcome<()> {
        let value = &mut self.values[number];
        let Some(tensor_type) = handle.tensor_type()? else { return Ok(()) };
        value.dtype = tensor_type.elements.map(|elements| elements.dtype);
        value.four_bits = tensor_type.elements.and_then(|elements| elements.four_bits);
        let mut dim = |(size, name)| self.symbols.dim(size, name);
        value.shape = tensor_type.axes.map(|axes| axes.into_iter().map(&mut dim).collect());
        if value.dtype.is_some()
            && let Some(tensor) = handle.constant()?
        {
            value.shape = Some(tensor.shape().iter().map(|&size| Dim::Size(size)).collect());
            if tensor.shape().iter().all(|&size| size == 1) {
                value.literal = match (tensor.elements().four_bits, tensor.bytes()?) {
                    (Some(_), &[pair]) => {
                        literal(tensor.elements().dtype, &nibbles(tensor.elements().dtype, pair)[..1])
                    }
                    (_, bytes) => literal(tensor.elements().dtype, bytes),
                };
            }
            if tensor.elements().dtype == DType::I64 && matches!(tensor.shape(), [size] if *size <= MAX_RANK) {
                let words = tensor.bytes()?.as_chunks::<8>().0;
                value.integers = Some(words.iter().map(|&bytes| i64::from_ne_bytes(bytes)).collect());
            }
            self.constants.insert(number, tensor);
        }
        Ok(())
    }

    /// Constants that are zero points only are taken as bytes.
    fn unpack_zero_points(&mut self) {
        const ZERO_POINT: usize = 2;
        let mut is_other = vec![false; self.values.len()];
        for node in &self.nodes {
            // A graph inside of a node has constants of its own.
            for (index, value) in node.operands[..node.own_operands].iter().enumerate() {
                if let Some(value) = *value {
                    is_other[value] |= index != ZERO_POINT;
                }
            }
        }
        for (&value, _) in self.constants.iter().filter(|(value, _)| !is_other[**value]) {
            let four_bits = &mut self.values[value].four_bits;
            *four_bits = four_bits.map(|_| FourBits::OnePerByte);
        }
    }

    /// How the program of a group takes the elements of a constant, if they have four bits.
    pub(crate) fn four_bits(&self, value: usize) -> Option<FourBits> {
        self.values[value].four_bits
    }

    /// The number of a value, if a node uses it or computes it.
    pub(crate) fn number(&self, name: &CStr) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// The tensor of a constant.
    pub(crate) fn constant(&self, value: usize) -> Option<Tensor<'a>> {
        self.constants.get(&value).copied()
    }

    /// The number of axes of a value, if it is known.
    pub(crate) fn rank(&self, value: usize) -> Option<usize> {
        self.values[value].rank()
    }

    /// Whether the elements of a value are supported.
    pub(crate) fn has_dtype(&self, value: usize) -> bool {
        self.values[value].dtype.is_some()
    }

    /// Whether a size of a value is a symbol, or is not known at all.
    pub(crate) fn has_symbols(&self, value: usize) -> bool {
        let is_symbol = |dim: &Dim| matches!(dim, Dim::Symbol(_));
        self.values[value].shape.as_ref().is_none_or(|shape| shape.iter().any(is_symbol))
    }

    /// The nodes, for messages.
    pub(crate) fn description(&self) -> String {
        const SHOWN: usize = 4;
        let describe = |node: &ModelNode<'_>| match node.name {
            "" => node.op_type.into(),
            name => format!("{} {name:?}", node.op_type),
        };
        let shown: Vec<String> = self.nodes.iter().take(SHOWN).map(describe).collect();
        let more = self.nodes.len().saturating_sub(SHOWN);
        let rest = if more > 0 { format!(" and {more} more nodes") } else { String::new() };
        shown.join(", ") + &rest
    }

    /// Calls `f` with the graph.
    pub(crate) fn with_graph<R>(&self, f: impl FnOnce(&mut Graph<'_>) -> R) -> R {
        let attributes: Vec<Vec<(&str, Attribute<'_>)>> = self.nodes.iter().map(ModelNode::attribute_list).collect();
        let nodes = self.nodes.iter().zip(&attributes).map(|(node, attributes)| node.graph_node(attributes)).collect();
        f(&mut Graph { values: self.values.clone(), nodes })
    }
}

impl ModelNode<'_> {
    fn attribute_list(&self) -> Vec<(&str, Attribute<'_>)> {
        let attribute = |value| match value {
            &AttributeValue::Int(value) => Attribute::Int(value),
            &AttributeValue::Float(value) => Attribute::Float(value),
            AttributeValue::Text(text) => Attribute::Text(text),
        };
        self.attributes.iter().map(|(name, value)| (*name, attribute(value))).collect()
    }

    fn graph_node<'b>(&'b self, attributes: &'b [(&'b str, Attribute<'b>)]) -> GraphNode<'b> {
        let node = Node { domain: self.domain, op_type: self.op_type, opset: self.opset, attributes };
        GraphNode {
            node,
            operands: self.operands.clone(),
            results: self.results.clone(),
            is_assigned: self.is_assigned,
        }
    }
}

/// The two elements of four bits in a byte, each as a byte of its value.
pub(crate) fn nibbles(dtype: DType, pair: u8) -> [u8; 2] {
    let halves = [pair & 15, pair >> 4];
    // The highest of the four bits is the sign.
    if dtype == DType::I8 { halves.map(|half| (half ^ 8).wrapping_sub(8)) } else { halves }
}
