//! The reference evaluates programs value by value, and gives errors for inputs that do not fit.

use eltwise_core::{Broadcast, Constant, DType, Error, ErrorKind, Op};
use eltwise_plan::{Program, ProgramBuilder};
use eltwise_reference::{Conditions, Tensor, Value};
use eltwise_testkit::reference::run;

use DType::*;

fn ints(dtype: DType, shape: &[usize], x: &[i128]) -> Tensor {
    let values: Vec<Value> = x.iter().map(|&x| Value::from_i128(dtype, x)).collect();
    Tensor::from_values(dtype, shape, &values).unwrap()
}

fn integers(t: &Tensor) -> Vec<i128> {
    t.values().map(Value::to_i128).collect()
}

#[test]
fn steps_constants_and_several_outputs_are_evaluated() {
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
    let (outs, met) = run(&program, &inputs).unwrap();
    assert!(met.any());
    assert_eq!(integers(&outs[0]), [3, 100, 5, 3, 9, 5]);
    assert_eq!(outs[1].values().map(Value::to_f64).collect::<Vec<_>>(), [1.0, 3.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!((outs[2].dtype(), integers(&outs[2])), (Bool, vec![1, 0, 1, 1, 1, 1]));
    assert!(!run(&program, &[inputs[0].clone(), inputs[0].clone()]).unwrap().1.any());
}

#[test]
fn invalid_inputs_give_errors_of_the_right_kind() {
    let program = Program::single(Op::Add, &[F32, F32], None, Broadcast::Numpy).unwrap();
    let (f, i) = (ints(F32, &[2], &[1, 2]), ints(I32, &[2], &[1, 2]));
    let kind = |r: Result<(Vec<Tensor>, Conditions), Error>| r.unwrap_err().kind();
    assert_eq!(kind(run(&program, std::slice::from_ref(&f))), ErrorKind::Arity);
    assert_eq!(kind(run(&program, &[f.clone(), i])), ErrorKind::DType);
    assert_eq!(kind(run(&program, &[f, ints(F32, &[3], &[1, 2, 3])])), ErrorKind::Broadcast);
}
