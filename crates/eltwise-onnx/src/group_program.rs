//! The program of a group: [`GroupProgram`].

use std::collections::HashMap;

use eltwise::{Accuracy, DType, Expr, Program};

use crate::graph::{Dim, Graph, GraphNode, Group, Value};
use crate::node::{Alignment, FourBits, Operand, Pairs, Translation, Unsupported, View};
use crate::operators::{ResultShape, check_operator, result_shape, translate};

/// The program of a group, and what it takes and gives.
#[derive(Clone, Debug)]
pub struct GroupProgram {
    /// The program. Its outputs are the group's.
    pub program: Program,
    /// The inputs of the program. A constant of one element is mostly not an input: the program contains it.
    pub inputs: Vec<GroupInput>,
}

/// The name of the shifts that take bytes apart: see [`GroupInput::NibbleShifts`].
pub(crate) const NIBBLE_SHIFTS: &str = "nibble_shifts";

/// An input of the program of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupInput {
    /// A value of the graph.
    Value(ValueInput),
    /// A vector of two elements of this dtype, `u8` or `i8`: 4 and 0. To the left by so many bits, and then to the right by four, the
    /// shifts of a byte are its lower and its upper half.
    NibbleShifts(DType),
}

/// A value of a graph as an input of the program of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ValueInput {
    /// The value. It is several inputs if nodes align it in several ways.
    pub value: usize,
    /// The shape in which the program takes it, if not its own.
    pub view: Option<View>,
    /// Operand 0 of the node that aligns it, whose axes the view counts. Without a view, the value itself.
    pub aligned_to: usize,
}

impl GroupInput {
    /// The value of the graph, if it is one.
    pub const fn value(&self) -> Option<&ValueInput> {
        match self {
            GroupInput::Value(input) => Some(input),
            GroupInput::NibbleShifts(_) => None,
        }
    }

    fn name(&self) -> String {
        match self {
            GroupInput::Value(input) => input.name(),
            GroupInput::NibbleShifts(_) => NIBBLE_SHIFTS.into(),
        }
    }
}

impl ValueInput {
    /// An operand of a node with a translation.
    fn new(graph: &Graph<'_>, translation: &Translation, operand: usize, value: usize, first: usize) -> ValueInput {
        let given = translation.views.iter().find(|(number, _)| *number == operand).map(|(_, view)| *view);
        let view = given.filter(|view| !has_shape_of_view(graph, value, first, *view));
        match view {
            None => ValueInput { value, view: None, aligned_to: value },
            Some(view) => {
                let rank = graph.values[first].rank();
                ValueInput {
                    value,
                    view: Some(rank.map_or(view, |rank| view.counted_from_end(rank))),
                    aligned_to: first,
                }
            }
        }
    }

    /// The name in programs. Views that give the same shape have the same name.
    fn name(&self) -> String {
        let (value, aligned_to) = (self.value, self.aligned_to);
        match self.view {
            None => format!("v{value}"),
            Some(View { alignment: Alignment::AlongAxis(axis @ ..0), pairs: Pairs::None }) => {
                format!("v{value}_along_{}", -axis)
            }
            Some(_) => format!("v{value}_aligned_to_{aligned_to}"),
        }
    }
}

/// Whether a value has the shape of its view already, as a number has that of a vector along an axis.
fn has_shape_of_view(graph: &Graph<'_>, value: usize, first: usize, view: View) -> bool {
    let is_along_axis = matches!(view, View { alignment: Alignment::AlongAxis(_), pairs: Pairs::None });
    is_along_axis
        && match graph.values[value].shape.as_deref() {
            None => false,
            Some([] | [Dim::Size(1)]) => true,
            Some(shape) => shape.len() > 1 && Some(shape.len()) == graph.values[first].rank(),
        }
}

