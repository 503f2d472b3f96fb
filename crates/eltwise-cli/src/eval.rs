//! `eltwise eval`: evaluate an expression over arrays.

use std::thread;
use std::time::{Duration, Instant};

use eltwise::{Layout, Plan, Status, View, ViewMut};

use crate::args::Eval;
use crate::elements;
use crate::error::{CliError, Result};
use crate::expression::Bound;
use crate::files::{Place, output::Output};
use crate::operand::Takes;
use crate::report::{Report, count, duration, speed};
use crate::threads::Threads;

/// A run is cut into pieces of about this size when it is long enough for a progress bar.
const PIECE: u64 = 64 << 20;

/// Evaluates, writes or prints the result, and reports.
pub(crate) fn run(args: &Eval, report: &mut Report) -> Result<()> {
    let place = args.output.as_deref().map(Place::parse).transpose()?;
    let bound = Bound::new(&args.expr, &args.operands, Takes::Data)?;
    let plan = bound.plan(&args.options, |l| place.as_ref().is_none_or(|p| Output::holds(p.format, l)))?;
    let [layout] = plan.output_layouts() else {
        return Err(CliError::Argument(format!(
            "the expression has {} results, expected 1",
            plan.output_layouts().len()
        )));
    };
    if !args.quiet {
        report.line(plan.explain().to_string().trim_end());
    }
    let inputs = bound.operands.iter().map(|o| o.view()).collect::<Result<Vec<_>>>()?;
    let threads = args.threads.or(thread::available_parallelism().ok()).map_or(1, usize::from);

    let (name, run) = match &place {
        Some(place) => {
            let mut output = Output::create(place, layout)?;
            let run = timed(&plan, &inputs, output.view()?, threads)?;
            output.finish()?;
            (place.path.display().to_string(), run)
        }
        None => {
            let mut bytes = vec![0; layout.shape().bytes(layout.dtype().size())?];
            let run = timed(&plan, &inputs, ViewMut::from_bytes(&mut bytes, layout.clone(), 0)?, threads)?;
            report.line(elements::first(layout, &bytes));
            ("result".to_string(), run)
        }
    };
    let isa = plan.isa();
    let (used, time) = (count(run.threads, "thread"), duration(run.time));
    let speed = speed(bytes_moved(&inputs, layout), run.time);
    report.line(format_args!("{name}  {}{}  {isa}  {used}  {time}  {speed}", layout.dtype(), layout.shape()));
    if run.status.zero_division() {
        eprintln!("warning: an integer was divided by zero; such elements are 0");
    }
    Ok(())
}

/// What a run was like.
struct Run {
    status: Status,
    threads: usize,
    time: Duration,
}

fn timed(plan: &Plan, inputs: &[View<'_>], output: ViewMut<'_>, threads: usize) -> Result<Run> {
    let bytes = bytes_moved(inputs, output.layout());
    let width = threads.max(usize::try_from(bytes / PIECE).unwrap_or(usize::MAX));
    let executor = Threads::new(threads, width);
    let used = threads.min(plan.tasks(width)).max(1);
    let started = Instant::now();
    let status = plan.run_with(&executor, inputs, &mut [output])?;
    let time = started.elapsed();
    executor.finish();
    Ok(Run { status, threads: used, time })
}

/// Bytes of the elements of inputs and output, each counted once.
fn bytes_moved(inputs: &[View<'_>], output: &Layout) -> u64 {
    let bytes = |l: &Layout| l.shape().bytes(l.dtype().size()).unwrap_or(0) as u64;
    inputs.iter().map(|v| bytes(v.layout())).sum::<u64>() + bytes(output)
}
