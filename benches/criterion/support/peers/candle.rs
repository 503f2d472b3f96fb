//! `candle-core` on the CPU. Each tensor function allocates its result.

use candle_core::{DType as Kind, Device, Result, Tensor, WithDType};
use eltwise::{DType, Element};
use eltwise_benches::{Case, Operand};
use half::{bf16, f16};

use super::Peer;

/// An expression of tensors.
type Run = fn(&[Tensor]) -> Result<Tensor>;

struct Tensors {
    run: Run,
    inputs: Vec<Tensor>,
    out: Option<Tensor>,
}

/// The case as tensors, if `find` has its expression and all operands have one float dtype and no gaps.
pub(super) fn peer(case: &Case) -> Option<Box<dyn Peer + '_>> {
    let dtype = case.operands().first()?.layout().dtype();
    if case.operands().iter().any(|o| o.layout().dtype() != dtype) {
        return None;
    }
    let tensor: fn(&Operand) -> Option<Tensor> = match dtype {
        DType::F32 => tensor::<f32>,
        DType::F64 => tensor::<f64>,
        DType::F16 => tensor::<f16>,
        DType::BF16 => tensor::<bf16>,
        _ => return None,
    };
    let run = find(case.expression())?;
    let inputs = case.operands().iter().map(tensor).collect::<Option<_>>()?;
    Some(Box::new(Tensors { run, inputs, out: None }))
}

/// A tensor with the elements of an operand.
fn tensor<T: WithDType + Element>(operand: &Operand) -> Option<Tensor> {
    let (shape, strides) = (operand.layout().shape().dims(), operand.layout().strides().values());
    // The axes in memory order, outermost first.
    let mut axes: Vec<usize> = (0..shape.len()).collect();
    axes.sort_by_key(|&axis| std::cmp::Reverse(strides[axis]));
    let memory_shape: Vec<usize> = axes.iter().map(|&axis| shape[axis]).collect();
    let elements = operand.memory().as_slice::<T>().ok()?;
    if elements.len() != memory_shape.iter().product::<usize>() || strides.iter().any(|&s| s < 0) {
        return None;
    }
    let mut order = vec![0; axes.len()];
    axes.iter().enumerate().for_each(|(position, &axis)| order[axis] = position);
    let dense = Tensor::from_slice(elements, memory_shape, &Device::Cpu).ok()?;
    Some(if order.is_sorted() { dense } else { dense.permute(order).ok()? })
}

/// The supported expressions, as a user of candle would write them.
fn find(expression: &str) -> Option<Run> {
    let run: Run = match expression {
        "x + y" | "a + b" => |v| v[0].broadcast_add(&v[1]),
        "x - y" => |v| v[0].broadcast_sub(&v[1]),
        "x * y" => |v| v[0].broadcast_mul(&v[1]),
        "x / y" => |v| v[0].broadcast_div(&v[1]),
        "maximum(x, y)" => |v| v[0].broadcast_maximum(&v[1]),
        "minimum(x, y)" => |v| v[0].broadcast_minimum(&v[1]),
        "copy(x)" => |v| v[0].copy(),
        "sqrt(x)" => |v| v[0].sqrt(),
        "reciprocal(x)" => |v| v[0].recip(),
        "abs(x)" => |v| v[0].abs(),
        "floor(x)" => |v| v[0].floor(),
        "relu(x)" => |v| v[0].relu(),
        "exp(x)" => |v| v[0].exp(),
        "log(x)" => |v| v[0].log(),
        "sin(x)" => |v| v[0].sin(),
        "cos(x)" => |v| v[0].cos(),
        "tanh(x)" => |v| v[0].tanh(),
        "erf(x)" => |v| v[0].erf(),
        "gelu(x)" => |v| v[0].gelu_erf(),
        "gelu_tanh(x)" => |v| v[0].gelu(),
        "silu(x)" => |v| v[0].silu(),
        "silu(x) * y" => |v| v[0].silu()?.broadcast_mul(&v[1]),
        "gelu_tanh(x) * y" => |v| v[0].gelu()?.broadcast_mul(&v[1]),
        "gelu(x + y)" | "gelu(x + bias)" => |v| v[0].broadcast_add(&v[1])?.gelu_erf(),
        "relu(x + y)" => |v| v[0].broadcast_add(&v[1])?.relu(),
        "x * 2 + 1" => |v| v[0].affine(2.0, 1.0),
        "x * y + 1" => |v| v[0].broadcast_mul(&v[1])?.affine(1.0, 1.0),
        "x * y + z" | "x * scale + shift" => |v| v[0].broadcast_mul(&v[1])?.broadcast_add(&v[2]),
        "x + y + z" => |v| v[0].broadcast_add(&v[1])?.broadcast_add(&v[2]),
        "(x - y) * z" => |v| v[0].broadcast_sub(&v[1])?.broadcast_mul(&v[2]),
        "(x - y) / y" => |v| v[0].broadcast_sub(&v[1])?.broadcast_div(&v[1]),
        "exp(x - m) / s" => |v| v[0].broadcast_sub(&v[1])?.exp()?.broadcast_div(&v[2]),
        "clamp(x, 1, 2)" => |v| v[0].clamp(1f32, 2f32),
        _ => return None,
    };
    Some(run)
}

impl Peer for Tensors {
    fn name(&self) -> &'static str {
        "candle"
    }

    fn run(&mut self) {
        let out = (self.run)(&self.inputs).unwrap_or_else(|e| panic!("candle: {e}"));
        self.out = Some(out);
    }

    fn result(&self) -> Vec<f64> {
        let all = |out: &Tensor| out.flatten_all()?.to_dtype(Kind::F64)?.to_vec1::<f64>();
        self.out.as_ref().map_or_else(Vec::new, |out| all(out).unwrap_or_else(|e| panic!("candle: {e}")))
    }
}
