//! Promoted comparisons of integers equal comparisons of `i128`.

use eltwise::{Broadcast, DType, Expr, Op, Program};
use eltwise_reference::{Tensor, Value};

pub(crate) const COMPARISONS: [Op; 6] =
    [Op::Equal, Op::NotEqual, Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual];

pub(crate) fn compare(op: Op, x: i128, y: i128) -> bool {
    match op {
        Op::Equal => x == y,
        Op::NotEqual => x != y,
        Op::Less => x < y,
        Op::LessEqual => x <= y,
        Op::Greater => x > y,
        _ => x >= y,
    }
}

/// The limits of the integer dtypes and their neighbours.
fn limits() -> Vec<i128> {
    let powers = [0, 7, 8, 15, 16, 24, 31, 32, 53, 63, 64, 70].map(|power| 1i128 << power);
    powers.into_iter().flat_map(|p| [p - 1, p, p + 1, -p - 1, -p, 1 - p]).chain([0]).collect()
}

fn array(dtype: DType) -> (Vec<i128>, Tensor) {
    let fitting: Vec<i128> = limits().into_iter().filter(|&x| Value::from_i128(dtype, x).to_i128() == x).collect();
    let values: Vec<Value> = fitting.iter().map(|&x| Value::from_i128(dtype, x)).collect();
    let tensor = Tensor::from_values(dtype, [values.len()], &values).unwrap();
    (fitting, tensor)
}

fn bools(program: &Program, inputs: &[Tensor]) -> Vec<bool> {
    let (outputs, _) = eltwise_testkit::reference::run(program, inputs).unwrap();
    outputs[0].values().map(Value::truth).collect()
}

#[test]
fn integers_compare_exactly_with_literals() {
    for dtype in DType::VALUES.into_iter().filter(|dtype| !dtype.is_float()) {
        let (x, tensor) = array(dtype);
        for op in COMPARISONS {
            for literal in limits() {
                for swapped in [false, true] {
                    let mut operands = [Expr::input("x"), literal.into()];
                    operands[..].rotate_left(usize::from(swapped));
                    let expr = Expr::apply(op, &operands).unwrap();
                    let program = Program::promoting(&[&expr], &[("x", dtype)]).unwrap();
                    let expected =
                        x.iter().map(|&x| if swapped { compare(op, literal, x) } else { compare(op, x, literal) });
                    let expected: Vec<bool> = expected.collect();
                    assert_eq!(bools(&program, std::slice::from_ref(&tensor)), expected, "{expr:?} {dtype}");
                }
            }
        }
    }
    for (x, y) in [(1i128 << 64, 3), (-5, 1 << 70), (1 << 64, 1 << 65), (1 << 64, 1 << 64), (3, 3), (2, 1)] {
        for op in COMPARISONS {
            let expr = Expr::apply(op, &[x.into(), y.into()]).unwrap();
            let program = Program::promoting(&[&expr], &[]).unwrap();
            assert_eq!(bools(&program, &[]), [compare(op, x, y)], "{expr:?}");
        }
    }
}

#[test]
fn signed_integers_and_u64_compare_exactly_in_every_broadcast_mode() {
    let (y, unsigned) = array(DType::U64);
    let shaped = |tensor: &Tensor, shape: &[usize]| Tensor::new(tensor.dtype(), shape, tensor.data().to_vec()).unwrap();
    for dtype in [DType::I8, DType::I16, DType::I32, DType::I64] {
        let (x, signed) = array(dtype);
        let inputs = [("x", dtype), ("y", DType::U64)];
        for op in COMPARISONS {
            let table = |swapped: bool| -> Vec<bool> {
                let (rows, columns) = if swapped { (&y, &x) } else { (&x, &y) };
                rows.iter().flat_map(|&r| columns.iter().map(move |&c| compare(op, r, c))).collect()
            };
            for swapped in [false, true] {
                let mut operands = [(Expr::input("x"), x.len()), (Expr::input("y"), y.len())];
                operands[..].rotate_left(usize::from(swapped));
                let [(first, rows), (second, columns)] = operands;
                let tensors = |rows_of: &[usize], columns_of: &[usize]| match swapped {
                    false => [shaped(&signed, rows_of), shaped(&unsigned, columns_of)],
                    true => [shaped(&signed, columns_of), shaped(&unsigned, rows_of)],
                };
                let expr = Expr::apply(op, &[first.clone(), second.clone()]).unwrap();
                let program = Program::promoting(&[&expr], &inputs).unwrap();
                assert_eq!(bools(&program, &tensors(&[rows, 1], &[columns])), table(swapped), "{expr:?} {dtype}");

                // The first operand has the full shape [rows, columns]. The second repeats along its first or last
                // axis.
                for (mode, second_shape) in [
                    (Broadcast::Unidirectional, vec![columns]),
                    (Broadcast::Pdpd { axis: 1 }, vec![columns]),
                    (Broadcast::Pdpd { axis: -1 }, vec![columns]),
                    (Broadcast::Pdpd { axis: 0 }, vec![1, columns]),
                    (Broadcast::None, vec![rows, columns]),
                ] {
                    let repeat = |expr: &Expr, shape: [usize; 2]| expr.broadcast_to(shape);
                    let tall = repeat(&first, [rows, columns]);
                    let wide = if mode == Broadcast::None { repeat(&second, [rows, columns]) } else { second.clone() };
                    let expr = Expr::apply(op, &[tall, wide]).unwrap().broadcast(mode.clone());
                    let program = Program::promoting(&[&expr], &inputs).unwrap();
                    let second_shape = if mode == Broadcast::None { vec![1, columns] } else { second_shape };
                    let given = tensors(&[rows, 1], &second_shape);
                    assert_eq!(bools(&program, &given), table(swapped), "{expr:?} {dtype}");
                }
            }
        }
    }
}
