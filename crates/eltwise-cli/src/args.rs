//! The command line: subcommands, options, help.

use std::num::NonZeroUsize;

use clap::{Args, Parser, Subcommand, ValueEnum};
use eltwise::{Accuracy, Isa};

/// Evaluates elementwise expressions over arrays in files, with SIMD kernels.
#[derive(Parser, Debug)]
#[command(name = "eltwise", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Evaluate an expression over arrays
    #[command(after_help = EVAL_HELP)]
    Eval(Eval),
    /// Explain how an expression would run, and run nothing
    #[command(after_help = PLAN_HELP)]
    Plan(Plan),
    /// Show the CPU, the instruction sets, the caches and the kernels
    #[command(after_help = INFO_HELP)]
    Info(Info),
    /// Measure this machine's limits, and how near the library comes to them
    #[command(after_help = crate::bench::args::HELP)]
    Bench(crate::bench::args::Bench),
    /// Compare the math kernels with exact values, on every instruction set of this CPU
    #[cfg(feature = "verify")]
    #[command(after_help = crate::verify::args::HELP)]
    Verify(crate::verify::args::Verify),
}

/// `eltwise eval`.
#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The expression, such as "(cast(img, f32) - mean) / std"; several with ";" between
    #[arg(allow_hyphen_values = true, value_parser = expression)]
    pub(crate) expr: String,
    /// NAME=FILE.npy, NAME=FILE.safetensors:TENSOR or NAME=DTYPE:NUMBER
    #[arg(value_name = "NAME=VALUE", value_parser = binding)]
    pub(crate) operands: Vec<Binding>,
    /// FILE.npy or FILE.safetensors[:TENSOR], one for each expression
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) outputs: Vec<String>,
    /// Threads to use [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Do not print the plan
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) options: Options,
}

/// `eltwise plan`.
#[derive(Args, Debug)]
pub(crate) struct Plan {
    /// The expression, such as "a + b * 2"
    #[arg(allow_hyphen_values = true, value_parser = expression)]
    pub(crate) expr: String,
    /// NAME=DTYPE[SHAPE], NAME=DTYPE[SHAPE]:strides[BYTES], or what `eval` takes
    #[arg(value_name = "NAME=VALUE", value_parser = binding)]
    pub(crate) operands: Vec<Binding>,
    #[command(flatten)]
    pub(crate) options: Options,
}

/// Options of `eval` and `plan`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Use at most this instruction set, such as avx2; lowered if the CPU lacks it
    #[arg(long, value_name = "ISA", value_parser = isa)]
    pub(crate) isa: Option<Isa>,
    /// Math functions: fast (1 ULP) or exact (correctly rounded)
    #[arg(long, value_name = "TIER", value_parser = accuracy, default_value = "fast")]
    pub(crate) accuracy: Accuracy,
    /// Strict reading: operands of one operator have one dtype, and numbers fit it
    #[arg(long)]
    pub(crate) typed: bool,
    /// Round a * b + c, a * b - c and c - a * b of floats once
    #[arg(long)]
    pub(crate) contract: bool,
    /// The result's axis order: K as the inputs, C last axis fastest
    #[arg(long, value_enum, default_value_t = Order::K, hide_possible_values = true)]
    pub(crate) order: Order,
}

/// The axis order of an output.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// As the inputs
    #[value(name = "K")]
    K,
    /// Last axis fastest
    #[value(name = "C")]
    C,
}

/// `eltwise info`.
#[derive(Args, Debug)]
pub(crate) struct Info {
    /// Print operator x dtype x ISA: own kernel or inherited from a lower ISA
    #[arg(long)]
    pub(crate) kernels: bool,
}

/// `NAME=VALUE` as it was given.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    /// The name in the expression.
    pub(crate) name: String,
    /// A file, a layout or a scalar; the front doors read it.
    pub(crate) value: String,
}

fn binding(text: &str) -> Result<Binding, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok(Binding { name: name.to_string(), value: value.to_string() })
        }
        _ => Err("expected NAME=VALUE, such as x=x.npy".to_string()),
    }
}

