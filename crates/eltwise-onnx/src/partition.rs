//! The groups of a graph that become one program each: [`partition`].
//!
//! A group is convex: no path leaves it and comes back, so it can run as one node. All its outputs have one shape, so that it is
//! one loop nest; values of other shapes, such as a row of factors, are used inside of it only. Which groups are worth it is decided
//! by a [`Policy`].

use eltwise::{DType, Expr};

use crate::graph::{Graph, GraphNode};
use crate::node::{Operand, View};
use crate::operators::translate;
use crate::policy::Policy;

/// Nodes that become one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The nodes, in topological order.
    pub nodes: Vec<usize>,
    /// The values that the group reads and does not compute, in the order of their first use.
    pub inputs: Vec<usize>,
    /// The values of the group that others use.
    pub outputs: Vec<usize>,
}

/// The groups of a graph, and why other nodes are in none.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    /// The groups, by their first node.
    pub groups: Vec<Group>,
    /// Each node without a group, and why.
    pub left: Vec<(usize, String)>,
}

/// Finds the groups of a graph that a policy claims.
pub fn partition(graph: &Graph<'_>, policy: &Policy) -> Partition {
    let mut found = Partition::default();
    let mut members: Vec<Vec<usize>> = vec![];
    let mut search = Search::new(graph);
    for number in 0..graph.nodes.len() {
        match candidate(graph, number) {
            Ok(views) => search.add(number, &views, &mut members),
            Err(why) => found.left.push((number, why)),
        }
    }
    for nodes in members.into_iter().filter(|nodes| !nodes.is_empty()) {
        match policy.refusal(graph, &nodes) {
            None => found.groups.push(group(graph, nodes)),
            Some(why) => found.left.extend(nodes.into_iter().map(|node| (node, why.clone()))),
        }
    }
    found.left.sort();
    found.groups.sort_by_key(|group| group.nodes[0]);
    found
}

/// Checks that a node can be in a group: it has an expression over operands of its dtypes, and one result. Returns the operands
/// that a group must have as inputs, because they are not aligned as in NumPy.
fn candidate(graph: &Graph<'_>, number: usize) -> Result<Views, String> {
    let GraphNode { node, operands, results } = &graph.nodes[number];
    let mut given = vec![];
    for (i, operand) in operands.iter().enumerate() {
        given.push(match operand.map(|value| graph.values[value].dtype) {
            None => None,
            Some(Some(dtype)) => Some(Operand::new(Expr::input(&format!("i{i}")), dtype)),
            Some(None) => return Err(format!("operand {i} has a dtype that is not supported")),
        });
    }
    let translation = translate(node, &given).map_err(|error| error.to_string())?;
    if results.iter().skip(translation.outputs.len()).any(Option::is_some) {
        return Err(format!("only {} of its results are supported", translation.outputs.len()));
    }
    let names: Vec<(String, DType)> =
        given.iter().enumerate().filter_map(|(i, x)| x.as_ref().map(|x| (format!("i{i}"), x.dtype))).collect();
    let used = translation.outputs[0].names();
    let used: Vec<(&str, DType)> = names
        .iter()
        .filter(|(name, _)| used.contains(&name.as_str()))
        .map(|(name, dtype)| (name.as_str(), *dtype))
        .collect();
    eltwise::Program::new(&[&translation.outputs[0]], &used).map_err(|error| error.to_string())?;
    Ok(Views {
        values: translation.views.iter().filter_map(|&(operand, _)| operands[operand]).collect(),
        splits: translation.views.iter().any(|(_, view)| matches!(view, View::Split { .. })),
    })
}

/// The operands of a node that are not aligned as in NumPy.
struct Views {
    /// The values, which no group with the node computes.
    values: Vec<usize>,
    /// Whether the result has more axes in a program than in the graph: the node is a group alone.
    splits: bool,
}

/// The group of some nodes.
fn group(graph: &Graph<'_>, nodes: Vec<usize>) -> Group {
    let (producers, consumers) = (graph.producers(), graph.consumers());
    let is_member = |node: &usize| nodes.contains(node);
    let (mut inputs, mut outputs) = (vec![], vec![]);
    for &number in &nodes {
        for &operand in graph.nodes[number].operands.iter().flatten() {
            if !producers[operand].as_ref().is_some_and(is_member) && !inputs.contains(&operand) {
                inputs.push(operand);
            }
        }
        for &result in graph.nodes[number].results.iter().flatten() {
            if !is_inside(graph, &consumers, result, &nodes) {
                outputs.push(result);
            }
        }
    }
    Group { nodes, inputs, outputs }
}

