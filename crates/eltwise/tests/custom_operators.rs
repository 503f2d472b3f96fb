//! Custom operators (`eltwise::lanes`) have the bits of the same formula in operators of the catalogue: over any
//! layout, on every ISA, in programs, in place and on threads. A panic in one reaches the caller.

use std::panic::{AssertUnwindSafe, catch_unwind};

use eltwise::lanes::functions::{Add, Gelu, Multiply};
use eltwise::lanes::{Binary, BinaryOp, FloatLanes, Lanes, Operator, Ternary, TernaryOp, Then, Unary, UnaryOp};
use eltwise::{Array, BindOptions, Broadcast, DType, Error, Expr, Op, Program, ProgramBuilder, Serial, Shape, View};
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::executors::{ReverseOrder, Threads};
use eltwise_testkit::shapes::any_shape;
use eltwise_testkit::{Operand, arrangement, runner};
use half::f16;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// x * x + y * y
struct SumOfSquares;
impl<L: FloatLanes<f32>> BinaryOp<f32, L> for SumOfSquares {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V) -> L::V {
        l.add(l.mul(x, x), l.mul(y, y))
    }
}

/// x / (1 + |x|)
struct Softsign;
impl<L: FloatLanes<f32>> UnaryOp<f32, L> for Softsign {
    #[inline(always)]
    fn lanes(l: L, x: L::V) -> L::V {
        l.div(x, l.add(l.splat(1.0), l.abs(x)))
    }
}

/// x * y - z, of integers
struct MultiplySubtract;
impl<L: Lanes<i32>> TernaryOp<i32, L> for MultiplySubtract {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V, z: L::V) -> L::V {
        l.sub(l.mul(x, y), z)
    }
}

/// Panics at a negative number.
struct Picky;
impl<L: FloatLanes<f32>> UnaryOp<f32, L> for Picky {
    #[inline(always)]
    fn lanes(l: L, x: L::V) -> L::V {
        assert!(!l.any(l.lt(x, l.splat(0.0))), "a negative number");
        x
    }
}

fn fail(what: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(what.to_string())
}

