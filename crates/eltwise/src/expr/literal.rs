//! [`Literal`]: numbers and truth values in expressions, how operators over them fold, and their constants in a dtype.
//!
//! | literal | `bool` | integer dtypes | float dtypes |
//! |---|---|---|---|
//! | `true`, `false` | the value | error | error |
//! | an integer | error | the value, or an error out of range | rounded once, to nearest even; an error if it overflows |
//! | a float | error | error | rounded once, to nearest even; an error if a finite one overflows |
//! | `largest` | error | error | the largest finite number |
//!
//! A decimal number in text is rounded once, from its digits to the dtype: see `decimal.rs`.

use std::cmp::Ordering;
use std::fmt;

use eltwise_core::{Constant, DType, Error, Op};
use eltwise_simd::fp_env::DefaultFpEnv;

use super::decimal::Decimal;

/// A literal in an expression. Except for `true` and `false`, a literal has no dtype: it takes the dtype of the other
/// operand of its operator, which must be able to hold it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Literal {
    /// `true` or `false`, of dtype `bool`.
    Bool(bool),
    /// An exact integer.
    Int(i128),
    /// A float, infinity or NaN.
    Float(f64),
    /// The finite number of a float dtype with the largest magnitude; in text `largest`.
    Largest {
        /// Whether the number is negative: `-largest`.
        is_negative: bool,
    },
    /// A decimal number that may round differently than its nearest f64, or a number beyond the range of 128 bits or of f64.
    Decimal(Decimal),
}

impl Literal {
    /// The literal as an element of `dtype`: an integer exactly, a float rounded once, to nearest even.
    ///
    /// # Errors
    /// [`Error::Literal`] if `dtype` cannot hold it: `true` and `false` outside `bool`, an integer outside the range of the
    /// dtype, a float in an integer dtype, a finite number that overflows a float dtype.
    pub fn constant(self, dtype: DType) -> Result<Constant, Error> {
        let _fp_env = DefaultFpEnv::new();
        let bits = match self {
            Literal::Bool(b) => (dtype == DType::Bool).then_some(u128::from(b)),
            Literal::Int(i) if dtype.is_integer() => integer_bits(i, dtype),
            Literal::Int(i) if dtype.is_float() => float_bits(i < 0, i.unsigned_abs(), 0, dtype),
            Literal::Float(x) if x.is_nan() && dtype.is_float() => Some(format(dtype).nan()),
            Literal::Float(x) if x.is_infinite() && dtype.is_float() => {
                Some(format(dtype).infinity(x.is_sign_negative()))
            }
            // The number before infinity.
            Literal::Largest { is_negative } if dtype.is_float() => Some(format(dtype).infinity(is_negative) - 1),
            Literal::Float(x) if dtype.is_float() => nearest_bits(x, Ordering::Equal, dtype),
            Literal::Decimal(d) if dtype.is_float() && d.nearest.is_finite() => nearest_bits(d.nearest, d.side, dtype),
            _ => None,
        };
        bits.map(|bits| Constant { dtype, bits }).ok_or_else(|| Error::Literal { given: self.given(), dtype })
    }

    /// The literal as [`Literal::constant`] gives it, but a number that overflows a float dtype becomes infinite, as in
    /// NumPy. The result says whether it did.
    ///
    /// # Errors
    /// [`Error::Literal`] if the dtype cannot hold the literal, unless it is a number that overflows a float dtype.
    pub fn constant_or_infinity(self, dtype: DType) -> Result<(Constant, bool), Error> {
        match self.constant(dtype) {
            Err(_) if dtype.is_float() && !matches!(self, Literal::Bool(_)) => {
                let infinity = Literal::Float(f64::INFINITY.copysign(self.to_f64()));
                infinity.constant(dtype).map(|constant| (constant, true))
            }
            constant => constant.map(|constant| (constant, false)),
        }
    }

    /// The literal as error messages show it.
    pub(super) fn given(&self) -> String {
        match self {
            Literal::Decimal(d) if d.nearest.is_infinite() => "beyond 1.8e308".into(),
            literal => literal.to_string(),
        }
    }

