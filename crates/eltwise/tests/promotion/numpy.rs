//! NumPy's promotion tables.
//!
//! The tables are of NumPy 2.4.6 with ml_dtypes 0.6.0. They have one letter per dtype: NumPy's character codes, `g` for
//! bf16,
//! `-` for an error. They were made by
//!
//! ```text
//! D = [np.dtype(c) for c in "?bhiqBHIQe"] + [np.dtype(ml_dtypes.bfloat16), np.dtype("f"), np.dtype("d")]
//! PAIRS      np.result_type(a, b)        for a in D for b in D
//! TRIPLES    np.result_type(a, b, c)     for a, b, c in itertools.combinations_with_replacement(D, 3)
//! SAME_KIND  np.can_cast(a, b, "same_kind")
//! LITERALS   (np.ones(1, a) + l).dtype   for l in (True, 1, 1.0), at each dtype a
//! OPERATORS  np.add(x, x).dtype          and so on, x = np.ones(1, a)
//! ```

use eltwise::expr::Literal;
use eltwise::{DType, Op};

pub(crate) const CODES: &str = "?bhiqBHIQegfd";

pub(crate) const PAIRS: [&str; 13] = [
    "?bhiqBHIQegfd",
    "bbhiqhiqdegfd",
    "hhhiqhiqdf-fd",
    "iiiiqiiqdd-dd",
    "qqqqqqqqdd-dd",
    "BhhiqBHIQegfd",
    "HiiiqHHIQf-fd",
    "IqqqqIIIQd-dd",
    "QddddQQQQd-dd",
    "eefddefdde-fd",
    "gg---g----gfd",
    "fffddffddfffd",
    "ddddddddddddd",
];

pub(crate) const TRIPLES: &str = "\
    ?bhiqBHIQegfdbhiqhiqdegfdhiqhiqdf-fdiqiiqdd-ddqqqqdd-ddBHIQegfdHIQf-fdIQd-ddQd-dde-fdgfdfdd\
    bhiqhiqdegfdhiqhiqdf-fdiqiiqdd-ddqqqqdd-ddhiqdegfdiqdf-fdqdd-dddd-dde-fdgfdfddhiqhiqdf-fdiq\
    iiqdd-ddqqqqdd-ddhiqdf-fdiqdf-fdqdd-dddd-ddf-fd---fddiqiiqdd-ddqqqqdd-ddiiqdd-ddiqdd-ddqdd-\
    dddd-ddd-dd---dddqqqqdd-ddqqqdd-ddqqdd-ddqdd-dddd-ddd-dd---dddBHIQegfdHIQf-fdIQd-ddQd-dde-f\
    dgfdfddHIQf-fdIQd-ddQd-ddf-fd---fddIQd-ddQd-ddd-dd---dddQd-ddd-dd---ddde-fd---fddgfdfddfddd";

pub(crate) const SAME_KIND: [&str; 13] = [
    "yyyyyyyyyyyyy",
    ".yyyy....yyyy",
    ".yyyy....yyyy",
    ".yyyy....yyyy",
    ".yyyy....yyyy",
    ".yyyyyyyyyyyy",
    ".yyyyyyyyyyyy",
    ".yyyyyyyyyyyy",
    ".yyyyyyyyyyyy",
    ".........yyyy",
    "..........yyy",
    ".........yyyy",
    ".........yyyy",
];

/// For `True`, `1` and `1.0`. NumPy gives `f` for bf16 with 1.0, because ml_dtypes has no weak floats. Here it is bf16.
pub(crate) const LITERALS: [&str; 3] = ["?bhiqBHIQegfd", "qbhiqBHIQegfd", "dddddddddegfd"];

/// The dtype in which a function of floats computes.
pub(crate) const FLOATS: &str = "eefddefddegfd";

