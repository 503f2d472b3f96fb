//! The records of `tests/conformance` through the engine: n-ary broadcasting as views and as copies, PDPD on data,
//! strings, and every refusal.

use eltwise::broadcasting::{Elements, broadcast_arrays, broadcast_of};
use eltwise::{Array, Broadcast, DType, Error, ErrorKind, Layout, Op, Program, Serial, Shape, View, broadcast};
use eltwise_reference::Tensor;
use eltwise_testkit::conformance::{Json, dtype, list, records, shape, tensor};
use eltwise_testkit::{Arrangement, Operand};

/// The bytes of a view's elements in C order, by a copy.
fn elements(view: &View<'_>) -> Vec<u8> {
    let dense = Operand::canary(view.dtype(), view.shape(), &Arrangement::dense());
    let mut out = [dense];
    let program = Program::single(Op::Copy, &[view.dtype()], None, Broadcast::Numpy).unwrap();
    let options = eltwise::BindOptions::new().outputs([out[0].layout().clone()]);
    let plan = program.bind_with(&[view.layout()], &options).unwrap();
    let _ = plan.run_with(&Serial, std::slice::from_ref(view), &mut [out[0].view_mut()]).unwrap();
    out[0].tensor().into_data()
}

fn shape_of(v: &Json) -> Shape {
    shape(v).unwrap_or_else(|| panic!("not a shape: {v}"))
}

fn check_elements(record: &Json) {
    let dtype = dtype(record["dtype"].as_str().unwrap());
    // Layouts differ from record to record.
    let lie = Arrangement { flips: u16::MAX, offset: list(&record["inputs"]).len() as u8, ..Arrangement::dense() };
    let inputs: Vec<Operand> = list(&record["inputs"])
        .iter()
        .map(|i| Operand::holding(&tensor(dtype, &shape_of(&i["shape"]), &i["data"]), &lie))
        .collect();
    let views: Vec<View<'_>> = inputs.iter().map(Operand::view).collect();
    let common = shape_of(&record["output_shape"]);
    let (wide, copies) = (broadcast(&views).unwrap(), broadcast_arrays(&views).unwrap());
    let expected = list(&record["outputs"]);
    assert_eq!((wide.len(), copies.len()), (expected.len(), expected.len()), "{record}");
    for (((wide, copy), expected), view) in wide.iter().zip(&copies).zip(expected).zip(&views) {
        let expected = tensor(dtype, &common, expected);
        assert_eq!((wide.shape(), copy.shape()), (&common, &common), "{record}");
        assert_eq!(elements(wide), expected.data(), "{record}");
        assert_eq!(elements(&copy.view()), expected.data(), "{record}");
        let one = eltwise::broadcast_to(view, common.clone()).unwrap();
        assert_eq!(elements(&one.view()), expected.data(), "{record}");
    }
}

fn check_strings(record: &Json) {
    let strings = |v: &Json| list(v).iter().map(|s| s.as_str().unwrap().to_owned()).collect::<Vec<String>>();
    let inputs: Vec<Elements<String>> = list(&record["inputs"])
        .iter()
        .map(|i| Elements::new(strings(&i["data"]), shape_of(&i["shape"])).unwrap())
        .collect();
    let outputs = broadcast_of(&inputs.iter().collect::<Vec<_>>()).unwrap();
    let expected = list(&record["outputs"]);
    assert_eq!(outputs.len(), expected.len());
    for (out, expected) in outputs.iter().zip(expected) {
        assert_eq!(*out, Elements::new(strings(expected), shape_of(&record["output_shape"])).unwrap(), "{record}");
    }
}

/// Numbers 0, 1, 2, ... for each element.
fn positions(shape: &Shape) -> Array {
    let count = shape.elements().unwrap();
    Array::from_slice(&(0..count as i64).collect::<Vec<_>>(), shape.clone()).unwrap()
}

/// A + B where A holds multiples of a number that no position in B reaches: what each operand gave is read off.
fn add(a: &Shape, b: &Shape, mode: &Broadcast) -> Result<(Shape, Vec<i64>, Vec<i64>), Error> {
    const STEP: i64 = 1 << 32;
    let (mut left, right) = (positions(a), positions(b));
    left.as_mut_slice::<i64>().unwrap().iter_mut().for_each(|x| *x *= STEP);
    let sum = eltwise::functions::apply(Op::Add, &[left.view(), right.view()], None, mode.clone())?;
    let view = sum.view();
    let values: Vec<i64> = elements(&view).chunks_exact(8).map(|c| i64::from_le_bytes(c.try_into().unwrap())).collect();
    let from = |f: fn(i64) -> i64| values.iter().map(|&x| f(x)).collect();
    Ok((sum.shape().clone(), from(|x| x / STEP), from(|x| x % STEP)))
}

