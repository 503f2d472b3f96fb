//! Operators: [`Op`] and its row of the [catalogue](mod@crate::catalogue), [`OpInfo`].

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::RangeInclusive;

use crate::accuracy::{Accuracy, ErrorBound};
use crate::cost_class::CostClass;
use crate::dtype::DType;
use crate::special_kernel::{KernelSet, SpecialKernel};

/// The dtypes of an operator's operands and result. T is one that [`OpInfo::takes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Signature {
    /// `(T) -> T`
    Unary,
    /// `(T, T) -> T`
    Binary,
    /// `(T, T, T) -> T`
    Ternary,
    /// `(T, T, T, T) -> T`
    Quaternary,
    /// `(T, T) -> f64`
    ToF64,
    /// `(T) -> bool`
    UnaryPredicate,
    /// `(T, T) -> bool`
    BinaryPredicate,
    /// `(T, T, T, T, bool) -> bool`
    Tolerance,
    /// `(bool, T, T) -> T`
    Select,
    /// `(T) -> U`: the result's dtype is a parameter
    Convert,
    /// `(T) -> T`, without changing bits
    Move,
    /// `(T, T, ...) -> T`: two or more operands
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
    /// The number of operands; for [`Signature::Fold`] the least number, 2.
    #[inline]
    pub const fn arity(self) -> usize {
        match self {
            Signature::Unary | Signature::UnaryPredicate | Signature::Convert | Signature::Move => 1,
            Signature::Exponent | Signature::Count => 1,
            Signature::Binary | Signature::BinaryPredicate | Signature::Fold | Signature::Scale => 2,
            Signature::ToF64 => 2,
            Signature::Ternary | Signature::Select | Signature::Quantize | Signature::Dequantize => 3,
            Signature::Quaternary => 4,
            Signature::Tolerance => 5,
        }
    }

    /// Whether operand `operand` has dtype T.
    #[inline]
    pub const fn is_t(self, operand: usize) -> bool {
        match self {
            Signature::Select => operand != 0,
            Signature::Scale => operand == 0,
            Signature::Quantize => operand < 2,
            Signature::Dequantize => operand == 1,
            Signature::Tolerance => operand < 4,
            _ => true,
        }
    }

    /// The dtypes that U may be for some operator of this signature; empty for signatures without U. The operator may restrict
    /// them: `cast` and `cast_saturating` take no opaque dtype, `bitcast` only dtypes of the size of T.
    pub const fn second_dtypes(self) -> &'static [DType] {
        match self {
            Signature::Convert => &DType::ALL,
            Signature::Scale => &[DType::I32, DType::I64],
            Signature::Tolerance => &[DType::Bool],
            Signature::Quantize | Signature::Dequantize => &[DType::I8, DType::U8, DType::I16, DType::U16, DType::I32],
            _ => &[],
        }
    }
}

/// Whether an operator equals its definition bit for bit, or has an error bound in ULP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Exactness {
    /// The definition is a formula in IEEE operations; every ISA gives its bits.
    Exact,
    /// Over floats, the distance to the correctly rounded result is bounded in ULP, by the [`Accuracy`]; every ISA gives the same
    /// bits. Over integers the operator is exact.
    Math,
}

/// How an operator computes f16 and bf16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HalfCompute {
    /// The operator takes no floats.
    Never,
    /// Operands are widened to f32, and the result is rounded once.
    ViaF32,
    /// As [`HalfCompute::ViaF32`], except that f16 is computed in f16 on ISAs with f16 arithmetic. The operator rounds at most
    /// once, so the bits are the same.
    Native,
    /// The kernel works on the 16 bits, without a conversion.
    Bits,
    /// As [`HalfCompute::Bits`], except that f16 is computed in f16 on ISAs with f16 arithmetic.
    BitsOrNative,
    /// The bits are moved, or converted by a cast.
    Move,
}

