//! Fusion: steps with a fused kernel become one step, for every order of commutative operands, unless another step
//! reads the value between them. `random_plans.rs` checks that fusion keeps the value of every output.

use eltwise_core::{Broadcast, Constant, DType, Fused, Layout, Op};
use eltwise_plan::bind::Place;
use eltwise_plan::ir::operation::Operation;
use eltwise_plan::{Binding, Custom, Program, ProgramBuilder, ValueId};

/// A program over inputs of one shape, bound and fused.
fn fused(program: &Program) -> Binding {
    let layouts: Vec<Layout> = program.inputs().iter().map(|i| Layout::contiguous(i.dtype, [5]).unwrap()).collect();
    let mut binding = Binding::new(program, &layouts.iter().collect::<Vec<_>>(), None, false).unwrap();
    binding.fuse();
    binding
}

fn names(binding: &Binding) -> Vec<String> {
    binding.steps.iter().map(|s| s.op.to_string()).collect()
}

/// The program with the steps of a fused step. `swapped` exchanges the operands of the first and of the last operator.
fn unfused(parts: &Fused, swapped: [bool; 2]) -> Program {
    let mut b = ProgramBuilder::new();
    let dtype = parts.dtype();
    let mut value = b.input("x", parts.load().unwrap_or(dtype));
    if parts.load().is_some() {
        value = b.step(Op::Cast, &[value], Some(dtype), Broadcast::Numpy).unwrap();
    }
    let ops: Vec<Op> = parts.first().into_iter().chain([parts.last()]).collect();
    for (i, &op) in ops.iter().enumerate() {
        let mut args = vec![value];
        if op.arity() == 2 {
            args.push(b.input(["y", "z"][i], dtype));
            if swapped[i] {
                args.swap(0, 1);
            }
        }
        value = b.step(op, &args, None, Broadcast::Numpy).unwrap();
    }
    if let Some(store) = parts.store() {
        value = b.step(Op::Cast, &[value], Some(store), Broadcast::Numpy).unwrap();
    }
    b.output(value);
    b.finish().unwrap()
}

fn is_commutative(op: Op) -> bool {
    matches!(op, Op::Add | Op::Multiply)
}

#[test]
fn the_steps_of_every_fused_step_are_fused() {
    for parts in Fused::all() {
        let ops: Vec<Op> = parts.first().into_iter().chain([parts.last()]).collect();
        for swapped in [[false, false], [true, false], [false, true], [true, true]] {
            if ops.len() == 1 && swapped[1] {
                continue;
            }
            let binding = fused(&unfused(&parts, swapped));
            // The operands of a first operator may have any order unless one of them is loaded with a cast.
            let fits = ops.iter().zip(swapped).enumerate().all(|(i, (&op, swapped))| {
                !swapped
                    || op.arity() == 1
                    || is_commutative(op)
                    || (i == 0 && ops.len() == 2 && parts.load().is_none())
            }) || (ops.len() == 1 && parts.load().is_none());
            let one = binding.steps.len() == 1;
            assert_eq!(one, fits, "{parts} {swapped:?}: {:?}", names(&binding));
            if one {
                let step = &binding.steps[0];
                assert_eq!(
                    (step.op, step.output, step.from),
                    (Operation::Fused(parts), Some(0), step.from),
                    "{swapped:?}"
                );
                let mut operands = step.args.to_vec();
                operands.sort_by_key(|place| match place {
                    Place::Operand(operand) => *operand,
                    other => panic!("{other:?}"),
                });
                operands.dedup();
                assert_eq!((operands.len(), step.args.len()), (binding.operands.len() - 1, operands.len()), "{parts}");
            }
        }
    }
}

/// The operators of a program over f32 inputs after fusion.
fn ops(build: impl Fn(&mut ProgramBuilder, [ValueId; 4]) -> Vec<ValueId>) -> Vec<String> {
    let mut b = ProgramBuilder::new();
    let inputs = ["x", "y", "z", "w"].map(|name| b.input(name, DType::F32));
    build(&mut b, inputs).into_iter().for_each(|out| b.output(out));
    names(&fused(&b.finish().unwrap()))
}

