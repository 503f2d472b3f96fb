//! `ndarray`: `Zip` over broadcast views of the operands into an array that is reused.

use eltwise::{DType, Element};
use eltwise_benches::{Case, Operand};
use ndarray::{ArrayD, ArrayViewD, IxDyn, NdFloat, ShapeBuilder, Zip};

use super::Peer;

/// Writes an expression of views into an array.
type Run<T> = fn(&mut ArrayD<T>, &[ArrayViewD<'_, T>]);

struct Zipped<'a, T> {
    run: Run<T>,
    inputs: Vec<ArrayViewD<'a, T>>,
    out: ArrayD<T>,
}

/// The case as views, if `find` has its expression, all operands are f32 or all are f64, and none has a negative
/// stride.
pub(super) fn peer<'a>(case: &'a Case) -> Option<Box<dyn Peer + 'a>> {
    let dtype = case.operands().first()?.layout().dtype();
    if case.operands().iter().any(|o| o.layout().dtype() != dtype) {
        return None;
    }
    match dtype {
        DType::F32 => peer_of::<f32>(case),
        DType::F64 => peer_of::<f64>(case),
        _ => None,
    }
}

fn peer_of<'a, T: NdFloat + Element + Into<f64>>(case: &'a Case) -> Option<Box<dyn Peer + 'a>> {
    let run = find::<T>(case.expression())?;
    let shape = case.outputs()[0].layout().shape().dims();
    let inputs = case.operands().iter().map(view).collect::<Option<_>>()?;
    Some(Box::new(Zipped { run, inputs, out: ArrayD::zeros(IxDyn(shape)) }))
}

/// A view of an operand's memory.
fn view<T: Element>(operand: &Operand) -> Option<ArrayViewD<'_, T>> {
    let layout = operand.layout();
    let strides = layout.strides().values().iter().map(|&s| Some(usize::try_from(s).ok()? / size_of::<T>()));
    let strides: Vec<usize> = strides.collect::<Option<_>>()?;
    let shape = IxDyn(layout.shape().dims()).strides(IxDyn(&strides));
    ArrayViewD::from_shape(shape, operand.memory().as_slice::<T>().ok()?).ok()
}

/// The supported expressions, as a user of ndarray would write them.
fn find<T: NdFloat>(expression: &str) -> Option<Run<T>> {
    let run: Run<T> = match expression {
        "x + y" | "a + b" => |o, v| binary(o, v, |x, y| x + y),
        "x - y" => |o, v| binary(o, v, |x, y| x - y),
        "x * y" => |o, v| binary(o, v, |x, y| x * y),
        "x / y" => |o, v| binary(o, v, |x, y| x / y),
        "maximum(x, y)" => |o, v| binary(o, v, |x, y| if x > y { x } else { y }),
        "minimum(x, y)" => |o, v| binary(o, v, |x, y| if x < y { x } else { y }),
        "copy(x)" => |o, v| unary(o, v, |x| x),
        "sqrt(x)" => |o, v| unary(o, v, T::sqrt),
        "abs(x)" => |o, v| unary(o, v, T::abs),
        "floor(x)" => |o, v| unary(o, v, T::floor),
        "relu(x)" => |o, v| unary(o, v, |x| if x > T::zero() { x } else { T::zero() }),
        "exp(x)" => |o, v| unary(o, v, T::exp),
        "log(x)" => |o, v| unary(o, v, T::ln),
        "sin(x)" => |o, v| unary(o, v, T::sin),
        "tanh(x)" => |o, v| unary(o, v, T::tanh),
        "pow(x, y)" => |o, v| binary(o, v, T::powf),
        "sigmoid(x)" => |o, v| unary(o, v, |x| T::one() / (T::one() + (-x).exp())),
        "silu(x) * y" => |o, v| binary(o, v, |x, y| x / (T::one() + (-x).exp()) * y),
        "x * 2 + 1" => |o, v| unary(o, v, |x| x * (T::one() + T::one()) + T::one()),
        "x * y + 1" => |o, v| binary(o, v, |x, y| x * y + T::one()),
        "x * y + z" | "x * scale + shift" => |o, v| ternary(o, v, |x, y, z| x * y + z),
        "x + y + z" => |o, v| ternary(o, v, |x, y, z| x + y + z),
        "(x - y) * z" => |o, v| ternary(o, v, |x, y, z| (x - y) * z),
        "(x - y) / y" => |o, v| binary(o, v, |x, y| (x - y) / y),
        "exp(x - m) / s" => |o, v| ternary(o, v, |x, m, s| (x - m).exp() / s),
        "sqrt(x * x + y * y)" => |o, v| binary(o, v, |x, y| (x * x + y * y).sqrt()),
        "relu(x + y)" => |o, v| binary(o, v, |x, y| (x + y).max(T::zero())),
        _ => return None,
    };
    Some(run)
}

fn unary<T: NdFloat>(out: &mut ArrayD<T>, v: &[ArrayViewD<'_, T>], f: impl Fn(T) -> T) {
    Zip::from(out).and_broadcast(&v[0]).for_each(|o, &x| *o = f(x));
}

fn binary<T: NdFloat>(out: &mut ArrayD<T>, v: &[ArrayViewD<'_, T>], f: impl Fn(T, T) -> T) {
    Zip::from(out).and_broadcast(&v[0]).and_broadcast(&v[1]).for_each(|o, &x, &y| *o = f(x, y));
}

fn ternary<T: NdFloat>(out: &mut ArrayD<T>, v: &[ArrayViewD<'_, T>], f: impl Fn(T, T, T) -> T) {
    let zip = Zip::from(out).and_broadcast(&v[0]).and_broadcast(&v[1]).and_broadcast(&v[2]);
    zip.for_each(|o, &x, &y, &z| *o = f(x, y, z));
}

impl<T: NdFloat + Element + Into<f64>> Peer for Zipped<'_, T> {
    fn name(&self) -> &'static str {
        "ndarray"
    }

    fn run(&mut self) {
        (self.run)(&mut self.out, &self.inputs);
    }

    fn result(&self) -> Vec<f64> {
        self.out.iter().map(|&x| x.into()).collect()
    }
}
