//! The program of a group: [`GroupProgram`].

use std::collections::{HashMap, HashSet};

use eltwise::{Accuracy, DType, Expr, Program};

use crate::graph::{Dim, Graph, GraphNode, Group, Value};
use crate::node::{Alignment, FourBits, Operand, Pairs, Unsupported, View};
use crate::operators::{ResultShape, result_shape, translate, views};
use crate::shape_check::{CheckedNode, ShapeCheck};

/// The program of a group, and what it takes and gives.
#[derive(Clone, Debug)]
pub struct GroupProgram {
    /// The program. Its outputs are the group's.
    pub program: Program,
    /// The inputs of the program. A constant of one element is mostly not an input: the program contains it.
    pub inputs: Vec<GroupInput>,
    /// The shapes that the nodes accept. The program takes more.
    pub check: ShapeCheck,
}

/// The name of [`GroupInput::NibbleShifts`] in programs.
pub(crate) const NIBBLE_SHIFTS: &str = "nibble_shifts";

/// An input of the program of a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GroupInput {
    /// A value of the graph.
    Value(ValueInput),
    /// The vector [`SHIFTS`](GroupInput::SHIFTS) in this dtype, `i8` or `u8`: `(byte << shift) >> 4` is the lower half of a byte for
    /// the first shift, and the upper half for the second.
    NibbleShifts(DType),
}

/// A value of a graph as an input of the program of a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ValueInput {
    /// The value, as an index into [`Graph::values`]. It is several inputs if nodes align it in several ways.
    pub value: usize,
    /// The shape in which the program takes it, if not its own.
    pub view: Option<View>,
    /// Operand 0 of the node that aligns it, whose axes the view counts. Without a view, the value itself.
    pub aligned_to: usize,
}

impl GroupInput {
    /// The elements of [`GroupInput::NibbleShifts`].
    pub const SHIFTS: [u8; 2] = [4, 0];

    /// The value of the graph, if it is one.
    pub const fn value(&self) -> Option<&ValueInput> {
        match self {
            GroupInput::Value(input) => Some(input),
            GroupInput::NibbleShifts(_) => None,
        }
    }

    fn dtype(&self, graph: &Graph<'_>) -> Option<DType> {
        match *self {
            GroupInput::Value(input) => graph.values[input.value].dtype,
            GroupInput::NibbleShifts(dtype) => Some(dtype),
        }
    }
}

impl ValueInput {
    /// A value in its own shape.
    const fn plain(value: usize) -> ValueInput {
        ValueInput { value, view: None, aligned_to: value }
    }

    /// A value with a view that counts the axes of `aligned_to`. Without one, if the value has the shape of the view already.
    fn new(graph: &Graph<'_>, value: usize, view: View, aligned_to: usize) -> ValueInput {
        if has_shape_of_view(graph, value, aligned_to, view) {
            return ValueInput::plain(value);
        }
        let rank = graph.values[aligned_to].rank();
        let view = rank.map_or(view, |rank| view.counted_from_end(rank));
        ValueInput { value, view: Some(view), aligned_to }
    }

    /// What inputs of one shape have in common: vectors along an axis that is counted from the end need no other operand.
    fn key(self) -> ValueInput {
        match self.view {
            Some(View { alignment: Alignment::AlongAxis(..0) | Alignment::Scalar, pairs: Pairs::None }) => {
                ValueInput { aligned_to: self.value, ..self }
            }
            _ => self,
        }
    }
}

/// Whether a value has the shape of its view already: it is a scalar, or a vector of one element next to an operand with axes.
fn has_shape_of_view(graph: &Graph<'_>, value: usize, aligned_to: usize, view: View) -> bool {
    matches!(view, View { alignment: Alignment::AlongAxis(_) | Alignment::Scalar, pairs: Pairs::None })
        && match graph.values[value].shape.as_deref() {
            Some([]) => true,
            Some([Dim::Size(1)]) => graph.values[aligned_to].rank().is_some_and(|rank| rank > 0),
            _ => false,
        }
}

impl GroupProgram {
    /// The program of a group of a graph. A constant of one element is an immediate operand, unless the result would have fewer axes
    /// without it. Math operators have the tier `accuracy`.
    ///
    /// # Errors
    /// [`Unsupported`] for a node that has no expression, which [`partition`](crate::partition::partition) puts in no group.
    pub fn new(graph: &Graph<'_>, group: &Group, accuracy: Accuracy) -> Result<GroupProgram, Unsupported> {
        let mut builder = Builder {
            graph,
            exprs: HashMap::new(),
            inputs: vec![],
            indices: HashMap::new(),
            check: ShapeCheck::default(),
        };
        for &node in &group.nodes {
            builder.add(node)?;
        }
        builder.finish(group, accuracy)
    }
}

/// Makes the program of a group.
struct Builder<'g, 'a> {
    graph: &'g Graph<'a>,
    /// The expressions of the values that the group computes.
    exprs: HashMap<usize, Expr>,
    /// The inputs with their names, in the order of their first use.
    inputs: Vec<(String, GroupInput)>,
    /// The indices of the inputs.
    indices: HashMap<GroupInput, usize>,
    check: ShapeCheck,
}

