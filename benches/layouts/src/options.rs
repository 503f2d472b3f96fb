//! Command-line arguments of `layouts` and `values`.

use std::path::PathBuf;

use clap::{Args, Parser};
use eltwise::{DType, Isa};

use crate::size::Size;

/// Times unusual layouts relative to contiguous operations with the same reads and writes.
#[derive(Parser, Debug)]
#[command(name = "layouts", version, after_help = LAYOUTS_HELP)]
pub struct Layouts {
    /// The options of both programs.
    #[command(flatten)]
    pub common: Common,
    /// Only this size [default: both]
    #[arg(long, value_enum)]
    pub size: Option<Size>,
    /// Exit with 1 when a factor is over its bar
    #[arg(long)]
    pub bar: bool,
    /// Print the plan of every pattern, and time nothing
    #[arg(long)]
    pub explain: bool,
    /// Allow non-temporal stores for outputs larger than the caches, as the library chooses them [default: regular
    /// stores]
    #[arg(long = "streams")]
    pub non_temporal: bool,
}

/// Times operators over special values relative to ordinary ones.
#[derive(Parser, Debug)]
#[command(name = "values", version, after_help = VALUES_HELP)]
pub struct Values {
    /// The options of both programs.
    #[command(flatten)]
    pub common: Common,
    /// Print only factors of at least this
    #[arg(long, value_name = "FACTOR", default_value_t = 0.0)]
    pub above: f64,
}

/// The options of both programs.
#[derive(Args, Debug)]
pub struct Common {
    /// Instruction set; may be repeated [default: the best of this CPU]
    #[arg(long, value_name = "ISA", value_parser = isa)]
    pub isa: Vec<Isa>,
    /// Element type; may be repeated [default: every dtype of the pattern]
    #[arg(long, value_name = "DTYPE", value_parser = dtype)]
    pub dtype: Vec<DType>,
    /// Only patterns (operators) whose name contains this; may be repeated
    #[arg(long, value_name = "SUBSTRING")]
    pub pattern: Vec<String>,
    /// Seconds for all measurements together; each gets an equal share, and at least three rounds
    #[arg(long, value_name = "SECONDS", default_value_t = 240.0)]
    pub budget: f64,
    /// Write every figure to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Run everything once over little memory and compare every element with the reference, without timing
    #[arg(long)]
    pub check: bool,
}

impl Common {
    /// The selected ISAs; by default the best one, or with `--check` every one of this CPU.
    pub fn isas(&self) -> Vec<Isa> {
        match (&self.isa[..], self.check) {
            ([], true) => Isa::available().filter(|&isa| isa <= Isa::current()).collect(),
            ([], false) => vec![Isa::current()],
            (some, _) => some.to_vec(),
        }
    }

    /// Whether a dtype is selected.
    pub fn selects_dtype(&self, dtype: DType) -> bool {
        self.dtype.is_empty() || self.dtype.contains(&dtype)
    }

    /// Whether a pattern is selected.
    pub fn selects(&self, name: &str) -> bool {
        self.pattern.is_empty() || self.pattern.iter().any(|p| name.contains(p.as_str()))
    }
}

fn isa(text: &str) -> Result<Isa, String> {
    let isa = text.parse::<Isa>().map_err(|e| e.to_string())?;
    if isa <= Isa::current() && isa.is_available() {
        return Ok(isa);
    }
    let available: Vec<&str> = Isa::available().filter(|&isa| isa <= Isa::current()).map(Isa::name).collect();
    Err(format!(
        "{isa} is not available on this CPU or disabled by ELTWISE_ISA, expected one of: {}",
        available.join(" ")
    ))
}

fn dtype(text: &str) -> Result<DType, String> {
    text.parse::<DType>().map_err(|e| e.to_string())
}

const LAYOUTS_HELP: &str = "\
Examples:
  just layouts
  just layouts --size l2 --dtype f32 --pattern period
  just layouts --isa avx2 --isa avx512 --json layouts.json --budget 900
  just layouts --pattern transposed --explain

The factor is the pattern's time over the time of a contiguous operation of the same
operator and dtype with the same reads and writes: x + y, x + scalar, a fill, or two of
them, each over a part of the output. Both run in turn on one thread with regular stores,
over the same memory; the quietest rounds count. A * marks operands not in C order.";

const VALUES_HELP: &str = "\
Examples:
  just values
  just values --dtype f32 --pattern fmod
  just values --above 1.25

The factor is an operator's time over special values over its time over ordinary ones.";
