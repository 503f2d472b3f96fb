//! `eltwise info --kernels`: operator x dtype x ISA.

use crate::report::Report;

/// Prints the table.
pub(crate) fn print(report: &mut Report) {
    report.line("");
}
