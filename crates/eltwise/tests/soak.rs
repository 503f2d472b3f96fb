//! Random layouts and programs equal the reference on every ISA, byte by byte. `just soak` draws millions.

use eltwise_testkit::check;
use eltwise_testkit::soak::{Kind, cases_of, run};

#[test]
fn random_layouts_equal_the_reference() {
    soak(Kind::Layouts, 50_000);
}

#[test]
fn random_programs_over_random_layouts_equal_the_reference() {
    soak(Kind::Programs, 20_000);
}

fn soak(kind: Kind, usual: u64) {
    let tally = run(kind, cases_of(usual), 1, &check::levels());
    println!("{} cases, {} runs, {} refused in place: {:?}", tally.cases, tally.runs, tally.refused, tally.techniques);
    assert!(tally.failed == 0, "{} of {} cases fail:\n{}", tally.failed, tally.cases, tally.failures.join("\n\n"));
}
