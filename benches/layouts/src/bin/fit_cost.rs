//! Measures the constants of the cost model on this machine and prints them as a row of `CpuModel`: `just fit-cost`.

use std::process::ExitCode;

use clap::Parser;
use eltwise::{CpuModel, cpu_model};
use eltwise_layouts::fit::descent::{Quality, choices, fit};
use eltwise_layouts::fit::sample::{Sample, samples};
use eltwise_layouts::options::FitCost;

fn main() -> ExitCode {
    let options = FitCost::parse();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &FitCost) -> Result<(), String> {
    let isas = options.isas();
    if isas.is_empty() {
        return Err("this CPU has no vectors, or ELTWISE_ISA disables them: there is nothing to measure".into());
    }
    eprintln!("measuring random layouts; this takes some minutes");
    let samples = samples(options.seed, options.cases, &isas, options.budget).map_err(|e| e.to_string())?;
    let (tests, fitted): (Vec<_>, Vec<_>) = samples.into_iter().partition(Sample::is_test);
    let first = cpu_model();
    let model = fit(&first, &fitted);
    println!("the constants are fitted to {} plans and tested on {}", fitted.len(), tests.len());
    println!("row                 error: median  90 %  chosen way / fastest: mean  99 %");
    let costs = |row: CpuModel| CpuModel { copies: row.copies, tiles: row.tiles, ..first };
    let rows = [
        ("of this CPU", first),
        ("fitted", model),
        ("Zen 3", costs(CpuModel::ZEN3)),
        ("Zen 4", costs(CpuModel::ZEN4)),
        ("Zen 5", costs(CpuModel::ZEN5)),
        ("Sapphire Rapids", costs(CpuModel::SAPPHIRE_RAPIDS)),
        ("Neoverse", costs(CpuModel::NEOVERSE)),
    ];
    for (name, model) in rows {
        let Quality { median, p90, chosen, chosen_p99 } = Quality::of(&model, &tests);
        println!("{name:<19} {median:13.2}  {p90:4.2}  {chosen:26.3}  {chosen_p99:4.2}");
    }
    for (factor, chosen, fastest) in choices(&model, &tests).into_iter().take(options.worst) {
        println!("\n{factor:.2} times as long as the fastest:\n{}\nthe fastest:\n{}", chosen.text, fastest.text);
    }
    println!("\ncopies: {:#?},\ntiles: {:#?},", model.copies, model.tiles);
    Ok(())
}
