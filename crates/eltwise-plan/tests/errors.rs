//! The errors of the vocabulary and the planner, word by word.

use eltwise_core::{Broadcast, DType, Error, ErrorKind, Layout, Op, Shape, Strides};
use eltwise_plan::{Binding, Custom, Program, ProgramBuilder, ValueId};

#[test]
fn every_error_has_its_kind_and_text() {
    let (shape, strides) = (Shape::from([2, 3]), Strides::from([4, 8]));
    let what = || String::from("output 0");
    let mut count = 0;
    let literal = Error::Literal { given: "300".into(), dtype: DType::U8 };
    let parse = |cause: Option<Error>| Error::Parse {
        message: "expected `)`".into(),
        text: "(a".into(),
        at: 2..2,
        cause: cause.map(Box::new),
    };
    for (error, kind, text) in [
        (
            Error::Operand {
                op: Op::Sqrt,
                operands: vec![DType::I32],
                operand: 0,
                why: "not a dtype of this operator",
            },
            ErrorKind::DType,
            "sqrt(i32): operand 0: not a dtype of this operator; sqrt takes float",
        ),
        (
            Error::Operand {
                op: Op::Where,
                operands: vec![DType::U8, DType::F32],
                operand: 0,
                why: "the condition must be bool",
            },
            ErrorKind::DType,
            "where(u8, f32): operand 0: the condition must be bool",
        ),
        (
            Error::Target { op: Op::Cast, from: DType::U8, given: DType::Opaque1 },
            ErrorKind::DType,
            "cannot cast u8 to opaque1; cast takes bool int float",
        ),
        (
            Error::Target { op: Op::Bitcast, from: DType::U8, given: DType::I16 },
            ErrorKind::DType,
            "cannot bitcast u8 to i16; bitcast takes bool int float opaque of the same size",
        ),
        (Error::Arity { op: Op::Add, given: 3 }, ErrorKind::Arity, "add takes 2 operands, 3 given"),
        (Error::Count { what: "inputs", given: 1, expected: 2 }, ErrorKind::Arity, "expected 2 inputs, 1 given"),
        (
            Error::DType { what: what(), given: DType::F32, expected: DType::F64 },
            ErrorKind::DType,
            "output 0 is f32, expected f64",
        ),
        (
            Error::Shape { what: what(), given: shape.clone(), expected: Shape::scalar() },
            ErrorKind::Layout,
            "output 0 has shape [2, 3], expected []",
        ),
        (
            Error::Strides { what: what(), given: strides.clone(), expected: Strides::from([12, 4]) },
            ErrorKind::Layout,
            "output 0 has strides [4, 8] (bytes), expected [12, 4]",
        ),
        (Error::Layout { message: "no axis 2".into() }, ErrorKind::Layout, "no axis 2"),
        (
            Error::StrideRank { shape: shape.clone(), strides: Strides::from([4]) },
            ErrorKind::Layout,
            "shape [2, 3] has rank 2, strides [4] have 1",
        ),
        (
            Error::OverlappingOutput { what: what(), shape: shape.clone(), strides: strides.clone() },
            ErrorKind::Layout,
            "output 0 with shape [2, 3] and strides [4, 8] (bytes) has elements that share memory: it cannot be written",
        ),
        (
            Error::TooFar { shape: shape.clone(), strides },
            ErrorKind::TooLarge,
            "strides [4, 8] of shape [2, 3] have offsets outside the address space",
        ),
        (
            Error::TooLarge { shape, element_bytes: 4 },
            ErrorKind::TooLarge,
            "shape [2, 3] with elements of 4 bytes does not fit in memory: it is larger than the address space or the available memory",
        ),
        (Error::Bounds { what: what(), needed: 24, given: 20 }, ErrorKind::Bounds, "output 0 needs 24, 20 given"),
        (
            Error::Alias { output: what(), operand: "input x".into() },
            ErrorKind::Alias,
            "output 0 overlaps input x: an output may share memory only with an input that has the same address and strides, \
             and that the plan does not read after it has written the output",
        ),
        (
            Error::Unsupported { op: Op::Add, dtype: DType::F64, why: "the feature f64" },
            ErrorKind::Unsupported,
            "add of f64 is not in this build, which lacks the feature f64",
        ),
        (Error::Limit { what: "live values", given: 9, most: 8 }, ErrorKind::TooLarge, "live values: 9, at most 8"),
        (parse(None), ErrorKind::Parse, "expected `)`"),
        (parse(Some(literal.clone())), ErrorKind::Literal, "expected `)`"),
        (literal, ErrorKind::Literal, "the literal 300 does not fit u8"),
        (Error::Expression { message: "no dtype".into() }, ErrorKind::Parse, "no dtype"),
        (
            Error::UnknownDType { given: "f31".into() },
            ErrorKind::DType,
            "unknown dtype \"f31\"; expected one of bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 opaque1 opaque2 \
             opaque4 opaque8 opaque16",
        ),
        (Error::UnknownOperator { given: "ad".into() }, ErrorKind::Parse, "unknown operator or function \"ad\""),
        (
            Error::UnknownAccuracy { given: "best".into() },
            ErrorKind::Parse,
            "unknown accuracy \"best\"; expected fast or correct",
        ),
        (
            Error::Data { condition: "integer division by zero" },
            ErrorKind::Data,
            "integer division by zero (the output was written)",
        ),
        (
            Error::Check { difference: "element 5".into(), plan: "direct".into() },
            ErrorKind::Check,
            "check mode: element 5\ndirect",
        ),
        (Error::Cancelled, ErrorKind::Cancelled, "the run was cancelled (the output was written in part)"),
    ] {
        assert_eq!((error.kind(), error.to_string()), (kind, text.into()));
        count += 1;
    }
    assert_eq!(count, 28);
}

