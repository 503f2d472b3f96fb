//! The groups of a graph that become one program each: [`partition`].
//!
//! A group is convex: no path leaves it and comes back, so it can run as one node. Its outputs broadcast with each other in every
//! run, so that it is one pass; they may have different shapes, and values of other shapes may be used inside of it. Which groups are
//! worth it is decided by a [`Policy`](crate::policy::Policy).

use eltwise::Accuracy;

use crate::graph::{Dim, Graph, GraphNode, Group};
use crate::group_program::{GroupInput, GroupProgram, ValueInput};
use crate::node::View;
use crate::operators::supports;
use crate::policy::PartitionOptions;
use crate::shapes::{broadcast, broadcast_dims};

/// The groups of a graph, and why other nodes are in none.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    /// The groups, by their first node.
    pub groups: Vec<Group>,
    /// Each node without a group, and why.
    pub unclaimed: Vec<(usize, String)>,
}

/// Finds the groups of a graph that are claimed. [`Graph::infer_shapes`] before it makes groups larger.
pub fn partition(graph: &Graph<'_>, options: PartitionOptions) -> Partition {
    let mut found = Partition::default();
    let mut search = Search::new(graph);
    let optimizations = options.optimizations(graph);
    for number in 0..graph.nodes.len() {
        let inputs = match options.node_refusal(&optimizations, number) {
            Some(why) => Err(why),
            None => search.inputs_alone(number, options.accuracy),
        };
        match inputs {
            Ok(inputs) => search.add(number, &inputs),
            Err(why) => found.unclaimed.push((number, why)),
        }
    }
    for mut nodes in core::mem::take(&mut search.groups).into_iter().map(|group| group.nodes) {
        if nodes.is_empty() {
            continue;
        }
        nodes.sort_unstable();
        match options.group_refusal(graph, &optimizations, &nodes) {
            None => found.groups.push(search.group(nodes)),
            Some(why) => found.unclaimed.extend(nodes.into_iter().map(|node| (node, why.clone()))),
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
    groups: Vec<Candidate>,
    /// The group of each node.
    group_of: Vec<Option<usize>>,
    /// The last walk that has seen each node.
    seen: Vec<usize>,
    walks: usize,
}

/// A group that the search may still extend.
#[derive(Clone, Debug, Default)]
struct Candidate {
    /// The nodes, in any order. A group that was merged into another has none.
    nodes: Vec<usize>,
    /// The results that others use.
    outputs: Vec<usize>,
    /// The nodes outside of the group whose results it uses.
    needed: Vec<usize>,
    /// Its inputs with views.
    viewed: Vec<ValueInput>,
    /// Whether the group stays as it is.
    is_closed: bool,
}

impl<'g, 'a> Search<'g, 'a> {
    fn new(graph: &'g Graph<'a>) -> Search<'g, 'a> {
        let consumers = graph.consumers();
        let mut is_used = vec![false; graph.nodes.len()];
        for number in (0..graph.nodes.len()).rev() {
            let is_used_value =
                |&value: &usize| graph.values[value].is_live_out || consumers[value].iter().any(|&user| is_used[user]);
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
        let GraphNode { node, results, is_assigned, .. } = &self.graph.nodes[number];
        if *is_assigned {
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

    /// The group of some nodes, which are in order.
    fn group(&self, nodes: Vec<usize>) -> Group {
        let is_inside = |node: usize| nodes.binary_search(&node).is_ok();
        let results = nodes.iter().flat_map(|&number| self.graph.nodes[number].results.iter().flatten().copied());
        let outputs = results.filter(|&value| self.is_output(value, is_inside)).collect();
        Group { nodes, outputs }
    }

    /// Whether a result is used outside of a group.
    fn is_output(&self, value: usize, is_inside: impl Fn(usize) -> bool) -> bool {
        self.graph.values[value].is_live_out || !self.consumers[value].iter().all(|&user| is_inside(user))
    }

    /// Adds a node to the groups of its operands, merged if possible, or begins a group.
    fn add(&mut self, number: usize, inputs: &[ValueInput]) {
        // The result of a node that splits axes has more axes in a program than in the graph.
        let is_closed = inputs.iter().any(|input| input.view.is_some_and(View::splits_operand_0));
        let viewed = inputs.iter().filter(|input| input.view.is_some()).copied().collect();
        let needed: Vec<usize> = self.operand_nodes(number).collect();
        let mut before: Vec<usize> = needed.iter().filter_map(|&node| self.group_of[node]).collect();
        before.sort_unstable();
        before.dedup();
        before.retain(|&group| !is_closed && !self.groups[group].is_closed);
        let outputs = self.graph.nodes[number].results.iter().flatten().copied().collect();
        let mut own = self.groups.len();
        self.groups.push(Candidate { nodes: vec![number], outputs, needed, viewed, is_closed });
        self.group_of[number] = Some(own);
        for group in before {
            own = self.merge(own, group).unwrap_or(own);
        }
    }

    /// Merges two groups, if they can be one. Returns the one that has the nodes of both.
    fn merge(&mut self, a: usize, b: usize) -> Option<usize> {
        let is_inside = |node: usize| self.group_of[node].is_some_and(|group| group == a || group == b);
        let both =
            |list: fn(&Candidate) -> &Vec<usize>| list(&self.groups[a]).iter().chain(list(&self.groups[b])).copied();
        let outputs: Vec<usize> =
            both(|group| &group.outputs).filter(|&value| self.is_output(value, is_inside)).collect();
        let mut needed: Vec<usize> = both(|group| &group.needed).filter(|&node| !is_inside(node)).collect();
        needed.sort_unstable();
        needed.dedup();
        let viewed = |group: usize, other: usize| {
            self.groups[group].viewed.iter().any(|input| self.view_forbids_merge(input, other))
        };
        if viewed(a, b) || viewed(b, a) || !self.all_broadcast(&outputs) || self.need_one_of(&needed, [a, b]) {
            return None;
        }
        // The smaller one's nodes move.
        let (into, from) = if self.groups[a].nodes.len() > self.groups[b].nodes.len() { (a, b) } else { (b, a) };
        let moved = core::mem::take(&mut self.groups[from]);
        moved.nodes.iter().for_each(|&node| self.group_of[node] = Some(into));
        let merged = &mut self.groups[into];
        merged.nodes.extend(moved.nodes);
        merged.viewed.extend(moved.viewed);
        (merged.outputs, merged.needed) = (outputs, needed);
        Some(into)
    }

    /// Whether a view of an input rules out that its group is merged with another: that one computes the value, or the operand whose
    /// axes the view counts, and only a run knows how many it has.
    fn view_forbids_merge(&self, input: &ValueInput, group: usize) -> bool {
        let computes = |value: usize| self.producers[value].is_some_and(|node| self.group_of[node] == Some(group));
        let has_unknown_rank = self.graph.values[input.aligned_to].rank().is_none();
        computes(input.value) || has_unknown_rank && computes(input.aligned_to)
    }

    /// The nodes whose results a node uses.
    fn operand_nodes(&self, number: usize) -> impl Iterator<Item = usize> {
        self.graph.nodes[number].operands.iter().flatten().filter_map(|&operand| self.producers[operand])
    }

    /// Whether values broadcast with each other in every run. One value does, even if its shape is not known.
    fn all_broadcast(&self, values: &[usize]) -> bool {
        let shapes = values.iter().map(|&value| self.graph.values[value].shape.as_deref());
        match shapes.collect::<Option<Vec<&[Dim]>>>() {
            Some(shapes) => broadcast(&shapes, broadcast_dims).iter().all(Option::is_some),
            None => values.len() == 1,
        }
    }

    /// Whether some nodes need one of these groups: directly, or through others.
    fn need_one_of(&mut self, nodes: &[usize], groups: [usize; 2]) -> bool {
        self.walks += 1;
        let mut needed = nodes.to_vec();
        while let Some(node) = needed.pop() {
            let group = self.group_of[node];
            if group.is_some_and(|group| groups.contains(&group)) {
                return true;
            }
            let id = group.map_or(node, |group| self.groups[group].nodes[0]);
            if core::mem::replace(&mut self.seen[id], self.walks) == self.walks {
                continue;
            }
            // A group runs as a whole: it needs what its other nodes need, which may come after `node`.
            match group {
                Some(group) => needed.extend(&self.groups[group].needed),
                None => needed.extend(self.operand_nodes(node)),
            }
        }
        false
    }
}
