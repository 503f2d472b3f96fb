//! What a run met in the data.

use core::ops::{BitOr, BitOrAssign};

use eltwise_kernels::{NEGATIVE_EXPONENT, ZERO_DIVISION};
use eltwise_plan::Error;

/// The bit of a run that was cancelled, beside those of the kernels.
pub(crate) const CANCELLED: u32 = 1 << 31;

/// The data conditions of a run, which never stop it: every element has a value. And whether it was
/// [cancelled](Status::cancelled): then some have none.
///
/// `a | b` is the status of both.
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

    /// An integer was raised to a negative power: 1 and -1 have theirs, all others give 0.
    pub fn negative_exponent(self) -> bool {
        self.0 & NEGATIVE_EXPONENT != 0
    }

    /// The run was [cancelled](crate::Cancel) before it was complete: any part of the outputs may be unwritten.
    pub fn cancelled(self) -> bool {
        self.0 & CANCELLED != 0
    }

    /// Turns a condition into an error.
    ///
    /// # Errors
    /// [`Error::Cancelled`] of a run that is not complete; [`Error::Data`] when a condition was met; of several, a division by zero comes first.
    pub fn check(self) -> Result<(), Error> {
        if self.cancelled() {
            return Err(Error::Cancelled);
        }
        if self.zero_division() {
            return Err(Error::Data { condition: "integer division by zero" });
        }
        if self.negative_exponent() {
            return Err(Error::Data { condition: "integer to a negative power" });
        }
        Ok(())
    }
}

impl BitOr for Status {
    type Output = Status;
    fn bitor(self, other: Status) -> Status {
        Status(self.0 | other.0)
    }
}

impl BitOrAssign for Status {
    fn bitor_assign(&mut self, other: Status) {
        self.0 |= other.0;
    }
}
