//! Parsing of names: dtypes, operators and tiers of accuracy.
//!
//! The names themselves are [`DType::name`], [`Op::name`] and [`Accuracy::name`]. This module adds alternative spellings.

use alloc::string::ToString;
use core::str::FromStr;

use crate::accuracy::Accuracy;
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;

impl FromStr for DType {
    type Err = Error;

    /// Parses `f32` and the spelling of NumPy and ml_dtypes, `float32` (`uint8`, `int64`, `bfloat16`, ...).
    ///
    /// # Errors
    /// [`Error::UnknownDType`].
    fn from_str(s: &str) -> Result<Self, Error> {
        let numpy = [("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i")];
        let is_numpy = |name: &str| {
            numpy.iter().any(|(long, short)| {
                let bits = name.strip_prefix(short);
                bits.is_some() && bits == s.strip_prefix(long)
            })
        };
        let found = DType::ALL.into_iter().find(|d| d.name() == s || is_numpy(d.name()));
        found.ok_or_else(|| Error::UnknownDType { given: s.into() })
    }
}

/// Names in NumPy, SciPy or the Python array API standard for operators that have a different name here.
pub const ALIASES: &[(&str, &str)] = &[
    ("absolute", "abs"),
    ("invert", "bitwise_not"),
    ("bitwise_invert", "bitwise_not"),
    ("mod", "remainder"),
    ("power", "pow"),
    ("left_shift", "shift_left"),
    ("bitwise_left_shift", "shift_left"),
    ("right_shift", "shift_right"),
    ("bitwise_right_shift", "shift_right"),
    ("true_divide", "divide"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("arcsinh", "asinh"),
    ("arccosh", "acosh"),
    ("arctanh", "atanh"),
    ("gammaln", "lgamma"),
    ("psi", "digamma"),
];

impl FromStr for Op {
    type Err = Error;

    /// Parses the names of the catalogue, those of [`ALIASES`], and `where_`, `mul_add`, `clip`.
    ///
    /// # Errors
    /// [`Error::UnknownOperator`]. [`Op::ALL`] has the names.
    fn from_str(s: &str) -> Result<Op, Error> {
        let name = match s {
            "where_" => "where",
            "mul_add" => "fma",
            "clip" => "clamp",
            other => other,
        };
        let find = |name: &str| Op::ALL.iter().copied().find(|op| op.name() == name);
        let aliased = || ALIASES.iter().find(|(alias, _)| *alias == name).and_then(|(_, name)| find(name));
        find(name).or_else(aliased).ok_or_else(|| Error::UnknownOperator { given: s.to_string() })
    }
}

impl FromStr for Accuracy {
    type Err = Error;

    /// Parses `fast` and `correct`, and `exact`, the earlier name of `correct`.
    ///
    /// # Errors
    /// [`Error::UnknownAccuracy`].
    fn from_str(s: &str) -> Result<Accuracy, Error> {
        let s = if s == "exact" { "correct" } else { s };
        let found = Accuracy::ALL.into_iter().find(|a| a.name() == s);
        found.ok_or_else(|| Error::UnknownAccuracy { given: s.to_string() })
    }
}
