//! Expressions parsed with promotion: their steps, errors and warnings.

use eltwise::{DType, Error, ErrorKind, Expr, Program, lower_promoting};
use eltwise_plan::ir::program::Node;

const INPUTS: &[(&str, DType)] = &[
    ("x", DType::F32),
    ("h", DType::F16),
    ("bf", DType::BF16),
    ("d", DType::F64),
    ("s", DType::I8),
    ("u", DType::U8),
    ("i", DType::I32),
    ("q", DType::I64),
    ("w", DType::U64),
    ("c", DType::Bool),
    ("o", DType::Opaque4),
];

/// A value as nested calls: casts as `f32(...)`, `f32` and `f64` in decimal, narrower floats by their bits.
fn show(program: &eltwise_plan::Program, index: usize) -> String {
    let value = &program.values()[index];
    match &value.node {
        Node::Input(position) => program.inputs()[*position].name.clone().into_owned(),
        Node::Constant(constant) => {
            let width = 8 * value.dtype.size() as u32;
            match value.dtype {
                DType::F32 => format!("{}:f32", f32::from_bits(constant.bits as u32)),
                DType::F64 => format!("{}:f64", f64::from_bits(constant.bits as u64)),
                dtype if dtype.is_signed_integer() => {
                    format!("{}:{dtype}", ((constant.bits << (128 - width)) as i128) >> (128 - width))
                }
                dtype => format!("{}:{dtype}", constant.bits),
            }
        }
        Node::Step { op, args, .. } => {
            let args: Vec<String> = args.iter().map(|arg| show(program, arg.index())).collect();
            let name = if op.name() == "cast" { value.dtype.name() } else { op.name() };
            format!("{name}({})", args.join(", "))
        }
        _ => "?".to_string(),
    }
}

#[test]
fn texts_become_programs_with_casts() {
    for (text, expected) in [
        // Operands of one dtype: the same as without promotion.
        ("x + x", "add(x, x)"),
        ("x * 2 + 0.5", "add(multiply(x, 2:f32), 0.5:f32)"),
        ("where(c, o, o)", "where(c, o, o)"),
        // Operands of several dtypes.
        ("s + u", "add(i16(s), i16(u))"),
        ("x + i", "add(f64(x), f64(i))"),
        ("q * w", "multiply(f64(q), f64(w))"),
        ("bf + u", "add(bf, bf16(u))"),
        ("fma(h, s, u)", "fma(h, f16(s), f16(u))"),
        ("s * u + x", "add(f32(multiply(i16(s), i16(u))), x)"),
        // Literals.
        ("s * 0.5", "multiply(f64(s), 0.5:f64)"),
        ("s * (1 / 4)", "multiply(f64(s), 0.25:f64)"),
        ("c + 1", "add(i64(c), 1:i64)"),
        ("c + true", "logical_or(c, 1:bool)"),
        ("x + true", "add(x, 1:f32)"),
        ("bf * 1.5", "multiply(bf, 16320:bf16)"),
        ("u - -(-3)", "subtract(u, 3:u8)"),
        ("u * (7 // 2)", "multiply(u, 3:u8)"),
        ("u & (6 ^ 3)", "bitwise_and(u, 5:u8)"),
        ("x * 2 ** -1", "multiply(x, 0.5:f32)"),
        ("u + ~-4", "add(u, 3:u8)"),
        ("i / 2", "divide(f64(i), 2:f64)"),
        ("s / u", "divide(f64(s), f64(u))"),
        ("c / c", "divide(f64(c), f64(c))"),
        ("s / h", "divide(f16(s), h)"),
        ("trunc_divide(i, 2)", "trunc_divide(i, 2:i32)"),
        ("i // 2", "floor_divide(i, 2:i32)"),
        ("h * 70000", "multiply(h, 31744:f16)"),
        ("x * -1e200", "multiply(x, -inf:f32)"),
        ("x + 1e300 * 1e300", "add(x, inf:f32)"),
        ("9223372036854775808", "copy(9223372036854775808:u64)"),
        ("x * sqrt(2)", "multiply(f64(x), sqrt(2:f64))"),
        ("where(c, 1, 0) + s", "add(where(c, 1:i64, 0:i64), i64(s))"),
        ("clamp(u, 0, 0.5)", "clamp(f64(u), 0:f64, 0.5:f64)"),
        ("1 + 2", "copy(3:i64)"),
        ("0.5", "copy(0.5:f64)"),
        ("false", "copy(0:bool)"),
        ("true + 1", "copy(2:i64)"),
        ("x * (true + true) + ~true", "add(multiply(x, 2:f32), -2:f32)"),
        ("s * (2 * (1 < 2))", "multiply(s, 2:i8)"),
        ("maximum(c, c, c)", "logical_or(logical_or(c, c), c)"),
        ("clamp(u, -5, 300)", "clamp(u, 0:u8, 255:u8)"),
        ("x * 1e400", "multiply(x, inf:f32)"),
        // Operators that do not take the dtype.
        ("sqrt(s) + sqrt(c)", "add(sqrt(f16(s)), sqrt(f16(c)))"),
        ("sqrt(i)", "sqrt(f64(i))"),
        ("c + c", "logical_or(c, c)"),
        ("minimum(c, c) * c", "logical_and(logical_and(c, c), c)"),
        ("abs(c)", "copy(c)"),
        ("relu(c)", "copy(c)"),
        // Operands that become bool.
        ("where(i, x, s)", "where(bool(i), x, f32(s))"),
        ("where(2, x, 1)", "where(1:bool, x, 1:f32)"),
        ("where(nan, x, x)", "where(1:bool, x, x)"),
        ("logical_and(bf, i)", "logical_and(bool(bf), bool(i))"),
        ("logical_and(x, x)", "logical_and(x, x)"),
        ("logical_or(u, 300)", "logical_or(bool(u), 1:bool)"),
        ("logical_not(0)", "logical_not(0:i64)"),
        // Comparisons.
        ("s < u", "less(i16(s), i16(u))"),
        ("u < 255", "less(u, 255:u8)"),
        ("u < 256", "less_equal(u, 255:u8)"),
        ("u == -1", "greater(u, 255:u8)"),
        ("-1 < w", "greater_equal(18446744073709551615:u64, w)"),
        ("c < 2", "less(i64(c), 2:i64)"),
        ("h < 70000", "less(h, 31744:f16)"),
        ("h < -1e9", "less(h, 64512:f16)"),
        ("q < w", "logical_or(less(q, 0:i64), less(u64(q), w))"),
        ("w == s", "logical_and(equal(w, u64(s)), greater_equal(s, 0:i8))"),
        // Casts.
        ("cast(i + x, u8)", "u8(add(f64(i), f64(x)))"),
        ("cast(2, 'uint8')", "copy(2:u8)"),
        ("cast(2, f32) * x", "multiply(2:f32, x)"),
        ("cast(2.5, i8)", "i8(2.5:f64)"),
        ("cast(2, bool)", "bool(2:i64)"),
        ("cast(true, f32)", "copy(1:f32)"),
        // Broadcast modes.
        ("add(1, 2, broadcast=pdpd, axis=7)", "add(1:i64, 2:i64)"),
        ("broadcast_to(1, [2])", "broadcast_to(1:i64)"),
    ] {
        // `lower_promoting` does not fold constants.
        match Expr::parse(text).and_then(|expr| lower_promoting(&[&expr], INPUTS)) {
            Ok(program) => assert_eq!(show(&program, program.outputs()[0].index()), expected, "{text}"),
            Err(error) => panic!("{text}: {error}"),
        }
    }
}

