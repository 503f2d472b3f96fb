//! Expressions through the public API: texts become programs, and errors name their place in the text.

use eltwise::{Array, Expr, caret, lower};
use eltwise_core::{Broadcast, DType, Error, ErrorKind, Op, Signature};
use eltwise_plan::Program;
use eltwise_plan::ir::program::Node;

/// The inputs of every text in this file.
const INPUTS: &[(&str, DType)] = &[
    ("x", DType::F32),
    ("y", DType::F32),
    ("h", DType::F16),
    ("bf", DType::BF16),
    ("d", DType::F64),
    ("i", DType::I32),
    ("u", DType::U8),
    ("s", DType::I8),
    ("q", DType::I64),
    ("w", DType::U64),
    ("c", DType::Bool),
    ("o", DType::Opaque4),
];

/// The steps of a program: `%0 = add(x, 2:f32); %1 = sqrt(%0)`, then the dtypes of the outputs.
fn show(program: &Program) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut steps = Vec::new();
    for value in program.values() {
        names.push(match &value.node {
            Node::Input(position) => program.inputs()[*position].name.clone().into_owned(),
            Node::Constant(constant) => {
                let bits = constant.bits;
                match value.dtype {
                    DType::F32 => format!("{}:f32", f32::from_bits(bits as u32)),
                    DType::F64 => format!("{}:f64", f64::from_bits(bits as u64)),
                    DType::F16 | DType::BF16 => format!("{bits:#x}:{}", value.dtype),
                    DType::I8 => format!("{}:i8", bits as i8),
                    DType::I32 => format!("{}:i32", bits as i32),
                    DType::I64 => format!("{}:i64", bits as i64),
                    dtype => format!("{bits}:{dtype}"),
                }
            }
            Node::Step { op, args, broadcast, .. } => {
                let name = format!("%{}", steps.len());
                let args: Vec<&str> = args.iter().map(|arg| names[arg.index()].as_str()).collect();
                let mode = if *broadcast == Broadcast::Numpy { String::new() } else { format!(" [{broadcast}]") };
                steps.push(format!("{name} = {op}({}){mode}", args.join(", ")));
                name
            }
            _ => "?".to_string(),
        });
    }
    let outputs = program.outputs().iter().map(|&id| format!("{}: {}", names[id.index()], program.value(id).dtype));
    steps.extend(outputs);
    steps.join("; ")
}

fn try_lower(text: &str) -> Result<Program, Error> {
    lower(&[&Expr::parse(text)?], INPUTS)
}

