//! Operators and broadcasts over arrays: shapes, broadcast modes, data conditions, errors.

use eltwise_core::{Broadcast, DType, ErrorKind, Op, Shape};
use eltwise_reference::{Tensor, Value, broadcast, broadcast_of, evaluate, evaluate_with_conditions};

use DType::*;

fn ints(dtype: DType, shape: &[usize], x: &[i128]) -> Tensor {
    let values: Vec<Value> = x.iter().map(|&x| Value::from_i128(dtype, x)).collect();
    Tensor::from_values(dtype, shape, &values).unwrap()
}

fn integers(t: &Tensor) -> Vec<i128> {
    t.values().map(Value::to_i128).collect()
}

#[test]
fn row_plus_column_broadcasts_to_matrix() {
    let (row, column) = (ints(I32, &[3], &[1, 2, 3]), ints(I32, &[2, 1], &[10, 20]));
    let sum = evaluate(Op::Add, &[&row, &column], None, &Broadcast::Numpy).unwrap();
    assert_eq!(sum.shape().dims(), [2, 3]);
    assert_eq!(integers(&sum), [11, 12, 13, 21, 22, 23]);
    assert_eq!(sum.get(&[1, 0]).to_i128(), 21);
    assert!(evaluate(Op::Add, &[&row, &column], None, &Broadcast::None).is_err());
    assert!(evaluate(Op::Add, &[&row, &column], None, &Broadcast::Unidirectional).is_err());
}

#[test]
fn pdpd_and_bidirectional_modes_place_elements() {
    let a = ints(I8, &[2, 3, 2], &[0; 12]);
    let b = ints(I8, &[3, 1, 1], &[1, 2, 3]);
    let sum = evaluate(Op::Add, &[&a, &b], None, &Broadcast::Pdpd { axis: 1 }).unwrap();
    assert_eq!(integers(&sum), [1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3]);
    let mode = Broadcast::Bidirectional { target: [2, 1, 2].into() };
    let wide = evaluate(Op::BroadcastTo, &[&ints(U8, &[3, 1], &[7, 8, 9])], None, &mode).unwrap();
    assert_eq!(wide.shape().dims(), [2, 3, 2]);
    assert_eq!(integers(&wide), [7, 7, 8, 8, 9, 9, 7, 7, 8, 8, 9, 9]);
}

#[test]
fn scalars_empty_arrays_and_rank_70_are_evaluated() {
    let one = ints(I64, &[], &[1]);
    let sum = evaluate(Op::Add, &[&one, &one], None, &Broadcast::Numpy).unwrap();
    assert_eq!((sum.shape().rank(), sum.get(&[]).to_i128()), (0, 2));
    let empty = evaluate(Op::Add, &[&one, &ints(I64, &[2, 0], &[])], None, &Broadcast::Numpy).unwrap();
    assert_eq!((empty.shape().dims(), empty.data().len()), (&[2, 0][..], 0));
    let high = ints(I64, &[1; 70], &[5]);
    assert_eq!(evaluate(Op::Multiply, &[&high, &high], None, &Broadcast::Numpy).unwrap().get(&[0; 70]).to_i128(), 25);
}

#[test]
fn division_by_zero_is_reported_only_if_an_element_divides() {
    let (x, zero) = (ints(I32, &[2], &[6, 7]), ints(I32, &[2], &[2, 0]));
    let (out, met) = evaluate_with_conditions(Op::Divide, &[&x, &zero], None, &Broadcast::Numpy).unwrap();
    assert_eq!((integers(&out), met.zero_division), (vec![3, 0], true));
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
fn invalid_arguments_give_errors_of_the_right_kind() {
    let (f, i) = (ints(F32, &[2], &[1, 2]), ints(I32, &[2], &[1, 2]));
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
fn difference_finds_first_and_treats_nans_as_equal() {
    let tensor = |bits: [u128; 3]| Tensor::from_values(F32, [3], &bits.map(|b| Value::new(F32, b))).unwrap();
    let a = tensor([0, 0x7fc0_0000, 1]);
    assert_eq!(a.difference(&tensor([0, 0xffc0_0001, 1])).unwrap(), None);
    let (at, left, right) = a.difference(&tensor([0x8000_0000, 0x7fc0_0000, 2])).unwrap().unwrap();
    assert_eq!((at, left.bits, right.bits), (0, 0, 0x8000_0000));
    assert!(a.difference(&ints(I32, &[3], &[0; 3])).is_err());
    assert!(a.difference(&ints(F32, &[3, 1], &[0; 3])).is_err());
}
