//! `eltwise eval`: evaluate expressions over arrays.

use eltwise::{Layout, Shape};
use safetensors::tensor::Dtype;

use crate::args::Eval;
use crate::error::{CliError, Result};
use crate::expression::Bound;
use crate::files::Place;
use crate::files::output::{Output, location};
use crate::operand::Takes;
use crate::report::{Report, aside, count, duration, speed};
use crate::stream::Stream;
use crate::threads::{Threads, cpus};

/// Evaluates, writes or prints the results, and reports.
pub(crate) fn run(args: &Eval, report: &mut Report) -> Result<()> {
    let place = |text: &String| Place::parse(text).map_err(|why| CliError::file(text.as_ref(), why));
    let places = args.outputs.iter().map(place).collect::<Result<Vec<_>>>()?;
    let locations: Vec<_> = places.iter().map(|p| location(&p.path)).collect();
    if let Some(i) = (1..places.len()).find(|&i| locations[..i].contains(&locations[i])) {
        return Err(CliError::Argument(format!("{} is given for two results", places[i].path.display())));
    }
    let bound = Bound::new(&args.expr, &args.operands, Takes::Data, &args.options)?;
    let whole = bound.plan(&args.options, |i, l| places.get(i).is_none_or(|p| Output::holds(p.format, l)))?;
    let layouts = whole.output_layouts();
    if !places.is_empty() && places.len() != layouts.len() {
        let (results, files) = (count(layouts.len(), "result"), count(places.len(), "file"));
        return Err(CliError::Argument(format!("{results} and {files} for them; expected one -o for each result")));
    }

    let stream = Stream::new(&bound, &args.options, layouts);
    if !args.quiet {
        report.line(stream.plan()?.explain(1).to_string().trim_end());
        if stream.count() > 1 {
            let size: Shape = stream.size().iter().copied().collect();
            report.line(format_args!("  pieces     {} of {size} at most", stream.count()));
        }
    }
    let results = places.iter().zip(layouts.iter().zip(&bound.moved));
    let files = results.map(|(p, (l, &name))| Output::create(p, l, name)).collect::<Result<Vec<_>>>()?;
    let threads = Threads::new(args.threads.map_or_else(cpus, usize::from), whole.bytes() as u64);
    let run = stream.run(&files, &threads)?;
    for file in files {
        file.finish()?;
    }

    run.firsts.iter().for_each(|first| report.line(first));
    let isa = whole.isa();
    let (used, time) = (count(run.threads, "thread"), duration(run.time));
    let speed = speed(whole.bytes() as u64, run.time);
    for (i, (layout, moved)) in layouts.iter().zip(&bound.moved).enumerate() {
        let name = places.get(i).map_or_else(|| "result".to_string(), |p| p.path.display().to_string());
        report.line(format_args!("{name}  {}  {isa}  {used}  {time}  {speed}", described(layout, *moved)));
    }
    if run.status.zero_division() {
        aside("warning: an integer was divided by zero; such elements are 0");
    }
    if run.status.negative_exponent() {
        aside("warning: an integer was raised to a negative power; such elements are 0, but for bases of 1 and -1");
    }
    Ok(())
}

/// `f32[2, 3]`, whatever the strides.
fn described(layout: &Layout, moved: Option<Dtype>) -> String {
    let dtype = moved.map_or(layout.dtype().to_string(), |name| name.to_string());
    format!("{dtype}{}", layout.shape())
}