/// Operators that NumPy also has: the operator over bool, and the dtype of the result.
pub(crate) const OPERATORS: [(Op, Op, &str); 33] = [
    (Op::Add, Op::LogicalOr, "?bhiqBHIQegfd"),
    (Op::Multiply, Op::LogicalAnd, "?bhiqBHIQegfd"),
    (Op::Maximum, Op::LogicalOr, "?bhiqBHIQegfd"),
    (Op::Minimum, Op::LogicalAnd, "?bhiqBHIQegfd"),
    (Op::Fmax, Op::LogicalOr, "?bhiqBHIQegfd"),
    (Op::Fmin, Op::LogicalAnd, "?bhiqBHIQegfd"),
    (Op::Abs, Op::Copy, "?bhiqBHIQegfd"),
    (Op::Floor, Op::Copy, "?bhiqBHIQegfd"),
    (Op::Ceil, Op::Copy, "?bhiqBHIQegfd"),
    (Op::Trunc, Op::Copy, "?bhiqBHIQegfd"),
    (Op::Positive, Op::Positive, "-bhiqBHIQegfd"),
    (Op::Sign, Op::Sign, "-bhiqBHIQegfd"),
    (Op::Subtract, Op::Subtract, "-bhiqBHIQegfd"),
    (Op::Negative, Op::Negative, "-bhiqBHIQegfd"),
    (Op::Divide, Op::Divide, "dddddddddegfd"),
    (Op::FloorDivide, Op::FloorDivide, "bbhiqBHIQegfd"),
    (Op::Remainder, Op::Remainder, "bbhiqBHIQegfd"),
    (Op::Fmod, Op::Fmod, "bbhiqBHIQegfd"),
    (Op::Square, Op::Square, "bbhiqBHIQegfd"),
    (Op::ShiftLeft, Op::ShiftLeft, "bbhiqBHIQ----"),
    (Op::ShiftRight, Op::ShiftRight, "bbhiqBHIQ----"),
    (Op::BitwiseCount, Op::BitwiseCount, "bbhiqBHIQ----"),
    (Op::Sqrt, Op::Sqrt, FLOATS),
    (Op::Copysign, Op::Copysign, FLOATS),
    (Op::Heaviside, Op::Heaviside, FLOATS),
    (Op::IsNan, Op::IsNan, FLOATS),
    (Op::IsInf, Op::IsInf, FLOATS),
    (Op::IsFinite, Op::IsFinite, FLOATS),
    (Op::SignBit, Op::SignBit, FLOATS),
    (Op::BitwiseAnd, Op::BitwiseAnd, "?bhiqBHIQ----"),
    (Op::BitwiseOr, Op::BitwiseOr, "?bhiqBHIQ----"),
    (Op::BitwiseXor, Op::BitwiseXor, "?bhiqBHIQ----"),
    (Op::BitwiseNot, Op::BitwiseNot, "?bhiqBHIQ----"),
];

pub(crate) fn decode(code: char) -> Option<DType> {
    CODES.find(code).map(|i| DType::VALUES[i])
}

/// The dtype at a row and a column of a table.
pub(crate) fn cell(row: &str, column: DType) -> Option<DType> {
    row.chars().nth(column.index()).and_then(decode)
}

/// The common dtype of two dtypes.
pub(crate) fn pair(a: DType, b: DType) -> Option<DType> {
    cell(PAIRS[a.index()], b)
}

/// The common dtype of three dtypes, in any order.
pub(crate) fn triple(mut dtypes: [DType; 3]) -> Option<DType> {
    dtypes.sort();
    let mut codes = TRIPLES.chars();
    for a in 0..13 {
        for b in a..13 {
            for c in b..13 {
                let code = codes.next()?;
                if dtypes.map(DType::index) == [a, b, c] {
                    return decode(code);
                }
            }
        }
    }
    None
}

/// The common dtype of a dtype and a literal.
pub(crate) fn with_literal(dtype: DType, literal: &Literal) -> Option<DType> {
    let row = match literal {
        Literal::Bool(_) => 0,
        Literal::Int(_) => 1,
        _ => 2,
    };
    cell(LITERALS[row], dtype)
}
