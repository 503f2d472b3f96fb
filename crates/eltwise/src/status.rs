//! [`Status`]: the data conditions of a run.

use core::ops::{BitOr, BitOrAssign};

use eltwise_core::Error;
use eltwise_kernels::{NEGATIVE_EXPONENT, ZERO_DIVISION};

/// The flag of a cancelled run. The kernels use the low bits.
pub(crate) const CANCELLED: u32 = 1 << 31;

/// The data conditions of a run, and whether it was [cancelled](Status::cancelled).
///
/// A data condition does not abort a run: every element of the outputs is written. `a | b` combines the status of two runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[must_use = "data conditions are reported here and nowhere else"]
pub struct Status(pub(crate) u32);

impl Status {
    /// Whether an integer was divided by zero. The result of the element is 0.
    pub fn zero_division(self) -> bool {
        self.0 & ZERO_DIVISION != 0
    }

    /// Whether an integer was raised to a negative power. The result is exact for 1 and -1, and 0 for all other integers.
    pub fn negative_exponent(self) -> bool {
        self.0 & NEGATIVE_EXPONENT != 0
    }

    /// Whether the run was [cancelled](crate::Cancel) before it was complete. Any part of the outputs may be unwritten.
    pub fn cancelled(self) -> bool {
        self.0 & CANCELLED != 0
    }

    /// Turns a condition into an error.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if the run was cancelled, otherwise [`Error::Data`] for a division by zero, otherwise
    /// [`Error::Data`] for a negative exponent.
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
