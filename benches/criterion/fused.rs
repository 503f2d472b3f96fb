//! Programs of several operators on one thread.

mod support;

use DType::{F16, F32, F64, U8};
use Level::{Dram, L1, L2};
use criterion::{Criterion, criterion_group, criterion_main};
use eltwise::{DType, Error};
use eltwise_benches::{Level, Operand};
use support::{Group, require};

/// Name, expression, number of f32 operands, levels of the memory.
const DENSE: [(&str, &str, usize, &[Level]); 10] = [
    ("scale and shift", "x * 2 + 1", 1, &[L1, L2, Dram]),
    ("multiply and add", "x * y + z", 3, &[L1, L2, Dram]),
    ("relative difference", "(x - y) / y", 2, &[L1, L2]),
    ("length", "sqrt(x * x + y * y)", 2, &[L1, L2]),
    ("leaky", "where(x > y, x, y * 0.125)", 2, &[L1, L2]),
    ("polynomial 4", "fma(x, fma(x, fma(x, fma(x, 0.25, 0.5), 0.75), 1.0), 1.5)", 1, &[L1, L2, Dram]),
    ("residual relu", "relu(x + y)", 2, &[L1, L2]),
    ("swiglu", "silu(x) * y", 2, &[L1, L2, Dram]),
    ("gelu from operators", "0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))", 1, &[L1, L2]),
    ("ten steps", "((((((((x + y) * y - x) * y + x) * y - x) * y + x) * y - x) * y + x) * y - x)", 2, &[L1, L2, Dram]),
];

/// Name, expression, and the dtypes and shapes of broadcast operands.
type Shaped = (&'static str, &'static str, &'static [(DType, &'static [usize])]);

const SHAPED: [Shaped; 6] = [
    ("normalise a photograph", "(cast(img, f32) - mean) / std", &[(U8, &[512, 512, 3]), (F32, &[3]), (F32, &[3])]),
    ("scale and shift of rows", "x * scale + shift", &[(F32, &[1024, 1024]), (F32, &[1024]), (F32, &[1024])]),
    ("bias and gelu", "gelu(x + bias)", &[(F32, &[128, 3072]), (F32, &[3072])]),
    ("softmax without its sums", "exp(x - m) / s", &[(F32, &[512, 512]), (F32, &[512, 1]), (F32, &[512, 1])]),
    ("hoisted row", "x * exp(row)", &[(F32, &[1024, 1024]), (F32, &[1024])]),
    ("dequantise", "(cast(q, f32) - zero) * scale", &[(U8, &[1024, 1024]), (F32, &[1024, 1]), (F32, &[1024, 1])]),
];

fn shaped(group: &mut Group<'_>, &(name, expression, operands): &Shaped) -> Result<(), Error> {
    let operands = operands.iter().map(|&(dtype, shape)| Operand::dense(dtype, shape)).collect::<Result<_, _>>()?;
    group.case(name, expression, operands);
    Ok(())
}

fn fused(c: &mut Criterion) {
    for (name, expression, operands, levels) in DENSE {
        Group::new(c, &format!("fused/{name}/f32")).levels(expression, &vec![F32; operands], levels);
    }
    for dtype in [F16, F64] {
        Group::new(c, &format!("fused/swiglu/{dtype}")).levels("silu(x) * y", &[dtype; 2], &[L1, L2]);
        Group::new(c, &format!("fused/scale and shift/{dtype}")).levels("x * 2 + 1", &[dtype], &[L1, L2]);
    }
    let mut group = Group::new(c, "fused shapes");
    for row in &SHAPED {
        require(row.0, shaped(&mut group, row));
    }
}

criterion_group! { name = benches; config = support::settings(); targets = fused }
criterion_main!(benches);
