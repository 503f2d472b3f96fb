//! The printed tables: [`limits`], [`cases`] and [`comparison`].

use std::time::Duration;

use crate::report::{self, Report};

use super::compare::{Comparison, Verdict};
use super::limits::Limits;
use super::record::{CaseResult, LimitedBy, Record};

/// The width of the column with the name of a case.
const NAME: usize = 40;

/// Prints the machine and its limits.
pub(crate) fn limits(record: &Record, report: &mut Report) {
    let (machine, build) = (&record.machine, &record.build);
    report.line(format_args!("{}  {}  {}", machine.cpu, machine.isa, report::count(machine.threads, "thread")));
    report.line(format_args!("{}  {}", machine.caches, machine.os));
    report.line(format_args!("eltwise {}  {}  {}\n", build.eltwise, build.rustc, record.date));
    report.line("limits                GB/s       fill       copy        add       read");
    let Limits { bandwidth, peaks } = &record.limits;
    for b in bandwidth {
        let what = format!("{:<5}{}", b.level.name(), report::count(b.threads, "thread"));
        report.line(format_args!(
            "{what:<16}{:>10} {:>10.1} {:>10.1} {:>10.1} {:>10.1}",
            report::bytes(b.working_set as u64),
            b.fill,
            b.copy,
            b.add,
            b.read
        ));
    }
    report.line("\nlimits              Gop/s         fma  mul + add     divide       sqrt");
    for p in peaks {
        let what = format!("{:<5}{}", p.dtype, report::count(p.threads, "thread"));
        report.line(format_args!(
            "{what:<26} {:>10.1} {:>10.1} {:>10.1} {:>10.1}",
            p.fma, p.multiply_add, p.divide, p.sqrt
        ));
    }
}

/// Prints the cases, with a table for each group.
pub(crate) fn cases(record: &Record, report: &mut Report) {
    let mut group = "";
    for case in &record.cases {
        if case.group() != group {
            group = case.group();
            report.line(format_args!("\n{group:<NAME$}      time  spread  ns/element      GB/s  of the limit"));
        }
        report.line(row(case).trim_end());
    }
}

fn row(case: &CaseResult) -> String {
    let name = case.name.split_once('/').map_or(&case.name[..], |(_, rest)| rest);
    let spread = format!("{:.1}%", 100.0 * case.time.spread());
    let head = format!("{name:<NAME$}{:>10} {spread:>7}", time(case.time.median));
    let (Some(limit), Some(fraction), Some(level)) = (&case.limit, case.fraction(), case.level) else { return head };
    let ns_per_element = case.time.median / case.elements as f64;
    let by = match limit.by {
        LimitedBy::Memory => level.name(),
        LimitedBy::Arithmetic => "arithmetic",
    };
    format!("{head} {ns_per_element:>11.4} {:>9.1} {:>6.0}%  {by}", case.gb_per_second(), 100.0 * fraction)
}

/// A time such as `812 ns` or `41.3 us`.
pub(crate) fn time(ns: f64) -> String {
    if ns < 1000.0 {
        return format!("{ns:.1} ns");
    }
    report::duration(Duration::from_secs_f64(ns / 1e9))
}

/// Prints the comparison with a saved run: a row for each case, then the number of cases with each verdict.
pub(crate) fn comparison(record: &Record, against: &Comparison<'_>, report: &mut Report) {
    let title = format!("against {}", against.name);
    report.line(format_args!("\n{title:<NAME$}     saved       now   ratio  verdict"));
    let mut ratios = Vec::new();
    for (case, compared) in record.cases.iter().zip(against.cases) {
        let Some(before) = compared.before else {
            report.line(format_args!("{:<NAME$}{:>10}{:>10}{:>8}  new", case.name, "-", time(case.time.median), "-"));
            continue;
        };
        let ratio = case.time.median / before.median;
        if compared.verdict != Verdict::Differs {
            ratios.push(ratio.ln());
        }
        report.line(format_args!(
            "{:<NAME$}{:>10}{:>10}{ratio:>8.3}  {}",
            case.name,
            time(before.median),
            time(case.time.median),
            compared.verdict.name()
        ));
    }
    let mean = if ratios.is_empty() { 1.0 } else { (ratios.iter().sum::<f64>() / ratios.len() as f64).exp() };
    report.line(format_args!(
        "\n{} slower, {} faster, {} same (threshold {} %); mean ratio {mean:.3}",
        against.count(Verdict::Slower),
        against.count(Verdict::Faster),
        against.count(Verdict::Same),
        against.threshold
    ));
}
