//! Compares millions of random layouts and programs with the reference on every ISA of this CPU, and prints how often each
//! technique of the planner was used.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use eltwise::{CpuModel, Isa};
use eltwise_testkit::check;
use eltwise_testkit::soak::{Kind, Tally, run};

/// Compares random layouts and random programs with the reference, element by element, on every ISA of this CPU.
///
/// ELTWISE_ISA lowers the ISAs. Exits with 1 if a case fails, or if fewer than one plan in 2,000 cases uses a technique that the
/// ISAs have.
#[derive(Parser)]
#[command(name = "soak")]
struct Arguments {
    /// Random layouts of one operator
    #[arg(long, default_value_t = 1_000_000)]
    layouts: u64,
    /// Random programs
    #[arg(long, default_value_t = 1_000_000)]
    programs: u64,
    /// Which cases are drawn
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plan for a CPU whose caches hold 4, 32 and 128 KiB, so that plans for data beyond the caches are met
    #[arg(long)]
    small_caches: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.small_caches {
        let mut small = CpuModel::default();
        (small.l1, small.l2, small.llc, small.halves) =
            (4 << 10, 32 << 10, 128 << 10, arguments.seed.is_multiple_of(2));
        small.fix().expect("nothing was planned before");
    }
    let isas = check::levels();
    let mut all = Tally::default();
    for (kind, cases) in [(Kind::Layouts, arguments.layouts), (Kind::Programs, arguments.programs)] {
        all.add(soak(kind, cases, arguments.seed, &isas));
    }
    println!("\ncases by output");
    all.outputs.iter().for_each(|(output, count)| println!("  {output:<16} {count:>10}"));
    println!("\nplans by technique");
    all.techniques.iter().for_each(|(technique, count)| println!("  {:<16} {count:>10}", format!("{technique:?}")));
    let rare = all.rare((arguments.layouts + arguments.programs) / 2000, &isas);
    if !rare.is_empty() {
        println!("error: used too seldom to be tested: {rare:?}");
    }
    if all.failed == 0 && rare.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn soak(kind: Kind, cases: u64, seed: u64, isas: &[Isa]) -> Tally {
    let began = Instant::now();
    let tally = run(kind, cases, seed, isas);
    println!(
        "{kind:?}: {} cases of seed {seed}, {} runs compared, {} refused in place, {} differ, {:.0} s",
        tally.cases,
        tally.runs,
        tally.refused,
        tally.failed,
        began.elapsed().as_secs_f64()
    );
    tally.failures.iter().for_each(|failure| println!("\n{failure}"));
    tally
}
