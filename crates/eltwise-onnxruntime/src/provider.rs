//! The provider of a session: [`Provider`] claims groups of nodes and compiles them.

use core::ffi::{CStr, c_char};
use core::slice;
use std::collections::HashMap;

use eltwise_onnx::graph::Group;
use eltwise_onnx::partition::partition;
use eltwise_onnx::policy::Policy;
use eltwise_onnx::{GroupProgram, Unsupported};
use ort_sys::{OrtGraph, OrtLogger, OrtLoggingLevel, OrtNode, OrtStatusPtr};

use crate::abi::{Absent, Ep, EpGraphSupportInfo, NodeComputeInfo, NodeFusionOptions, VERSION};
use crate::api::{Api, Failure, Outcome, c_string};
use crate::fused_node::FusedNode;
use crate::handles::{GraphHandle, NodeHandle};
use crate::model::Model;
use crate::options::Options;
use crate::report::Report;

/// The name of the provider, by which sessions and their options know it.
pub(crate) const NAME: &CStr = c"EltwiseExecutionProvider";

/// The provider of a session.
#[repr(C)]
pub(crate) struct Provider {
    /// The functions that the runtime calls. The first field, so that a pointer to it is a pointer to the whole.
    table: Ep,
    api: Api,
    options: Options,
    report: Option<Report>,
    /// The session's, which lives longer.
    logger: *const OrtLogger,
}

impl Provider {
    /// The provider of a session.
    ///
    /// # Errors
    /// A report that cannot be written.
    pub(crate) fn new(api: Api, options: Options, logger: *const OrtLogger) -> Outcome<Provider> {
        let report = options.report.clone().map(Report::create).transpose()?;
        let table = Ep {
            version: VERSION,
            get_name,
            get_capability,
            compile,
            release_node_compute_infos,
            get_preferred_data_layout: Absent::SLOT,
            should_convert_data_layout_for_op: Absent::SLOT,
            set_dynamic_options: Absent::SLOT,
            on_run_start: Absent::SLOT,
            on_run_end: Absent::SLOT,
            create_allocator: Absent::SLOT,
            create_sync_stream_for_device: Absent::SLOT,
            get_compiled_model_compatibility_info: Absent::SLOT,
            get_kernel_registry: Absent::SLOT,
            is_concurrent_run_supported: Absent::SLOT,
            tail: Absent::TAIL,
        };
        Ok(Provider { table, api, options, report, logger })
    }

    /// The pointer for the runtime. It is given back to [`Provider::release`].
    pub(crate) fn into_table(self) -> *mut Ep {
        Box::into_raw(Box::new(self)).cast()
    }

    /// Releases a provider.
    ///
    /// # Safety
    /// The pointer is from [`Provider::into_table`], and is not used again.
    pub(crate) unsafe fn release(table: *mut Ep) {
        // SAFETY: the caller's contract: the table is the first field of a provider in a box.
        drop(unsafe { Box::from_raw(table.cast::<Provider>()) });
    }

    /// Claims the groups of a graph.
    ///
    /// # Safety
    /// `info` is the runtime's, for this graph.
    unsafe fn claim(&self, graph: GraphHandle<'_>, info: *mut EpGraphSupportInfo) -> Outcome<()> {
        if self.options.partition.policy == Policy::None && self.report.is_none() {
            return Ok(());
        }
        let model = Model::read(graph)?;
        let found = model.with_graph(|graph| partition(graph, self.options.partition));
        let options = NodeFusionOptions { version: VERSION, drop_constant_initializers: true };
        for group in &found.groups {
            let nodes: Vec<*const OrtNode> =
                group.nodes.iter().map(|&node| model.nodes[node].handle.pointer()).collect();
            // SAFETY: the caller's contract; the nodes are the graph's.
            self.api.check(unsafe {
                (self.api.ep.add_nodes_to_fuse)(info, nodes.as_ptr(), nodes.len(), &raw const options)
            })?;
        }
        let claimed = model.nodes.len() - found.unclaimed.len();
        let (name, groups) = (model.name, found.groups.len());
        self.log(&format!("eltwise: {claimed} of {} nodes of graph {name:?} in {groups} groups", model.nodes.len()));
        self.report.as_ref().map_or(Ok(()), |report| report.add(&model, &found))
    }