#[test]
fn errors_name_what_is_wrong_and_its_place() {
    for (text, message, place) in [
        (
            "x + bf * i",
            "multiply(bf16, i32): operand 1: no common dtype (cast one of them); multiply takes int float",
            "i",
        ),
        ("bf < (h)", "less(bf16, f16): operand 1: no common dtype (cast one of them); less takes bool int float", "h"),
        (
            "clamp(x, bf, q)",
            "clamp(f32, bf16, i64): operand 2: no common dtype (cast one of them); clamp takes int float",
            "q",
        ),
        (
            "where(c, o, x)",
            "where(bool, opaque4, f32): operand 2: no common dtype (cast one of them); where takes bool int float opaque",
            "x",
        ),
        ("where(o, x, x)", "where(opaque4, f32, f32): operand 0: the condition must be bool or a number", "o"),
        ("o + 1", "add(opaque4, i64): operand 1: no common dtype (cast one of them); add takes int float", "1"),
        ("o + o", "add(opaque4, opaque4): operand 0: not a dtype of this operator; add takes int float", "o"),
        (
            "logical_not(o)",
            "logical_not(opaque4): operand 0: not a dtype of this operator; logical_not takes bool int float",
            "o",
        ),
        ("-c", "negative(bool): operand 0: not a dtype of this operator; negative takes int float", "c"),
        ("s & x", "bitwise_and(i8, f32): operand 1: not a dtype of this operator; bitwise_and takes bool int", "x"),
        ("s & 1.5", "bitwise_and(i8, f64): operand 1: not a dtype of this operator; bitwise_and takes bool int", "1.5"),
        (
            "q & w",
            "bitwise_and(i64, u64): operand 1: the common dtype of the operands is none of this operator (cast one of them); bitwise_and takes bool int",
            "w",
        ),
        ("u + 300", "the literal 300 does not fit u8", "300"),
        ("where(c, u, -1)", "the literal -1 does not fit u8", "-1"),
        ("c - c", "subtract(bool, bool): operand 0: not a dtype of this operator; subtract takes int float", "c"),
        ("1 // 0 * x", "floor_divide(1, 0): division by zero", "1 // 0"),
        ("x + 9007199254740993 / 0", "divide(9007199254740993, 0): division by zero", "9007199254740993 / 0"),
        ("(-8) ** 0.5 * x", "pow(-8, 0.5): the power is complex", "(-8) ** 0.5"),
        ("10 ** 40 * x", "pow(10, 40): the result is past 128 bits", "10 ** 40"),
        ("18446744073709551616", "the literal 18446744073709551616 does not fit i64", "18446744073709551616"),
        ("cast(300, u8)", "the literal 300 does not fit u8", "300"),
        ("x + z", "unknown input `z`; the inputs are x, h, bf, d, s, u, i, q, w, c, o", "z"),
    ] {
        let Err(Error::Parse { message: given, text: whole, at, .. }) = Program::parse_promoting(text, INPUTS) else {
            panic!("{text}: no Parse error")
        };
        assert_eq!(given, message, "{text}");
        assert_eq!(&whole[at], place, "{text}");
    }
}