/// Custom operators, each with the same formula over `a`, `b`, `c` in operators of the catalogue, and the dtype.
fn operators() -> [(Operator, &'static str, DType); 6] {
    type MulAdd<S> = Then<Binary<Multiply>, Binary<Add>, S>;
    [
        (Operator::new::<Binary<SumOfSquares>, f32>("sum_of_squares"), "a * a + b * b", DType::F32),
        (Operator::new::<Unary<Softsign>, f32>("my_softsign"), "softsign(a)", DType::F32),
        (Operator::new::<Unary<Softsign>, f16>("my_softsign"), "softsign(a)", DType::F16),
        (Operator::new::<Ternary<MultiplySubtract>, i32>("multiply_subtract"), "a * b - c", DType::I32),
        (Operator::new::<MulAdd<f32>, f32>("multiply_add"), "a * b + c", DType::F32),
        // Rounds to f16 between the multiplication and the addition.
        (Operator::new::<MulAdd<f16>, f16>("multiply_add"), "a * b + c", DType::F16),
    ]
}

#[test]
fn an_operator_equals_its_formula_in_every_layout() {
    let (isas, operators) = (check::isas(), operators());
    // Which axes have size 1, and how the operand is stored.
    let operand = || (any::<u8>(), arrangement());
    let strategy = (0..operators.len(), any_shape(), [operand(), operand(), operand()], arrangement(), any::<u64>());
    let result = runner(4.0).run(&strategy, |(which, shape, operands, out, seed)| {
        let (operator, text, dtype) = &operators[which];
        let names = &["a", "b", "c"][..operator.arity()];
        let inputs: Vec<Operand> = (operands.iter().take(names.len()).enumerate())
            .map(|(i, (ones, arrangement))| {
                let axes = shape.iter().enumerate().map(|(axis, &n)| if ones >> axis & 1 == 1 { 1 } else { n });
                let shape: Shape = if i == 0 { shape.clone() } else { axes.collect() };
                Operand::input(*dtype, &shape, arrangement, seed.wrapping_add(i as u64))
            })
            .collect();
        let known: Vec<(&str, DType)> = names.iter().map(|name| (*name, *dtype)).collect();
        let tensors: Vec<_> = inputs.iter().map(Operand::tensor).collect();
        let formula = Program::parse(text, &known).map_err(fail)?;
        let (expected, _) = eltwise_testkit::reference::run(&formula, &tensors).map_err(fail)?;
        let (program, out) = (operator.program().map_err(fail)?, [out]);
        for &isa in &isas {
            let given = (seed % 2 == 0).then_some(&out[..]);
            let (plan, fresh) = check::bind(&program, &inputs, expected[0].shape(), given, isa).map_err(fail)?;
            for mode in [RunMode::On(&Serial), RunMode::On(&ReverseOrder(5)), RunMode::Tasks(3)] {
                let mut outputs = fresh.clone();
                let _ = check::run(&plan, mode, &inputs, &mut outputs).map_err(fail)?;
                check::compare_outputs(&expected, &outputs, false)
                    .map_err(|e| fail(format!("{} on {isa}: {e}\n{}", operator.name(), plan.explain(1))))?;
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// `my_softsign(x + b) * x` and `x + b`.
fn mixed(softsign: &Operator) -> Program {
    let mut builder = ProgramBuilder::new();
    let (x, b) = (builder.input("x", DType::F32), builder.input("b", DType::F32));
    let sum = builder.step(Op::Add, &[x, b], None, Broadcast::Numpy).unwrap();
    let soft = softsign.step(&mut builder, &[sum], Broadcast::Numpy).unwrap();
    let product = builder.step(Op::Multiply, &[soft, x], None, Broadcast::Numpy).unwrap();
    builder.output(product);
    builder.output(sum);
    Program::with_operators(builder.finish().unwrap(), &[softsign]).unwrap()
}

#[test]
fn a_program_with_a_custom_step_has_the_same_bits_on_every_executor() {
    let softsign = Operator::new::<Unary<Softsign>, f32>("my_softsign");
    let program = mixed(&softsign);
    let (x, b) = (Expr::input("x"), Expr::input("b"));
    let same = Program::new(&[&((&x + &b).softsign() * &x), &(&x + &b)], &[("x", DType::F32), ("b", DType::F32)]);
    let values: Vec<f32> = (0..300_000).map(|i| ((i * 37) % 1009) as f32 / 100.0 - 5.0).collect();
    let x = Array::from_slice(&values, [1000, 300]).unwrap();
    let b = Array::from_slice(&values[..300], [300]).unwrap();
    let views = [x.view(), b.view()];
    let expected = same.unwrap().bind(&[x.layout(), b.layout()]).unwrap().run_to_arrays(&Serial, &views).unwrap();
    for isa in check::isas() {
        let options = BindOptions::new().isa(isa).min_task_ns(0);
        let plan = program.bind_with(&[x.layout(), b.layout()], &options).unwrap();
        assert!(plan.tasks(4) > 1, "the plan has one task only");
        assert!(plan.explain(1).to_string().contains("my_softsign("), "{}", plan.explain(1));
        let executors: [&dyn eltwise::Executor; 3] = [&Serial, &Threads::new(4), &ReverseOrder(9)];
        for executor in executors {
            let out = plan.run_to_arrays(executor, &views).unwrap();
            assert_eq!(out[0].bytes(), expected[0].bytes(), "{isa}");
            assert_eq!(out[1].bytes(), expected[1].bytes(), "{isa}");
        }
    }
}

#[test]
fn either_operand_may_be_overwritten() {
    let operator = Operator::new::<Binary<SumOfSquares>, f32>("sum_of_squares");
    let (x, y) = ([3.0f32, -1.0, 2.0, 0.5], [4.0f32, 1.0, -2.0, 1.5]);
    let [mut a, mut b] = [x, y].map(|v| Array::from_slice(&v, [4]).unwrap());
    let plan = operator.program().unwrap().bind(&[a.layout(), b.layout()]).unwrap();
    let expected = [25.0f32, 2.0, 8.0, 2.5];
    let _ = plan.run_in_place(&Serial, 0, &[b.view()], &mut a.view_mut()).unwrap();
    assert_eq!(a.as_slice::<f32>().unwrap(), expected);
    let a = Array::from_slice(&x, [4]).unwrap();
    let _ = plan.run_in_place(&Serial, 1, &[a.view()], &mut b.view_mut()).unwrap();
    assert_eq!(b.as_slice::<f32>().unwrap(), expected);
}

#[test]
fn then_with_a_math_function_has_the_bits_of_two_steps() {
    let biased = Operator::new::<Then<Binary<Add>, Unary<Gelu>, f32>, f32>("biased_gelu");
    let values: Vec<f32> = (0..5000).map(|i| (i as f32 - 2500.0) / 300.0).collect();
    let x = Array::from_slice(&values, [5000]).unwrap();
    let b = Array::from_slice(&[0.37f32], []).unwrap();
    let two = Program::parse("gelu(x + b)", &[("x", DType::F32), ("b", DType::F32)]).unwrap();
    for isa in check::isas() {
        let run = |program: &Program| {
            let plan = program.bind_with(&[x.layout(), b.layout()], &BindOptions::new().isa(isa)).unwrap();
            plan.run_to_arrays(&Serial, &[x.view(), b.view()]).unwrap()
        };
        assert_eq!(run(&biased.program().unwrap())[0].bytes(), run(&two)[0].bytes(), "{isa}");
    }
}

#[test]
fn a_panic_reaches_the_caller_and_the_plan_still_runs() {
    let picky = Operator::new::<Unary<Picky>, f32>("picky");
    let (bad, good) = ([1.0f32, -1.0, 2.0].repeat(30_000), vec![3.0f32; 90_000]);
    let [bad, good] = [bad, good].map(|v| Array::from_slice(&v, [90_000]).unwrap());
    let options = BindOptions::new().min_task_ns(0);
    let plan = picky.program().unwrap().bind_with(&[bad.layout()], &options).unwrap();
    assert!(plan.tasks(3) > 1 && plan.tasks(2) > 1, "the plan has one task only");
    let mut out = Array::zeros(DType::F32, [90_000]).unwrap();
    let executors: &[&dyn eltwise::Executor] = &[
        &Serial,
        &Threads::new(3),
        #[cfg(feature = "rayon")]
        &eltwise::Rayon,
    ];
    for &executor in executors {
        let mut run = |x: View<'_>| {
            catch_unwind(AssertUnwindSafe(|| plan.run_with(executor, &[x], &mut [out.view_mut()]).map(drop)))
        };
        assert!(run(bad.view()).is_err());
        assert!(matches!(run(good.view()), Ok(Ok(()))));
        assert_eq!(out.bytes(), good.bytes());
    }
}

#[test]
fn wrong_counts_dtypes_modes_and_operators_are_errors() {
    let softsign = Operator::new::<Unary<Softsign>, f32>("my_softsign");
    let mut builder = ProgramBuilder::new();
    let (x, n) = (builder.input("x", DType::F32), builder.input("n", DType::I32));
    let two = softsign.step(&mut builder, &[x, x], Broadcast::Numpy);
    assert_eq!(two.unwrap_err(), Error::Count { what: "operands", given: 2, expected: 1 });
    let integer = softsign.step(&mut builder, &[n], Broadcast::Numpy).unwrap_err();
    assert_eq!(integer.to_string(), "operand 0 of my_softsign is i32, expected f32");
    assert!(softsign.step(&mut builder, &[x], Broadcast::Unidirectional).is_err());
    let out = softsign.step(&mut builder, &[x], Broadcast::Numpy).unwrap();
    builder.output(out);
    let program = builder.finish().unwrap();
    // A second `Operator` made from the same function is a different operator.
    let other = Operator::new::<Unary<Softsign>, f32>("my_softsign");
    assert!(Program::with_operators(program.clone(), &[&other]).is_err());
    assert!(Program::from(program).bind(&[&eltwise::Layout::contiguous(DType::F32, [3]).unwrap(); 2]).is_err());
}

#[test]
fn kernel_finds_single_step_kernels_only() {
    for isa in check::isas() {
        assert!(eltwise::kernel(Op::Add, &[DType::F32, DType::F32], DType::F32, isa).is_some());
        assert!(eltwise::kernel(Op::Where, &[DType::Bool, DType::F16, DType::F16], DType::F16, isa).is_some());
        assert!(eltwise::kernel(Op::Cast, &[DType::I32], DType::F32, isa).is_some());
        assert!(eltwise::kernel(Op::Less, &[DType::F32, DType::F32], DType::Bool, isa).is_some());
        // A wrong result dtype, a wrong number of operands, mixed dtypes, and operators of several steps.
        assert!(eltwise::kernel(Op::Less, &[DType::F32, DType::F32], DType::F32, isa).is_none());
        assert!(eltwise::kernel(Op::Add, &[DType::F32], DType::F32, isa).is_none());
        assert!(eltwise::kernel(Op::Add, &[DType::F32, DType::F64], DType::F32, isa).is_none());
        assert!(eltwise::kernel(Op::Maximum, &[DType::F32; 3], DType::F32, isa).is_none());
        assert!(eltwise::kernel(Op::Mean, &[DType::F32; 2], DType::F32, isa).is_none());
    }
}