impl GroupProgram {
    /// The program of a group of a graph. A constant of one element is an immediate operand, unless the result would have fewer axes
    /// without it. Math operators have the tier `accuracy`.
    ///
    /// # Errors
    /// [`Unsupported`] for a node that has no expression, which [`partition`](crate::partition::partition) puts in no group.
    pub fn new(graph: &Graph<'_>, group: &Group, accuracy: Accuracy) -> Result<GroupProgram, Unsupported> {
        let mut exprs: HashMap<usize, Expr> = HashMap::new();
        let mut inputs: Vec<GroupInput> = vec![];
        for &number in &group.nodes {
            let node = &graph.nodes[number];
            check_operator(&node.node)?;
            let named = |view_of: &dyn Fn(usize, usize) -> ValueInput| -> Result<Vec<Option<Operand>>, Unsupported> {
                let operand = |(i, value): (usize, &Option<usize>)| {
                    let Some(value) = *value else { return Ok(None) };
                    let Value { dtype, four_bits, integers, .. } = &graph.values[value];
                    let dtype = dtype.ok_or_else(|| {
                        node.node.unsupported(format!("operand {i} has a dtype that is not supported"))
                    })?;
                    let immediate = exprs.get(&value).cloned().or_else(|| immediate(graph, number, value));
                    // Of an immediate operand of four bits, the literal has its value.
                    let four_bits = four_bits.map(|bits| if immediate.is_some() { FourBits::Bytes } else { bits });
                    let expr = immediate.unwrap_or_else(|| Expr::input(&view_of(i, value).name()));
                    Ok(Some(Operand { expr, dtype, four_bits, integers: integers.clone() }))
                };
                node.operands.iter().enumerate().map(operand).collect()
            };
            // What is aligned in which way is known after a first translation.
            let first =
                translate(&node.node, &named(&|_, value| ValueInput { value, view: None, aligned_to: value })?)?;
            let aligned_to = node.operands.first().copied().flatten().unwrap_or_default();
            let input = |i, value| ValueInput::new(graph, &first, i, value, aligned_to);
            for (i, &value) in node.operands.iter().enumerate() {
                let Some(value) = value else { continue };
                inputs.push(GroupInput::Value(input(i, value)));
                let Value { dtype, four_bits, .. } = graph.values[value];
                inputs.extend(dtype.filter(|_| four_bits.is_some()).map(GroupInput::NibbleShifts));
            }
            let aligned = if first.views.is_empty() { first.clone() } else { translate(&node.node, &named(&input)?)? };
            for (result, expr) in node.results.iter().zip(aligned.outputs) {
                exprs.extend(result.map(|value| (value, expr)));
            }
        }
        let first = &graph.nodes[group.nodes[0]].node;
        let output = |value: &usize| match exprs.get(value) {
            Some(expr) => Ok(expr.accuracy(accuracy)),
            None => Err(first.unsupported(format!("no node of the group computes value {value}"))),
        };
        let outputs: Vec<Expr> = group.outputs.iter().map(output).collect::<Result<_, _>>()?;
        let outputs: Vec<&Expr> = outputs.iter().collect();
        let mut names: Vec<(String, DType)> = vec![];
        let used: Vec<String> = outputs.iter().flat_map(|expr| expr.names()).map(String::from).collect();
        inputs.retain(|input| {
            let name = input.name();
            let is_new = used.contains(&name) && names.iter().all(|(other, _)| *other != name);
            if is_new {
                let dtype = match *input {
                    GroupInput::Value(input) => graph.values[input.value].dtype,
                    GroupInput::NibbleShifts(dtype) => Some(dtype),
                };
                names.extend(dtype.map(|dtype| (name, dtype)));
            }
            is_new
        });
        let names: Vec<(&str, DType)> = names.iter().map(|(name, dtype)| (name.as_str(), *dtype)).collect();
        let program = Program::new(&outputs, &names).map_err(|error| first.refused(error))?;
        for (&value, &output) in group.outputs.iter().zip(program.outputs()) {
            let (found, declared) = (program.value(output).dtype, graph.values[value].dtype);
            if graph.values[value].four_bits.is_some() {
                return Err(first.unsupported("a result has a dtype of four bits, which is not supported"));
            }
            if let Some(declared) = declared.filter(|&declared| declared != found) {
                return Err(first.unsupported(format!("a result has dtype {found}, and the model declares {declared}")));
            }
        }
        Ok(GroupProgram { program, inputs })
    }
}

/// A constant of one element as an immediate operand of a node: another operand has all axes of the result.
fn immediate(graph: &Graph<'_>, node: usize, value: usize) -> Option<Expr> {
    let literal = graph.values[value].literal?;
    let GraphNode { node, operands, results, .. } = &graph.nodes[node];
    if result_shape(node) != Some(ResultShape::Broadcast) && operands[0] == Some(value) {
        return None;
    }
    let rank = graph.values[results.iter().flatten().next().copied()?].rank()?;
    let has_axes =
        |&operand: &usize| graph.values[operand].literal.is_none() && graph.values[operand].rank() == Some(rank);
    let dtype = graph.values[value].dtype?;
    // With its dtype: an operator whose other operands are literals, too, would take another one.
    operands.iter().flatten().any(has_axes).then(|| Expr::from(literal).cast(dtype))
}
