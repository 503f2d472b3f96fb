//! Operands of a few elements.

use crate::bar::Bar;
use crate::pattern::{OperandSpec, Pattern, dense};

/// Layouts of a few elements, compared with contiguous operands of the same number of elements. Both include planning.
pub(super) fn patterns() -> Vec<Pattern> {
    let case = |name: &str, x: OperandSpec, y: OperandSpec| {
        Pattern::new("small", name, "x + y", [x, y], Bar::None).replanning()
    };
    vec![
        case("0-d", dense(&[]), dense(&[])),
        case("1", dense(&[1]), dense(&[])),
        case("2", dense(&[2]), dense(&[2]).flip(0)),
        case("7", dense(&[7]), dense(&[1])),
        case("24", dense(&[2, 4, 3]), dense(&[4, 1])),
        case("100", dense(&[10, 10]), dense(&[10, 10]).order(&[1, 0])),
    ]
}
