//! Operators with two results: `divmod`, `modf`, `frexp`, `sincos`.
//!
//! A [`Pair`] is two operators over the same operands. One program computes both, tile by tile, and computes the steps
//! they share once. Expressions use the two operators by their own names; [`Pair::parts`] has them.

use eltwise_core::{Broadcast, DType, Error, Op};
use eltwise_plan::ProgramBuilder;
use smallvec::SmallVec;

use crate::array::Array;
use crate::expr::Expr;
use crate::functions::{AsView, bind};
use crate::program::Program;
use crate::threads::Serial;
use crate::view::{View, ViewMut};

/// An operator with two results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Pair {
    /// `(floor_divide(x, y), remainder(x, y))`
    Divmod,
    /// `(fraction(x), trunc(x))`; both have the sign of `x`
    Modf,
    /// `(mantissa(x), exponent(x))`, with `x = mantissa * 2^exponent`
    Frexp,
    /// `(sin(x), cos(x))`
    Sincos,
}

impl Pair {
    /// Every pair.
    pub const ALL: [Pair; 4] = [Pair::Divmod, Pair::Modf, Pair::Frexp, Pair::Sincos];

    /// The name, the same in every language.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The two operators. Both take the same operands.
    pub const fn parts(self) -> [Op; 2] {
        self.row().1
    }

    /// The name and the two operators.
    const fn row(self) -> (&'static str, [Op; 2]) {
        match self {
            Pair::Divmod => ("divmod", [Op::FloorDivide, Op::Remainder]),
            Pair::Modf => ("modf", [Op::Fraction, Op::Trunc]),
            Pair::Frexp => ("frexp", [Op::Mantissa, Op::Exponent]),
            Pair::Sincos => ("sincos", [Op::Sin, Op::Cos]),
        }
    }

    /// Both operators over the same expressions.
    ///
    /// # Errors
    /// [`Error::Arity`] for a wrong number of operands.
    pub fn expressions(self, operands: &[Expr]) -> Result<[Expr; 2], Error> {
        let [first, second] = self.parts();
        Ok([Expr::apply(first, operands)?, Expr::apply(second, operands)?])
    }

    /// The program with both results as outputs, over inputs of these dtypes.
    ///
    /// # Errors
    /// [`Error::Arity`] or [`Error::Operand`] for a number of operands or a dtype that an operator of the pair does not take;
    /// [`Error::Expression`] for a broadcast mode that it does not take.
    pub fn program(self, operands: &[DType], mode: &Broadcast) -> Result<Program, Error> {
        let mut builder = ProgramBuilder::new();
        let names = self.parts()[0].operand_names();
        let args: SmallVec<[_; 2]> =
            names.iter().cycle().zip(operands).map(|(name, &dtype)| builder.input(name, dtype)).collect();
        for op in self.parts() {
            let value = builder.step(op, &args, None, mode.clone())?;
            builder.output(value);
        }
        builder.finish().map(Program::from)
    }
}

