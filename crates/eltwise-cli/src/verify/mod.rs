//! `eltwise verify`: the math kernels of this machine against exact values.
//!
//! | question | module |
//! |---|---|
//! | what is verified, and what must hold? | [`job`] |
//! | at which inputs? | [`inputs`], [`borders`] |
//! | how are results compared, and counted? | [`engine`], [`outcome`], [`verified`] |
//! | have they the shape of the function: odd, rising, within bounds? | [`shape`] |
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
mod shape;
mod table;
#[cfg(test)]
mod tests;
mod time;
mod verified;

use std::fs;
use std::path::{Path, PathBuf};

use eltwise::{Accuracy, Isa};
use eltwise_oracle::Function;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::excluded;
use crate::error::{CliError, Result};
use crate::report::Report;

use self::args::Verify;
use self::inputs::Inputs;
use self::job::{DTYPES, Job};
use self::outcome::Outcome;
use self::verified::Verified;

/// Verifies, and says whether all passes.
pub(crate) fn run(args: &Verify, report: &mut Report) -> Result<bool> {
    if let Some(why) = args.isa.iter().find_map(|&isa| excluded(isa)) {
        let allowed: Vec<&str> = allowed().map(Isa::name).collect();
        return Err(CliError::Argument(format!("{why}; expected one of {}", allowed.join(" "))));
    }
    let all = jobs(args);
    if all.is_empty() {
        return Err(CliError::Argument("this build has none of these kernels".to_string()));
    }
    let known = known(&args.resume)?;
    report.line(table::header());
    let mut done: Vec<Verified> = Vec::new();
    for jobs in all {
        let found = one(args, &jobs, &known);
        for v in &found {
            report.line(table::row(v));
            v.outcome.first.iter().for_each(|failure| report.line(table::failure(v, failure)));
            table::breaks(v).inspect(|line| report.line(line));
        }
        done.extend(found);
        if let Some(path) = &args.json {
            write(path, &json::text(&done))?;
        }
    }
    let failed = done.iter().filter(|v| !v.passes()).count();
    report.line(format_args!("{} of {} pass", done.len() - failed, done.len()));
    if let Some(path) = &args.markdown {
        write(path, &markdown::page(&done, args.quick))?;
    }
    Ok(failed == 0)
}

/// Verifies the jobs of one function and dtype, but those that are known. What earlier runs found at more inputs stands instead of what a
/// quick one finds, if that passes.
fn one(args: &Verify, jobs: &[Job], known: &[Verified]) -> Vec<Verified> {
    let inputs = Inputs::of(jobs[0].function, jobs[0].dtype, args.quick).with_exact(jobs[0].function);
    let bits: Vec<u64> = jobs.iter().map(engine::bits).collect();
    let same = jobs.iter().zip(&bits).map(|(job, &bits)| known.iter().find(|v| v.answers(job, bits, inputs.len())));
    let outcomes: Option<Vec<_>> = same.map(|v| v.map(|v| v.outcome.clone())).collect();
    let outcomes = outcomes.unwrap_or_else(|| {
        let bar = bar(&jobs[0], inputs.len());
        let threads = args.threads.get();
        let mut outcomes = engine::verify(jobs, &inputs, threads, &|blocks| bar.set_position(blocks));
        for (job, outcome) in jobs.iter().zip(&mut outcomes) {
            outcome.breaks = shape::check(job, &inputs, threads);
        }
        bar.finish_and_clear();
        outcomes
    });
    let row = |((job, bits), outcome): ((&Job, u64), Outcome)| {
        let found = Verified::new(job, bits, outcome);
        let more = known.iter().filter(|v| v.says_more(job, bits, inputs.len())).max_by_key(|v| v.outcome.inputs);
        let chosen = if args.quick && found.passes() { more.cloned() } else { None };
        let times = if args.markdown.is_some() { time::all(job) } else { Vec::new() };
        Verified { times, ..chosen.unwrap_or(found) }
    };
    jobs.iter().zip(bits).zip(outcomes).map(row).collect()
}

/// What earlier runs found.
fn known(files: &[PathBuf]) -> Result<Vec<Verified>> {
    let mut known = Vec::new();
    for path in files {
        let text = fs::read_to_string(path).map_err(|e| CliError::io(path, &e))?;
        known.extend(json::read(&text).map_err(|e| CliError::file(path, e))?);
    }
    Ok(known)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|e| CliError::io(path, &e))
}

/// The levels of this CPU, up to that of `ELTWISE_ISA`.
fn allowed() -> impl Iterator<Item = Isa> {
    Isa::available().filter(|&isa| excluded(isa).is_none())
}

/// What was asked for, as far as there are kernels; the tiers of a function and a dtype together.
fn jobs(args: &Verify) -> Vec<Vec<Job>> {
    let isas: Vec<Isa> = if args.isa.is_empty() { allowed().collect() } else { args.isa.clone() };
    let tiers = if args.tier.is_empty() { &Accuracy::ALL[..] } else { &args.tier };
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
