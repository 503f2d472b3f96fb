//! `DequantizeLinear`, an operator and `QuantizeLinear` as one program: the bits are those of the three nodes one by one, for every
//! pair of bytes. Elements of four bits equal those that were taken apart before.

use eltwise::{Accuracy, Array, DType, Expr, Program};
use eltwise_onnx::graph::{Dim, Graph, GraphNode, Value};
use eltwise_onnx::partition::partition;
use eltwise_onnx::policy::{PartitionOptions, Policy};
use eltwise_onnx::{Attribute, FourBits, GroupInput, GroupProgram, Node, Operand, translate};
use support::viewed;

mod support;

/// Scales and zero points of two operands and a result for each operator.
const PARAMETERS: usize = 100;

/// Marsaglia, "Xorshift RNGs" (2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A scale from 2^-12 to 2^4; every third one a power of two, for which many quotients are ties.
    fn scale(&mut self) -> f32 {
        let exponent = (self.next() % 16) as i32 - 12;
        let mantissa =
            if self.next().is_multiple_of(3) { 1.0 } else { 1.0 + (self.next() >> 40) as f32 / (1 << 24) as f32 };
        mantissa * 2f32.powi(exponent)
    }
}

/// The output of a node of one output.
fn apply(op_type: &str, operands: &[&Operand]) -> Operand {
    let operands: Vec<Option<Operand>> = operands.iter().map(|&operand| Some(operand.clone())).collect();
    let translation = translate(&Node::new(op_type, 21), &operands).unwrap();
    Operand::new(translation.expr.clone(), translation.dtype)
}

/// Runs an expression over arrays by name.
fn run(expr: &Expr, arrays: &[(&str, &Array)]) -> Array {
    let used: Vec<&(&str, &Array)> = arrays.iter().filter(|(name, _)| expr.names().contains(name)).collect();
    let inputs: Vec<(&str, DType)> = used.iter().map(|(name, array)| (*name, array.dtype())).collect();
    let program = Program::new(&[expr], &inputs).unwrap();
    let arrays: Vec<&Array> = used.iter().map(|(_, array)| *array).collect();
    support::run(&program, &arrays).remove(0)
}

/// All pairs of bytes as two arrays of a dtype.
fn pairs(dtype: DType) -> (Array, Array) {
    let (mut a, mut b) = (Array::zeros(dtype, [65536]).unwrap(), Array::zeros(dtype, [65536]).unwrap());
    for i in 0..65536usize {
        a.bytes_mut()[i] = i as u8;
        b.bytes_mut()[i] = (i >> 8) as u8;
    }
    (a, b)
}

#[test]
fn fused_bits_are_those_of_the_nodes() {
    let mut random = Random(40);
    let number = |name: &str, dtype| Operand::new(Expr::input(name), dtype);
    for dtype in [DType::U8, DType::I8] {
        let (a, b) = pairs(dtype);
        for op_type in ["Add", "Sub", "Mul", "Div", "Max", "Sigmoid", "LeakyRelu", "HardSwish"] {
            for _ in 0..PARAMETERS {
                let scales = [(); 3].map(|()| Array::from_slice(&[random.scale()], [1]).unwrap());
                let zeros = [(); 3].map(|()| {
                    let mut zero = Array::zeros(dtype, [1]).unwrap();
                    zero.bytes_mut()[0] = random.next() as u8;
                    zero
                });
                let [sa, sb, sc] = ["sa", "sb", "sc"].map(|name| number(name, DType::F32));
                let [za, zb, zc] = ["za", "zb", "zc"].map(|name| number(name, dtype));
                let is_binary = matches!(op_type, "Add" | "Sub" | "Mul" | "Div" | "Max");
                let (qa, qb) = (number("a", dtype), number("b", dtype));
                let (x, y) = (apply("DequantizeLinear", &[&qa, &sa, &za]), apply("DequantizeLinear", &[&qb, &sb, &zb]));
                let value = if is_binary { apply(op_type, &[&x, &y]) } else { apply(op_type, &[&x]) };
                let fused = apply("QuantizeLinear", &[&value, &sc, &zc]);
                let mut arrays = vec![
                    ("a", &a),
                    ("b", &b),
                    ("sa", &scales[0]),
                    ("sb", &scales[1]),
                    ("sc", &scales[2]),
                    ("za", &zeros[0]),
                    ("zb", &zeros[1]),
                    ("zc", &zeros[2]),
                ];
                let at_once = run(&fused.expr, &arrays);

                let (x, y) = (run(&x.expr, &arrays), run(&y.expr, &arrays));
                arrays.extend([("x", &x), ("y", &y)]);
                let [fx, fy, fv] = ["x", "y", "v"].map(|name| number(name, DType::F32));
                let value = if is_binary { apply(op_type, &[&fx, &fy]) } else { apply(op_type, &[&fx]) };
                let value = run(&value.expr, &arrays);
                arrays.push(("v", &value));
                let one_by_one = run(&apply("QuantizeLinear", &[&fv, &sc, &zc]).expr, &arrays);
                let differs = at_once.bytes().iter().zip(one_by_one.bytes()).position(|(a, b)| a != b);
                assert_eq!(
                    differs,
                    None,
                    "{op_type} of {dtype}, scales {:?}",
                    scales.map(|s| s.as_slice::<f32>().unwrap()[0])
                );
            }
        }
    }
}

