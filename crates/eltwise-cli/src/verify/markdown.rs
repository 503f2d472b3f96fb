//! Writes the accuracy page, docs/accuracy.md: [`page`].

use std::collections::BTreeMap;
use std::fmt::Write;

use eltwise::DType;

use super::job::DTYPES;
use super::job_result::JobResult;
use super::{published_errors, table};

/// The page with all results. `quick` adds a note that the inputs are few.
pub(crate) fn page(done: &[JobResult], quick: bool) -> String {
    let mut text = String::from(
        "# Accuracy\n\n\
         The largest errors of the math operators, in ULP from the exact value. An error of 0.5 means that every result is\n\
         correctly rounded. Every instruction set gives the same bits. This page is generated: do not edit it. To write it\n\
         again, run\n\n\
         ```sh\n\
         just verify --quick --resume docs/accuracy.json --markdown docs/accuracy.md\n\
         ```\n\n\
         Without `--quick`, the command tries all inputs instead of a small part of them.\n\n",
    );
    if quick {
        text.push_str(
            "**This page was generated with `--quick`.** A row shows the results of an earlier run over more inputs instead\n\
             (`--resume`) if that run had the same bits. The column *inputs* has the number of inputs of each row.\n\n",
        );
    }
    let cpu = crate::cpu::cpu_name().unwrap_or("unknown".into());
    let _ = writeln!(text, "CPU: {cpu}. Instruction sets compared: {}.\n", isas_compared(done));
    text.push_str(TIERS);
    for dtype in DTYPES {
        section(&mut text, done, dtype);
    }
    text.push_str(NOTES);
    text
}

/// In how many rows each ISA was compared: `avx2, avx512 in all 284 rows; scalar in 180`.
fn isas_compared(done: &[JobResult]) -> String {
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    done.iter().flat_map(|v| &v.isas).for_each(|isa| *rows.entry(isa).or_default() += 1);
    let (everywhere, mut others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|&(_, count)| count == done.len());
    let names: Vec<&str> = everywhere.into_iter().map(|(isa, _)| isa).collect();
    let mut parts = Vec::new();
    if !names.is_empty() {
        parts.push(format!("{} in all {} rows", names.join(", "), done.len()));
    }
    others.sort_by_key(|&(_, count)| core::cmp::Reverse(count));
    parts.extend(others.into_iter().map(|(isa, count)| format!("{isa} in {count}")));
    parts.join("; ")
}

/// Adds the table of a dtype.
fn section(text: &mut String, done: &[JobResult], dtype: DType) {
    let rows: Vec<&JobResult> = done.iter().filter(|v| v.dtype == dtype).collect();
    let Some(first) = rows.first() else { return };
    let isas: Vec<&str> = first.times.iter().map(|(isa, _)| *isa).collect();
    let has_published = matches!(dtype, DType::F32 | DType::F64);
    let mut head: Vec<String> =
        ["function", "tier", "largest error", "at", "not correctly rounded", "inputs"].map(String::from).to_vec();
    head.extend(isas.iter().map(|isa| format!("ns, {isa}")));
    if has_published {
        head.extend(published_errors::COLUMNS.map(String::from));
    }
    let _ = writeln!(text, "## {dtype}\n");
    line(text, &head);
    line(text, &vec!["---".to_string(); head.len()]);
    for v in rows {
        line(text, &cells(v, &isas, has_published));
    }
    text.push('\n');
}

fn cells(v: &JobResult, isas: &[&str], has_published: bool) -> Vec<String> {
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
    if has_published {
        cells.extend(published_errors::lookup(v.function, v.dtype).map(String::from));
    }
    cells
}

/// A number of inputs such as `2^32`, `2^28 + 1234` or `1064`.
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

const TIERS: &str = "\
| tier | guaranteed bound |
|---|---|
| fast | f32 and f64: at most 1 ULP (functions of statistics of f64: 4 ULP; lgamma and digamma below -1/4: or 2^-45); f16 and bf16: at most 0.501 ULP |
| correct | f32, f16 and bf16: correctly rounded; f64: not available (an error) |

Times are in nanoseconds per element, for 2048 elements on one thread; operands and result have 8 to 48 KiB. Special values follow
C23 Annex F; a NaN result is the positive quiet NaN without a payload. The columns from *VM HA* on have
[errors that other libraries publish](#published-errors-of-other-libraries).

";

const NOTES: &str = "\
## Published errors of other libraries

The largest errors in ULP that other libraries publish. `a/b` means `a` on AVX2 and `b` on AVX-512. An empty cell means that
nothing is published.

| column | source |
|---|---|
| VM HA | Intel oneMKL 2021.1, vector math (VM) in high-accuracy mode (HA): largest error measured on Broadwell and Skylake, and its clocks per element |
| SLEEF | SLEEF 3.9, bounds of the u10 variants |
| NumPy | SVML: 4 ULP for f32 ([numpy/numpy#19478](https://github.com/numpy/numpy/pull/19478)), HA for f64 since NumPy 2.0 |
| PyTorch | its vector types call SLEEF u10; contiguous arrays go through VM HA; erf of f32 is Abramowitz and Stegun's, 6.6e-7 absolute |
| JAX | its accuracy documentation, CPU, September 2026 |
";

#[cfg(test)]
mod tests {
    use super::*;

    /// The committed page was written by this version of the generator.
    #[test]
    fn the_committed_page_has_the_texts_of_the_generator() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/accuracy.md");
        let committed = std::fs::read_to_string(path).expect("docs/accuracy.md is part of the repository");
        let generated = page(&[], true);
        // What follows depends on the run: whether it was quick, and its CPU.
        let (intro, _) = generated.split_once("**This page was generated").expect("the paragraph of quick runs");
        for part in [intro, TIERS, NOTES] {
            assert!(committed.contains(part), "docs/accuracy.md does not contain:\n{part}");
        }
    }

    #[test]
    fn counts_are_powers_of_two_and_a_rest() {
        assert_eq!([1064, 65536, 65537, 1 << 32, 3 << 20].map(count), ["1064", "2^16", "2^16 + 1", "2^32", "3145728"]);
    }
}
