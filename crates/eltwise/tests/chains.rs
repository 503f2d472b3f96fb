//! Chains: steps that follow each other in registers have the bits of the reference in every layout, in place, in runs of every
//! kind, and whatever else reads their results.

use eltwise::kernels::is_built;
use eltwise::{Array, BindOptions, DType, Expr, Layout, Program, Serial, Shape, Technique, View};
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::executors::ReverseOrder;
use eltwise_testkit::shapes::any_shape;
use eltwise_testkit::{Arrangement, Operand, arrangement, runner};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// Expressions over `x`, `y` and `z`, and the steps of their chains, as plan texts say.
const CASES: [(&str, &str); 10] = [
    // A hard swish spelt out.
    ("clamp(x + 3, 0, 6) * x / 6", "steps 1 to 4"),
    ("sqrt(abs(x) + y) * z", "steps 1 to 4"),
    ("(x * y - z) / y", "steps 1 to 2"),
    ("relu(x) - y", "steps 1 to 2"),
    ("maximum(minimum(x, y), z) * y", "steps 1 to 3"),
    // A value that two steps read.
    ("square(x * y + z) - (x * y + z)", "steps 1 to 3"),
    ("negative(x - y) * (x - y) + z", "steps 1 to 3"),
    // Operands around the running value.
    ("y / (z - (x + y))", "steps 1 to 3"),
    ("fma(y, z, x / y) - z", "steps 1 to 3"),
    ("leaky_relu(x - y, 0.1) * hard_sigmoid(x, 0.2, 0.5)", "steps 1 to 2"),
];

fn fail(what: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(what.to_string())
}

const NAMES: [&str; 3] = ["x", "y", "z"];

fn dtypes() -> impl Iterator<Item = DType> {
    [DType::F32, DType::F64].into_iter().filter(|&dtype| is_built(dtype))
}

/// The program of an expression over the operands that it names.
fn program(text: &str, dtype: DType) -> (Program, Vec<&'static str>) {
    let names: Vec<&str> = NAMES.into_iter().filter(|name| text.contains(name)).collect();
    let inputs: Vec<(&str, DType)> = names.iter().map(|&name| (name, dtype)).collect();
    (Program::parse(text, &inputs).unwrap(), names)
}

#[test]
fn plan_texts_name_the_steps_of_chains() {
    // Before and after a function that is no link, too.
    let with_math = [("exp(x / y - z) * y + 1", "steps 1 to 2"), ("abs(tanh(x)) * y - z", "steps 2 to 3")];
    for (text, chained) in CASES.into_iter().chain(with_math) {
        let (program, names) = program(text, DType::F32);
        let layout = Layout::contiguous(DType::F32, [10_000]).unwrap();
        let plan = program.bind(&vec![&layout; names.len()]).unwrap();
        let explained = plan.explain(1).to_string();
        assert!(explained.contains(&format!("chain      {chained}\n")) || explained.ends_with(chained), "{explained}");
        assert!(plan.techniques().contains(&Technique::Chained));
    }
    // Integers, rounding between steps, and functions that are kernels of their own.
    for (text, dtype) in [("x * y - x", DType::I32), ("exp(x) / tanh(y)", DType::F32), ("abs(x) - y", DType::F16)] {
        if is_built(dtype) {
            let (program, names) = program(text, dtype);
            let layout = Layout::contiguous(dtype, [10_000]).unwrap();
            let plan = program.bind(&vec![&layout; names.len()]).unwrap();
            assert!(!plan.techniques().contains(&Technique::Chained), "{}", plan.explain(1));
        }
    }
}