fn check_pdpd(record: &Json) {
    let shapes: Vec<Shape> = list(&record["inputs"]).iter().map(|i| shape_of(&i["shape"])).collect();
    let mode = Broadcast::Pdpd { axis: record["axis"].as_i64().unwrap() };
    let (common, from_a, from_b) = add(&shapes[0], &shapes[1], &mode).unwrap();
    assert_eq!(common, shape_of(&record["output_shape"]), "{record}");
    let expected: Vec<i64> = list(&record["b_flat_index"]).iter().map(|i| i.as_i64().unwrap()).collect();
    assert_eq!(from_b, expected, "{record}");
    assert_eq!(from_a, (0..from_a.len() as i64).collect::<Vec<_>>(), "{record}");
}

#[test]
fn every_broadcast_value() {
    let mut seen = [0; 3];
    for record in &records("broadcast_values.json") {
        let (kind, check): (usize, fn(&Json)) = match (record["op"].as_str(), record["dtype"].as_str()) {
            (Some("pdpd"), _) => (0, check_pdpd),
            (Some("Broadcast"), Some("string")) => (1, check_strings),
            (Some("Broadcast"), Some(_)) => (2, check_elements),
            other => panic!("unknown record {other:?}"),
        };
        check(record);
        seen[kind] += 1;
    }
    assert_eq!(seen, [9, 7, 92]);
}

/// Most elements that a case is run with.
const MOST: usize = 100_000;

fn mode_of(record: &Json) -> Option<Broadcast> {
    Some(match record["mode"].as_str().unwrap() {
        "none" => Broadcast::None,
        "numpy" | "nary" => Broadcast::Numpy,
        "pdpd" => Broadcast::Pdpd { axis: record["axis"].as_i64().unwrap_or(-1) },
        "bidirectional" => Broadcast::Bidirectional { target: shape(&record["target"])? },
        other => panic!("unknown mode {other}"),
    })
}

/// Plans the record's operands: their sum for two or more, `broadcast_to` for one with a target.
fn plan(mode: &Broadcast, shapes: &[Shape]) -> Result<Shape, Error> {
    let layouts: Vec<Layout> = shapes
        .iter()
        // Only the shapes count: one byte for each operand, repeated, so that huge ones are no problem.
        .map(|s| Layout::strided(DType::U8, s.clone(), s.iter().map(|_| 0).collect::<eltwise::Strides>()))
        .collect::<Result<_, _>>()?;
    let layouts: Vec<&Layout> = layouts.iter().collect();
    let program = match (mode, shapes.len()) {
        (Broadcast::Bidirectional { .. }, _) => Program::single(Op::BroadcastTo, &[DType::U8], None, mode.clone())?,
        (_, 1) => Program::single(Op::Copy, &[DType::U8], None, mode.clone())?,
        _ => {
            let mut b = eltwise::ProgramBuilder::new();
            let inputs: Vec<_> = (0..shapes.len()).map(|i| b.input(&format!("x{i}"), DType::U8)).collect();
            let mut total = inputs[0];
            for &x in &inputs[1..] {
                total = b.step(Op::Add, &[total, x], None, mode.clone())?;
            }
            b.output(total);
            Program::from(b.finish()?)
        }
    };
    Ok(program.bind(&layouts)?.output_layouts()[0].shape().clone())
}

