//! Operators and their typing rules.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;

use crate::dtype::DType;
use crate::error::Error;

/// How an operator's operand and result dtypes hang together. T is one of [`OpInfo::takes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Signature {
    /// `(T) -> T`
    Same1,
    /// `(T, T) -> T`
    Same2,
    /// `(T, T, T) -> T`
    Same3,
    /// `(T) -> bool`
    Test1,
    /// `(T, T) -> bool`
    Test2,
    /// `(bool, T, T) -> T`
    Select,
    /// `(T) -> U`: the result's dtype is a parameter
    Convert,
    /// `(T) -> T`, bits as they are
    Move,
    /// `(T, T, ...) -> T`: any number of operands from two on
    Fold,
    /// `(T) -> i32`
    Exponent,
    /// `(T) -> u8`
    Count,
    /// `(T, U) -> T`: U is i32 or i64
    Scale,
    /// `(T, T, U) -> U`: U is an integer dtype of 8, 16 or 32 bits, but not u32
    Quantize,
    /// `(U, T, U) -> T`: U as in [`Signature::Quantize`]
    Dequantize,
}

impl Signature {
    /// The number of operands; 2 for [`Signature::Fold`], which takes more.
    #[inline]
    pub const fn arity(self) -> usize {
        match self {
            Signature::Same1 | Signature::Test1 | Signature::Convert | Signature::Move => 1,
            Signature::Exponent | Signature::Count => 1,
            Signature::Same2 | Signature::Test2 | Signature::Fold | Signature::Scale => 2,
            Signature::Same3 | Signature::Select | Signature::Quantize | Signature::Dequantize => 3,
        }
    }

    /// Whether operand `operand` has the dtype that is called T.
    #[inline]
    pub const fn is_t(self, operand: usize) -> bool {
        match self {
            Signature::Select => operand != 0,
            Signature::Scale => operand == 0,
            Signature::Quantize => operand < 2,
            Signature::Dequantize => operand == 1,
            _ => true,
        }
    }

    /// The dtypes that U may be; none for signatures without U.
    pub const fn second_dtypes(self) -> &'static [DType] {
        match self {
            Signature::Convert => &DType::ALL,
            Signature::Scale => &[DType::I32, DType::I64],
            Signature::Quantize | Signature::Dequantize => &[DType::I8, DType::U8, DType::I16, DType::U16, DType::I32],
            _ => &[],
        }
    }
}

/// Whether an operator equals its definition bit for bit, or is bounded in ULP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Exactness {
    /// The definition is a formula in IEEE operations; every ISA gives its bits.
    Exact,
    /// Over floats, bounded in ULP against the correctly rounded result, as [`Accuracy`](crate::Accuracy) says; every ISA gives the
    /// same bits. Over integers exact.
    Math,
}

/// What the catalogue says of an operator.
#[derive(Debug)]
#[non_exhaustive]
pub struct OpInfo {
    /// The name in every language and on the command line.
    pub name: &'static str,
    /// Operand and result dtypes.
    pub signature: Signature,
    /// The names of the operands, in order, as functions and messages have them.
    pub operands: &'static [&'static str],
    /// What front doors put for the last operands where a caller leaves them out, as many as there are numbers.
    pub defaults: &'static [f64],
    classes: u8,
    class_names: &'static str,
    /// Exact or bounded in ULP.
    pub exactness: Exactness,
    /// Data conditions that a run may report, such as `zero_division`: see the [catalogue](mod@crate::catalogue).
    pub conditions: &'static [&'static str],
    /// One line of documentation.
    pub doc: &'static str,
}

const BOOL: u8 = 1;
const INT: u8 = 2;
const FLOAT: u8 = 4;
const OPAQUE: u8 = 8;
const HALF: u8 = 16;
const SINGLE: u8 = 32;

macro_rules! class {
    (bool) => {
        BOOL
    };
    (int) => {
        INT
    };
    (float) => {
        FLOAT
    };
    (opaque) => {
        OPAQUE
    };
    (f16) => {
        HALF
    };
    (f32) => {
        SINGLE
    };
}

/// A name of the catalogue without the `_` that a Rust keyword has behind it.
const fn in_every_language(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [.., b'_'] => name.split_at(name.len() - 1).0,
        _ => name,
    }
}

