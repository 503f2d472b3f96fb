//! NumPy 2's dtype promotion (NEP 50): the dtype in which an operator computes over operands of different dtypes.
//!
//! The operators never promote: operands of different dtypes are an error that suggests a cast. A front end that follows
//! NumPy promotes with these functions, or types whole expressions with
//! [`Program::promoting`](crate::Program::promoting). [`operation`] applies all the rules.
//!
//! | rule | function |
//! |---|---|
//! | common dtype of two dtypes, of several | [`promote`], [`promote_all`] |
//! | a dtype and a literal, which is *weak* like a Python number | [`promote_literal`] |
//! | a literal alone, several literals and dtypes | [`literal_dtype`], [`promote_with_literals`] |
//! | an operator that does not take the common dtype | [`operands_of`] |
//! | an operator over dtypes and literals | [`operation`]; [`second_operand`] for operands that are not of dtype T |
//! | `out=` of a different dtype (`same_kind`) | [`can_cast_same_kind`] |
//!
//! `bf16` follows the Python package `ml_dtypes`, except that `bf16` with a float literal stays `bf16`, like every other
//! float dtype.

use DType::*;
use eltwise_core::{DType, Op, Signature};
use smallvec::SmallVec;

use crate::expr::{Literal, second_dtype};

/// An operand to promote: the dtype of an array, or a literal.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Operand {
    /// An operand with a dtype.
    DType(DType),
    /// A number or truth value, which has no dtype yet.
    Literal(Literal),
}

impl From<DType> for Operand {
    fn from(dtype: DType) -> Operand {
        Operand::DType(dtype)
    }
}

impl<L: Into<Literal>> From<L> for Operand {
    fn from(literal: L) -> Operand {
        Operand::Literal(literal.into())
    }
}

/// The common dtype of two dtypes, as `np.promote_types`: the smallest dtype that holds every value of both, or `f64` if
/// 64-bit integers leave no such dtype. `None` if there is no common dtype and one operand must be cast.
///
/// | | bool | i8 | i16 | i32 | i64 | u8 | u16 | u32 | u64 | f16 | bf16 | f32 | f64 |
/// |---|---|---|---|---|---|---|---|---|---|---|---|---|---|
/// | bool | bool | i8 | i16 | i32 | i64 | u8 | u16 | u32 | u64 | f16 | bf16 | f32 | f64 |
/// | i8 | i8 | i8 | i16 | i32 | i64 | i16 | i32 | i64 | f64 | f16 | bf16 | f32 | f64 |
/// | i16 | i16 | i16 | i16 | i32 | i64 | i16 | i32 | i64 | f64 | f32 | | f32 | f64 |
/// | i32 | i32 | i32 | i32 | i32 | i64 | i32 | i32 | i64 | f64 | f64 | | f64 | f64 |
/// | i64 | i64 | i64 | i64 | i64 | i64 | i64 | i64 | i64 | f64 | f64 | | f64 | f64 |
/// | u8 | u8 | i16 | i16 | i32 | i64 | u8 | u16 | u32 | u64 | f16 | bf16 | f32 | f64 |
/// | u16 | u16 | i32 | i32 | i32 | i64 | u16 | u16 | u32 | u64 | f32 | | f32 | f64 |
/// | u32 | u32 | i64 | i64 | i64 | i64 | u32 | u32 | u32 | u64 | f64 | | f64 | f64 |
/// | u64 | u64 | f64 | f64 | f64 | f64 | u64 | u64 | u64 | u64 | f64 | | f64 | f64 |
/// | f16 | f16 | f16 | f32 | f64 | f64 | f16 | f32 | f64 | f64 | f16 | | f32 | f64 |
/// | bf16 | bf16 | bf16 | | | | bf16 | | | | | bf16 | f32 | f64 |
/// | f32 | f32 | f32 | f32 | f64 | f64 | f32 | f32 | f64 | f64 | f32 | f32 | f32 | f64 |
/// | f64 | f64 | f64 | f64 | f64 | f64 | f64 | f64 | f64 | f64 | f64 | f64 | f64 | f64 |
///
/// An opaque dtype has a common dtype only with itself.
///
/// # Example
/// ```
/// # use eltwise::{DType, promote::promote};
/// assert_eq!(promote(DType::I8, DType::U8), Some(DType::I16));
/// assert_eq!(promote(DType::I64, DType::U64), Some(DType::F64));
/// assert_eq!(promote(DType::BF16, DType::F16), None);
/// ```
pub fn promote(a: DType, b: DType) -> Option<DType> {
    const SMALLEST_FIRST: [DType; 13] = [Bool, I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64];
    let has_common_with_bf16 = |d: DType| matches!(d, Bool | I8 | U8 | BF16 | F32 | F64);
    match (a, b) {
        _ if a == b => Some(a),
        _ if a.is_opaque() || b.is_opaque() => None,
        (BF16, other) | (other, BF16) if !has_common_with_bf16(other) => None,
        // The common cases, at once.
        _ if holds(a, b) => Some(a),
        _ if holds(b, a) => Some(b),
        _ => SMALLEST_FIRST.into_iter().find(|&d| holds(d, a) && holds(d, b)).or(Some(F64)),
    }
}

