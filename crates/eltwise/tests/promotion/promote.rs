//! The functions of `eltwise::promote` equal NumPy's tables, over every dtype and operator.

use eltwise::expr::Literal;
use eltwise::promote::{
    Operand, can_cast_same_kind, literal_dtype, operands_of, operation, promote, promote_all, promote_literal,
    second_operand,
};
use eltwise::{DType, Op};

use crate::numpy::{OPERATORS, SAME_KIND, TRIPLES, cell, pair, triple, with_literal};

#[test]
fn pairs_and_triples_of_dtypes_promote_as_in_numpy() {
    assert_eq!(TRIPLES.len(), 455);
    for a in DType::VALUES {
        for b in DType::VALUES {
            assert_eq!(promote(a, b), pair(a, b), "{a} {b}");
            assert_eq!(promote_all(&[a, b]), pair(a, b), "{a} {b}");
            for c in DType::VALUES {
                assert_eq!(promote_all(&[a, b, c]), triple([a, b, c]), "{a} {b} {c}");
            }
        }
    }
    for a in DType::ALL.into_iter().filter(|a| a.is_opaque()) {
        for b in DType::ALL {
            let expected = (a == b).then_some(a);
            assert_eq!((promote(a, b), promote(b, a)), (expected, expected), "{a} {b}");
            assert_eq!((can_cast_same_kind(a, b), can_cast_same_kind(b, a)), (a == b, a == b), "{a} {b}");
        }
    }
    assert_eq!((promote_all(&[]), promote_all(&[DType::F16])), (None, Some(DType::F16)));
}

#[test]
fn same_kind_casts_are_those_of_numpy() {
    for from in DType::VALUES {
        for to in DType::VALUES {
            let expected = SAME_KIND[from.index()].as_bytes()[to.index()] == b'y';
            assert_eq!(can_cast_same_kind(from, to), expected, "{from} to {to}");
        }
    }
}

#[test]
fn literals_promote_as_in_numpy() {
    for literal in [Literal::Bool(true), Literal::Int(1), Literal::Float(1.0)] {
        for dtype in DType::VALUES {
            assert_eq!(promote_literal(dtype, &literal), with_literal(dtype, &literal), "{dtype} {literal}");
        }
        assert_eq!(promote_literal(DType::Opaque4, &literal), None);
    }
    let alone = [Literal::Bool(true), Literal::Int(1), Literal::Float(1.0)].map(|literal| literal_dtype(&literal));
    assert_eq!(alone, [DType::Bool, DType::I64, DType::F64]);
    assert_eq!(literal_dtype(&Literal::Int(1 << 63)), DType::U64);
}

#[test]
fn operators_take_the_dtypes_of_numpy() {
    for (op, on_bool, row) in OPERATORS {
        for t in DType::VALUES {
            let expected = cell(row, t).map(|result| (if t == DType::Bool { on_bool } else { op }, result));
            assert_eq!(operands_of(op, t), expected, "{op} {t}");
        }
    }
    for &op in Op::ALL {
        for t in DType::ALL {
            match operands_of(op, t) {
                Some((other, dtype)) => {
                    assert!(other.info().takes(dtype), "{op} {t}");
                    let copies_integers = op == Op::NanToNum && other == Op::Copy;
                    assert!(other.arity() == op.arity() || copies_integers, "{op} {t}");
                    let divides = op == Op::Divide && !t.is_float();
                    assert_eq!((other, dtype) == (op, t), op.info().takes(t) && !divides, "{op} {t}");
                }
                None => assert!(!op.info().takes(t), "{op} {t}"),
            }
        }
    }
    for op in [Op::Fma, Op::Clamp] {
        assert_eq!(operands_of(op, DType::Bool), None, "{op}");
    }
    assert_eq!(operands_of(Op::Relu, DType::Bool), Some((Op::Copy, DType::Bool)));
}

#[test]
fn operators_with_a_second_dtype_promote_both() {
    use DType::*;
    let d = Operand::from;
    for (op, operands, expected) in [
        (Op::Ldexp, vec![d(F16), d(I8)], Some((F16, I32))),
        (Op::Ldexp, vec![d(I16), d(U32)], Some((F32, I64))),
        (Op::Ldexp, vec![0.5.into(), 3.into()], Some((F64, I32))),
        (Op::Ldexp, vec![d(F32), d(U64)], None),
        (Op::Ldexp, vec![d(F32), d(F32)], None),
        (Op::QuantizeLinear, vec![d(F32), d(F16), d(U8)], Some((F32, U8))),
        (Op::QuantizeLinear, vec![d(F16), 0.5.into(), 128.into()], Some((F16, U8))),
        (Op::QuantizeLinear, vec![d(F64), 0.5.into(), d(I8)], None),
        (Op::QuantizeLinear, vec![d(F32), 0.5.into(), d(U32)], None),
        (Op::DequantizeLinear, vec![d(I16), 0.5.into(), 0.into()], Some((F32, I16))),
        (Op::DequantizeLinear, vec![d(I16), d(F16), d(I8)], None),
        (Op::Where, vec![d(I8), d(F32), 1.into()], Some((F32, Bool))),
    ] {
        let found = operation(op, &operands).zip(second_operand(op, &operands)).map(|((_, t), u)| (t, u));
        assert_eq!(found, expected, "{op} {operands:?}");
    }
}