#[test]
fn texts_become_programs() {
    for (text, expected) in [
        // Operators and calls.
        ("x + y", "%0 = add(x, y); %0: f32"),
        ("sqrt(x * x + y * y)", "%0 = multiply(x, x); %1 = multiply(y, y); %2 = add(%0, %1); %3 = sqrt(%2); %3: f32"),
        ("fma(x, y, x) - x", "%0 = fma(x, y, x); %1 = subtract(%0, x); %1: f32"),
        ("~c & (x < y)", "%0 = bitwise_not(c); %1 = less(x, y); %2 = bitwise_and(%0, %1); %2: bool"),
        ("x < y", "%0 = less(x, y); %0: bool"),
        ("-x", "%0 = negative(x); %0: f32"),
        ("x", "%0 = copy(x); %0: f32"),
        ("where(c, o, o)", "%0 = where(c, o, o); %0: opaque4"),
        ("x\n  +\t(\ny)", "%0 = add(x, y); %0: f32"),
        // Equal sub-expressions are one step.
        ("(x + y) * (x + y)", "%0 = add(x, y); %1 = multiply(%0, %0); %1: f32"),
        // A literal takes the dtype of the other operand.
        ("x + 2", "%0 = add(x, 2:f32); %0: f32"),
        ("2 * d", "%0 = multiply(2:f64, d); %0: f64"),
        ("h + 1", "%0 = add(h, 0x3c00:f16); %0: f16"),
        ("bf + 1.5", "%0 = add(bf, 0x3fc0:bf16); %0: bf16"),
        ("u + 255", "%0 = add(u, 255:u8); %0: u8"),
        ("s + -128", "%0 = add(s, -128:i8); %0: i8"),
        ("q - 9223372036854775807", "%0 = subtract(q, 9223372036854775807:i64); %0: i64"),
        ("w | 0xffffffffffffffff", "%0 = bitwise_or(w, 18446744073709551615:u64); %0: u64"),
        ("c == true", "%0 = equal(c, 1:bool); %0: bool"),
        ("clamp(i, 0, 6)", "%0 = clamp(i, 0:i32, 6:i32); %0: i32"),
        ("clamp(0, i, 6)", "%0 = clamp(0:i32, i, 6:i32); %0: i32"),
        ("where(x > 0, x, 0.5)", "%0 = greater(x, 0:f32); %1 = where(%0, x, 0.5:f32); %1: f32"),
        ("x / inf", "%0 = divide(x, inf:f32); %0: f32"),
        ("x - -0.0", "%0 = subtract(x, -0:f32); %0: f32"),
        ("h + 2049", "%0 = add(h, 0x6800:f16); %0: f16"),
        ("h + 65519.99", "%0 = add(h, 0x7bff:f16); %0: f16"),
        // A literal is rounded once, from its decimal text.
        ("x * 17.328679084777833", "%0 = multiply(x, 17.32868:f32); %0: f32"),
        ("x * -17.328679084777833", "%0 = multiply(x, -17.32868:f32); %0: f32"),
        ("h * 1.00048828125000000000000000001", "%0 = multiply(h, 0x3c01:f16); %0: f16"),
        ("h * 1.00048828125", "%0 = multiply(h, 0x3c00:f16); %0: f16"),
        ("bf * 1.00390624999999999999999999999", "%0 = multiply(bf, 0x3f80:bf16); %0: bf16"),
        ("bf * 1.01171874999999999999999999999", "%0 = multiply(bf, 0x3f81:bf16); %0: bf16"),
        // Constants.
        ("x * pi", "%0 = multiply(x, 3.1415927:f32); %0: f32"),
        ("d + e", "%0 = add(d, 2.718281828459045:f64); %0: f64"),
        // The operators of Python.
        ("i // 2 % i", "%0 = floor_divide(i, 2:i32); %1 = remainder(%0, i); %1: i32"),
        ("-x ** 2", "%0 = square(x); %1 = negative(%0); %1: f32"),
        ("x ** -1 + x ** 3", "%0 = reciprocal(x); %1 = pow_constant(x, 3:f32); %2 = add(%0, %1); %2: f32"),
        ("i ** 2 + i ** 3", "%0 = square(i); %1 = pow(i, 3:i32); %2 = add(%0, %1); %2: i32"),
        ("pow(x, 2, broadcast=unidirectional)", "%0 = pow(x, 2:f32) [unidirectional]; %0: f32"),
        ("i << 2 | i >> 1", "%0 = shift_left(i, 2:i32); %1 = shift_right(i, 1:i32); %2 = bitwise_or(%0, %1); %2: i32"),
        ("bitwise_count(s)", "%0 = abs(s); %1 = popcount(%0); %2 = cast(%1); %2: u8"),
        // A literal takes its dtype through operators that have only literals.
        ("i + where(c, 1, 0)", "%0 = where(c, 1:i32, 0:i32); %1 = add(i, %0); %1: i32"),
        ("d * sqrt(2)", "%0 = sqrt(2:f64); %1 = multiply(d, %0); %1: f64"),
        ("maximum(1, 2) + u", "%0 = maximum(1:u8, 2:u8); %1 = add(%0, u); %1: u8"),
        (
            "where(c, broadcast_to(1, [2]), d)",
            "%0 = broadcast_to(1:f64) [bidirectional to [2]]; %1 = where(c, %0, d); %1: f64",
        ),
        // A literal takes the dtype of the nearest operator that has one.
        ("x * (1 - 2 * y)", "%0 = multiply(2:f32, y); %1 = subtract(1:f32, %0); %2 = multiply(x, %1); %2: f32"),
        ("cast(x > 0, u8) * 3", "%0 = greater(x, 0:f32); %1 = cast(%0); %2 = multiply(%1, 3:u8); %2: u8"),
        ("cast(u + 1, f32) + 1.5", "%0 = add(u, 1:u8); %1 = cast(%0); %2 = add(%1, 1.5:f32); %2: f32"),
        // Constant folding.
        ("i + 2 * 3 - 4", "%0 = add(i, 6:i32); %1 = subtract(%0, 4:i32); %1: i32"),
        ("q + (9223372036854775808 - 1)", "%0 = add(q, 9223372036854775807:i64); %0: i64"),
        ("d * (1 / 4)", "%0 = multiply(d, 0.25:f64); %0: f64"),
        ("d + (1e300 * 1e-300 + 1)", "%0 = add(d, 2:f64); %0: f64"),
        ("s * -(-1)", "%0 = multiply(s, 1:i8); %0: i8"),
        // Literals without a dtype are f32, except under a cast.
        ("1 + 2", "%0 = copy(3:f32); %0: f32"),
        ("where(c, 1, 0)", "%0 = where(c, 1:f32, 0:f32); %0: f32"),
        ("cast(where(c, 1, 0), i8)", "%0 = where(c, 1:i8, 0:i8); %0: i8"),
        ("cast(2, u8)", "%0 = copy(2:u8); %0: u8"),
        ("u + cast(7, u8)", "%0 = add(u, 7:u8); %0: u8"),
        ("1 < 2", "%0 = less(1:f32, 2:f32); %0: bool"),
        ("true", "%0 = copy(1:bool); %0: bool"),
        ("cast(true, f32)", "%0 = cast(1:bool); %0: f32"),
        ("cast(x, f32)", "%0 = copy(x); %0: f32"),
        // Broadcast modes.
        ("add(x, y, broadcast=pdpd, axis=1)", "%0 = add(x, y) [pdpd axis 1]; %0: f32"),
        ("add(x, y, broadcast=pdpd)", "%0 = add(x, y) [pdpd axis -1]; %0: f32"),
        (
            "less(x, y, broadcast=unidirectional) | c",
            "%0 = less(x, y) [unidirectional]; %1 = bitwise_or(%0, c); %1: bool",
        ),
        ("multiply(x, y, broadcast=none)", "%0 = multiply(x, y) [none]; %0: f32"),
        ("add(1, 2, broadcast=pdpd, axis=7)", "%0 = add(1:f32, 2:f32) [pdpd axis 7]; %0: f32"),
        ("broadcast_to(x, [2, 3])", "%0 = broadcast_to(x) [bidirectional to [2, 3]]; %0: f32"),
    ] {
        match try_lower(text) {
            Ok(program) => assert_eq!(show(&program), expected, "{text}"),
            Err(error) => panic!("{text}: {error}"),
        }
    }
}

