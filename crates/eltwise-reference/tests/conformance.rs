//! Every record of `tests/conformance/broadcast_values.json`: SONNX's n-ary Broadcast with data, and the positions in B
//! of the elements that a PDPD broadcast reads.

use std::path::Path;

use eltwise_core::{Broadcast, DType, Op, Shape};
use eltwise_reference::{Tensor, Value as Element, broadcast, broadcast_of, evaluate};
use serde_json::Value;

fn records() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/broadcast_values.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap()
}

fn list(v: &Value) -> &[Value] {
    v.as_array().unwrap_or_else(|| panic!("not a list: {v}"))
}

fn shape(v: &Value) -> Shape {
    list(v).iter().map(|d| usize::try_from(d.as_u64().unwrap()).unwrap()).collect()
}

fn dtype(name: &str) -> DType {
    match name {
        "double" => DType::F64,
        "float" => DType::F32,
        other => other.parse().unwrap(),
    }
}

/// An element of a record: hex bits for floats, a number for other dtypes.
fn element(dtype: DType, v: &Value) -> Element {
    match v.as_str() {
        Some(hex) if dtype.is_float() => Element::new(dtype, u128::from_str_radix(hex, 16).unwrap()),
        _ => {
            let x = v.as_i64().map(i128::from).or(v.as_u64().map(i128::from));
            let element = Element::from_i128(dtype, x.unwrap_or_else(|| panic!("not a {dtype}: {v}")));
            assert_eq!(Some(element.to_i128()), x);
            element
        }
    }
}

fn tensor(dtype: DType, shape: Shape, data: &Value) -> Tensor {
    let values: Vec<Element> = list(data).iter().map(|v| element(dtype, v)).collect();
    Tensor::from_values(dtype, shape, &values).unwrap()
}

fn check_elements(record: &Value) {
    let dtype = dtype(record["dtype"].as_str().unwrap());
    let inputs: Vec<Tensor> =
        list(&record["inputs"]).iter().map(|i| tensor(dtype, shape(&i["shape"]), &i["data"])).collect();
    let outs = broadcast(&inputs.iter().collect::<Vec<_>>()).unwrap();
    let expect = list(&record["outputs"]);
    assert_eq!(outs.len(), expect.len(), "{record}");
    for ((out, expect), input) in outs.iter().zip(expect).zip(&inputs) {
        let expect = tensor(dtype, shape(&record["output_shape"]), expect);
        assert_eq!(*out, expect, "{record}"); // bit by bit, including NaN payloads
        let mode = Broadcast::Bidirectional { target: expect.shape().clone() };
        assert_eq!(evaluate(Op::BroadcastTo, &[input], None, &mode).unwrap(), expect, "{record}");
    }
}

fn check_strings(record: &Value) {
    let strings = |v: &Value| list(v).iter().map(|s| s.as_str().unwrap().to_owned()).collect::<Vec<String>>();
    let inputs: Vec<(Shape, Vec<String>)> =
        list(&record["inputs"]).iter().map(|i| (shape(&i["shape"]), strings(&i["data"]))).collect();
    let inputs: Vec<(&Shape, &[String])> = inputs.iter().map(|(s, d)| (s, d.as_slice())).collect();
    let (common, outs) = broadcast_of(&inputs).unwrap();
    assert_eq!(common, shape(&record["output_shape"]), "{record}");
    assert_eq!(outs, list(&record["outputs"]).iter().map(strings).collect::<Vec<_>>(), "{record}");
}

/// B holds its own positions and A zeros, so each element of the sum is the position in B that it was read from.
fn check_pdpd(record: &Value) {
    let shapes: Vec<Shape> = list(&record["inputs"]).iter().map(|i| shape(&i["shape"])).collect();
    let filled = |shape: &Shape, value: fn(usize) -> i128| {
        let values: Vec<Element> =
            (0..shape.elements().unwrap()).map(|i| Element::from_i128(DType::I64, value(i))).collect();
        Tensor::from_values(DType::I64, shape.clone(), &values).unwrap()
    };
    let (a, b) = (filled(&shapes[0], |_| 0), filled(&shapes[1], |i| i as i128));
    let mode = Broadcast::Pdpd { axis: record["axis"].as_i64().unwrap() };
    let out = evaluate(Op::Add, &[&a, &b], None, &mode).unwrap();
    assert_eq!(out, tensor(DType::I64, shape(&record["output_shape"]), &record["b_flat_index"]), "{record}");
}

#[test]
fn every_record_equals_the_reference() {
    let records = records();
    let mut seen = [0; 3];
    for record in &records {
        let (kind, check): (usize, fn(&Value)) = match (record["op"].as_str(), record["dtype"].as_str()) {
            (Some("pdpd"), _) => (0, check_pdpd),
            (Some("Broadcast"), Some("string")) => (1, check_strings),
            (Some("Broadcast"), Some(_)) => (2, check_elements),
            other => panic!("unknown record {other:?}"),
        };
        check(record);
        seen[kind] += 1;
    }
    assert_eq!(seen, [9, 7, 92]);
    assert_eq!(records.len(), 108);
}

/// Inputs of one call may have different dtypes; each output keeps its input's.
#[test]
fn broadcast_keeps_each_inputs_dtype() {
    let half = Tensor::from_values(DType::F16, [2, 1], &[0xfc01, 0x8000].map(|b| Element::new(DType::F16, b))).unwrap();
    let flag = Tensor::from_values(DType::Bool, [3], &[0, 1, 0x40].map(|b| Element::new(DType::Bool, b))).unwrap();
    let wide = Tensor::scalar(Element::new(DType::Opaque16, u128::MAX - 5));
    let outs = broadcast(&[&half, &flag, &wide]).unwrap();
    let bits = |t: &Tensor| t.values().map(|v| v.bits).collect::<Vec<_>>();
    assert!(outs.iter().all(|t| t.shape().dims() == [2, 3]));
    assert_eq!(bits(&outs[0]), [0xfc01, 0xfc01, 0xfc01, 0x8000, 0x8000, 0x8000]);
    assert_eq!(bits(&outs[1]), [0, 1, 0x40, 0, 1, 0x40]);
    assert_eq!(bits(&outs[2]), [u128::MAX - 5; 6]);
    assert_eq!(outs.iter().map(Tensor::dtype).collect::<Vec<_>>(), [DType::F16, DType::Bool, DType::Opaque16]);
}
