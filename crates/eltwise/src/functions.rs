//! One operator in one call: into a new array, or into a given view.
//!
//! The functions are made from the rows of the catalogue; [`into`](mod@crate::into) has those that write into a view.
//! Inputs are anything that [`AsView`]; shapes broadcast by NumPy's rule; the run is on the calling thread. Data
//! conditions (integer division by zero) are errors *after* the run; [`apply_into`] leaves the output written.

use eltwise_plan::{Broadcast, DType, Error, Hoist, Layout, Op, Shape};
use smallvec::SmallVec;

use crate::array::Array;
use crate::exec::flat::apply_dense;
use crate::executor::Serial;
use crate::plan::Plan;
use crate::program::Program;
use crate::view::{View, ViewMut};

/// Anything with elements to read.
pub trait AsView {
    /// A view of the elements.
    fn as_view(&self) -> View<'_>;
}

impl AsView for Array {
    #[inline]
    fn as_view(&self) -> View<'_> {
        self.view()
    }
}

impl AsView for View<'_> {
    #[inline]
    fn as_view(&self) -> View<'_> {
        self.borrowed()
    }
}

impl AsView for ViewMut<'_> {
    #[inline]
    fn as_view(&self) -> View<'_> {
        ViewMut::as_view(self)
    }
}

/// Applies an operator to views, into a new array; `target` is the dtype parameter of `cast`.
///
/// # Errors
/// Operands that the operator does not take, shapes that do not broadcast, data conditions.
pub fn apply(op: Op, inputs: &[View<'_>], target: Option<DType>, mode: Broadcast) -> Result<Array, Error> {
    if target.is_none()
        && matches!(mode, Broadcast::Numpy)
        && let Some(result) = apply_dense(op, inputs)
    {
        return result;
    }
    let plan = bind(op, inputs, target, mode, None)?;
    let mut out = Array::with_layout(plan.output_layouts()[0].clone())?;
    plan.run(inputs, &mut [out.view_mut()])?.check()?;
    Ok(out)
}

/// Applies an operator to views, into a view of the result's shape and dtype.
///
/// # Errors
/// As [`apply`]; an output of another shape or dtype. After a data condition the output is written.
pub fn apply_into(
    op: Op,
    inputs: &[View<'_>],
    target: Option<DType>,
    mode: Broadcast,
    out: &mut ViewMut<'_>,
) -> Result<(), Error> {
    let plan = bind(op, inputs, target, mode, Some(&[out.layout()]))?;
    plan.run_checked(&Serial, inputs, core::slice::from_mut(out))
}

fn bind(
    op: Op,
    inputs: &[View<'_>],
    target: Option<DType>,
    mode: Broadcast,
    outputs: Option<&[&Layout]>,
) -> Result<Plan, Error> {
    let dtypes: SmallVec<[DType; 4]> = inputs.iter().map(View::dtype).collect();
    let layouts: SmallVec<[&Layout; 4]> = inputs.iter().map(View::layout).collect();
    Plan::new(&Program::single(op, &dtypes, target, mode)?, &layouts, outputs, false, None, None, Hoist::default())
}

macro_rules! function {
    (Convert $variant:ident $name:ident ($x:ident) $doc:literal) => {
        #[doc = $doc]
        ///
        /// Into a new array. See [`apply`].
        ///
        /// # Errors
        /// As [`apply`].
        pub fn $name($x: &impl AsView, dtype: DType) -> Result<Array, Error> {
            apply(Op::$variant, &[$x.as_view()], Some(dtype), Broadcast::Numpy)
        }
    };
    // `broadcast_to` has a parameter of its own.
    (Move BroadcastTo $name:ident ($x:ident) $doc:literal) => {};
    (Fold $variant:ident $name:ident $operands:tt $doc:literal) => {
        #[doc = $doc]
        ///
        /// Into a new array. See [`apply`].
        ///
        /// # Errors
        /// As [`apply`].
        pub fn $name(operands: &[View<'_>]) -> Result<Array, Error> {
            apply(Op::$variant, operands, None, Broadcast::Numpy)
        }
    };
    ($signature:ident $variant:ident $name:ident ($($operand:ident),*) $doc:literal) => {
        #[doc = $doc]
        ///
        /// Into a new array. See [`apply`].
        ///
        /// # Errors
        /// As [`apply`].
        pub fn $name($($operand: &impl AsView),*) -> Result<Array, Error> {
            apply(Op::$variant, &[$($operand.as_view()),*], None, Broadcast::Numpy)
        }
    };
}

macro_rules! functions {
    ($($variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident [$($condition:ident)*] $doc:literal;)*) => {
        $(function!($signature $variant $name ($($operand),*) $doc);)*
    };
}

eltwise_plan::catalogue!(functions);

/// [`Op::BroadcastTo`] into a new array: OpenVINO's bidirectional rule, so the result may be larger than `shape` where
/// `shape` has 1s. For a view without a copy, see [`View::broadcast_to`].
///
/// # Errors
/// As [`apply`].
pub fn broadcast_to(x: &impl AsView, shape: impl Into<Shape>) -> Result<Array, Error> {
    apply(Op::BroadcastTo, &[x.as_view()], None, Broadcast::Bidirectional { target: shape.into() })
}