#[test]
fn errors_name_what_is_wrong_and_its_place() {
    for (text, message, place) in [
        // Tokens.
        ("x + $", "unexpected character '$'", "$"),
        ("x + 1x", "\"1x\" is not a number, and a name starts with a letter", "1x"),
        ("x + 1e999", "the literal beyond 1.8e308 does not fit f32", "1e999"),
        ("x + 1e999 * 0", "the literal multiply(beyond 1.8e308, 0) does not fit f64", "1e999 * 0"),
        ("x && y", "`&&` is not an operator here: write `&` or logical_and(x, y)", "&&"),
        ("x and y", "`and` is not an operator here: write `&` or logical_and(x, y)", "and"),
        ("!c", "`!` is not an operator here: write `~x` or logical_not(x)", "!"),
        ("x = y", "expected `;` and an expression after the assignment; equality is `==`", "="),
        // Structure.
        ("", "unexpected end: expected an operand", ""),
        ("x +", "unexpected end: expected an operand", ""),
        ("x + * y", "expected an operand, found `*`", "*"),
        ("x y", "expected an operator or the end, found `y`", "y"),
        ("(x + y", "this `(` is never closed", "("),
        ("sqrt(x", "this `(` is never closed", "("),
        ("(x, y)", "expected an operator or `)`, found `,`", ","),
        ("sqrt(x y)", "expected `,` or `)`, found `y`", "y"),
        ("x + y)", "expected an operator or the end, found `)`", ")"),
        ("x < y < 2", "comparisons do not chain: write logical_and(x < y, y < 2)", "<"),
        ("x == y + 1 != 2 * x", "comparisons do not chain: write logical_and(x == y + 1, y + 1 != 2 * x)", "!="),
        // Calls.
        ("x + sqr(y)", "unknown function `sqr`; did you mean `sqrt`?", "sqr"),
        ("max(x, y)", "unknown function `max`; did you mean `maximum`?", "max"),
        ("frobnicate(x)", "unknown function `frobnicate`", "frobnicate"),
        ("y + clamp(x, 0)", "clamp takes 3 operands, 2 given", "clamp(x, 0)"),
        ("sqrt(x, y + 1, 2)", "sqrt takes 1 operand, 3 given", "y + 1, 2"),
        ("sqrt()", "sqrt takes 1 operand, 0 given", "sqrt()"),
        ("cast(x)", "cast takes an operand and a dtype, as in cast(x, f32)", "cast(x)"),
        ("cast(x, f31)", "unknown dtype `f31`; did you mean `f32`?", "f31"),
        ("cast(x, 3)", "expected a dtype such as f32, found `3`", "3"),
        ("cast(x, 'f31')", "unknown dtype `f31`; did you mean `f32`?", "f31"),
        ("cast(x, 'f32)", "this quote is never closed", "'"),
        ("x + 'y'", "expected an operand, found `'y'`", "'y'"),
        ("cast(x, u8, u8)", "cast takes 1 operand, 2 given", "u8"),
        (
            "broadcast_to(x)",
            "broadcast_to takes an operand and a shape, as in broadcast_to(x, [2, 3])",
            "broadcast_to(x)",
        ),
        ("broadcast_to(x, 2)", "expected a shape such as [2, 3], found `2`", "2"),
        ("broadcast_to(x, [2, y])", "expected an axis size or `]`, found `y`", "y"),
        ("broadcast_to(x, [2, 3", "this `[` is never closed", "["),
        ("add(x, y, broadcast=onnx)", "expected one of none, numpy, unidirectional, pdpd, found `onnx`", "onnx"),
        ("add(x, y, axis=1)", "`axis=` belongs to broadcast=pdpd", "1"),
        ("add(x, y, mode=none)", "unknown argument `mode=`; expected `x=`, `y=`, `broadcast=` or `axis=`", "mode"),
        ("add(x, y, broadcast=none, broadcast=none)", "`broadcast=` is given twice", "broadcast"),
        ("add(x, y, broadcast=pdpd, axis=y)", "expected an integer, found `y`", "y"),
        ("add(x, y, x=1)", "`x=` is given twice", "x"),
        ("clamp(x, hi=1, hi=2)", "`hi=` is given twice", "hi"),
        ("clamp(x, hi=1, x=2)", "`x=` is given twice", "x"),
        (
            "maximum(x)",
            "maximum takes 2 or more operands, 1 given: it compares its operands element by element and does not reduce an array",
            "maximum(x)",
        ),
        (
            "x + sum(y)",
            "sum takes 2 or more operands, 1 given: it adds its operands element by element and does not reduce an array",
            "sum(y)",
        ),
        ("x; y", "expected one expression, found `;`", ";"),
        ("leaky_relu(x, 1, 2)", "leaky_relu takes 1 or 2 operands, 3 given", "2"),
        ("hard_sigmoid(alpha=1)", "hard_sigmoid needs its operand `x`", "hard_sigmoid(alpha=1)"),
        ("clamp(x, hi=1)", "clamp takes 3 operands, 2 given", "clamp(x, hi=1)"),
        (
            "bitcast(x, f64)",
            "cannot bitcast f32 to f64; bitcast takes bool int float opaque of the same size",
            "bitcast(x, f64)",
        ),
        ("ldexp(x, y)", "ldexp(f32, f32): operand 1: expected i32 or i64", "y"),
        (
            "quantize_linear(x, 0.5, w)",
            "quantize_linear(f32, f32, u64): operand 2: expected i8, u8, i16, u16 or i32",
            "w",
        ),
        ("sqrt(x, broadcast=pdpd)", "broadcast=pdpd belongs to operators of two operands; this sqrt has 1", "pdpd"),
        ("broadcast_to(x, [2], broadcast=numpy)", "broadcast_to to [2] has no other broadcast mode", "numpy"),
        // Dtypes and literals, found when the expression is typed.
        ("x + z", "unknown input `z`; the inputs are x, y, h, bf, d, i, u, s, q, w, c, o", "z"),
        (
            "sqrt(x) * (u + 1)",
            "multiply(f32, u8): operand 1: operands must have one dtype (cast one of them); multiply takes int float",
            "u + 1",
        ),
        ("x + sqrt(i)", "sqrt(i32): operand 0: not a dtype of this operator; sqrt takes float", "i"),
        ("i + sqrt(2)", "sqrt(i32): operand 0: not a dtype of this operator; sqrt takes float", "2"),
        ("where(x, 1, 2)", "where(f32, f32, f32): operand 0: the condition must be bool", "x"),
        ("u + 300", "the literal 300 does not fit u8", "300"),
        ("u + -1", "the literal -1 does not fit u8", "-1"),
        ("u * (20 * 20)", "the literal 400 does not fit u8", "20 * 20"),
        ("i * 0.5", "the literal 0.5 does not fit i32", "0.5"),
        ("i + 2.0", "the literal 2.0 does not fit i32", "2.0"),
        ("h + 65520", "the literal 65520 does not fit f16", "65520"),
        ("x + 1e39", "the literal 1e39 does not fit f32", "1e39"),
        ("c & 1", "the literal 1 does not fit bool", "1"),
        ("where(1, x, y)", "the literal 1 does not fit bool", "1"),
        ("cast(300, u8)", "the literal 300 does not fit u8", "300"),
        ("true + 1", "add(bool, bool): operand 0: not a dtype of this operator; add takes int float", "true"),
        ("d + 1e300 * 1e300 * 0", "the literal multiply(1e300, 1e300) does not fit f64", "1e300 * 1e300"),
    ] {
        let Err(Error::Parse { message: given, text: whole, at, .. }) = try_lower(text) else {
            panic!("{text}: no Parse error")
        };
        assert_eq!(given, message, "{text}");
        assert_eq!(&whole[at.clone()], place, "{text}");
        assert_eq!(whole, text);
        assert_eq!(text.rfind(place), Some(at.start), "{text}: {at:?}");
        assert_eq!(caret(text, &at).lines().count(), 2);
    }
}