#[test]
fn infinities_saturate_and_nan_is_0() {
    let x = Array::from_slice(&[f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.25], [4]).unwrap();
    let (scale, zero) = (Array::from_slice(&[0.5f32], [1]).unwrap(), Array::from_slice(&[7i8], [1]).unwrap());
    let [v, s] = ["v", "s"].map(|name| Operand::new(Expr::input(name), DType::F32));
    let z = Operand::new(Expr::input("z"), DType::I8);
    let found = run(&apply("QuantizeLinear", &[&v, &s, &z]).expr, &[("v", &x), ("s", &scale), ("z", &zero)]);
    assert_eq!(found.as_slice::<i8>().unwrap(), [127, -128, 0, 7]);
}

/// A value that is computed by a group of one node, DequantizeLinear.
fn dequantised(q: Value, others: [(Value, Array); 2], attributes: &[(&str, Attribute<'_>)], bytes: &Array) -> Vec<f32> {
    let [(scale, scales), (zero_point, zero_points)] = others;
    let shape: Vec<usize> = sizes(&q);
    let result = Value { dtype: Some(DType::F32), shape: q.shape.clone(), is_live_out: true, ..Value::default() };
    let node = GraphNode {
        node: Node { attributes, ..Node::new("DequantizeLinear", 21) },
        operands: vec![Some(0), Some(1), Some(2)],
        results: vec![Some(3)],
        is_assigned: false,
    };
    let graph = Graph { values: vec![q, scale, zero_point, result], nodes: vec![node] };
    let groups = partition(&graph, PartitionOptions::new(Policy::Auto)).groups;
    let GroupProgram { program, inputs, .. } = GroupProgram::new(&graph, &groups[0], Accuracy::Fast).unwrap();
    let arrays: Vec<Array> = inputs
        .iter()
        .map(|input| match input {
            GroupInput::NibbleShifts(dtype) => {
                let mut shifts = Array::zeros(*dtype, [2]).unwrap();
                shifts.bytes_mut().copy_from_slice(&GroupInput::SHIFTS);
                shifts
            }
            GroupInput::Value(input) => {
                let (array, logical) = match input.value {
                    0 => (bytes, shape.clone()),
                    1 => (&scales, scales.shape().to_vec()),
                    _ => (&zero_points, zero_points.shape().to_vec()),
                };
                viewed(array, input.view, &logical, shape.len())
            }
        })
        .collect();
    let out = support::run(&program, &arrays.iter().collect::<Vec<_>>()).remove(0);
    out.as_slice::<f32>().unwrap().to_vec()
}

/// The shape of the elements, that of the scales, attributes, and the number of an element's scale.
type FourBitCase =
    (&'static [usize], &'static [usize], &'static [(&'static str, Attribute<'static>)], fn(usize) -> usize);

fn sizes(value: &Value) -> Vec<usize> {
    let size = |dim: &Dim| if let Dim::Size(size) = dim { *size } else { unreachable!("the tests have sizes") };
    value.shape.iter().flatten().map(size).collect()
}

/// Every byte has two elements of four bits: in rows with a scale each, and in blocks.
#[test]
fn elements_of_four_bits_are_taken_apart() {
    let value = |dtype, shape: &[usize]| Value {
        dtype: Some(dtype),
        shape: Some(shape.iter().map(|&size| Dim::Size(size)).collect()),
        ..Value::default()
    };
    let bytes: Vec<u8> = (0..=255).collect();
    let scales: Vec<f32> = (1..=32).map(|i| i as f32 / 8.0).collect();
    for dtype in [DType::I8, DType::U8] {
        let mut array = Array::zeros(dtype, [256]).unwrap();
        array.bytes_mut().copy_from_slice(&bytes);
        let cases: [FourBitCase; 3] = [
            (&[32, 16], &[32], &[("axis", Attribute::Int(0))], |i| i / 16),
            (&[4, 128], &[4, 8], &[("block_size", Attribute::Int(16))], |i| i / 16),
            (&[32, 16], &[2, 16], &[("axis", Attribute::Int(0)), ("block_size", Attribute::Int(16))], |i| {
                i / 256 * 16 + i % 16
            }),
        ];
        for (shape, scales_shape, attributes, scale_of) in cases {
            let scales_array = Array::from_slice(&scales, scales_shape).unwrap();
            let mut zero_points = Array::zeros(dtype, scales_shape).unwrap();
            zero_points.bytes_mut().iter_mut().enumerate().for_each(|(i, zero)| *zero = (i % 5) as u8);
            let zeros = Value { four_bits: Some(FourBits::OnePerByte), ..value(dtype, scales_shape) };
            let found = dequantised(
                Value { four_bits: Some(FourBits::TwoPerByte), ..value(dtype, shape) },
                [(value(DType::F32, scales_shape), scales_array), (zeros, zero_points)],
                attributes,
                &array,
            );
            for (i, found) in found.into_iter().enumerate() {
                let half = i32::from(bytes[i / 2] >> (i % 2 * 4) & 15);
                let element = if dtype == DType::I8 && half > 7 { half - 16 } else { half };
                let (zero, scale) = ((scale_of(i) % 5) as i32, scales[scale_of(i)]);
                assert_eq!(found, (element - zero) as f32 * scale, "{dtype} {shape:?} {i}");
            }
        }
    }
}
