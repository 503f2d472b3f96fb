//! `eltwise verify`: compares the math kernels of this machine with the oracle. The entry point is [`run`].
//!
//! | module | contents |
//! |---|---|
//! | [`args`] | options |
//! | [`job`] | one verification: function, dtype, tier and kernels |
//! | [`inputs`], [`boundary_inputs`] | the inputs |
//! | [`compare`], [`outcome`], [`job_result`] | comparison with the oracle, and its results |
//! | [`function_properties`] | parity, monotonicity and range of results, without the oracle |
//! | [`timing`] | time per element |
//! | [`table`], [`json`], [`markdown`] | output |
//! | [`published_errors`] | errors that other libraries publish, for the Markdown page |

pub(crate) mod args;
mod boundary_inputs;
mod compare;
mod function_properties;
mod inputs;
mod job;
mod job_result;
mod json;
mod markdown;
mod outcome;
mod published_errors;
mod table;
#[cfg(test)]
mod tests;
mod timing;

use std::fs;
use std::path::{Path, PathBuf};

use eltwise::{Accuracy, Isa};
use eltwise_oracle::Function;
use indicatif::{ProgressBar, ProgressStyle};

use crate::error::{CliError, Result};
use crate::option_values::excluded;
use crate::report::Report;

use self::args::Verify;
use self::inputs::Inputs;
use self::job::{DTYPES, Job};
use self::job_result::JobResult;
use self::outcome::Outcome;

/// Runs the subcommand. Returns whether every job passes.
pub(crate) fn run(args: &Verify, report: &mut Report) -> Result<bool> {
    if let Some(why) = args.isa.iter().find_map(|&isa| excluded(isa)) {
        let allowed: Vec<&str> = allowed().map(Isa::name).collect();
        return Err(CliError::Argument(format!("{why}; expected one of {}", allowed.join(" "))));
    }
    let groups = jobs(args);
    if groups.is_empty() {
        return Err(CliError::Argument("this build has none of these kernels".to_string()));
    }
    let known = known(&args.resume)?;
    report.line(table::header());
    let mut done: Vec<JobResult> = Vec::new();
    for jobs in groups {
        let found = verify_jobs(args, &jobs, &known);
        for v in &found {
            report.line(table::row(v));
            v.outcome.first.iter().for_each(|failure| report.line(table::failure(v, failure)));
            table::violations(v).inspect(|line| report.line(line));
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

/// Verifies the jobs of one function and dtype, unless `known` has their results. If a quick run passes, the result of an
/// earlier run with more inputs and the same bits replaces its result.
fn verify_jobs(args: &Verify, jobs: &[Job], known: &[JobResult]) -> Vec<JobResult> {
    let inputs = Inputs::of(jobs[0].function, jobs[0].dtype, args.quick).with_exact(jobs[0].function);
    let bits: Vec<u64> = jobs.iter().map(compare::result_hash).collect();
    let same = jobs.iter().zip(&bits).map(|(job, &bits)| known.iter().find(|v| v.answers(job, bits, inputs.len())));
    let outcomes: Option<Vec<_>> = same.map(|v| v.map(|v| v.outcome.clone())).collect();
    let outcomes = outcomes.unwrap_or_else(|| {
        let bar = bar(&jobs[0], inputs.len());
        let threads = args.threads.get();
        let mut outcomes = compare::verify(jobs, &inputs, threads, &|blocks| bar.set_position(blocks));
        for (job, outcome) in jobs.iter().zip(&mut outcomes) {
            outcome.violations = function_properties::check(job, &inputs, threads);
        }
        bar.finish_and_clear();
        outcomes
    });
    let row = |((job, bits), outcome): ((&Job, u64), Outcome)| {
        let found = JobResult::new(job, bits, outcome);
        let larger = known.iter().filter(|v| v.covers_more(job, bits, inputs.len())).max_by_key(|v| v.outcome.inputs);
        let chosen = if args.quick && found.passes() { larger.cloned() } else { None };
        let times = if args.markdown.is_some() { timing::ns_per_element(job) } else { Vec::new() };
        JobResult { times, ..chosen.unwrap_or(found) }
    };
    jobs.iter().zip(bits).zip(outcomes).map(row).collect()
}

/// Reads the results of earlier runs.
fn known(files: &[PathBuf]) -> Result<Vec<JobResult>> {
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

/// The ISAs of this CPU, up to `ELTWISE_ISA`.
fn allowed() -> impl Iterator<Item = Isa> {
    Isa::available().filter(|&isa| excluded(isa).is_none())
}

/// The selected jobs that have kernels. The tiers of a function and dtype are in one group.
fn jobs(args: &Verify) -> Vec<Vec<Job>> {
    let isas: Vec<Isa> = if args.isa.is_empty() { allowed().collect() } else { args.isa.clone() };
    let tiers = if args.tier.is_empty() { &Accuracy::ALL[..] } else { &args.tier };
    let dtypes = if args.dtype.is_empty() { &DTYPES[..] } else { &args.dtype };
    let functions = if args.function.is_empty() { Function::ALL } else { &args.function };
    let mut groups: Vec<Vec<Job>> = Vec::new();
    for &function in functions {
        for &dtype in dtypes {
            groups.push(tiers.iter().filter_map(|&tier| Job::new(function, dtype, tier, &isas)).collect());
        }
    }
    groups.retain(|jobs| !jobs.is_empty());
    groups
}

/// A progress bar of blocks, drawn if standard error is a terminal.
fn bar(job: &Job, inputs: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:16} {bar:40} {percent:>3}%  {elapsed}, {eta} left");
    let name = format!("{} {}", job.function, job.dtype);
    ProgressBar::new(inputs.div_ceil(inputs::BLOCK as u64))
        .with_style(style.unwrap_or(ProgressStyle::default_bar()))
        .with_prefix(name)
}
