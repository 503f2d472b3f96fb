//! Times special values.
fn main() {}
