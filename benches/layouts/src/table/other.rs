//! Calls of a few elements, which plan each time, and integer division.

use eltwise::DType;

use crate::bar::Bar;
use crate::pattern::{N, Pattern, Spec, dense};
use crate::size::Size;

/// The patterns of a size: small ones are in the first only.
pub(super) fn patterns(size: Size) -> Vec<Pattern> {
    [if size == Size::L2 { small() } else { vec![] }, division()].concat()
}

/// Odd layouts of a few elements, beside contiguous operands of as many; planning included on both sides.
fn small() -> Vec<Pattern> {
    let case = |name: &str, x: Spec, y: Spec| Pattern::new("small", name, "x + y", [x, y], Bar::None).planning();
    vec![
        case("0-d", dense(&[]), dense(&[])),
        case("1", dense(&[1]), dense(&[])),
        case("2", dense(&[2]), dense(&[2]).flip(0)),
        case("7", dense(&[7]), dense(&[1])),
        case("24", dense(&[2, 4, 3]), dense(&[4, 1])),
        case("100", dense(&[10, 10]), dense(&[10, 10]).order(&[1, 0])),
    ]
}

/// Division against addition of as many bytes: how far it is from the speed of the memory.
fn division() -> Vec<Pattern> {
    let mut all = vec![];
    let mut push = |name: &str, expression: &'static str, operands: [Spec; 2], dtype: DType| {
        let pattern = Pattern::new("integer", format!("{name} {dtype}"), expression, operands, Bar::None);
        all.push(pattern.base("+").only(&[dtype]));
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