fn layout(dtype: DType, shape: &[usize]) -> Layout {
    Layout::contiguous(dtype, shape).unwrap()
}

#[test]
fn errors_of_bindings_and_builders_name_what_is_wrong() {
    let f32s = |count: usize| vec![DType::F32; count];
    let text = |e: Error| e.to_string();
    let add = Program::single(Op::Add, &f32s(2), None, Broadcast::Numpy).unwrap();
    let (a, b) = (layout(DType::F32, &[2, 3]), layout(DType::I32, &[2, 3]));
    let out = Layout::strided(DType::F32, [2, 3], [0, 4]).unwrap();
    let bind =
        |inputs: &[&Layout], outputs: Option<&[&Layout]>| text(Binding::new(&add, inputs, outputs, false).unwrap_err());
    assert_eq!(bind(&[&a], None), "expected 2 inputs, 1 given");
    assert_eq!(bind(&[&a, &b], None), "input b is i32, expected f32");
    assert_eq!(bind(&[&a, &a], Some(&[])), "expected 1 outputs, 0 given");
    assert_eq!(bind(&[&a, &a], Some(&[&b])), "output 0 is i32, expected f32");
    let short = layout(DType::F32, &[3]);
    assert_eq!(bind(&[&a, &a], Some(&[&short])), "output 0 has shape [3], expected [2, 3]");
    let overlapping =
        "output 0 with shape [2, 3] and strides [0, 4] (bytes) has elements that share memory: it cannot be written";
    assert_eq!(bind(&[&a, &a], Some(&[&out])), overlapping);

    let mut b = ProgramBuilder::new();
    let (x, y, c) = (b.input("x", DType::F32), b.input("y", DType::F32), b.input("c", DType::I32));
    let foreign = {
        let mut other = ProgramBuilder::new();
        (0..9).map(|i| other.input(&format!("{i}"), DType::F32)).last().unwrap()
    };
    assert_eq!(b.dtype(foreign), None);
    let not_of_program = "value 8 is not of this program";
    assert_eq!(text(b.step(Op::Add, &[x, foreign], None, Broadcast::Numpy).unwrap_err()), not_of_program);
    let mode = |op: Op, args: &[ValueId], mode: Broadcast, b: &mut ProgramBuilder| {
        text(b.step(op, args, None, mode).unwrap_err())
    };
    let pdpd = || Broadcast::Pdpd { axis: 0 };
    let wide = || Broadcast::Bidirectional { target: [2].into() };
    assert_eq!(mode(Op::Negative, &[x], pdpd(), &mut b), "negative does not take the broadcast mode pdpd axis 0");
    assert_eq!(
        mode(Op::Fma, &[x, x, x], Broadcast::Unidirectional, &mut b),
        "fma does not take the broadcast mode unidirectional"
    );
    assert_eq!(mode(Op::Add, &[x, y], wide(), &mut b), "add does not take the broadcast mode bidirectional to [2]");
    assert_eq!(
        mode(Op::BroadcastTo, &[x], Broadcast::None, &mut b),
        "broadcast_to does not take the broadcast mode none"
    );
    assert_eq!(
        mode(Op::BroadcastTo, &[x], Broadcast::Numpy, &mut b),
        "broadcast_to does not take the broadcast mode numpy"
    );
    assert!(b.step(Op::Add, &[x, y], None, pdpd()).is_ok() && b.step(Op::BroadcastTo, &[x], None, wide()).is_ok());

    let mine = |arity| Custom { id: 1, name: "mine", arity, from: DType::F32, to: DType::I8 };
    let custom = |arity: usize, args: &[ValueId], mode: Broadcast, b: &mut ProgramBuilder| {
        b.custom(mine(arity), args, mode).map_err(text)
    };
    assert_eq!(custom(2, &[x], Broadcast::Numpy, &mut b).unwrap_err(), "expected 2 operands, 1 given");
    assert_eq!(custom(2, &[x, c], Broadcast::Numpy, &mut b).unwrap_err(), "operand 1 of mine is i32, expected f32");
    assert_eq!(custom(2, &[x, foreign], Broadcast::Numpy, &mut b).unwrap_err(), not_of_program);
    for (arity, mode, fits) in [
        (1, Broadcast::Numpy, true),
        (2, Broadcast::None, true),
        (2, pdpd(), true),
        (2, Broadcast::Unidirectional, true),
        (1, pdpd(), false),
        (3, Broadcast::Unidirectional, false),
        (1, wide(), false),
        (2, wide(), false),
    ] {
        let message = format!("mine does not take the broadcast mode {mode}");
        let args = [x, y, y];
        assert_eq!(custom(arity, &args[..arity], mode, &mut b).map(|_| ()), if fits { Ok(()) } else { Err(message) });
    }
    let value = custom(2, &[x, y], Broadcast::Numpy, &mut b).unwrap();
    assert_eq!(b.dtype(value), Some(DType::I8));
    assert_eq!(text(ProgramBuilder::new().finish().unwrap_err()), "expected 1 outputs, 0 given");
    let mut other = ProgramBuilder::new();
    other.input("x", DType::F32);
    other.output(foreign);
    assert_eq!(text(other.finish().unwrap_err()), not_of_program);

    // Outputs of two shapes need stages.
    let mut b = ProgramBuilder::new();
    let (x, y) = (b.input("x", DType::F32), b.input("y", DType::F32));
    for v in [x, y] {
        let root = b.step(Op::Sqrt, &[v], None, Broadcast::Numpy).unwrap();
        b.output(root);
    }
    let error = Binding::new(&b.finish().unwrap(), &[&a, &short], None, false).unwrap_err();
    assert_eq!(text(error), "outputs of different shapes, [2, 3] and [3]: bind in stages");
}