#[test]
fn every_broadcast_case() {
    let (mut fits, mut refused, mut run) = (0, 0, 0);
    for record in &records("broadcast_cases.json") {
        let shapes: Option<Vec<Shape>> = list(&record["inputs"]).iter().map(shape).collect();
        // A negative size cannot be written down as a shape: that is its refusal.
        let (Some(mode), Some(shapes)) = (mode_of(record), shapes) else {
            assert_eq!(record["expect"], "error", "{record}");
            refused += 1;
            continue;
        };
        let got = plan(&mode, &shapes);
        if record["expect"] == "error" {
            let error = got.expect_err("a refusal");
            let overflow = record["error_kind"] == "overflow";
            let kinds: &[ErrorKind] = if overflow {
                &[ErrorKind::TooLarge]
            } else {
                &[ErrorKind::Broadcast, ErrorKind::Arity, ErrorKind::Parse, ErrorKind::Other]
            };
            assert!(kinds.contains(&error.kind()), "{record}: {error:?}");
            if error.kind() == ErrorKind::Broadcast && shapes.len() == 2 {
                let text = error.to_string();
                assert!(shapes.iter().all(|s| text.contains(&s.to_string())), "{text}: {record}");
            }
            refused += 1;
            continue;
        }
        let expected = shape_of(&record["expect"]);
        assert_eq!(got.unwrap_or_else(|e| panic!("{record}: {e}")), expected, "{record}");
        fits += 1;
        if expected.elements().unwrap() > MOST {
            continue;
        }
        run += 1;
        if matches!(mode, Broadcast::Bidirectional { .. }) || shapes.len() != 2 {
            check_views(&mode, &shapes, &expected);
            continue;
        }
        // On data: B lies as `b_aligned` says, else as NumPy's rule does.
        let (common, from_a, from_b) = add(&shapes[0], &shapes[1], &mode).unwrap();
        assert_eq!(common, expected);
        let as_numpy = record.get("b_aligned").and_then(shape).unwrap_or_else(|| shapes[1].clone());
        let both = [&shapes[0], &as_numpy].map(tensor_of_positions);
        let wide = eltwise_reference::broadcast(&[&both[0], &both[1]]).unwrap();
        for (got, expected) in [from_a, from_b].iter().zip(&wide) {
            let expected: Vec<i64> = expected.values().map(|v| v.to_i128() as i64).collect();
            assert_eq!(*got, expected, "{record}");
        }
    }
    println!("{fits} fit, {run} of them run; {refused} refused");
    assert_eq!(fits + refused, 2091);
    assert!(run > 900);
}

/// Views in the common shape, of any number of operands, against the oracle.
fn check_views(mode: &Broadcast, shapes: &[Shape], expected: &Shape) {
    let arrays: Vec<Array> = shapes.iter().map(positions).collect();
    let tensors: Vec<Tensor> = shapes.iter().map(tensor_of_positions).collect();
    let mut all: Vec<&Tensor> = tensors.iter().collect();
    // The target is one operand more of the same rule.
    let target = match mode {
        Broadcast::Bidirectional { target } => Some(tensor_of_positions(target)),
        _ => None,
    };
    all.extend(&target);
    let views: Vec<View<'_>> = arrays.iter().map(Array::view).collect();
    let wide = eltwise::broadcasting::broadcast_with(&views, mode).unwrap();
    let oracle = eltwise_reference::broadcast(&all).unwrap();
    for (view, oracle) in wide.iter().zip(&oracle) {
        assert_eq!(view.shape(), expected, "{mode} {shapes:?}");
        assert_eq!(elements(view), oracle.data(), "{mode} {shapes:?}");
    }
}

fn tensor_of_positions(shape: &Shape) -> Tensor {
    let data = (0..shape.elements().unwrap() as i64).flat_map(i64::to_le_bytes).collect();
    Tensor::new(DType::I64, shape.clone(), data).unwrap()
}

/// One call with several dtypes, and strings in a second one.
#[test]
fn mixed_dtypes_in_one_call() {
    let half = Array::from_slice(&[0xfc01u16, 0x8000].map(half::f16::from_bits), [2, 1]).unwrap();
    let bytes = [0u8, 1, 0x40];
    let flags = View::from_bytes(&bytes, Layout::contiguous(DType::Bool, [3]).unwrap(), 0).unwrap();
    let wide = Array::scalar([7u8; 16]);
    let all = broadcast_arrays(&[half.view(), flags, wide.view()]).unwrap();
    assert!(all.iter().all(|a| a.shape().dims() == [2, 3]));
    assert_eq!(all[0].bytes(), [1, 0xfc, 1, 0xfc, 1, 0xfc, 0, 0x80, 0, 0x80, 0, 0x80]);
    assert_eq!(all[1].bytes(), [0, 1, 0x40, 0, 1, 0x40]);
    assert_eq!(all[2].bytes(), [7u8; 96]);
}
