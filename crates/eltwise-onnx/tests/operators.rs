//! Operators over arrays: the results are ONNX's.

use eltwise::{Array, DType, Expr, Program};
use eltwise_onnx::{Alignment, Attribute, Node, Operand, Translation, View, supports, translate};
use support::viewed;

mod support;

/// The inputs as operands, called by their number.
fn operands(inputs: &[&Array]) -> Vec<Option<Operand>> {
    let operand = |(i, array): (usize, &&Array)| Some(Operand::new(Expr::input(&format!("i{i}")), array.dtype()));
    inputs.iter().enumerate().map(operand).collect()
}

/// The result of a translated node over arrays, which are reshaped as its views say.
fn run(translation: &Translation, inputs: &[&Array]) -> Array {
    let names: Vec<String> = (0..inputs.len()).map(|i| format!("i{i}")).collect();
    let named: Vec<(&str, DType)> = names.iter().map(String::as_str).zip(inputs.iter().map(|x| x.dtype())).collect();
    let program = Program::new(&[&translation.expr], &named).unwrap();
    let view = |i: usize| translation.views.iter().find(|(operand, _)| *operand == i).map(|(_, view)| *view);
    let rank = inputs[0].shape().rank();
    let arrays: Vec<Array> = inputs.iter().enumerate().map(|(i, x)| viewed(x, view(i), x.shape(), rank)).collect();
    let out = support::run(&program, &arrays.iter().collect::<Vec<_>>()).remove(0);
    assert_eq!(out.dtype(), translation.dtype);
    out
}

fn node<'a>(op_type: &'a str, opset: i64, attributes: &'a [(&'a str, Attribute<'a>)]) -> Node<'a> {
    Node { attributes, ..Node::new(op_type, opset) }
}

fn f32s(values: &[f32]) -> Array {
    Array::from_slice(values, [values.len()]).unwrap()
}

/// The f32 result of a node over f32 vectors.
fn floats(node: &Node<'_>, inputs: &[&[f32]]) -> Vec<f32> {
    let arrays: Vec<Array> = inputs.iter().map(|values| f32s(values)).collect();
    let arrays: Vec<&Array> = arrays.iter().collect();
    run(&translate(node, &operands(&arrays)).unwrap(), &arrays).as_slice::<f32>().unwrap().to_vec()
}

fn near(found: &[f32], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (f, e) in found.iter().zip(expected) {
        assert!((f64::from(*f) - e).abs() <= 1e-6 * e.abs().max(1e-2), "{found:?}, expected {expected:?}");
    }
}

#[test]
fn activations_have_onnx_s_attributes() {
    let x = [-4.0f32, -1.0, -0.25, 0.0, 0.5, 3.0, 7.0];
    let of = |f: fn(f64) -> f64| x.map(|x| f(f64::from(x)));
    near(&floats(&Node::new("HardSigmoid", 6), &[&x]), &of(|x| (0.2 * x + 0.5).clamp(0.0, 1.0)));
    near(&floats(&Node::new("HardSwish", 14), &[&x]), &of(|x| x * (x / 6.0 + 0.5).clamp(0.0, 1.0)));
    near(
        &floats(&node("Elu", 6, &[("alpha", Attribute::Float(2.0))]), &[&x]),
        &of(|x| if x < 0.0 { 2.0 * x.exp_m1() } else { x }),
    );
    near(
        &floats(&Node::new("Selu", 6), &[&x]),
        &of(|x| 1.0507009873554805 * if x < 0.0 { 1.6732632423543772 * x.exp_m1() } else { x }),
    );
    near(
        &floats(&node("Celu", 12, &[("alpha", Attribute::Float(2.0))]), &[&x]),
        &of(|x| if x < 0.0 { 2.0 * (x / 2.0).exp_m1() } else { x }),
    );
    near(&floats(&Node::new("LeakyRelu", 16), &[&x]), &of(|x| if x < 0.0 { f64::from(0.01f32) * x } else { x }));
    near(&floats(&Node::new("ThresholdedRelu", 10), &[&x]), &of(|x| if x > 1.0 { x } else { 0.0 }));
    let shrink = [("lambd", Attribute::Float(1.5)), ("bias", Attribute::Float(1.5))];
    near(
        &floats(&node("Shrink", 9, &shrink), &[&x]),
        &of(|x| {
            if x < -1.5 {
                x + 1.5
            } else if x > 1.5 {
                x - 1.5
            } else {
                0.0
            }
        }),
    );
    near(
        &floats(&node("Swish", 24, &[("alpha", Attribute::Float(2.0))]), &[&x]),
        &of(|x| x / (1.0 + (-2.0 * x).exp())),
    );
    near(&floats(&Node::new("Softplus", 22), &[&x]), &of(|x| x.max(0.0) + (-x.abs()).exp().ln_1p()));
    let tanh = |x: f64| 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh());
    near(&floats(&node("Gelu", 20, &[("approximate", Attribute::Text("tanh"))]), &[&x]), &x.map(|x| tanh(x.into())));
    near(&floats(&Node::new("PRelu", 16), &[&x, &[0.5]]), &of(|x| if x < 0.0 { 0.5 * x } else { x }));
}