/// Whether only nodes of a group use a value. A value that nothing uses is an output.
fn is_inside(graph: &Graph<'_>, consumers: &[Vec<usize>], value: usize, nodes: &[usize]) -> bool {
    let users = &consumers[value];
    !graph.values[value].is_output && !users.is_empty() && users.iter().all(|user| nodes.contains(user))
}

/// What the search for groups knows.
struct Search<'g, 'a> {
    graph: &'g Graph<'a>,
    producers: Vec<Option<usize>>,
    consumers: Vec<Vec<usize>>,
    /// The group of each node.
    group_of: Vec<Option<usize>>,
    /// Whether each node is a group alone.
    is_alone: Vec<bool>,
}

impl<'g, 'a> Search<'g, 'a> {
    fn new(graph: &'g Graph<'a>) -> Search<'g, 'a> {
        let producers = graph.producers();
        Search {
            graph,
            producers,
            consumers: graph.consumers(),
            group_of: vec![None; graph.nodes.len()],
            is_alone: vec![false; graph.nodes.len()],
        }
    }

    /// Adds a node to the groups of its operands, merged if possible, or begins a group.
    fn add(&mut self, number: usize, views: &Views, groups: &mut Vec<Vec<usize>>) {
        self.is_alone[number] = views.splits;
        let mut own = vec![number];
        let mut before: Vec<usize> = self.operand_nodes(number).filter_map(|node| self.group_of[node]).collect();
        before.sort_unstable();
        before.dedup();
        let computes_view = |group: &usize| {
            views.values.iter().filter_map(|&view| self.producers[view]).any(|node| self.group_of[node] == Some(*group))
        };
        before.retain(|group| {
            !views.splits && !computes_view(group) && !groups[*group].iter().any(|&node| self.is_alone[node])
        });
        for group in before {
            let mut merged = [&groups[group][..], &own].concat();
            merged.sort_unstable();
            if self.outputs_have_the_shape_of(number, &merged) && self.is_convex(&merged, groups) {
                own = merged;
                groups[group].clear();
            }
        }
        for &node in &own {
            self.group_of[node] = Some(groups.len());
        }
        groups.push(own);
    }

    /// The nodes whose results a node uses.
    fn operand_nodes(&self, number: usize) -> impl Iterator<Item = usize> {
        self.graph.nodes[number].operands.iter().flatten().filter_map(|&operand| self.producers[operand])
    }

    /// Whether all results of nodes that others use have the shape of the result of `last` in every run.
    fn outputs_have_the_shape_of(&self, last: usize, nodes: &[usize]) -> bool {
        let results = |number: usize| self.graph.nodes[number].results.iter().flatten().copied();
        let shape = |value: usize| self.graph.values[value].shape.as_ref();
        let Some(common) = results(last).next().and_then(shape) else { return false };
        nodes
            .iter()
            .flat_map(|&node| results(node))
            .all(|value| shape(value) == Some(common) || is_inside(self.graph, &self.consumers, value, nodes))
    }

    /// Whether nothing outside, be it a node or a group, needs one of these nodes and is needed by another.
    fn is_convex(&self, nodes: &[usize], groups: &[Vec<usize>]) -> bool {
        let mut is_seen = vec![false; self.graph.nodes.len()];
        let mut needed: Vec<usize> = vec![];
        let outside = |node: &usize| !nodes.contains(node);
        nodes.iter().for_each(|&node| needed.extend(self.operand_nodes(node).filter(outside)));
        while let Some(node) = needed.pop() {
            if core::mem::replace(&mut is_seen[node], true) {
                continue;
            }
            if nodes.contains(&node) {
                return false;
            }
            needed.extend(self.operand_nodes(node));
            // A group runs as a whole: it needs what its other nodes need.
            if let Some(group) = self.group_of[node] {
                needed.extend(&groups[group]);
            }
        }
        true
    }
}
