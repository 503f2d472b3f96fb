//! Operations of real models (`tests/conformance/workloads.json`): additions, multiplications, divisions and casts over
//! the shapes and dtypes that a forward pass has.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eltwise::{DType, Error};
use eltwise_benches::{Case, Operand};
use serde_json::Value;

/// Larger ones would be a benchmark of the memory alone.
const MOST_BYTES: u64 = 32 << 20;

fn workloads() -> Vec<Value> {
    let text = include_str!("../../tests/conformance/workloads.json");
    serde_json::from_str(text).unwrap_or_else(|e| panic!("workloads.json: {e}"))
}

/// The expression of a workload, for those that one of today's operators computes.
fn expression(workload: &Value) -> Option<String> {
    let op = workload["op"].as_str()?;
    let inputs = workload["inputs"].as_array()?;
    let same = inputs.iter().all(|input| input["dtype"] == inputs[0]["dtype"]);
    match (op.split([' ', '(']).next()?, inputs.len()) {
        ("Add", 2) if same => Some("x + y".into()),
        ("Mul", 2) if same => Some("x * y".into()),
        ("Div", 2) if same => Some("x / y".into()),
        ("Cast", 1) => Some(format!("cast(x, {})", workload["output"]["dtype"].as_str()?)),
        _ => None,
    }
}

fn operands(workload: &Value) -> Option<Result<Vec<Operand>, Error>> {
    let mut operands = Vec::new();
    for input in workload["inputs"].as_array()? {
        let dtype: DType = input["dtype"].as_str()?.parse().ok()?;
        let shape: Option<Vec<usize>> =
            input["shape"].as_array()?.iter().map(|d| d.as_u64().map(|d| d as usize)).collect();
        operands.push(Operand::dense(dtype, &shape?));
    }
    Some(operands.into_iter().collect())
}

fn measure(c: &mut Criterion) -> Result<usize, Error> {
    let mut measured = 0;
    let mut group = c.benchmark_group("workload");
    for workload in workloads() {
        let small = workload["bytes_min"].as_u64().is_some_and(|bytes| bytes <= MOST_BYTES);
        let (Some(expression), Some(id), true) = (expression(&workload), workload["id"].as_str(), small) else {
            continue;
        };
        let Some(operands) = operands(&workload) else { continue };
        let mut ready = Case::new(&expression, operands?)?.ready()?;
        group.throughput(Throughput::Bytes(ready.bytes()));
        group.bench_function(id, |b| b.iter(|| ready.run()));
        measured += 1;
    }
    group.finish();
    Ok(measured)
}

fn all(c: &mut Criterion) {
    match measure(c) {
        Ok(measured) => assert!(measured >= 20, "only {measured} workloads were measured"),
        Err(e) => panic!("{e}"),
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
