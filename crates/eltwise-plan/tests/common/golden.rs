//! Golden files: tables of the planner's decisions and texts in `tests/golden`, which a reviewer reads when they
//! change.

use std::path::Path;

/// Compares a text with `golden/NAME.txt`. With `ELTWISE_BLESS=1` writes it to that file and fails.
pub fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name).with_extension("txt");
    if std::env::var_os("ELTWISE_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        panic!("{} was written: review it, then run again without ELTWISE_BLESS", path.display());
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    for (number, (line, golden)) in (1..).zip(text.lines().zip(golden.lines())) {
        assert_eq!(line, golden, "line {number} of {}; ELTWISE_BLESS=1 writes the new text", path.display());
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "the number of lines of {}", path.display());
}
