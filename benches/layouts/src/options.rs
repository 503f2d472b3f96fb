//! Command-line arguments of `layouts`, `values`, `survey` and `fit_cost`.

use std::path::PathBuf;

use clap::{Args, Parser};
use eltwise::{DType, Isa};

use crate::size::Size;
use crate::survey::case::{Mode, Selection};

/// Times unusual layouts relative to contiguous operations with the same reads and writes.
#[derive(Parser, Debug)]
#[command(name = "layouts", version, after_help = LAYOUTS_HELP)]
pub struct Layouts {
    /// The options of `layouts` and `values`.
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
    /// The options of `layouts` and `values`.
    #[command(flatten)]
    pub common: Common,
    /// Print only factors of at least this
    #[arg(long, value_name = "FACTOR", default_value_t = 0.0)]
    pub above: f64,
}

/// Times random layouts relative to contiguous operations that move the same cache lines.
#[derive(Parser, Debug)]
#[command(name = "survey", version, after_help = SURVEY_HELP)]
pub struct Survey {
    /// Seed of the layouts; the same seed gives the same layouts
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Number of layouts
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub cases: usize,
    /// Elements of a result, about
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = elements)]
    pub elements: usize,
    /// The operation
    #[arg(long, value_enum, default_value_t = Mode::Binary)]
    pub mode: Mode,
    /// Element types, which take turns
    #[arg(long, value_name = "DTYPES", value_delimiter = ',', value_parser = dtype, default_value = "f32,u8,f16,f64")]
    pub dtypes: Vec<DType>,
    /// Instruction set; may be repeated [default: the best of this CPU]
    #[arg(long, value_name = "ISA", value_parser = isa)]
    pub isa: Vec<Isa>,
    /// Seconds of measurements per case, at least three rounds; half of it for each call of a peer
    #[arg(long, value_name = "SECONDS", default_value_t = 0.15)]
    pub budget: f64,
    /// Print this many cases with the largest factors, with their strides in bytes and their plans
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub worst: usize,
    /// Write every figure to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Exit with 1 when the 99th percentile of the factors of runs is above this
    #[arg(long, value_name = "P99")]
    pub bar: Option<f64>,
    /// Run everything once and compare every element with the reference, without timing
    #[arg(long)]
    pub check: bool,
    /// Only the case with this number
    #[arg(long, value_name = "I")]
    pub case: Option<usize>,
    /// Print the plan of every case, and time nothing
    #[arg(long, conflicts_with = "check")]
    pub explain: bool,
    /// Time the first call of each case, all cases in turn, instead of repeated calls
    #[arg(long)]
    pub cold: bool,
    /// Also time NumPy, and PyTorch if installed, with this Python interpreter
    #[arg(long, value_name = "PYTHON", conflicts_with = "cold")]
    pub peers: Option<PathBuf>,
    /// Print the tables as Markdown
    #[arg(long)]
    pub markdown: bool,
}

/// Measures the constants of the cost model of layouts on this machine, and prints them.
#[derive(Parser, Debug)]
#[command(name = "fit_cost", version, after_help = FIT_COST_HELP)]
pub struct FitCost {
    /// Seed of the layouts
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Number of small cases of each mode of `survey`; there are fewer large ones
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub cases: usize,
    /// Instruction set; may be repeated [default: all of this CPU but scalar]
    #[arg(long, value_name = "ISA", value_parser = isa)]
    pub isa: Vec<Isa>,
    /// Seconds of measurements per plan, at least three rounds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.008)]
    pub budget: f64,
    /// Print this many cases for which the fitted model chooses a slow way
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub worst: usize,
}

impl FitCost {
    /// The selected ISAs.
    pub fn isas(&self) -> Vec<Isa> {
        let all = || Isa::available().filter(|&isa| isa <= Isa::current() && isa != Isa::Scalar).collect();
        if self.isa.is_empty() { all() } else { self.isa.clone() }
    }
}

impl Survey {
    /// The selected ISAs, as [`Common::isas`].
    pub fn isas(&self) -> Vec<Isa> {
        isas(&self.isa, self.check)
    }

    /// The parameters of the cases.
    pub fn selection(&self) -> Selection {
        Selection { seed: self.seed, elements: self.elements, dtypes: self.dtypes.clone(), mode: self.mode }
    }

    /// The line above the tables.
    pub fn title(&self, isa: Isa) -> String {
        let Survey { mode, elements, seed, .. } = self;
        let calls = if self.cold { "first calls" } else { "repeated calls" };
        format!("`{mode}`, {elements} elements, seed {seed}, {isa}, {calls}")
    }
}

/// The options of `layouts` and `values`.
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
        isas(&self.isa, self.check)
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

fn isas(selected: &[Isa], check: bool) -> Vec<Isa> {
    match (selected, check) {
        ([], true) => Isa::available().filter(|&isa| isa <= Isa::current()).collect(),
        ([], false) => vec![Isa::current()],
        (some, _) => some.to_vec(),
    }
}

/// A number of elements for which half of the random results are large enough.
fn elements(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(elements @ MIN_ELEMENTS..) => Ok(elements),
        _ => Err(format!("expected a number of at least {MIN_ELEMENTS}")),
    }
}

/// The smallest number of elements of `survey`.
const MIN_ELEMENTS: usize = 1000;

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

const FIT_COST_HELP: &str = "\
Examples:
  just fit-cost
  just fit-cost --cases 40 --isa avx512

Random layouts run in every way that the planner has, for some minutes. The constants are
fitted to the times of half of the layouts, from the row of this CPU on. The other half shows
how well the rows predict: the error is the predicted time over the measured one, or the
inverse; \"chosen way / fastest\" is the time of the way that the planner would choose over
the time of the fastest. Constants that no plan of the ISAs depends on stay as they are: those
of vectors of 64 bytes on a CPU without them, and `index`, which is the time of planning.";

const SURVEY_HELP: &str = "\
Examples:
  just survey
  just survey --elements 60000 --mode where --worst 20
  just survey --cold --bar 3
  just survey --case 17 --explain
  just survey --peers /tmp/peers/bin/python --markdown

The factor is the time of a random layout over the time of the same operation over
contiguous operands, for the same number of cache lines: of a run whose plan was made
before, and of planning and running in each call.";