/// The catalogue's row of an operator.
#[derive(Debug)]
#[non_exhaustive]
pub struct OpInfo {
    /// The name in every language and on the command line.
    pub name: &'static str,
    /// Operand and result dtypes.
    pub signature: Signature,
    /// The names of the operands, in order, for functions and errors.
    pub operands: &'static [&'static str],
    /// The default values of the last operands, for callers that omit them.
    pub defaults: &'static [f64],
    classes: u8,
    class_names: &'static str,
    /// Whether it is exact or has an error bound.
    pub exactness: Exactness,
    /// The cost class, for the planner.
    pub cost: CostClass,
    /// How f16 and bf16 are computed.
    pub half: HalfCompute,
    kernels: KernelSet,
    /// Data conditions that a run may report, such as `zero_division`: see the [catalogue](mod@crate::catalogue).
    pub conditions: &'static [&'static str],
    /// One line of documentation.
    pub doc: &'static str,
}

const BOOL: u8 = 1;
const INT: u8 = 2;
const FLOAT: u8 = 4;
const OPAQUE: u8 = 8;
const ONLY_F16: u8 = 16;
const ONLY_F32: u8 = 32;

/// The bit of an entry of the dtypes column. An unknown entry does not compile, because rows are constants.
const fn class(entry: &str) -> u8 {
    match entry.as_bytes() {
        b"bool" => BOOL,
        b"int" => INT,
        b"float" => FLOAT,
        b"opaque" => OPAQUE,
        b"f16" => ONLY_F16,
        b"f32" => ONLY_F32,
        _ => panic!("unknown entry in the dtypes column of the catalogue"),
    }
}

/// A name of the catalogue without the `_` after a Rust keyword.
const fn in_every_language(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [.., b'_'] => name.split_at(name.len() - 1).0,
        _ => name,
    }
}

/// The text of a doc comment: `/// text` reaches a macro as `" text"`.
const fn without_leading_space(doc: &'static str) -> &'static str {
    match doc.as_bytes() {
        [b' ', ..] => doc.split_at(1).1,
        _ => doc,
    }
}

macro_rules! operators {
    ($(#[doc = $doc:literal] $variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident $cost:ident $half:ident [$($kernel:ident)*] [$($condition:ident)*];)*) => {
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
            cost: CostClass::$cost,
            half: HalfCompute::$half,
            kernels: KernelSet::EMPTY$(.with(stringify!($kernel)))*,
            conditions: &[$(stringify!($condition),)*],
            doc: without_leading_space($doc),
            classes: 0 $(| class(stringify!($class)))*,
        },)*];
    };
}

crate::catalogue!(operators);

impl OpInfo {
    /// Whether the operator has an error bound in ULP for some dtype.
    #[inline]
    pub const fn has_math(&self) -> bool {
        matches!(self.exactness, Exactness::Math)
    }

    /// Whether the operator has an error bound in ULP for `dtype`, and takes an [`Accuracy`].
    #[inline]
    pub const fn is_math(&self, dtype: DType) -> bool {
        matches!(self.exactness, Exactness::Math) && dtype.is_float()
    }

    /// How far a result over `dtype` may be from the exact value in the tier [`Accuracy::Fast`].
    pub const fn error_bound(&self, dtype: DType) -> ErrorBound {
        if self.is_math(dtype) { self.kernels.error_bound(matches!(dtype, DType::F64)) } else { ErrorBound::EXACT }
    }

