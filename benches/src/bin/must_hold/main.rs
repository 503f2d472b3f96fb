//! Prints the figures that a release must hold, one line each with its bound. Ratios within one run; medians of interleaved
//! pairs. `just must-hold`.
//!
//! Exits with 1 when a figure misses its bound.

mod calls;
mod casts;
mod division;
mod executors;
mod fusion;
mod kernels;
mod math;
mod memory;
mod plain;
mod plans;
mod programs;
mod stores;
mod timing;

/// Prints its lines and gives the number of figures that missed.
type Figure = fn() -> usize;

const FIGURES: [(&str, Figure); 14] = [
    ("overhead", plans::overhead),
    ("contiguous", plans::contiguous),
    ("in-place", plans::in_place),
    ("division", division::division),
    ("fusion", fusion::fusion),
    ("kernels", kernels::kernels),
    ("math", math::math),
    ("binding", programs::binding),
    ("hoist", programs::hoist),
    ("chains", programs::chains),
    ("cost", executors::cost),
    ("calls", calls::calls),
    ("stores", stores::stores),
    ("memory", stores::memory),
];

fn main() {
    let only: Option<String> = std::env::args().nth(1);
    let wanted = |name: &str| only.as_deref().is_none_or(|o| o == name);
    if !FIGURES.iter().any(|(name, _)| wanted(name)) {
        let names: Vec<&str> = FIGURES.iter().map(|(name, _)| *name).collect();
        eprintln!("no figure of that name; there are {}", names.join(", "));
        std::process::exit(2);
    }
    let missed: usize = FIGURES.iter().filter(|(name, _)| wanted(name)).map(|(_, figure)| figure()).sum();
    if missed > 0 {
        println!("{missed} figures missed their bound");
        std::process::exit(1);
    }
    println!("every figure holds");
}