macro_rules! operators {
    ($($variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident [$($condition:ident)*] $doc:literal;)*) => {
        /// An operator of the [catalogue](mod@crate::catalogue).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Op {
            $(#[doc = $doc] $variant,)*
        }

        impl Op {
            /// Every operator, in the order of the catalogue.
            pub const ALL: &'static [Op] = &[$(Op::$variant,)*];
        }

        /// In the order of the catalogue.
        static ROWS: &[OpInfo] = &[$(OpInfo {
            name: in_every_language(stringify!($name)),
            signature: Signature::$signature,
            operands: &[$(stringify!($operand)),*],
            defaults: &[$($($default,)?)*],
            class_names: concat!($(stringify!($class), " ",)*),
            exactness: Exactness::$exactness,
            conditions: &[$(stringify!($condition),)*],
            doc: $doc,
            classes: 0 $(| class!($class))*,
        },)*];
    };
}

crate::catalogue!(operators);

impl OpInfo {
    /// Whether the operator is bounded in ULP over some dtype.
    #[inline]
    pub const fn has_math(&self) -> bool {
        matches!(self.exactness, Exactness::Math)
    }

    /// Whether the operator over `dtype` is bounded in ULP, and takes an [`Accuracy`](crate::Accuracy).
    #[inline]
    pub const fn is_math(&self, dtype: DType) -> bool {
        matches!(self.exactness, Exactness::Math) && dtype.is_float()
    }

    /// The dtypes of T, a text such as `int float`.
    pub fn dtypes(&self) -> &'static str {
        self.class_names.trim_end()
    }

    /// Whether T may be `dtype`.
    #[inline]
    pub const fn takes(&self, dtype: DType) -> bool {
        let class = if dtype.is_float() {
            match dtype {
                DType::F16 => FLOAT | HALF,
                DType::F32 => FLOAT | SINGLE,
                _ => FLOAT,
            }
        } else if dtype.is_integer() {
            INT
        } else if dtype.is_opaque() {
            OPAQUE
        } else {
            BOOL
        };
        self.classes & class != 0
    }
}

