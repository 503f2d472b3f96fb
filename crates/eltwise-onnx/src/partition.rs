//! The groups of a graph that become one program each: [`partition`].
//!
//! A group is convex: no path leaves it and comes back, so it can run as one node. Its outputs broadcast with each other in every
//! run, so that it is one pass; they may have different shapes, and values of other shapes may be used inside of it. Which groups are
//! worth it is decided by a [`Policy`](crate::policy::Policy).

use std::collections::HashSet;

use eltwise::Accuracy;

use crate::graph::{Dim, Graph, GraphNode, Group};
use crate::group_program::{GroupInput, GroupProgram, ValueInput};
use crate::node::View;
use crate::operators::supports;
use crate::policy::Claim;
use crate::shapes::broadcast_dims;

/// The groups of a graph, and why other nodes are in none.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    /// The groups, by their first node.
    pub groups: Vec<Group>,
    /// Each node without a group, and why.
    pub unclaimed: Vec<(usize, String)>,
}

/// Finds the groups of a graph that are claimed. [`Graph::infer_shapes`] before it makes groups larger.
pub fn partition(graph: &Graph<'_>, claim: Claim) -> Partition {
    let mut found = Partition::default();
    let mut search = Search::new(graph);
    let optimizations = claim.optimizations(graph);
    for number in 0..graph.nodes.len() {
        let inputs = match claim.node_refusal(&optimizations, number) {
            Some(why) => Err(why),
            None => search.inputs_alone(number, claim.accuracy),
        };
        match inputs {
            Ok(inputs) => search.add(number, &inputs),
            Err(why) => found.unclaimed.push((number, why)),
        }
    }
    for members in core::mem::take(&mut search.groups).into_iter().filter(|members| !members.nodes.is_empty()) {
        match claim.group_refusal(graph, &optimizations, &members.nodes) {
            None => found.groups.push(search.group(members.nodes)),
            Some(why) => found.unclaimed.extend(members.nodes.into_iter().map(|node| (node, why.clone()))),
        }
    }
    found.unclaimed.sort();
    found.groups.sort_by_key(|group| group.nodes[0]);
    found
}

/// What the search for groups knows.
struct Search<'g, 'a> {
    graph: &'g Graph<'a>,
    producers: Vec<Option<usize>>,
    consumers: Vec<Vec<usize>>,
    /// Whether an output of the graph needs each node.
    is_used: Vec<bool>,
    groups: Vec<Members>,
    /// The group of each node.
    group_of: Vec<Option<usize>>,
    /// The last walk that has seen each node.
    seen: Vec<usize>,
    walks: usize,
}

/// The nodes of a group, in order.
#[derive(Clone, Debug, Default)]
struct Members {
    nodes: Vec<usize>,
    /// Whether the group stays as it is.
    is_closed: bool,
}

impl Members {
    fn contains(&self, node: usize) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }
}

impl<'g, 'a> Search<'g, 'a> {
    fn new(graph: &'g Graph<'a>) -> Search<'g, 'a> {
        let consumers = graph.consumers();
        let mut is_used = vec![false; graph.nodes.len()];
        for number in (0..graph.nodes.len()).rev() {
            let is_used_value =
                |&value: &usize| graph.values[value].is_output || consumers[value].iter().any(|&user| is_used[user]);
            is_used[number] = graph.nodes[number].results.iter().flatten().any(is_used_value);
        }
        Search {
            graph,
            producers: graph.producers(),
            consumers,
            is_used,
            groups: vec![],
            group_of: vec![None; graph.nodes.len()],
            seen: vec![0; graph.nodes.len()],
            walks: 0,
        }
    }

    /// Checks that a node can be in a group: alone it is one, with a program. Returns the inputs of that program.
    fn inputs_alone(&self, number: usize, accuracy: Accuracy) -> Result<Vec<ValueInput>, String> {
        let GraphNode { node, results, is_taken, .. } = &self.graph.nodes[number];
        if *is_taken {
            return Err("another provider has claimed it".into());
        }
        if supports(node) {
            if !self.is_used[number] {
                return Err("nothing uses its result".into());
            }
            if results.iter().skip(1).any(Option::is_some) {
                return Err("only the first of its results is supported".into());
            }
        }
        let alone =
            GroupProgram::new(self.graph, &self.group(vec![number]), accuracy).map_err(|error| error.to_string())?;
        let inputs: Vec<ValueInput> = alone.inputs.iter().filter_map(GroupInput::value).copied().collect();
        for input in &inputs {
            self.check_splits(input)?;
        }
        Ok(inputs)
    }

    /// Checks that the axes that become two are numbers of whole blocks and pairs in every run.
    fn check_splits(&self, input: &ValueInput) -> Result<(), String> {
        let Some(view) = input.view.filter(|view| view.splits_operand_0()) else { return Ok(()) };
        let is_unknown = || Err("the model does not declare an axis in whole blocks or pairs".into());
        let Some(shape) = &self.graph.values[input.value].shape else { return is_unknown() };
        let split = |symbol: usize| {
            let size = |dim: &Dim| if let Dim::Size(size) = dim { *size } else { symbol };
            view.shape(&shape.iter().map(size).collect::<Vec<usize>>(), shape.len())
        };
        // A symbol may be any number. 1 is a multiple of no block, 0 of all.
        match (split(1), split(0)) {
            (Ok(_), _) => Ok(()),
            (Err(_), Ok(_)) => is_unknown(),
            (Err(_), Err(why)) => Err(why),
        }
    }

