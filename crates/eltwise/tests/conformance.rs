//! Broadcasting equals the records of NumPy, ONNX and PaddlePaddle in `tests/conformance`: shapes, values of views and
//! of copies, strings, and every error.

use eltwise::broadcasting::{Elements, broadcast_arrays, broadcast_of};
use eltwise::{Array, Broadcast, DType, Error, ErrorKind, Layout, Op, Program, Serial, Shape, View, broadcast};
use eltwise_reference::Tensor;
use eltwise_testkit::conformance::{Json, dtype, list, records, shape, tensor};
use eltwise_testkit::{Arrangement, Operand};

/// The bytes of a view's elements in C order.
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
    // Reversed inputs, at an offset that depends on the record.
    let arrangement =
        Arrangement { flips: u16::MAX, offset: list(&record["inputs"]).len() as u8, ..Arrangement::dense() };
    let inputs: Vec<Operand> = list(&record["inputs"])
        .iter()
        .map(|i| Operand::from_tensor(&tensor(dtype, &shape_of(&i["shape"]), &i["data"]), &arrangement))
        .collect();
    let views: Vec<View<'_>> = inputs.iter().map(Operand::view).collect();
    let common = shape_of(&record["output_shape"]);
    let (broadcast, copies) = (broadcast(&views).unwrap(), broadcast_arrays(&views).unwrap());
    let expected = list(&record["outputs"]);
    assert_eq!((broadcast.len(), copies.len()), (expected.len(), expected.len()), "{record}");
    for (((wide, copy), expected), view) in broadcast.iter().zip(&copies).zip(expected).zip(&views) {
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

/// Elements 0, 1, 2, ... in C order.
fn positions(shape: &Shape) -> Array {
    let count = shape.elements().unwrap();
    Array::from_slice(&(0..count as i64).collect::<Vec<_>>(), shape.clone()).unwrap()
}

/// The shape of A + B in a mode, and for each element the positions in A and in B that it comes from. A holds multiples
/// of a number larger than any position in B, so one sum gives both positions.
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
fn every_recorded_broadcast_value_is_reproduced() {
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

/// A case with more elements is planned but not run.
const MAX_ELEMENTS: usize = 100_000;

fn mode_of(record: &Json) -> Option<Broadcast> {
    Some(match record["mode"].as_str().unwrap() {
        "none" => Broadcast::None,
        "numpy" | "nary" => Broadcast::Numpy,
        "pdpd" => Broadcast::Pdpd { axis: record["axis"].as_i64().unwrap_or(-1) },
        "bidirectional" => Broadcast::Bidirectional { target: shape(&record["target"])? },
        other => panic!("unknown mode {other}"),
    })
}

/// The output shape of a plan in a mode: a sum for two and more operands, a copy for one, `broadcast_to` with a target.
fn plan(mode: &Broadcast, shapes: &[Shape]) -> Result<Shape, Error> {
    let layouts: Vec<Layout> = shapes
        .iter()
        // Only the shapes matter. Every operand repeats one byte, so huge shapes need no memory.
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
fn every_recorded_broadcast_case_has_the_same_shape_or_error() {
    let (mut fits, mut failed, mut run) = (0, 0, 0);
    for record in &records("broadcast_cases.json") {
        let shapes: Option<Vec<Shape>> = list(&record["inputs"]).iter().map(shape).collect();
        // No `Shape` has a negative size, so such a record has no operands to plan.
        let (Some(mode), Some(shapes)) = (mode_of(record), shapes) else {
            assert_eq!(record["expect"], "error", "{record}");
            failed += 1;
            continue;
        };
        let got = plan(&mode, &shapes);
        if record["expect"] == "error" {
            let error = got.expect_err("the record is of an error");
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
            failed += 1;
            continue;
        }
        let expected = shape_of(&record["expect"]);
        assert_eq!(got.unwrap_or_else(|e| panic!("{record}: {e}")), expected, "{record}");
        fits += 1;
        if expected.elements().unwrap() > MAX_ELEMENTS {
            continue;
        }
        run += 1;
        if matches!(mode, Broadcast::Bidirectional { .. }) || shapes.len() != 2 {
            check_views(&mode, &shapes, &expected);
            continue;
        }
        // Compare values too. NumPy's rule aligns the shape `b_aligned` of the record, if there is one, as the mode
        // aligns B.
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
    println!("{fits} broadcast, {run} of them run; {failed} errors");
    assert_eq!(fits + failed, 2091);
    assert!(run > 900);
}

/// Compares the views of any number of operands in the common shape with the reference.
fn check_views(mode: &Broadcast, shapes: &[Shape], expected: &Shape) {
    let arrays: Vec<Array> = shapes.iter().map(positions).collect();
    let tensors: Vec<Tensor> = shapes.iter().map(tensor_of_positions).collect();
    let mut all: Vec<&Tensor> = tensors.iter().collect();
    // A target takes part like one more operand.
    let target = match mode {
        Broadcast::Bidirectional { target } => Some(tensor_of_positions(target)),
        _ => None,
    };
    all.extend(&target);
    let views: Vec<View<'_>> = arrays.iter().map(Array::view).collect();
    let wide = eltwise::broadcasting::broadcast_with(&views, mode).unwrap();
    let reference = eltwise_reference::broadcast(&all).unwrap();
    for (view, reference) in wide.iter().zip(&reference) {
        assert_eq!(view.shape(), expected, "{mode} {shapes:?}");
        assert_eq!(elements(view), reference.data(), "{mode} {shapes:?}");
    }
}

fn tensor_of_positions(shape: &Shape) -> Tensor {
    let data = (0..shape.elements().unwrap() as i64).flat_map(i64::to_le_bytes).collect();
    Tensor::new(DType::I64, shape.clone(), data).unwrap()
}

#[test]
fn one_call_broadcasts_operands_of_several_dtypes() {
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
