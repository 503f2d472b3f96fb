//! The options and the help text of `eltwise verify`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use eltwise::{Accuracy, DType, Isa};
use eltwise_oracle::Function;

use super::job::DTYPES;

/// The arguments of `eltwise verify`.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// Verify only this function, such as exp; may be repeated
    #[arg(long, value_name = "F", value_parser = function)]
    pub(crate) function: Vec<Function>,
    /// Verify only this dtype: f32, f64, f16 or bf16; may be repeated
    #[arg(long, value_name = "D", value_parser = dtype)]
    pub(crate) dtype: Vec<DType>,
    /// Verify only this accuracy tier: fast or correct; may be repeated
    #[arg(long, value_name = "TIER")]
    pub(crate) tier: Vec<Accuracy>,
    /// Verify only this instruction set; may be repeated [default: all available]
    #[arg(long, value_name = "ISA", value_parser = crate::option_values::isa)]
    pub(crate) isa: Vec<Isa>,
    /// Try about 2^16 to 2^20 inputs of each function instead of all
    #[arg(long)]
    pub(crate) quick: bool,
    /// Use N threads
    #[arg(long, value_name = "N", value_parser = crate::option_values::threads, default_value = "2")]
    pub(crate) threads: NonZeroUsize,
    /// Write the results as JSON, after each function
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Reuse results that --json of an earlier run wrote; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Vec<PathBuf>,
    /// Write the accuracy page as Markdown, with the time per element
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
}

fn function(text: &str) -> Result<Function, String> {
    text.parse::<Function>().map_err(|e| {
        let names: Vec<&str> = Function::ALL.iter().map(|f| f.name()).collect();
        format!("{e}; there are {}", names.join(" "))
    })
}

fn dtype(text: &str) -> Result<DType, String> {
    let found = DTYPES.into_iter().find(|d| d.name() == text);
    found.ok_or_else(|| "expected f32, f64, f16 or bf16".to_string())
}

pub(crate) const HELP: &str = "\
Examples:
  eltwise verify --quick
  eltwise verify --function exp --function log --dtype f32 --tier correct
  eltwise verify --markdown docs/accuracy.md --json accuracy.json

The results of each kernel are compared with the correctly rounded results, and the
results of the instruction sets with each other, bit for bit. The inputs of functions of one operand
are all values of f32, f16 and bf16, and for f64 2^28 values and hard cases. The inputs of
functions of two operands are 2^30 pairs of f32, 2^28 pairs of f64, and all pairs of f16
and bf16. With --quick they are about 2^16 to 2^20 for each function.

--resume reuses the results of jobs with the same inputs whose kernels still have the same
bits. With --quick it also replaces the results of the quick run by those of a run with
more inputs, if the quick run passes. Without --isa the instruction sets are those of this
CPU, up to ELTWISE_ISA.

Functions of one operand are also checked, bit for bit, for the properties of the exact
function: odd or even, monotonic (if the bound is 1 ULP), and the interval of the results.

The exit code is 1 if a result of the tier fast is further from the exact value than 1 ULP
(f16 and bf16: 0.501 ULP; functions of statistics of f64: 4 ULP; lgamma and digamma below -1/4: or
2^-45), if one of the tier correct is not correctly rounded, if a result with a bound of 1 ULP differs
from an exact value that the dtype can represent, if two instruction sets disagree, or if a property
does not hold.";
