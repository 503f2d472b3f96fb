//! Elementwise operations of well-known models, with the shapes of their forward pass.

use eltwise::DType::{self, BF16, F16, F32, U8};
use eltwise::Layout;

use crate::bench::case::{Action, Case};
use crate::error::Result;

use super::Value;

/// The dtype and shape of an operand.
type Operand = (DType, &'static [usize]);

/// A case: name, expression, operands, value.
type Row = (&'static str, &'static str, &'static [Operand], Value);

#[rustfmt::skip] // A table.
const TABLE: &[Row] = &[
    ("ResNet-50 residual/f32", "x + y", &[(F32, &[1, 256, 56, 56]), (F32, &[1, 256, 56, 56])], |v| v[0] + v[1]),
    ("ResNet-50 bias/f32", "x + y", &[(F32, &[1, 64, 112, 112]), (F32, &[64, 1, 1])], |v| v[0] + v[1]),
    ("ResNet-50 bias 7x7/f32", "x + y", &[(F32, &[1, 2048, 7, 7]), (F32, &[2048, 1, 1])], |v| v[0] + v[1]),
    ("MobileNetV3 hard_swish/f32", "hard_swish(x)", &[(F32, &[1, 16, 112, 112])], |v| v[0] * (v[0] + 3.0).clamp(0.0, 6.0) / 6.0),
    ("ViT normalise/u8", "(cast(x, f32) / 255 - y) / z", &[(U8, &[1, 224, 224, 3]), (F32, &[3]), (F32, &[3])], |v| (v[0] / 255.0 - v[1]) / v[2]),
    ("BERT attention mask/f32", "x + y", &[(F32, &[8, 12, 128, 128]), (F32, &[8, 1, 1, 128])], |v| v[0] + v[1]),
    ("BERT gelu/f32", "gelu_tanh(x)", &[(F32, &[1, 128, 3072])], super::operators::gelu_tanh),
    ("GPT-2 residual/f32", "x + y", &[(F32, &[1, 1024, 768]), (F32, &[1, 1024, 768])], |v| v[0] + v[1]),
    ("Llama SwiGLU/f16", "silu(x) * y", &[(F16, &[1, 128, 11008]), (F16, &[1, 128, 11008])], |v| v[0] / (1.0 + (-v[0]).exp()) * v[1]),
    ("Llama residual/bf16", "x + y", &[(BF16, &[1, 512, 4096]), (BF16, &[1, 512, 4096])], |v| v[0] + v[1]),
    ("Llama scale/f16", "x * y", &[(F16, &[1, 512, 4096]), (F16, &[4096])], |v| v[0] * v[1]),
    ("YOLO sigmoid/f32", "sigmoid(x)", &[(F32, &[1, 255, 52, 52])], |v| 1.0 / (1.0 + (-v[0]).exp())),
];

/// The cases of the group `models`.
pub(super) fn cases() -> Result<Vec<Case>> {
    let case = |&(name, expression, operands, value): &Row| {
        let operands = operands
            .iter()
            .map(|&(dtype, shape)| Layout::contiguous(dtype, shape))
            .collect::<std::result::Result<_, _>>()?;
        let (name, expression) = (format!("models/{name}"), expression.to_string());
        Ok(Case { name, expression, operands, value, cost: None, action: Action::Run })
    };
    TABLE.iter().map(case).collect()
}