#[test]
fn clip_has_attributes_before_opset_11_and_operands_since() {
    let x = [-4.0f32, 0.5, 9.0];
    let bounds = [("min", Attribute::Float(-1.0)), ("max", Attribute::Float(6.0))];
    assert_eq!(floats(&node("Clip", 6, &bounds), &[&x]), [-1.0, 0.5, 6.0]);
    assert_eq!(floats(&node("Clip", 6, &bounds[..1]), &[&x]), [-1.0, 0.5, 9.0]);
    assert_eq!(floats(&Node::new("Clip", 13), &[&x, &[-1.0], &[6.0]]), [-1.0, 0.5, 6.0]);
    assert_eq!(floats(&Node::new("Clip", 13), &[&x]), x);
    let input = f32s(&x);
    let (x, high) = (Operand::new(Expr::input("i0"), DType::F32), Operand::new(6.0f32.into(), DType::F32));
    let only_high = translate(&Node::new("Clip", 13), &[Some(x), None, Some(high)]).unwrap();
    assert_eq!(run(&only_high, &[&input]).as_slice::<f32>().unwrap(), [-4.0, 0.5, 6.0]);
}

#[test]
fn folds_take_any_number_of_operands() {
    let operands: [&[f32]; 3] = [&[1.0, -2.0], &[3.0, 4.0], &[0.5, 8.0]];
    assert_eq!(floats(&Node::new("Max", 13), &operands), [3.0, 8.0]);
    assert_eq!(floats(&Node::new("Min", 13), &operands), [0.5, -2.0]);
    assert_eq!(floats(&Node::new("Sum", 13), &operands), [4.5, 10.0]);
    near(&floats(&Node::new("Mean", 13), &operands), &[1.5, 10.0 / 3.0]);
    assert_eq!(floats(&Node::new("Max", 13), &operands[..1]), [1.0, -2.0]);
}

#[test]
fn integers_follow_onnx() {
    let (x, y) = (Array::from_slice(&[-7i32, 7, 6], [3]).unwrap(), Array::from_slice(&[3i32, -3, 4], [3]).unwrap());
    let ints = |node: &Node<'_>| {
        run(&translate(node, &operands(&[&x, &y])).unwrap(), &[&x, &y]).as_slice::<i32>().unwrap().to_vec()
    };
    assert_eq!(ints(&Node::new("Div", 14)), [-2, -2, 1]);
    assert_eq!(ints(&Node::new("Mod", 13)), [2, -2, 2]);
    assert_eq!(ints(&node("Mod", 13, &[("fmod", Attribute::Int(1))])), [-1, 1, 2]);
    assert_eq!(ints(&Node::new("PRelu", 16)), [-21, 7, 6]);
    let exponent = Array::from_slice(&[2.0f32, 0.5, 3.0], [3]).unwrap();
    let power = translate(&Node::new("Pow", 15), &operands(&[&x, &exponent])).unwrap();
    assert_eq!(run(&power, &[&x, &exponent]).as_slice::<i32>().unwrap(), [49, 2, 216]);
    let (bits, by) = (Array::from_slice(&[1u8, 255, 16], [3]).unwrap(), Array::from_slice(&[3u8, 1, 8], [3]).unwrap());
    let shift = node("BitShift", 11, &[("direction", Attribute::Text("LEFT"))]);
    assert_eq!(
        run(&translate(&shift, &operands(&[&bits, &by])).unwrap(), &[&bits, &by]).as_slice::<u8>().unwrap(),
        [8, 254, 0]
    );
}

