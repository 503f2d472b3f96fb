//! [`Constant`]: a typed scalar.

use crate::dtype::DType;

/// A scalar of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Constant {
    /// The dtype.
    pub dtype: DType,
    /// The bits of the element, in the low bytes. Byte 0 of the element in little-endian order is the
    /// lowest byte.
    pub bits: u128,
}
