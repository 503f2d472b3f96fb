//! The page docs/accuracy.md.

use std::collections::BTreeSet;
use std::fmt::Write;

use eltwise::DType;

use super::job::DTYPES;
use super::verified::Verified;
use super::{anchors, table};

/// The page; `quick`: said on it.
pub(crate) fn page(done: &[Verified], quick: bool) -> String {
    let mut text = String::from(
        "# Accuracy\n\n\
         The largest errors of the math operators, in ULP from the exact value: 0.5 is a correctly rounded result. Every\n\
         instruction set gives the same bits. Made by\n\n\
         ```text\n\
         cargo run --release -p eltwise-cli --features verify -- verify --markdown docs/accuracy.md\n\
         ```\n\n",
    );
    if quick {
        text.push_str(
            "**This page was made with `--quick`**, which tries a small part of the inputs on every level. Where an earlier run over all of\n\
             them, given by `--resume`, was of the same bits, its row stands here: the inputs say which.\n\n",
        );
    }
    let cpu = crate::info::cpu_name().unwrap_or("unknown".into());
    let _ = writeln!(text, "CPU: {cpu}; levels compared: {}.\n", levels(done));
    text.push_str(PROMISES);
    for dtype in DTYPES {
        section(&mut text, done, dtype);
    }
    text.push_str(NOTES);
    text
}

fn levels(done: &[Verified]) -> String {
    let sorted = |v: &Verified| {
        let mut isas = v.isas.clone();
        isas.sort_unstable();
        isas.join(", ")
    };
    let all: BTreeSet<String> = done.iter().map(sorted).collect();
    all.into_iter().collect::<Vec<String>>().join("; ")
}

/// The table of a dtype.
fn section(text: &mut String, done: &[Verified], dtype: DType) {
    let rows: Vec<&Verified> = done.iter().filter(|v| v.dtype == dtype).collect();
    let Some(first) = rows.first() else { return };
    let isas: Vec<&str> = first.times.iter().map(|(isa, _)| *isa).collect();
    let beside = matches!(dtype, DType::F32 | DType::F64);
    let mut head: Vec<String> =
        ["function", "tier", "largest error", "at", "not correctly rounded", "inputs"].map(String::from).to_vec();
    head.extend(isas.iter().map(|isa| format!("ns, {isa}")));
    if beside {
        head.extend(anchors::COLUMNS.map(String::from));
    }
    let _ = writeln!(text, "## {dtype}\n");
    line(text, &head);
    line(text, &vec!["---".to_string(); head.len()]);
    for v in rows {
        line(text, &cells(v, &isas, beside));
    }
    text.push('\n');
}

fn cells(v: &Verified, isas: &[&str], beside: bool) -> Vec<String> {
    let outcome = &v.outcome;
    let mut cells = vec![
        format!("`{}`", v.function),
        v.tier.to_string(),
        format!("{}{}", table::ulp(outcome), if v.passes() { "" } else { " **fails**" }),
        outcome.worst.map_or(String::new(), |w| format!("`{}`", table::operands(v, w.point))),
        outcome.misrounded.to_string(),
        count(outcome.inputs),
    ];
    for isa in isas {
        let ns = v.times.iter().find(|(name, _)| name == isa);
        cells.push(ns.map_or(String::new(), |(_, ns)| format!("{ns:.2}")));
    }
    if beside {
        cells.extend(anchors::of(v.function, v.dtype).map(String::from));
    }
    cells
}

/// `2^32`, `2^28 + 1234`, `1064`.
fn count(n: u64) -> String {
    let power = n.max(1).ilog2();
    match n - (1 << power) {
        _ if power < 16 => n.to_string(),
        0 => format!("2^{power}"),
        rest if rest < n / 16 => format!("2^{power} + {rest}"),
        _ => n.to_string(),
    }
}

fn line(text: &mut String, cells: &[String]) {
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

const PROMISES: &str = "\
| tier | promise |
|---|---|
| fast | f32 and f64: at most 1 ULP; f16 and bf16: at most 0.501 ULP |
| exact | f32, f16 and bf16: correctly rounded; f64 has none |

Times are of 2048 elements in the first-level cache, on one thread. Special values follow C23 Annex F; a NaN is the quiet
NaN without a sign.

";

const NOTES: &str = "\
## What stands beside

Largest errors in ULP that others publish; `a/b` is on AVX2 and on AVX-512, an empty cell is nothing published.

| column | source |
|---|---|
| VM HA | Intel oneMKL VM 2021.1, mode HA: largest error measured on Broadwell and Skylake, and its clocks per element |
| SLEEF | SLEEF 3.9, bounds of the u10 variants |
| NumPy | SVML: 4 ULP for f32 (pull request 19478), HA for f64 since NumPy 2.0 |
| PyTorch | its vector types call SLEEF u10; contiguous arrays go through VM HA; erf of f32 is Abramowitz and Stegun's, 6.6e-7 absolute |
| JAX | its page of accuracy, CPU, September 2026 |
";

#[cfg(test)]
mod tests {
    #[test]
    fn counts() {
        assert_eq!(
            [1064, 65536, 65537, 1 << 32, 3 << 20].map(super::count),
            ["1064", "2^16", "2^16 + 1", "2^32", "3145728"]
        );
    }
}
