//! Broadcasting gives the result of every record of `broadcast_cases.json`: the shape or an error, and with PDPD the alignment
//! of the second operand.

use std::path::Path;

use eltwise_core::{Broadcast, Error, ErrorKind, Shape};
use serde_json::Value;

const RECORDS: usize = 2091;

fn records() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/broadcast_cases.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap()
}

fn shape(v: &Value) -> Shape {
    let dims = v.as_array().unwrap_or_else(|| panic!("not a shape: {v}"));
    dims.iter().map(|d| usize::try_from(d.as_u64().unwrap()).unwrap()).collect()
}

fn mode(record: &Value) -> Broadcast {
    match record["mode"].as_str().unwrap() {
        "none" => Broadcast::None,
        "numpy" | "nary" => Broadcast::Numpy,
        "pdpd" => Broadcast::Pdpd { axis: record["axis"].as_i64().unwrap() },
        "bidirectional" => Broadcast::Bidirectional { target: shape(&record["target"]) },
        other => panic!("unknown mode {other}"),
    }
}

/// The operand's shape padded with 1s to the common rank, as NumPy broadcasting needs it.
fn aligned(operand: &Shape, start: usize, rank: usize) -> Shape {
    let (inside, outside) = operand.split_at(operand.rank().min(rank - start));
    assert!(outside.iter().all(|&d| d == 1), "only axes of size 1 may be outside: {operand} at {start} of rank {rank}");
    let mut dims = vec![1; rank];
    dims[start..start + inside.len()].copy_from_slice(inside);
    Shape::new(&dims)
}

/// Whether the record has a negative size, which a `Shape` cannot hold.
fn has_negative_size(record: &Value) -> bool {
    let sizes = record.get("target").into_iter().chain(record["inputs"].as_array().unwrap());
    sizes.flat_map(|s| s.as_array().unwrap()).any(|d| d.as_i64().is_some_and(|d| d < 0))
}

/// Panics if the library's result differs from the record.
fn check(record: &Value) {
    if has_negative_size(record) {
        assert_eq!(record["expect"], "error", "{record}");
        return;
    }
    let inputs: Vec<Shape> = record["inputs"].as_array().unwrap().iter().map(shape).collect();
    let operands: Vec<&Shape> = inputs.iter().collect();
    let mode = mode(record);
    let given = mode.align(&operands);
    match given {
        Ok(a) => {
            // `also_ok` gives a second answer; ours is `expect`.
            assert_ne!(record["expect"], "error", "gave {} for {record}", a.shape);
            let expect = shape(&record["expect"]);
            assert_eq!(a.shape, expect, "{record}");
            assert_eq!(a.starts.len(), inputs.len(), "{record}");
            for (operand, &start) in inputs.iter().zip(&a.starts) {
                let placed = aligned(operand, start, expect.rank());
                assert!(placed.iter().zip(expect.iter()).all(|(&p, &e)| p == e || p == 1), "{record}");
                if !matches!(mode, Broadcast::Pdpd { .. }) {
                    assert_eq!(start, expect.rank() - operand.rank(), "{record}");
                }
            }
            if matches!(mode, Broadcast::Pdpd { .. }) {
                assert_eq!(a.starts[0], 0, "{record}");
                assert_eq!(aligned(&inputs[1], a.starts[1], expect.rank()), shape(&record["b_aligned"]), "{record}");
            }
        }
        Err(e) => {
            assert_eq!(record["expect"], "error", "{e} for {record}");
            let expected = if record["error_kind"] == "overflow" { ErrorKind::TooLarge } else { ErrorKind::Broadcast };
            assert_eq!(e.kind(), expected, "{e} for {record}");
            if let Error::Broadcast(details) = &e {
                let (a, b) = details.operands;
                assert!(a < b && b < details.shapes.len(), "{details} for {record}");
            }
        }
    }
}

#[test]
fn broadcasting_gives_the_result_of_every_record() {
    let records = records();
    assert_eq!(records.len(), RECORDS);
    assert_eq!(records.iter().filter(|r| has_negative_size(r)).count(), 1);
    records.iter().for_each(check);
}

/// Taken literally, the maximum in SONNX's rule makes 0 with 1 an error. Here and in the systems that were tested it gives 0.
#[test]
fn zero_with_one_gives_zero() {
    let records = records();
    let literal: Vec<&Value> = records.iter().filter(|r| r.get("sonnx_literal").is_some()).collect();
    assert_eq!(literal.len(), 32);
    for record in literal {
        assert_eq!(record["sonnx_literal"], "error", "{record}");
        assert!(shape(&record["expect"]).contains(&0), "{record}");
    }
}

/// `Unidirectional` gives the result of `Numpy` if that is the first shape, and an error otherwise.
#[test]
fn unidirectional_is_numpy_onto_the_first_shape() {
    let mut seen = (0, 0);
    for record in records().iter().filter(|r| r["mode"] == "numpy") {
        let inputs: Vec<Shape> = record["inputs"].as_array().unwrap().iter().map(shape).collect();
        let operands: Vec<&Shape> = inputs.iter().collect();
        if operands.len() != 2 {
            continue;
        }
        let ours = Broadcast::Unidirectional.align(&operands);
        match Broadcast::Numpy.align(&operands) {
            Ok(a) if a.shape == inputs[0] => {
                assert_eq!(ours.unwrap(), a, "{record}");
                seen.0 += 1;
            }
            _ => {
                assert!(ours.is_err(), "{record}");
                seen.1 += 1;
            }
        }
    }
    assert!(seen.0 > 50 && seen.1 > 50, "{seen:?}");
}
