//! Reports of what a test left out: [`skipped`]. libtest does not show the output of tests that pass.

use std::io::Write;

/// Prints `SKIPPED: what`, and appends `what` as a line to the file that the environment variable `ELTWISE_SKIPPED`
/// names. `.ci/run` sets the variable and prints the file at its end.
pub fn skipped(what: &str) {
    println!("SKIPPED: {what}");
    let Some(file) = std::env::var_os("ELTWISE_SKIPPED").filter(|file| !file.is_empty()) else { return };
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(&file);
    // A single write, so that lines of tests that run at the same time do not mix.
    let written = opened.and_then(|mut opened| opened.write_all(format!("{what}\n").as_bytes()));
    written.unwrap_or_else(|error| panic!("{}, which ELTWISE_SKIPPED names: {error}", file.display()));
}
