//! The ISAs under test, and the report of the ISAs that this machine lacks.

use std::io::Write;
use std::sync::Once;

use eltwise_simd::Isa;

/// The ISAs with separate math code. [`Isa::Avx512Fp16`] and [`Isa::NeonFp16`] run the code of their parents.
const WITH_MATH: [Isa; 4] = [Isa::Scalar, Isa::Avx2, Isa::Avx512, Isa::Neon];

/// The ISAs to test: all that this CPU can run, up to the override `ELTWISE_ISA`. Reports the others once.
pub(crate) fn isas() -> Vec<Isa> {
    static REPORT: Once = Once::new();
    let native: Vec<Isa> = WITH_MATH.into_iter().filter(|isa| isa.is_native()).collect();
    let tested = |isa: &Isa| isa.is_available() && *isa <= Isa::current();
    REPORT.call_once(|| {
        native.iter().filter(|isa| !tested(isa)).for_each(|isa| skipped(&format!("the math functions on {isa}")));
    });
    native.into_iter().filter(tested).collect()
}

/// Prints `SKIPPED: what`, and appends `what` to the file that the environment variable `ELTWISE_SKIPPED` names, which
/// `.ci/run` prints at its end.
fn skipped(what: &str) {
    eprintln!("SKIPPED: {what}");
    let Some(file) = std::env::var_os("ELTWISE_SKIPPED").filter(|file| !file.is_empty()) else { return };
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(&file);
    // One write, so that lines of tests that run at the same time do not mix.
    let written = opened.and_then(|mut opened| opened.write_all(format!("{what}\n").as_bytes()));
    written.unwrap_or_else(|error| panic!("ELTWISE_SKIPPED names {}: {error}", file.display()));
}
