//! Steps become one where there is a superinstruction, wherever their operands stand, and stay where something else reads
//! what is between them. That the bits stay is a property of every plan (`plans.rs`).

use eltwise_plan::bind::Place;
use eltwise_plan::fuse::{Fused, Operation};
use eltwise_plan::{Binding, Broadcast, Constant, Custom, DType, Layout, Op, Program, ProgramBuilder, ValueId};

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

/// The steps that a superinstruction is made of, one by one; `swapped` exchanges the operands of the first, of the last.
fn apart(parts: &Fused, swapped: [bool; 2]) -> Program {
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

fn swaps(op: Op) -> bool {
    matches!(op, Op::Add | Op::Multiply)
}

#[test]
fn what_a_superinstruction_is_made_of_becomes_one() {
    for parts in Fused::all() {
        let ops: Vec<Op> = parts.first().into_iter().chain([parts.last()]).collect();
        for swapped in [[false, false], [true, false], [false, true], [true, true]] {
            if ops.len() == 1 && swapped[1] {
                continue;
            }
            let binding = fused(&apart(&parts, swapped));
            // Alone, the operands of a first operator that loads nothing are its own.
            let fits = ops.iter().zip(swapped).enumerate().all(|(i, (&op, swapped))| {
                !swapped || op.arity() == 1 || swaps(op) || (i == 0 && ops.len() == 2 && parts.load().is_none())
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
                let mut leaves = step.args.to_vec();
                leaves.sort_by_key(|place| match place {
                    Place::Leaf(leaf) => *leaf,
                    other => panic!("{other:?}"),
                });
                leaves.dedup();
                assert_eq!((leaves.len(), step.args.len()), (binding.leaves.len() - 1, leaves.len()), "{parts}");
            }
        }
    }
}

/// The operators after fusing, of a program over f32 inputs.
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
fn what_something_else_reads_stays() {
    let all = |build: &dyn Fn(&mut ProgramBuilder, [ValueId; 4]) -> Vec<ValueId>| ops(|b, i| build(b, i)).join(" ");
    assert_eq!(
        all(&|b, [x, y, z, _]| {
            let p = step(b, Op::Multiply, &[x, y]);
            vec![step(b, Op::Add, &[p, z])]
        }),
        "multiply+add"
    );
    // Read twice, by two steps or by one; an output.
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
    // Of two products one; a pair takes no third; steps behind find their operands.
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
    // A cast between two operators; one of both operands; to a dtype that is not stored; of one that is not loaded.
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
    // Loaded as one dtype it is not stored as another.
    assert_eq!(
        all(&|b, [x, y, ..]| {
            let h = cast(b, x, DType::F16);
            let f = cast(b, h, DType::F32);
            let s = step(b, Op::Add, &[f, y]);
            vec![cast(b, s, DType::BF16)]
        }),
        "cast cast+add cast"
    );
    // A function of the caller's is taken up by nothing, and takes nothing up.
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
fn sums_of_products_of_integers_are_their_fma() {
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
            assert_eq!(binding.steps[0].args[..], [Place::Leaf(1), Place::Leaf(2), Place::Leaf(3)]);
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
fn an_operation_is_one_operator_or_several_or_none() {
    let one = Operation::from(Op::Add);
    let fused = Operation::Fused(Fused::new(None, Some(Op::Multiply), Op::Add, DType::F32).unwrap());
    let custom = Operation::Custom(Custom { id: 3, name: "mine", arity: 1, from: DType::F32, to: DType::F32 });
    assert_eq!((one.op(), fused.op(), custom.op()), (Some(Op::Add), None, None));
    assert!(one == Op::Add && one != Op::Multiply && fused != Op::Add && custom != Op::Add);
    let ops = |o: Operation| o.ops().collect::<Vec<_>>();
    assert_eq!((ops(one), ops(fused), ops(custom)), (vec![Op::Add], vec![Op::Multiply, Op::Add], vec![]));
    assert_eq!([one, fused, custom].map(|o| o.to_string()), ["add", "multiply+add", "mine"]);
}

/// Equal values are one, of short programs and of long ones.
#[test]
fn equal_values_are_one_however_many_there_are() {
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
    let again: Vec<ValueId> = values.iter().map(|&c| step(&mut b, Op::Add, &[x, c])).collect();
    assert_eq!(sums, again);
}
