//! The program `eltwise`: evaluates and explains elementwise expressions over arrays in files.
//!
//! | question | module |
//! |---|---|
//! | which subcommands and options are there? | [`args`] |
//! | what do the subcommands do? | [`eval`], [`plan`], [`info`] |
//! | what is `NAME=VALUE`, and its `DTYPE:NUMBER`? | [`operand`], [`scalar`] |
//! | how are arrays read from and written to files? | [`files`] |
//! | how does a run walk over files larger than memory? | [`stream`] |
//! | on which threads does a run go, and how far is it? | [`threads`] |
//! | what if a run is interrupted? | [`signals`] |
//! | how fast is this machine, and the library on it? | [`bench`], [`caches`] |
//! | are the math kernels right? | `verify`, with the feature of that name |
//! | how is a result printed, and an error? | [`elements`], [`report`], [`error`] |

// They panic where the stream takes nothing; what is said goes through `report`.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod bench;
mod caches;
mod elements;
mod error;
mod eval;
mod expression;
mod files;
mod info;
mod kernels;
mod operand;
mod plan;
mod report;
mod scalar;
mod signals;
mod stream;
mod threads;
#[cfg(feature = "verify")]
mod verify;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};
use crate::report::{Report, aside};

fn main() -> ExitCode {
    signals::limits_are_errors();
    let cli = Cli::parse();
    let mut report = Report::default();
    let mut code = 0;
    let done = match &cli.command {
        Command::Eval(args) => eval::run(args, &mut report),
        Command::Plan(args) => plan::run(args, &mut report),
        Command::Info(args) => info::run(args, &mut report),
        Command::Bench(args) => bench::run(args, &mut report).map(|found| code = found),
        #[cfg(feature = "verify")]
        Command::Verify(args) => verify::run(args, &mut report).map(|passes| code = u8::from(!passes)),
    };
    match done.and_then(|()| report.finish()) {
        Ok(()) => ExitCode::from(code),
        Err(e) => {
            aside(format_args!("error: {e}"));
            ExitCode::from(2)
        }
    }
}
