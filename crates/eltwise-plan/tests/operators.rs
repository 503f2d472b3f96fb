//! What is a table: operators, their dtypes, what they cost, and what those are made of that are made of others.

#[path = "common/golden.rs"]
pub mod golden;

use std::fmt::Write;

use eltwise_plan::cost::{Kind, TASK, step_ns};
use eltwise_plan::fuse::Fused;
use eltwise_plan::program::Node;
use eltwise_plan::{Accuracy, Broadcast, Constant, DType, Machine, Op, Program, Signature};

/// Operands of which those called T are of `t`.
fn operands(op: Op, t: DType) -> Vec<DType> {
    let other = if op.signature() == Signature::Select { DType::Bool } else { DType::I32 };
    (0..op.arity()).map(|k| if op.signature().is_t(k) { t } else { other }).collect()
}

/// Items that follow each other and are said to be alike, as one: `i8..u64 Plain`.
fn runs(items: impl Iterator<Item = (DType, String)>) -> String {
    let mut all: Vec<(DType, DType, String)> = Vec::new();
    for (dtype, says) in items {
        match all.last_mut() {
            Some((_, last, same)) if *same == says => *last = dtype,
            _ => all.push((dtype, dtype, says)),
        }
    }
    let run = |(first, last, says): &(DType, DType, String)| match first == last {
        true => format!("{first} {says}"),
        false => format!("{first}..{last} {says}"),
    };
    all.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// One row an operator: how many operands, their names and defaults, which dtypes it takes, and what it gives.
#[test]
fn typing_is_as_in_the_table() {
    let mut text = String::new();
    for &op in Op::ALL {
        let info = op.info();
        let results = DType::ALL.into_iter().map(|t| {
            let result = op.result(&operands(op, t), Some(t));
            (t, result.map_or("-".into(), |r| if r == t { "same".into() } else { r.to_string() }))
        });
        let names: Vec<String> = (0..info.operands.len())
            .map(|k| {
                let given = info.operands.len() - info.defaults.len();
                k.checked_sub(given)
                    .map_or(info.operands[k].into(), |d| format!("{}={}", info.operands[k], info.defaults[d]))
            })
            .collect();
        let math = match (info.has_math(), info.is_math(DType::F32), info.is_math(DType::I32)) {
            (true, true, false) => "math",
            (false, false, false) => "exact",
            other => panic!("{op}: {other:?}"),
        };
        let (name, names, conditions) = (op.name(), names.join(", "), info.conditions.join(" "));
        writeln!(text, "{name}({names}) {math} [{}] {conditions}", info.dtypes()).unwrap();
        writeln!(text, "    {}; {:?}; {:?}", op.operands_in_words(), op.counts(), op.counts_given()).unwrap();
        writeln!(text, "    {}", runs(results)).unwrap();
    }
    golden::compare("operators", &text);
}

/// The dtypes of operands and results that differ from T.
#[test]
fn second_dtypes_are_as_in_the_table() {
    let mut text = String::new();
    for &op in Op::ALL.iter().filter(|op| !op.signature().second_dtypes().is_empty()) {
        let t = DType::ALL.into_iter().find(|&d| op.info().takes(d)).unwrap();
        for second in DType::ALL {
            let mut operands = operands(op, t);
            let (target, all) = match op.signature() {
                Signature::Convert => (Some(second), 1),
                _ => (None, 2),
            };
            // One operand is of it, and then all that are not T.
            for count in 1..=all {
                let others: Vec<usize> = (0..operands.len()).filter(|&k| !op.signature().is_t(k)).collect();
                others.iter().take(count).for_each(|&k| operands[k] = second);
                let result = op.result(&operands, target).map_or_else(|e| e.to_string(), |r| r.to_string());
                writeln!(text, "{op} {operands:?} {target:?}: {result}").unwrap();
            }
        }
    }
    golden::compare("second_dtypes", &text);
}

/// What kind of step an operator is over each dtype, and a cast from each to each.
#[test]
fn kinds_are_as_in_the_table() {
    let mut text = String::new();
    for &op in Op::ALL {
        let takes = |&d: &DType| op.info().takes(d);
        let kinds = DType::ALL.into_iter().filter(takes).map(|d| (d, format!("{:?}", Kind::of(op, d, d))));
        writeln!(text, "{op}: {}", runs(kinds)).unwrap();
    }
    for from in DType::VALUES {
        let kinds = DType::VALUES.into_iter().map(|to| (to, format!("{:?}", Kind::of(Op::Cast, from, to))));
        writeln!(text, "cast from {from} to: {}", runs(kinds)).unwrap();
    }
    golden::compare("kinds", &text);
}

#[test]
fn a_step_costs_its_bytes_at_its_rate() {
    let machine = |vector_bytes, fuses| Machine { vector_bytes, fuses, ..Machine::default() };
    // The larger of two floats takes 170, 18 and 9 ns a KiB; narrow vectors that multiply and add in one take twice 18.
    let vectors = [(16, false, 170), (16, true, 36), (31, true, 36), (32, false, 18), (63, true, 18), (64, true, 9)];
    for (vector, fuses, rate) in vectors {
        let ns = step_ns(Op::Maximum, DType::F32, DType::F32, 1 << 18, &machine(vector, fuses));
        assert_eq!(ns, rate << 10, "{vector} {fuses}");
    }
    let wide = machine(64, true);
    // The wider of operand and result; 16-bit floats compute as f32, twice as many bytes, and 4 for reading and writing.
    for (op, from, to, ns) in [
        (Op::Add, DType::F32, DType::F32, 4 * 7),
        (Op::Add, DType::F64, DType::F64, 8 * 7),
        (Op::Less, DType::I8, DType::Bool, 7),
        (Op::Cast, DType::I8, DType::I64, 8 * 6),
        (Op::Cast, DType::I64, DType::I8, 8 * 6),
        (Op::Add, DType::F16, DType::F16, 2 * (2 * 7 + 4)),
        (Op::Add, DType::BF16, DType::BF16, 2 * (2 * 7 + 4)),
        (Op::Add, DType::I16, DType::I16, 2 * 7),
        (Op::Where, DType::F16, DType::F16, 2 * 7),
        (Op::Copy, DType::F16, DType::F16, 2 * 7),
        (Op::BroadcastTo, DType::BF16, DType::BF16, 2 * 7),
        (Op::Bitcast, DType::F16, DType::I16, 2 * 7),
        (Op::Cast, DType::F16, DType::F32, 4 * 6),
    ] {
        assert_eq!(step_ns(op, from, to, 1 << 20, &wide), ns << 10, "{op} of {from} to {to}");
    }
    assert_eq!(step_ns(Op::Add, DType::U8, DType::U8, 1023, &wide), 1023 * 7 / 1024);
    assert_eq!(TASK, 20_000);
}

/// What a value is, in words.
fn node(program: &Program, node: &Node) -> String {
    let names =
        |args: &[eltwise_plan::ValueId]| args.iter().map(|a| format!("v{}", a.index())).collect::<Vec<_>>().join(", ");
    match node {
        Node::Input(i) => program.inputs()[*i].name.clone().into_owned(),
        Node::Constant(Constant { dtype: DType::F32, bits }) => {
            format!("{:?} ({bits:#x})", f32::from_bits(*bits as u32))
        }
        Node::Constant(Constant { dtype: DType::F64, bits }) => format!("{:?}", f64::from_bits(*bits as u64)),
        Node::Constant(Constant { bits, .. }) => format!("{bits:#x}"),
        Node::Step { op, args, broadcast } => format!("{op}({}) {broadcast}", names(args)),
        other => format!("{other:?}"),
    }
}

/// The steps of every operator that is made of others, of each length that there is, over each dtype; and of sums.
#[test]
fn composites_are_made_of_the_steps_in_the_table() {
    let mut text = String::new();
    let mut show = |op: Op, dtypes: &[DType], target: Option<DType>, mode: Broadcast, accuracy: Accuracy| {
        let program = Program::single_at(op, dtypes, target, mode, accuracy);
        let to = target.map_or(String::new(), |t| format!(" to {t}"));
        write!(text, "{op}{dtypes:?}{to} {accuracy}:").unwrap();
        match program {
            Ok(program) => {
                let first = program.inputs().len();
                for (i, value) in program.values().iter().enumerate().skip(first) {
                    write!(text, " v{i} = {} {};", node(&program, &value.node), value.dtype).unwrap();
                }
                let only = program.only_step().map_or("-".into(), |(op, t)| format!("{op} of {t}"));
                writeln!(text, " {} steps, {only}", program.step_count()).unwrap();
            }
            Err(e) => writeln!(text, " {e}").unwrap(),
        }
    };
    let floats = [DType::F16, DType::BF16, DType::F32, DType::F64];
    for &op in Op::ALL.iter().filter(|op| op.info().has_math()) {
        show(op, &operands(op, DType::BF16), None, Broadcast::Numpy, Accuracy::Fast);
        show(op, &operands(op, DType::F32), None, Broadcast::Numpy, Accuracy::Exact);
    }
    for t in floats {
        for accuracy in Accuracy::ALL {
            show(Op::Atan2, &[t, t], None, Broadcast::None, accuracy);
        }
        for op in [Op::Sum, Op::Mean, Op::Maximum, Op::Minimum] {
            (1..5).for_each(|count| show(op, &vec![t; count], None, Broadcast::Numpy, Accuracy::Fast));
        }
        for n in [DType::I32, DType::I64] {
            show(Op::Ldexp, &[t, n], None, Broadcast::None, Accuracy::Fast);
        }
        show(Op::Mantissa, &[t], None, Broadcast::Numpy, Accuracy::Fast);
        show(Op::Exponent, &[t], None, Broadcast::Numpy, Accuracy::Fast);
        for q in [DType::I8, DType::U8, DType::I16, DType::U16, DType::I32] {
            show(Op::QuantizeLinear, &[t, t, q], None, Broadcast::None, Accuracy::Fast);
            show(Op::DequantizeLinear, &[q, t, q], None, Broadcast::None, Accuracy::Fast);
        }
    }
    show(Op::BitwiseCount, &[DType::I8], None, Broadcast::Numpy, Accuracy::Fast);
    show(Op::Sum, &[DType::I8; 3], None, Broadcast::Numpy, Accuracy::Exact);
    show(Op::Pow, &[DType::I8; 2], None, Broadcast::Numpy, Accuracy::Exact);
    for from in DType::VALUES {
        for to in DType::VALUES {
            show(Op::CastSaturating, &[from], Some(to), Broadcast::Numpy, Accuracy::Fast);
        }
    }
    golden::compare("composites", &text);
}

#[test]
fn an_operator_is_composite_by_name_or_by_dtype() {
    let by_name = |op: &Op| op.is_composite(DType::F32);
    let names: Vec<&str> = Op::ALL.iter().filter(|op| by_name(op)).map(|op| op.name()).collect();
    let all = "sum mean ldexp mantissa exponent bitwise_count cast_saturating quantize_linear dequantize_linear";
    assert_eq!(names.join(" "), all);
    for &op in Op::ALL {
        for t in DType::ALL {
            let narrow = matches!(t, DType::F16 | DType::BF16) && op.info().has_math();
            assert_eq!(op.is_composite(t), narrow || by_name(&op), "{op} of {t}");
        }
    }
}

/// Every superinstruction by name, and what its parts are.
#[test]
fn superinstructions_are_as_in_the_table() {
    let mut text = String::new();
    let mut all: Vec<Fused> = Vec::new();
    for fused in Fused::all() {
        let parts = (fused.load(), fused.first(), fused.last(), fused.store(), fused.dtype());
        writeln!(text, "{fused} {} {:?} {:?}", fused.dtype(), fused.load(), fused.store()).unwrap();
        let (load, first, last, store, dtype) = parts;
        let again = match store {
            Some(store) => Fused::stored(load, first, last, store, dtype),
            None => Fused::new(load, first, last, dtype),
        };
        assert_eq!(again, Some(fused));
        assert!(!all.contains(&fused), "{fused} twice");
        all.push(fused);
    }
    golden::compare("superinstructions", &text);
    // There are no others.
    let some = |dtypes: &[DType]| dtypes.iter().copied().map(Some).chain([None]).collect::<Vec<_>>();
    let first: Vec<Option<Op>> = Op::ALL.iter().copied().map(Some).chain([None]).collect();
    for &last in Op::ALL {
        for &first in &first {
            for dtype in [DType::F32, DType::F64, DType::I32] {
                for load in some(&[DType::U8, DType::F16, DType::BF16, DType::I32]) {
                    let new = Fused::new(load, first, last, dtype);
                    assert_eq!(new.is_some(), new.is_some_and(|new| all.contains(&new)));
                    for store in [DType::F16, DType::BF16, DType::I8] {
                        let new = Fused::stored(load, first, last, store, dtype);
                        assert_eq!(new.is_some(), new.is_some_and(|new| all.contains(&new)));
                    }
                }
            }
        }
    }
}

#[test]
fn names_are_written_and_read() {
    for (accuracy, name) in [(Accuracy::Fast, "fast"), (Accuracy::Exact, "exact")] {
        assert_eq!((accuracy.name(), name.parse::<Accuracy>()), (name, Ok(accuracy)));
        assert_eq!(format!("{accuracy:>6}"), format!("{name:>6}"));
    }
    let error = "best".parse::<Accuracy>().unwrap_err();
    assert_eq!(error.to_string(), "unknown accuracy \"best\"; expected fast or exact");
    let dtypes = [
        ("bool", 1, "bool", "bool"),
        ("i8", 1, "int8", "i8"),
        ("i16", 2, "int16", "i16"),
        ("i32", 4, "int32", "i32"),
        ("i64", 8, "int64", "i64"),
        ("u8", 1, "uint8", "u8"),
        ("u16", 2, "uint16", "u16"),
        ("u32", 4, "uint32", "u32"),
        ("u64", 8, "uint64", "u64"),
        ("f16", 2, "float16", "f32"),
        ("bf16", 2, "bfloat16", "f32"),
        ("f32", 4, "float32", "f32"),
        ("f64", 8, "float64", "f64"),
        ("opaque1", 1, "opaque1", "opaque1"),
        ("opaque2", 2, "opaque2", "opaque2"),
        ("opaque4", 4, "opaque4", "opaque4"),
        ("opaque8", 8, "opaque8", "opaque8"),
        ("opaque16", 16, "opaque16", "opaque16"),
    ];
    assert_eq!(DType::ALL.len(), dtypes.len());
    for (i, (d, (name, size, numpy, compute))) in DType::ALL.into_iter().zip(dtypes).enumerate() {
        assert_eq!((d.name(), d.size(), d.compute().name(), d.index()), (name, size, compute, i));
        assert_eq!((name.parse(), numpy.parse()), (Ok(d), Ok(d)));
        assert_eq!(format!("{d:>9}"), format!("{name:>9}"));
        let is = (d.is_float(), d.is_integer(), d.is_signed_integer(), d.is_numeric(), d.is_opaque());
        let float = name.contains('f');
        let (signed, unsigned) = (name.starts_with('i'), name.starts_with('u'));
        assert_eq!(is, (float, signed || unsigned, signed, float || signed || unsigned, name.starts_with('o')));
        assert_eq!(DType::VALUES.contains(&d), !d.is_opaque());
    }
    let opaque = [1, 2, 4, 8, 16].map(|size| DType::opaque(size).map(DType::name));
    assert_eq!(opaque, ["opaque1", "opaque2", "opaque4", "opaque8", "opaque16"].map(Some));
    assert_eq!([0, 3, 32].map(DType::opaque), [None; 3]);
    for (other, op) in [("where_", Op::Where), ("mul_add", Op::Fma), ("clip", Op::Clamp)] {
        assert_eq!((other.parse(), op.name().parse()), (Ok(op), Ok(op)));
    }
    assert_eq!(format!("{:>6}", Op::Add), "   add");
    assert_eq!(Op::Where.name(), "where");
}
