//! Measures the constants of the cost model on this machine and prints them as a row of `CpuModel`: `just fit-cost`.

use std::process::ExitCode;

use clap::Parser;
use eltwise::{CpuModel, cpu_model};
use eltwise_layouts::fit::descent::{Quality, choices, fit};
use eltwise_layouts::fit::sample::samples;
use eltwise_layouts::options::FitCost;

fn main() -> ExitCode {
    let options = FitCost::parse();
    let samples = match samples(options.seed, options.cases, &options.isas(), options.budget) {
        Ok(samples) => samples,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    // Half of the cases tell how well the constants predict plans that they were not fitted to.
    let (tests, fitted): (Vec<_>, Vec<_>) = samples.into_iter().partition(|sample| sample.case % 2 == 0);
    let first = cpu_model();
    let model = fit(&first, &fitted);
    println!("{} plans were fitted, {} tested", fitted.len(), tests.len());
    println!("model          error: median  90 %  chosen way / fastest: mean  99 %");
    let costs = |row: CpuModel| CpuModel { copies: row.copies, tiles: row.tiles, ..first };
    let rows = [
        ("of this CPU", first),
        ("fitted", model),
        ("of Zen 3", costs(CpuModel::ZEN3)),
        ("of Zen 4", costs(CpuModel::ZEN4)),
        ("of Zen 5", costs(CpuModel::ZEN5)),
        ("of Sapphire Rapids", costs(CpuModel::SAPPHIRE_RAPIDS)),
        ("generic", costs(CpuModel::GENERIC)),
    ];
    for (name, model) in rows {
        let Quality { median, p90, chosen, chosen_p99 } = Quality::of(&model, &tests);
        println!("{name:<21} {median:6.2}  {p90:4.2}  {chosen:26.3}  {chosen_p99:4.2}");
    }
    for (factor, chosen, fastest) in choices(&model, &tests).into_iter().take(options.worst) {
        println!("\n{factor:.2} times as long as the fastest:\n{}\nthe fastest:\n{}", chosen.text, fastest.text);
    }
    println!("\ncopies: {:#?},\ntiles: {:#?},", model.copies, model.tiles);
    ExitCode::SUCCESS
}
