//! Broadcast operands.

use eltwise::DType;

use crate::bar::Bar::{self, AtMost};
use crate::pattern::{N, Pattern, dense};
use crate::size::Size;

/// The bar for short rows: periods, repeated elements, or both.
const SHORT: Bar = AtMost(1.25);
/// The bar for rows that are long enough for one kernel call each.
const LONG: Bar = AtMost(1.15);

/// Periods `p` of `[N, p] + [p]`, up to more than two AVX2 vectors of f32.
const PERIODS: [usize; 18] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 16, 17, 24, 31, 32, 33];
/// Counts `k` by which `[N, k] + [N, 1]` repeats each element.
const STRETCHES: [usize; 10] = [2, 3, 4, 5, 7, 8, 9, 12, 15, 17];
/// Inner sizes of `[1, H, W, n] - [N, 1, 1, n]`.
const INNER: [usize; 9] = [2, 3, 5, 8, 16, 17, 32, 64, 128];

/// The patterns of a size.
pub(super) fn patterns(size: Size) -> Vec<Pattern> {
    [rows_and_columns(size), short_rows(size), channels(size), attention(size)].concat()
}

fn rows_and_columns(size: Size) -> Vec<Pattern> {
    let mut all = vec![Pattern::new("scalar", "", "x + y", [dense(&[N]), dense(&[])], LONG)];
    for columns in [64, 1000, 10000] {
        let name = columns.to_string();
        let (whole, row, column) = (dense(&[N, columns]), dense(&[columns]), dense(&[N, 1]));
        // A row larger than L1 is read from L2 for every output row, which the traffic does not count.
        if size == Size::Dram || columns < 10000 {
            all.push(Pattern::new("row", &name, "x + y", [whole.clone(), row], LONG));
        }
        all.push(Pattern::new("column", name, "x + y", [whole, column], LONG));
    }
    for (columns, bar) in [(3, Bar::None), (64, LONG), (1024, LONG)] {
        let operands = [dense(&[N, 1]), dense(&[1, columns])];
        all.push(Pattern::new("outer", columns.to_string(), "x * y", operands, bar));
    }
    all.push(Pattern::new("outer", "[2,N,1024]", "x * y", [dense(&[2, N, 1024]), dense(&[1, N, 1])], LONG));
    all
}

fn short_rows(size: Size) -> Vec<Pattern> {
    let pixels = || [dense(&[N, 3]), dense(&[3])];
    let mut all = vec![
        Pattern::new("pixels", "C=3", "x + y", pixels(), SHORT),
        Pattern::new("pixels", "C=3 ==", "x == y", pixels(), SHORT),
    ];
    for p in PERIODS {
        all.push(Pattern::new("period", p.to_string(), "x + y", [dense(&[N, p]), dense(&[p])], SHORT));
    }
    for k in STRETCHES {
        let bar = if k <= 15 { SHORT } else { Bar::None };
        all.push(Pattern::new("stretch", k.to_string(), "x + y", [dense(&[N, k]), dense(&[N, 1])], bar));
    }
    for k in [2, 5, 17] {
        let operands = [dense(&[N, 1]), dense(&[N, k])];
        let bar = if k <= 15 { SHORT } else { Bar::None };
        all.push(Pattern::new("stretch", format!("{k}, left operand"), "x * y", operands, bar));
    }
    let side = if size == Size::L2 { 8 } else { 32 };
    for n in INNER {
        let operands = [dense(&[1, side, side, n]), dense(&[N, 1, 1, n])];
        all.push(Pattern::new("small inner", format!("n={n}"), "x - y", operands, SHORT));
    }
    let both = |name: &str, x: &[usize], y: &[usize]| {
        Pattern::new("both broadcast", name, "x + y", [dense(x), dense(y)], SHORT)
    };
    all.push(both("[N,1,5]+[1,40,5]", &[N, 1, 5], &[1, 40, 5]));
    let heads = if size == Size::L2 { 8 } else { 64 };
    all.push(both("[N,1,64,1,8]+[1,16,1,8,8]", &[N, 1, heads, 1, 8], &[1, 16, 1, 8, 8]));
    all.push(both("[N,1,7]+[1,9,1]", &[N, 1, 7], &[1, 9, 1]));
    all
}

fn channels(size: Size) -> Vec<Pattern> {
    let mut all = vec![];
    for (height, bar) in [(1, SHORT), (2, SHORT), (3, SHORT), (7, AtMost(1.2)), (56, LONG)] {
        let channels = match (size, height) {
            (Size::L2, 56) => 8,
            (_, 56) => 64,
            (Size::L2, _) => 128,
            _ => 512,
        };
        let operands = [dense(&[N, channels, height, height]), dense(&[channels, 1, 1])];
        all.push(Pattern::new("batch norm", format!("HW {}", height * height), "x * y", operands, bar));
    }
    all
}

fn attention(size: Size) -> Vec<Pattern> {
    let (heads, side) = if size == Size::L2 { (4, 64) } else { (12, 128) };
    let scores = || dense(&[N, heads, side, side]);
    vec![
        Pattern::new("per_w", "last axis", "x + y", [scores(), dense(&[N, 1, 1, side])], LONG),
        Pattern::new("per_w", "column", "x + y", [scores(), dense(&[N, 1, side, 1])], LONG),
        Pattern::new("mask", "add", "x + y", [scores(), dense(&[1, 1, side, side])], LONG),
        Pattern::new(
            "mask",
            "where",
            "where(x, y, z)",
            [dense(&[1, 1, side, side]).dtype(DType::Bool), scores(), dense(&[])],
            LONG,
        )
        .base_operator("+"),
    ]
}