impl Op {
    /// What the catalogue says of this operator.
    #[inline]
    pub const fn info(self) -> &'static OpInfo {
        &ROWS[self as usize]
    }

    /// The name, one in every language: `add`, `not_equal`, `where`.
    #[inline]
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// How operand and result dtypes hang together.
    #[inline]
    pub const fn signature(self) -> Signature {
        self.info().signature
    }

    /// The number of operands; 2 for `sum` and `mean`, which take more. See [`Op::counts`].
    #[inline]
    pub const fn arity(self) -> usize {
        self.signature().arity()
    }

    /// How many operands a step takes: `sum`, `mean`, `maximum` and `minimum` two or more, every other operator
    /// [`Op::arity`].
    #[inline]
    pub const fn counts(self) -> RangeInclusive<usize> {
        match self {
            Op::Sum | Op::Mean | Op::Maximum | Op::Minimum => 2..=usize::MAX,
            _ => self.arity()..=self.arity(),
        }
    }

    /// How many operands a caller may give: as [`Op::counts`], without those that have a default.
    #[inline]
    pub const fn counts_given(self) -> RangeInclusive<usize> {
        let counts = self.counts();
        *counts.start() - self.info().defaults.len()..=*counts.end()
    }

    /// How many operands a caller may give, in words: `2 operands`, `1 to 3 operands`, `2 or more operands`.
    pub fn operands_in_words(self) -> String {
        let (from, to) = self.counts_given().into_inner();
        match to {
            1 => "1 operand".into(),
            usize::MAX => format!("{from} or more operands"),
            _ if from == to => format!("{to} operands"),
            _ if from + 1 == to => format!("{from} or {to} operands"),
            _ => format!("{from} to {to} operands"),
        }
    }

    /// What a message adds to [`Op::operands_in_words`] where so many are given: of one operand of `sum` and its like, that
    /// they reduce nothing.
    pub fn advice_on_count(self, given: usize) -> &'static str {
        match self {
            _ if given > 1 => "",
            Op::Sum => ": it adds operands, does not reduce; use numpy.sum to reduce an array",
            Op::Mean => ": it adds operands and divides, does not reduce; use numpy.mean to reduce an array",
            Op::Maximum => ": it compares operands, does not reduce; use numpy.max to reduce an array",
            Op::Minimum => ": it compares operands, does not reduce; use numpy.min to reduce an array",
            _ => "",
        }
    }

    /// The names of the operands, in order, as functions and messages have them.
    #[inline]
    pub const fn operand_names(self) -> &'static [&'static str] {
        self.info().operands
    }

    /// Position in [`Op::ALL`], for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The dtype of the result for operands of these dtypes; `target` is `cast`'s parameter.
    ///
    /// # Errors
    /// [`Error::Arity`] for a wrong number of operands, [`Error::Operand`] for dtypes that the operator does not take.
    pub fn result(self, operands: &[DType], target: Option<DType>) -> Result<DType, Error> {
        let info = self.info();
        let counts = self.counts();
        if operands.len() < *counts.start() || operands.len() > *counts.end() {
            return Err(Error::Arity { op: self, given: operands.len() });
        }
        let wrong =
            |operand: usize, why: &'static str| Error::Operand { op: self, operands: operands.into(), operand, why };
        let signature = info.signature;
        let (mut t, mut u) = (None, None);
        for (i, &d) in operands.iter().enumerate() {
            if signature.is_t(i) {
                if !info.takes(d) {
                    return Err(wrong(i, "not a dtype of this operator"));
                }
                if *t.get_or_insert(d) != d {
                    return Err(wrong(i, "operands must have one dtype (cast one of them)"));
                }
                continue;
            }
            match signature {
                Signature::Select if d != DType::Bool => return Err(wrong(i, "the condition must be bool")),
                Signature::Select => {}
                _ if !signature.second_dtypes().contains(&d) => {
                    return Err(wrong(
                        i,
                        match signature {
                            Signature::Scale => "expected i32 or i64",
                            _ => "expected i8, u8, i16, u16 or i32",
                        },
                    ));
                }
                _ if *u.get_or_insert(d) != d => return Err(wrong(i, "the quantised operands must have one dtype")),
                _ => {}
            }
        }
        let (t, u) = (t.unwrap_or(operands[0]), u.unwrap_or(DType::I32));
        match signature {
            Signature::Test1 | Signature::Test2 => Ok(DType::Bool),
            Signature::Convert => {
                let target = target.ok_or_else(|| wrong(0, "needs a target dtype"))?;
                let same_size = self != Op::Bitcast || target.size() == t.size();
                let fits = info.takes(target) && same_size;
                if fits { Ok(target) } else { Err(Error::Target { op: self, from: t, given: target }) }
            }
            Signature::Exponent => Ok(DType::I32),
            Signature::Count => Ok(DType::U8),
            Signature::Quantize => Ok(u),
            _ => Ok(t),
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Op {
    type Err = Error;

    /// Parses the catalogue's name, and `where_`, `mul_add`, `clip`.
    fn from_str(s: &str) -> Result<Op, Error> {
        let name = match s {
            "where_" => "where",
            "mul_add" => "fma",
            "clip" => "clamp",
            other => other,
        };
        Op::ALL
            .iter()
            .copied()
            .find(|op| op.name() == name)
            .ok_or_else(|| Error::UnknownOperator { given: s.to_string() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

    #[test]
    fn names_parse_back_and_indices_hold() {
        for (i, &op) in Op::ALL.iter().enumerate() {
            assert_eq!(op.name().parse::<Op>().unwrap(), op);
            assert_eq!(op.index(), i);
            assert_eq!(op.operand_names().len(), op.arity());
            assert!(op.info().defaults.len() < op.arity() && op.counts_given().contains(&op.arity()), "{op}");
            assert!(!op.info().doc.is_empty());
        }
    }

    #[test]
    fn typing() {
        assert_eq!(Op::Add.result(&[F32, F32], None).unwrap(), F32);
        assert!(Op::Add.result(&[Bool, Bool], None).is_err());
        assert!(Op::Add.result(&[F32, F64], None).is_err());
        assert!(Op::Add.result(&[F32], None).is_err());
        assert_eq!(Op::Less.result(&[Bool, Bool], None).unwrap(), Bool);
        assert_eq!(Op::Where.result(&[Bool, Opaque16, Opaque16], None).unwrap(), Opaque16);
        assert!(Op::Where.result(&[U8, F32, F32], None).is_err());
        assert_eq!(Op::Cast.result(&[U8], Some(BF16)).unwrap(), BF16);
        assert!(Op::Cast.result(&[U8], None).is_err());
        assert!(Op::Cast.result(&[U8], Some(Opaque1)).is_err());
        assert!(Op::Sqrt.result(&[I32], None).is_err());
    }
}
