//! The command-line tool `eltwise`: evaluates and explains elementwise expressions over arrays in files, and measures and
//! verifies the library on this machine.
//!
//! [`args`] parses the command line. [`main`] calls the `run` function of one subcommand and turns its result into an exit
//! code: 0 for success, 2 for an error. `bench` exits with 3 for a regression and `verify` with 1 for a failure.
//!
//! `eltwise eval` goes through these steps:
//!
//! 1. [`expression::Evaluation`] parses the expressions, opens the operands that they name ([`operand`], [`files`]), and
//!    types the program.
//! 2. `Evaluation::plan` binds the program to the layouts of whole operands. The plan gives the layouts of the results.
//! 3. [`piecewise::PiecewiseEval`] splits the results into pieces that fit in the cache, so that files may be larger than
//!    memory.
//! 4. [`threads::Threads`] hands out the pieces. Each worker reads its part of the inputs, runs a plan, and writes its part
//!    of the results ([`files::output`]).
//!
//! | module | contents |
//! |---|---|
//! | [`args`], [`option_values`] | subcommands, options, help texts; parsers of the options' values |
//! | [`eval`], [`plan`], [`info`] | the subcommands of these names; [`kernel_table`] prints the table of `info --kernels` |
//! | [`expression`] | expressions with their operands; binding |
//! | [`operand`], [`scalar`] | `NAME=VALUE` operands; `DTYPE:NUMBER` values |
//! | [`files`] | reading and writing `.npy` and `.safetensors` |
//! | [`piecewise`] | out-of-core evaluation |
//! | [`threads`], [`signals`] | worker threads and the progress bar; cleanup when a run is interrupted |
//! | [`bench`] | `eltwise bench` |
//! | [`cpu`], [`caches`] | the CPU's name and cache sizes, for reports |
//! | `verify` | `eltwise verify`: the math kernels against the oracle, with the feature `verify` |
//! | [`report`], [`preview`], [`error`] | standard output and error, units; the first elements of a result; error texts |

// `print!` panics if standard output is closed or full. All output goes through `report` instead.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod bench;
mod caches;
mod cpu;
mod error;
mod eval;
mod expression;
mod files;
mod info;
mod kernel_table;
mod operand;
mod option_values;
mod piecewise;
mod plan;
mod preview;
mod report;
mod scalar;
mod signals;
mod threads;
#[cfg(feature = "verify")]
mod verify;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::report::{Report, stderr_line};

fn main() -> ExitCode {
    signals::ignore_file_size_signal();
    let cli = Cli::parse();
    let mut report = Report::default();
    let mut code = 0;
    let done = match &cli.command {
        Command::Eval(args) => eval::run(args, &mut report),
        Command::Plan(args) => plan::run(args, &mut report),
        Command::Info(args) => info::run(args, &mut report),
        Command::Bench(args) => bench::run(args, &mut report).map(|bench_code| code = bench_code),
        #[cfg(feature = "verify")]
        Command::Verify(args) => verify::run(args, &mut report).map(|passes| code = u8::from(!passes)),
    };
    match done.and_then(|()| report.finish()) {
        Ok(()) => ExitCode::from(code),
        Err(e) => {
            stderr_line(format_args!("error: {e}"));
            ExitCode::from(2)
        }
    }
}
