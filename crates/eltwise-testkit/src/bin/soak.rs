//! Compares millions of random layouts and programs with the reference on every ISA of this CPU, and prints how often
//! each of the planner's techniques was used. `just soak` runs it.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use eltwise::{CpuModel, Isa};
use eltwise_testkit::check;
use eltwise_testkit::soak::{CaseKind, Tally, run};

/// Compares random layouts and random programs with the reference, element by element, on every ISA of this CPU.
///
/// The environment variable ELTWISE_ISA limits the ISAs. Exits with 1 if a case fails, or if a technique that the ISAs
/// have is used less than once in 2,000 cases.
#[derive(Parser)]
#[command(name = "soak")]
struct Arguments {
    /// Number of cases with one operator and random layouts
    #[arg(long, default_value_t = 1_000_000)]
    layouts: u64,
    /// Number of cases with a random program
    #[arg(long, default_value_t = 1_000_000)]
    programs: u64,
    /// Seed of the random cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plan for a CPU with caches of 4, 32 and 128 KiB, so that plans for data beyond the caches are tested
    #[arg(long)]
    small_caches: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.small_caches {
        let mut small = CpuModel::default();
        (small.l1, small.l2, small.llc, small.double_pumped_512) =
            (4 << 10, 32 << 10, 128 << 10, arguments.seed.is_multiple_of(2));
        eltwise::set_cpu_model(small).expect("the CPU model should be set before the first plan");
    }
    let isas = check::isas();
    let mut all = Tally::default();
    for (kind, cases) in [(CaseKind::Layouts, arguments.layouts), (CaseKind::Programs, arguments.programs)] {
        all.add(soak(kind, cases, arguments.seed, &isas));
    }
    println!("\ncases by output");
    all.outputs.iter().for_each(|(output, count)| println!("  {output:<16} {count:>10}"));
    println!("\nplans by technique");
    all.techniques.iter().for_each(|(technique, count)| println!("  {:<16} {count:>10}", format!("{technique:?}")));
    let rare = all.rarely_used((arguments.layouts + arguments.programs) / 2000);
    if !rare.is_empty() {
        println!("error: used too rarely to count as tested: {rare:?}");
    }
    if all.failures == 0 && rare.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn soak(kind: CaseKind, cases: u64, seed: u64, isas: &[Isa]) -> Tally {
    let began = Instant::now();
    let tally = run(kind, cases, seed, isas);
    println!(
        "{kind:?}: {} cases of seed {seed}, {} runs compared, {} refused in place, {} failed, {:.0} s",
        tally.cases,
        tally.runs,
        tally.refused,
        tally.failures,
        began.elapsed().as_secs_f64()
    );
    tally.failure_texts.iter().for_each(|failure| println!("\n{failure}"));
    tally
}
