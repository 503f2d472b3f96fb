//! The definition of every operator on scalars: [`apply`], and the data conditions it meets: [`conditions`].
//!
//! A definition is a function with the name of the operator's variant, in the module of its group:
//!
//! | module | operators |
//! |---|---|
//! | `arithmetic` | sums, products, extremes, `fma`, `lerp`, `clamp`, signs, `sqrt` |
//! | `angles` | conversions between degrees and radians |
//! | `division` | quotients and remainders |
//! | `integers` | integer powers, saturating arithmetic, shifts, bit counts, `gcd`, `lcm` |
//! | `bitwise`, `comparison` | bitwise operators; comparisons, classification, logic |
//! | `rounding`, `exponents` | rounding, `nextafter`; powers of two, parts of a float |
//! | `math` | functions of `eltwise-oracle`: `exp`, `sin`, `gelu`, ... |
//! | `activations` | activations made of IEEE operations: `relu`, `hard_swish`, `prelu`, ... |
//! | `sum_mean` | `sum` and `mean` of any number of operands |
//! | `casts` | `cast`, `cast_saturating`, `bitcast` |
//! | `quantize` | `quantize_linear`, `dequantize_linear` |
//! | `select_copy` | `where`, `copy`, `broadcast_to` |
//!
//! `compute_type` and `float` let a definition be written once for all dtypes.

mod activations;
mod angles;
mod arithmetic;
mod bitwise;
mod casts;
mod comparison;
mod compute_type;
mod division;
mod exponents;
mod float;
mod integers;
mod math;
mod quantize;
mod rounding;
mod select_copy;
mod sum_mean;

use eltwise_core::{DType, Op};

use crate::value::Value;
use activations::*;
use angles::*;
use arithmetic::*;
use bitwise::*;
use casts::*;
use comparison::*;
use division::*;
use exponents::*;
use integers::*;
use math::*;
use quantize::*;
use rounding::*;
use select_copy::*;
use sum_mean::*;

/// The definition of an operator on scalars: a function of its operands and the target dtype of `cast`.
pub(crate) type Definition = fn(&[Value], Option<DType>) -> Value;

/// Makes the table of definitions from the rows of the catalogue; it uses their first column, the variant. An operator
/// without a definition, or with two, does not compile. The result:
///
/// ```text
/// const DEFINITIONS: &[Definition] = &[Add, Subtract, Multiply, /* ... */];
/// ```
macro_rules! definitions {
    ($(#[doc = $doc:literal] $variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident $cost:ident $half:ident [$($kernel:ident)*] [$($condition:ident)*];)*) => {
        /// The definitions in catalogue order.
        const DEFINITIONS: &[Definition] = &[$($variant,)*];
    };
}

eltwise_core::catalogue!(definitions);

/// The definition of `op`.
pub(crate) fn definition(op: Op) -> Definition {
    DEFINITIONS[op.index()]
}

/// The result of `op` on scalars. `target` is the dtype parameter of `cast`.
///
/// # Panics
/// If [`Op::result`] is an error for the dtypes of the operands.
pub fn apply(op: Op, args: &[Value], target: Option<DType>) -> Value {
    let dtypes: Vec<DType> = args.iter().map(|a| a.dtype).collect();
    if let Err(e) = op.result(&dtypes, target) {
        panic!("{e}");
    }
    definition(op)(args, target)
}

/// The data conditions that an evaluation met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conditions {
    /// An integer was divided by zero.
    pub zero_division: bool,
    /// An integer was raised to a negative power.
    pub negative_exponent: bool,
}

impl Conditions {
    /// Whether any condition was met.
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

/// Whether `op` can meet a data condition on this dtype. Only integers can.
pub(crate) fn may_meet_conditions(op: Op, dtype: DType) -> bool {
    dtype.is_integer() && !op.info().conditions.is_empty()
}

/// The data conditions that `op` meets with these operands: an integer division by 0, or an integer power with a
/// negative exponent.
pub fn conditions(op: Op, args: &[Value]) -> Conditions {
    let [_, y] = *args else { return Conditions::default() };
    let may = |name| may_meet_conditions(op, y.dtype) && op.info().conditions.contains(&name);
    Conditions {
        zero_division: may("zero_division") && !y.truth(),
        negative_exponent: may("negative_exponent") && y.to_i128() < 0,
    }
}
