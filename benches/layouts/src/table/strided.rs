//! Operands whose elements have another order or distance in memory than the output's: strided, reversed, transposed.

use crate::bar::Bar::{self, AtMost};
use crate::pattern::{N, Pattern, S, dense};
use crate::size::Size;

/// The patterns of a size.
pub(super) fn patterns(size: Size) -> Vec<Pattern> {
    [strided(), reversed(), transposed(size)].concat()
}

/// Every second, third or fourth element. The traffic counts whole cache lines.
fn strided() -> Vec<Pattern> {
    let mut all = vec![];
    for (step, bar) in [(2, AtMost(1.25)), (3, Bar::None), (4, Bar::None)] {
        let operand = || dense(&[N]).step(0, step);
        all.push(Pattern::new("stride", step.to_string(), "x + y", [operand(), dense(&[])], bar));
        all.push(Pattern::new("stride", format!("{step} both"), "x + y", [operand(), operand()], bar));
    }
    all
}

fn reversed() -> Vec<Pattern> {
    let bar = AtMost(1.15);
    let rows = || dense(&[N, 1024]);
    vec![
        Pattern::new("reversed", "flat", "x + y", [dense(&[N]).flip(0), dense(&[N])], bar),
        Pattern::new("reversed", "columns", "x + y", [rows().flip(1), rows()], bar),
        Pattern::new("reversed", "rows", "x + y", [rows().flip(0), rows()], bar),
        Pattern::new("reversed", "both operands", "x + y", [dense(&[N]).flip(0), dense(&[N]).flip(0)], bar),
    ]
}

fn transposed(size: Size) -> Vec<Pattern> {
    let one_transposed = |name: String, side: usize| {
        let operands = [dense(&[side, side]).order(&[1, 0]), dense(&[side, side])];
        Pattern::new("transposed", name, "x + y", operands, Bar::Transposed)
    };
    let mut all: Vec<Pattern> = match size {
        Size::L2 => vec![one_transposed("square".into(), S)],
        Size::Dram => [1024, 2048, 3000, 4096].map(|side| one_transposed(side.to_string(), side)).into(),
    };
    let side = if size == Size::L2 { S } else { 2048 };
    let transposed = || dense(&[side, side]).order(&[1, 0]);
    let both = |name: &str, bar: Bar| Pattern::new("both transposed", name, "x + y", [transposed(), transposed()], bar);
    all.push(both("K order", AtMost(1.1)).engine_output());
    all.push(both("C order", AtMost(1.8)));
    let (channels, height) = if size == Size::L2 { (32, 14) } else { (64, 56) };
    let image = || dense(&[N, channels, height, height]);
    all.push(Pattern::new("nchw + nhwc", "", "x + y", [image(), image().order(&[0, 2, 3, 1])], Bar::Permuted));
    all
}
