//! `eltwise info --kernels`: operator x dtype x ISA.

use eltwise::kernels::kernel;
use eltwise::{DType, Isa, Op, Signature};

use crate::report::Report;

/// The levels of this architecture, lowest first.
const LEVELS: &[Isa] = if cfg!(target_arch = "x86_64") {
    &[Isa::Scalar, Isa::Avx2, Isa::Avx512, Isa::Avx512Fp16]
} else if cfg!(target_arch = "aarch64") {
    &[Isa::Scalar, Isa::Neon, Isa::NeonFp16]
} else {
    &[Isa::Scalar]
};

/// Prints one row for each operator, and for `cast` one for each dtype to cast from.
pub(crate) fn print(report: &mut Report) {
    let names: Vec<&str> = LEVELS.iter().map(|isa| isa.name()).collect();
    report.line(format_args!("\nkernels    one letter for each of {}", names.join(" ")));
    report.line("           o: own kernel, i: inherited from a lower ISA, .: the operator does not take the dtype");
    report.line("           made: a program of other operators' kernels\n");
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
    report.line("\no1 to o16: opaque elements of so many bytes; the dtypes in a row of cast are those to cast to");
}

fn row(name: &str, width: usize, cell: &dyn Fn(DType) -> String) -> String {
    let cells: Vec<String> = DType::ALL.iter().map(|&d| format!("{:<5}", cell(d))).collect();
    format!("{name:<width$}{}", cells.concat().trim_end())
}

/// The letters of one operator and dtype; `missing` where the catalogue promises what the table has not.
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
    LEVELS.iter().map(letter).collect::<Option<String>>().unwrap_or_else(|| "missing".into())
}
