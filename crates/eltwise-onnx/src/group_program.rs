//! The program of a group: [`GroupProgram`].

use std::collections::HashMap;

use eltwise::{DType, Expr, Program};

use crate::graph::{Graph, Group};
use crate::node::{Operand, Unsupported, View};
use crate::operators::translate;

/// The program of a group, and what it takes and gives.
#[derive(Clone, Debug)]
pub struct GroupProgram {
    /// The program. Its outputs are the group's.
    pub program: Program,
    /// The value of each input of the program, and how it is aligned, if not as in NumPy. A constant of one element is mostly not an
    /// input: the program contains it.
    pub inputs: Vec<(usize, Option<View>)>,
}

impl GroupProgram {
    /// The program of a group of a graph. A constant of one element is an immediate operand, unless the result would have fewer axes
    /// without it.
    ///
    /// # Errors
    /// [`Unsupported`] for a node that has no expression, which [`partition`](crate::partition::partition) puts in no group, and if two
    /// nodes take one operand in different shapes.
    pub fn new(graph: &Graph<'_>, group: &Group) -> Result<GroupProgram, Unsupported> {
        let mut exprs: HashMap<usize, Expr> = HashMap::new();
        let mut views: HashMap<usize, Option<View>> = HashMap::new();
        for &number in &group.nodes {
            let node = &graph.nodes[number];
            let mut operands = vec![];
            for (i, value) in node.operands.iter().enumerate() {
                let Some(value) = *value else {
                    operands.push(None);
                    continue;
                };
                let dtype = graph.values[value].dtype;
                let dtype = dtype
                    .ok_or_else(|| node.node.unsupported(format!("operand {i} has a dtype that is not supported")))?;
                let computed = exprs.get(&value).cloned();
                let expr = computed.or_else(|| immediate(graph, number, value));
                operands.push(Some(Operand::new(expr.unwrap_or_else(|| Expr::input(&name(value))), dtype)));
            }
            let translation = translate(&node.node, &operands)?;
            for (i, value) in node.operands.iter().enumerate() {
                let Some(value) = *value else { continue };
                let view = translation.views.iter().find(|(operand, _)| *operand == i).map(|(_, view)| *view);
                if *views.entry(value).or_insert(view) != view {
                    return Err(node.node.unsupported("two nodes of the group take an operand in different shapes"));
                }
            }
            for (result, expr) in node.results.iter().zip(translation.outputs) {
                exprs.extend(result.map(|value| (value, expr)));
            }
        }
        let outputs: Vec<&Expr> = group.outputs.iter().map(|value| &exprs[value]).collect();
        let used = |value: &&usize| outputs.iter().any(|expr| expr.names().contains(&name(**value).as_str()));
        let values: Vec<usize> = group.inputs.iter().filter(used).copied().collect();
        let names: Vec<(String, DType)> =
            values.iter().filter_map(|&value| Some((name(value), graph.values[value].dtype?))).collect();
        let names: Vec<(&str, DType)> = names.iter().map(|(name, dtype)| (name.as_str(), *dtype)).collect();
        let first = &graph.nodes[group.nodes[0]].node;
        let program = Program::new(&outputs, &names).map_err(|error| first.refused(error))?;
        let inputs = values.into_iter().map(|value| (value, views[&value])).collect();
        Ok(GroupProgram { program, inputs })
    }
}

/// The name of a value in programs.
fn name(value: usize) -> String {
    format!("v{value}")
}

/// Operators whose result has the axes of operand 0.
const ALIGNED_WITH_FIRST: &[&str] = &["BatchNormalization", "DequantizeLinear", "PRelu", "QuantizeLinear"];

/// A constant of one element as an immediate operand of a node: another operand has all axes of the result.
fn immediate(graph: &Graph<'_>, node: usize, value: usize) -> Option<Expr> {
    let literal = graph.values[value].literal?;
    if ALIGNED_WITH_FIRST.contains(&graph.nodes[node].node.op_type) && graph.nodes[node].operands[0] == Some(value) {
        return None;
    }
    let rank = graph.values[graph.nodes[node].results.iter().flatten().next().copied()?].rank()?;
    let has_axes =
        |&operand: &usize| graph.values[operand].literal.is_none() && graph.values[operand].rank() == Some(rank);
    graph.nodes[node].operands.iter().flatten().any(has_axes).then(|| literal.into())
}