fn step(b: &mut ProgramBuilder, op: Op, args: &[ValueId]) -> ValueId {
    b.step(op, args, None, Broadcast::Numpy).unwrap()
}

fn cast(b: &mut ProgramBuilder, x: ValueId, to: DType) -> ValueId {
    b.step(Op::Cast, &[x], Some(to), Broadcast::Numpy).unwrap()
}

#[test]
fn steps_with_other_readers_or_without_a_fused_kernel_stay() {
    let all = |build: &dyn Fn(&mut ProgramBuilder, [ValueId; 4]) -> Vec<ValueId>| ops(|b, i| build(b, i)).join(" ");
    assert_eq!(
        all(&|b, [x, y, z, _]| {
            let p = step(b, Op::Multiply, &[x, y]);
            vec![step(b, Op::Add, &[p, z])]
        }),
        "multiply+add"
    );
    // The product is read by two steps, or twice by one step, or is an output.
    assert_eq!(
        all(&|b, [x, y, z, _]| {
            let p = step(b, Op::Multiply, &[x, y]);
            let s = step(b, Op::Add, &[p, z]);
            vec![step(b, Op::Maximum, &[s, p])]
        }),
        "multiply add maximum"
    );
    assert_eq!(
        all(&|b, [x, y, ..]| {
            let p = step(b, Op::Multiply, &[x, y]);
            vec![step(b, Op::Add, &[p, p])]
        }),
        "multiply add"
    );
    assert_eq!(
        all(&|b, [x, y, z, _]| {
            let p = step(b, Op::Multiply, &[x, y]);
            vec![step(b, Op::Add, &[p, z]), p]
        }),
        "multiply add"
    );
    // One of two products is fused with their sum. A fused pair takes no third step. Later steps still find their
    // operands.
    assert_eq!(
        all(&|b, [x, y, z, w]| {
            let (p, q) = (step(b, Op::Multiply, &[x, y]), step(b, Op::Multiply, &[z, w]));
            let s = step(b, Op::Add, &[p, q]);
            let t = step(b, Op::Multiply, &[s, x]);
            vec![step(b, Op::Maximum, &[t, s])]
        }),
        "multiply multiply+add multiply maximum"
    );
    assert_eq!(
        all(&|b, [x, y, z, w]| {
            let a = step(b, Op::Add, &[x, y]);
            let a = step(b, Op::Add, &[a, z]);
            vec![step(b, Op::Add, &[a, w])]
        }),
        "add+add add"
    );
    assert_eq!(
        all(&|b, [x, y, z, w]| {
            let p = step(b, Op::Multiply, &[x, y]);
            let s = step(b, Op::Add, &[p, z]);
            let q = step(b, Op::Multiply, &[s, s]);
            let d = step(b, Op::Subtract, &[q, w]);
            vec![step(b, Op::Maximum, &[d, s])]
        }),
        "multiply+add multiply+subtract maximum"
    );
    // A cast between two operators; a cast of one operand out of two; a cast to a dtype that is not stored; a cast from
    // a dtype that is not loaded.
    assert_eq!(
        all(&|b, [x, y, z, _]| {
            let p = step(b, Op::Multiply, &[x, y]);
            let p = cast(b, p, DType::F16);
            let p = cast(b, p, DType::F32);
            vec![step(b, Op::Add, &[p, z])]
        }),
        "multiply+cast cast+add"
    );
    assert_eq!(
        all(&|b, [x, y, ..]| {
            let (p, q) = (cast(b, x, DType::F16), cast(b, y, DType::F16));
            let (p, q) = (cast(b, p, DType::F32), cast(b, q, DType::F32));
            vec![step(b, Op::Multiply, &[p, q])]
        }),
        "cast cast cast cast+multiply"
    );
    assert_eq!(
        all(&|b, [x, y, ..]| {
            let s = step(b, Op::Add, &[x, y]);
            vec![cast(b, s, DType::I32)]
        }),
        "add cast"
    );
    assert_eq!(
        all(&|b, [x, y, ..]| {
            let i = cast(b, x, DType::I32);
            let f = cast(b, i, DType::F32);
            vec![step(b, Op::Add, &[f, y])]
        }),
        "cast cast add"
    );
    // A step that loads one narrow dtype does not store another.
    assert_eq!(
        all(&|b, [x, y, ..]| {
            let h = cast(b, x, DType::F16);
            let f = cast(b, h, DType::F32);
            let s = step(b, Op::Add, &[f, y]);
            vec![cast(b, s, DType::BF16)]
        }),
        "cast cast+add cast"
    );
    // A custom operator is never fused.
    let mine = Custom { id: 3, name: "mine", arity: 1, from: DType::F32, to: DType::F32 };
    assert_eq!(
        all(&|b, [x, y, z, _]| {
            let p = step(b, Op::Multiply, &[x, y]);
            let m = b.custom(mine, &[p], Broadcast::Numpy).unwrap();
            let s = step(b, Op::Add, &[m, z]);
            vec![cast(b, s, DType::I8)]
        }),
        "multiply mine add cast"
    );
}

