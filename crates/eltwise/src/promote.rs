//! NumPy 2's promotion (NEP 50): which dtype operands of several dtypes compute in.
//!
//! The library itself never promotes: operands of two dtypes are an error that asks for a cast. Front doors whose users
//! expect NumPy's rules promote with the functions here, or type whole expressions with
//! [`Program::promoting`](crate::Program::promoting).
//!
//! | question | function |
//! |---|---|
//! | two dtypes, or several | [`promote`], [`promote_all`] |
//! | a dtype and a literal, which is *weak* like a number of Python's | [`promote_literal`] |
//! | literals alone, literals beside dtypes | [`literal_dtype`], [`promote_with_literals`] |
//! | an operator that does not take the dtype | [`operands_of`] |
//! | an operator over dtypes and literals, all of the above | [`operation`], and [`second_operand`] for operands that are not T |
//! | may a result be written into an array of another dtype? | [`can_cast_same_kind`] |
//!
//! `bf16` follows the package `ml_dtypes`, with one difference: beside a float literal it stays `bf16`, as every other
//! float dtype does.

use eltwise_plan::{DType, Op, Signature};
use smallvec::SmallVec;

use crate::expr::{Literal, second_dtype};
use DType::*;

/// An operand to promote: an array's dtype, or a literal.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Operand {
    /// Anything that has a dtype.
    DType(DType),
    /// A number or truth value without one.
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

/// The common dtype of two, `np.promote_types`: the smallest that holds every value of both, or for 64-bit integers and
/// floats `f64`. `None` where there is none, so that one must be cast.
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
/// An opaque dtype has a common dtype with itself only.
///
/// # Example
/// ```
/// # use eltwise::{DType, promote::promote};
/// assert_eq!(promote(DType::I8, DType::U8), Some(DType::I16));
/// assert_eq!(promote(DType::I64, DType::U64), Some(DType::F64));
/// assert_eq!(promote(DType::BF16, DType::F16), None);
/// ```
pub fn promote(a: DType, b: DType) -> Option<DType> {
    if a == b {
        return Some(a);
    }
    if a.is_opaque() || b.is_opaque() {
        return None;
    }
    match (a, b) {
        (Bool, other) | (other, Bool) => Some(other),
        _ if a.is_float() && b.is_float() => match a.size() == b.size() {
            true => None, // f16 and bf16
            false => Some(wider(a, b)),
        },
        _ if a.is_float() => promote_integer(b, a),
        _ if b.is_float() => promote_integer(a, b),
        _ if a.is_signed_integer() == b.is_signed_integer() => Some(wider(a, b)),
        _ => {
            let (signed, unsigned) = if a.is_signed_integer() { (a, b) } else { (b, a) };
            Some(match unsigned {
                U8 => wider(signed, I16),
                U16 => wider(signed, I32),
                U32 => I64,
                _ => F64,
            })
        }
    }
}

/// The common dtype of several, `np.result_type`, in whatever order they come: floats first, so that `i16`, `u16` and
/// `f32` are `f32`. `None` where two of them have no common dtype, and for no dtypes.
pub fn promote_all(dtypes: &[DType]) -> Option<DType> {
    let mut floats = None;
    let mut distinct: SmallVec<[DType; 16]> = SmallVec::new();
    for &a in dtypes {
        if distinct.contains(&a) {
            continue;
        }
        for &b in &distinct {
            promote(a, b)?;
        }
        distinct.push(a);
        if a.is_float() {
            floats = Some(floats.map_or(Some(a), |f| promote(f, a))?);
        }
    }
    let with_floats = distinct.iter().map(|&d| floats.map_or(Some(d), |f| promote(f, d)));
    with_floats.reduce(|a, b| promote(a?, b?))?
}

/// The dtype of an operator over `dtype` and a literal. The literal is weak: it chooses the kind (bool, integer, float),
/// never the size. Whether the dtype holds it, [`Literal::constant`] says.
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

/// The dtype of a literal where no array is near: `bool`, `i64` (`u64` for an integer that only it holds), `f64`.
pub fn literal_dtype(literal: &Literal) -> DType {
    match literal {
        Literal::Bool(_) => Bool,
        Literal::Int(value) if i64::try_from(*value).is_err() && u64::try_from(*value).is_ok() => U64,
        literal if literal.is_integer() => I64,
        _ => F64,
    }
}

/// What computes `op` over operands of `t`: an operator and the dtype to cast the operands to.
///
/// | T | computed as |
/// |---|---|
/// | `bool` and integers for `divide` | true division, in `f64`; `trunc_divide` and `floor_divide` keep integers |
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
    if op == Op::Divide && !t.is_float() && !t.is_opaque() {
        return Some((op, F64));
    }
    if op.info().takes(t) {
        return Some((op, t));
    }
    if takes_floats_only(op) {
        return float_of(t).map(|float| (op, float));
    }
    if t == Bool && takes_bools_as_i8(op) {
        return Some((op, I8));
    }
    let logical = match op {
        Op::Add | Op::Maximum | Op::Fmax => Op::LogicalOr,
        Op::Multiply | Op::Minimum | Op::Fmin => Op::LogicalAnd,
        Op::Abs | Op::Relu | Op::Floor | Op::Ceil | Op::Trunc => Op::Copy,
        _ => return None,
    };
    (t == Bool).then_some((logical, Bool))
}

