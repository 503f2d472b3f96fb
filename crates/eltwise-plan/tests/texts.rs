//! What the planner says: errors, exactly, and plans in words.

#[path = "common/golden.rs"]
pub mod golden;

use std::fmt::Write;

use eltwise_plan::explain::Explain;
use eltwise_plan::stages::Stored;
use eltwise_plan::{
    Binding, Broadcast, Constant, Custom, DType, Error, ErrorKind, Hoist, Layout, Machine, Op, Program, ProgramBuilder,
    Schedule, Shape, Staging, Strides, ValueId,
};

#[test]
fn errors_say_what_was_given_and_what_expected() {
    let (shape, strides) = (Shape::from([2, 3]), Strides::from([4, 8]));
    let what = || String::from("output 0");
    let mut same = 0;
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
            "strides [4, 8] of shape [2, 3] lead further than the address space",
        ),
        (
            Error::TooLarge { shape, element_bytes: 4 },
            ErrorKind::TooLarge,
            "shape [2, 3] with elements of 4 bytes is larger than the address space, or than the memory there is",
        ),
        (Error::Bounds { what: what(), needed: 24, given: 20 }, ErrorKind::Bounds, "output 0 needs 24, 20 given"),
        (
            Error::Alias { output: what(), operand: "input x".into() },
            ErrorKind::Alias,
            "output 0 overlaps input x without being the same memory with the same layout",
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
            "unknown accuracy \"best\"; expected fast or exact",
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
        same += 1;
    }
    assert_eq!(same, 28);
}

fn layout(dtype: DType, shape: &[usize]) -> Layout {
    Layout::contiguous(dtype, shape).unwrap()
}

#[test]
fn refusals_name_what_is_wrong() {
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
    let shares =
        "output 0 with shape [2, 3] and strides [0, 4] (bytes) has elements that share memory: it cannot be written";
    assert_eq!(bind(&[&a, &a], Some(&[&out])), shares);

    let mut b = ProgramBuilder::new();
    let (x, y, c) = (b.input("x", DType::F32), b.input("y", DType::F32), b.input("c", DType::I32));
    let stranger = {
        let mut other = ProgramBuilder::new();
        (0..9).map(|i| other.input(&format!("{i}"), DType::F32)).last().unwrap()
    };
    assert_eq!(b.dtype(stranger), None);
    let foreign = "value 8 is not of this program";
    assert_eq!(text(b.step(Op::Add, &[x, stranger], None, Broadcast::Numpy).unwrap_err()), foreign);
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
    assert_eq!(custom(2, &[x, stranger], Broadcast::Numpy, &mut b).unwrap_err(), foreign);
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
    other.output(stranger);
    assert_eq!(text(other.finish().unwrap_err()), foreign);

    // Outputs of two shapes are bound in stages.
    let mut b = ProgramBuilder::new();
    let (x, y) = (b.input("x", DType::F32), b.input("y", DType::F32));
    for v in [x, y] {
        let root = b.step(Op::Sqrt, &[v], None, Broadcast::Numpy).unwrap();
        b.output(root);
    }
    let error = Binding::new(&b.finish().unwrap(), &[&a, &short], None, false).unwrap_err();
    assert_eq!(text(error), "outputs of different shapes, [2, 3] and [3]: bind in stages");
}

/// Plans in words, of programs as they come: the whole, and its stages.
struct Words(String);

impl Words {
    fn plan(&mut self, program: &Program, inputs: &[Layout], output: Option<&Layout>, hoist: Hoist, machine: &Machine) {
        let layouts: Vec<&Layout> = inputs.iter().collect();
        let mut staging = Staging::new(program, &layouts, hoist).unwrap();
        let mut schedules = Vec::new();
        for stage in 0..staging.stages() {
            let mut binding = Binding::default();
            let given = output.map(|o| [o]);
            staging.bind(stage, &mut binding, program, &layouts, given.as_ref().map(|g| &g[..]), false).unwrap();
            binding.fuse();
            schedules.push(Schedule::new(binding, machine));
        }
        let (stored, _): (Vec<Stored>, usize) = staging.places(program).unwrap();
        let schedule = schedules.pop().unwrap();
        let before: Vec<&Schedule> = schedules.iter().collect();
        let explain = Explain {
            program,
            schedule: &schedule,
            machine,
            isa: "isa",
            inputs,
            width: 3,
            before: &before,
            stored: &stored,
        };
        writeln!(self.0, "{explain}\n").unwrap();
    }
}

