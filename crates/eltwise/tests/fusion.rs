//! Fused steps: the planner fuses every pattern, over any layouts and on every ISA, and the results have the bits of
//! the separate steps.

use eltwise::kernels::is_built;
use eltwise::{Array, BindOptions, DType, Layout, Program, Serial, Shape, View};
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::executors::ReverseOrder;
use eltwise_testkit::shapes::any_shape;
use eltwise_testkit::{Arrangement, Operand, arrangement, runner};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// Expressions of two operators over one dtype, and the name of their fused step.
const PAIRS: [(&str, &str); 11] = [
    ("x * y + z", "multiply+add"),
    ("z + x * y", "multiply+add"),
    ("x * y - z", "multiply+subtract"),
    ("x * y * z", "multiply+multiply"),
    ("z * (y * x)", "multiply+multiply"),
    ("(x + y) * z", "add+multiply"),
    ("x + y + z", "add+add"),
    ("x + (y + z)", "add+add"),
    ("relu(x + y)", "add+relu"),
    ("(x - y) * z", "subtract+multiply"),
    ("(x - y) / z", "subtract+divide"),
];

/// Expressions whose operand `x` is cast to `f32`.
const LOADED: [(&str, &str); 9] = [
    ("cast(x, f32) + y", "cast+add"),
    ("y + cast(x, f32)", "cast+add"),
    ("cast(x, f32) - y", "cast+subtract"),
    ("y * cast(x, f32)", "cast+multiply"),
    ("cast(x, f32) * y + z", "cast+multiply+add"),
    ("z + y * cast(x, f32)", "cast+multiply+add"),
    ("(cast(x, f32) - y) * z", "cast+subtract+multiply"),
    ("z * (cast(x, f32) - y)", "cast+subtract+multiply"),
    ("(cast(x, f32) - y) / z", "cast+subtract+divide"),
];

/// Expressions over `f32` whose result is cast to T. In some, `x` is of T too and is cast to `f32`.
const STORED: [(&str, &str); 10] = [
    ("cast(x + y, T)", "add+cast"),
    ("cast(x - y, T)", "subtract+cast"),
    ("cast(x * y, T)", "multiply+cast"),
    ("cast(x * y + z, T)", "multiply+add+cast"),
    ("cast(z + y * x, T)", "multiply+add+cast"),
    ("cast((x - y) * z, T)", "subtract+multiply+cast"),
    ("cast((x - y) / z, T)", "subtract+divide+cast"),
    ("cast(cast(x, f32) + y, T)", "cast+add+cast"),
    ("cast(y * cast(x, f32) + z, T)", "cast+multiply+add+cast"),
    ("cast((cast(x, f32) - y) / z, T)", "cast+subtract+divide+cast"),
];