    /// Compiles a group. `fused` has its operands and results.
    fn compile(&self, graph: GraphHandle<'_>, fused: NodeHandle<'_>) -> Outcome<FusedNode> {
        let model = Model::read(graph)?;
        let mut outputs = vec![];
        for value in fused.outputs()?.into_iter().flatten() {
            let name = value.name()?;
            let missing = || Failure::fault(format_args!("no node of the group computes {name:?}"));
            outputs.push(model.number(name).ok_or_else(missing)?);
        }
        let mut arguments = HashMap::new();
        for (argument, value) in fused.inputs()?.into_iter().enumerate() {
            if let Some(value) = value.map(|value| value.name()).transpose()?.and_then(|name| model.number(name)) {
                arguments.insert(value, argument);
            }
        }
        let group = |outputs| Group { nodes: (0..model.nodes.len()).collect(), outputs };
        if outputs.iter().any(|&output| !model.has_dtype(output)) {
            return Err(Failure::fault("a result of a group has a dtype that is not supported"));
        }
        // If the shapes of several outputs are symbols, they may not broadcast with each other after all.
        let has_singles = outputs.len() > 1 && outputs.iter().any(|&output| model.has_symbols(output));
        let singles = outputs.iter().filter(|_| has_singles).map(|&output| group(vec![output]));
        let groups: Vec<Group> = core::iter::once(group(outputs.clone())).chain(singles).collect();
        let programs: Result<Vec<GroupProgram>, Unsupported> = model.with_graph(|graph| {
            groups.iter().map(|group| GroupProgram::new(graph, group, self.options.partition.accuracy)).collect()
        });
        let mut programs = programs.map_err(Failure::fault)?.into_iter();
        let all_outputs = programs.next().ok_or_else(|| Failure::fault("a group has no program"))?;
        FusedNode::new(self.api, &model, all_outputs, programs.collect(), &arguments)
    }

    /// Logs a message at level INFO.
    fn log(&self, message: &str) {
        let (message, file, function) = (c_string(message), c"eltwise-onnxruntime", c"claim");
        let level = OrtLoggingLevel::ORT_LOGGING_LEVEL_INFO;
        // SAFETY: the logger lives as long as the session; the runtime copies the texts.
        let status = unsafe {
            (self.api.ort.Logger_LogMessage)(self.logger, level, message.as_ptr(), file.as_ptr(), 0, function.as_ptr())
        };
        // A message that is lost is no reason to fail.
        let _ = self.api.check(status);
    }
}

unsafe extern "system" fn get_name(_: *const Ep) -> *const c_char {
    NAME.as_ptr()
}

unsafe extern "system" fn get_capability(
    table: *mut Ep,
    graph: *const OrtGraph,
    info: *mut EpGraphSupportInfo,
) -> OrtStatusPtr {
    // SAFETY: the table is the first field of a provider, which lives as long as the session.
    let provider = unsafe { &*table.cast::<Provider>() };
    // SAFETY: the runtime gives a graph, which is valid during the call, and what it asks for.
    provider.api.guard(|| unsafe { provider.claim(GraphHandle::new(provider.api, graph), info) })
}

unsafe extern "system" fn compile(
    table: *mut Ep,
    graphs: *mut *const OrtGraph,
    fused_nodes: *mut *const OrtNode,
    count: usize,
    compute_infos: *mut *mut NodeComputeInfo,
    _: *mut *mut OrtNode,
) -> OrtStatusPtr {
    // SAFETY: the table is the first field of a provider, which lives as long as the session.
    let provider = unsafe { &*table.cast::<Provider>() };
    let api = provider.api;
    api.guard(|| {
        if count == 0 {
            return Ok(());
        }
        // SAFETY: the runtime gives `count` graphs, as many nodes, and places for as many results.
        let (graphs, fused_nodes, compute_infos) = unsafe {
            (
                slice::from_raw_parts(graphs, count),
                slice::from_raw_parts(fused_nodes, count),
                slice::from_raw_parts_mut(compute_infos, count),
            )
        };
        for ((&graph, &fused), compute_info) in graphs.iter().zip(fused_nodes).zip(compute_infos) {
            // SAFETY: the runtime's graph and node, which are valid during the call.
            let (graph, fused) = unsafe { (GraphHandle::new(api, graph), NodeHandle::new(api, fused)) };
            *compute_info = provider.compile(graph, fused)?.into_table();
        }
        Ok(())
    })
}

unsafe extern "system" fn release_node_compute_infos(
    _: *mut Ep,
    compute_infos: *mut *mut NodeComputeInfo,
    count: usize,
) {
    for i in 0..count {
        // SAFETY: the runtime gives back what `compile` has given; NULL if that failed before.
        unsafe {
            let table = *compute_infos.add(i);
            if !table.is_null() {
                FusedNode::release(table);
            }
        }
    }
}
