//! Times random layouts relative to contiguous operations that move the same cache lines: `just survey`.

use std::process::ExitCode;

use clap::Parser;
use eltwise::{Error, Isa};
use eltwise_layouts::memory::Memory;
use eltwise_layouts::options::Survey;
use eltwise_layouts::report::write_json;
use eltwise_layouts::survey::case::Case;
use eltwise_layouts::survey::peers;
use eltwise_layouts::survey::report::Report;
use eltwise_layouts::survey::subject::Subject;
use eltwise_layouts::survey::timing::{Outcome, check, first_calls, memory, repeated};

fn main() -> ExitCode {
    match run(&Survey::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the selected cases. Returns false if the 99th percentile is over the bar.
fn run(options: &Survey) -> Result<bool, String> {
    let selection = options.selection();
    let indices = options.case.map_or(0..options.cases, |index| index..index + 1);
    let drawn = indices.map(|index| selection.case(index)).collect::<Result<_, _>>();
    let cases: Vec<Case> = drawn.map_err(|e| format!("cannot make the cases: {e}"))?;
    if cases.is_empty() {
        return Err("--cases is 0, expected at least 1".into());
    }
    let (mut rows, mut is_within) = (vec![], true);
    for isa in options.isas() {
        if options.explain {
            explain(&cases, isa).map_err(|e| e.to_string())?;
            continue;
        }
        let mut memory = memory(&cases, isa).map_err(|e| e.to_string())?;
        if options.check {
            for case in &cases {
                check(case, isa, &mut memory).map_err(|e| format!("{isa} case {case}: {e}"))?;
            }
            println!("{isa}: {} cases match the reference", cases.len());
            continue;
        }
        let outcomes = measure(&cases, isa, &mut memory, options)?;
        let peers = match &options.peers {
            Some(python) => peers::time(python, &cases, options.budget / 2.0)?,
            None => vec![],
        };
        let report = Report { title: options.title(isa), outcomes, peers };
        if options.markdown {
            println!("{}", report.markdown());
        } else {
            println!("{}\n{}", report.text(), report.worst(options.worst));
        }
        rows.extend(report.json());
        let p99 = report.run_factors().percentile(99.0);
        if let Some(bar) = options.bar.filter(|&bar| p99 > bar) {
            eprintln!("{isa}: the 99th percentile of the factors of runs is {p99:.2}, at most {bar} is allowed");
            is_within = false;
        }
    }
    if let Some(path) = &options.json {
        write_json(path, rows)?;
    }
    Ok(is_within)
}

fn measure(cases: &[Case], isa: Isa, memory: &mut Memory, options: &Survey) -> Result<Vec<Outcome>, String> {
    if options.cold {
        return first_calls(cases, isa, memory, options.budget).map_err(|e| e.to_string());
    }
    let time = |case| repeated(case, isa, memory, options.budget).map_err(|e| format!("{isa} case {case}: {e}"));
    cases.iter().map(time).collect()
}

/// Prints the plan of each case.
fn explain(cases: &[Case], isa: Isa) -> Result<(), Error> {
    for case in cases {
        println!("case {case}\n{}\n", Subject::new(case, isa)?.plan().explain(1));
    }
    Ok(())
}
