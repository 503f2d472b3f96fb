//! The overhead of calls: runs over few elements, binding, parsing.

use eltwise::DType::{F32, U8};
use eltwise::Layout;

use crate::bench::case::{Action, Case};
use crate::error::Result;

/// The cases of the group `calls`.
pub(super) fn cases() -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for length in [1, 16, 256] {
        let operands = vec![Layout::contiguous(F32, [length])?; 2];
        let name = format!("calls/run add/f32 {length}");
        cases.push(Case {
            name,
            expression: "x + y".into(),
            operands,
            value: |v| v[0] + v[1],
            cost: None,
            action: Action::Run,
        });
    }
    let photograph =
        vec![Layout::contiguous(U8, [512, 512, 3])?, Layout::contiguous(F32, [3])?, Layout::contiguous(F32, [3])?];
    let normalise = |name: &str, action| Case {
        name: format!("calls/{name}"),
        expression: "(cast(x, f32) - y) / z".into(),
        operands: photograph.clone(),
        value: |v| (v[0] - v[1]) / v[2],
        cost: None,
        action,
    };
    cases.push(Case {
        name: "calls/bind add".into(),
        expression: "x + y".into(),
        operands: vec![Layout::contiguous(F32, [8, 64, 56, 56])?, Layout::contiguous(F32, [64, 1, 1])?],
        value: |v| v[0] + v[1],
        cost: None,
        action: Action::Bind,
    });
    cases.push(normalise("bind normalise", Action::Bind));
    cases.push(normalise("parse and bind normalise", Action::Parse));
    Ok(cases)
}
