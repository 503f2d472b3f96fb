//! The arguments of both programs.

use std::path::PathBuf;

use clap::{Args, Parser};
use eltwise::{DType, Isa};

use crate::size::Size;

/// Times odd layouts beside contiguous operations with the same reads and writes.
#[derive(Parser, Debug)]
#[command(name = "layouts", version, after_help = LAYOUTS_HELP)]
pub struct Layouts {
    /// What both programs take.
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
    /// Let outputs beyond the caches be streamed, where the library does that for outputs that it is given; else all stores are
    /// regular
    #[arg(long)]
    pub streams: bool,
}

/// Times values that some processors are slow with beside ordinary ones.
#[derive(Parser, Debug)]
#[command(name = "values", version, after_help = VALUES_HELP)]
pub struct Values {
    /// What both programs take.
    #[command(flatten)]
    pub common: Common,
    /// Print only factors above this
    #[arg(long, value_name = "FACTOR", default_value_t = 0.0)]
    pub above: f64,
}

/// The arguments that both programs take.
#[derive(Args, Debug)]
pub struct Common {
    /// Instruction set; may be repeated [default: the best of this CPU]
    #[arg(long, value_name = "ISA", value_parser = isa)]
    pub isa: Vec<Isa>,
    /// Element type; may be repeated [default: all that a pattern has]
    #[arg(long, value_name = "DTYPE", value_parser = dtype)]
    pub dtype: Vec<DType>,
    /// Only patterns (operators) whose name contains this; may be repeated
    #[arg(long, value_name = "SUBSTRING")]
    pub pattern: Vec<String>,
    /// Seconds for all measurements together; each gets an equal share and three rounds at least
    #[arg(long, value_name = "SECONDS", default_value_t = 240.0)]
    pub budget: f64,
    /// Write every figure to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Run everything once over little memory, compare every element with the oracle, time nothing
    #[arg(long)]
    pub check: bool,
}

impl Common {
    /// The levels asked for, or the best one.
    pub fn isas(&self) -> Vec<Isa> {
        match (&self.isa[..], self.check) {
            ([], true) => Isa::available().filter(|&isa| isa <= Isa::current()).collect(),
            ([], false) => vec![Isa::current()],
            (some, _) => some.to_vec(),
        }
    }

    /// Whether a dtype is asked for.
    pub fn wants_dtype(&self, dtype: DType) -> bool {
        self.dtype.is_empty() || self.dtype.contains(&dtype)
    }

    /// Whether a name is asked for.
    pub fn wants(&self, name: &str) -> bool {
        self.pattern.is_empty() || self.pattern.iter().any(|p| name.contains(p.as_str()))
    }
}

fn isa(text: &str) -> Result<Isa, String> {
    let isa = text.parse::<Isa>().map_err(|e| e.to_string())?;
    if isa <= Isa::current() && isa.is_available() {
        return Ok(isa);
    }
    let available: Vec<&str> = Isa::available().filter(|&isa| isa <= Isa::current()).map(Isa::name).collect();
    Err(format!("this CPU has no {isa}, or ELTWISE_ISA lowers it; there is {}", available.join(" ")))
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

The factor is the pattern's time over that of a contiguous operation of the same
operator and dtype with the same reads and writes: x + y, x + value, a fill, or two of
them, each over a part. Both run on one thread with regular stores, over the same
memory, in turn; the quietest rounds count. A * marks operands that are not in C order.";

const VALUES_HELP: &str = "\
Examples:
  just values
  just values --dtype f32 --pattern fmod
  just values --above 1.25

The factor is an operator's time over special values over its time over ordinary ones.";
