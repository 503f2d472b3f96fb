//! Results as JSON: [`text`] writes them, [`read`] reads them for `--resume`.

use eltwise::Isa;
use serde_json::{Map, Value, json};

use super::function_properties::PropertyViolations;
use super::job::DTYPES;
use super::job::Point;
use super::job_result::JobResult;
use super::outcome::{Failure, LargestError, Outcome};

/// The results as JSON, with one object for each job.
pub(crate) fn text(done: &[JobResult]) -> String {
    let list: Vec<Value> = done.iter().map(result_object).collect();
    format!("{:#}\n", json!({ "eltwise": env!("CARGO_PKG_VERSION"), "results": list }))
}

fn result_object(v: &JobResult) -> Value {
    let outcome = &v.outcome;
    let bits = |point: Point| -> Vec<String> { point[..v.function.arity()].iter().map(|&b| hex(b)).collect() };
    let failures: Vec<Value> = outcome
        .first
        .iter()
        .map(|f| {
            json!({ "isa": f.isa, "index": f.index, "at": bits(f.point), "got": hex(f.got),
                "expected": hex(f.expected), "ulp": number(f.ulp), "differs": f.differs })
        })
        .collect();
    let times: Map<String, Value> = v.times.iter().map(|(isa, ns)| (isa.to_string(), json!(ns))).collect();
    json!({
        "function": v.function.name(),
        "dtype": v.dtype.name(),
        "tier": v.tier.name(),
        "isas": v.isas,
        "bits": hex(v.bits),
        "inputs": outcome.inputs,
        "complete": outcome.complete,
        "passes": v.passes(),
        "largest_ulp": number(outcome.largest()),
        "largest_at": outcome.worst.map(|w| bits(w.point)),
        "largest_got": outcome.worst.map(|w| hex(w.got)),
        "largest_index": outcome.worst.map(|w| w.index),
        "misrounded": outcome.misrounded,
        "beyond_bound": outcome.wrong,
        "differences_between_isas": outcome.differences,
        "breaks": { "parity": outcome.violations.parity, "order": outcome.violations.order, "range": outcome.violations.range,
            "first": outcome.violations.first.map(hex) },
        "failures": failures,
        "ns_per_element": times,
    })
}

fn hex(bits: u64) -> String {
    format!("0x{bits:x}")
}

/// A number, or its text if it is not finite: JSON has no infinity.
fn number(v: f64) -> Value {
    if v.is_finite() { json!(v) } else { json!(v.to_string()) }
}

/// Reads what [`text`] wrote, without the times.
///
/// # Errors
/// Invalid JSON, a different version of this tool, or a missing field, as a message.
pub(crate) fn read(text: &str) -> Result<Vec<JobResult>, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("invalid JSON: {e}"))?;
    let version = value["eltwise"].as_str().ok_or("expected \"eltwise\", the version that wrote it")?;
    if version != env!("CARGO_PKG_VERSION") {
        return Err(format!("written by eltwise {version}, expected {}", env!("CARGO_PKG_VERSION")));
    }
    let list = value["results"].as_array().ok_or("expected \"results\", a list")?;
    list.iter()
        .enumerate()
        .map(|(i, v)| parse_result(v).ok_or_else(|| format!("result {i} is not a result of verify")))
        .collect()
}

fn parse_result(v: &Value) -> Option<JobResult> {
    let isas = v["isas"].as_array()?.iter().map(isa_name).collect::<Option<_>>()?;
    let worst = match &v["largest_at"] {
        Value::Null => None,
        at => Some(LargestError {
            ulp: float(&v["largest_ulp"])?,
            index: v["largest_index"].as_u64()?,
            point: point(at)?,
            got: bits(&v["largest_got"])?,
        }),
    };
    let outcome = Outcome {
        inputs: v["inputs"].as_u64()?,
        complete: v["complete"].as_bool()?,
        misrounded: v["misrounded"].as_u64()?,
        wrong: v["beyond_bound"].as_u64()?,
        differences: v["differences_between_isas"].as_u64()?,
        worst,
        first: v["failures"].as_array()?.iter().map(failure).collect::<Option<_>>()?,
        violations: violations(&v["breaks"])?,
    };
    Some(JobResult {
        function: v["function"].as_str()?.parse().ok()?,
        dtype: DTYPES.into_iter().find(|d| v["dtype"] == d.name())?,
        tier: v["tier"].as_str()?.parse().ok()?,
        isas,
        bits: bits(&v["bits"])?,
        outcome,
        times: Vec::new(),
    })
}