#[test]
fn carets_mark_what_is_wrong() {
    for (text, picture) in [
        ("x + sqr(y)", "x + sqr(y)\n    ^^^"),
        ("x +\n  größe", "  größe\n  ^^^^^"),
        ("x * (y +   ", "x * (y +   \n        ^"),
        ("(x * y", "(x * y\n^"),
        ("x < y < 1", "x < y < 1\n      ^"),
        ("x + y)", "x + y)\n     ^"),
    ] {
        let Err(Error::Parse { at, .. }) = try_lower(text) else { panic!("{text}: no Parse error") };
        assert_eq!(caret(text, &at), picture);
    }
}

#[test]
fn every_operator_can_be_called_by_name_and_by_apply() {
    for &op in Op::ALL {
        let takes = |dtype: &DType| op.info().takes(*dtype) && (op != Op::CastSaturating || *dtype != DType::U8);
        let dtypes: Vec<DType> = INPUTS.iter().map(|input| input.1).filter(takes).collect();
        assert!(!dtypes.is_empty(), "{op}");
        for dtype in dtypes {
            let name = INPUTS.iter().find(|input| input.1 == dtype).unwrap().0;
            let signature = op.signature();
            let other = if matches!(op, Op::Where | Op::IsClose) { "c" } else { "i" };
            let mut args: Vec<&str> = (0..op.arity()).map(|i| if signature.is_t(i) { name } else { other }).collect();
            match op {
                Op::Bitcast => args.push(dtype.name()),
                _ if signature == Signature::Convert => args.push("u8"),
                Op::BroadcastTo => args.push("[2]"),
                _ => {
                    let operands: Vec<Expr> = args.iter().map(|name| Expr::input(name)).collect();
                    let applied = Expr::apply(op, &operands).unwrap();
                    let parsed = try_lower(&format!("{op}({})", args.join(", "))).unwrap();
                    assert_eq!(lower(&[&applied], INPUTS).unwrap(), parsed, "{op} {dtype}");
                    continue;
                }
            }
            try_lower(&format!("{op}({})", args.join(", "))).unwrap();
        }
    }
}