/// What computes `op` over these operands, in NumPy's order: their common dtype, then [`operands_of`]. The result is the
/// operator, and the dtype that signatures call T: of all operands, except the condition of `where`, which is `bool`.
///
/// * The logical operators look at truth only, so operands of several dtypes are all cast to `bool`.
/// * An operator that takes floats only over integers promotes the floats they become: `i8` and `u8` are `f16`.
/// * Comparisons of `u64` with a signed integer get `f64`, which is not exact;
///   [`Program::promoting`](crate::Program::promoting) composes the exact answer.
///
/// An operator of two operands in the place of one of several, `logical_or` of `maximum`, is applied from left to right.
///
/// `None` where there is no common dtype, where the operator does not take it, or for a wrong number of operands.
pub fn operation(op: Op, operands: &[Operand]) -> Option<(Op, DType)> {
    let signature = op.signature();
    if !op.counts().contains(&operands.len()) || (signature == Signature::Select && !truth(operands[0])) {
        return None;
    }
    if is_logical(op) && operands.iter().any(|operand| *operand != operands[0]) {
        return operands.iter().all(|operand| truth(*operand)).then_some((op, Bool));
    }
    let mut dtypes: Vec<DType> = Vec::with_capacity(operands.len());
    let mut literals = Vec::new();
    for (_, operand) in operands.iter().enumerate().filter(|(i, _)| signature.is_t(*i)) {
        match operand {
            Operand::DType(dtype) => dtypes.push(*dtype),
            Operand::Literal(literal) => literals.push(*literal),
        }
    }
    if dtypes.is_empty() && !op.info().takes(F64) && op.info().takes(F32) {
        // Numbers beside quantised integers.
        return Some((op, F32));
    }
    let t = promote_with_literals(&dtypes, &literals)?;
    if takes_floats_only(op) && promote_all(&dtypes) == Some(t) {
        return Some((op, promote_floats(&dtypes)?));
    }
    operands_of(op, t)
}

/// The dtype U of an operator's operands that are not of dtype T: the condition of `where` is `bool`; `ldexp` takes its
/// exponents as `i32`, and as `i64` where they are `u32` or `i64`; quantised integers are as they are, `u8` where all
/// are literals. `None` for dtypes that the operator does not take.
pub fn second_operand(op: Op, operands: &[Operand]) -> Option<DType> {
    let signature = op.signature();
    let mut found = None;
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
        if !takes || found.is_some_and(|found| found != dtype) {
            return None;
        }
        found = Some(dtype);
    }
    Some(found.unwrap_or(second_dtype(signature)))
}

/// The common dtype of dtypes and literals, which are weak; of literals alone, that of the highest kind.
pub fn promote_with_literals(dtypes: &[DType], literals: &[Literal]) -> Option<DType> {
    if dtypes.is_empty() {
        // `bool` before `i64` before `u64` before `f64`, as in the enum.
        return literals.iter().map(literal_dtype).max();
    }
    literals.iter().try_fold(promote_all(dtypes)?, promote_literal)
}

/// Whether NumPy casts `from` to `to` under the rule `same_kind`, the one for `out=`: to a dtype of the same kind or of
/// a later one, in the order bool, unsigned, signed, float. Of floats, `bf16` casts to `f32` and `f64` but not to
/// `f16`; an opaque dtype casts to itself.
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

/// The dtype of a function of floats over operands of these dtypes: of integers, the common one of the floats that
/// each becomes.
fn promote_floats(dtypes: &[DType]) -> Option<DType> {
    match promote_all(dtypes)? {
        t if t.is_float() => Some(t),
        _ => promote_all(&dtypes.iter().map(|&d| float_of(d)).collect::<Option<Vec<DType>>>()?),
    }
}

/// Whether the operator compares values: `equal`, `less` and the like.
pub fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual)
}

/// Whether the operator looks at the truth of its operands only.
pub fn is_logical(op: Op) -> bool {
    matches!(op, Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor | Op::LogicalNot)
}

/// Whether the operand can be true or false.
fn truth(operand: Operand) -> bool {
    !matches!(operand, Operand::DType(dtype) if dtype.is_opaque())
}

/// Whether NumPy computes the operator over `bool` in `int8`.
fn takes_bools_as_i8(op: Op) -> bool {
    match op {
        Op::FloorDivide | Op::Remainder | Op::Fmod | Op::Pow | Op::Square => true,
        _ => matches!(op, Op::ShiftLeft | Op::ShiftRight | Op::BitwiseCount),
    }
}

fn takes_floats_only(op: Op) -> bool {
    op.info().takes(F64) && !op.info().takes(I64)
}

/// The float dtype in which NumPy computes a function of floats; `None` for opaque dtypes.
fn float_of(t: DType) -> Option<DType> {
    match t {
        Bool | I8 | U8 => Some(F16),
        I16 | U16 => Some(F32),
        _ if t.is_integer() => Some(F64),
        _ => t.is_float().then_some(t),
    }
}

/// An integer with a float.
fn promote_integer(integer: DType, float: DType) -> Option<DType> {
    match (integer, float) {
        (I8 | U8, _) => Some(float),
        (_, BF16) => None,
        (I16 | U16, _) => Some(wider(float, F32)),
        _ => Some(F64),
    }
}

/// The larger of two dtypes of one kind.
fn wider(a: DType, b: DType) -> DType {
    if b.size() > a.size() { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `np.hypot(x, y).dtype`, one letter per dtype as in `tests/promotion/numpy.rs`.
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
    fn functions_of_two_floats_promote_as_numpys_hypot() {
        for (a, row) in DType::VALUES.into_iter().zip(HYPOT) {
            for (b, code) in DType::VALUES.into_iter().zip(row.chars()) {
                let expected = "?bhiqBHIQegfd".find(code).map(|i| DType::VALUES[i]);
                // NumPy has an answer where the dtypes have no common one; here that is an error.
                let expected = expected.filter(|_| promote(a, b).is_some());
                assert_eq!(promote_floats(&[a, b]), expected, "{a} {b}");
            }
        }
        assert_eq!(promote_floats(&[Opaque4, Opaque4]), None);
    }
}
