//! What a run met in the data.

use eltwise_kernels::ZERO_DIVISION;
use eltwise_plan::Error;

/// The data conditions of a run. They never stop it: every element has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[must_use = "data conditions are reported here and nowhere else"]
pub struct Status(u32);

impl Status {
    pub(crate) fn from_flags(flags: u32) -> Status {
        Status(flags)
    }

    /// An integer division by zero was computed; its result is 0.
    pub fn zero_division(self) -> bool {
        self.0 & ZERO_DIVISION != 0
    }

    /// Turns a condition into an error.
    ///
    /// # Errors
    /// [`Error::Data`] when a condition was met.
    pub fn check(self) -> Result<(), Error> {
        if self.zero_division() { Err(Error::Data { condition: "integer division by zero" }) } else { Ok(()) }
    }
}