fn steps(build: impl Fn(&mut ProgramBuilder)) -> Program {
    let mut b = ProgramBuilder::new();
    build(&mut b);
    b.finish().unwrap()
}

#[test]
fn plans_are_explained_as_kept() {
    let mut words = Words(String::new());
    let machine = Machine { vector_bytes: 64, l2: 1 << 20, ..Machine::default() };
    let arranges = Machine { arranges: true, ..machine };
    let f = |shape: &[usize]| layout(DType::F32, shape);
    let single = |op: Op, dtypes: &[DType], target: Option<DType>, mode: Broadcast| {
        Program::single(op, dtypes, target, mode).unwrap()
    };
    let two = [DType::F32; 2];
    // Symbols between shapes, modes, sizes, chunks.
    for op in [Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Maximum, Op::Less] {
        words.plan(&single(op, &two, None, Broadcast::Numpy), &[f(&[1000]), f(&[1000])], None, Hoist::Gain, &machine);
    }
    for (mode, shapes) in [
        (Broadcast::None, [&[4usize, 5][..], &[4, 5]]),
        (Broadcast::Unidirectional, [&[4, 5], &[5]]),
        (Broadcast::Pdpd { axis: 0 }, [&[4, 5], &[4]]),
        (Broadcast::Numpy, [&[4, 0], &[4, 1]]),
        (Broadcast::Numpy, [&[], &[]]),
        (Broadcast::Numpy, [&[1000], &[]]),
        (Broadcast::Numpy, [&[8, 64, 56, 56], &[64, 1, 1]]),
        (Broadcast::Numpy, [&[100_000, 3], &[3]]),
        (Broadcast::Numpy, [&[6000, 17], &[6000, 1]]),
        (Broadcast::Numpy, [&[3000, 1], &[1, 2000]]),
    ] {
        let program = single(Op::Add, &two, None, mode);
        words.plan(&program, &shapes.map(f), None, Hoist::Gain, &machine);
        words.plan(&program, &shapes.map(f), None, Hoist::Gain, &arranges);
    }
    let turned = |rows: usize, cols: usize| Layout::strided(DType::F32, [rows, cols], [4, 4 * rows as isize]).unwrap();
    words.plan(
        &single(Op::Add, &two, None, Broadcast::Numpy),
        &[turned(2048, 2048), f(&[2048, 2048])],
        None,
        Hoist::Gain,
        &machine,
    );
    // One operand: casts, moves, targets; given outputs.
    words.plan(
        &single(Op::Cast, &[DType::U8], Some(DType::F32), Broadcast::Numpy),
        &[layout(DType::U8, &[100])],
        None,
        Hoist::Gain,
        &machine,
    );
    let target = Broadcast::Bidirectional { target: [50, 300].into() };
    let gaps = Layout::strided(DType::F32, [50, 300], [2400, 8]).unwrap();
    let copy = single(Op::Copy, &[DType::F32], None, Broadcast::Numpy);
    words.plan(
        &single(Op::BroadcastTo, &[DType::F32], None, target),
        &[f(&[50, 1])],
        Some(&gaps),
        Hoist::Gain,
        &machine,
    );
    for (input, output) in [
        (f(&[50, 300]), &gaps),
        (gaps.clone(), &f(&[50, 300])),
        (turned(50, 300), &f(&[50, 300])),
        (turned(50, 300), &gaps),
    ] {
        words.plan(&copy, &[input], Some(output), Hoist::Gain, &machine);
    }
    words.plan(
        &single(Op::Negative, &[DType::F32], None, Broadcast::Numpy),
        &[f(&[1000])],
        Some(&Layout::strided(DType::F32, [1000], [8]).unwrap()),
        Hoist::Gain,
        &machine,
    );
    // Several steps; constants of every class; several outputs, one twice; a value of the caller's.
    let program = steps(|b| {
        let (x, k) = (b.input("x", DType::F32), b.input("k", DType::I8));
        let constants = [
            (DType::F32, u128::from(1.5f32.to_bits())),
            (DType::F64, u128::from((-0.25f64).to_bits())),
            (DType::I8, 0xFE),
            (DType::I64, u128::from(u64::MAX - 1)),
            (DType::U16, 65_535),
            (DType::Bool, 1),
            (DType::Bool, 0),
            (DType::BF16, 0x3F80),
        ];
        for (dtype, bits) in constants {
            let c = b.constant(Constant { dtype, bits });
            let v = if dtype == DType::I8 {
                k
            } else if dtype == DType::F32 {
                x
            } else {
                b.step(Op::Cast, &[k], Some(dtype), Broadcast::Numpy).unwrap()
            };
            let out = b.step(Op::Equal, &[v, c], None, Broadcast::Numpy).unwrap();
            b.output(out);
        }
        let custom = Custom { id: 1, name: "mine", arity: 1, from: DType::F32, to: DType::F64 };
        let mine = b.custom(custom, &[x], Broadcast::Numpy).unwrap();
        b.output(mine);
        b.output(mine);
    });
    words.plan(&program, &[f(&[30, 7]), layout(DType::I8, &[7])], None, Hoist::Never, &machine);
    let fused = steps(|b| {
        let (x, s, y) = (b.input("x", DType::U8), b.input("s", DType::F32), b.input("y", DType::F32));
        let x = b.step(Op::Cast, &[x], Some(DType::F32), Broadcast::Numpy).unwrap();
        let product = b.step(Op::Multiply, &[x, s], None, Broadcast::Numpy).unwrap();
        let sum = b.step(Op::Add, &[product, y], None, Broadcast::Numpy).unwrap();
        b.output(sum);
        let exp = b.step(Op::Exp, &[sum], None, Broadcast::Numpy).unwrap();
        let half = b.step(Op::Divide, &[exp, sum], None, Broadcast::Numpy).unwrap();
        let half = b.step(Op::Cast, &[half], Some(DType::F64), Broadcast::Numpy).unwrap();
        b.output(half);
    });
    words.plan(&fused, &[layout(DType::U8, &[40, 90]), f(&[40, 1]), f(&[90])], None, Hoist::Gain, &machine);
    // A pair that is one step; one step that is two outputs.
    let pair = steps(|b| {
        let [x, y, z] = ["x", "y", "z"].map(|name| b.input(name, DType::F32));
        let product = b.step(Op::Multiply, &[x, y], None, Broadcast::Numpy).unwrap();
        let sum = b.step(Op::Add, &[product, z], None, Broadcast::Numpy).unwrap();
        b.output(sum);
    });
    words.plan(&pair, &[f(&[90]), f(&[90]), f(&[90])], None, Hoist::Gain, &machine);
    let twice = steps(|b| {
        let x = b.input("x", DType::F32);
        let root = b.step(Op::Sqrt, &[x], None, Broadcast::Numpy).unwrap();
        b.output(root);
        b.output(root);
    });
    words.plan(&twice, &[f(&[90])], None, Hoist::Gain, &machine);
    // Two modes are not named.
    let modes = steps(|b| {
        let (x, y) = (b.input("x", DType::F32), b.input("y", DType::F32));
        let sum = b.step(Op::Add, &[x, y], None, Broadcast::Unidirectional).unwrap();
        let out = b.step(Op::Divide, &[sum, y], None, Broadcast::Numpy).unwrap();
        b.output(out);
    });
    words.plan(&modes, &[f(&[40, 90]), f(&[90])], None, Hoist::Gain, &machine);
    // Stages: scratch between them, and outputs of two shapes.
    for hoist in [Hoist::Always, Hoist::Never] {
        let staged = steps(|b| {
            let (x, v, t) = (b.input("x", DType::F32), b.input("v", DType::F32), b.input("t", DType::F32));
            let scalar = b.step(Op::Exp, &[t], None, Broadcast::Numpy).unwrap();
            let sum = b.step(Op::Add, &[v, scalar], None, Broadcast::Numpy).unwrap();
            let root = b.step(Op::Sqrt, &[sum], None, Broadcast::Numpy).unwrap();
            let product = b.step(Op::Multiply, &[x, root], None, Broadcast::Numpy).unwrap();
            b.output(product);
        });
        words.plan(&staged, &[f(&[300, 500]), f(&[500]), f(&[1])], None, hoist, &machine);
    }
    let shapes = steps(|b| {
        let (x, v) = (b.input("x", DType::F32), b.input("v", DType::F32));
        let root = b.step(Op::Sqrt, &[v], None, Broadcast::Numpy).unwrap();
        let product = b.step(Op::Multiply, &[x, root], None, Broadcast::Numpy).unwrap();
        b.output(root);
        b.output(product);
    });
    words.plan(&shapes, &[f(&[300, 500]), f(&[500])], None, Hoist::Gain, &machine);
    golden::compare("explained", &words.0);
}
