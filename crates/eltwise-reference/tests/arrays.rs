//! Operators, broadcasts and programs over arrays.

use eltwise_plan::{Broadcast, Constant, DType, Error, ErrorKind, Op, Program, ProgramBuilder, Shape};
use eltwise_reference::{Conditions, Tensor, Value, broadcast, broadcast_of, evaluate, evaluate_with_conditions, run};

use DType::*;

fn ints(dtype: DType, shape: &[usize], x: &[i128]) -> Tensor {
    let values: Vec<Value> = x.iter().map(|&x| Value::from_i128(dtype, x)).collect();
    Tensor::from_values(dtype, shape, &values).unwrap()
}

fn numbers(t: &Tensor) -> Vec<i128> {
    t.values().map(Value::to_i128).collect()
}

#[test]
fn a_row_and_a_column() {
    let (row, column) = (ints(I32, &[3], &[1, 2, 3]), ints(I32, &[2, 1], &[10, 20]));
    let sum = evaluate(Op::Add, &[&row, &column], None, &Broadcast::Numpy).unwrap();
    assert_eq!(sum.shape().dims(), [2, 3]);
    assert_eq!(numbers(&sum), [11, 12, 13, 21, 22, 23]);
    assert_eq!(sum.get(&[1, 0]).to_i128(), 21);
    assert!(evaluate(Op::Add, &[&row, &column], None, &Broadcast::None).is_err());
    assert!(evaluate(Op::Add, &[&row, &column], None, &Broadcast::Unidirectional).is_err());
}

#[test]
fn pdpd_and_bidirectional() {
    let a = ints(I8, &[2, 3, 2], &[0; 12]);
    let b = ints(I8, &[3, 1, 1], &[1, 2, 3]);
    let sum = evaluate(Op::Add, &[&a, &b], None, &Broadcast::Pdpd { axis: 1 }).unwrap();
    assert_eq!(numbers(&sum), [1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3]);
    let mode = Broadcast::Bidirectional { target: [2, 1, 2].into() };
    let wide = evaluate(Op::BroadcastTo, &[&ints(U8, &[3, 1], &[7, 8, 9])], None, &mode).unwrap();
    assert_eq!(wide.shape().dims(), [2, 3, 2]);
    assert_eq!(numbers(&wide), [7, 7, 8, 8, 9, 9, 7, 7, 8, 8, 9, 9]);
}

#[test]
fn scalars_empty_arrays_and_high_ranks() {
    let one = ints(I64, &[], &[1]);
    let sum = evaluate(Op::Add, &[&one, &one], None, &Broadcast::Numpy).unwrap();
    assert_eq!((sum.shape().rank(), sum.get(&[]).to_i128()), (0, 2));
    let empty = evaluate(Op::Add, &[&one, &ints(I64, &[2, 0], &[])], None, &Broadcast::Numpy).unwrap();
    assert_eq!((empty.shape().dims(), empty.data().len()), (&[2, 0][..], 0));
    let high = ints(I64, &[1; 70], &[5]);
    assert_eq!(evaluate(Op::Multiply, &[&high, &high], None, &Broadcast::Numpy).unwrap().get(&[0; 70]).to_i128(), 25);
}

#[test]
fn division_by_zero_is_reported_where_it_is_computed() {
    let (x, zero) = (ints(I32, &[2], &[6, 7]), ints(I32, &[2], &[2, 0]));
    let (out, failed) = evaluate_with_conditions(Op::Divide, &[&x, &zero], None, &Broadcast::Numpy).unwrap();
    assert_eq!((numbers(&out), failed.zero_division), (vec![3, 0], true));
    assert!(!evaluate_with_conditions(Op::Divide, &[&x, &x], None, &Broadcast::Numpy).unwrap().1.any());
    let none = ints(I32, &[0], &[]);
    assert!(
        !evaluate_with_conditions(Op::Divide, &[&none, &ints(I32, &[1], &[0])], None, &Broadcast::Numpy)
            .unwrap()
            .1
            .any()
    );
}

