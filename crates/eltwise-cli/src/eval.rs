//! `eltwise eval`: evaluates expressions over arrays in files.

use eltwise::{Layout, Shape};
use safetensors::tensor::Dtype;

use crate::args::Eval;
use crate::error::{CliError, Result};
use crate::expression::Evaluation;
use crate::files::ArrayLocation;
use crate::files::output::{Output, canonical_path};
use crate::operand::OperandKinds;
use crate::piecewise::PiecewiseEval;
use crate::report::{Report, count, duration, speed, stderr_line};
use crate::threads::{Threads, cpus};

/// Evaluates the expressions, writes or previews the results, and prints a summary line for each.
pub(crate) fn run(args: &Eval, report: &mut Report) -> Result<()> {
    let parse = |text: &String| ArrayLocation::parse(text).map_err(|why| CliError::file(text.as_ref(), why));
    let targets = args.outputs.iter().map(parse).collect::<Result<Vec<_>>>()?;
    let paths: Vec<_> = targets.iter().map(|target| canonical_path(&target.path)).collect();
    if let Some(i) = (1..targets.len()).find(|&i| paths[..i].contains(&paths[i])) {
        return Err(CliError::Argument(format!("{} is given for two results", targets[i].path.display())));
    }
    let evaluation = Evaluation::new(&args.expr, &args.operands, OperandKinds::Data, &args.options)?;
    let is_writable = |i: usize, layout: &Layout| targets.get(i).is_none_or(|t| Output::can_store(t.format, layout));
    let whole = evaluation.plan(&args.options, is_writable)?;
    let layouts = whole.output_layouts();
    if !targets.is_empty() && targets.len() != layouts.len() {
        let (results, files) = (count(layouts.len(), "result"), count(targets.len(), "file"));
        return Err(CliError::Argument(format!("{results} and {files} for them; expected one -o for each result")));
    }

    let eval = PiecewiseEval::new(&evaluation, &args.options, &whole)?;
    if !args.quiet {
        report.line(eval.plan().explain(1).to_string().trim_end());
        if eval.count() > 1 {
            let size: Shape = eval.size().iter().copied().collect();
            report.line(format_args!("  pieces     {} of {size} at most", eval.count()));
        }
    }
    let results = targets.iter().zip(layouts.iter().zip(&evaluation.opaque_dtypes));
    let create = |(target, (layout, &opaque_dtype))| Output::create(target, layout, opaque_dtype);
    let files = results.map(create).collect::<Result<Vec<_>>>()?;
    let threads = Threads::new(args.threads.map_or_else(cpus, usize::from), whole.bytes() as u64);
    let outcome = eval.run(&files, &threads)?;
    for file in files {
        file.finish()?;
    }

    outcome.previews.iter().for_each(|preview| report.line(preview));
    let isa = whole.isa();
    let (used, time) = (count(outcome.threads, "thread"), duration(outcome.time));
    let speed = speed(whole.bytes() as u64, outcome.time);
    for (i, (layout, opaque_dtype)) in layouts.iter().zip(&evaluation.opaque_dtypes).enumerate() {
        let name = targets.get(i).map_or_else(|| "result".to_string(), |target| target.path.display().to_string());
        let array = dtype_and_shape(layout, *opaque_dtype);
        report.line(format_args!("{name}  {array}  {isa}  {used}  {time}  {speed}"));
    }
    if outcome.status.zero_division() {
        stderr_line("warning: an integer was divided by zero; such elements are 0");
    }
    if outcome.status.negative_exponent() {
        stderr_line(
            "warning: an integer was raised to a negative power; such elements are 0 unless the base is 1 or -1",
        );
    }
    Ok(())
}

/// Dtype and shape without the strides, such as `f32[2, 3]`.
fn dtype_and_shape(layout: &Layout, opaque_dtype: Option<Dtype>) -> String {
    let dtype = opaque_dtype.map_or(layout.dtype().to_string(), |name| name.to_string());
    format!("{dtype}{}", layout.shape())
}