/// Applies a pair to views and returns two new arrays.
///
/// # Errors
/// The errors of [`apply`](crate::functions::apply).
pub fn apply_pair(pair: Pair, inputs: &[View<'_>], mode: &Broadcast) -> Result<[Array; 2], Error> {
    let plan = bind(|dtypes| pair.program(dtypes, mode), inputs, None)?;
    let array = |k: usize| Array::with_layout(plan.output_layouts()[k].clone());
    let mut outputs = [array(0)?, array(1)?];
    plan.run_checked(&Serial, inputs, &mut outputs.each_mut().map(Array::view_mut))?;
    Ok(outputs)
}

/// Applies a pair to views and writes the results to two views, which have the shape and the dtypes of the results.
///
/// # Errors
/// The errors of [`apply_into`](crate::functions::apply_into). After [`Error::Data`] both outputs are written.
pub fn apply_pair_into(
    pair: Pair,
    inputs: &[View<'_>],
    mode: &Broadcast,
    outputs: &mut [ViewMut<'_>; 2],
) -> Result<(), Error> {
    let layouts = [outputs[0].layout(), outputs[1].layout()];
    let plan = bind(|dtypes| pair.program(dtypes, mode), inputs, Some(&layouts))?;
    plan.run_checked(&Serial, inputs, outputs)
}

/// `(floor_divide(x, y), remainder(x, y))`. The remainder has the sign of `y`. An integer division by zero is an error.
///
/// # Errors
/// [`apply`](crate::functions::apply) lists them.
pub fn divmod(x: &impl AsView, y: &impl AsView) -> Result<[Array; 2], Error> {
    apply_pair(Pair::Divmod, &[x.as_view(), y.as_view()], &Broadcast::Numpy)
}

/// `(fraction(x), trunc(x))` of floats. Their sum is `x`, and both have the sign of `x`. The fraction of an infinity is 0.
///
/// # Errors
/// [`apply`](crate::functions::apply) lists them.
pub fn modf(x: &impl AsView) -> Result<[Array; 2], Error> {
    apply_pair(Pair::Modf, &[x.as_view()], &Broadcast::Numpy)
}

/// `(mantissa(x), exponent(x))` of floats: `x = mantissa * 2^exponent` with `0.5 <= |mantissa| < 1`. The exponents are
/// `i32`. For zeros and infinities the mantissa is `x` and the exponent 0.
///
/// # Errors
/// [`apply`](crate::functions::apply) lists them.
pub fn frexp(x: &impl AsView) -> Result<[Array; 2], Error> {
    apply_pair(Pair::Frexp, &[x.as_view()], &Broadcast::Numpy)
}

/// `(sin(x), cos(x))` of floats, in radians, each within 1 ULP.
///
/// # Errors
/// [`apply`](crate::functions::apply) lists them.
pub fn sincos(x: &impl AsView) -> Result<[Array; 2], Error> {
    apply_pair(Pair::Sincos, &[x.as_view()], &Broadcast::Numpy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divmod_modf_and_frexp_of_known_values() {
        let x = Array::from_slice(&[7.5f32, -7.5, 0.0, -0.0, f32::INFINITY], [5]).unwrap();
        let y = Array::from_slice(&[2.0f32], []).unwrap();
        let [quotient, rest] = divmod(&x, &y).unwrap();
        assert_eq!(quotient.as_slice::<f32>().unwrap()[..4], [3.0, -4.0, 0.0, -0.0]);
        assert_eq!(rest.as_slice::<f32>().unwrap()[..2], [1.5, 0.5]);
        let [fraction, whole] = modf(&x).unwrap();
        assert_eq!(fraction.as_slice::<f32>().unwrap(), [0.5, -0.5, 0.0, 0.0, 0.0]);
        assert!(fraction.as_slice::<f32>().unwrap()[3].is_sign_negative());
        assert_eq!(whole.as_slice::<f32>().unwrap(), [7.0, -7.0, 0.0, 0.0, f32::INFINITY]);
        let [mantissa, exponent] = frexp(&x).unwrap();
        assert_eq!(mantissa.as_slice::<f32>().unwrap(), [0.9375, -0.9375, 0.0, 0.0, f32::INFINITY]);
        assert_eq!(exponent.as_slice::<i32>().unwrap(), [3, 3, 0, 0, 0]);
    }

    #[test]
    fn data_conditions_and_wrong_operands_are_errors() {
        let x = Array::from_slice(&[7i32, -7, 5], [3]).unwrap();
        let y = Array::from_slice(&[2i32, 2, 0], [3]).unwrap();
        let mut outputs = [0, 1].map(|_| Array::from_slice(&[9i32; 3], [3]).unwrap());
        let [first, second] = &mut outputs;
        let inputs = [x.view(), y.view()];
        let mut views = [first.view_mut(), second.view_mut()];
        // The division by zero is reported after both outputs are written.
        assert!(apply_pair_into(Pair::Divmod, &inputs, &Broadcast::Numpy, &mut views).is_err());
        assert_eq!(outputs[0].as_slice::<i32>().unwrap(), [3, -4, 0]);
        assert_eq!(outputs[1].as_slice::<i32>().unwrap(), [1, 1, 0]);
        assert!(divmod(&x, &y).is_err());
        assert!(modf(&x).is_err());
        for pair in Pair::ALL {
            assert!(pair.expressions(&[]).is_err());
            let operands = vec![Expr::input("x"); pair.parts()[0].arity()];
            assert_eq!(pair.expressions(&operands).unwrap().map(|e| e.names().len()), [1, 1]);
            assert!(pair.name().parse::<Op>().is_err());
        }
    }
}