#[test]
fn programs_run_value_by_value() {
    // where(x / y < 2, x, 100) and a cast of the quotient
    let mut b = ProgramBuilder::new();
    let (x, y) = (b.input("x", I32), b.input("y", I32));
    let q = b.step(Op::Divide, &[x, y], None, Broadcast::Numpy).unwrap();
    let two = b.constant(Constant { dtype: I32, bits: 2 });
    let hundred = b.constant(Constant { dtype: I32, bits: 100 });
    let less = b.step(Op::Less, &[q, two], None, Broadcast::Numpy).unwrap();
    let out = b.step(Op::Where, &[less, x, hundred], None, Broadcast::Numpy).unwrap();
    let half = b.step(Op::Cast, &[q], Some(F16), Broadcast::Numpy).unwrap();
    for o in [out, half, less] {
        b.output(o);
    }
    let program = b.finish().unwrap();
    let inputs = [ints(I32, &[3], &[3, 9, 5]), ints(I32, &[2, 1], &[3, 0])];
    let (outs, failed) = run(&program, &inputs).unwrap();
    assert!(failed.any());
    assert_eq!(numbers(&outs[0]), [3, 100, 5, 3, 9, 5]);
    assert_eq!(outs[1].values().map(Value::to_f64).collect::<Vec<_>>(), [1.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!((outs[2].dtype(), numbers(&outs[2])), (Bool, vec![1, 0, 1, 1, 1, 1]));
    assert!(!run(&program, &[inputs[0].clone(), inputs[0].clone()]).unwrap().1.any());
}

#[test]
fn refusals() {
    let program = Program::single(Op::Add, &[F32, F32], None, Broadcast::Numpy).unwrap();
    let (f, i) = (ints(F32, &[2], &[1, 2]), ints(I32, &[2], &[1, 2]));
    let kind = |r: Result<(Vec<Tensor>, Conditions), Error>| r.unwrap_err().kind();
    assert_eq!(kind(run(&program, std::slice::from_ref(&f))), ErrorKind::Arity);
    assert_eq!(kind(run(&program, &[f.clone(), i.clone()])), ErrorKind::DType);
    assert_eq!(kind(run(&program, &[f.clone(), ints(F32, &[3], &[1, 2, 3])])), ErrorKind::Broadcast);
    assert_eq!(evaluate(Op::Add, &[&f, &i], None, &Broadcast::Numpy).unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(evaluate(Op::Add, &[], None, &Broadcast::Numpy).unwrap_err().kind(), ErrorKind::Arity);
    assert_eq!(Tensor::new(F32, [2], vec![0; 7]).unwrap_err().kind(), ErrorKind::Bounds);
    assert_eq!(Tensor::new(F32, [usize::MAX, 2], vec![]).unwrap_err().kind(), ErrorKind::TooLarge);
    assert_eq!(Tensor::from_values(F32, [1], &[Value::from_bool(true)]).unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(broadcast(&[]).unwrap_err().kind(), ErrorKind::Arity);
    let huge = Broadcast::Bidirectional { target: [1 << 61, 1].into() };
    assert_eq!(evaluate(Op::BroadcastTo, &[&f], None, &huge).unwrap_err().kind(), ErrorKind::TooLarge);
    let shape = Shape::from([3]);
    assert_eq!(broadcast_of(&[(&shape, &["a"][..])]).unwrap_err().kind(), ErrorKind::Bounds);
}

#[test]
fn differences_are_found_and_nans_are_the_same() {
    let tensor = |bits: [u128; 3]| Tensor::from_values(F32, [3], &bits.map(|b| Value::new(F32, b))).unwrap();
    let a = tensor([0, 0x7fc0_0000, 1]);
    assert_eq!(a.difference(&tensor([0, 0xffc0_0001, 1])).unwrap(), None);
    let (at, own, other) = a.difference(&tensor([0x8000_0000, 0x7fc0_0000, 2])).unwrap().unwrap();
    assert_eq!((at, own.bits, other.bits), (0, 0, 0x8000_0000));
    assert!(a.difference(&ints(I32, &[3], &[0; 3])).is_err());
    assert!(a.difference(&ints(F32, &[3, 1], &[0; 3])).is_err());
}