#[test]
fn chains_have_the_bits_of_the_reference_in_every_layout() {
    let isas = check::isas();
    let dtypes: Vec<DType> = dtypes().collect();
    let spec = || (any::<u8>(), arrangement());
    let strategy =
        (0..CASES.len(), 0..dtypes.len(), any_shape(), [spec(), spec(), spec()], arrangement(), any::<u64>());
    let result = runner(8.0).run(&strategy, |(which, dtype, shape, specs, out, seed)| {
        let (text, _) = CASES[which];
        let (program, names) = program(text, dtypes[dtype]);
        let operand = |(i, _): (usize, &&str)| {
            let (ones, arrangement) = &specs[i];
            let axes = shape.iter().enumerate().map(|(axis, &n)| if ones >> axis & 1 == 1 { 1 } else { n });
            let shape: Shape = if i as u64 == seed % 2 { shape.clone() } else { axes.collect() };
            Operand::input(dtypes[dtype], &shape, arrangement, seed.wrapping_add(i as u64))
        };
        let inputs: Vec<Operand> = names.iter().enumerate().map(operand).collect();
        let tensors: Vec<_> = inputs.iter().map(Operand::tensor).collect();
        let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).map_err(fail)?;
        let out = [out];
        for &isa in &isas {
            let given = (seed % 3 == 0).then_some(&out[..]);
            let (plan, fresh) = check::bind(&program, &inputs, expected[0].shape(), given, isa).map_err(fail)?;
            for mode in [RunMode::On(&Serial), RunMode::On(&ReverseOrder(7)), RunMode::Tasks(3)] {
                let mut outputs = fresh.clone();
                let _ = check::run(&plan, mode, &inputs, &mut outputs).map_err(fail)?;
                check::compare_outputs(&expected, &outputs, false)
                    .map_err(|e| fail(format!("{text} on {isa}: {e}\n{}", plan.explain(1))))?;
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn chains_run_in_place_at_many_lengths() {
    let dense = Arrangement::default();
    for ((text, _), dtype) in CASES.into_iter().flat_map(|case| dtypes().map(move |dtype| (case, dtype))) {
        let (program, names) = program(text, dtype);
        for n in (0..140).step_by(7).chain([63, 64, 127, 128, 255, 256, 1000, 4099]) {
            let shape = Shape::from([n]);
            let inputs: Vec<Operand> =
                (0..names.len()).map(|i| Operand::input(dtype, &shape, &dense, i as u64)).collect();
            let tensors: Vec<_> = inputs.iter().map(Operand::tensor).collect();
            let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
            let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
            for isa in check::isas() {
                let plan = program.bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap();
                for index in 0..inputs.len() {
                    let mut in_out = inputs[index].clone();
                    let others: Vec<View<'_>> =
                        inputs.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, o)| o.view()).collect();
                    // An input that is read after the output is written cannot be its memory.
                    if plan.run_in_place(&Serial, index, &others, &mut in_out.view_mut()).is_ok() {
                        check::compare_tensors(&expected[0], &in_out.tensor(), false)
                            .unwrap_or_else(|e| panic!("{text} on {isa}, {n} elements, onto input {index}: {e}"));
                    }
                }
            }
        }
    }
}

#[test]
fn results_in_the_middle_of_a_chain_are_outputs() {
    let (x, y) = (Expr::input("x"), Expr::input("y"));
    let sum = &x + &y;
    let root = sum.abs().sqrt();
    let quotient = &root / &x;
    let program = Program::new(&[&quotient, &sum, &root], &[("x", DType::F32), ("y", DType::F32)]).unwrap();
    for n in [1, 100, 5000] {
        let numbers = |start: usize| (0..n).map(|i| ((i + start) % 23) as f32 - 7.5).collect::<Vec<_>>();
        let (a, b) = (numbers(0), numbers(9));
        let (x, y) = (Array::from_slice(&a, [n]).unwrap(), Array::from_slice(&b, [n]).unwrap());
        for isa in check::isas() {
            let plan = program.bind_with(&[x.layout(), y.layout()], &BindOptions::new().isa(isa)).unwrap();
            assert_eq!(plan.techniques().contains(&Technique::Chained), n >= 100);
            let arrays = plan.run_to_arrays(&Serial, &[x.view(), y.view()]).unwrap();
            let element = |i: usize| {
                let sum = a[i] + b[i];
                [sum.abs().sqrt() / a[i], sum, sum.abs().sqrt()]
            };
            for (output, array) in arrays.iter().enumerate() {
                let expected: Vec<f32> = (0..n).map(|i| element(i)[output]).collect();
                assert_eq!(array.as_slice::<f32>().unwrap(), expected, "output {output}, {n} elements on {isa}");
            }
        }
    }
}
