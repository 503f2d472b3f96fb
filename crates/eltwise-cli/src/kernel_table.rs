//! The table of `eltwise info --kernels`: which kernels exist for each operator, dtype and ISA.

use eltwise::kernels::kernel;
use eltwise::{DType, Isa, Op, Signature};

use crate::report::Report;

/// The ISAs of this architecture, lowest first.
const ISAS: &[Isa] = if cfg!(target_arch = "x86_64") {
    &[Isa::Scalar, Isa::Avx2, Isa::Avx512, Isa::Avx512Fp16]
} else if cfg!(target_arch = "aarch64") {
    &[Isa::Scalar, Isa::Neon, Isa::NeonFp16]
} else {
    &[Isa::Scalar]
};

/// Prints a row for each operator. `cast` has a row for each source dtype.
pub(crate) fn print(report: &mut Report) {
    let names: Vec<&str> = ISAS.iter().map(|isa| isa.name()).collect();
    report.line(format_args!("\nkernels    one letter for each of {}", names.join(" ")));
    report.line("           o: own kernel, i: inherited from a lower ISA, .: the operator does not take the dtype");
    report.line("           made: composed of the kernels of other operators\n");
    let width = Op::ALL.iter().map(|op| op.name().len()).max().unwrap_or(0).max("cast bf16".len()) + 2;
    let columns: Vec<String> = DType::ALL.iter().map(|d| format!("{:<5}", d.name().replace("opaque", "o"))).collect();
    report.line(format_args!("{:<width$}{}", "", columns.concat().trim_end()));
    for &op in Op::ALL {
        if op.signature() == Signature::Convert {
            for from in DType::VALUES {
                report.line(row(&format!("{op} {from}"), width, &|to| cell(op, from, to)));
            }
        } else {
            report.line(row(op.name(), width, &|from| cell(op, from, from)));
        }
    }
    report.line("\no1 to o16: opaque elements of 1 to 16 bytes; the columns of a row of cast are the target dtypes");
}

fn row(name: &str, width: usize, cell: &dyn Fn(DType) -> String) -> String {
    let cells: Vec<String> = DType::ALL.iter().map(|&d| format!("{:<5}", cell(d))).collect();
    format!("{name:<width$}{}", cells.concat().trim_end())
}

/// The cell of an operator and dtype: a letter for each ISA, or `missing` if the catalogue accepts the dtype but the table
/// has no kernel.
fn cell(op: Op, from: DType, to: DType) -> String {
    let takes = match op.signature() {
        Signature::Convert => op.result(&[from], Some(to)).is_ok(),
        _ => op.info().takes(from),
    };
    if !takes {
        return ".".into();
    }
    if op.is_composite(from) {
        return "made".into();
    }
    let letter = |&isa: &Isa| match kernel(op, from, to, isa) {
        Some(entry) if entry.owner == isa => Some('o'),
        Some(_) => Some('i'),
        None => None,
    };
    ISAS.iter().map(letter).collect::<Option<String>>().unwrap_or_else(|| "missing".into())
}
