//! The program of a group: [`GroupProgram`].

use std::collections::HashMap;

use eltwise::{Accuracy, DType, Expr, Program};

use crate::graph::{Graph, GraphNode, Group};
use crate::node::{Operand, Translation, Unsupported, View};
use crate::operators::{check_operator, has_shape_of_operand_0, translate};

/// The program of a group, and what it takes and gives.
#[derive(Clone, Debug)]
pub struct GroupProgram {
    /// The program. Its outputs are the group's.
    pub program: Program,
    /// The inputs of the program. A constant of one element is mostly not an input: the program contains it.
    pub inputs: Vec<GroupInput>,
}

/// An input of the program of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GroupInput {
    /// The value. It is several inputs if nodes align it in several ways.
    pub value: usize,
    /// How it is aligned, if not as in NumPy.
    pub view: Option<View>,
    /// Operand 0 of the node that aligns it, whose axes the view counts. Without a view, the value itself.
    pub aligned_to: usize,
}

impl GroupInput {
    /// An operand of a node with a translation.
    fn new(graph: &Graph<'_>, translation: &Translation, operand: usize, value: usize, first: usize) -> GroupInput {
        let view = translation.views.iter().find(|(number, _)| *number == operand).map(|(_, view)| *view);
        match view {
            None => GroupInput { value, view: None, aligned_to: value },
            Some(view) => {
                let rank = graph.values[first].rank();
                GroupInput {
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
            Some(View::AlongAxis(axis @ ..0)) => format!("v{value}_along_{}", -axis),
            Some(_) => format!("v{value}_aligned_to_{aligned_to}"),
        }
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
            let named = |view_of: &dyn Fn(usize, usize) -> GroupInput| -> Result<Vec<Option<Operand>>, Unsupported> {
                let operand = |(i, value): (usize, &Option<usize>)| {
                    let Some(value) = *value else { return Ok(None) };
                    let dtype = graph.values[value].dtype;
                    let dtype = dtype.ok_or_else(|| {
                        node.node.unsupported(format!("operand {i} has a dtype that is not supported"))
                    })?;
                    let expr = exprs.get(&value).cloned().or_else(|| immediate(graph, number, value));
                    let expr = expr.unwrap_or_else(|| Expr::input(&view_of(i, value).name()));
                    Ok(Some(Operand { integers: graph.values[value].integers.clone(), ..Operand::new(expr, dtype) }))
                };
                node.operands.iter().enumerate().map(operand).collect()
            };
            // What is aligned in which way is known after a first translation.
            let first =
                translate(&node.node, &named(&|_, value| GroupInput { value, view: None, aligned_to: value })?)?;
            let aligned_to = node.operands.first().copied().flatten().unwrap_or_default();
            let input = |i, value| GroupInput::new(graph, &first, i, value, aligned_to);
            for (i, value) in node.operands.iter().enumerate() {
                inputs.extend(value.map(|value| input(i, value)));
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
                names.extend(graph.values[input.value].dtype.map(|dtype| (name, dtype)));
            }
            is_new
        });
        let names: Vec<(&str, DType)> = names.iter().map(|(name, dtype)| (name.as_str(), *dtype)).collect();
        let program = Program::new(&outputs, &names).map_err(|error| first.refused(error))?;
        for (&value, &output) in group.outputs.iter().zip(program.outputs()) {
            let (found, declared) = (program.value(output).dtype, graph.values[value].dtype);
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
    if (has_shape_of_operand_0(node) || node.op_type == "Expand") && operands[0] == Some(value) {
        return None;
    }
    let rank = graph.values[results.iter().flatten().next().copied()?].rank()?;
    let has_axes =
        |&operand: &usize| graph.values[operand].literal.is_none() && graph.values[operand].rank() == Some(rank);
    let dtype = graph.values[value].dtype?;
    // With its dtype: an operator whose other operands are literals, too, would take another one.
    operands.iter().flatten().any(has_axes).then(|| Expr::from(literal).cast(dtype))
}