/// An expression, the dtype of `x`, the dtype of `y` and `z`, and the name of the fused step.
type Case = (String, DType, DType, &'static str);

fn cases() -> Vec<Case> {
    let over = |dtypes: &'static [DType], t: Option<DType>, table: &'static [(&str, &str)]| {
        let case = move |&x: &DType| table.iter().map(move |&(text, name)| (text.to_string(), x, t.unwrap_or(x), name));
        dtypes.iter().flat_map(case)
    };
    let mut all: Vec<Case> = over(&[DType::F32, DType::F64], None, &PAIRS).collect();
    all.extend(over(&[DType::I8, DType::U8, DType::F16, DType::BF16], Some(DType::F32), &LOADED));
    all.extend(over(&[DType::I32, DType::U8, DType::I64], None, &[("x * y + z", "fma")]));
    for to in [DType::F16, DType::BF16].into_iter().filter(|&to| is_built(to)) {
        all.extend(STORED.iter().map(|&(text, name)| {
            let x = if text.contains("cast(x, f32)") { to } else { DType::F32 };
            (text.replace('T', to.name()), x, DType::F32, name)
        }));
    }
    all.retain(|&(_, x, t, _)| is_built(x) && is_built(t));
    all
}

fn fail(what: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(what.to_string())
}

/// The operands that a text names. `specs` has the axes of size 1 and the arrangement of each; one operand has the full
/// `shape`.
fn operands(case: &Case, shape: &Shape, specs: &[(u8, Arrangement); 3], seed: u64) -> Vec<(&'static str, Operand)> {
    let (text, x, t, _) = case;
    let named = ["x", "y", "z"].into_iter().filter(|name| text.contains(name)).enumerate();
    named
        .map(|(i, name)| {
            let (ones, arrangement) = &specs[i];
            let axes = shape.iter().enumerate().map(|(axis, &n)| if ones >> axis & 1 == 1 { 1 } else { n });
            let shape: Shape = if i as u64 == seed % 2 { shape.clone() } else { axes.collect() };
            let dtype = *if name == "x" { x } else { t };
            (name, Operand::input(dtype, &shape, arrangement, seed.wrapping_add(i as u64)))
        })
        .collect()
}

fn parsed(case: &Case, operands: &[(&'static str, Operand)]) -> Program {
    let dtypes: Vec<(&str, DType)> = operands.iter().map(|(name, o)| (*name, o.layout().dtype())).collect();
    Program::parse(&case.0, &dtypes).expect("it parses")
}

#[test]
fn every_fused_step_has_the_bits_of_its_steps_in_every_layout() {
    let (isas, cases) = (check::isas(), cases());
    let spec = || (any::<u8>(), arrangement());
    let strategy = (0..cases.len(), any_shape(), [spec(), spec(), spec()], arrangement(), any::<u64>());
    let result = runner(8.0).run(&strategy, |(which, shape, specs, out, seed)| {
        let case = &cases[which];
        let operands = operands(case, &shape, &specs, seed);
        let program = parsed(case, &operands);
        let inputs: Vec<Operand> = operands.into_iter().map(|(_, operand)| operand).collect();
        let tensors: Vec<_> = inputs.iter().map(Operand::tensor).collect();
        let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).map_err(fail)?;
        let out = [out];
        for &isa in &isas {
            let given = (seed % 3 == 0).then_some(&out[..]);
            let (plan, fresh) = check::bind(&program, &inputs, expected[0].shape(), given, isa).map_err(fail)?;
            let text = plan.explain(1).to_string();
            let steps: Vec<&str> = text.lines().filter(|line| line.contains("  step  ")).collect();
            let is_one = steps.len() == 1 && steps[0].contains(&format!(" {}(", case.3));
            // A part with fewer elements may be hoisted instead.
            let is_hoisted = text.contains("\n  stage ");
            if !is_one && !is_hoisted && !expected[0].shape().contains(&0) {
                return Err(fail(format!("{case:?} is not fused:\n{text}")));
            }
            for mode in [RunMode::On(&Serial), RunMode::On(&ReverseOrder(7)), RunMode::Tasks(3)] {
                let mut outputs = fresh.clone();
                let _ = check::run(&plan, mode, &inputs, &mut outputs).map_err(fail)?;
                check::compare_outputs(&expected, &outputs, false)
                    .map_err(|e| fail(format!("{case:?} on {isa}: {e}\n{text}")))?;
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn every_fused_step_runs_in_place_at_every_length() {
    let dense = Arrangement::default();
    for case in cases() {
        for n in (0..140).chain([255, 256, 1000, 4099]) {
            let specs = [(0, dense.clone()), (0, dense.clone()), (0, dense.clone())];
            let operands = operands(&case, &Shape::from([n]), &specs, 7);
            let program = parsed(&case, &operands);
            let inputs: Vec<Operand> = operands.into_iter().map(|(_, operand)| operand).collect();
            let tensors: Vec<_> = inputs.iter().map(Operand::tensor).collect();
            let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
            let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
            for isa in check::isas() {
                let plan = program.bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap();
                for index in (0..inputs.len()).filter(|&i| inputs[i].layout().dtype() == expected[0].dtype()) {
                    let mut in_out = inputs[index].clone();
                    let others: Vec<View<'_>> =
                        inputs.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, o)| o.view()).collect();
                    let _ = plan.run_in_place(&Serial, index, &others, &mut in_out.view_mut()).unwrap();
                    check::compare_tensors(&expected[0], &in_out.tensor(), false)
                        .unwrap_or_else(|e| panic!("{case:?} on {isa}, {n} elements, onto input {index}: {e}"));
                }
            }
        }
    }
}

/// The number of steps of a plan.
fn steps(text: &str, inputs: &[(&str, DType)]) -> usize {
    let program = Program::parse(text, inputs).unwrap();
    let layouts: Vec<Layout> = inputs.iter().map(|(_, d)| Layout::contiguous(*d, [1000]).unwrap()).collect();
    let plan = program.bind(&layouts.iter().collect::<Vec<_>>()).unwrap();
    plan.explain(1).to_string().lines().filter(|line| line.contains("  step  ")).count()
}

#[test]
fn steps_without_a_fused_kernel_or_with_several_readers_stay() {
    let f32s = [("x", DType::F32), ("y", DType::F32), ("z", DType::F32)];
    // A product that is read twice, by one step or by two.
    assert_eq!(steps("x * y + x * y", &f32s), 2);
    assert_eq!(steps("(x * y + z) - x * y", &f32s), 3);
    // The other order of operands, and operators without a fused kernel.
    assert_eq!(steps("z - x * y", &f32s), 2);
    assert_eq!(steps("sqrt(x + y) * z", &f32s), 3);
    // One sum fuses with its product. The sum of both does not fuse.
    assert_eq!(steps("(x * y + z) + (y * z + x)", &f32s), 3);
    if !is_built(DType::F16) || !is_built(DType::U8) {
        return;
    }
    // f16 rounds between two operators.
    assert_eq!(steps("x * y + x", &[("x", DType::F16), ("y", DType::F16)]), 2);
    // A cast that two steps read.
    let mixed = [("x", DType::U8), ("y", DType::F32)];
    assert_eq!(steps("cast(x, f32) * y + cast(x, f32)", &mixed), 2);
    assert_eq!(steps("y - cast(x, f32)", &mixed), 2);
}

#[test]
fn a_step_that_is_an_output_is_not_fused() {
    let x = eltwise::Expr::input("x");
    let product = &x * &x;
    let sum = &product + &x;
    let program = Program::new(&[&sum, &product], &[("x", DType::F32)]).unwrap();
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0], [3]).unwrap();
    let out = program.bind(&[x.layout()]).unwrap().run_to_arrays(&Serial, &[x.view()]).unwrap();
    assert_eq!(out[0].as_slice::<f32>().unwrap(), [2.0, 6.0, 12.0]);
    assert_eq!(out[1].as_slice::<f32>().unwrap(), [1.0, 4.0, 9.0]);
}

#[test]
fn a_math_function_fused_with_an_operator_has_the_bits_of_two_runs() {
    let values = |seed: usize| (0..70_001).map(move |i| ((i * 37 + seed) % 4001) as f32 / 200.0 - 10.0);
    let mut x: Vec<f32> = values(0).collect();
    let special = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-40, -1e-40, f32::MAX];
    x[..8].copy_from_slice(&special);
    let x = Array::from_slice(&x, [70_001]).unwrap();
    let y = Array::from_slice(&values(11).collect::<Vec<f32>>(), [70_001]).unwrap();
    let cases = [
        ("gelu(x + y)", "x + y", "gelu(t)", "add+gelu("),
        ("gelu_tanh(y + x)", "x + y", "gelu_tanh(t)", "add+gelu_tanh("),
        ("silu(x + y)", "x + y", "silu(t)", "add+silu("),
        ("gelu(x) * y", "gelu(x)", "t * y", "gelu+multiply("),
        ("y * silu(x)", "silu(x)", "t * y", "silu+multiply("),
    ];
    for isa in check::isas() {
        let run = |text: &str, names: &[(&str, &Array)]| {
            let dtypes: Vec<(&str, DType)> = names.iter().map(|(name, _)| (*name, DType::F32)).collect();
            let layouts: Vec<&Layout> = names.iter().map(|(_, array)| array.layout()).collect();
            let program = Program::parse(text, &dtypes).unwrap();
            let plan = program.bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap();
            let views: Vec<View<'_>> = names.iter().map(|(_, array)| array.view()).collect();
            (plan.run_to_arrays(&Serial, &views).unwrap().remove(0), plan.explain(1).to_string())
        };
        for (whole, first, second, name) in cases {
            let given = [("x", &x), ("y", &y)];
            let (one, text) = run(whole, &given);
            assert!(text.contains(name), "{text}");
            let (between, _) = run(first, &given);
            let (expected, _) = run(second, &[("t", &between), ("y", &y)]);
            let differs = (one.as_slice::<f32>().unwrap().iter().zip(expected.as_slice::<f32>().unwrap()))
                .position(|(a, b)| a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan()));
            assert_eq!(differs, None, "{whole} on {isa}");
        }
    }
}
