//! What was claimed, and why the rest was not: [`Report`], a file of JSON.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use eltwise_onnx::partition::Partition;
use serde_json::{Value, json};

use crate::api::{Failure, Outcome};
use crate::model::Model;

/// The report of a session, which is written again for each graph of its model.
#[derive(Debug)]
pub(crate) struct Report {
    path: PathBuf,
    graphs: Mutex<Vec<Value>>,
}

impl Report {
    /// Creates the file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn create(path: PathBuf) -> Outcome<Report> {
        let report = Report { path, graphs: Mutex::default() };
        report.write(&[])?;
        Ok(report)
    }

    /// Adds the groups of a graph.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub(crate) fn add(&self, model: &Model<'_>, partition: &Partition) -> Outcome<()> {
        let node = |number: usize| {
            let node = &model.nodes[number];
            json!({ "name": node.name, "op_type": node.op_type })
        };
        let unclaimed = |(number, why): &(usize, String)| {
            let mut unclaimed = node(*number);
            unclaimed["why"] = why.as_str().into();
            unclaimed
        };
        let nodes = |nodes: &Vec<usize>| nodes.iter().map(|&number| node(number)).collect::<Vec<_>>();
        let graph = json!({
            "name": model.name,
            "nodes": model.nodes.len(),
            "groups": partition.groups.iter().map(|group| nodes(&group.nodes)).collect::<Vec<_>>(),
            "unclaimed": partition.unclaimed.iter().map(unclaimed).collect::<Vec<_>>(),
        });
        let mut graphs = self.graphs.lock().unwrap_or_else(PoisonError::into_inner);
        graphs.push(graph);
        self.write(&graphs)
    }

    fn write(&self, graphs: &[Value]) -> Outcome<()> {
        let report = json!({ "eltwise": env!("CARGO_PKG_VERSION"), "graphs": graphs });
        std::fs::write(&self.path, format!("{report:#}\n"))
            .map_err(|error| Failure::invalid(format_args!("cannot write the report {:?}: {error}", self.path)))
    }
}
