//! `eltwise eval`: evaluate an expression over arrays.

use std::time::{Duration, Instant};

use eltwise::{Executor, Plan, Status, View, ViewMut};

use crate::args::Eval;
use crate::elements;
use crate::error::{CliError, Result};
use crate::expression::Bound;
use crate::files::map::{self, Pages};
use crate::files::{Place, output::Output};
use crate::operand::Takes;
use crate::report::{Report, count, duration, speed};
use crate::threads::{Threads, cpus};

/// A run is cut into pieces of about this size: a progress bar moves, and mapped memory is given back behind the run.
const PIECE: usize = 512 << 10;
/// At most so many pieces.
const MOST_PIECES: usize = 128;

/// Evaluates, writes or prints the result, and reports.
pub(crate) fn run(args: &Eval, report: &mut Report) -> Result<()> {
    let place = |text: &String| Place::parse(text).map_err(|why| CliError::file(text.as_ref(), why));
    let place = args.output.as_ref().map(place).transpose()?;
    let bound = Bound::new(&args.expr, &args.operands, Takes::Data, args.options.accuracy)?;
    let plan = bound.plan(&args.options, |l| place.as_ref().is_none_or(|p| Output::holds(p.format, l)))?;
    let [layout] = plan.output_layouts() else {
        return Err(CliError::Argument(format!(
            "the expression has {} results, expected 1",
            plan.output_layouts().len()
        )));
    };
    let inputs = bound.operands.iter().map(|o| o.view()).collect::<Result<Vec<_>>>()?;
    let mut pages: Vec<Pages<'_>> = bound.operands.iter().filter_map(|o| o.pages()).collect();
    let mut executor = Threads::new(args.threads.map_or_else(cpus, usize::from), pieces(&plan));
    if !args.quiet {
        report.line(plan.explain(executor.width()).to_string().trim_end());
    }

    let (name, run) = match &place {
        Some(place) => {
            let mut output = Output::create(place, layout)?;
            let (view, written) = output.view()?;
            pages.push(written);
            executor.release_behind(pages);
            let run = timed(&plan, &inputs, view, executor)?;
            output.finish()?;
            (place.path.display().to_string(), run)
        }
        None => {
            let mut memory = map::anonymous(layout.shape().bytes(layout.dtype().size())?)?;
            executor.release_behind(pages);
            let run = timed(&plan, &inputs, ViewMut::from_bytes(&mut memory, layout.clone(), 0)?, executor)?;
            report.line(elements::first(layout, &memory));
            ("result".to_string(), run)
        }
    };
    let isa = plan.isa();
    let (used, time) = (count(run.threads, "thread"), duration(run.time));
    let speed = speed(plan.bytes() as u64, run.time);
    report.line(format_args!("{name}  {}{}  {isa}  {used}  {time}  {speed}", layout.dtype(), layout.shape()));
    if run.status.zero_division() {
        eprintln!("warning: an integer was divided by zero; such elements are 0");
    }
    if run.status.negative_exponent() {
        eprintln!("warning: an integer was raised to a negative power; such elements are 0, but for bases of 1 and -1");
    }
    Ok(())
}

/// What a run was like.
struct Run {
    status: Status,
    threads: usize,
    time: Duration,
}

fn timed(plan: &Plan, inputs: &[View<'_>], output: ViewMut<'_>, executor: Threads<'_>) -> Result<Run> {
    let threads = executor.used(plan.tasks(executor.width()));
    let started = Instant::now();
    let status = plan.run_with(&executor, inputs, &mut [output])?;
    let time = started.elapsed();
    executor.finish();
    Ok(Run { status, threads, time })
}

/// How many pieces to cut a run into; the engine cuts small work into fewer.
fn pieces(plan: &Plan) -> usize {
    (plan.bytes() / PIECE).min(MOST_PIECES)
}