#[test]
fn infinities_are_detected_by_sign() {
    let x = f32s(&[f32::NEG_INFINITY, 1.0, f32::INFINITY, f32::NAN]);
    let bools = |attributes: &[(&str, Attribute<'_>)]| {
        let found = run(&translate(&node("IsInf", 20, attributes), &operands(&[&x])).unwrap(), &[&x]);
        found.as_slice::<bool>().unwrap().to_vec()
    };
    let off = |name| (name, Attribute::Int(0));
    assert_eq!(bools(&[]), [true, false, true, false]);
    assert_eq!(bools(&[off("detect_negative")]), [false, false, true, false]);
    assert_eq!(bools(&[off("detect_positive")]), [true, false, false, false]);
    assert_eq!(bools(&[off("detect_positive"), off("detect_negative")]), [false; 4]);
}

#[test]
fn batches_are_normalised_by_channel() {
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [2, 2, 2]).unwrap();
    let [scale, bias, mean, variance] =
        [[2.0f32, 1.0], [0.5, -1.0], [1.0, 3.0], [4.0, 1.0]].map(|values| f32s(&values));
    let inputs = [&x, &scale, &bias, &mean, &variance];
    let found = run(&translate(&Node::new("BatchNormalization", 15), &operands(&inputs)).unwrap(), &inputs);
    let expected: Vec<f64> = (0..8)
        .map(|i| {
            let channel = i / 2 % 2;
            let (s, b, m, v) = [(2.0, 0.5, 1.0, 4.0), (1.0, -1.0, 3.0, 1.0)][channel];
            (f64::from(i as u32 + 1) - m) / (v + 1e-5f64).sqrt() * s + b
        })
        .collect();
    near(found.as_slice::<f32>().unwrap(), &expected);
}

