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
    for layout in plan.output_layouts() {
        report.line(format_args!("result  {layout}"));
    }
    Ok(())
}
