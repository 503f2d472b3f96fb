//! `eltwise plan`: explains how an expression would run.

use crate::args::Plan;
use crate::error::Result;
use crate::expression::Evaluation;
use crate::operand::OperandKinds;
use crate::report::Report;
use crate::threads::cpus;

/// Prints the plan and the layouts of the results.
pub(crate) fn run(args: &Plan, report: &mut Report) -> Result<()> {
    let evaluation = Evaluation::new(&args.expr, &args.operands, OperandKinds::DataOrLayout, &args.options)?;
    let plan = evaluation.plan(&args.options, |_, _| true)?;
    report.line(plan.explain(cpus()).to_string().trim_end());
    for (layout, opaque_dtype) in plan.output_layouts().iter().zip(&evaluation.opaque_dtypes) {
        let text = layout.to_string();
        let named = opaque_dtype.map(|name| text.replacen(layout.dtype().name(), &name.to_string(), 1));
        report.line(format_args!("result  {}", named.unwrap_or(text)));
    }
    Ok(())
}