#[test]
fn a_literal_that_becomes_infinite_is_a_warning() {
    for (text, expected) in [
        ("x * 1e200 + 1e200", &["the literal 1e200 does not fit f32: it is infinite"][..]),
        ("h < 70000", &["the literal 70000 does not fit f16: it is infinite"]),
        ("d * 1e200 + x * inf + u * 1e200", &[]),
        (
            "x * -1e200; h + 1e200",
            &[
                "the literal -1e200 does not fit f32: it is infinite",
                "the literal 1e200 does not fit f16: it is infinite",
            ],
        ),
    ] {
        let program = Program::parse_promoting(text, INPUTS).unwrap();
        assert_eq!(program.warnings(), expected, "{text}");
        assert_eq!(program.clone().contract(true).warnings(), expected, "{text}");
    }
    assert!(Program::parse("x * 1e30", INPUTS).unwrap().warnings().is_empty());
}

#[test]
fn texts_may_have_several_outputs_and_inputs_shadow_constants() {
    let inputs = [("inf", DType::I32), ("e", DType::F32)];
    let program = Program::parse_promoting("inf + 1; e * pi", &inputs).unwrap();
    let dtypes: Vec<DType> = program.outputs().iter().map(|&id| program.value(id).dtype).collect();
    assert_eq!(dtypes, [DType::I32, DType::F32]);
    assert_eq!(Program::parse("inf + 1; e", &inputs).unwrap().outputs().len(), 2);
}

#[test]
fn without_a_text_errors_keep_their_kind() {
    let (u, bf, o) = (Expr::input("u"), Expr::input("bf"), Expr::input("o"));
    for (expr, kind) in [
        (&u + 300, ErrorKind::Literal),
        (&bf + Expr::input("q"), ErrorKind::DType),
        (&o + &o, ErrorKind::DType),
        (o.cast(DType::F32), ErrorKind::DType),
        (u.cast(DType::Opaque1), ErrorKind::DType),
        (Expr::from(1).cast(DType::Opaque1), ErrorKind::DType),
        (&u + Expr::input("none"), ErrorKind::Parse),
    ] {
        assert_eq!(Program::promoting(&[&expr], INPUTS).unwrap_err().kind(), kind, "{expr:?}");
    }
    assert_eq!(Program::promoting(&[], INPUTS).unwrap_err().kind(), ErrorKind::Arity);
}

#[test]
fn outputs_share_steps_and_a_literal_may_take_several_dtypes() {
    let two = Expr::from(2);
    let (s, u, h) = (Expr::input("s"), Expr::input("u"), Expr::input("h"));
    let sum = &s + &u;
    let outputs = [&(&sum * &two), &(&sum + &h), &(&h * &two)];
    let program = Program::promoting(&outputs, INPUTS).unwrap();
    let dtypes: Vec<DType> = program.outputs().iter().map(|&id| program.value(id).dtype).collect();
    assert_eq!(dtypes, [DType::I16, DType::F32, DType::F16]);
    // Two casts and the sum, the product, two casts and the second sum, the second product.
    assert_eq!(program.step_count(), 8);
}

#[test]
fn long_chains_and_shared_subexpressions_lower_without_recursion() {
    let work = || {
        let (mut chain, mut dag) = (Expr::input("s"), Expr::input("u"));
        for _ in 0..2000 {
            chain = (chain + Expr::input("u")).sqrt();
        }
        for _ in 0..100 {
            dag = &dag * &dag;
        }
        assert_eq!(Program::promoting(&[&dag], INPUTS).unwrap().step_count(), 100);
        assert!(Program::promoting(&[&chain], INPUTS).unwrap().step_count() > 4000);
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}