/// Whether `dtype` holds every value of `other`. Neither is opaque.
fn holds(dtype: DType, other: DType) -> bool {
    // Bytes of the widest integers whose values a float dtype holds.
    let integer_bytes = match dtype {
        F16 | BF16 => 1,
        F32 => 2,
        _ => 4,
    };
    match (dtype.is_float(), other.is_float()) {
        _ if dtype == other || other == Bool => true,
        (true, true) => other.size() < dtype.size(),
        (true, false) => other.size() <= integer_bytes,
        (false, true) => false,
        (false, false) => {
            let (range, values) = (dtype.integer_range(), other.integer_range());
            range.contains(values.start()) && range.contains(values.end())
        }
    }
}

/// The common dtype of several dtypes, as `np.result_type`. It does not depend on their order, because floats are promoted
/// first: `i16`, `u16` and `f32` give `f32`. `None` if two of them have no common dtype, or for an empty slice.
pub fn promote_all(dtypes: &[DType]) -> Option<DType> {
    let mut distinct: SmallVec<[DType; 16]> = SmallVec::new();
    for &a in dtypes {
        if distinct.contains(&a) {
            continue;
        }
        for &b in &distinct {
            promote(a, b)?;
        }
        distinct.push(a);
    }
    distinct.sort_by_key(|dtype| !dtype.is_float());
    distinct.into_iter().map(Some).reduce(|a, b| promote(a?, b?))?
}

/// The dtype of an operator over `dtype` and a literal. The literal is weak: it can change the kind of the dtype (bool,
/// integer, float), never its size within the kind. [`Literal::constant`] checks that the dtype can hold the literal.
///
/// | | `bool` | integer dtypes | float dtypes |
/// |---|---|---|---|
/// | `true`, `false` | `bool` | the dtype | the dtype |
/// | an integer | `i64` | the dtype | the dtype |
/// | a float | `f64` | `f64` | the dtype |
///
/// `None` for opaque dtypes.
pub fn promote_literal(dtype: DType, literal: &Literal) -> Option<DType> {
    match literal {
        _ if dtype.is_opaque() => None,
        Literal::Bool(_) => Some(dtype),
        literal if literal.is_integer() => Some(if dtype == Bool { I64 } else { dtype }),
        _ => Some(if dtype.is_float() { dtype } else { F64 }),
    }
}

/// The dtype of a literal without any array operand: `bool`, `i64` (`u64` for an integer that only `u64` holds) or `f64`.
pub fn literal_dtype(literal: &Literal) -> DType {
    match literal {
        Literal::Bool(_) => Bool,
        Literal::Int(value) if i64::try_from(*value).is_err() && u64::try_from(*value).is_ok() => U64,
        literal if literal.is_integer() => I64,
        _ => F64,
    }
}