#[test]
fn rust_operators_and_text_give_the_same_expression() {
    let (x, y, c) = (&Expr::input("x"), &Expr::input("y"), &Expr::input("c"));
    for (built, text) in [
        ((x * x + y * y).sqrt(), "sqrt(x * x + y * y)"),
        (1.5 - x / 2, "1.5 - x / 2"),
        (x.less(y).where_(x, 0).clamp(0, 6), "clamp(where(x < y, x, 0), 0, 6)"),
        (!c & x.equal(1), "~c & (x == 1)"),
        (-x.cast(DType::F64), "-cast(x, f64)"),
        ((x + y).broadcast(Broadcast::Pdpd { axis: 1 }), "add(x, y, broadcast=pdpd, axis=1)"),
        (x.broadcast_to([2, 3]).fma(y, 1), "fma(broadcast_to(x, [2, 3]), y, 1)"),
    ] {
        let parsed = Expr::parse(text).unwrap();
        assert_eq!(parsed.names(), built.names(), "{text}");
        assert_eq!(format!("{parsed:?}"), format!("{built:?}"));
        assert_eq!(lower(&[&parsed], INPUTS).unwrap(), lower(&[&built], INPUTS).unwrap(), "{text}");
        // The output of `Debug` can be parsed.
        assert_eq!(format!("{:?}", Expr::parse(&format!("{built:?}")).unwrap()), format!("{built:?}"));
    }
}