#[test]
fn quantisation_divides_rounds_to_even_and_saturates() {
    let x = Array::from_slice(&[0.25f32, 0.75, -200.0, 300.0, 1.0, 2.5], [2, 3]).unwrap();
    let (scale, zero_point) = (f32s(&[0.5]), Array::from_slice(&[128u8], [1]).unwrap());
    let quantize = |inputs: &[&Array], attributes: &[(&str, Attribute<'_>)]| {
        run(&translate(&node("QuantizeLinear", 13, attributes), &operands(inputs)).unwrap(), inputs)
    };
    assert_eq!(quantize(&[&x, &scale, &zero_point], &[]).as_slice::<u8>().unwrap(), [128, 130, 0, 255, 130, 133]);
    // Without a zero point, uint8.
    assert_eq!(quantize(&[&x, &scale], &[]).as_slice::<u8>().unwrap(), [0, 2, 0, 255, 2, 5]);
    // One scale for each row.
    let (scales, zeros) = (f32s(&[0.5, 100.0]), Array::from_slice(&[0i8, 1], [2]).unwrap());
    let axis = [("axis", Attribute::Int(0))];
    assert_eq!(quantize(&[&x, &scales, &zeros], &axis).as_slice::<i8>().unwrap(), [0, 2, -128, 4, 1, 1]);
    let back = node("DequantizeLinear", 13, &axis);
    let q = Array::from_slice(&[0i8, 2, -128, 4, 1, 1], [2, 3]).unwrap();
    let inputs = [&q, &scales, &zeros];
    let found = run(&translate(&back, &operands(&inputs)).unwrap(), &inputs);
    assert_eq!(found.as_slice::<f32>().unwrap(), [0.0, 1.0, -64.0, 300.0, 0.0, 0.0]);
    let inputs = [&q, &f32s(&[0.5])];
    let found = run(&translate(&Node::new("DequantizeLinear", 13), &operands(&inputs)).unwrap(), &inputs);
    assert_eq!(found.as_slice::<f32>().unwrap(), [0.0, 1.0, -64.0, 2.0, 0.5, 0.5]);
}

#[test]
fn quantised_operators_equal_their_parts() {
    let a = Array::from_slice(&[0u8, 100, 255, 7], [4]).unwrap();
    let b = Array::from_slice(&[9u8, 200, 3, 128], [4]).unwrap();
    let scalar = |value: f32| Array::from_slice(&[value], [1]).unwrap();
    let zero = |value: u8| Array::from_slice(&[value], [1]).unwrap();
    let (sa, za, sb, zb, sc, zc) = (scalar(0.1), zero(7), scalar(0.03), zero(99), scalar(0.2), zero(50));
    let inputs = [&a, &sa, &za, &b, &sb, &zb, &sc, &zc];
    for (name, apply) in [("QLinearAdd", (|x, y| x + y) as fn(f32, f32) -> f32), ("QLinearMul", |x, y| x * y)] {
        let node = Node { domain: "com.microsoft", ..Node::new(name, 1) };
        let found = run(&translate(&node, &operands(&inputs)).unwrap(), &inputs);
        let dequantized = |q: u8, scale: f32, zero: u8| (f32::from(q) - f32::from(zero)) * scale;
        let expected: Vec<u8> = a
            .as_slice::<u8>()
            .unwrap()
            .iter()
            .zip(b.as_slice::<u8>().unwrap())
            .map(|(&a, &b)| {
                let value = apply(dequantized(a, 0.1, 7), dequantized(b, 0.03, 99));
                ((value / 0.2).round_ties_even() + 50.0).clamp(0.0, 255.0) as u8
            })
            .collect();
        assert_eq!(found.as_slice::<u8>().unwrap(), expected, "{name}");
    }
}

#[test]
fn blocks_have_a_scale_each() {
    let q = Array::from_slice(&[1i8, 2, 3, 4, 5, 6, 7, 8], [2, 4]).unwrap();
    let scales = Array::from_slice(&[1.0f32, 10.0, 0.5, 2.0], [2, 2]).unwrap();
    let attributes = [("block_size", Attribute::Int(2)), ("axis", Attribute::Int(-1))];
    let inputs = [&q, &scales];
    let translation = translate(&node("DequantizeLinear", 21, &attributes), &operands(&inputs)).unwrap();
    let found = run(&translation, &inputs);
    assert_eq!(found.shape().to_vec(), [2, 2, 2]);
    assert_eq!(found.as_slice::<f32>().unwrap(), [1.0, 2.0, 30.0, 40.0, 2.5, 3.0, 14.0, 16.0]);
    // One scale for each block of rows.
    let rows = Array::from_slice(&[1.0f32, 10.0, 0.5, 2.0], [1, 4]).unwrap();
    let inputs = [&q, &rows];
    let attributes = [("block_size", Attribute::Int(2)), ("axis", Attribute::Int(0))];
    let translation = translate(&node("DequantizeLinear", 21, &attributes), &operands(&inputs)).unwrap();
    assert_eq!(run(&translation, &inputs).as_slice::<f32>().unwrap(), [1.0, 20.0, 1.5, 8.0, 5.0, 60.0, 3.5, 16.0]);
    let why = |alignment: Alignment, shape: &[usize]| View::from(alignment).shape(shape, 2).unwrap_err();
    assert_eq!(why(Alignment::Split { axis: 1, size: 3 }, &[2, 4]), "axis 1 has 4 elements, expected a multiple of 3");
    assert_eq!(why(Alignment::AlongAxis(2), &[4]), "axis 2 is not an axis of an operand of rank 2");
}

#[test]
fn conversions_use_onnx_s_numbers() {
    let x = f32s(&[1.75, -2.5, 300.0]);
    let cast = node("Cast", 19, &[("to", Attribute::Int(3))]);
    assert_eq!(run(&translate(&cast, &operands(&[&x])).unwrap(), &[&x]).as_slice::<i8>().unwrap(), [1, -2, 127]);
    let like = Array::from_slice(&[0u8], [1]).unwrap();
    let found = run(&translate(&Node::new("CastLike", 19), &operands(&[&x, &like])).unwrap(), &[&x, &like]);
    assert_eq!(found.as_slice::<u8>().unwrap(), [1, 0, 255]);
}

#[test]
fn refusals_say_why() {
    let x = f32s(&[1.0]);
    let why = |node: &Node<'_>| translate(node, &operands(&[&x])).unwrap_err().to_string();
    assert_eq!(why(&Node::new("MatMul", 13)), "MatMul: not an operator that is supported in opset 13 of ai.onnx");
    assert_eq!(why(&Node::new("Gelu", 19)), "Gelu: not an operator that is supported in opset 19 of ai.onnx");
    assert_eq!(
        why(&node("Gelu", 20, &[("approximate", Attribute::Text("sin"))])),
        "Gelu: attribute approximate is \"sin\", expected none or tanh"
    );
    assert_eq!(why(&Node::new("Cast", 19)), "Cast: data type 0 of attribute to is not supported");
    assert_eq!(
        why(&node("Elu", 6, &[("alpha", Attribute::Int(1))])),
        "Elu: attribute alpha is Int(1), expected a float"
    );
    assert_eq!(why(&Node::new("PRelu", 16)), "PRelu: operand 1 is missing");
    assert!(supports(&Node::new("Add", 28)) && !supports(&Node::new("Conv", 13)));
}
