//! The command line: subcommands, options and help texts. [`Cli`] is the parsed form.

use std::num::NonZeroUsize;

use clap::{Args, Parser, Subcommand, ValueEnum};
use eltwise::{Accuracy, Isa};

use crate::option_values::{Binding, accuracy, binding, expression, isa, threads};

/// Evaluate elementwise expressions over arrays in files, with SIMD kernels
#[derive(Parser, Debug)]
#[command(name = "eltwise", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Evaluate an expression over arrays
    #[command(after_help = EVAL_HELP)]
    Eval(Eval),
    /// Explain how an expression would run, without running it
    #[command(after_help = PLAN_HELP)]
    Plan(Plan),
    /// Show the CPU, the instruction sets, the caches and the kernels
    #[command(after_help = INFO_HELP)]
    Info(Info),
    /// Measure this machine's limits, and how close the library comes to them
    #[command(after_help = crate::bench::args::HELP)]
    Bench(crate::bench::args::Bench),
    /// Compare the math kernels with correctly rounded results, on every instruction set
    #[cfg(feature = "verify")]
    #[command(after_help = crate::verify::args::HELP)]
    Verify(crate::verify::args::Verify),
}

/// The arguments of `eltwise eval`.
#[derive(Args, Debug)]
pub(crate) struct Eval {
    /// The expression, such as "(cast(img, f32) - mean) / std"; ";" separates several
    #[arg(allow_hyphen_values = true, value_parser = expression)]
    pub(crate) expr: String,
    /// NAME=FILE.npy, NAME=FILE.safetensors:TENSOR or NAME=DTYPE:NUMBER
    #[arg(value_name = "NAME=VALUE", value_parser = binding)]
    pub(crate) operands: Vec<Binding>,
    /// Write to FILE.npy or FILE.safetensors[:TENSOR]; one -o per expression
    #[arg(short, long = "output", value_name = "FILE")]
    pub(crate) outputs: Vec<String>,
    /// Use N threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Do not print the plan
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) options: Options,
}

/// The arguments of `eltwise plan`.
#[derive(Args, Debug)]
pub(crate) struct Plan {
    /// The expression, such as "a + b * 2"
    #[arg(allow_hyphen_values = true, value_parser = expression)]
    pub(crate) expr: String,
    /// NAME=DTYPE[SHAPE], NAME=DTYPE[SHAPE]:strides[BYTES], or an operand as for `eval`
    #[arg(value_name = "NAME=VALUE", value_parser = binding)]
    pub(crate) operands: Vec<Binding>,
    #[command(flatten)]
    pub(crate) options: Options,
}

/// The options that `eval` and `plan` share.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Use at most this instruction set, such as avx2; lowered if the CPU lacks it
    #[arg(long, value_name = "ISA", value_parser = isa)]
    pub(crate) isa: Option<Isa>,
    /// Math functions: fast (1 ULP) or correct (correctly rounded)
    #[arg(long, value_name = "TIER", value_parser = accuracy, default_value = "fast")]
    pub(crate) accuracy: Accuracy,
    /// No promotion: operands of an operator have one dtype; numbers must fit
    #[arg(long)]
    pub(crate) typed: bool,
    /// Round a * b + c, a * b - c and c - a * b of floats once (fused)
    #[arg(long)]
    pub(crate) contract: bool,
    /// Axis order of results: K (as inputs) or C (last axis fastest)
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

/// The arguments of `eltwise info`.
#[derive(Args, Debug)]
pub(crate) struct Info {
    /// Print operator x dtype x ISA: own kernel or inherited from a lower ISA
    #[arg(long)]
    pub(crate) kernels: bool,
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
and / of integers is true division. With --typed nothing promotes: the operands of an
operator have one dtype, cast() changes it, and / of integers rounds toward zero. Operand
names take precedence over the constants pi, e, inf, nan, true and false.

TENSOR may be omitted if the file has exactly one tensor. A NUMBER is a literal of the
expression language and must fit its DTYPE. Files may be larger than memory: they are read
and written in pieces.

An output file appears under its name when it is complete, so it may replace an input. It
keeps the permissions of the file that it replaces, and the owner and group if the system
allows it. A .safetensors output holds one tensor. Without :TENSOR the tensor has the name
of the tensor that it replaces, or out. The metadata of a replaced file is kept. A file
with other tensors is not replaced. Without -o the first elements are printed.

The last line for each result has its dtype and shape, the ISA, the threads, the run time
including reading and writing, and the bytes of inputs and outputs per second.

If this CPU lacks the instruction set of --isa, the next lower one is used, with a note on
standard error. An instruction set of a different architecture is an error. `eltwise info`
lists the instruction sets of this CPU.";

const PLAN_HELP: &str = "\
Examples:
  eltwise plan \"a + b\" a=f32[8,64,56,56] b=f32[64,1,1]
  eltwise plan \"a + b\" a=f32[2048,2048]:strides[4,8192] b=f32[2048,2048]
  eltwise plan --isa avx2 \"sqrt(x)\" x=x.npy

Strides are in bytes and may be 0 or negative. Only the headers of files are read.";

const INFO_HELP: &str = "\
Examples:
  eltwise info
  eltwise info --kernels
  ELTWISE_ISA=avx2 eltwise info

The environment variable ELTWISE_ISA limits the instruction set of every subcommand. It
can lower the default choice, but not raise it.";
