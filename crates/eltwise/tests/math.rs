//! Math functions against exact values, in both accuracy tiers; the tier of each node of an expression; fused programs.

use eltwise::{
    Accuracy, Array, BindOptions, Broadcast, DType, ErrorBound, ErrorKind, Expr, Layout, Op, Program, Serial,
};
use eltwise_oracle::{Function, hard_inputs, ulp_error_f32, ulp_error_f64};
use eltwise_reference::Tensor;
use eltwise_testkit::{Operand, check};

/// The result of a program of one operator on an ISA. `None` if the build has no kernel for it.
fn run(op: Op, tier: Accuracy, isa: eltwise::Isa, inputs: &[Array]) -> Option<Array> {
    let dtypes: Vec<DType> = inputs.iter().map(Array::dtype).collect();
    let program = Program::single_at(op, &dtypes, None, Broadcast::Numpy, tier).unwrap();
    let layouts: Vec<&Layout> = inputs.iter().map(Array::layout).collect();
    let plan = match program.bind_with(&layouts, &BindOptions::new().isa(isa)) {
        Ok(plan) => plan,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
            return None;
        }
    };
    let views: Vec<_> = inputs.iter().map(Array::view).collect();
    Some(plan.run_to_arrays(&Serial, &views).unwrap().remove(0))
}

/// All 65,536 numbers of a 16-bit float dtype as first operand, and a permutation of them as second.
fn all_of(dtype: DType) -> [Array; 3] {
    let mut operands = [(); 3].map(|()| Array::zeros(dtype, [1 << 16]).unwrap());
    for (k, array) in operands.iter_mut().enumerate() {
        for (i, element) in array.bytes_mut().chunks_exact_mut(2).enumerate() {
            let other = (i as u16).wrapping_mul([1, 40503, 30011][k]).rotate_left(5);
            let bits = if k == 0 { i as u16 } else { other };
            element.copy_from_slice(&bits.to_le_bytes());
        }
    }
    operands
}

fn expected(op: Op, inputs: &[Array]) -> Tensor {
    let tensors: Vec<Tensor> = inputs
        .iter()
        .map(|a| Tensor::new(a.dtype(), a.layout().shape().clone(), a.bytes().to_vec()).unwrap())
        .collect();
    let tensors: Vec<&Tensor> = tensors.iter().collect();
    eltwise_reference::evaluate(op, &tensors, None, &Broadcast::Numpy).unwrap()
}

