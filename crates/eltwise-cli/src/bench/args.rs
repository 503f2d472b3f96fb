//! The options of `eltwise bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use eltwise::Isa;

use super::formats::Format;
use super::store;

/// `eltwise bench`.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Measure the cases only whose name contains TEXT; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,
    /// Threads of the measurements on all threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = crate::args::threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Use at most this instruction set, such as avx2
    #[arg(long, value_name = "ISA", value_parser = crate::args::isa)]
    pub(crate) isa: Option<Isa>,
    /// Measure for some seconds, without memory beyond the caches: rough, for tests
    #[arg(long)]
    pub(crate) quick: bool,
    /// Print the run as JSON in place of the table, or write it to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) json: Option<PathBuf>,
    /// The form of the JSON
    #[arg(long, value_enum, default_value_t, requires = "json")]
    pub(crate) format: Format,
    /// Write a page with plots
    #[arg(long, value_name = "FILE.html", value_parser = page)]
    pub(crate) html: Option<PathBuf>,
    /// Save the run under a name
    #[arg(long, value_name = "NAME", value_parser = store::name)]
    pub(crate) save: Option<String>,
    /// Compare with a saved run; the exit code is 3 when a case is slower
    #[arg(long, value_name = "NAME", value_parser = store::name)]
    pub(crate) against: Option<String>,
    /// Percent by which intervals must be apart
    #[arg(long, value_name = "PERCENT", default_value = "5", value_parser = percent, requires = "against")]
    pub(crate) threshold: f64,
    /// Where runs are saved [default: eltwise/bench in the user's data]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// List the names of the cases and measure nothing
    #[arg(long)]
    pub(crate) list: bool,
}

/// A browser shows a file of another name as text.
fn page(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().map(|e| e.to_ascii_lowercase());
    match extension {
        Some(e) if e == "html" || e == "htm" => Ok(path),
        _ => Err("expected a name that ends in .html".to_string()),
    }
}

fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').parse::<f64>() {
        Ok(percent) if (0.0..=1000.0).contains(&percent) => Ok(percent),
        _ => Err("expected a number from 0 to 1000".to_string()),
    }
}

pub(crate) const HELP: &str = "\
Examples:
  eltwise bench
  eltwise bench --filter math/ --filter fused/
  eltwise bench --save before
  eltwise bench --against before --threshold 10
  eltwise bench --html report.html --json run.json
  eltwise bench --json --format bencher

First the limits of the machine: bytes a second at each level of the memory and operations
a second in registers, by loops that are none of the library's. Then a fixed set of cases,
each checked before it is timed, as a fraction of the time that the limits allow. Close
other programs: it takes about two minutes.

A time is the median of rounds, its spread that of eight tenths of them. A case is slower
when its interval lies above the saved one's by more than the threshold, also as a part of
the limits that each run found, and does so again when both are measured again. Runs are
saved in $XDG_DATA_HOME/eltwise/bench, or ~/.local/share/eltwise/bench, or --dir.";
