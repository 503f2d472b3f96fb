//! Texts that are kept beside the tests: tables of what the planner says and decides, to be read when they change.

use std::path::Path;

/// Compares a text with `golden/NAME.txt`; with `ELTWISE_BLESS=1`, writes it there, and fails.
pub fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name).with_extension("txt");
    if std::env::var_os("ELTWISE_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        panic!("{} was written: look at it, then run again without ELTWISE_BLESS", path.display());
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    for (number, (now, kept)) in (1..).zip(text.lines().zip(kept.lines())) {
        assert_eq!(now, kept, "line {number} of {}; ELTWISE_BLESS=1 writes it anew", path.display());
    }
    assert_eq!(text.lines().count(), kept.lines().count(), "lines of {}", path.display());
}
