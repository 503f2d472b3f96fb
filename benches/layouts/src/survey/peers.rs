//! Times of NumPy and PyTorch over the same cases: [`time`] runs a script with a Python interpreter.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use eltwise_plan::ir::program::Node;
use eltwise_reference::Value as Element;
use serde_json::{Value, json};

use super::case::Case;
use super::layout::Placed;

/// The script. It reads the cases from its standard input and writes the times to its standard output.
const SCRIPT: &str = include_str!("../../survey_peers.py");

/// The times of another library.
#[derive(Clone, Debug)]
pub struct Peer {
    /// `NumPy 2.4.0`
    pub name: String,
    /// Seconds per call for each case; `None` for a case that it does not support.
    pub seconds: Vec<Option<f64>>,
}

/// Times the libraries that a Python interpreter has, for about `seconds` per case and library, on one thread.
///
/// # Errors
/// If the interpreter does not start, or the script fails.
pub fn time(python: &Path, cases: &[Case], seconds: f64) -> Result<Vec<Peer>, String> {
    let failed = |e: std::io::Error| format!("cannot run {}: {e}", python.display());
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let request = json!({"seconds": seconds, "cases": cases.iter().map(case_json).collect::<Vec<_>>()});
    if let Some(mut input) = child.stdin.take() {
        // A script that fails early does not read its input; its exit status says so below.
        let _ = input.write_all(request.to_string().as_bytes());
    }
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(format!("the script for NumPy and PyTorch failed: {}", output.status));
    }
    let peers: Value = serde_json::from_slice(&output.stdout).map_err(|e| format!("times of the peers: {e}"))?;
    let peer = |peer: &Value| {
        let seconds: Vec<Option<f64>> = peer["seconds"].as_array()?.iter().map(Value::as_f64).collect();
        let name = peer["name"].as_str()?.to_string();
        (seconds.len() == cases.len()).then_some(Peer { name, seconds })
    };
    let peers: Option<Vec<Peer>> = peers.as_array().and_then(|peers| peers.iter().map(peer).collect());
    peers.ok_or_else(|| format!("the script for NumPy and PyTorch must print a time for each of {} cases", cases.len()))
}

/// The values of the program in the order of computation, and the layouts of inputs and output.
fn case_json(case: &Case) -> Value {
    let value = |node: &Node| match node {
        Node::Input(k) => json!({"input": k}),
        Node::Constant(constant) => {
            let element = Element::from(*constant);
            json!({"constant": if constant.dtype.is_float() { json!(element.to_f64()) } else { json!(element.to_i128() as i64) }})
        }
        Node::Step { op, args, .. } => {
            json!({"operator": op.name(), "arguments": args.iter().map(|a| a.index()).collect::<Vec<_>>()})
        }
        other => json!({"unknown": format!("{other:?}")}),
    };
    json!({
        "values": case.program.values().iter().map(|v| value(&v.node)).collect::<Vec<_>>(),
        "inputs": case.inputs.iter().map(placed_json).collect::<Vec<_>>(),
        "output": placed_json(&case.output),
    })
}

fn placed_json(placed: &Placed) -> Value {
    let layout = &placed.layout;
    json!({
        "dtype": layout.dtype().name(),
        "shape": layout.shape().dims(),
        "strides": layout.strides().values(),
        "offset": placed.offset,
        "bytes": placed.bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::case::{Mode, Selection};
    use eltwise::DType;

    #[test]
    fn programs_are_values_in_the_order_of_computation() {
        let selection = Selection { seed: 4, elements: 5000, dtypes: vec![DType::U8], mode: Mode::Program };
        let mut cases = (0..50).map(|i| selection.case(i).unwrap());
        let json = case_json(&cases.find(|c| c.expression.starts_with("(a * b")).unwrap());
        let kinds = |key: &str| json["values"].as_array().unwrap().iter().filter(|v| !v[key].is_null()).count();
        assert_eq!((kinds("input"), kinds("constant"), kinds("operator")), (3, 1, 3));
        for (at, value) in json["values"].as_array().unwrap().iter().enumerate() {
            let arguments = value["arguments"].as_array().cloned().unwrap_or_default();
            assert!(arguments.iter().all(|a| a.as_u64().unwrap() < at as u64), "{json}");
        }
        let where_ = Selection { mode: Mode::Where, ..selection }.case(0).unwrap();
        let json = case_json(&where_);
        assert_eq!((&json["inputs"][0]["dtype"], &json["inputs"][1]["dtype"]), (&json!("bool"), &json!("u8")));
        assert_eq!(json["output"]["shape"].as_array().unwrap().len(), where_.output.layout.shape().rank());
    }

    #[test]
    fn an_interpreter_that_does_not_start_is_an_error() {
        let error = time(Path::new("/no/such/python"), &[], 0.0).unwrap_err();
        assert!(error.contains("/no/such/python"), "{error}");
    }
}