impl Builder<'_, '_> {
    /// Adds a node: the expression of its first result.
    fn add(&mut self, index: usize) -> Result<(), Unsupported> {
        let GraphNode { node, operands, results, .. } = &self.graph.nodes[index];
        let first = operands.first().copied().flatten();
        let four_bits = first.and_then(|value| self.graph.values[value].four_bits);
        let views = views(node, operands.len(), four_bits)?;
        let (mut given, mut plain) = (vec![], vec![]);
        for (i, operand) in operands.iter().enumerate() {
            let Some(value) = *operand else {
                given.push(None);
                continue;
            };
            let Value { dtype, four_bits, integers, shape, .. } = &self.graph.values[value];
            let dtype =
                dtype.ok_or_else(|| node.unsupported(format!("operand {i} has a dtype that is not supported")))?;
            let view = views.iter().find(|(operand, _)| *operand == i).map(|(_, view)| *view);
            let immediate = immediate(self.graph, index, value, view);
            if immediate.is_some() {
                self.check.constants.insert(value, vec![1; shape.as_ref().map_or(0, Vec::len)]);
            }
            let input = match view {
                None => ValueInput::plain(value),
                Some(view) => ValueInput::new(self.graph, value, view, first.unwrap_or(value)),
            };
            if view.is_some() && input.view.is_none() {
                plain.push(i);
            }
            // The literal of an element of four bits is its value already.
            let four_bits = four_bits.map(|bits| if immediate.is_some() { FourBits::OnePerByte } else { bits });
            let computed = self.exprs.get(&value).cloned();
            if computed.is_some() && input.view.is_some() {
                return Err(node.unsupported(format!("operand {i} is aligned with others, and the group computes it")));
            }
            let expr = immediate.or(computed).unwrap_or_else(|| self.input(GroupInput::Value(input)));
            if four_bits == Some(FourBits::TwoPerByte) {
                self.input(GroupInput::NibbleShifts(dtype));
            }
            given.push(Some(Operand { expr, dtype, four_bits, integers: integers.clone() }));
        }
        let translation = translate(node, &given)?;
        let result = results.first().copied().flatten();
        self.check.nodes.push(CheckedNode {
            op_type: node.op_type.into(),
            shape: result_shape(node).unwrap_or(ResultShape::Broadcast),
            operands: operands.clone(),
            result,
            integers: given.get(1).and_then(|operand| operand.as_ref()?.integers.clone()),
            alignment: views.iter().find(|(operand, _)| *operand > 0).map(|(_, view)| view.alignment),
            plain,
            rank: first.and_then(|value| self.graph.values[value].rank()),
        });
        self.exprs.extend(result.map(|result| (result, translation.expr)));
        Ok(())
    }

    /// An input as an expression.
    fn input(&mut self, input: GroupInput) -> Expr {
        let key = match input {
            GroupInput::Value(input) => GroupInput::Value(input.key()),
            shifts => shifts,
        };
        let next = self.inputs.len();
        let index = *self.indices.entry(key).or_insert(next);
        if index == next {
            let name = match input {
                GroupInput::Value(_) => format!("i{next}"),
                GroupInput::NibbleShifts(_) => NIBBLE_SHIFTS.into(),
            };
            self.inputs.push((name, input));
        }
        Expr::input(&self.inputs[index].0)
    }

    /// The program of the nodes. Its inputs are those that an output needs.
    fn finish(self, group: &Group, accuracy: Accuracy) -> Result<GroupProgram, Unsupported> {
        let graph = self.graph;
        let node = &graph.nodes[group.nodes[0]].node;
        let output = |value: &usize| match self.exprs.get(value) {
            Some(expr) => Ok(expr.accuracy(accuracy)),
            None => Err(node.unsupported(format!("no node of the group computes value {value}"))),
        };
        let outputs: Vec<Expr> = group.outputs.iter().map(output).collect::<Result<_, _>>()?;
        let used: HashSet<&str> = outputs.iter().flat_map(Expr::names).collect();
        let inputs: Vec<&(String, GroupInput)> =
            self.inputs.iter().filter(|(name, _)| used.contains(name.as_str())).collect();
        let named = |(name, input): &&(String, GroupInput)| Some((name.clone(), input.dtype(graph)?));
        let named: Vec<(String, DType)> = inputs.iter().filter_map(named).collect();
        let named: Vec<(&str, DType)> = named.iter().map(|(name, dtype)| (name.as_str(), *dtype)).collect();
        let outputs: Vec<&Expr> = outputs.iter().collect();
        let program = Program::new(&outputs, &named).map_err(|error| node.refused(error))?;
        for (&value, &output) in group.outputs.iter().zip(program.outputs()) {
            let (found, value) = (program.value(output).dtype, &graph.values[value]);
            if value.four_bits.is_some() {
                return Err(node.unsupported("a result has a dtype of four bits, which is not supported"));
            }
            if let Some(declared) = value.dtype.filter(|&declared| declared != found) {
                return Err(node.unsupported(format!("a result has dtype {found}, and the model declares {declared}")));
            }
        }
        let inputs = inputs.into_iter().map(|(_, input)| *input).collect();
        Ok(GroupProgram { program, inputs, check: self.check })
    }
}

/// A constant of one element as an immediate operand of a node, if it is a scalar by its view, or if another operand already has the
/// rank of the result.
fn immediate(graph: &Graph<'_>, node: usize, value: usize, view: Option<View>) -> Option<Expr> {
    let literal = graph.values[value].literal?;
    let GraphNode { node, operands, results, .. } = &graph.nodes[node];
    if result_shape(node) != Some(ResultShape::Broadcast) && operands[0] == Some(value) {
        return None;
    }
    let dtype = graph.values[value].dtype?;
    // With its dtype: an operator whose other operands are literals, too, would take another one.
    let immediate = Expr::from(literal).cast(dtype);
    if view.is_some() {
        return Some(immediate);
    }
    let rank = graph.values[results.iter().flatten().next().copied()?].rank()?;
    let has_axes =
        |&operand: &usize| graph.values[operand].literal.is_none() && graph.values[operand].rank() == Some(rank);
    operands.iter().flatten().any(has_axes).then_some(immediate)
}