/// How to compute `op` over operands of dtype `t`: an operator, and the dtype to cast the operands to.
///
/// | T | computed as |
/// |---|---|
/// | `bool` and integers for `divide` | true division, in `f64`; `trunc_divide` and `floor_divide` keep integers |
/// | `bool` and integers for `isclose` | in `f64` |
/// | `bool` and integers for `nan_to_num` | `copy` of the first operand |
/// | any other dtype that `op` takes | itself |
/// | `bool`, `i8`, `u8` where `op` takes floats only | `op` in `f16` |
/// | `i16`, `u16` where `op` takes floats only | `op` in `f32` |
/// | wider integers where `op` takes floats only | `op` in `f64` |
/// | `bool` for `floor_divide`, `remainder`, `fmod`, `pow`, `square`, shifts, `bitwise_count` | `op` in `i8` |
/// | `bool` for `add`, `maximum`, `fmax` | `logical_or` |
/// | `bool` for `multiply`, `minimum`, `fmin` | `logical_and` |
/// | `bool` for `abs`, `relu`, `floor`, `ceil`, `trunc` | `copy` |
/// | anything else, such as `bool` for `subtract`, a float for `bitwise_and` | `None` |
pub fn operands_of(op: Op, t: DType) -> Option<(Op, DType)> {
    match op {
        Op::Divide | Op::IsClose if !t.is_float() && !t.is_opaque() => return Some((op, F64)),
        Op::NanToNum if !t.is_float() && !t.is_opaque() => return Some((Op::Copy, t)),
        _ => {}
    }
    if op.info().takes(t) {
        return Some((op, t));
    }
    if takes_floats_only(op) {
        return float_of(t).map(|float| (op, float));
    }
    if t != Bool {
        return None;
    }
    match op {
        Op::FloorDivide | Op::Remainder | Op::Fmod | Op::Pow | Op::Square => Some((op, I8)),
        Op::ShiftLeft | Op::ShiftRight | Op::BitwiseCount => Some((op, I8)),
        Op::Add | Op::Maximum | Op::Fmax => Some((Op::LogicalOr, Bool)),
        Op::Multiply | Op::Minimum | Op::Fmin => Some((Op::LogicalAnd, Bool)),
        Op::Abs | Op::Relu | Op::Floor | Op::Ceil | Op::Trunc => Some((Op::Copy, Bool)),
        _ => None,
    }
}

/// How to compute `op` over these operands: NumPy's order is the common dtype first, then [`operands_of`]. Returns the
/// operator and the dtype that [`Signature`] calls T, to which all operands are cast that are not of the second dtype
/// (see [`second_operand`]).
///
/// * A logical operator needs only the truth of its operands, so operands of different dtypes are cast to `bool`.
/// * An operator that takes only floats converts each integer dtype to a float dtype first, then promotes those: `i8` and
///   `u8` compute in `f16`.
/// * `float_power` computes in `f64`, literals included. The dtype of `nan_to_num` is that of its first operand.
/// * A comparison of `u64` with a signed integer gets `f64`, which is not exact.
///   [`Program::promoting`](crate::Program::promoting) composes an exact comparison instead.
///
/// If `op` takes more operands than the operator returned, as `maximum` does over `bool`, where it becomes `logical_or`,
/// apply that one from left to right.
///
/// `None` if the operands have no common dtype, if the operator does not take it, or for a wrong number of operands.
pub fn operation(op: Op, operands: &[Operand]) -> Option<(Op, DType)> {
    let signature = op.signature();
    if !op.counts().contains(&operands.len()) || (signature == Signature::Select && !has_truth(&operands[0])) {
        return None;
    }
    if is_logical(op) && operands.iter().any(|operand| *operand != operands[0]) {
        return operands.iter().all(has_truth).then_some((op, Bool));
    }
    if signature == Signature::ToF64 {
        return operands.iter().all(has_truth).then_some((op, F64));
    }
    let decides_t = |i: usize| signature.is_t(i) && (i == 0 || op != Op::NanToNum);
    let mut dtypes: Vec<DType> = Vec::with_capacity(operands.len());
    let mut literals = Vec::new();
    for (_, operand) in operands.iter().enumerate().filter(|(i, _)| decides_t(*i)) {
        match operand {
            Operand::DType(dtype) => dtypes.push(*dtype),
            Operand::Literal(literal) => literals.push(*literal),
        }
    }
    if dtypes.is_empty() && !op.info().takes(F64) && op.info().takes(F32) {
        // `quantize_linear` and `dequantize_linear` take f32 but not f64, which number literals would give.
        return Some((op, F32));
    }
    let t = promote_with_literals(&dtypes, &literals)?;
    // Each integer dtype becomes a float dtype by its width.
    if operands_of(op, Bool) == Some((op, F16)) && promote_all(&dtypes) == Some(t) {
        return Some((op, promote_floats(&dtypes)?));
    }
    operands_of(op, t)
}

