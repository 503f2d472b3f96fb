//! One operator in one call, into a given view: `into::add(&x, &y, &mut out)`.
//!
//! As the functions of the same names in [`functions`](crate::functions), which make a new array. The output has the shape
//! and the dtype of the result; after a data condition it is written.

use eltwise_plan::{Broadcast, Error, Op};

use crate::functions::{AsView, apply_into};
use crate::view::{View, ViewMut};

macro_rules! function {
    (Convert $variant:ident $name:ident ($x:ident) $doc:literal) => {
        #[doc = $doc]
        ///
        /// Into a view, to its dtype. See [`apply_into`].
        ///
        /// # Errors
        /// As [`apply_into`].
        pub fn $name($x: &impl AsView, out: &mut ViewMut<'_>) -> Result<(), Error> {
            apply_into(Op::$variant, &[$x.as_view()], Some(out.dtype()), Broadcast::Numpy, out)
        }
    };
    // Repeating into a view of the shape is `copy`.
    (Move BroadcastTo $name:ident ($x:ident) $doc:literal) => {};
    (Fold $variant:ident $name:ident $operands:tt $doc:literal) => {
        #[doc = $doc]
        ///
        /// Into a view. See [`apply_into`].
        ///
        /// # Errors
        /// As [`apply_into`].
        pub fn $name(operands: &[View<'_>], out: &mut ViewMut<'_>) -> Result<(), Error> {
            apply_into(Op::$variant, operands, None, Broadcast::Numpy, out)
        }
    };
    ($signature:ident $variant:ident $name:ident ($($operand:ident),*) $doc:literal) => {
        #[doc = $doc]
        ///
        /// Into a view. See [`apply_into`].
        ///
        /// # Errors
        /// As [`apply_into`].
        pub fn $name($($operand: &impl AsView,)* out: &mut ViewMut<'_>) -> Result<(), Error> {
            apply_into(Op::$variant, &[$($operand.as_view()),*], None, Broadcast::Numpy, out)
        }
    };
}

macro_rules! functions {
    ($($variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident [$($condition:ident)*] $doc:literal;)*) => {
        $(function!($signature $variant $name ($($operand),*) $doc);)*
    };
}

eltwise_plan::catalogue!(functions);