    /// The group of some nodes.
    fn group(&self, nodes: Vec<usize>) -> Group {
        let members = Members { nodes, is_closed: false };
        let (mut inputs, mut are_inputs) = (vec![], HashSet::new());
        for &number in &members.nodes {
            let operands = self.graph.nodes[number].operands.iter().flatten();
            let is_computed = |value: &usize| self.producers[*value].is_some_and(|node| members.contains(node));
            inputs.extend(operands.filter(|value| !is_computed(value) && are_inputs.insert(**value)));
        }
        let outputs = self.outputs(&members).collect();
        Group { nodes: members.nodes, inputs, outputs }
    }

    /// The results of nodes that others use.
    fn outputs(&self, members: &Members) -> impl Iterator<Item = usize> {
        let is_output = |value: &usize| {
            let users = &self.consumers[*value];
            self.graph.values[*value].is_output || !users.iter().all(|&user| members.contains(user))
        };
        let results = |&number: &usize| self.graph.nodes[number].results.iter().flatten().copied();
        members.nodes.iter().flat_map(results).filter(is_output)
    }

    /// Adds a node to the groups of its operands, merged if possible, or begins a group.
    fn add(&mut self, number: usize, inputs: &[ValueInput]) {
        // The result of a node that splits axes has more axes in a program than in the graph.
        let is_closed = inputs.iter().any(|input| input.view.is_some_and(View::splits_operand_0));
        let mut own = Members { nodes: vec![number], is_closed };
        let mut before: Vec<usize> = self.operand_nodes(number).filter_map(|node| self.group_of[node]).collect();
        before.sort_unstable();
        before.dedup();
        before.retain(|&group| {
            !is_closed && !self.groups[group].is_closed && !inputs.iter().any(|input| self.needs_outside(input, group))
        });
        for group in before {
            let mut nodes = [&self.groups[group].nodes[..], &own.nodes].concat();
            nodes.sort_unstable();
            let merged = Members { nodes, is_closed };
            if self.outputs_broadcast(&merged) && self.is_convex(&merged) {
                own = merged;
                self.groups[group].nodes.clear();
            }
        }
        for &node in &own.nodes {
            self.group_of[node] = Some(self.groups.len());
        }
        self.groups.push(own);
    }

    /// Whether a view of an input makes a group impossible: it would align what the group computes, or count the axes of a value of
    /// which only a run tells how many they are.
    fn needs_outside(&self, input: &ValueInput, group: usize) -> bool {
        let computes = |value: usize| self.producers[value].is_some_and(|node| self.group_of[node] == Some(group));
        let has_unknown_rank = self.graph.values[input.aligned_to].rank().is_none();
        input.view.is_some() && (computes(input.value) || has_unknown_rank && computes(input.aligned_to))
    }

    /// The nodes whose results a node uses.
    fn operand_nodes(&self, number: usize) -> impl Iterator<Item = usize> {
        self.graph.nodes[number].operands.iter().flatten().filter_map(|&operand| self.producers[operand])
    }

    /// Whether all outputs broadcast with each other in every run.
    fn outputs_broadcast(&self, members: &Members) -> bool {
        let mut outputs = self.outputs(members);
        let Some(first) = outputs.next() else { return true };
        let mut others = outputs.peekable();
        if others.peek().is_none() {
            return true;
        }
        let shape = |value: usize| self.graph.values[value].shape.as_deref();
        let joined = others
            .try_fold(shape(first).map(<[Dim]>::to_vec), |joined, value| broadcast(&joined?, shape(value)?).map(Some));
        joined.flatten().is_some()
    }

    /// Whether nothing outside, be it a node or a group, needs one of these nodes and is needed by another.
    fn is_convex(&mut self, members: &Members) -> bool {
        self.walks += 1;
        let mut needed: Vec<usize> = vec![];
        for &node in &members.nodes {
            needed.extend(self.operand_nodes(node).filter(|&node| !members.contains(node)));
        }
        while let Some(node) = needed.pop() {
            if core::mem::replace(&mut self.seen[node], self.walks) == self.walks {
                continue;
            }
            if members.contains(node) {
                return false;
            }
            // A group runs as a whole: it needs what its other nodes need.
            if let Some(group) = self.group_of[node] {
                needed.extend(&self.groups[group].nodes);
            }
            needed.extend(self.operand_nodes(node));
        }
        true
    }
}

/// The shape to which two shapes broadcast in every run.
fn broadcast(a: &[Dim], b: &[Dim]) -> Option<Vec<Dim>> {
    let (longer, shorter) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let new_axes = longer.len() - shorter.len();
    let mut joined = longer.to_vec();
    for (joined, &dim) in joined[new_axes..].iter_mut().zip(shorter) {
        *joined = broadcast_dims(*joined, dim)?;
    }
    Some(joined)
}
