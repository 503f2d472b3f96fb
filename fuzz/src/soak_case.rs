//! Cases of the soak test (`just soak`) drawn from a fuzzer's bytes: [`SoakSpec`].

use std::cell::RefCell;

use eltwise::Isa;
use eltwise_testkit::soak::random_layout::Choices;
use eltwise_testkit::soak::{CaseKind, CaseRunner, Pools};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

/// A case of the soak test.
#[derive(Arbitrary, Clone, Debug)]
pub struct SoakSpec {
    is_program: bool,
    choices: Vec<u8>,
}

/// Random choices from bytes. After the last byte, every choice is 0.
struct Bytes<'b>(std::slice::Iter<'b, u8>);

impl Choices for Bytes<'_> {
    fn bits(&mut self) -> u64 {
        (0..4).fold(0, |bits, _| bits << 8 | u64::from(self.0.next().copied().unwrap_or(0)))
    }

    fn below(&mut self, n: usize) -> usize {
        let bytes = if n <= 256 { 1 } else { 3 };
        let next = |bits, _| bits << 8 | usize::from(self.0.next().copied().unwrap_or(0));
        (0..bytes).fold(0, next) % n.max(1)
    }
}

impl SoakSpec {
    /// Checks the case on every ISA.
    ///
    /// # Panics
    /// If a run differs from the reference.
    pub fn check(&self) {
        thread_local! {
            static RUNNER: RefCell<CaseRunner<'static>> = RefCell::new({
                let isas: Vec<Isa> = Isa::available().collect();
                CaseRunner::new(Box::leak(Box::new(Pools::new(0))), &isas)
            });
        }
        let kind = if self.is_program { CaseKind::Programs } else { CaseKind::Layouts };
        let result = RUNNER.with_borrow_mut(|runner| runner.draw_and_check(kind, &mut Bytes(self.choices.iter())));
        result.unwrap_or_else(|error| panic!("{error}"));
    }
}
