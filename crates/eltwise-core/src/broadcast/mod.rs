//! Broadcasting: the common shape of several operands, and how the axes of each operand are aligned with it. [`Broadcast`] is
//! the mode, [`Alignment`] the result.
//!
//! | mode | operands | rule |
//! |---|---|---|
//! | [`None`](Broadcast::None) | any number | all shapes equal |
//! | [`Numpy`](Broadcast::Numpy) | any number | right-aligned; on each axis the sizes are equal or 1, and the result is the size that is not 1 (0 with 1 gives 0) |
//! | [`Unidirectional`](Broadcast::Unidirectional) | A, B | as `Numpy`, and the result must be A's shape |
//! | [`Pdpd`](Broadcast::Pdpd) | A, B | B starts at an axis of A; only B broadcasts; the result has A's shape |
//! | [`Bidirectional`](Broadcast::Bidirectional) | one | `Numpy` between the operand and a target shape |

mod align;

use core::fmt;

pub use align::{Alignment, broadcast_shapes};

use crate::shape::Shape;

/// The broadcast mode: the rule for the common shape of a step's operands.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[non_exhaustive]
pub enum Broadcast {
    /// All shapes equal.
    None,
    /// Right-aligned, sizes equal or 1; any number of operands (ONNX multidirectional).
    #[default]
    Numpy,
    /// As `Numpy`, and the result must have the first operand's shape (ONNX unidirectional).
    Unidirectional,
    /// The second operand, B, starts at `axis` of the first, A; only B broadcasts (PaddlePaddle, OpenVINO).
    ///
    /// B's rank is at most A's. Trailing axes of size 1 are dropped from B; the others must be within A, and each must have
    /// size 1 or A's size. So B of size 1 broadcasts to A of size 0, but B of size 0 does not fit A of size 1.
    Pdpd {
        /// The axis of A at which B starts, from 0 to A's rank; -1 is `rank(A) - rank(B)`, with the trailing 1s of B included.
        axis: i64,
    },
    /// One input and a target shape, which both broadcast (OpenVINO). The result is not the target shape if that has
    /// axes of size 1 or the lower rank.
    Bidirectional {
        /// The target shape.
        target: Shape,
    },
}

impl fmt::Display for Broadcast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Broadcast::None => f.write_str("none"),
            Broadcast::Numpy => f.write_str("numpy"),
            Broadcast::Unidirectional => f.write_str("unidirectional"),
            Broadcast::Pdpd { axis } => write!(f, "pdpd axis {axis}"),
            Broadcast::Bidirectional { target } => write!(f, "bidirectional to {target}"),
        }
    }
}