#[test]
fn outputs_share_steps_and_inputs_keep_their_order() {
    let (x, y) = (&Expr::input("x"), &Expr::input("y"));
    let sum = x + y;
    let program =
        lower(&[&(&sum * 2), &sum.sqrt(), &Expr::parse("y + x").unwrap()], &[("y", DType::F32), ("x", DType::F32)]);
    let program = program.unwrap();
    assert_eq!(
        show(&program),
        "%0 = add(x, y); %1 = multiply(%0, 2:f32); %2 = sqrt(%0); %3 = add(y, x); %1: f32; %2: f32; %3: f32"
    );
    let names: Vec<&str> = program.inputs().iter().map(|input| &*input.name).collect();
    assert_eq!(names, ["y", "x"]);
    assert_eq!(Expr::parse("b + a * sqrt(b) + where(c, a, inf)").unwrap().names(), ["b", "a", "c"]);
}

#[test]
fn errors_of_expressions_without_text_keep_their_kind() {
    let error = lower(&[&(Expr::input("u") + 300)], INPUTS).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Literal);
    assert_eq!(error.to_string(), "the literal 300 does not fit u8");
    let error = lower(&[&(Expr::input("u") + Expr::input("x"))], INPUTS).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DType);
}

#[test]
fn a_mask_hides_divisions_by_zero() {
    let expr = Expr::parse("a // b + 1").unwrap().masked(&Expr::input("m"), &Expr::input("out"), 1);
    let names = [("a", DType::I32), ("b", DType::I32), ("m", DType::Bool), ("out", DType::I32)];
    let program = eltwise::Program::new(&[&expr], &names).unwrap();
    let (a, b) = (Array::from_slice(&[7i32, 8, 9], [3]).unwrap(), Array::from_slice(&[0i32, 2, 3], [3]).unwrap());
    let (m, old) =
        (Array::from_slice(&[false, true, false], [3]).unwrap(), Array::from_slice(&[-1i32; 3], [3]).unwrap());
    let plan = program.bind(&[a.layout(), b.layout(), m.layout(), old.layout()]).unwrap();
    let mut out = Array::with_layout(plan.output_layouts()[0].clone()).unwrap();
    let inputs = [a.view(), b.view(), m.view(), old.view()];
    let status = plan.run(&inputs, &mut [out.view_mut()]).unwrap();
    assert_eq!(out.as_slice::<i32>().unwrap(), [-1, 5, -1]);
    assert!(!status.zero_division());
}
