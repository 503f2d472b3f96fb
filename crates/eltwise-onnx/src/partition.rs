//! The groups of a graph that become one program each: [`partition`].
//!
//! A group is convex: no path leaves it and comes back, so it can run as one node. All its outputs have one shape, so that it is
//! one loop nest; values of other shapes, such as a row of factors, are used inside of it only. Which groups are worth it is decided
//! by a [`Policy`].

use crate::graph::{Graph, Group};
use crate::group_program::GroupProgram;
use crate::node::View;
use crate::policy::Policy;

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
        match search.views(number) {
            Ok(views) => search.add(number, &views, &mut members),
            Err(why) => found.left.push((number, why)),
        }
    }
    for nodes in members.into_iter().filter(|nodes| !nodes.is_empty()) {
        match policy.refusal(graph, &nodes) {
            None => found.groups.push(search.group(nodes)),
            Some(why) => found.left.extend(nodes.into_iter().map(|node| (node, why.clone()))),
        }
    }
    found.left.sort();
    found.groups.sort_by_key(|group| group.nodes[0]);
    found
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

    /// Checks that a node can be in a group: alone it is one, with a program. Returns the inputs of that program that are not aligned
    /// as in NumPy. A group with the node must have them as inputs.
    fn views(&self, number: usize) -> Result<Vec<(usize, View)>, String> {
        if self.graph.nodes[number].results.iter().skip(1).any(Option::is_some) {
            return Err("only the first of its results is supported".into());
        }
        let alone = GroupProgram::new(self.graph, &self.group(vec![number])).map_err(|error| error.to_string())?;
        Ok(alone.inputs.into_iter().filter_map(|(value, view)| Some((value, view?))).collect())
    }

    /// The group of some nodes.
    fn group(&self, nodes: Vec<usize>) -> Group {
        let (mut inputs, mut outputs) = (vec![], vec![]);
        for &number in &nodes {
            for &operand in self.graph.nodes[number].operands.iter().flatten() {
                let is_computed = self.producers[operand].is_some_and(|node| nodes.contains(&node));
                if !is_computed && !inputs.contains(&operand) {
                    inputs.push(operand);
                }
            }
            for &result in self.graph.nodes[number].results.iter().flatten() {
                if !is_inside(self.graph, &self.consumers, result, &nodes) {
                    outputs.push(result);
                }
            }
        }
        Group { nodes, inputs, outputs }
    }

    /// Adds a node to the groups of its operands, merged if possible, or begins a group.
    fn add(&mut self, number: usize, views: &[(usize, View)], groups: &mut Vec<Vec<usize>>) {
        // Its result has more axes in a program than in the graph.
        let is_alone = views.iter().any(|(_, view)| matches!(view, View::Split { .. }));
        self.is_alone[number] = is_alone;
        let mut own = vec![number];
        let mut before: Vec<usize> = self.operand_nodes(number).filter_map(|node| self.group_of[node]).collect();
        before.sort_unstable();
        before.dedup();
        let computes_view = |group: &usize| {
            views.iter().filter_map(|&(value, _)| self.producers[value]).any(|node| self.group_of[node] == Some(*group))
        };
        before.retain(|group| {
            !is_alone && !computes_view(group) && !groups[*group].iter().any(|&node| self.is_alone[node])
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
