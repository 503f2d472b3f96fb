//! Contiguous operands of one shape on one thread: operators by dtype and level of the memory.

mod support;

use DType::{BF16, Bool, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
use Level::{Dram, L1, L2, L3};
use criterion::{Criterion, criterion_group, criterion_main};
use eltwise::DType;
use eltwise_benches::Level;
use support::Group;

/// Every numeric dtype.
const NUMBERS: [DType; 12] = [I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64];
const INTEGERS: [DType; 8] = [I8, I16, I32, I64, U8, U16, U32, U64];

/// Name and expression of the cases timed over every numeric dtype.
const OF_NUMBERS: [(&str, &str); 4] =
    [("add", "x + y"), ("multiply", "x * y"), ("maximum", "maximum(x, y)"), ("less", "x < y")];

/// Name, expression and number of operands of the cases timed over f32 only.
const OF_F32: [(&str, &str, usize); 16] = [
    ("copy", "copy(x)", 1),
    ("subtract", "x - y", 2),
    ("divide", "x / y", 2),
    ("remainder", "remainder(x, y)", 2),
    ("minimum", "minimum(x, y)", 2),
    ("copysign", "copysign(x, y)", 2),
    ("equal", "x == y", 2),
    ("sqrt", "sqrt(x)", 1),
    ("reciprocal", "reciprocal(x)", 1),
    ("abs", "abs(x)", 1),
    ("floor", "floor(x)", 1),
    ("round", "round(x)", 1),
    ("relu", "relu(x)", 1),
    ("hard_swish", "hard_swish(x)", 1),
    ("clamp", "clamp(x, 1, 2)", 1),
    ("fma", "fma(x, y, z)", 3),
];

const CASTS: [(DType, DType); 12] = [
    (F32, F16),
    (F16, F32),
    (F32, BF16),
    (BF16, F32),
    (U8, F32),
    (F32, U8),
    (I8, F32),
    (F32, I32),
    (I32, F32),
    (I64, F32),
    (F32, F64),
    (F64, F32),
];

fn contiguous(c: &mut Criterion) {
    for (name, expression) in OF_NUMBERS {
        for dtype in NUMBERS {
            // In L3 and memory, only the element size matters: one dtype for each.
            let all_levels = name == "add" && [U8, F16, F32, F64].contains(&dtype);
            let levels: &[Level] = if all_levels { &Level::ALL } else { &[L1, L2] };
            Group::new(c, &format!("{name}/{dtype}")).levels(expression, &[dtype; 2], levels);
        }
    }
    for (name, expression, operands) in OF_F32 {
        let levels: &[Level] = if ["copy", "fma", "relu"].contains(&name) { &Level::ALL } else { &[L1, L2] };
        Group::new(c, &format!("{name}/f32")).levels(expression, &vec![F32; operands], levels);
    }
    for dtype in INTEGERS {
        Group::new(c, &format!("floor_divide/{dtype}")).levels("floor_divide(x, y)", &[dtype; 2], &[L1, L2]);
        Group::new(c, &format!("shift_left/{dtype}")).levels("shift_left(x, y)", &[dtype; 2], &[L1]);
        Group::new(c, &format!("bitwise_and/{dtype}")).levels("bitwise_and(x, y)", &[dtype; 2], &[L1]);
    }
    for dtype in [U8, I8, I16] {
        let expression = "saturating_add(x, y)";
        Group::new(c, &format!("saturating_add/{dtype}")).levels(expression, &[dtype; 2], &[L1, L2]);
    }
    for dtype in [F64, F16, BF16] {
        Group::new(c, &format!("divide/{dtype}")).levels("x / y", &[dtype; 2], &[L1, L2]);
        Group::new(c, &format!("sqrt/{dtype}")).levels("sqrt(x)", &[dtype], &[L1]);
    }
    for dtype in [U8, F16, F32, F64] {
        Group::new(c, &format!("where/{dtype}")).levels("where(c, x, y)", &[Bool, dtype, dtype], &[L1, L2]);
    }
    for (from, to) in CASTS {
        let levels: &[Level] = if (from, to) == (U8, F32) { &[L1, L2, L3, Dram] } else { &[L1, L2] };
        Group::new(c, &format!("cast/{from}/{to}")).levels(&format!("cast(x, {to})"), &[from], levels);
    }
}

criterion_group! { name = benches; config = support::settings(); targets = contiguous }
criterion_main!(benches);
