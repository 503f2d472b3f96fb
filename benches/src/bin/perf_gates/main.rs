//! Performance gates: the figures that a release must reach. Prints one line per figure with its bound.
//!
//! Most figures are ratios within one run: medians of interleaved pairs. Run it with `just perf-gates`.
//!
//! Exits with 1 if a figure misses its bound, with 2 if the argument names no gate.

mod bandwidth;
mod calls;
mod casts;
mod cost;
mod division;
mod fusion;
mod kernel_run;
mod kernels;
mod math;
mod per_byte;
mod plain_loops;
mod plans;
mod programs;
mod random;
mod stores;
mod timing;

/// Prints its lines and returns the number of figures that missed their bound.
type Gate = fn() -> usize;

/// `math` sets environment variables, so it comes before `memory`, which starts threads.
const GATES: [(&str, Gate); 13] = [
    ("overhead", plans::overhead),
    ("contiguous", plans::contiguous),
    ("in-place", plans::in_place),
    ("division", division::division),
    ("fusion", fusion::fusion),
    ("kernels", kernels::kernels),
    ("math", math::math),
    ("hoist", programs::hoist),
    ("chains", programs::chains),
    ("cost", cost::cost),
    ("calls", calls::calls),
    ("stores", stores::stores),
    ("memory", bandwidth::memory),
];

fn main() {
    let only: Option<String> = std::env::args().nth(1);
    let is_selected = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if !GATES.iter().any(|(name, _)| is_selected(name)) {
        let names: Vec<&str> = GATES.iter().map(|(name, _)| *name).collect();
        eprintln!("error: no gate has that name, expected one of: {}", names.join(", "));
        std::process::exit(2);
    }
    let missed: usize = GATES.iter().filter(|(name, _)| is_selected(name)).map(|(_, gate)| gate()).sum();
    if missed > 0 {
        println!("{missed} figures missed their bound");
        std::process::exit(1);
    }
    println!("all figures are within their bounds");
}