#[test]
fn a_sum_of_a_product_of_integers_is_an_fma() {
    for (dtype, name) in
        [(DType::I32, "fma"), (DType::U8, "fma"), (DType::F32, "multiply+add"), (DType::F64, "multiply+add")]
    {
        for product_first in [true, false] {
            let mut b = ProgramBuilder::new();
            let [x, y, z] = ["x", "y", "z"].map(|name| b.input(name, dtype));
            let p = step(&mut b, Op::Multiply, &[x, y]);
            let sum = step(&mut b, Op::Add, &if product_first { [p, z] } else { [z, p] });
            b.output(sum);
            let binding = fused(&b.finish().unwrap());
            assert_eq!(names(&binding), [name], "{dtype}");
            assert_eq!(binding.steps[0].args[..], [Place::Operand(1), Place::Operand(2), Place::Operand(3)]);
        }
    }
    for (dtype, expected) in [(DType::I32, ["multiply", "subtract"]), (DType::F16, ["multiply", "subtract"])] {
        let mut b = ProgramBuilder::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| b.input(name, dtype));
        let p = step(&mut b, Op::Multiply, &[x, y]);
        let d = step(&mut b, Op::Subtract, &[p, z]);
        b.output(d);
        assert_eq!(names(&fused(&b.finish().unwrap())), expected);
    }
}

#[test]
fn an_operation_lists_its_operators() {
    let one = Operation::from(Op::Add);
    let fused = Operation::Fused(Fused::new(None, Some(Op::Multiply), Op::Add, None, DType::F32).unwrap());
    let custom = Operation::Custom(Custom { id: 3, name: "mine", arity: 1, from: DType::F32, to: DType::F32 });
    assert_eq!((one.op(), fused.op(), custom.op()), (Some(Op::Add), None, None));
    assert!(one == Op::Add && one != Op::Multiply && fused != Op::Add && custom != Op::Add);
    let ops = |o: Operation| o.ops().collect::<Vec<_>>();
    assert_eq!((ops(one), ops(fused), ops(custom)), (vec![Op::Add], vec![Op::Multiply, Op::Add], vec![]));
    assert_eq!([one, fused, custom].map(|o| o.to_string()), ["add", "multiply+add", "mine"]);
}

/// In short programs and in long ones, which search values in different ways.
#[test]
fn equal_values_of_a_builder_are_one_value() {
    let mut b = ProgramBuilder::new();
    let x = b.input("x", DType::F32);
    let constant = |i: usize| Constant { dtype: DType::F32, bits: i as u128 };
    let mut values = Vec::new();
    for i in 0..40 {
        values.push(b.constant(constant(i)));
        for (i, &value) in values.iter().enumerate() {
            assert_eq!(b.constant(constant(i)), value);
        }
    }
    let sums: Vec<ValueId> = values.iter().map(|&c| step(&mut b, Op::Add, &[x, c])).collect();
    let same_sums: Vec<ValueId> = values.iter().map(|&c| step(&mut b, Op::Add, &[x, c])).collect();
    assert_eq!(sums, same_sums);
}
