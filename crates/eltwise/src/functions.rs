//! One function per operator: `add(&x, &y)` runs the operator on the calling thread and returns a new array.
//!
//! The functions are generated from the [catalogue](mod@eltwise_core::catalogue). Operands are arrays or views
//! ([`AsView`]); their shapes broadcast by NumPy's rule. [`into`](mod@crate::into) has the same functions with an output
//! view, and [`apply`] takes the operator and the broadcast mode as arguments. To run the same operator many times over
//! the same layouts, bind a [`Program`] once.

use eltwise_core::{Broadcast, DType, Error, Layout, Op, Shape};
use smallvec::SmallVec;

use crate::array::Array;
use crate::exec::Layouts;
use crate::plan::{BindOptions, Plan};
use crate::program::Program;
use crate::run::apply_dense;
use crate::threads::Serial;
use crate::view::{View, ViewMut};

/// An operand of the functions of this module: an array or a view.
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

/// Applies an operator to views and returns a new array.
///
/// `mode` broadcasts the shapes of the inputs to the shape of the result. The inputs have any strides; the result is
/// contiguous, with the axis order of the inputs. `target` is the dtype of the result for `cast`, `cast_saturating` and
/// `bitcast`, and `None` for all other operators, whose result dtype follows from the inputs' dtypes.
///
/// # Errors
/// * [`Error::Arity`], [`Error::Operand`], [`Error::Target`]: a number of inputs or a dtype that the operator does not
///   take. Dtypes are not promoted; [`promote`](mod@crate::promote) has NumPy's rules.
/// * [`Error::Broadcast`]: shapes that do not broadcast. [`Error::Expression`]: a mode that the operator does not take.
/// * [`Error::Unsupported`]: a dtype whose kernels this build lacks.
/// * [`Error::TooLarge`]: no memory for the result.
/// * [`Error::Data`]: a data condition, such as an integer division by zero.
pub fn apply(op: Op, inputs: &[View<'_>], target: Option<DType>, mode: Broadcast) -> Result<Array, Error> {
    if target.is_none()
        && matches!(mode, Broadcast::Numpy)
        && let Some(result) = apply_dense(op, inputs)
    {
        return result;
    }
    let plan = bind(|dtypes| Program::single(op, dtypes, target, mode), inputs, None)?;
    let mut out = Array::with_layout(plan.output_layouts()[0].clone())?;
    plan.run(inputs, &mut [out.view_mut()])?.check()?;
    Ok(out)
}

/// Applies an operator to views and writes the result to `out`, which has the result's shape and dtype and any strides
/// under which no two elements share memory.
///
/// # Errors
/// * [`Error::Arity`], [`Error::Operand`], [`Error::Target`]: a number of inputs or a dtype that the operator does not
///   take.
/// * [`Error::Broadcast`]: shapes that do not broadcast. [`Error::Expression`]: a mode that the operator does not take.
/// * [`Error::Shape`], [`Error::DType`]: an output that has not the shape or the dtype of the result.
/// * [`Error::OverlappingOutput`]: an output whose elements share memory.
/// * [`Error::Unsupported`]: a dtype whose kernels this build lacks.
/// * [`Error::Data`]: a data condition, such as an integer division by zero. The output was written completely.
pub fn apply_into(
    op: Op,
    inputs: &[View<'_>],
    target: Option<DType>,
    mode: Broadcast,
    out: &mut ViewMut<'_>,
) -> Result<(), Error> {
    let plan = bind(|dtypes| Program::single(op, dtypes, target, mode), inputs, Some(&[out.layout()]))?;
    plan.run_checked(&Serial, inputs, core::slice::from_mut(out))
}

/// Binds the program over the dtypes of the inputs to the layouts of the inputs and of the outputs, if they exist, for one run.
pub(crate) fn bind(
    program: impl FnOnce(&[DType]) -> Result<Program, Error>,
    inputs: &[View<'_>],
    outputs: Option<&[&Layout]>,
) -> Result<Plan, Error> {
    let dtypes: SmallVec<[DType; 4]> = inputs.iter().map(View::dtype).collect();
    let layouts: SmallVec<[&Layout; 4]> = inputs.iter().map(View::layout).collect();
    let layouts = Layouts { inputs: &layouts, outputs, c_order: false };
    Plan::new(&program(&dtypes)?, layouts, &BindOptions::new().runs(1))
}

/// Defines the function of one row of the catalogue. With `apply()` it returns a new array, with `apply_into(out)` it
/// writes to a view. The two functions of `add`, for example:
///
/// ```text
/// pub fn add(x: &impl AsView, y: &impl AsView) -> Result<Array, Error> {
///     apply(Op::Add, &[x.as_view(), y.as_view()], None, Broadcast::Numpy)
/// }
/// pub fn add(x: &impl AsView, y: &impl AsView, out: &mut ViewMut<'_>) -> Result<(), Error> {
///     apply_into(Op::Add, &[x.as_view(), y.as_view()], None, Broadcast::Numpy, out)
/// }
/// ```
macro_rules! function {
    // `broadcast_to` takes a shape: it is written by hand below. To a view, `copy` broadcasts.
    ($(#[$doc:meta])* Move BroadcastTo $name:ident $operands:tt $apply:ident $out:tt -> $result:ty) => {};
    ($(#[$doc:meta])* Convert $variant:ident $name:ident ($x:ident) apply() -> $result:ty) => {
        $(#[$doc])*
        pub fn $name($x: &impl AsView, dtype: DType) -> Result<$result, Error> {
            apply(Op::$variant, &[$x.as_view()], Some(dtype), Broadcast::Numpy)
        }
    };
    ($(#[$doc:meta])* Convert $variant:ident $name:ident ($x:ident) apply_into($out:ident) -> $result:ty) => {
        $(#[$doc])*
        pub fn $name($x: &impl AsView, $out: &mut ViewMut<'_>) -> Result<$result, Error> {
            apply_into(Op::$variant, &[$x.as_view()], Some($out.dtype()), Broadcast::Numpy, $out)
        }
    };
    ($(#[$doc:meta])* Fold $variant:ident $name:ident $operands:tt $apply:ident($($out:ident)?) -> $result:ty) => {
        $(#[$doc])*
        pub fn $name(operands: &[View<'_>] $(, $out: &mut ViewMut<'_>)?) -> Result<$result, Error> {
            $apply(Op::$variant, operands, None, Broadcast::Numpy $(, $out)?)
        }
    };
    ($(#[$doc:meta])* $signature:ident $variant:ident $name:ident ($($operand:ident),*) $apply:ident($($out:ident)?) -> $result:ty) => {
        $(#[$doc])*
        pub fn $name($($operand: &impl AsView),* $(, $out: &mut ViewMut<'_>)?) -> Result<$result, Error> {
            $apply(Op::$variant, &[$($operand.as_view()),*], None, Broadcast::Numpy $(, $out)?)
        }
    };
}

macro_rules! functions {
    ($(#[doc = $doc:literal] $variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident $cost:ident $half:ident [$($kernel:ident)*] [$($condition:ident)*];)*) => {
        $(function! {
            #[doc = $doc]
            ///
            /// Returns a new array. [`apply`] describes shapes, dtypes and layouts.
            ///
            /// # Errors
            /// [`apply`] lists them.
            $signature $variant $name ($($operand),*) apply() -> Array
        })*

        /// The functions of [`into`](mod@crate::into).
        pub(crate) mod to_views {
            use super::*;

            $(function! {
                #[doc = $doc]
                ///
                /// Writes to `out`. [`apply_into`] describes shapes, dtypes and layouts.
                ///
                /// # Errors
                /// [`apply_into`] lists them.
                $signature $variant $name ($($operand),*) apply_into(out) -> ()
            })*
        }
    };
}

eltwise_core::catalogue!(functions);

/// A broadcast copy of `x` ([`Op::BroadcastTo`]). The rule is OpenVINO's bidirectional one: `x` and `shape` broadcast to a
/// common shape, so the result is larger than `shape` on axes where `shape` is 1. [`View::broadcast_to`] broadcasts a
/// view without a copy.
///
/// # Errors
/// [`Error::Broadcast`] if the shapes do not broadcast, [`Error::TooLarge`] without memory for the copy.
pub fn broadcast_to(x: &impl AsView, shape: impl Into<Shape>) -> Result<Array, Error> {
    apply(Op::BroadcastTo, &[x.as_view()], None, Broadcast::Bidirectional { target: shape.into() })
}