#[test]
fn every_16_bit_float_is_correctly_rounded_or_within_1_ulp_in_the_fast_tier() {
    let isas = check::isas();
    let (mut runs, mut wrong) = (0, Vec::new());
    for dtype in [DType::F16, DType::BF16] {
        let inputs = all_of(dtype);
        for &op in Op::ALL.iter().filter(|op| op.info().is_math(dtype)) {
            let inputs = &inputs[..op.arity()];
            let expected = expected(op, inputs);
            for &isa in &isas {
                for (tier, bound) in
                    [(Accuracy::CorrectlyRounded, ErrorBound::EXACT), (Accuracy::Fast, ErrorBound::ONE_ULP)]
                {
                    if op.is_fast_only() && tier == Accuracy::CorrectlyRounded {
                        continue;
                    }
                    let Some(got) = run(op, tier, isa, inputs) else { continue };
                    let got = Tensor::new(expected.dtype(), expected.shape().clone(), got.bytes().to_vec()).unwrap();
                    let same = check::compare_tensors_within(&expected, &got, false, bound);
                    wrong.extend(same.err().map(|e| format!("{op} {dtype} {tier} {isa}: {e}")));
                    runs += 1;
                }
            }
        }
    }
    println!("{runs} runs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn f32_is_correctly_rounded_in_that_tier() {
    let isas = check::isas();
    let shape = eltwise::Shape::from([20_000]);
    let mut wrong = Vec::new();
    for &op in Op::ALL.iter().filter(|op| op.info().is_math(DType::F32) && !op.is_fast_only()) {
        for seed in [1, 5] {
            let operands: Vec<Operand> = (0..op.arity() as u64)
                .map(|k| Operand::input(DType::F32, &shape, &eltwise_testkit::Arrangement::dense(), seed + 2 * k))
                .collect();
            let inputs: Vec<Array> = operands
                .iter()
                .map(|o| {
                    let mut array = Array::zeros(DType::F32, shape.clone()).unwrap();
                    array.bytes_mut().copy_from_slice(o.tensor().data());
                    array
                })
                .collect();
            let expected = expected(op, &inputs);
            for &isa in &isas {
                let Some(got) = run(op, Accuracy::CorrectlyRounded, isa, &inputs) else { continue };
                let got = Tensor::new(DType::F32, shape.clone(), got.bytes().to_vec()).unwrap();
                wrong.extend(check::compare_tensors(&expected, &got, false).err().map(|e| format!("{op} {isa}: {e}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The exact results are so close to the midpoint of two floats that rounding to `f64` first gives the wrong one.
#[test]
fn f32_results_that_f64_rounds_the_wrong_way_are_correctly_rounded() {
    let hard: [(Op, &[u32]); 7] = [
        (Op::Log10, &[0x0efe_ee7a]),
        (Op::Sinh, &[0x3a12_85ff, 0xba12_85ff]),
        (Op::Acosh, &[0x6558_90d3, 0x6eb1_a8ec]),
        (Op::Asinh, &[0x4bdd_65a5, 0xcbdd_65a5, 0x6558_90d3, 0xe558_90d3, 0x6eb1_a8ec, 0xeeb1_a8ec]),
        (Op::Erfc, &[0xb76c_9f62]),
        (Op::Logit, &[0x3489_cc36]),
        (Op::Exp2, &[0x3b42_9d37, 0xbcf3_a937]),
    ];
    for (op, arguments) in hard {
        let arguments: Vec<f32> = arguments.iter().map(|&bits| f32::from_bits(bits)).collect();
        let input = Array::from_slice(&arguments, [arguments.len()]).unwrap();
        let expected = expected(op, core::slice::from_ref(&input));
        for isa in check::isas() {
            let Some(got) = run(op, Accuracy::CorrectlyRounded, isa, core::slice::from_ref(&input)) else { continue };
            assert_eq!(got.bytes(), expected.data(), "{op} {isa} of {arguments:?}");
        }
    }
}

/// Asserts that an operator of two operands is correctly rounded in that tier.
fn assert_correctly_rounded(op: Op, pairs: &[[u32; 2]]) {
    let inputs = columns_of(pairs);
    let expected = expected(op, &inputs);
    for isa in check::isas() {
        let Some(got) = run(op, Accuracy::CorrectlyRounded, isa, &inputs) else { continue };
        assert_eq!(got.bytes(), expected.data(), "{op} {isa}");
    }
}

/// Pairs of `f32` bits as two arrays.
fn columns_of(pairs: &[[u32; 2]]) -> [Array; 2] {
    [0, 1].map(|k| {
        let values: Vec<f32> = pairs.iter().map(|pair| f32::from_bits(pair[k])).collect();
        Array::from_slice(&values, [values.len()]).unwrap()
    })
}

#[test]
fn f32_powers_near_and_at_midpoints_are_correctly_rounded() {
    let pairs = [
        [0x3f7f_fffb, 0x3dcc_cccb],
        [0x3f80_9c25, 0xb6d2_5b41],
        [0x26d8_23b9, 0x3133_ffd3],
        [0x4390_4784, 0x3361_f3ec],
        [0x3f7f_ffc2, 0xbc84_20f8],
        // 1140^3, (11 / 32)^7, (-1371/32)^2, 32^-30, (2^-40)^(15/4). The last two are half of the smallest float.
        [0x448e_8000, 0x4040_0000],
        [0x3df2_0000, 0x4060_0000],
        [0xc22b_5800, 0x4000_0000],
        [0x4200_0000, 0xc1f0_0000],
        [0x2b80_0000, 0x4070_0000],
    ];
    assert_correctly_rounded(Op::Pow, &pairs);
}

/// log2(2^x + 2^y) of neighbours is slightly more than (x + y) / 2 + 1, which may be the midpoint of two floats. Here
/// it exceeds the midpoint by as little as 2^-95.
#[test]
fn f32_logaddexp_near_midpoints_is_correctly_rounded() {
    let pairs = [
        [0x3d74_3853, 0x3d74_384d],
        [0x3e27_3443, 0x3e27_3445],
        [0xbc99_c2b4, 0xbc99_c2ac],
        [0xbd28_fe37, 0xbd28_fe39],
        [0x3380_0002, 0x337f_fffc],
        [0x3440_0003, 0x343f_fffd],
        [0x33c0_0000, 0x3300_0000],
        [0x3f80_0000, 0x3f80_0000],
        [0x3080_0000, 0x3080_0000],
        [0x40a0_0000, 0xc28c_0000],
    ];
    assert_correctly_rounded(Op::LogAddExp2, &pairs);
    assert_correctly_rounded(Op::LogAddExp, &pairs);
}

/// The `y` for which e^x + e^y, or 2^x + 2^y for `logaddexp2`, is close to 1.
fn complement(op: Op, x: f64) -> f64 {
    let unit = if op == Op::LogAddExp2 { core::f64::consts::LN_2 } else { 1.0 };
    let x = x * unit;
    // log(1 - e^x), which is log(-x) for small x.
    let y = match x {
        x if x < -0.5 => (-x.exp()).ln_1p(),
        x if x < -1e-300 => (-x.exp_m1()).ln(),
        x => (-x * 2f64.powi(80)).ln() - 80.0 * core::f64::consts::LN_2,
    };
    y / unit
}

/// Pairs whose result is near zero, mixed with others so that vectors have both kinds.
fn cancelling(op: Op, function: Function) -> Vec<[f64; 2]> {
    let mut pairs: Vec<[f64; 2]> = hard_inputs(function).map(|(x, y)| [x, y]).collect();
    let end = if op == Op::LogAddExp2 { -1.0 } else { -core::f64::consts::LN_2 };
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 33 ^ state << 20
    };
    for i in 0..6000 {
        let part = (next() >> 11) as f64 / (1u64 << 53) as f64;
        let x = match i % 4 {
            0 => end * part,
            1 => end * 2f64.powf(-60.0 * part),
            2 => -f64::from_bits(next() % (-end).to_bits()),
            _ => end * (1.0 + (part - 0.5) * 2f64.powi(-(i / 4 % 52))),
        };
        let y = complement(op, x);
        // A few ULP away, or far enough away for the ordinary code path.
        let y = match i % 5 {
            0 => f64::from_bits(y.to_bits() + next() % 5 - 2),
            1 => y * (1.0 + part * 2f64.powi(-(i % 53))),
            _ => y,
        };
        pairs.push(if next() & 1 == 0 { [x, y] } else { [y, x] });
        if i % 3 == 0 {
            pairs.push([20.0 * part - 10.0, y * 0.5]);
        }
    }
    pairs
}

/// log(e^x + e^y) near 0, down to 2^-106 of the arguments and to subnormal numbers, is within 1 ULP as elsewhere. Its
/// bits do not depend on the other elements of the vector.
#[test]
fn f64_logaddexp_near_zero_is_within_1_ulp() {
    let mut wrong = Vec::new();
    for (op, function) in [(Op::LogAddExp, Function::LogAddExp), (Op::LogAddExp2, Function::LogAddExp2)] {
        let pairs = cancelling(op, function);
        let near_zero = |pair: &&[f64; 2]| {
            let exact = eltwise_oracle::correctly_rounded_f64(function, pair[0], pair[1]);
            exact.abs() < pair[0].max(pair[1]).abs() * 2f64.powi(-12)
        };
        assert!(pairs.iter().filter(near_zero).count() > pairs.len() / 2);
        let columns = |pairs: &[[f64; 2]]| {
            [0, 1].map(|k| {
                let values: Vec<f64> = pairs.iter().map(|pair| pair[k]).collect();
                Array::from_slice(&values, [values.len()]).unwrap()
            })
        };
        let mut reordered = pairs.clone();
        reordered.rotate_left(3);
        reordered.reverse();
        for isa in check::isas() {
            let Some(got) = run(op, Accuracy::Fast, isa, &columns(&pairs)) else { continue };
            let got = got.as_slice::<f64>().unwrap().to_vec();
            for (&[x, y], &r) in pairs.iter().zip(&got) {
                let error = ulp_error_f64(r, function, x, y);
                if error > 1.0 {
                    wrong.push(format!("{op}({x:e}, {y:e}) on {isa} is {r:e}: {error} ULP"));
                }
            }
            let mut moved =
                run(op, Accuracy::Fast, isa, &columns(&reordered)).unwrap().as_slice::<f64>().unwrap().to_vec();
            moved.reverse();
            moved.rotate_right(3);
            let bits = |values: &[f64]| values.iter().map(|r| r.to_bits()).collect::<Vec<_>>();
            assert!(bits(&got) == bits(&moved), "{op} {isa}: results depend on their neighbours");
        }
    }
    assert!(
        wrong.is_empty(),
        "{} results are above 1 ULP, for example\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

/// log(e^x + e^y) of `f32` near 0 is within 0.51 ULP in the fast tier, and correctly rounded in the other.
#[test]
fn f32_logaddexp_near_zero_is_within_0_51_ulp() {
    for (op, function) in [(Op::LogAddExp, Function::LogAddExp), (Op::LogAddExp2, Function::LogAddExp2)] {
        let mut pairs = Vec::new();
        for i in 0..3000u32 {
            let x = match i % 3 {
                0 => -(i as f32 + 0.7) / 4400.0,
                1 => -f32::from_bits(i * 350_000),
                _ => f32::from_bits((-1f32).to_bits() - 1500 + i),
            };
            let y = complement(op, x.into()) as f32;
            if y.is_finite() {
                let y = y.to_bits() + i / 3 % 5 - 2;
                pairs.push(if i % 2 == 0 { [x.to_bits(), y] } else { [y, x.to_bits()] });
            }
        }
        assert_correctly_rounded(op, &pairs);
        let columns = columns_of(&pairs);
        for isa in check::isas() {
            let Some(got) = run(op, Accuracy::Fast, isa, &columns) else { continue };
            for (&[x, y], &r) in pairs.iter().zip(got.as_slice::<f32>().unwrap()) {
                let error = ulp_error_f32(r, function, f32::from_bits(x), f32::from_bits(y));
                assert!(error < 0.51, "{op}({x:#x}, {y:#x}) on {isa} is {r:e}: {error} ULP");
            }
        }
    }
}

#[test]
fn accuracy_is_chosen_per_node_and_f64_has_the_fast_tier_only() {
    let program = |text: &str, dtype| Program::parse(text, &[("x", dtype)]);
    // `exp` has a kernel for each tier. A correctly rounded `asin` is a cast, `asin` of f64 and a cast.
    assert_eq!(program("exp(x, accuracy=correct) + sin(x)", DType::F32).unwrap().step_count(), 3);
    assert_eq!(program("exp(x, accuracy=correct) + exp(x)", DType::F32).unwrap().step_count(), 3);
    if let Ok(mixed) = program("asin(x, accuracy=correct) + exp(x)", DType::F32) {
        assert_eq!(mixed.step_count(), 5);
    }
    assert_eq!(program("exp(x) + sin(x)", DType::F32).unwrap().step_count(), 3);
    let error = program("exp(x, accuracy=correct)", DType::F64).unwrap_err();
    assert!(error.to_string().contains("expected accuracy fast"), "{error}");
    let error = program("exp(x, accuracy=best)", DType::F32).unwrap_err();
    assert!(error.to_string().contains("one of fast, correct"), "{error}");
    let error = program("sqrt(x, accuracy=correct)", DType::F32).unwrap_err();
    assert!(error.to_string().contains("unknown argument `accuracy=`"), "{error}");
    let all = Expr::parse("exp(x, accuracy=fast) + sin(x)").unwrap().accuracy(Accuracy::CorrectlyRounded);
    assert_eq!(format!("{all:?}"), "add(exp(x, accuracy=fast), sin(x, accuracy=correct))");
}

/// Each element of a fused program equals the program on that element alone.
#[test]
fn elements_of_a_fused_program_do_not_depend_on_their_position() {
    let isas = check::isas();
    let texts =
        ["gelu(x + y)", "silu(x) * y", "tanh(exp(x) - sin(y))", "pow(abs(x), y) + log(abs(y))", "erf(softplus(x)) / y"];
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        if !eltwise::kernels::is_built(dtype) {
            continue;
        }
        let shape = eltwise::Shape::from([3001]);
        let inputs: Vec<Array> = (0..2)
            .map(|k| {
                let operand = Operand::input(dtype, &shape, &eltwise_testkit::Arrangement::dense(), 3 + 2 * k);
                let mut array = Array::zeros(dtype, shape.clone()).unwrap();
                array.bytes_mut().copy_from_slice(operand.tensor().data());
                array
            })
            .collect();
        for text in texts {
            for &isa in &isas {
                let expr = Expr::parse(text).unwrap();
                let program = Program::new(&[&expr], &[("x", dtype), ("y", dtype)]).unwrap();
                let options = BindOptions::new().isa(isa);
                let layouts: Vec<&Layout> = inputs.iter().map(Array::layout).collect();
                let views: Vec<_> = inputs.iter().map(Array::view).collect();
                let plan = program.bind_with(&layouts, &options).unwrap();
                let fused = plan.run_to_arrays(&Serial, &views).unwrap();
                // Some elements alone, each at position 0.
                for i in (0..3001).step_by(97) {
                    let size = dtype.size();
                    let one: Vec<Array> = inputs
                        .iter()
                        .map(|a| {
                            let mut one = Array::zeros(dtype, [1]).unwrap();
                            one.bytes_mut().copy_from_slice(&a.bytes()[i * size..(i + 1) * size]);
                            one
                        })
                        .collect();
                    let layouts: Vec<&Layout> = one.iter().map(Array::layout).collect();
                    let views: Vec<_> = one.iter().map(Array::view).collect();
                    let alone = program.bind_with(&layouts, &options).unwrap().run_to_arrays(&Serial, &views).unwrap();
                    let (a, b) = (&fused[0].bytes()[i * size..(i + 1) * size], alone[0].bytes());
                    let value = |bytes| eltwise_reference::Value::read(dtype, bytes);
                    assert!(
                        eltwise_reference::same(value(a), value(b)),
                        "{text} {dtype} {isa} {i}: {:?} {:?}",
                        value(a),
                        value(b)
                    );
                }
            }
        }
    }
}
