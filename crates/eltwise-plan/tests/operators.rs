//! Tables of the operators: operands, dtypes, cost classes, the steps of composite operators, and fused steps, as
//! golden files.

#[path = "common/golden.rs"]
pub mod golden;

use std::fmt::Write;

use eltwise_core::{Accuracy, Broadcast, Constant, DType, Fused, Op, Signature};
use eltwise_plan::cost::{Kind, step_ns};
use eltwise_plan::ir::program::Node;
use eltwise_plan::tuning::TASK_NS;
use eltwise_plan::{KernelCapabilities, Program, Target};

/// The dtypes of the operands of an operator whose type variable T is `t`.
fn operands(op: Op, t: DType) -> Vec<DType> {
    let is_bool = matches!(op.signature(), Signature::Select | Signature::Tolerance);
    let other = if is_bool { DType::Bool } else { DType::I32 };
    (0..op.arity()).map(|k| if op.signature().is_t(k) { t } else { other }).collect()
}

/// A list of dtypes with a text each, where neighbours with the same text are one range: `i8..u64 Plain`.
fn runs(items: impl Iterator<Item = (DType, String)>) -> String {
    let mut all: Vec<(DType, DType, String)> = Vec::new();
    for (dtype, text) in items {
        match all.last_mut() {
            Some((_, last, same)) if *same == text => *last = dtype,
            _ => all.push((dtype, dtype, text)),
        }
    }
    let run = |(first, last, text): &(DType, DType, String)| match first == last {
        true => format!("{first} {text}"),
        false => format!("{first}..{last} {text}"),
    };
    all.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// The names and defaults of the operands of every operator, the dtypes that it takes, and the dtype of its result.
#[test]
fn operands_and_result_dtypes_are_those_of_the_golden_file() {
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
                let default = |d: f64| if d.abs() == f64::MAX { format!("{d:e}") } else { d.to_string() };
                k.checked_sub(given)
                    .map_or(info.operands[k].into(), |d| format!("{}={}", info.operands[k], default(info.defaults[d])))
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

/// The dtypes of operands and results that need not be T.
#[test]
fn second_dtypes_are_those_of_the_golden_file() {
    let mut text = String::new();
    for &op in Op::ALL.iter().filter(|op| !op.signature().second_dtypes().is_empty()) {
        let t = DType::ALL.into_iter().find(|&d| op.info().takes(d)).unwrap();
        for second in DType::ALL {
            let mut operands = operands(op, t);
            let (target, all) = match op.signature() {
                Signature::Convert => (Some(second), 1),
                _ => (None, 2),
            };
            // First one operand that is not T has the second dtype, then all of them.
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

/// The cost class of every operator over each dtype, and of every cast.
#[test]
fn cost_classes_are_those_of_the_golden_file() {
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
fn the_cost_of_a_step_is_its_bytes_times_its_rate() {
    let target = |vector_bytes, fuses| Target {
        kernels: KernelCapabilities { vector_bytes, fma: fuses, ..KernelCapabilities::default() },
        ..Target::default()
    };
    // `maximum` of floats takes 170, 18 and 9 ns per KiB for vectors of 16, 32 and 64 bytes; 36 ns for narrow vectors
    // with fma.
    let vectors = [(16, false, 170), (16, true, 36), (31, true, 36), (32, false, 18), (63, true, 18), (64, true, 9)];
    for (vector, fuses, rate) in vectors {
        let ns = step_ns(Op::Maximum, DType::F32, DType::F32, 1 << 18, &target(vector, fuses));
        assert_eq!(ns, rate << 10, "{vector} {fuses}");
    }
    let wide = target(64, true);
    // The wider of operand and result counts. 16-bit floats compute in f32, which has twice the bytes, and the
    // conversions cost 4.
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
    assert_eq!(TASK_NS, 20_000);
}

/// The text of a node.
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
        Node::Step { op, args, broadcast, accuracy: Accuracy::Fast } => format!("{op}({}) {broadcast}", names(args)),
        Node::Step { op, args, broadcast, accuracy } => format!("{accuracy} {op}({}) {broadcast}", names(args)),
        other => format!("{other:?}"),
    }
}

/// The steps of every composite operator, over each dtype and for several numbers of operands.
#[test]
fn the_steps_of_composite_operators_are_those_of_the_golden_file() {
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
        show(op, &operands(op, DType::F32), None, Broadcast::Numpy, Accuracy::CorrectlyRounded);
    }
    for t in floats {
        for accuracy in Accuracy::ALL {
            show(Op::Atan2, &[t, t], None, Broadcast::None, accuracy);
        }
        for op in [Op::Sum, Op::Mean, Op::Maximum, Op::Minimum] {
            (1..5).for_each(|count| show(op, &vec![t; count], None, Broadcast::Numpy, Accuracy::Fast));
        }
        for op in [Op::AddCMul, Op::AddCDiv, Op::NanToNum, Op::IsClose, Op::Spacing] {
            show(op, &operands(op, t), None, Broadcast::Numpy, Accuracy::Fast);
        }
        for n in [DType::I32, DType::I64] {
            show(Op::Ldexp, &[t, n], None, Broadcast::None, Accuracy::Fast);
        }
        for op in [Op::ClampedLogit, Op::ParametricSoftplus, Op::ParametricSelu] {
            show(op, &operands(op, t), None, Broadcast::Numpy, Accuracy::Fast);
        }
        show(Op::RoundDecimals, &[t, DType::I32], None, Broadcast::Numpy, Accuracy::Fast);
        show(Op::Mantissa, &[t], None, Broadcast::Numpy, Accuracy::Fast);
        show(Op::Exponent, &[t], None, Broadcast::Numpy, Accuracy::Fast);
        for q in [DType::I8, DType::U8, DType::I16, DType::U16, DType::I32] {
            show(Op::QuantizeLinear, &[t, t, q], None, Broadcast::None, Accuracy::Fast);
            show(Op::DequantizeLinear, &[q, t, q], None, Broadcast::None, Accuracy::Fast);
        }
    }
    show(Op::RoundDecimals, &[DType::I8, DType::I64], None, Broadcast::Numpy, Accuracy::Fast);
    show(Op::BitwiseCount, &[DType::I8], None, Broadcast::Numpy, Accuracy::Fast);
    show(Op::Sum, &[DType::I8; 3], None, Broadcast::Numpy, Accuracy::CorrectlyRounded);
    show(Op::AddCMul, &[DType::I8; 4], None, Broadcast::None, Accuracy::Fast);
    show(Op::Pow, &[DType::I8; 2], None, Broadcast::Numpy, Accuracy::CorrectlyRounded);
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
    let all = "float_power addcmul addcdiv sum mean clamped_logit parametric_softplus parametric_selu spacing ldexp \
               round_decimals nan_to_num isclose bitwise_count cast_saturating quantize_linear \
               dequantize_linear";
    assert_eq!(names.join(" "), all);
    for &op in Op::ALL {
        for t in DType::ALL {
            let narrow = matches!(t, DType::F16 | DType::BF16) && op.info().has_math();
            assert_eq!(op.is_composite(t), narrow || by_name(&op), "{op} of {t}");
        }
    }
}

/// The name and the parts of every fused step.
#[test]
fn fused_steps_are_those_of_the_golden_file() {
    let mut text = String::new();
    let mut all: Vec<Fused> = Vec::new();
    for fused in Fused::all() {
        let parts = (fused.load(), fused.first(), fused.last(), fused.store(), fused.dtype());
        writeln!(text, "{fused} {} {:?} {:?}", fused.dtype(), fused.load(), fused.store()).unwrap();
        let (load, first, last, store, dtype) = parts;
        let rebuilt = Fused::new(load, first, last, store, dtype);
        assert_eq!(rebuilt, Some(fused));
        assert!(!all.contains(&fused), "{fused} twice");
        all.push(fused);
    }
    golden::compare("superinstructions", &text);
    // No other combination of parts is a fused step.
    let some = |dtypes: &[DType]| dtypes.iter().copied().map(Some).chain([None]).collect::<Vec<_>>();
    let first: Vec<Option<Op>> = Op::ALL.iter().copied().map(Some).chain([None]).collect();
    for &last in Op::ALL {
        for &first in &first {
            for dtype in [DType::F32, DType::F64, DType::I32] {
                for load in some(&[DType::U8, DType::F16, DType::BF16, DType::I32]) {
                    let new = Fused::new(load, first, last, None, dtype);
                    assert_eq!(new.is_some(), new.is_some_and(|new| all.contains(&new)));
                    for store in [DType::F16, DType::BF16, DType::I8] {
                        let new = Fused::new(load, first, last, Some(store), dtype);
                        assert_eq!(new.is_some(), new.is_some_and(|new| all.contains(&new)));
                    }
                }
            }
        }
    }
}

#[test]
fn names_of_dtypes_operators_and_accuracies_parse_as_written() {
    for (accuracy, name) in [(Accuracy::Fast, "fast"), (Accuracy::CorrectlyRounded, "correct")] {
        assert_eq!((accuracy.name(), name.parse::<Accuracy>()), (name, Ok(accuracy)));
        assert_eq!(format!("{accuracy:>6}"), format!("{name:>6}"));
    }
    assert_eq!("exact".parse(), Ok(Accuracy::CorrectlyRounded), "the earlier name");
    let error = "best".parse::<Accuracy>().unwrap_err();
    assert_eq!(error.to_string(), "unknown accuracy \"best\"; expected fast or correct");
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
