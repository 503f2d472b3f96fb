//! `eltwise verify`: the math kernels of this machine against exact values.
//!
//! | question | module |
//! |---|---|
//! | what is verified, and what must hold? | [`job`] |
//! | at which inputs? | [`inputs`], [`borders`] |
//! | how are results compared, and counted? | [`engine`], [`outcome`] |
//! | how long does an element take? | [`time`] |
//! | how is it written? | [`table`], [`json`], [`markdown`], with what others publish in [`anchors`] |

mod anchors;
pub(crate) mod args;
mod borders;
mod engine;
mod inputs;
mod job;
mod json;
mod markdown;
mod outcome;
mod table;
#[cfg(test)]
mod tests;
mod time;

use std::fs;
use std::path::Path;

use eltwise::Isa;
use eltwise_oracle::Function;
use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{CliError, Result};
use crate::report::Report;

use self::args::Verify;
use self::inputs::Inputs;
use self::job::{DTYPES, Job, Tier};
use self::outcome::Outcome;

/// A job that is done.
struct Verified {
    job: Job,
    outcome: Outcome,
    /// The name of a level, and ns an element.
    times: Vec<(&'static str, f64)>,
}

/// Verifies, and says whether all passes.
pub(crate) fn run(args: &Verify, report: &mut Report) -> Result<bool> {
    let all = jobs(args);
    if all.is_empty() {
        return Err(CliError::Argument("this build has none of these kernels".to_string()));
    }
    report.line(table::header());
    let mut done = Vec::new();
    for jobs in all {
        let inputs = Inputs::of(jobs[0].function, jobs[0].dtype, args.quick);
        let bar = bar(&jobs[0], inputs.len());
        let outcomes = engine::verify(&jobs, &inputs, args.threads.get(), &|blocks| bar.set_position(blocks));
        bar.finish_and_clear();
        for (job, outcome) in jobs.into_iter().zip(outcomes) {
            let times = if args.markdown.is_some() { time::all(&job) } else { Vec::new() };
            report.line(table::row(&job, &outcome));
            outcome.first.iter().for_each(|failure| report.line(table::failure(&job, failure)));
            done.push(Verified { job, outcome, times });
        }
    }
    let failed = done.iter().filter(|v| !v.outcome.passes()).count();
    report.line(format_args!("{} of {} pass", done.len() - failed, done.len()));
    if let Some(path) = &args.json {
        write(path, &json::text(&done))?;
    }
    if let Some(path) = &args.markdown {
        write(path, &markdown::page(&done, args.quick))?;
    }
    Ok(failed == 0)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|e| CliError::io(path, &e))
}

/// What was asked for, as far as there are kernels; the tiers of a function and a dtype together.
fn jobs(args: &Verify) -> Vec<Vec<Job>> {
    let isas: Vec<Isa> = if args.isa.is_empty() { Isa::available().collect() } else { args.isa.clone() };
    let tiers = if args.tier.is_empty() { &Tier::ALL[..] } else { &args.tier };
    let dtypes = if args.dtype.is_empty() { &DTYPES[..] } else { &args.dtype };
    let functions = if args.function.is_empty() { Function::ALL } else { &args.function };
    let mut all: Vec<Vec<Job>> = Vec::new();
    for &function in functions {
        for &dtype in dtypes {
            all.push(tiers.iter().filter_map(|&tier| Job::new(function, dtype, tier, &isas)).collect());
        }
    }
    all.retain(|jobs| !jobs.is_empty());
    all
}

/// A bar of blocks, on a terminal.
fn bar(job: &Job, inputs: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:16} {bar:40} {percent:>3}%  {elapsed}, {eta} left");
    let name = format!("{} {}", job.function, job.dtype);
    ProgressBar::new(inputs.div_ceil(engine::BLOCK as u64))
        .with_style(style.unwrap_or(ProgressStyle::default_bar()))
        .with_prefix(name)
}