fn violations(v: &Value) -> Option<PropertyViolations> {
    let first = if v["first"].is_null() { None } else { Some(bits(&v["first"])?) };
    Some(PropertyViolations {
        parity: v["parity"].as_u64()?,
        order: v["order"].as_u64()?,
        range: v["range"].as_u64()?,
        first,
    })
}

fn failure(v: &Value) -> Option<Failure> {
    Some(Failure {
        index: v["index"].as_u64()?,
        isa: isa_name(&v["isa"])?,
        point: point(&v["at"])?,
        got: bits(&v["got"])?,
        expected: bits(&v["expected"])?,
        ulp: float(&v["ulp"])?,
        differs: v["differs"].as_bool()?,
    })
}

fn isa_name(v: &Value) -> Option<&'static str> {
    v.as_str()?.parse::<Isa>().ok().map(Isa::name)
}

fn point(v: &Value) -> Option<Point> {
    match &v.as_array()?[..] {
        [x] => Some([bits(x)?, 0]),
        [x, y] => Some([bits(x)?, bits(y)?]),
        _ => None,
    }
}

fn bits(v: &Value) -> Option<u64> {
    u64::from_str_radix(v.as_str()?.strip_prefix("0x")?, 16).ok()
}

fn float(v: &Value) -> Option<f64> {
    v.as_f64().or_else(|| v.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_results_read_back() {
        let failure =
            Failure { index: 7, isa: "avx2", point: [3, 5], got: 1, expected: 2, ulp: f64::INFINITY, differs: true };
        let v = JobResult {
            function: eltwise_oracle::Function::Pow,
            dtype: eltwise::DType::F64,
            tier: eltwise::Accuracy::CorrectlyRounded,
            isas: vec!["scalar", "avx2"],
            bits: 0xfeed,
            outcome: Outcome {
                inputs: 1 << 60,
                complete: true,
                misrounded: 4,
                wrong: 3,
                differences: 2,
                worst: Some(LargestError { ulp: 0.7, index: 9, point: [u64::MAX, 1], got: 6 }),
                first: vec![failure],
                violations: PropertyViolations { parity: 1, order: 2, range: 3, first: Some(0x80) },
            },
            times: vec![("avx2", 1.5)],
        };
        let text = text(&[v.clone(), v]);
        let read_back = read(&text).unwrap();
        // Times are not read: each run measures its own.
        assert_eq!(text.replace("{\n        \"avx2\": 1.5\n      }", "{}"), super::text(&read_back));
    }

    #[test]
    fn malformed_results_are_errors() {
        assert!(read("{").unwrap_err().starts_with("invalid JSON"));
        assert_eq!(read("{}").unwrap_err(), "expected \"eltwise\", the version that wrote it");
        let version = env!("CARGO_PKG_VERSION");
        let old = r#"{"eltwise": "0.0.0", "results": []}"#;
        assert_eq!(read(old).unwrap_err(), format!("written by eltwise 0.0.0, expected {version}"));
        let odd = format!(r#"{{"eltwise": "{version}", "results": [{{"function": "exp"}}]}}"#);
        assert_eq!(read(&odd).unwrap_err(), "result 0 is not a result of verify");
        assert!(read(&format!(r#"{{"eltwise": "{version}", "results": []}}"#)).unwrap().is_empty());
    }
}
