//! Cases of the soak (`just soak`) whose choices are a fuzzer's bytes.

use std::cell::RefCell;

use eltwise::Isa;
use eltwise_testkit::soak::layouts::Choices;
use eltwise_testkit::soak::{Drawer, Kind, Pools};
use libfuzzer_sys::arbitrary::{self, Arbitrary};

/// A case of the soak.
#[derive(Arbitrary, Clone, Debug)]
pub struct DrawnSpec {
    is_program: bool,
    choices: Vec<u8>,
}

/// Choices out of bytes; when these end, each is the first.
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

impl DrawnSpec {
    /// Checks the case on every ISA.
    ///
    /// # Panics
    /// When a run differs from the reference.
    pub fn check(&self) {
        thread_local! {
            static DRAWER: RefCell<Drawer<'static>> = RefCell::new({
                let isas: Vec<Isa> = Isa::available().collect();
                Drawer::new(Box::leak(Box::new(Pools::new(0))), &isas)
            });
        }
        let kind = if self.is_program { Kind::Programs } else { Kind::Layouts };
        let drawn = DRAWER.with_borrow_mut(|drawer| drawer.draw(kind, &mut Bytes(self.choices.iter())));
        drawn.unwrap_or_else(|error| panic!("{error}"));
    }
}
