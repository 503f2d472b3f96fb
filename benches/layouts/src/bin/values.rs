//! Times operators over special values relative to ordinary ones: `just values`.

use std::process::ExitCode;

use clap::Parser;
use eltwise::{DType, Error, Isa, Layout};
use eltwise_layouts::measure::compare;
use eltwise_layouts::memory::Memory;
use eltwise_layouts::operation::{Input, Mode, Operation};
use eltwise_layouts::options::Values;
use eltwise_layouts::report::{ValueRow, write_json};
use eltwise_layouts::values::{Case, ELEMENTS, cases};

/// The summary lists the factors above this.
const LISTED_ABOVE: f64 = 1.25;

fn main() -> ExitCode {
    match run(&Values::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Values) -> Result<(), String> {
    let common = &options.common;
    let all = cases();
    let selected = || all.iter().filter(|c| common.selects(&c.title()) && common.selects_dtype(c.dtype));
    let isas = common.isas();
    let count = selected().count() * isas.len();
    if count == 0 {
        return Err("no operator matches the given name, dtype and values".into());
    }
    let share = common.budget / count as f64;
    let mut rows = vec![];
    let seconds = (!common.check).then_some(share);
    if !common.check {
        println!("{}", ValueRow::head());
    }
    for &isa in &isas {
        for case in selected() {
            let title = || format!("{isa} {} {}", case.dtype, case.title());
            let Some(row) = measure_case(case, isa, seconds).map_err(|e| format!("{}: {e}", title()))? else {
                continue;
            };
            if row.times.factor >= options.above {
                println!("{}", row.line());
            }
            rows.push(row);
        }
    }
    if let Some(path) = &common.json {
        write_json(path, rows.iter().map(ValueRow::json).collect())?;
    }
    if common.check {
        println!("{count} cases match the reference");
        return Ok(());
    }
    rows.sort_by(|a, b| b.times.factor.total_cmp(&a.times.factor));
    rows.retain(|row| row.times.factor > LISTED_ABOVE);
    println!("\n{} of {count} factors are above {LISTED_ABOVE}", rows.len());
    rows.iter().for_each(|row| println!("{}", row.line()));
    let with_bar = selected().filter(|case| case.bar().is_some()).count() * isas.len();
    let over: Vec<&ValueRow> = rows.iter().filter(|row| row.bar.is_some_and(|bar| row.times.factor > bar)).collect();
    println!("\nmath operators: {} of {with_bar} factors are over their bar", over.len());
    over.iter().for_each(|row| println!("{}", row.line()));
    Ok(())
}

/// Verifies one case and times it for about `seconds`, if that is given.
fn measure_case(case: &Case, isa: Isa, seconds: Option<f64>) -> Result<Option<ValueRow>, Error> {
    let program = case.program()?;
    let arity = case.op.arity();
    let layout = Layout::contiguous(case.dtype, [ELEMENTS])?;
    let to = program.value(program.outputs()[0]).dtype;
    let output = Layout::contiguous(to, [ELEMENTS])?;
    let bytes = ELEMENTS * case.dtype.size();
    let mut memory = Memory::new((2 * arity) * bytes + ELEMENTS * to.size())?;
    memory.arrange(&vec![(case.dtype, bytes); 2 * arity], ELEMENTS * to.size())?;
    // Ordinary operands first, then special ones.
    for operand in 0..arity {
        case.fill_ordinary(operand, &mut memory.input_mut(operand)[..bytes]);
        case.fill(operand, &mut memory.input_mut(arity + operand)[..bytes]);
    }
    let over = |from: usize| {
        let inputs = (0..arity).map(|k| Input { slot: from + k, offset: 0, layout: layout.clone() }).collect();
        Operation::of_program(&program, inputs, &output, Mode { isa, replans: false, non_temporal: Some(false) })
    };
    let (ordinary, special) = (over(0)?, over(arity)?);
    special.check(&mut memory, usize::MAX)?;
    ordinary.check(&mut memory, usize::MAX)?;
    let Some(seconds) = seconds else { return Ok(None) };
    let times = compare(&special, &ordinary, &mut memory, seconds)?;
    let dtype: DType = case.dtype;
    Ok(Some(ValueRow { isa, dtype, title: case.title(), elements: ELEMENTS, bar: case.bar(), times }))
}