/// A level of another architecture has no lower level here that would stand for it.
pub(crate) fn isa(text: &str) -> Result<Isa, String> {
    let isa = text.parse::<Isa>().map_err(|e| e.to_string())?;
    if isa.is_native() {
        return Ok(isa);
    }
    let available: Vec<&str> = Isa::available().map(Isa::name).collect();
    Err(format!("this CPU has no {isa}; it has {}", available.join(" ")))
}

/// Why plans have no kernels of a level, where they have none.
pub(crate) fn excluded(isa: Isa) -> Option<String> {
    if !isa.is_available() {
        return Some(format!("this CPU has no {isa}"));
    }
    (isa > Isa::current()).then(|| format!("ELTWISE_ISA={} excludes {isa}", Isa::current()))
}

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number from 1 on".to_string())
}

fn accuracy(text: &str) -> Result<Accuracy, String> {
    text.parse::<Accuracy>().map_err(|e| e.to_string())
}

/// `-x` is an expression; `--x` is more likely an option that does not exist.
fn expression(text: &str) -> Result<String, String> {
    if text.starts_with("--") {
        return Err("no such option (an expression that begins with two signs is written as -(-x))".to_string());
    }
    Ok(text.to_string())
}

const EXAMPLES: &str = "\
Examples:
  eltwise eval \"(cast(img, f32) - mean) / std\" img=photo.npy mean=mean.npy std=std.npy -o out.npy
  eltwise plan \"a + b\" a=f32[8,64,56,56] b=f32[64,1,1]
  eltwise info --kernels";

const EVAL_HELP: &str = "\
Examples:
  eltwise eval \"a + b\" a=a.npy b=b.npy -o sum.npy
  eltwise eval \"(cast(img, f32) - mean) / std\" img=i.npy mean=m.npy std=s.npy -o o.npy
  eltwise eval \"maximum(w, lo)\" w=model.safetensors:layer.0.weight lo=f32:0.5
  eltwise eval \"x * 2\" x=x.npy -o x.npy
  eltwise eval \"sin(x); cos(x)\" x=x.npy -o sin.npy -o cos.npy
  eltwise eval --isa avx2 --threads 1 \"a / b\" a=a.npy b=b.npy -o q.safetensors:q

Operands broadcast as in NumPy, and their dtypes promote as in NumPy 2: i64 + 0.5 is f64,
and / of integers is true division. With --typed nothing promotes: an operator takes one
dtype, cast() changes it, and / of integers rounds toward zero. A name of an operand wins
over the constants pi, e, inf, nan, true and false.
A tensor's name may be left out when its file has one tensor. Files may be larger than
memory: they are read and written in pieces. An output appears under its name when it
is complete, so it may replace an input; it has the mode of the file that it replaces, and
the owner and group as far as the user may give them. A .safetensors output holds one
tensor, named out, or as in the file that it replaces, unless -o says otherwise. It keeps
that file's metadata, and does not replace a file with other tensors. Without -o the
first elements are printed. The last line of each result tells the ISA, the threads, the
time of the run with reading and writing, and the bytes of inputs and outputs a second.

A NUMBER is what an expression takes as a literal of the DTYPE: it must fit. An ISA of
this architecture that the CPU lacks is lowered with a note on standard error; another
architecture's is an error (see `eltwise info`).";

const PLAN_HELP: &str = "\
Examples:
  eltwise plan \"a + b\" a=f32[8,64,56,56] b=f32[64,1,1]
  eltwise plan \"a + b\" a=f32[2048,2048]:strides[4,8192] b=f32[2048,2048]
  eltwise plan --isa avx2 \"sqrt(x)\" x=x.npy

Strides are in bytes and may be 0 or negative. Of a file only the header is read.";

const INFO_HELP: &str = "\
Examples:
  eltwise info
  eltwise info --kernels
  ELTWISE_ISA=avx2 eltwise info

ELTWISE_ISA only lowers the choice.";