/// The dtype U of the operands that are not of dtype T (see [`Signature`]).
///
/// * The condition of `where` is `bool`.
/// * The exponents of `ldexp` and the places of `round_decimals` are `i64` if they are `u32` or `i64`, otherwise `i32`.
/// * `equal_nan` of `isclose` is `bool`.
/// * Quantized integers keep their dtype; it is `u8` if all of them are literals.
///
/// `None` if the operator does not take the dtype of such an operand, or if two of them differ.
pub fn second_operand(op: Op, operands: &[Operand]) -> Option<DType> {
    let signature = op.signature();
    let mut second = None;
    for (_, operand) in operands.iter().enumerate().filter(|(i, _)| !signature.is_t(*i)) {
        let Operand::DType(dtype) = *operand else { continue };
        let dtype = match signature {
            Signature::Select => Bool,
            Signature::Scale => match dtype {
                U32 => I64,
                Bool | I8 | I16 | U8 | U16 => I32,
                other => other,
            },
            _ => dtype,
        };
        let takes = signature == Signature::Select || signature.second_dtypes().contains(&dtype);
        if !takes || second.is_some_and(|second| second != dtype) {
            return None;
        }
        second = Some(dtype);
    }
    Some(second.unwrap_or(second_dtype(signature)))
}

/// The common dtype of dtypes and weak literals. Without dtypes it is the [`literal_dtype`] of the highest kind.
pub fn promote_with_literals(dtypes: &[DType], literals: &[Literal]) -> Option<DType> {
    if dtypes.is_empty() {
        // The order of the enum is that of the kinds: `bool`, `i64`, `u64`, `f64`.
        return literals.iter().map(literal_dtype).max();
    }
    literals.iter().try_fold(promote_all(dtypes)?, promote_literal)
}

/// Whether NumPy casts `from` to `to` under the rule `same_kind`, which `out=` follows: `to` has the same kind or a later
/// one, in the order bool, unsigned, signed, float. `bf16` does not cast to `f16`. An opaque dtype casts only to itself.
pub fn can_cast_same_kind(from: DType, to: DType) -> bool {
    let kind = |d: DType| match d {
        Bool => 0,
        _ if d.is_float() => 3,
        _ => 1 + u8::from(d.is_signed_integer()),
    };
    if from.is_opaque() || to.is_opaque() {
        return from == to;
    }
    kind(from) <= kind(to) && (from, to) != (BF16, F16)
}

/// The dtype of an operator that takes only floats: the common dtype if it is a float dtype, otherwise the common dtype of
/// the float dtypes that the integers convert to.
fn promote_floats(dtypes: &[DType]) -> Option<DType> {
    match promote_all(dtypes)? {
        t if t.is_float() => Some(t),
        _ => promote_all(&dtypes.iter().map(|&d| float_of(d)).collect::<Option<Vec<DType>>>()?),
    }
}

/// Whether the operator is a comparison: `equal`, `not_equal`, `less`, `less_equal`, `greater` or `greater_equal`.
pub fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual)
}

/// Whether the operator needs only the truth of its operands: `logical_and`, `logical_or`, `logical_xor`, `logical_not`.
pub fn is_logical(op: Op) -> bool {
    matches!(op, Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor | Op::LogicalNot)
}

/// Whether the operand has a truth value: all but opaque dtypes.
fn has_truth(operand: &Operand) -> bool {
    !matches!(operand, Operand::DType(dtype) if dtype.is_opaque())
}

fn takes_floats_only(op: Op) -> bool {
    op.info().takes(F64) && !op.info().takes(I64)
}

/// The float dtype in which NumPy computes an operator that takes only floats over `t`; `None` for opaque dtypes.
fn float_of(t: DType) -> Option<DType> {
    if t.is_float() { Some(t) } else { promote(t, F16) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `np.hypot(x, y).dtype` for every pair of dtypes, one letter per dtype as in `tests/promotion/numpy.rs`.
    const HYPOT: [&str; 13] = [
        "eefddefddegfd",
        "eefddefddegfd",
        "fffddffddfffd",
        "ddddddddddddd",
        "ddddddddddddd",
        "eefddefddegfd",
        "fffddffddfffd",
        "ddddddddddddd",
        "ddddddddddddd",
        "eefddefddeffd",
        "ggfddgfddfgfd",
        "fffddffddfffd",
        "ddddddddddddd",
    ];

    #[test]
    fn operators_that_take_only_floats_promote_like_numpys_hypot() {
        for (a, row) in DType::VALUES.into_iter().zip(HYPOT) {
            for (b, code) in DType::VALUES.into_iter().zip(row.chars()) {
                let expected = "?bhiqBHIQegfd".find(code).map(|i| DType::VALUES[i]);
                // For dtypes without a common dtype NumPy promotes; this library returns an error.
                let expected = expected.filter(|_| promote(a, b).is_some());
                assert_eq!(promote_floats(&[a, b]), expected, "{a} {b}");
            }
        }
        assert_eq!(promote_floats(&[Opaque4, Opaque4]), None);
    }
}