    /// Whether the literal is an integer. `2.0` is not: it is a float, which promotes differently.
    pub fn is_integer(&self) -> bool {
        matches!(self, Literal::Int(_) | Literal::Decimal(Decimal { is_integer: true, .. }))
    }

    /// The nearest f64; true is 1. The largest number is that of f64.
    pub fn to_f64(self) -> f64 {
        match self {
            Literal::Bool(b) => f64::from(u8::from(b)),
            Literal::Int(i) => i as f64,
            Literal::Float(x) | Literal::Decimal(Decimal { nearest: x, .. }) => x,
            Literal::Largest { is_negative } => {
                if is_negative {
                    f64::MIN
                } else {
                    f64::MAX
                }
            }
        }
    }

    /// The default of operand `position` of `op`, or `None` if the operand has none. A default that is a whole number is an
    /// integer, which fits any numeric dtype; the largest f64 stands for the largest number of each float dtype.
    ///
    /// # Example
    /// ```
    /// use eltwise::{Literal, Op};
    ///
    /// assert_eq!(Literal::default_of(Op::LeakyRelu, 1), Some(Literal::Float(0.01)));
    /// assert_eq!(Literal::default_of(Op::QuantizeLinear, 2), Some(Literal::Int(0)));
    /// assert_eq!(Literal::default_of(Op::Clamp, 1), None);
    /// ```
    pub fn default_of(op: Op, position: usize) -> Option<Literal> {
        let defaults = op.info().defaults;
        let first = op.arity() - defaults.len();
        let default = *defaults.get(position.checked_sub(first)?)?;
        if op.signature().second_dtypes() == [DType::Bool] && !op.signature().is_t(position) {
            return Some(Literal::Bool(default != 0.0));
        }
        if default.abs() == f64::MAX {
            return Some(Literal::Largest { is_negative: default < 0.0 });
        }
        let whole = default.fract() == 0.0;
        Some(if whole { Literal::Int(default as i128) } else { Literal::Float(default) })
    }

    /// The defaults of the operands that a caller leaves out who passes the first `given` operands.
    pub(super) fn defaults_after(op: Op, given: usize) -> impl Iterator<Item = Literal> {
        (given..op.arity()).filter_map(move |position| Literal::default_of(op, position))
    }

    /// Folds `op` over literals: `-x`, `+ - *` of integers in exact 128-bit arithmetic, and `/` of integers and `+ - * /` of
    /// other numbers in f64. `None` for other operators and for `bool`, which do not fold.
    ///
    /// # Errors
    /// [`Error::Expression`] for an integer beyond 128 bits; [`Error::Literal`] for an operand beyond the range of f64, or
    /// finite operands whose result is.
    pub(super) fn fold(op: Op, args: &[Literal]) -> Result<Option<Literal>, Error> {
        use Literal::{Bool, Decimal, Float, Int, Largest};
        let given = || format!("{op}({})", args.iter().map(Literal::given).collect::<Vec<_>>().join(", "));
        let exact = |value: Option<i128>| match value {
            Some(value) => Ok(Some(Int(value))),
            None => Err(Error::Expression { message: format!("the integer {} is past 128 bits", given()) }),
        };
        let (a, b) = match *args {
            [Int(a)] if op == Op::Negative => return exact(a.checked_neg()),
            [Float(a)] if op == Op::Negative => return Ok(Some(Float(-a))),
            [Largest { is_negative }] if op == Op::Negative => {
                return Ok(Some(Largest { is_negative: !is_negative }));
            }
            [Decimal(a)] if op == Op::Negative => return Ok(Some(Decimal(a.negative()))),
            [Int(a), Int(b)] => match op {
                Op::Add => return exact(a.checked_add(b)),
                Op::Subtract => return exact(a.checked_sub(b)),
                Op::Multiply => return exact(a.checked_mul(b)),
                _ => (a as f64, b as f64),
            },
            [Bool(_) | Largest { .. }, _] | [_, Bool(_) | Largest { .. }] => return Ok(None),
            [Decimal(past), _] | [_, Decimal(past)] if past.nearest.is_infinite() => {
                return Err(Error::Literal { given: given(), dtype: DType::F64 });
            }
            [a, b] => (a.to_f64(), b.to_f64()),
            _ => return Ok(None),
        };
        let Some(value) = arithmetic(op, a, b) else { return Ok(None) };
        let by_zero = op == Op::Divide && b == 0.0;
        match value.is_infinite() && a.is_finite() && b.is_finite() && !by_zero {
            true => Err(Error::Literal { given: given(), dtype: DType::F64 }),
            false => Ok(Some(Float(value))),
        }
    }
}