#[test]
fn operators_of_any_number_of_operands_promote_all() {
    use DType::*;
    for (op, dtypes, expected) in [
        (Op::Sum, vec![U8, I8, F16], Some((Op::Sum, F16))),
        (Op::Sum, vec![I32], None),
        (Op::Divide, vec![I8, U8], Some((Op::Divide, F64))),
        (Op::Divide, vec![I8, F16], Some((Op::Divide, F16))),
        (Op::Mean, vec![I8, I16, U8], Some((Op::Mean, F32))),
        (Op::Maximum, vec![Bool, Bool], Some((Op::LogicalOr, Bool))),
        (Op::Maximum, vec![Bool; 3], Some((Op::LogicalOr, Bool))),
        (Op::Maximum, vec![Bool, I8, I16, I32], Some((Op::Maximum, I32))),
        (Op::Maximum, vec![I8], None),
        (Op::Sum, vec![], None),
    ] {
        let operands: Vec<Operand> = dtypes.iter().map(|&dtype| dtype.into()).collect();
        assert_eq!(operation(op, &operands), expected, "{op} {dtypes:?}");
    }
}

#[test]
fn dtypes_and_literals_promote_together() {
    use DType::*;
    let half = || Operand::from(0.5);
    for (op, operands, expected) in [
        (Op::Add, vec![I8.into(), U8.into()], Some((Op::Add, I16))),
        (Op::Add, vec![U8.into(), 300.into()], Some((Op::Add, U8))),
        (Op::Add, vec![Bool.into(), true.into()], Some((Op::LogicalOr, Bool))),
        (Op::Add, vec![Bool.into(), 1.into()], Some((Op::Add, I64))),
        (Op::Subtract, vec![Bool.into(), true.into()], None),
        (Op::Sqrt, vec![true.into()], Some((Op::Sqrt, F16))),
        (Op::Sqrt, vec![2.into()], Some((Op::Sqrt, F64))),
        (Op::Clamp, vec![I16.into(), 0.into(), half()], Some((Op::Clamp, F64))),
        (Op::Clamp, vec![F16.into(), 0.into(), half()], Some((Op::Clamp, F16))),
        (Op::Clamp, vec![I16.into(), U16.into(), F32.into()], Some((Op::Clamp, F32))),
        (Op::Where, vec![F64.into(), Opaque8.into(), Opaque8.into()], Some((Op::Where, Opaque8))),
        (Op::Where, vec![Opaque8.into(), F32.into(), F32.into()], None),
        (Op::Where, vec![3.into(), true.into(), 1.into()], Some((Op::Where, I64))),
        (Op::LogicalAnd, vec![BF16.into(), I32.into()], Some((Op::LogicalAnd, Bool))),
        (Op::LogicalAnd, vec![F32.into(), F32.into()], Some((Op::LogicalAnd, F32))),
        (Op::LogicalOr, vec![Opaque1.into(), Bool.into()], None),
        (Op::BitwiseAnd, vec![I64.into(), U64.into()], None),
        (Op::Less, vec![BF16.into(), I32.into()], None),
        (Op::Add, vec![F32.into()], None),
        (Op::FloatPower, vec![F16.into(), half()], Some((Op::FloatPower, F64))),
        (Op::FloatPower, vec![BF16.into(), I64.into()], Some((Op::FloatPower, F64))),
        (Op::FloatPower, vec![F32.into(), Opaque4.into()], None),
        (Op::IsClose, vec![I8.into(), 2049.into(), 0.into(), 1.into(), true.into()], Some((Op::IsClose, F64))),
        (Op::IsClose, vec![F16.into(), I8.into(), 0.into(), half(), true.into()], Some((Op::IsClose, F16))),
        (Op::NanToNum, vec![F32.into(), F64.into(), half(), 1.into()], Some((Op::NanToNum, F32))),
        (Op::NanToNum, vec![I64.into(), 0.into(), half(), half()], Some((Op::Copy, I64))),
    ] {
        assert_eq!(operation(op, &operands), expected, "{op} {operands:?}");
    }
}
