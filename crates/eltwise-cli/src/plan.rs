//! `eltwise plan`: explain how an expression would run.

use crate::args::Plan;
use crate::error::Result;
use crate::expression::Bound;
use crate::operand::Takes;
use crate::report::Report;
use crate::threads::cpus;

/// Prints the plan and the layouts of the results.
pub(crate) fn run(args: &Plan, report: &mut Report) -> Result<()> {
    let bound = Bound::new(&args.expr, &args.operands, Takes::Layouts, &args.options)?;
    let plan = bound.plan(&args.options, |_, _| true)?;
    report.line(plan.explain(cpus()).to_string().trim_end());
    for (layout, moved) in plan.output_layouts().iter().zip(&bound.moved) {
        let text = layout.to_string();
        let named = moved.map(|name| text.replacen(layout.dtype().name(), &name.to_string(), 1));
        report.line(format_args!("result  {}", named.unwrap_or(text)));
    }
    Ok(())
}
