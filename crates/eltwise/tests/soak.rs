//! Random layouts and programs equal the reference on every ISA, byte by byte. `just soak` runs millions of cases.

use eltwise_testkit::check;
use eltwise_testkit::soak::{CaseKind, run, scaled_cases};

#[test]
fn random_layouts_equal_the_reference() {
    soak(CaseKind::Layouts, 50_000);
}

#[test]
fn random_programs_over_random_layouts_equal_the_reference() {
    soak(CaseKind::Programs, 20_000);
}

fn soak(kind: CaseKind, cases: u64) {
    let tally = run(kind, scaled_cases(cases), 1, &check::isas());
    println!(
        "{} cases, {} runs, {} not allowed in place: {:?}",
        tally.cases, tally.runs, tally.refused, tally.techniques
    );
    let failure_texts = tally.failure_texts.join("\n\n");
    assert!(tally.failures == 0, "{} of {} cases fail:\n{failure_texts}", tally.failures, tally.cases);
}
