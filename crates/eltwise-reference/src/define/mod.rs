//! What every operator does to scalars.
//!
//! A definition is a function named like the operator's variant, in the module of its group. The catalogue makes the
//! table below: it does not compile while an operator has no definition, or two.

mod activations;
mod arithmetic;
mod bits;
mod compare;
mod division;
mod domain;
mod exponents;
mod folds;
mod integers;
mod math;
mod movement;
mod quantise;
mod real;
mod rounding;

use eltwise_plan::{DType, Op};

use crate::value::Value;
use activations::*;
use arithmetic::*;
use bits::*;
use compare::*;
use division::*;
use exponents::*;
use folds::*;
use integers::*;
use math::*;
use movement::*;
use quantise::*;
use rounding::*;

/// An operator on scalars: its operands and the target dtype of `cast`.
pub(crate) type Definition = fn(&[Value], Option<DType>) -> Value;

macro_rules! table {
    ($($variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident [$($condition:ident)*] $doc:literal;)*) => {
        /// In the order of the catalogue.
        const DEFINITIONS: &[Definition] = &[$($variant,)*];
    };
}

eltwise_plan::catalogue!(table);

/// The definition of an operator.
pub(crate) fn definition(op: Op) -> Definition {
    DEFINITIONS[op.index()]
}

/// The operator's result for these operands; `target` is the dtype parameter of `cast`.
///
/// # Panics
/// For operands that [`Op::result`] refuses.
pub fn apply(op: Op, args: &[Value], target: Option<DType>) -> Value {
    let dtypes: Vec<DType> = args.iter().map(|a| a.dtype).collect();
    if let Err(e) = op.result(&dtypes, target) {
        panic!("{e}");
    }
    definition(op)(args, target)
}

/// Data conditions that elements met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conditions {
    /// An integer was divided by zero.
    pub zero_division: bool,
    /// An integer was raised to a negative power.
    pub negative_exponent: bool,
}

impl Conditions {
    /// Whether one was met.
    pub fn any(self) -> bool {
        self != Conditions::default()
    }
}

impl core::ops::BitOrAssign for Conditions {
    fn bitor_assign(&mut self, other: Conditions) {
        self.zero_division |= other.zero_division;
        self.negative_exponent |= other.negative_exponent;
    }
}

/// Whether the operator can meet a data condition in this dtype: only integers do.
pub(crate) fn may_meet_conditions(op: Op, dtype: DType) -> bool {
    dtype.is_integer() && !op.info().conditions.is_empty()
}

/// The data conditions that the operator meets with these operands: it divides integers and the divisor is 0, or raises an integer to
/// a power below 0.
pub fn conditions(op: Op, args: &[Value]) -> Conditions {
    let [_, y] = *args else { return Conditions::default() };
    let may = |name| may_meet_conditions(op, y.dtype) && op.info().conditions.contains(&name);
    Conditions {
        zero_division: may("zero_division") && !y.truth(),
        negative_exponent: may("negative_exponent") && y.to_i128() < 0,
    }
}