impl fmt::Display for Literal {
    /// The literal in the syntax of the text grammar. A float has a point, an exponent or a name (`inf`, `nan`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Bool(b) => write!(f, "{b}"),
            Literal::Int(i) => write!(f, "{i}"),
            Literal::Float(x) if x.is_nan() => f.write_str("nan"),
            Literal::Float(x) => write!(f, "{x:?}"),
            Literal::Largest { is_negative } => f.write_str(if *is_negative { "-largest" } else { "largest" }),
            // The shortest text that parses to a number beyond the range of f64.
            Literal::Decimal(d) if d.nearest.is_infinite() => {
                f.write_str(if d.nearest < 0.0 { "-1e309" } else { "1e309" })
            }
            Literal::Decimal(d) if d.is_integer => write!(f, "{:.0}", d.nearest),
            Literal::Decimal(d) => write!(f, "{:?}", d.nearest),
        }
    }
}

macro_rules! from {
    ($($variant:ident $wide:ident: $($narrow:ident)*;)*) => {$($(
        impl From<$narrow> for Literal {
            fn from(value: $narrow) -> Literal {
                Literal::$variant($wide::from(value))
            }
        }
    )*)*};
}

from! {
    Bool bool: bool;
    Int i128: i8 i16 i32 i64 i128 u8 u16 u32 u64;
    Float f64: f64;
}

impl From<f32> for Literal {
    fn from(value: f32) -> Literal {
        // A subnormal number must not become zero, even if the thread flushes subnormals.
        let fp_env = DefaultFpEnv::new();
        Literal::Float(fp_env.pin(f64::from(fp_env.pin(value))))
    }
}

/// `+ - * /` of two numbers in f64; `None` for other operators.
pub(super) fn arithmetic(op: Op, a: f64, b: f64) -> Option<f64> {
    match op {
        Op::Add => Some(a + b),
        Op::Subtract => Some(a - b),
        Op::Multiply => Some(a * b),
        Op::Divide => Some(a / b),
        _ => None,
    }
}

/// The bits of an integer in an integer dtype; `None` out of range.
fn integer_bits(value: i128, dtype: DType) -> Option<u128> {
    dtype.integer_range().contains(&value).then_some(value as u128 & ((1 << (8 * dtype.size())) - 1))
}

/// An IEEE binary format: the number of bits of the fraction and of the exponent.
#[derive(Clone, Copy)]
struct Format {
    fraction: u32,
    exponent: u32,
}

/// The format of a float dtype.
fn format(dtype: DType) -> Format {
    match dtype {
        DType::F16 => Format { fraction: 10, exponent: 5 },
        DType::BF16 => Format { fraction: 7, exponent: 8 },
        DType::F32 => Format { fraction: 23, exponent: 8 },
        _ => Format { fraction: 52, exponent: 11 },
    }
}

impl Format {
    fn infinity(self, negative: bool) -> u128 {
        let sign = u128::from(negative) << (self.fraction + self.exponent);
        sign | (((1 << self.exponent) - 1) << self.fraction)
    }

    /// The quiet NaN, sign clear.
    fn nan(self) -> u128 {
        self.infinity(false) | (1 << (self.fraction - 1))
    }
}

/// `x` as `(-1)^negative * magnitude * 2^exponent`, exactly. `x` is finite.
fn decompose(x: f64) -> (bool, u128, i32) {
    let bits = x.to_bits();
    let biased = (bits >> 52 & 0x7ff) as i32;
    let fraction = u128::from(bits & ((1 << 52) - 1));
    let hidden = u128::from(biased > 0) << 52;
    (x.is_sign_negative(), fraction | hidden, biased.max(1) - 1075)
}

