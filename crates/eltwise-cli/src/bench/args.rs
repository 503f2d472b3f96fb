//! The options and the help text of `eltwise bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use eltwise::Isa;

use super::json_formats::Format;
use super::saved_runs;

/// The arguments of `eltwise bench`.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// Measure only the cases whose name contains TEXT; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub(crate) filter: Vec<String>,
    /// Use N threads for the multi-threaded measurements [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = crate::option_values::threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Use at most this instruction set, such as avx2
    #[arg(long, value_name = "ISA", value_parser = crate::option_values::isa)]
    pub(crate) isa: Option<Isa>,
    /// Measure for a few seconds only, without large working sets: rough, for tests
    #[arg(long)]
    pub(crate) quick: bool,
    /// Print the run as JSON instead of the table, or write it to FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) json: Option<PathBuf>,
    /// Use this JSON format
    #[arg(long, value_enum, default_value_t, requires = "json")]
    pub(crate) format: Format,
    /// Write an HTML page with plots
    #[arg(long, value_name = "FILE.html", value_parser = page)]
    pub(crate) html: Option<PathBuf>,
    /// Save the run under this name
    #[arg(long, value_name = "NAME", value_parser = saved_runs::name)]
    pub(crate) save: Option<String>,
    /// Compare with a saved run; the exit code is 3 if a case is slower
    #[arg(long, value_name = "NAME", value_parser = saved_runs::name)]
    pub(crate) against: Option<String>,
    /// Report a case as slower or faster if the intervals are more than PERCENT % apart
    #[arg(long, value_name = "PERCENT", default_value = "5", value_parser = percent, requires = "against")]
    pub(crate) threshold: f64,
    /// Save and load runs in DIR [default: eltwise/bench in the user's data directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// List the names of the cases and measure nothing
    #[arg(long)]
    pub(crate) list: bool,
}

/// Parses the name of an HTML file. A browser shows a file with a different extension as text.
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

First it measures the limits of the machine, with independent loops that share no code with
the library: memory bandwidth at each level, and arithmetic rates in registers. Then it
measures a fixed set of cases. It checks the result of each case before it is timed, and
shows the time as a percentage of the limit. A run takes about 40 seconds; close other
programs.

A time is the median of several rounds. Its interval, printed as the spread, contains the
middle 80 % of them. A case is slower if its interval is above the saved interval by more
than the threshold, also after division by the growth of the machine's limit, and if
repeated measurements confirm it. Runs are saved in $XDG_DATA_HOME/eltwise/bench,
~/.local/share/eltwise/bench or the directory of --dir.

Exit codes: 0, 2 for an error, 3 if a case is slower.";
