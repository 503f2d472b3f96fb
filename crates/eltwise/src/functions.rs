//! One operator in one call: into a new array, or into a given view.
//!
//! Inputs are anything that [`AsView`]; shapes broadcast by NumPy's rule; the run is on the calling thread. Data
//! conditions (integer division by zero) are errors *after* the run; [`apply_into`] leaves the output written.

use eltwise_plan::{Broadcast, DType, Error, Layout, Op, Shape};
use smallvec::SmallVec;

use crate::array::Array;
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
    fn as_view(&self) -> View<'_> {
        self.view()
    }
}

impl AsView for View<'_> {
    fn as_view(&self) -> View<'_> {
        self.clone()
    }
}

impl AsView for ViewMut<'_> {
    fn as_view(&self) -> View<'_> {
        ViewMut::as_view(self)
    }
}

/// Applies an operator to views, into a new array; `target` is the dtype parameter of `cast`.
///
/// # Errors
/// Operands that the operator does not take, shapes that do not broadcast, data conditions.
pub fn apply(op: Op, inputs: &[View<'_>], target: Option<DType>, mode: Broadcast) -> Result<Array, Error> {
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
    Plan::new(&Program::single(op, &dtypes, target, mode)?, &layouts, outputs, false, None, None)
}

macro_rules! functions {
    ($($name:ident $into:ident $variant:ident ($($x:ident),*);)*) => {
        $(
            #[doc = concat!("[`Op::", stringify!($variant), "`] into a new array. See [`apply`].")]
            ///
            /// # Errors
            /// As [`apply`].
            pub fn $name($($x: &impl AsView),*) -> Result<Array, Error> {
                apply(Op::$variant, &[$($x.as_view()),*], None, Broadcast::Numpy)
            }
            #[doc = concat!("[`Op::", stringify!($variant), "`] into a view. See [`apply_into`].")]
            ///
            /// # Errors
            /// As [`apply_into`].
            pub fn $into($($x: &impl AsView,)* out: &mut ViewMut<'_>) -> Result<(), Error> {
                apply_into(Op::$variant, &[$($x.as_view()),*], None, Broadcast::Numpy, out)
            }
        )*
        #[cfg(test)]
        const ROWS: &[(Op, &str)] = &[$((Op::$variant, stringify!($name))),*];
    };
}

functions! {
    add add_into Add (x, y);
    subtract subtract_into Subtract (x, y);
    multiply multiply_into Multiply (x, y);
    saturating_add saturating_add_into SaturatingAdd (x, y);
    saturating_subtract saturating_subtract_into SaturatingSubtract (x, y);
    saturating_multiply saturating_multiply_into SaturatingMultiply (x, y);
    divide divide_into Divide (x, y);
    floor_divide floor_divide_into FloorDivide (x, y);
    trunc_divide trunc_divide_into TruncDivide (x, y);
    remainder remainder_into Remainder (x, y);
    fmod fmod_into Fmod (x, y);
    maximum maximum_into Maximum (x, y);
    minimum minimum_into Minimum (x, y);
    fmax fmax_into Fmax (x, y);
    fmin fmin_into Fmin (x, y);
    squared_difference squared_difference_into SquaredDifference (x, y);
    abs_difference abs_difference_into AbsDifference (x, y);
    positive positive_into Positive (x);
    negative negative_into Negative (x);
    abs abs_into Abs (x);
    sign sign_into Sign (x);
    square square_into Square (x);
    reciprocal reciprocal_into Reciprocal (x);
    sqrt sqrt_into Sqrt (x);
    relu relu_into Relu (x);
    relu6 relu6_into Relu6 (x);
    hard_swish hard_swish_into HardSwish (x);
    softsign softsign_into Softsign (x);
    prelu prelu_into Prelu (x, slope);
    heaviside heaviside_into Heaviside (x, h);
    copysign copysign_into Copysign (x, y);
    nextafter nextafter_into NextAfter (x, y);
    floor floor_into Floor (x);
    ceil ceil_into Ceil (x);
    trunc trunc_into Trunc (x);
    round round_into Round (x);
    round_half_away round_half_away_into RoundHalfAway (x);
    clamp clamp_into Clamp (x, lo, hi);
    fma fma_into Fma (x, y, z);
    lerp lerp_into Lerp (x, y, t);
    equal equal_into Equal (x, y);
    not_equal not_equal_into NotEqual (x, y);
    less less_into Less (x, y);
    less_equal less_equal_into LessEqual (x, y);
    greater greater_into Greater (x, y);
    greater_equal greater_equal_into GreaterEqual (x, y);
    isnan isnan_into IsNan (x);
    isinf isinf_into IsInf (x);
    isfinite isfinite_into IsFinite (x);
    signbit signbit_into SignBit (x);
    logical_and logical_and_into LogicalAnd (x, y);
    logical_or logical_or_into LogicalOr (x, y);
    logical_xor logical_xor_into LogicalXor (x, y);
    logical_not logical_not_into LogicalNot (x);
    bitwise_and bitwise_and_into BitwiseAnd (x, y);
    bitwise_or bitwise_or_into BitwiseOr (x, y);
    bitwise_xor bitwise_xor_into BitwiseXor (x, y);
    bitwise_not bitwise_not_into BitwiseNot (x);
    shift_left shift_left_into ShiftLeft (x, y);
    shift_right shift_right_into ShiftRight (x, y);
    popcount popcount_into Popcount (x);
    leading_zeros leading_zeros_into LeadingZeros (x);
    trailing_zeros trailing_zeros_into TrailingZeros (x);
    gcd gcd_into Gcd (x, y);
    lcm lcm_into Lcm (x, y);
    where_ where_into Where (cond, x, y);
    copy copy_into Copy (x);
}

/// [`Op::Cast`] into a new array.
///
/// # Errors
/// As [`apply`].
pub fn cast(x: &impl AsView, dtype: DType) -> Result<Array, Error> {
    if x.as_view().dtype() == dtype {
        return copy(x);
    }
    apply(Op::Cast, &[x.as_view()], Some(dtype), Broadcast::Numpy)
}

/// [`Op::Cast`] into a view, to its dtype.
///
/// # Errors
/// As [`apply_into`].
pub fn cast_into(x: &impl AsView, out: &mut ViewMut<'_>) -> Result<(), Error> {
    if x.as_view().dtype() == out.dtype() {
        return copy_into(x, out);
    }
    apply_into(Op::Cast, &[x.as_view()], Some(out.dtype()), Broadcast::Numpy, out)
}

/// [`Op::BroadcastTo`] into a new array: OpenVINO's bidirectional rule, so the result may be larger than `shape` where
/// `shape` has 1s. For a view without a copy, see [`View::broadcast_to`].
///
/// # Errors
/// As [`apply`].
pub fn broadcast_to(x: &impl AsView, shape: impl Into<Shape>) -> Result<Array, Error> {
    apply(Op::BroadcastTo, &[x.as_view()], None, Broadcast::Bidirectional { target: shape.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_has_its_function() {
        for &op in Op::ALL {
            let found = ROWS.iter().find(|r| r.0 == op).map(|r| r.1.trim_end_matches('_'));
            let expect = (!matches!(op, Op::Cast | Op::BroadcastTo)).then_some(op.name());
            assert_eq!(found, expect);
        }
    }
}