/// The bits in a float dtype of the number whose nearest f64 is `nearest`, rounded once. `side` is the order of the
/// magnitudes of the number and of `nearest`. `None` if it overflows.
fn nearest_bits(nearest: f64, side: Ordering, dtype: DType) -> Option<u128> {
    let (negative, magnitude, exponent) = decompose(nearest);
    // One eighth of the last bit of the f64 represents any difference: it is not zero, and does not reach a tie.
    let magnitude = match side {
        Ordering::Less => (magnitude << 3).saturating_sub(1),
        Ordering::Equal => magnitude << 3,
        Ordering::Greater => (magnitude << 3) + 1,
    };
    float_bits(negative, magnitude, exponent - 3, dtype)
}

/// The bits of `(-1)^negative * magnitude * 2^exponent` in a float dtype, rounded once to nearest, ties to even. `None` if it
/// overflows.
fn float_bits(negative: bool, magnitude: u128, exponent: i32, dtype: DType) -> Option<u128> {
    let format = format(dtype);
    let sign = format.infinity(negative) ^ format.infinity(false);
    if magnitude == 0 {
        return Some(sign);
    }
    let smallest_normal = 2 - (1 << (format.exponent - 1)); // as a power of two
    let length = 128 - magnitude.leading_zeros() as i32;
    let scale = (exponent + length - 1).max(smallest_normal); // the power of two of the leading bit
    let shift = scale - format.fraction as i32 - exponent; // the number of low bits that the format drops
    let significand = match shift {
        ..=0 => magnitude << -shift,
        1..=127 => {
            let (kept, rest, half) = (magnitude >> shift, magnitude & ((1 << shift) - 1), 1 << (shift - 1));
            kept + u128::from(rest > half || (rest == half && kept & 1 == 1))
        }
        _ => 0, // far below half the last bit: integers have exponent 0, and the magnitude of a float has 56 bits
    };
    // The hidden bit of a normal number adds one to the exponent field, and so does a carry from rounding.
    let bits = (((scale - smallest_normal) as u128) << format.fraction) + significand;
    (bits < format.infinity(false)).then_some(bits | sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

    fn bits(literal: impl Into<Literal>, dtype: DType) -> Option<u128> {
        literal.into().constant(dtype).ok().map(|c| c.bits)
    }

    /// The value of a finite element of a format, by definition.
    fn value(bits: u32, format: Format) -> f64 {
        let field = bits >> format.fraction;
        let fraction = bits & ((1 << format.fraction) - 1);
        let significand = f64::from(fraction + (u32::from(field > 0) << format.fraction));
        significand * 2f64.powi(field.max(1) as i32 - (1 << (format.exponent - 1)) + 1 - format.fraction as i32)
    }

    #[test]
    fn integers_fit_exactly_or_not_at_all() {
        for (dtype, low, high) in [
            (I8, -128, 127),
            (U8, 0, 255),
            (I32, i128::from(i32::MIN), i128::from(i32::MAX)),
            (I64, i128::from(i64::MIN), i128::from(i64::MAX)),
            (U64, 0, i128::from(u64::MAX)),
        ] {
            let mask = (1u128 << (8 * dtype.size())) - 1;
            assert_eq!(bits(low, dtype), Some(low as u128 & mask));
            assert_eq!(bits(high, dtype), Some(high as u128));
            assert_eq!(bits(low - 1, dtype), None);
            assert_eq!(bits(high + 1, dtype), None);
            assert_eq!(bits(1.0, dtype), None);
            assert_eq!(bits(true, dtype), None);
        }
        assert_eq!(bits(true, Bool), Some(1));
        assert_eq!(bits(1, Bool), None);
        assert_eq!(bits(1, Opaque4), None);
        let error = Literal::Int(300).constant(U8).unwrap_err();
        assert_eq!(error, Error::Literal { given: "300".into(), dtype: U8 });
    }

    #[test]
    fn f16_and_bf16_round_once_at_and_next_to_every_tie() {
        for dtype in [F16, BF16] {
            let format = format(dtype);
            let infinity = format.infinity(false) as u32;
            for low in 0..infinity - 1 {
                let (a, b) = (value(low, format), value(low + 1, format));
                let tie = (a + b) / 2.0;
                let sign = 1u128 << 15;
                assert_eq!(bits(a, dtype), Some(low.into()));
                assert_eq!(bits(tie.next_down(), dtype), Some(low.into()));
                assert_eq!(bits(tie.next_up(), dtype), Some((low + 1).into()));
                assert_eq!(bits(tie, dtype), Some((low + (low & 1)).into()));
                assert_eq!(bits(-tie.next_up(), dtype), Some(sign | u128::from(low + 1)));
            }
            let largest = value(infinity - 1, format);
            let limit = largest + (largest - value(infinity - 2, format)) / 2.0;
            assert_eq!(bits(limit.next_down(), dtype), Some((infinity - 1).into()));
            assert_eq!(bits(limit, dtype), None);
            assert_eq!(bits(f64::INFINITY, dtype), Some(infinity.into()));
        }
    }

    #[test]
    fn f32_and_f64_agree_with_the_conversions_of_the_cpu() {
        let mut random = eltwise_testkit::Random(1);
        for _ in 0..100_000 {
            let state = random.bits();
            let x = f64::from_bits(state);
            if x.is_nan() {
                continue;
            }
            assert_eq!(bits(x, F64), Some(x.to_bits().into()));
            let narrow = x as f32;
            let fits = narrow.is_finite() || x.is_infinite();
            assert_eq!(bits(x, F32), fits.then_some(narrow.to_bits().into()), "{x:?}");
            let i = (i128::from(state as i64) << (state % 60)) ^ i128::from(state);
            assert_eq!(bits(i, F32), Some((i as f32).to_bits().into()));
            assert_eq!(bits(i, F64), Some((i as f64).to_bits().into()));
        }
        for x in [0.0, -0.0, 1e-320, f64::MIN_POSITIVE, 1.5e-45, 7e-46, 2f64.powi(-150), 2f64.powi(-150).next_up()] {
            assert_eq!(bits(x, F32), Some((x as f32).to_bits().into()), "{x:?}");
            assert_eq!(bits(x, F64), Some(x.to_bits().into()));
        }
        assert_eq!(bits(i128::MIN, F64), Some((i128::MIN as f64).to_bits().into()));
        assert_eq!(bits(2f64.powi(-1074), F16), Some(0));
        assert_eq!(bits(f64::NAN, F32), Some(0x7fc0_0000));
        assert_eq!(bits(f64::NAN, BF16), Some(0x7fc0));
        assert_eq!(bits(f64::NEG_INFINITY, F16), Some(0xfc00));
        assert_eq!((bits(65519, F16), bits(65520, F16)), (Some(0x7bff), None));
        assert_eq!(bits(1e39, F32), None);
    }

    #[test]
    fn arithmetic_over_literals_folds() {
        use Literal::{Bool, Float, Int};
        let fold = |op, args: &[Literal]| Literal::fold(op, args).unwrap();
        assert_eq!(fold(Op::Multiply, &[Int(1 << 62), Int(4)]), Some(Int(1 << 64)));
        assert_eq!(fold(Op::Subtract, &[Int(1), Int(2)]), Some(Int(-1)));
        assert_eq!(fold(Op::Divide, &[Int(1), Int(4)]), Some(Float(0.25)));
        assert_eq!(fold(Op::Add, &[Int(1), Float(0.5)]), Some(Float(1.5)));
        assert_eq!(fold(Op::Negative, &[Float(0.0)]).map(|l| l.to_string()).as_deref(), Some("-0.0"));
        assert_eq!(fold(Op::Maximum, &[Int(1), Int(2)]), None);
        assert_eq!(fold(Op::Add, &[Int(1), Bool(true)]), None);
        assert_eq!(fold(Op::Divide, &[Int(1), Int(0)]), Some(Float(f64::INFINITY)));
        assert!(Literal::fold(Op::Add, &[Int(i128::MAX), Int(1)]).is_err());
        assert!(Literal::fold(Op::Multiply, &[Float(1e308), Int(10)]).is_err());
    }
}
