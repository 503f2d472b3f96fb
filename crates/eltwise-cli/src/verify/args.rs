//! The options of `eltwise verify`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use eltwise::{Accuracy, DType, Isa};
use eltwise_oracle::Function;

use super::job::DTYPES;

/// `eltwise verify`.
#[derive(Args, Debug)]
pub(crate) struct Verify {
    /// Verify this function only, such as exp; may be repeated
    #[arg(long, value_name = "F", value_parser = function)]
    pub(crate) function: Vec<Function>,
    /// Verify this dtype only: f32, f64, f16, bf16; may be repeated
    #[arg(long, value_name = "D", value_parser = dtype)]
    pub(crate) dtype: Vec<DType>,
    /// Verify this tier only: fast or exact; may be repeated
    #[arg(long, value_name = "TIER")]
    pub(crate) tier: Vec<Accuracy>,
    /// Verify this instruction set only [default: all that this CPU has, up to ELTWISE_ISA]; may be repeated
    #[arg(long, value_name = "ISA", value_parser = crate::args::isa)]
    pub(crate) isa: Vec<Isa>,
    /// Try about a million inputs instead of all
    #[arg(long)]
    pub(crate) quick: bool,
    /// Threads to use
    #[arg(long, value_name = "N", value_parser = crate::args::threads, default_value = "2")]
    pub(crate) threads: NonZeroUsize,
    /// Write what was found as JSON, after each function
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Take what FILE has, which --json of an earlier run of the same bits wrote, instead of trying it again; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Vec<PathBuf>,
    /// Write the page of accuracy, which also has the time of an element
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
  eltwise verify --function exp --function log --dtype f32 --tier exact
  eltwise verify --markdown docs/accuracy.md --json accuracy.json

Each kernel of this machine is compared with the correctly rounded result, and the
instruction sets with each other, bit for bit. Functions of one operand: all values of
f32, f16 and bf16; 2^28 values of f64, and hard ones. Of two: 2^30 pairs of f32, 2^28
of f64, all pairs of f16 and bf16. With --quick about 2^16 to 2^20 of each.

With --quick and --resume, what an earlier run found at more inputs stands for
functions whose bits are those of that run, if the quick run passes.

Functions of one operand must also be odd or even, rise or fall (but in f64), and stay
within their interval, bit for bit, where the function does.

The exit code is 1 when a result is beyond its bound (fast: 1 ULP, 0.501 for f16 and
bf16; exact: not correctly rounded), is not the exact value where that is a number of
the dtype, or two instruction sets disagree.";
