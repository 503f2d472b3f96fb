//! Times unusual layouts relative to contiguous operations with the same reads and writes: `just layouts`.

use std::process::ExitCode;

use clap::Parser;
use eltwise::{DType, Error, Isa};
use eltwise_layouts::measure::compare;
use eltwise_layouts::memory::{Memory, size_of_layout};
use eltwise_layouts::operation::Operation;
use eltwise_layouts::options::Layouts;
use eltwise_layouts::pattern::Pattern;
use eltwise_layouts::report::{Row, over, write_json};
use eltwise_layouts::size::Size;
use eltwise_layouts::table;

/// Elements of a timed result that are compared with the reference. `--check` compares all.
const SAMPLES: usize = 20_000;

/// One line of the report.
struct Case {
    isa: Isa,
    dtype: DType,
    size: Size,
    pattern: Pattern,
}

fn main() -> ExitCode {
    let options = Layouts::parse();
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// The selected cases, in the order of the report.
fn cases(options: &Layouts) -> Vec<Case> {
    let common = &options.common;
    let sizes: Vec<Size> = match (options.size, common.check) {
        (Some(size), _) => vec![size],
        // Both sizes have the same layouts, except for their lengths.
        (None, true) => vec![Size::L2],
        (None, false) => Size::ALL.into(),
    };
    let mut cases = vec![];
    for isa in common.isas() {
        for &size in &sizes {
            for pattern in table::patterns(size).iter().filter(|p| common.selects(&p.title())) {
                for &dtype in table::dtypes(pattern).iter().filter(|&&dtype| common.selects_dtype(dtype)) {
                    cases.push(Case { isa, dtype, size, pattern: pattern.clone() });
                }
            }
        }
    }
    cases
}

/// Runs the selected cases. Returns false if a factor is over its bar and `--bar` is given.
fn run(options: &Layouts) -> Result<bool, String> {
    let common = &options.common;
    let cases = cases(options);
    if cases.is_empty() {
        return Err("no pattern matches the given name, size and dtype".into());
    }
    if !common.check && !options.explain {
        println!("{}", Row::head());
    }
    let share = common.budget / cases.len() as f64;
    let mut rows = vec![];
    for case in &cases {
        let title = format!("{} {} {} {}", case.isa, case.dtype, case.size, case.pattern.title());
        if let Some(row) = measure_case(case, options, share).map_err(|e| format!("{title}: {e}"))? {
            println!("{}", row.line());
            rows.push(row);
        }
    }
    if let Some(path) = &common.json {
        write_json(path, rows.iter().map(Row::json).collect())?;
    }
    if common.check {
        println!("{} cases match the reference", cases.len());
        return Ok(true);
    }
    let over = over(&rows);
    if !rows.is_empty() {
        let bars = rows.iter().filter(|r| r.limit.is_some()).count();
        println!("\n{} of {bars} factors are over their bar", over.len());
        over.iter().for_each(|row| println!("{}", row.line()));
    }
    Ok(over.is_empty() || !options.bar)
}

/// Verifies one case and times it for about `seconds`; with `--check` or `--explain` it is not timed.
fn measure_case(case: &Case, options: &Layouts, seconds: f64) -> Result<Option<Row>, Error> {
    let Case { isa, dtype, size, ref pattern } = *case;
    let check = options.common.check;
    let fitted = pattern.fit(dtype, if check { size.bytes() / 8 } else { size.bytes() })?;
    let operation = Operation::of_pattern(pattern, &fitted, isa, options.non_temporal)?;
    if options.explain {
        println!("{} {size}: {}{}", pattern.title(), fitted.shapes(), operation.plan().explain(1));
        return Ok(None);
    }
    let baseline = fitted.traffic.baseline();
    let baseline = if pattern.replans { baseline.in_one_call() } else { baseline };
    let buffers = fitted.buffers()?;
    let output = size_of_layout(&fitted.output)?;
    let mut memory = Memory::new(buffers.inputs.iter().map(|i| i.1).sum::<usize>() + output)?;
    memory.arrange(&buffers.inputs, output)?;
    let (pieces, non_temporal) = (&baseline.pieces, operation.plan().is_non_temporal());
    let contiguous = Operation::of_baseline(pattern, &fitted, pieces, buffers.baseline_inputs, (isa, non_temporal))?;
    let samples = if check { usize::MAX } else { SAMPLES };
    operation.check(&mut memory, samples)?;
    contiguous.check(&mut memory, samples)?;
    if check {
        return Ok(None);
    }
    let times = compare(&operation, &contiguous, &mut memory, seconds)?.scaled(baseline.scale);
    let (title, shapes, bytes) = (pattern.title(), fitted.shapes(), fitted.traffic.total());
    Ok(Some(Row { isa, dtype, size, title, shapes, bytes, times, limit: pattern.bar.limit(dtype, size, isa) }))
}
