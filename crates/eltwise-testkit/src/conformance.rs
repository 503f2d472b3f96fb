//! The records of `tests/conformance`: reading them ([`records`]) and their fields.

use std::path::Path;

use eltwise::{DType, Shape};
use eltwise_reference::{Tensor, Value};
pub use serde_json::Value as Json;

/// The records of a file in `tests/conformance`.
///
/// # Panics
/// If the file is missing or is not a JSON list.
pub fn records(file: &str) -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The members of a list.
///
/// # Panics
/// If `v` is not a list.
pub fn list(v: &Json) -> &[Json] {
    v.as_array().unwrap_or_else(|| panic!("not a list: {v}"))
}

/// A shape; `None` if a size is negative.
pub fn shape(v: &Json) -> Option<Shape> {
    list(v).iter().map(|d| d.as_u64().and_then(|d| usize::try_from(d).ok())).collect()
}

/// A dtype by its name in the records.
///
/// # Panics
/// If the name is unknown.
pub fn dtype(name: &str) -> DType {
    match name {
        "double" => DType::F64,
        "float" => DType::F32,
        other => other.parse().unwrap_or_else(|e| panic!("{e}")),
    }
}

/// An array. Floats are given as hex bits, other dtypes as numbers.
///
/// # Panics
/// If an element is not of the dtype.
pub fn tensor(dtype: DType, shape: &Shape, data: &Json) -> Tensor {
    let element = |v: &Json| match v.as_str() {
        Some(hex) => Value::new(dtype, u128::from_str_radix(hex, 16).unwrap_or_else(|e| panic!("{hex}: {e}"))),
        None => {
            let x = v.as_i64().map(i128::from).or(v.as_u64().map(i128::from));
            Value::from_i128(dtype, x.unwrap_or_else(|| panic!("not a {dtype}: {v}")))
        }
    };
    let values: Vec<Value> = list(data).iter().map(element).collect();
    Tensor::from_values(dtype, shape.clone(), &values).unwrap_or_else(|e| panic!("{e}"))
}