    /// The dtypes that T may be, as text such as `int float`.
    pub fn dtypes(&self) -> &'static str {
        self.class_names.trim_end()
    }

    /// Whether T may be `dtype`.
    #[inline]
    pub const fn takes(&self, dtype: DType) -> bool {
        let class = if dtype.is_float() {
            match dtype {
                DType::F16 => FLOAT | ONLY_F16,
                DType::F32 => FLOAT | ONLY_F32,
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
    /// The catalogue's row.
    #[inline]
    pub const fn info(self) -> &'static OpInfo {
        &ROWS[self as usize]
    }

    /// The name in every language: `add`, `not_equal`, `where`.
    #[inline]
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The dtypes of the operands and the result.
    #[inline]
    pub const fn signature(self) -> Signature {
        self.info().signature
    }

    /// The least number of operands. `sum`, `mean`, `maximum` and `minimum` take two or more, all others exactly this many: see
    /// [`Op::counts`].
    #[inline]
    pub const fn arity(self) -> usize {
        self.signature().arity()
    }

    /// How many operands a step takes: two or more for `sum`, `mean`, `maximum` and `minimum`, [`Op::arity`] for all others.
    #[inline]
    pub const fn counts(self) -> RangeInclusive<usize> {
        match self {
            Op::Sum | Op::Mean | Op::Maximum | Op::Minimum => 2..=usize::MAX,
            _ => self.arity()..=self.arity(),
        }
    }

    /// How many operands a caller may give: [`Op::counts`], where operands with a default may be omitted.
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

    /// What to add to an error about the number of operands: that `sum(x)` does not reduce `x`. Empty for other operators, and
    /// for more than one operand.
    pub fn advice_on_count(self, given: usize) -> &'static str {
        match self {
            _ if given > 1 => "",
            Op::Sum => ": it adds its operands element by element and does not reduce an array",
            Op::Mean => ": it averages its operands element by element and does not reduce an array",
            Op::Maximum | Op::Minimum => ": it compares its operands element by element and does not reduce an array",
            _ => "",
        }
    }

    /// The operator that a call with more operands means: `softplus(x, beta)` is `parametric_softplus`. Its operands are those of
    /// this operator and the parameters.
    pub const fn with_parameters(self) -> Option<Op> {
        match self {
            Op::Softplus => Some(Op::ParametricSoftplus),
            Op::Selu => Some(Op::ParametricSelu),
            Op::Logit => Some(Op::ClampedLogit),
            Op::Round => Some(Op::RoundDecimals),
            _ => None,
        }
    }

    /// The names of the operands, in order, for functions and errors.
    #[inline]
    pub const fn operand_names(self) -> &'static [&'static str] {
        self.info().operands
    }

    /// Whether the operator has a special kernel.
    #[inline]
    pub const fn has_special_kernel(self, kernel: SpecialKernel) -> bool {
        self.info().kernels.contains(kernel)
    }

    /// Whether the operator has no tier of accuracy other than [`Accuracy::Fast`]: programs refuse it at other tiers.
    #[inline]
    pub const fn is_fast_only(self) -> bool {
        self.info().kernels.is_fast_only()
    }

    /// Whether the operator over operands of `t` has no kernel: program builders replace it by steps of other operators.
    #[inline]
    pub const fn is_composite(self, t: DType) -> bool {
        self.info().kernels.is_composite() || (t.is_half() && self.info().is_math(t))
    }

    /// Whether the operator has a kernel over `t` at a tier of accuracy other than [`Accuracy::Fast`].
    ///
    /// Over f32 that is a correctly rounded kernel. Over f64 it is a kernel whose results can be rounded to a narrower
    /// dtype without the error of rounding twice ([`Accuracy::RoundToOdd`]); for operators without one, the results of the fast
    /// kernel can.
    #[inline]
    pub const fn has_tier_kernel(self, t: DType, accuracy: Accuracy) -> bool {
        match (accuracy, t) {
            (Accuracy::CorrectlyRounded, DType::F32) => self.has_special_kernel(SpecialKernel::CorrectlyRounded),
            (Accuracy::RoundToOdd, DType::F64) => self.has_special_kernel(SpecialKernel::RoundToOdd),
            _ => false,
        }
    }

    /// Position in [`Op::ALL`], for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

    #[test]
    fn names_parse_and_rows_are_consistent() {
        for (i, &op) in Op::ALL.iter().enumerate() {
            assert_eq!(op.name().parse::<Op>().unwrap(), op);
            assert_eq!(op.index(), i);
            assert_eq!(op.operand_names().len(), op.arity());
            assert!(op.info().defaults.len() < op.arity() && op.counts_given().contains(&op.arity()), "{op}");
            assert!(!op.info().doc.is_empty());
        }
    }

    #[test]
    fn result_dtypes_follow_the_signature() {
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
