//! Integer division.

use eltwise::DType;

use crate::bar::Bar;
use crate::pattern::{N, OperandSpec, Pattern, dense};

/// Division, compared with addition of the same bytes: its distance from memory bandwidth.
pub(super) fn patterns() -> Vec<Pattern> {
    let mut all = vec![];
    let mut push = |name: &str, expression: &'static str, operands: [OperandSpec; 2], dtype: DType| {
        let pattern = Pattern::new("integer", format!("{name} {dtype}"), expression, operands, Bar::None);
        all.push(pattern.base_operator("+").only(&[dtype]));
    };
    let (whole, one) = (|| dense(&[N]), || dense(&[]));
    for dtype in [DType::U8, DType::I16, DType::I32, DType::I64] {
        push("a / scalar", "trunc_divide(x, y)", [whole(), one()], dtype);
        push("a // b", "floor_divide(x, y)", [whole(), whole()], dtype);
        push("a % b", "remainder(x, y)", [whole(), whole()], dtype);
    }
    push("scalar / [N,32]", "x / y", [dense(&[1]), dense(&[N, 32])], DType::I64);
    all
}
