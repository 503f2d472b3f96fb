//! What was found, as JSON.

use serde_json::{Value, json};

use super::Verified;
use super::inputs::Point;

/// A list of objects, one a job.
pub(crate) fn text(done: &[Verified]) -> String {
    let list: Vec<Value> = done.iter().map(one).collect();
    format!("{:#}\n", json!({ "eltwise": env!("CARGO_PKG_VERSION"), "results": list }))
}

fn one(v: &Verified) -> Value {
    let (job, outcome) = (&v.job, &v.outcome);
    let isas: Vec<&str> = job.kernels.iter().map(|k| k.isa).collect();
    let bits =
        |point: Point| -> Vec<String> { point[..job.function.arity()].iter().map(|b| format!("0x{b:x}")).collect() };
    let failures: Vec<Value> = outcome
        .first
        .iter()
        .map(|f| {
            json!({ "isa": f.isa, "at": bits(f.point), "got": format!("0x{:x}", f.got),
                "expected": format!("0x{:x}", f.expected), "ulp": number(f.ulp), "differs": f.differs })
        })
        .collect();
    let times: serde_json::Map<String, Value> = v.times.iter().map(|(isa, ns)| (isa.to_string(), json!(ns))).collect();
    json!({
        "function": job.function.name(),
        "dtype": job.dtype.name(),
        "tier": job.tier.name(),
        "isas": isas,
        "inputs": outcome.inputs,
        "passes": outcome.passes(),
        "largest_ulp": number(outcome.largest()),
        "largest_at": outcome.worst.map(|w| bits(w.point)),
        "largest_got": outcome.worst.map(|w| format!("0x{:x}", w.got)),
        "misrounded": outcome.misrounded,
        "beyond_bound": outcome.wrong,
        "differences_between_isas": outcome.differences,
        "failures": failures,
        "ns_per_element": times,
    })
}

/// JSON has no infinity.
fn number(v: f64) -> Value {
    if v.is_finite() { json!(v) } else { json!(v.to_string()) }
}
